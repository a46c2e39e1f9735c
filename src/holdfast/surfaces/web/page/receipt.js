// A receipt as a picture: of each kind, how much of what was there is carried.

import { h, s } from "./dom.js";

const NAMES = {
  instructions: "rules", files_edited: "files edited", files_read: "files read", commands: "commands",
  errors: "errors", todos: "open tasks", decisions: "decisions", requests: "requests",
};

export function receiptPicture(receipt, { small = false } = {}) {
  const kinds = Object.entries(receipt || {}).filter(([, [, present]]) => present > 0);
  if (!kinds.length) return null;
  const shown = small ? kinds.slice(0, 6) : kinds;
  return h("dl", { class: `receipt${small ? " small" : ""}` }, shown.map(([kind, [carried, present]]) => {
    const name = NAMES[kind] || kind.replaceAll("_", " ");
    return h("div", { class: carried < present ? "cut" : "all" },
      h("dt", null, name),
      h("dd", null, bar(carried, present), h("span", { class: "of" }, carried === present ? String(present) : `${carried} of ${present}`)));
  }));
}

function bar(carried, present) {
  const share = Math.max(0, Math.min(1, carried / present));
  return s("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "there", width: 100, height: 6, rx: 3 }),
    s("rect", { class: "carried", width: (100 * share).toFixed(1), height: 6, rx: 3 }));
}
