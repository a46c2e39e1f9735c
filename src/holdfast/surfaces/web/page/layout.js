// Where everything is: days down, a line for each row, and which lines lead from one row to
// another. Pure: rows in, numbers out; drawing asks only for what is on the screen.

import { dayName, dayOf } from "./format.js";

export const ROW = 54;
export const DAY = 52;
export const COLUMN = 20;
export const LEFT = 26;
const BELOW = 80;

export function layoutOf(rows, missing, now) {
  const items = [];
  const places = new Map(); // of a row among items, by its place in the history
  let y = 0;
  let day = null;
  let heading = null;
  let columns = 0;
  for (const row of rows) {
    const own = dayOf(row.at);
    if (own !== day) {
      day = own;
      heading = { kind: "day", y, height: DAY, name: dayName(own, now), day: own, many: 0, sessions: new Set() };
      items.push(heading);
      y += DAY;
    }
    heading.many += 1;
    heading.sessions.add(row.session);
    places.set(row.place, items.length);
    items.push({ kind: "row", y, height: ROW, row });
    y += ROW;
    columns = Math.max(columns, row.lane, ...row.parents.map((parent) => parent[1]));
  }
  const loaded = y;
  return {
    items,
    places,
    edges: edgesOf(items, places, loaded),
    height: loaded + missing * ROW + BELOW,
    gutter: LEFT + (Math.min(columns, 11) + 1) * COLUMN + 6,
  };
}

export function xOf(column) {
  return LEFT + column * COLUMN;
}

// Items that touch the window between two heights, found by halving.
export function visible(items, top, bottom) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].y + items[middle].height <= top) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < items.length && items[end].y < bottom) end++;
  return items.slice(low, end);
}

// The heading under which the window begins, once it has left the window itself.
export function dayAt(items, top) {
  let found = null;
  for (const item of items) {
    if (item.y + DAY / 2 > top) break;
    if (item.kind === "day") found = item;
  }
  return found;
}

function edgesOf(items, places, bottom) {
  const edges = [];
  for (const item of items) {
    if (item.kind !== "row") continue;
    item.row.parents.forEach(([place, via, how], index) => {
      const at = places.get(place);
      const parent = at === undefined ? null : items[at];
      edges.push({
        from: item.y + ROW / 2,
        to: parent ? parent.y + ROW / 2 : Math.min(item.y + ROW * 1.1, bottom),
        isOpen: !parent,
        own: item.row.lane,
        via,
        theirs: parent ? parent.row.lane : via,
        how,
        colour: how === "merge" && index > 0 && parent ? parent.row.colour : item.row.colour,
      });
    });
  }
  return edges;
}
