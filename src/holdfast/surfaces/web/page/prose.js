// An agent's words as people read them: headings, lists, emphasis and code of Markdown, each a
// node with a text. What is not understood stays as it was written.

import { h } from "./dom.js";

const FENCE = /^\s*(```|~~~)/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^:?-+:?$/;
const INLINE = /(`[^`\n]+`|\*\*[^*\n]+\*\*)/;

export function prose(text) {
  const box = h("div", { class: "words prose", dir: "auto" });
  let plain = [];
  let code = null;
  function flush() {
    const kept = plain.join("\n").replace(/^\n+|\n+$/g, "");
    if (kept) box.append(h("p", { dir: "auto" }, inline(kept)));
    plain = [];
  }
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) {
      if (code) box.append(block(code));
      else flush();
      code = code ? null : [];
    } else if (code) {
      code.push(line);
    } else if (/^#{1,6} /.test(line)) {
      flush();
      box.append(h("p", { class: "prose-head", dir: "auto" }, inline(line.replace(/^#+ /, ""))));
    } else if (ROW.test(line)) {
      const cells = line.trim().slice(1, -1).split("|").map((cell) => cell.trim());
      if (!cells.every((cell) => RULE.test(cell))) plain.push(cells.join("  ·  "));
    } else {
      plain.push(line.replace(/^(\s*)[-*] /, "$1• "));
    }
  }
  if (code) box.append(block(code));
  flush();
  return box;
}

function block(lines) {
  return h("pre", { class: "prose-code", dir: "ltr", tabindex: "0", "aria-label": "Code" }, lines.join("\n"));
}

function inline(text) {
  return text.split(INLINE).map((part) => {
    if (part.length > 2 && part.startsWith("`")) return h("code", null, h("bdi", null, part.slice(1, -1)));
    return part.length > 4 && part.startsWith("**") ? h("b", null, inline(part.slice(2, -2))) : part;
  });
}
