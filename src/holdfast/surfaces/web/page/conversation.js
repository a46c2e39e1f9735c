// What was said: words of both sides, calls with what came of them; long ones are folded.

import { guest } from "./api.js";
import { fill, h, words } from "./dom.js";
import { timeOf } from "./format.js";
import { prose } from "./prose.js";

const LINES = 16;
const CHARACTERS = 1400;
const VIA = { command: "typed a command", steering: "told the client", clearing: "cleared", shell: "ran in the shell" };
const MARKS = { ok: "✓", failed: "✗", interrupted: "◦", pending: "…" };
const OUTCOMES = { ok: "done", failed: "failed", interrupted: "interrupted", pending: "no result" };

export function spokenNode(one, place) {
  const draw = { user: said, agent: said, call: called, summary: summarised, compaction: compacted }[one.kind] || happened;
  const node = draw(one);
  node.dataset.place = place;
  return node;
}

function said(one) {
  const isUser = one.kind === "user";
  const who = isUser ? VIA[one.via] || "You" : "Agent";
  return h("li", { class: `spoken ${one.kind}` },
    h("p", { class: "who" }, who, moment(one.at)),
    folded(one.text || "", one.chars || 0, isUser && one.via === "shell" ? "mono" : "", isUser ? asWritten : prose));
}

function called(one) {
  const outcome = one.outcome || "pending";
  const head = [
    h("span", { class: `outcome ${outcome}`, role: "img", "aria-label": OUTCOMES[outcome] || outcome }, MARKS[outcome] || "…"),
    h("span", { class: "tool" }, words(one.tool || "tool")),
    h("bdi", { class: "target mono", dir: "auto" }, firstLine(one.text || "")),
    (one.added > 0 || one.removed > 0) && h("span", { class: "lines" },
      h("span", { class: "added" }, `+${one.added || 0}`), " ", h("span", { class: "removed" }, `−${one.removed || 0}`)),
  ];
  const isLong = (one.text || "").includes("\n") || (one.text || "").length > 90;
  if (!one.output && !isLong) return h("li", { class: "spoken call" }, h("div", { class: "call-line" }, head));
  const box = h("details", { class: "call-box" }, h("summary", { class: "call-line" }, head));
  // What nobody opens is not put into the document.
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(
      isLong ? h("pre", { class: "call-text", dir: "auto", tabindex: "0", "aria-label": "Call" }, one.text) : "",
      one.output ? folded(one.output, one.output_chars || 0, "mono output") : h("p", { class: "note" }, "no output"));
  });
  return h("li", { class: "spoken call" }, box);
}

function summarised(one) {
  return h("li", { class: "spoken summary-of" }, h("details", null,
    h("summary", null, "What the agent was told instead"), folded(one.text || "", one.chars || 0, "")));
}

function compacted(one) {
  return h("li", { class: "spoken event" }, h("span", null, one.chars ? `Compacted from ${one.chars.toLocaleString()} tokens` : "Compacted"), moment(one.at));
}

function happened(one) {
  return h("li", { class: `spoken event ${one.kind}` },
    h("span", null, one.kind === "interrupted" ? `${guest ? "The user" : "You"} stopped the agent` : "The model's service answered with an error"),
    one.text && words(one.text.slice(0, 300)), moment(one.at));
}

function moment(at) {
  return at ? h("time", { datetime: new Date(at).toISOString() }, timeOf(at)) : null;
}

function firstLine(text) {
  return text.slice(0, 300).split("\n")[0];
}

// A text that is longer than a look: its beginning, and a button for the rest.
export function folded(text, chars, kind, draw = asWritten) {
  const lines = text.split("\n");
  const box = h("div", { class: `words-box ${kind}` });
  const all = draw(text);
  const isCut = chars > text.length;
  const rest = isCut ? h("p", { class: "note" }, `the transcript has ${chars.toLocaleString()} characters; ${text.length.toLocaleString()} are shown`) : null;
  if (lines.length <= LINES && text.length <= CHARACTERS) return fill(box, all, rest);
  const start = lines.slice(0, LINES).join("\n").slice(0, CHARACTERS);
  const more = lines.length > LINES ? `Show all ${lines.length.toLocaleString()} lines` : `Show all ${text.length.toLocaleString()} characters`;
  const button = h("button", { class: "unfold", type: "button" }, more);
  button.addEventListener("click", () => {
    fill(box, all, rest);
    all.tabIndex = -1;
    all.focus({ preventScroll: true });
  });
  const beginning = draw(`${start}…`);
  beginning.classList.add("cut-off");
  return fill(box, beginning, button);
}

function asWritten(text) {
  return h("div", { class: "words", dir: "auto" }, text);
}

// Does something when a node is first about to be seen.
export function whenSeen(node, act) {
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    watch.disconnect();
    act();
  });
  watch.observe(node);
}
