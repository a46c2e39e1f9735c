// One checkpoint: what it is about, the brief that a session gets, what is known with where
// that was said, files and commands, what was said around it, and its kin.

import { guest, may } from "../api.js";
import { copyButton, fill, h, words } from "../dom.js";
import { ageOf, counted, momentOf, spoken as lasting } from "../format.js";
import { changeLine, drawCode } from "../code.js";
import { spokenNode, whenSeen } from "../conversation.js";
import { colourClass } from "../graph.js";
import { receiptPicture } from "../receipt.js";

const KINDS = [
  ["goal", "Goal"], ["pending", "Open"], ["next_steps", "Next"], ["manual_steps", "By hand"], ["blockers", "Blocked by"],
  ["errors", "Errors"], ["dead_ends", "Dead ends"], ["instructions", "Rules"], ["decisions", "Decisions"],
  ["discoveries", "Found out"], ["key_outcomes", "Done"], ["open_questions", "Questions"], ["in_flight", "Under way"],
  ["requests", "Asked"], ["notes", "Notes"],
];
const FEW = 8;
const SOURCES = { user: guest ? "The user said it" : "You said it", agent: "The agent said it", tool: "A tool printed it", engine: "Seen in what was done" };
const HOW = { "goes on": "continues", clear: "after a clear", fork: "as a fork", rewind: "after a rewind", resume: "resumed", merge: "merged" };

export const page = { name: "checkpoint", route: "/c/:ref", load, draw };

async function load(api, { ref }) {
  return api.get(`/api/checkpoint/${encodeURIComponent(ref)}`);
}

function draw(root, data, { api, isFile, say, now, here, href, actions }) {
  const own = data.checkpoint;
  // A number is its project's: elsewhere the id finds it.
  const called = own.project.id === here() ? data.reference : own.id;
  const code = h("div", { class: "code-since" });
  const around = h("div", { class: "around" });
  // They are for the machine where it was kept.
  const commandsToCopy = guest ? [] : [`holdfast resume ${called}`, `holdfast open ${called}`, `holdfast restore ${called} --preview`];
  root.append(
    h("header", { class: "page-head" },
      h("p", { class: "eyebrow" }, own.label, own.machine && "@", own.machine && words(own.machine), " · ", own.type, own.name && " · ", own.name && words(own.name)),
      h("h1", null, words(own.content.title || "untitled")),
      h("p", { class: "when" }, h("time", { datetime: own.created_at }, momentOf(own.created_at_unix)), ` · ${ageOf(own.created_at_unix, now())}`),
      chips(own),
      own.machine && h("p", { class: "honest" }, "Made on ", words(own.machine), ": its code and conversation are on that machine, its text is here."),
      own.author && h("p", { class: "honest" }, "Saved over HTTP by ", words(own.author), ": its code and conversation are not here."),
      h("div", { class: "actions" }, commandsToCopy.map((text) => copyButton(text, say)),
        may("write") && !own.machine && h("button", { class: "quiet", type: "button", onclick: () => actions.name(own) }, own.name ? "Rename…" : "Name…"),
        may("admin") && h("button", { class: "quiet risky", type: "button", onclick: () => actions.forget(own) }, "Forget…"))),
    lineage(data.lineage, own, href),
    own.content.summary ? h("p", { class: "summary" }, words(own.content.summary)) : "",
    section("Brief", briefOf(data), `what the next session is told · ${counted(data.tokens, "token")}`),
    ...KINDS.map(([kind, name]) => section(name, items(own.content[kind], href), null, `kind-${kind}`)),
    section("Files", [...files(own.content.files_referenced || []), h("h3", { class: "minor" }, "Code"), code], null, "files"),
    section("Commands", commands(own.content.commands || [])),
    section("Conversation", around, "the last messages before it"));
  fill(code, h("p", { class: "note" }, "Looking at the code…"));
  whenSeen(code, () => drawCode(code, api, own.id));
  fill(around, h("p", { class: "note" }, "Reading the transcript…"));
  whenSeen(around, () => drawAround(around, api, own, href));
  const named = [["Copy", commandsToCopy]].flatMap(([verb, texts]) => texts.map((text) => ({ name: `${verb} ${text}`, run: () => copyText(text, say) })));
  if (may("write") && !own.machine) named.push({ name: `Name ${own.label}`, run: () => actions.name(own) });
  if (may("admin")) named.push({ name: `Forget ${own.label}`, run: () => actions.forget(own) });
  return { actions: named };
}

async function copyText(text, say) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say(text);
  }
}

async function drawAround(node, api, own, href) {
  const path = `/api/checkpoint/${encodeURIComponent(own.id)}/around`;
  const told = await api.get(path).catch((problem) => ({ reason: problem.message, spoken: [] }));
  if (!told) {
    fill(node, h("p", { class: "honest" }, "What was said is not in this file; `holdfast serve` shows it."));
    return;
  }
  fill(node,
    told.reason ? h("p", { class: "honest" }, words(told.reason)) : h("ol", { class: "talk" }, told.spoken.map((one, i) => spokenNode(one, told.start + i))),
    h("p", null, h("a", { class: "link", href: href(`/s/${encodeURIComponent(own.session_id)}`, new URLSearchParams({ at: own.id })) }, "The whole session")));
}

function chips(own) {
  const state = own.session_state;
  return h("ul", { class: "chips" },
    own.code.branch && h("li", { class: "mono" }, words(own.code.branch), own.code.dirty && " ✱"),
    h("li", null, words(own.agent.name), guest && own.hostname && [" on ", words(own.hostname)]),
    state.message_count > 0 && h("li", null, counted(state.message_count, "message")),
    state.duration_seconds > 0 && h("li", null, lasting(state.duration_seconds)),
    state.context_percent !== null && h("li", null, `${Math.round(state.context_percent)} % of context`));
}

function lineage(kin, own, href) {
  const groups = [["From", kin?.parents], ["Then", kin?.children], ["Beside", kin?.siblings]].filter(([, each]) => each && each.length);
  const session = h("li", null, h("span", { class: "kin-how" }, "Session"), h("a", { class: "link mono", href: href(`/s/${encodeURIComponent(own.session_id)}`, new URLSearchParams({ at: own.id })) }, own.session_id.slice(0, 8)));
  return h("nav", { class: "kin-box", "aria-label": "What came before and after" }, h("ul", { class: "kin" },
    groups.map(([name, each]) => each.map((one, i) => h("li", null, h("span", { class: "kin-how" }, i ? "" : name),
      h("a", { class: `kin-link ${colourClass(one.colour)}`, href: href(`/c/${encodeURIComponent(one.id)}`) },
        h("b", null, `${one.label.replace(/^CHECKPOINT-0*/, "#")}${one.machine ? `@${one.machine}` : ""}`), words(one.title || "untitled"), h("span", { class: "note" }, HOW[one.how] || one.how))))), session));
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
function items(found, href) {
  if (!found || !found.length) return null;
  const rest = found.length - FEW;
  return [itemList(found.slice(0, FEW), href), rest > 0 && h("details", { class: "more" }, h("summary", null, `${rest} more`), itemList(found.slice(FEW), href))].filter(Boolean);
}

function itemList(found, href) {
  return h("ul", { class: "items" }, found.map((item) => h("li", { class: `from-${item.source}` },
    h("details", null, h("summary", null, words(item.text)), evidence(item, href)))));
}

function evidence(item, href) {
  return h("div", { class: "evidence" },
    item.excerpt && item.excerpt !== item.text && h("blockquote", { dir: "auto" }, item.excerpt),
    item.doubt && h("p", { class: "bad" }, "In doubt: ", words(item.doubt)),
    h("p", { class: "note" }, SOURCES[item.source] || words(item.source || "unknown"),
      item.evidence && item.evidence.length > 0 && [" · line ", item.evidence.slice(0, 3).map((line, i) => [i ? ", " : "", h("code", null, words(String(line).slice(0, 8)))])],
      item.origin && [" · inherited from ", h("a", { class: "link", href: href(`/c/${encodeURIComponent(item.origin)}`) }, "an earlier checkpoint")]));
}

// What was changed first; what was only read waits.
function files(found) {
  const changed = found.filter((file) => file.change !== "read");
  const read = found.filter((file) => file.change === "read");
  const list = (each) => h("ul", { class: "file-list" }, each.map((file) => h("li", null, changeLine(file))));
  return [changed.length && list(changed), read.length && h("details", { class: "more" }, h("summary", null, `${counted(read.length, "file")} read`), list(read))].filter(Boolean);
}

function commands(found) {
  if (!found.length) return null;
  return h("ul", { class: "command-list" }, found.map((ran) => h("li", { class: ran.exit ? "failed" : "" },
    h("code", { dir: "ltr" }, ran.command), ran.exit ? h("span", { class: "bad" }, ` exit ${ran.exit}`) : "", ran.output && h("p", { dir: "auto" }, ran.output))));
}
