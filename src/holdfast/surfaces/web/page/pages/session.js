// A session: how it went, and what was said, with its checkpoints in the margin. However long
// it is, only what is near the screen is in the document.

import { copyButton, fill, h, words } from "../dom.js";
import { ageOf, counted, momentOf, spoken as lasting } from "../format.js";
import { spokenNode } from "../conversation.js";
import { here as address } from "../router.js";

const NEAR = "900px 0px";
const GUESS = 56; // pixels of one thing that was said, until it is known

export const page = { name: "session", route: "/s/:session", load, draw, isWide: true };

async function load(api, { session }) {
  const data = await api.get(`/api/session/${encodeURIComponent(session)}`);
  return data && { ...data, ask: (start) => api.get(`/api/session/${encodeURIComponent(data.session)}/spoken?start=${start}`) };
}

function draw(root, data, { say, now, href }) {
  const talk = makeTalk(data, href);
  const jump = h("ol", { class: "jump" }, data.checkpoints.map((each) => h("li", null,
    h("button", { type: "button", onclick: () => talk.go(each) }, h("b", null, `#${each.number}`), " ", words(each.title || "untitled")))));
  root.append(
    h("header", { class: "page-head" },
      h("p", { class: "eyebrow" }, "Session ", h("span", { class: "mono" }, data.session.slice(0, 8)), " · ", words(data.agent), data.machine && " · from ", data.machine && words(data.machine)),
      h("h1", null, words(data.title)),
      data.vitals.began_at > 0 && h("p", { class: "when" }, momentOf(data.vitals.began_at), ` · ${ageOf(data.vitals.last_at || data.vitals.began_at, now())}`),
      vitals(data.vitals),
      h("div", { class: "actions" }, copyButton(`holdfast session ${data.session.slice(0, 8)}`, say))),
    family(data.family, href),
    data.checkpoints.length ? h("nav", { class: "part", "aria-label": "Checkpoints of this session" }, h("h2", null, counted(data.checkpoints.length, "checkpoint"), h("span", { class: "note" }, "n and p go from one to the next")), jump) : "",
    h("section", { class: "part", "aria-label": "Conversation" },
      h("h2", null, "Conversation", data.count > 0 && h("span", { class: "note" }, `${data.count.toLocaleString()} entries`)),
      data.reason ? h("p", { class: "honest" }, words(data.reason)) : talk.node));
  const asked = data.checkpoints.find((each) => each.id === address().query.get("at"));
  if (asked && data.count) requestAnimationFrame(() => talk.go(asked));
  return { keys: { n: () => talk.step(1), p: () => talk.step(-1) }, leave: talk.leave };
}

function vitals(told) {
  const seconds = Math.round((told.last_at - told.began_at) / 1000);
  const tokens = told.tokens;
  return h("dl", { class: "vitals" },
    vital("Outcome", told.outcome, told.outcome === "crashed" ? "bad" : ""),
    seconds > 0 && vital("Time", lasting(seconds)),
    told.prompts !== null && vital("Prompts", told.prompts.toLocaleString()),
    told.calls !== null && vital("Calls", told.calls.toLocaleString(), "", told.failed ? `${told.failed.toLocaleString()} failed` : ""),
    told.files !== null && vital("Files", told.files.toLocaleString()),
    vital("Open errors", told.open_errors.toLocaleString(), told.open_errors ? "bad" : ""),
    tokens && vital("Tokens", short(tokens.read + tokens.written), "", tokens.cost ? `$${tokens.cost.toFixed(2)}` : `${short(tokens.written)} written`));
}

function vital(name, value, kind, note) {
  return h("div", { class: kind || null }, h("dt", null, name), h("dd", null, value, note && h("small", null, ` ${note}`)));
}

function short(many) {
  return new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 }).format(many);
}

function family(kin, href) {
  const groups = [["Came from", kin.parent], ["Went on in", kin.children], ["Beside it", kin.siblings]].filter(([, each]) => each.length);
  return groups.length ? h("ul", { class: "kin" }, groups.map(([name, each]) => h("li", null, h("span", { class: "kin-how" }, name),
    each.slice(0, 12).map((one) => h("a", { class: "link mono", href: href(`/s/${encodeURIComponent(one.session)}`) }, one.session.slice(0, 8)))))) : "";
}

function makeTalk(data, href) {
  const chunks = Array.from({ length: Math.ceil(data.count / data.chunk) }, (_, i) => ({ i, told: null, isDrawn: false, node: h("ol", { class: "chunk", "data-chunk": i }) }));
  const node = h("div", { class: "talk" }, chunks.map((each) => each.node));
  const scroller = document.querySelector(".panel");
  const byNode = new Map(chunks.map((each) => [each.node, each]));
  let current = -1;
  let held = null; // the checkpoint that was asked for stays in sight while others come in
  for (const each of chunks) each.node.style.minHeight = `${GUESS * Math.min(data.chunk, data.count - each.i * data.chunk)}px`;
  const watch = new IntersectionObserver((seen) => {
    for (const each of seen) (each.isIntersecting ? show : hide)(byNode.get(each.target));
  }, { root: scroller, rootMargin: NEAR });
  for (const each of chunks) watch.observe(each.node);

  async function show(chunk) {
    chunk.isWanted = true;
    if (chunk.isDrawn) return;
    chunk.asked ??= data.ask(chunk.i * data.chunk);
    try {
      chunk.told = (await chunk.asked).spoken;
    } catch (problem) {
      chunk.asked = null;
      fill(chunk.node, h("li", { class: "spoken event" }, problem.message));
      return;
    }
    if (chunk.isDrawn || !chunk.isWanted) return;
    chunk.isDrawn = true;
    const first = chunk.i * data.chunk;
    const isLast = chunk.i === chunks.length - 1;
    fill(chunk.node, chunk.told.map((one, i) => [marks(first + i), spokenNode(one, first + i)]), isLast ? marks(data.count) : null);
    chunk.node.style.minHeight = "";
    hold();
  }

  // What was drawn above is taller or shorter than it was guessed: whoever asked for a
  // checkpoint is brought back to it, or to where it will be.
  function hold() {
    if (!held) return;
    const mark = markOf(held);
    if (mark) mark.scrollIntoView({ block: "center" });
    else chunkOf(held).node.scrollIntoView({ block: "start" });
  }

  // What is far away leaves the document, and its height stays.
  function hide(chunk) {
    chunk.isWanted = false;
    if (!chunk.isDrawn || chunk.node.contains(document.activeElement)) return;
    chunk.node.style.minHeight = `${chunk.node.offsetHeight}px`;
    chunk.isDrawn = false;
    fill(chunk.node);
  }

  function marks(place) {
    return data.checkpoints.filter((each) => each.place === place).map((each) => h("li", { class: "spoken mark-of", "data-of": each.id },
      h("a", { href: href(`/c/${encodeURIComponent(each.id)}`) }, h("b", null, each.label), h("span", { class: "note" }, each.made_by), words(each.title || "untitled"))));
  }

  const chunkOf = (checkpoint) => chunks[Math.min(chunks.length - 1, Math.floor(checkpoint.place / data.chunk))];
  const markOf = (checkpoint) => node.querySelector(`[data-of="${CSS.escape(checkpoint.id)}"]`);

  async function go(checkpoint) {
    if (!chunks.length) return;
    current = data.checkpoints.indexOf(checkpoint);
    held = checkpoint;
    const at = chunkOf(checkpoint);
    at.node.scrollIntoView({ block: "start" });
    await show(at);
    const mark = markOf(checkpoint);
    mark?.scrollIntoView({ block: "center" });
    mark?.querySelector("a").focus({ preventScroll: true });
  }

  function step(by) {
    const next = Math.max(0, Math.min(data.checkpoints.length - 1, current + by));
    if (data.checkpoints[next]) go(data.checkpoints[next]);
  }

  const letGo = () => (held = null);
  for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) scroller.addEventListener(name, letGo, { passive: true });
  function leave() {
    watch.disconnect();
    for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) scroller.removeEventListener(name, letGo);
  }

  return { node, go, step, leave };
}
