// Two checkpoints side by side: what each knows, what changed in the code, and a merge.

import { may } from "../api.js";
import { copyButton, fill, h, words } from "../dom.js";
import { ageOf, counted, momentOf, spoken } from "../format.js";
import { filePath } from "../router.js";

const SIDES = [
  ["goal", "Goal"], ["key_outcomes", "Outcomes"], ["decisions", "Decisions"], ["dead_ends", "Dead ends"],
  ["errors", "Open errors"], ["pending", "Todos"], ["tests", "Tests"],
];
const WHYS = {
  differ: "they contradict each other", done: "done on one side, open on the other", "taken-back": "taken back on one side",
  lines: "both changed the same lines", created: "both created it, with different content", deleted: "changed on one side, deleted on the other",
  binary: "both changed it, and it is not text", large: "both changed it, and it is too large to compare",
  mode: "both changed its permissions, in different ways", unknown: "both changed it; too many files to compare lines",
};
const FEW = 12;

export const page = { name: "compare", route: "/compare/:a/:b", load, draw };

async function load(api, { a, b }) {
  const pair = [a, b].map(encodeURIComponent).join("/");
  const diff = await api.get(`/api/compare/${pair}`);
  if (diff === null) return null;
  // What cannot be merged can be compared: then it is said why.
  const plan = diff.newer ? await api.get(`/api/merge/${pair}`).catch((problem) => ({ problem })) : null;
  return { api, a, b, diff, plan };
}

function draw(root, data, context) {
  const { diff, a, b } = data;
  root.append(
    h("header", { class: "page-head" },
      h("p", { class: "eyebrow" }, between(diff)),
      h("h1", null, "Compare"),
      h("div", { class: "two" }, side(diff.older, context), side(diff.newer, context)),
      h("div", { class: "actions" },
        diff.newer && h("a", { class: "copy", href: context.href(`/compare/${encodeURIComponent(b)}/${encodeURIComponent(a)}`) }, "swap"),
        copyButton(["holdfast diff", called(diff.older, context), diff.newer && called(diff.newer, context), "--patch"].filter(Boolean).join(" "), context.say))),
    diff.siblings ? branches(diff) : items(diff.items),
    files(diff, context),
    merging(data, context));
}

function between({ siblings, older, newer }) {
  if (siblings) return "Two branches";
  if (newer && newer.project !== older.project) return "Two projects";
  return newer && Date.parse(newer.created_at) < Date.parse(older.created_at) ? "Later and then" : "Then and later";
}

// A number is its project's: elsewhere the id finds it.
function called(head, { here }) {
  return head.project === here() ? head.reference : head.id;
}

function side(head, { href, now }) {
  if (!head) return h("div", { class: "side" }, h("p", { class: "side-title" }, "Now"), h("p", { class: "when" }, "the code as it is on disk"));
  const at = Date.parse(head.created_at);
  return h("div", { class: "side" },
    h("a", { class: "side-title", href: href(`/c/${encodeURIComponent(head.id)}`) }, h("span", { class: "number" }, `#${head.reference}`), " ", words(head.content.title || "untitled")),
    h("p", { class: "when", title: momentOf(at) }, ageOf(at, now())));
}

function part(name, content, note) {
  return content ? h("section", { class: "part" }, h("h2", null, name, note && h("span", { class: "note" }, note)), content) : "";
}

// What each came to since they parted.
function branches({ branches: [one, other] }) {
  const rows = SIDES.filter(([kind]) => one[kind].length || other[kind].length);
  const cost = (each) => `${counted(each.cost.messages, "message")}${each.cost.seconds > 0 ? ` · ${spoken(each.cost.seconds)}` : ""}${each.code === null ? "" : ` · ${counted(each.code.length, "file")}`}`;
  return part("Since they parted", h("div", { class: "compared" },
    rows.map(([kind, name]) => [h("h3", null, name), list(one[kind]), list(other[kind])]),
    h("h3", null, "Took"), h("p", { class: "cell" }, cost(one)), h("p", { class: "cell" }, cost(other))));
}

function list(texts) {
  return texts.length ? h("ul", { class: "cell" }, texts.slice(0, FEW).map((text) => h("li", null, words(text)))) : h("p", { class: "cell none" }, "–");
}

function items({ added, removed, changed }) {
  if (!added.length && !removed.length && !changed.length) return part("What they know", h("p", { class: "when" }, "The same in both."));
  const one = (item, sign) => h("li", { class: sign }, h("span", { class: "kind" }, item.kind.replaceAll("_", " ")), words(item.text));
  const every = [
    ...added.map((item) => one(item, "added")), ...removed.map((item) => one(item, "removed")),
    ...changed.map((pair) => h("li", { class: "changed" }, h("span", { class: "kind" }, pair.kind.replaceAll("_", " ")), h("del", null, words(pair.from)), " ", h("ins", null, words(pair.to)))),
  ];
  const rest = every.length > 2 * FEW ? every.splice(2 * FEW) : [];
  return part("What they know", [h("ul", { class: "known" }, every),
    rest.length > 0 && h("details", { class: "more" }, h("summary", null, `${rest.length} more`), h("ul", { class: "known" }, rest))],
    `${added.length} new, ${removed.length} gone, ${changed.length} changed`);
}

function files({ files: found, reason, older }, { href, here }) {
  // Who made its lines is known of the files of the project that one stands in.
  const isHere = older.project === here();
  const named = (file) => words(file.path, { class: "mono" });
  if (reason) return part("Code", h("p", { class: "when" }, `Not compared: ${reason}`));
  if (!found.length) return part("Code", h("p", { class: "when" }, "No file differs."));
  return part("Code", h("ul", { class: "file-list" }, found.map((file) => h("li", null,
    h("span", { class: `change ${file.change}`, title: file.change }, file.change[0].toUpperCase()),
    isHere && file.change !== "deleted"
      ? h("a", { class: "path", href: href(filePath(file.path)), title: "Who made its lines" }, named(file))
      : h("span", { class: "path" }, named(file)),
    h("span", { class: "lines" }, h("span", { class: "added" }, `+${file.lines_added ?? "?"}`), " ", h("span", { class: "removed" }, `−${file.lines_removed ?? "?"}`))))), counted(found.length, "file"));
}

function merging({ api, a, b, plan }, context) {
  if (!plan) return "";
  if (plan.problem) return part("Merge", h("p", { class: "when" }, `They cannot be merged:  ${plan.problem.message}`));
  if (!may("write")) return "";
  if (plan.would !== "save") return part("Merge", h("p", { class: "when" }, plan.would === "repeated" ? "This merge was already made." : "Nothing to merge: one of them already has everything."));
  const known = plan.conflicts.filter((conflict) => conflict.number);
  const code = plan.conflicts.filter((conflict) => conflict.path);
  const button = h("button", { class: "do", type: "button" }, `Merge into #${plan.home.reference}`);
  const box = h("div", { class: "merge" },
    known.map(chosen),
    code.length > 0 && h("div", { class: "clashes" }, h("p", null, `${counted(code.length, "file")} would conflict in the code, which a merge does not change:`),
      h("ul", null, code.map((clash) => h("li", null, words(clash.path, { class: "mono" }), ` · ${WHYS[clash.why] || clash.why}`)))),
    h("p", { class: "actions" }, button, h("span", { class: "note" }, "makes a new checkpoint of what both know; the two are not changed")));
  button.addEventListener("click", async () => {
    button.disabled = true;
    const choices = Array.from(box.querySelectorAll("input:checked"), (input) => `${input.name.slice(9)}=${input.value}`);
    try {
      const done = await api.act("/api/merge", { a, b, choices });
      context.say("Merged");
      context.router.go(`/c/${encodeURIComponent(done.checkpoint.id)}`);
    } catch (problem) {
      button.disabled = false;
      fill(box.querySelector(".note"), `${problem.message}${problem.hint ? `: ${problem.hint}` : ""}`);
    }
  });
  return part("Merge", box, known.length ? counted(known.length, "conflict") : "no contradictions");
}

function chosen(conflict) {
  return h("fieldset", { class: "conflict" }, h("legend", null, `${conflict.kind.replaceAll("_", " ")}: ${WHYS[conflict.why] || conflict.why}`),
    conflict.options.map((option) => h("label", null,
      h("input", { type: "radio", name: `conflict-${conflict.number}`, value: option.checkpoint }),
      h("span", { class: "number" }, option.label), " ", option.text === null ? "taken back there" : words(option.text))));
}
