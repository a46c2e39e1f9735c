// One checkpoint: what it is about, the brief that a session gets, what is known, and files.

import { copyButton, h, words } from "../dom.js";
import { ageOf, counted, momentOf, spoken } from "../format.js";
import { receiptPicture } from "../receipt.js";

const KINDS = [
  ["goal", "Goal"], ["pending", "Open"], ["next_steps", "Next"], ["errors", "Errors"], ["dead_ends", "Dead ends"],
  ["instructions", "Rules"], ["decisions", "Decisions"], ["discoveries", "Found out"], ["key_outcomes", "Done"],
  ["requests", "Asked"], ["blockers", "Blocked by"], ["open_questions", "Questions"], ["in_flight", "Under way"],
];
const FEW = 8;

export const page = { name: "checkpoint", route: "/c/:ref", load, draw };

async function load(api, { ref }) {
  return api.get(`/api/checkpoint/${encodeURIComponent(ref)}`);
}

function draw(root, data, { say, now, here }) {
  const own = data.checkpoint;
  // A number is its project's: elsewhere the id finds it.
  const called = own.project.id === here() ? data.reference : own.id;
  root.append(
    h("header", { class: "page-head" },
      h("p", { class: "eyebrow" }, own.label, own.machine && "@", own.machine && words(own.machine), " · ", own.type, own.name && " · ", own.name && words(own.name)),
      h("h1", null, words(own.content.title || "untitled")),
      h("p", { class: "when" }, h("time", { datetime: own.created_at }, momentOf(own.created_at_unix)), ` · ${ageOf(own.created_at_unix, now())}`),
      chips(own),
      h("div", { class: "actions" }, copyButton(`holdfast resume ${called}`, say), copyButton(`holdfast show ${called}`, say))),
    own.content.summary ? h("p", { class: "summary" }, words(own.content.summary)) : "",
    section("Brief", briefOf(data), `what the next session is told · ${counted(data.tokens, "token")}`),
    ...KINDS.map(([kind, name]) => section(name, items(own.content[kind]), null, `kind-${kind}`)),
    section("Files", files(own.content.files_referenced || []), null, "files"),
    section("Commands", commands(own.content.commands || [])));
}

function chips(own) {
  const state = own.session_state;
  return h("ul", { class: "chips" },
    own.code.branch && h("li", { class: "mono" }, words(own.code.branch), own.code.dirty && " ✱"),
    h("li", null, words(own.agent.name)),
    state.message_count > 0 && h("li", null, counted(state.message_count, "message")),
    state.duration_seconds > 0 && h("li", null, spoken(state.duration_seconds)),
    state.context_percent !== null && h("li", null, `${Math.round(state.context_percent)} % of context`));
}

function briefOf(data) {
  const text = h("pre", { class: "brief", dir: "auto", tabindex: "0", "aria-label": "Brief" }, data.brief);
  return [receiptPicture(data.receipt), h("details", { class: "brief-box", open: true }, h("summary", null, "As the model reads it"), text)].filter(Boolean);
}

function section(name, content, note, kind) {
  if (!content || (Array.isArray(content) && !content.length)) return "";
  return h("section", { class: `part ${kind || ""}` }, h("h2", null, name, note && h("span", { class: "note" }, note)), content);
}

// Each with where it came from, which opens in place.
function items(found) {
  if (!found || !found.length) return null;
  return [itemList(found.slice(0, FEW)), found.length > FEW && h("details", { class: "more" }, h("summary", null, counted(found.length - FEW, "more").replace(/s$/, "")), itemList(found.slice(FEW)))].filter(Boolean);
}

function itemList(found) {
  return h("ul", { class: "items" }, found.map((item) => h("li", { class: `from-${item.source}` },
    item.excerpt && item.excerpt !== item.text
      ? h("details", null, h("summary", null, words(item.text)), h("blockquote", { dir: "auto" }, item.excerpt))
      : words(item.text))));
}

function files(found) {
  if (!found.length) return null;
  return h("ul", { class: "file-list" }, found.map((file) => h("li", null,
    h("span", { class: `change ${file.change}`, title: file.change }, file.change[0].toUpperCase()),
    words(file.path, { class: "mono path" }),
    (file.lines_added > 0 || file.lines_removed > 0) && h("span", { class: "lines" },
      h("span", { class: "added" }, `+${file.lines_added}`), " ", h("span", { class: "removed" }, `−${file.lines_removed}`)))));
}

function commands(found) {
  if (!found.length) return null;
  return h("ul", { class: "command-list" }, found.map((ran) => h("li", { class: ran.exit ? "failed" : "" },
    h("code", { dir: "ltr" }, ran.command), ran.output && h("p", { dir: "auto" }, ran.output))));
}
