// The code of a checkpoint: which files changed since the one before, each with its patch,
// which is asked for when it is opened.

import { fill, h, words } from "./dom.js";
import { counted } from "./format.js";
import { href } from "./router.js";

const MARKS = { created: "A", edited: "M", deleted: "D", renamed: "R", mode: "m" };
const KINDS = { "+": "plus", "-": "minus", "@": "hunk", "\\": "remark", " ": "same" };

export async function drawCode(node, api, id) {
  const path = `/api/checkpoint/${encodeURIComponent(id)}/code`;
  try {
    const told = await api.get(path);
    if (!told) fill(node, h("p", { class: "note" }, "The code is not in this file; `holdfast serve` shows it."));
    else if (told.reason) fill(node, h("p", { class: "note" }, "Nothing to compare: ", words(told.reason), "."));
    else fill(node, files(told, (place) => api.get(`${path}/${place}`)));
  } catch (problem) {
    fill(node, h("p", { class: "note" }, words(problem.message)));
  }
}

function files(told, patchAt) {
  const since = h("p", { class: "note" }, told.files.length ? `${counted(told.files.length, "file")} changed since ` : "No file changed since ",
    h("a", { class: "link", href: href(`/c/${encodeURIComponent(told.since.id)}`) }, told.since.label));
  return [since, h("ul", { class: "patches" }, told.files.map((file, place) => h("li", null, fileBox(file, () => patchAt(place)))))];
}

export function changeLine(file) {
  return [
    h("span", { class: `change ${file.change}`, title: file.change }, MARKS[file.change] || (file.change || "?")[0].toUpperCase()),
    h("span", { class: "path mono" }, file.old_path && [words(file.old_path), " → "], words(file.path)),
    (file.lines_added > 0 || file.lines_removed > 0) && h("span", { class: "lines" },
      h("span", { class: "added" }, `+${file.lines_added}`), " ", h("span", { class: "removed" }, `−${file.lines_removed}`)),
  ];
}

function fileBox(file, load) {
  const box = h("details", { class: "patch-box" }, h("summary", { class: "file-line" }, changeLine(file)));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.children.length > 1) return;
    const place = h("div", { class: "patch", "aria-busy": "true" }, h("p", { class: "note" }, "Loading…"));
    box.append(place);
    try {
      fill(place, patchNode(await load()));
    } catch (problem) {
      fill(place, h("p", { class: "note" }, words(problem.message)));
    }
    place.removeAttribute("aria-busy");
  });
  return box;
}

function patchNode(told) {
  if (!told || !told.lines.length) return h("p", { class: "note" }, "There are no lines to show: it is not text, or only its mode or name changed.");
  return [
    h("pre", { class: "patch-lines", tabindex: "0", "aria-label": "Change", dir: "ltr" },
      told.lines.map(([sign, text]) => h("span", { class: `line ${KINDS[sign] || "same"}` }, h("span", { class: "sign" }, sign === "@" ? "" : sign), h("bdi", null, sign === "@" ? `@${text}` : text), "\n"))),
    told.more > 0 && h("p", { class: "note" }, `${counted(told.more, "more line")}; \`holdfast diff --patch\` shows all.`),
  ].filter(Boolean);
}
