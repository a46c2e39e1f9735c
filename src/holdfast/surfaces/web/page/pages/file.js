// A file as it is now: which prompt made each line, in the colour of that prompt. Only the
// lines on the screen are in the document.

import { copyButton, fill, h, keep, words } from "../dom.js";
import { ageOf, counted, momentOf } from "../format.js";
import { colourClass } from "../graph.js";

const LINE = 22;
const AROUND = 20; // lines above and below the screen
const FEW = 6;
const LONG = 140; // characters of a prompt in the legend

export const page = { name: "file", route: "/file/*path", load, draw };

async function load(api, { path }) {
  return api.get(`/api/file/${path.split("/").map(encodeURIComponent).join("/")}`);
}

function draw(root, data, context) {
  const lines = linesOf(data);
  const makers = data.makers.map((maker, at) => ({ ...maker, at, kind: kindOf(maker, at) }));
  const code = codeOf(lines, makers, data, context);
  root.append(
    h("header", { class: "page-head" },
      h("p", { class: "eyebrow" }, "File"),
      h("h1", { class: "mono" }, words(data.path)),
      h("p", { class: "when" }, sentence(lines, makers)),
      h("div", { class: "actions" }, copyButton(`holdfast blame ${quoted(data.path)}`, context.say))),
    notes(data),
    lines.length ? legend(makers, code, context) : h("p", { class: "when" }, "It is empty."),
    lines.length ? code.node : "");
  const wanted = Number(context.asked().get("line"));
  if (wanted >= 1 && wanted <= lines.length) code.go(wanted - 1);
}

function linesOf({ runs, texts }) {
  const lines = [];
  for (const [many, maker, commit] of runs) {
    for (let i = 0; i < many; i++) lines.push({ at: lines.length, maker, commit, isFirst: i === 0, text: texts[lines.length] });
  }
  return lines;
}

function kindOf(maker, at) {
  return maker.by === "agent" ? colourClass(at) : `by-${maker.by}`;
}

function nameOf(maker) {
  if (maker.by === "user") return "you";
  if (maker.by === "unknown") return "unknown";
  return maker.number === null ? "not saved yet" : `#${maker.number}`;
}

function sentence(lines, makers) {
  const of = (by) => makers.filter((maker) => maker.by === by).reduce((sum, maker) => sum + maker.lines, 0);
  const asked = makers.filter((maker) => maker.by === "agent").length;
  return [counted(lines.length, "line"), asked && `${of("agent").toLocaleString()} by ${counted(asked, "prompt")}`,
    of("user") && `${of("user").toLocaleString()} by you`, of("unknown") && `${of("unknown").toLocaleString()} unknown`].filter(Boolean).join(" · ");
}

function notes(data) {
  const told = [
    data.left_out > 0 && `${counted(data.left_out, "line")} more are not shown.`,
    data.unreadable > 0 && `${counted(data.unreadable, "snapshot")} cannot be read, so some lines may be unknown.`,
  ].filter(Boolean);
  return told.length ? h("p", { class: "file-notes" }, told.join(" ")) : "";
}

// Whose lines there are, the most first; pressed, only those stay in colour.
function legend(makers, code, { now }) {
  const most = [...makers].sort((a, b) => b.lines - a.lines);
  const buttons = new Map();
  const entry = (maker) => {
    const button = h("button", { class: `maker ${maker.kind}`, type: "button", "aria-pressed": "false", title: maker.prompt || maker.why },
      h("i", { class: "swatch", "aria-hidden": "true" }),
      h("span", { class: "maker-words" }, wordsOf(maker)),
      h("span", { class: "maker-about" }, maker.by === "agent" && `${nameOf(maker)} · `, maker.at_ms && `${ageOf(maker.at_ms, now())} · `, counted(maker.lines, "line")));
    button.addEventListener("click", () => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      for (const each of buttons.values()) each.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(isOn));
      code.only(isOn ? maker.at : null);
    });
    buttons.set(maker.at, button);
    return h("li", null, button);
  };
  return h("section", { class: "part legend", "aria-label": "Who made the lines" },
    h("ul", null, most.slice(0, FEW).map(entry)),
    most.length > FEW && h("details", { class: "more" }, h("summary", null, `${most.length - FEW} more`), h("ul", null, most.slice(FEW).map(entry))));
}

function wordsOf(maker) {
  if (maker.by === "user") return "you: no agent was running when they changed";
  if (maker.by === "unknown") return `unknown: ${maker.why || "the reason is not known"}`;
  return words(short(maker.prompt || "without words"));
}

function short(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONG ? `${line.slice(0, LONG)}…` : line;
}

function codeOf(lines, makers, data, { href, router, now }) {
  const list = h("ol", { class: "code-lines", role: "list" });
  const node = h("div", { class: "code", tabindex: "0", role: "region", "aria-label": `Lines of ${data.path}` }, list);
  const card = h("div", { class: "card", role: "tooltip", hidden: true });
  const box = h("div", { class: "code-box" }, node, card);
  const widest = data.texts.reduce((most, text) => Math.max(most, text.length), 0);
  let nodes = new Map();
  let frame = 0;
  let marked = -1; // the line that the address names
  let chosen = null; // the maker whose lines stay in colour
  list.style.height = `${lines.length * LINE}px`;
  list.style.minWidth = `calc(${Math.min(widest, 400)}ch + 190px)`;
  box.style.setProperty("--digits", String(String(lines.length).length));

  function redraw() {
    frame = 0;
    const first = Math.max(0, Math.floor(node.scrollTop / LINE) - AROUND);
    const last = Math.min(lines.length, Math.ceil((node.scrollTop + (node.clientHeight || 700)) / LINE) + AROUND);
    nodes = keep(list, nodes, lines.slice(first, last), lineNode);
  }

  // Draws all of it anew, from a line on.
  function show(line) {
    fill(list);
    nodes = new Map();
    node.scrollTop = Math.max(0, line * LINE);
    redraw();
  }

  function lineNode(line) {
    const maker = makers[line.maker];
    const to = maker.checkpoint && href(`/c/${encodeURIComponent(maker.checkpoint)}`);
    const label = line.isFirst ? h("span", { class: "gutter-words" }, nameOf(maker), maker.at_ms && h("span", { class: "age" }, ` ${age(maker.at_ms)}`)) : "";
    const row = h("li", { class: `line ${maker.kind}${line.isFirst ? " first" : ""}${line.at === marked ? " marked" : ""}${chosen !== null && chosen !== line.maker ? " faint" : ""}` },
      to ? h("a", { class: "gutter", href: to, tabindex: line.isFirst ? null : "-1", "aria-label": line.isFirst ? null : nameOf(maker) }, label) : h("span", { class: "gutter" }, label),
      h("span", { class: "line-number", "aria-hidden": "true" }, line.at + 1),
      h("code", { dir: "auto" }, line.text || " "));
    row.style.top = `${line.at * LINE}px`;
    row.addEventListener("mouseenter", () => tell(maker, line, row));
    row.addEventListener("click", () => to && getSelection().isCollapsed && router.go(to.replace(/^#/, "")));
    return row;
  }

  function age(at) {
    return ageOf(at, now()).replace(" ago", "").replace("just now", "now").replace(/ days?$/, " d").replace(/ months?$/, " mo").replace(/ years?$/, " y");
  }

  function tell(maker, line, row) {
    fill(card,
      h("p", { class: `card-kind ${maker.kind}` }, maker.by === "agent" ? `${maker.label || "not in a checkpoint yet"}` : nameOf(maker)),
      maker.by === "agent" ? h("h3", null, words(maker.prompt || "without words")) : h("p", null, wordsOf(maker)),
      maker.title && h("p", { class: "card-when" }, words(maker.title)),
      maker.at_ms && h("p", { class: "card-when" }, `${momentOf(maker.at_ms)} · ${ageOf(maker.at_ms, now())}`),
      h("p", { class: "card-when" }, line.commit ? `commit ${line.commit.slice(0, 9)}` : "not committed"));
    card.hidden = false;
    const place = row.getBoundingClientRect();
    const own = card.getBoundingClientRect();
    const isLow = place.bottom + own.height + 14 < innerHeight;
    card.style.top = `${isLow ? place.bottom + 4 : Math.max(14, place.top - own.height - 4)}px`;
    card.style.left = `${Math.max(14, Math.min(node.getBoundingClientRect().left + 150, innerWidth - own.width - 14))}px`;
  }

  node.addEventListener("scroll", () => {
    card.hidden = true;
    frame = frame || requestAnimationFrame(redraw);
  });
  node.addEventListener("mouseleave", () => { card.hidden = true; });
  // Arrows scroll here; elsewhere they walk over checkpoints.
  node.addEventListener("keydown", (event) => /^(Arrow|Page)/.test(event.key) && event.stopPropagation());
  new ResizeObserver(redraw).observe(node);
  redraw();

  return {
    node: box,
    go(at) {
      marked = at;
      requestAnimationFrame(() => show(at - 6));
    },
    only(maker) {
      chosen = maker;
      show(maker === null ? node.scrollTop / LINE : lines.findIndex((line) => line.maker === maker) - 3);
    },
  };
}

function quoted(path) {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
