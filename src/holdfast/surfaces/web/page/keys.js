// Keys for whoever does not want to point, and the sheet that tells them.

import { h } from "./dom.js";

const KEYS = [
  ["/", "filter by words"],
  ["s", "search all checkpoints"],
  ["j  k", "next, previous checkpoint"],
  ["Enter", "open it beside the timeline"],
  ["c", "compare it with another one"],
  ["g  G", "to the newest, to the oldest"],
  ["n  p", "in a session: next, previous checkpoint"],
  ["Ctrl+K", "go to anything, do anything"],
  ["Esc", "close what is open"],
  ["t", "light or dark"],
  ["?", "this sheet"],
];

export function makeHelp() {
  const close = h("button", { class: "plain", type: "button", "aria-label": "Close" }, "✕");
  const dialog = h("dialog", { class: "help", "aria-label": "Keys" },
    h("header", null, h("h2", null, "Keys"), close),
    h("dl", null, KEYS.map(([keys, what]) => h("div", null, h("dt", null, keys.split("  ").map((key) => h("kbd", null, key))), h("dd", null, what)))));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

export function listenForKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input, textarea, select, [contenteditable]");
    if (event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== "Escape")) return;
    if (event.key === "Enter" && event.target.matches?.("a, button")) return;
    const act = actions[event.key];
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act();
  });
}
