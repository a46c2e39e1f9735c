// Everything by its name: actions, pages, projects and checkpoints, at Ctrl+K or ⌘K. The
// dialog keeps the focus while it is open, and gives it back.

import { fill, h, words } from "./dom.js";

const MOST = 40;

export function makePalette({ sources }) {
  const field = h("input", {
    class: "palette-field", type: "text", role: "combobox", "aria-label": "Go to or do", "aria-expanded": "true", "aria-controls": "palette-list", "aria-autocomplete": "list", placeholder: "Go to a checkpoint, a project, an action…", autocomplete: "off", spellcheck: "false",
  });
  const list = h("ul", { id: "palette-list", class: "palette-list", role: "listbox", "aria-label": "What matches" });
  const none = h("p", { class: "palette-none", role: "status", hidden: true }, "Nothing has that name");
  const dialog = h("dialog", { class: "palette", "aria-label": "Command palette" }, field, list, none);
  let found = [];
  let at = 0;

  function open() {
    if (document.querySelector("dialog[open]")) return;
    field.value = "";
    dialog.showModal();
    search();
  }

  function search() {
    const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = [];
    for (const one of sources()) {
      if (found.length >= MOST) break;
      if (asked.every((word) => one.text.includes(word))) found.push(one);
    }
    at = 0;
    none.hidden = found.length > 0;
    list.hidden = found.length === 0;
    fill(list, found.map((one, i) => {
      const isFirst = i === 0 || found[i - 1].group !== one.group;
      const option = h("li", { id: `palette-${i}`, class: "palette-option", role: "option", "aria-selected": "false" },
        h("span", { class: "palette-group", "aria-hidden": isFirst ? null : "true" }, isFirst ? one.group : ""),
        words(one.name, { class: "palette-name" }), one.note && words(one.note, { class: "palette-note" }));
      option.addEventListener("click", () => choose(i));
      return option;
    }));
    point(0);
  }

  function point(next) {
    list.children[at]?.setAttribute("aria-selected", "false");
    at = found.length ? (next + found.length) % found.length : 0;
    const option = list.children[at];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  }

  function choose(i) {
    const one = found[i];
    dialog.close();
    one?.run();
  }

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    const act = { ArrowDown: () => point(at + 1), ArrowUp: () => point(at - 1), Home: () => point(0), End: () => point(found.length - 1), Enter: () => choose(at) }[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  return { node: dialog, open };
}

export function option(group, name, run, note = "") {
  return { group, name, note, run, text: `${group} ${name} ${note}`.toLowerCase() };
}
