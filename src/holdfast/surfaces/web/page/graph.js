// The graph of what is on the screen, as SVG: lines between rows, and a dot for each.

import { s } from "./dom.js";
import { ROW, xOf } from "./layout.js";

const COLOURS = 8;
const BEND = 22;
const SMALLEST = 4.5;
const LARGEST = 10.5;

export function colourClass(colour) {
  return `lane-${colour % COLOURS}`;
}

// What of the graph touches the window: lines first, so that dots lie above them.
export function inWindow(layout, shown, top, bottom) {
  const edges = layout.edges.filter((edge) => edge.from < bottom && edge.to > top);
  return [...edges, ...shown.filter((item) => item.kind === "row")];
}

export function graphNode(part, state) {
  return part.kind === "row" ? dotNode(part, state) : edgeNode(part);
}

function edgeNode(edge) {
  const group = s("g", { class: `edge ${colourClass(edge.colour)} how-${edge.how.replace(" ", "-")}${edge.isOpen ? " open" : ""}` });
  const own = xOf(edge.own);
  const via = xOf(edge.via);
  const theirs = xOf(edge.theirs);
  if (edge.how === "clear" && !edge.isOpen && own === theirs && via === own) {
    // A gap, and an arrow to where it goes on.
    const gap = edge.to - 24;
    group.append(
      s("path", { d: `M${own} ${edge.from}V${gap - 10}` }),
      s("path", { class: "arrow", d: `M${own - 4.5} ${gap - 4}l4.5 -6l4.5 6` }),
      s("path", { class: "after-gap", d: `M${own} ${gap + 8}V${edge.to}` }),
    );
    return group;
  }
  group.append(s("path", { d: pathOf(edge, own, via, theirs) }));
  return group;
}

function pathOf(edge, own, via, theirs) {
  const bend = Math.min(BEND, (edge.to - edge.from) / 2);
  let path = `M${own} ${edge.from}`;
  if (via !== own) path += `C${own} ${edge.from + bend} ${via} ${edge.from + 4} ${via} ${edge.from + bend + 6}`;
  if (theirs === via) return `${path}V${edge.to}`;
  return `${path}V${edge.to - bend - 6}C${via} ${edge.to - 4} ${theirs} ${edge.to - bend} ${theirs} ${edge.to}`;
}

function radius(row) {
  const grown = Math.sqrt(Math.max(0, row.work)) * 0.62;
  return Math.min(LARGEST, SMALLEST + grown * 0.55);
}

function dotNode(item, state) {
  const { row } = item;
  const x = xOf(row.lane);
  const y = item.y + ROW / 2;
  const size = radius(row);
  const kinds = ["dot", colourClass(row.colour), `type-${row.type}`];
  if (state.takenBack.has(row.id)) kinds.push("taken-back");
  if (!row.whole) kinds.push("damaged");
  if (state.selected === row.id) kinds.push("selected");
  const group = s("g", { class: kinds.join(" ") });
  if (state.newest === row.id) group.append(s("circle", { class: "here", cx: x, cy: y, r: size + 6 }));
  if (row.errors) group.append(s("circle", { class: "errors", cx: x, cy: y, r: size + 3.5 }));
  group.append(s("circle", { class: "body", cx: x, cy: y, r: size }));
  group.append(...signs(row, x, y, size));
  return group;
}

function signs(row, x, y, size) {
  if (row.trigger === "merge" || row.parents.length > 1) return [s("circle", { class: "inner", cx: x, cy: y, r: size / 2.4 })];
  if (row.trigger === "compact") {
    // A notch: what was before is folded in.
    const low = y + size + (row.errors ? 11 : 7);
    return [s("path", { class: "notch", d: `M${x - 7} ${low - 3}l5 3l-5 3M${x + 7} ${low - 3}l-5 3l5 3` })];
  }
  if (row.trigger === "rescue") {
    const a = size * 0.55;
    return [s("path", { class: "crash", d: `M${x - a} ${y - a}L${x + a} ${y + a}M${x + a} ${y - a}L${x - a} ${y + a}` })];
  }
  return [];
}
