// What a row tells when it is pointed at: title, where it stood, and its receipt.

import { fill, h, words } from "./dom.js";
import { ageOf, counted, momentOf } from "./format.js";
import { colourClass } from "./graph.js";
import { receiptPicture } from "./receipt.js";

const GAP = 14;

export function makeCard() {
  const node = h("div", { class: "card", role: "tooltip", hidden: true });

  function show(row, beside, now) {
    fill(node,
      h("p", { class: `card-kind ${colourClass(row.colour)}` }, `${row.label} · ${row.made_by}`),
      h("h3", null, words(row.whole ? row.title : "this record is damaged")),
      h("p", { class: "card-when" }, `${momentOf(row.at)} · ${ageOf(row.at, now)}`),
      h("ul", { class: "card-facts" },
        row.branch && h("li", null, "on ", words(row.branch, { class: "mono" }), row.dirty && " with changes"),
        row.files > 0 && h("li", null, `${counted(row.files, "file")} changed`),
        row.errors > 0 && h("li", { class: "bad" }, `${counted(row.errors, "open error")}`),
        row.agent && h("li", null, words(row.agent)),
        row.machine && h("li", null, "from ", words(row.machine)),
        row.author && h("li", null, "told by ", words(row.author))),
      receiptPicture(row.receipt, { small: true }));
    node.hidden = false;
    place(beside);
  }

  function place(beside) {
    const line = beside.getBoundingClientRect();
    const own = node.getBoundingClientRect();
    const low = line.bottom + GAP + own.height < innerHeight;
    const top = low ? line.bottom + 4 : Math.max(GAP, line.top - own.height - 4);
    node.style.top = `${top}px`;
    node.style.left = `${Math.max(GAP, Math.min(line.left + 96, innerWidth - own.width - GAP))}px`;
  }

  function hide() {
    node.hidden = true;
  }

  return { node, show, hide };
}
