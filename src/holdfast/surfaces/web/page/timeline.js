// The timeline: a list that is as long as the history, of which only what is on the screen
// is in the document. It knows rows and filters; where a row leads is the router's.

import { guest } from "./api.js";
import { fill, h, keep, s, words } from "./dom.js";
import { counted, timeOf } from "./format.js";
import { colourClass, graphNode, inWindow } from "./graph.js";
import { dayAt, layoutOf, visible } from "./layout.js";
import { isFiltered } from "./rows.js";
import { makeCard } from "./card.js";

const AROUND = 240; // what is drawn above and below the screen

export function makeTimeline({ linkTo, now }) {
  const svg = s("svg", { class: "graph", "aria-hidden": "true" });
  const list = h("ol", { class: "rows", role: "list", "aria-label": "Checkpoints, newest first" });
  const sheet = h("div", { class: "sheet" }, svg, list);
  const dayNow = h("p", { class: "day-now", "aria-hidden": "true" }); // the day that one has scrolled into
  const empty = h("div", { class: "empty", hidden: true });
  const scroller = h("section", { class: "timeline", tabindex: "0", "aria-label": "Timeline" }, dayNow, sheet, empty);
  const card = makeCard();
  const state = { selected: null, newest: null, takenBack: new Set(), fresh: new Set(), projectName: null };
  let layout = layoutOf([], 0, now());
  let query = new URLSearchParams();
  let count = 0;
  let frame = 0;
  let graphNodes = new Map();
  let rowNodes = new Map();

  function show(rows, asked, { here = "", projectName = null, fresh = [] } = {}) {
    const before = { top: scroller.scrollTop, height: layout.height };
    query = asked;
    count = rows.count;
    const found = rows.shown(asked);
    const missing = isFiltered(asked) ? 0 : rows.oldest;
    layout = layoutOf(found, missing, now());
    state.takenBack = rows.takenBack;
    state.projectName = projectName;
    state.newest = here && found.length ? rows.newestOwn : null;
    state.fresh = new Set(fresh);
    sheet.style.height = `${layout.height}px`;
    sheet.style.setProperty("--gutter", `${layout.gutter}px`);
    // Whoever reads further down stays there while new work comes in above.
    if (fresh.length && before.top > 40) scroller.scrollTop = before.top + layout.height - before.height;
    empty.hidden = found.length > 0;
    fill(empty, emptyWords(rows, asked));
    svg.setAttribute("width", layout.gutter);
    svg.setAttribute("height", layout.height);
    redraw();
  }

  function draw() {
    frame = 0;
    const top = scroller.scrollTop - AROUND;
    const bottom = scroller.scrollTop + scroller.clientHeight + AROUND;
    const items = visible(layout.items, top, bottom);
    const day = dayAt(layout.items, scroller.scrollTop);
    dayNow.textContent = day ? day.name : "";
    graphNodes = keep(svg, graphNodes, inWindow(layout, items, top, bottom), (part) => graphNode(part, state));
    rowNodes = keep(list, rowNodes, items, (item) => (item.kind === "day" ? dayNode(item) : rowNode(item)));
  }

  // What is drawn is no longer what is so.
  function forget() {
    fill(svg);
    fill(list);
    graphNodes = new Map();
    rowNodes = new Map();
  }

  function redraw() {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    forget();
    draw();
    if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  function later() {
    if (!frame) frame = requestAnimationFrame(draw);
  }

  function dayNode(item) {
    const node = h("li", { class: "day" },
      h("h2", null, item.name),
      h("span", null, `${counted(item.many, "checkpoint")} · ${counted(item.sessions.size, "session")}`));
    node.style.transform = `translateY(${item.y}px)`;
    return node;
  }

  function rowNode(item) {
    const { row } = item;
    const kinds = ["row"];
    if (state.selected === row.id) kinds.push("selected");
    if (state.takenBack.has(row.id)) kinds.push("taken-back");
    if (state.fresh.has(row.id)) kinds.push("fresh");
    const link = h("a", { class: "row-link", href: linkTo(row), "data-id": row.id, "aria-current": state.selected === row.id ? "true" : null },
      h("span", { class: "row-title" },
        row.name && h("span", { class: "tag name" }, words(row.name)),
        words(row.whole ? row.title || "untitled" : "this record is damaged", { class: "title-words" }),
        !guest && state.newest === row.id && h("span", { class: "tag here" }, "you are here")),
      h("span", { class: "row-facts" },
        h("span", { class: `number ${colourClass(row.colour)}` }, `#${row.number}${row.machine ? "@" : ""}`, row.machine && words(row.machine)),
        h("time", { datetime: new Date(row.at).toISOString() }, timeOf(row.at)),
        h("span", { class: "kind" }, row.made_by),
        state.projectName && words(state.projectName(row.project), { class: "of-project" }),
        row.branch && words(row.branch, { class: "branch mono" }),
        row.files > 0 && h("span", { class: "files" }, counted(row.files, "file")),
        row.errors > 0 && h("span", { class: "bad" }, counted(row.errors, "open error"))));
    const node = h("li", { class: kinds.join(" "), "aria-setsize": count, "aria-posinset": count - row.place }, link);
    node.style.transform = `translateY(${item.y}px)`;
    return node;
  }

  function emptyWords(rows, asked) {
    if (isFiltered(asked)) return [h("h2", null, "Nothing matches"), h("p", null, "Remove a filter, or press Esc in the search field.")];
    if (rows.count > 0) return [h("p", null, "Loading…")];
    return [
      h("h2", null, "No checkpoints yet"),
      h("p", null, "They are made automatically at a /clear, a compaction and the end of a session. Make one now with"),
      h("p", null, h("code", null, "holdfast save")),
    ];
  }

  // Moves the selection by a number of rows; returns the row that is selected then.
  function step(by) {
    const rows = layout.items.filter((item) => item.kind === "row");
    if (!rows.length) return null;
    const at = rows.findIndex((item) => item.row.id === state.selected);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + by));
    select(rows[next].row.id);
    reveal(rows[next]);
    return rows[next].row;
  }

  function select(id) {
    if (state.selected === id) return;
    state.selected = id;
    redraw();
  }

  function reveal(item) {
    const margin = 60;
    if (item.y < scroller.scrollTop + margin) scroller.scrollTop = item.y - margin;
    const low = item.y + item.height + margin - scroller.clientHeight;
    if (low > scroller.scrollTop) scroller.scrollTop = low;
  }

  function revealId(id) {
    const item = layout.items.find((each) => each.kind === "row" && each.row.id === id);
    if (item) reveal(item);
    return Boolean(item);
  }

  function rowAt(target) {
    const link = target.closest?.("a.row-link");
    const item = link && layout.items.find((each) => each.kind === "row" && each.row.id === link.dataset.id);
    return item ? [item.row, link] : null;
  }

  function point(event) {
    const found = rowAt(event.target);
    if (found && matchMedia("(hover: hover)").matches) card.show(found[0], found[1], now());
    else card.hide();
  }

  list.addEventListener("mouseover", point);
  list.addEventListener("mouseleave", card.hide);
  scroller.addEventListener("scroll", () => {
    card.hide();
    later();
  }, { passive: true });
  new ResizeObserver(later).observe(scroller);

  return { node: scroller, card: card.node, hideCard: card.hide, show, step, select, revealId, selected: () => state.selected, top: () => scroller.scrollTo({ top: 0 }), bottom: () => scroller.scrollTo({ top: layout.height }) };
}
