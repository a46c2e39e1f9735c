// Search as one types: the same hits in the same order as on the command line.

import { fill, h, words } from "../dom.js";
import { ageOf, momentOf } from "../format.js";

const AFTER = 140; // milliseconds without a key
const HELP = [
  ["\"two words\"", "as written"], ["-word", "without it"], ["file:auth.py", "a file that was read or changed"],
  ["branch:main", "a branch"], ["after:yesterday", "since then"], ["tag:bug", "a tag"],
];

export const page = { name: "search", route: "/search", load, draw };

async function load(api, params, { project, asked }) {
  const query = asked();
  return { api, q: query.get("q") || "", found: query.get("q") ? await ask(api, query.get("q"), project()) : null };
}

function ask(api, q, project) {
  return api.get(`/api/search?q=${encodeURIComponent(q)}&project=${encodeURIComponent(project)}`);
}

function draw(root, { api, q, found }, context) {
  const field = h("input", { class: "search-field", type: "search", value: q, placeholder: "Words, a file, an error …", "aria-label": "Search", autocomplete: "off", spellcheck: "false", dir: "auto" });
  const state = h("p", { class: "search-state", role: "status", "aria-live": "polite" });
  const list = h("ol", { class: "hits" });
  let timer = 0;
  let turn = 0;

  async function look() {
    const own = ++turn;
    const text = field.value;
    const query = new URLSearchParams(text ? { q: text } : {});
    const project = context.project();
    if (project && project !== context.here()) query.set("project", project);
    context.router.go("/search", query, { replace: true, quiet: true });
    try {
      const answer = text.trim() ? await ask(api, text, project) : null;
      if (own === turn) show(answer);
    } catch (problem) {
      if (own !== turn) return;
      fill(list);
      fill(state, problem.message);
    }
  }

  function show(answer) {
    fill(state, told(answer));
    fill(list, answer ? answer.hits.map((hit) => hitOf(hit, context)) : helpOf(field, look));
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, AFTER);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") look();
    if (event.key === "ArrowDown") step(event, list.querySelector("a"));
  });
  list.addEventListener("keydown", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    if (event.key === "ArrowDown") step(event, item.nextElementSibling?.querySelector("a"));
    if (event.key === "ArrowUp") step(event, item.previousElementSibling?.querySelector("a") || field);
  });
  root.append(h("header", { class: "page-head" }, h("h1", null, "Search"), field, state), list);
  show(found);
  requestAnimationFrame(() => field.focus());
}

function step(event, next) {
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}

function told(answer) {
  if (!answer) return "";
  const notes = answer.misread.map((word) => `“${word}” is not a filter: searched as a word. `);
  if (answer.hits.length) return [...notes, `${answer.hits.length}${answer.hits.length === 30 ? " or more" : ""} found, best first`];
  return [...notes, answer.is_elsewhere ? "Nothing in this project, but another one has it: choose “Every project” above." : "Nothing found: try fewer words or filters."];
}

function hitOf(hit, { now, href }) {
  return h("li", { class: "hit" },
    h("a", { href: href(`/c/${encodeURIComponent(hit.id)}`) },
      h("span", { class: "hit-title" }, h("span", { class: "number" }, `#${hit.number}`), " ", marked(hit.title || "untitled", hit.title_marks)),
      hit.text && hit.kind !== "title" && h("span", { class: "hit-text" }, hit.kind && h("span", { class: "hit-kind" }, hit.kind.replaceAll("_", " ")), marked(hit.text, hit.marks)),
      h("span", { class: "hit-about" },
        h("time", { datetime: new Date(hit.at).toISOString(), title: momentOf(hit.at) }, ageOf(hit.at, now())),
        hit.branch && words(hit.branch, { class: "mono" }), hit.project && words(nameOf(hit.project), { class: "hit-project", title: hit.project }), h("span", null, words(hit.agent)))));
}

// A directory is known by its last part.
function nameOf(root) {
  return root.split(/[\\/]/).filter(Boolean).pop() || root;
}

// Marks count characters as Python does, which sees one where JavaScript sees two.
function marked(text, marks) {
  const characters = Array.from(text);
  const parts = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(characters.slice(at, start).join(""), h("mark", null, characters.slice(start, end).join("")));
    at = end;
  }
  return h("bdi", { dir: "auto" }, parts, characters.slice(at).join(""));
}

function helpOf(field, look) {
  return HELP.map(([example, what]) => h("li", { class: "search-help" },
    h("button", { type: "button", onclick: () => {
      field.value = field.value ? `${field.value} ${example}` : example;
      field.focus();
      look();
    } }, h("code", null, example)), h("span", null, what)));
}
