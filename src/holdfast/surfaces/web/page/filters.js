// The bar above the timeline: which project, a field for words, and what can be chosen.

import { fill, h } from "./dom.js";
import { counted } from "./format.js";
import { FILTERS } from "./rows.js";

const NAMES = { agent: "Agent", branch: "Branch", type: "Type" };

export function makeFilters({ changed }) {
  const field = h("input", {
    class: "field", type: "search", placeholder: "Filter by words", "aria-label": "Filter checkpoints by words", autocomplete: "off", spellcheck: "false",
  });
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, h("select", { class: "choice", "aria-label": NAMES[name] })]));
  const count = h("span", { class: "count", role: "status", "aria-live": "polite" });
  const node = h("div", { class: "filters", role: "search" },
    h("label", { class: "field-box" }, h("kbd", { "aria-hidden": "true" }, "/"), field),
    ...FILTERS.map((name) => chosen[name]), count);
  let query = new URLSearchParams();

  function set(name, value) {
    const next = new URLSearchParams(query);
    if (value) next.set(name, value);
    else next.delete(name);
    changed(next);
  }

  field.addEventListener("input", () => set("q", field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (field.value) {
      field.value = "";
      set("q", "");
    } else {
      field.blur();
    }
  });
  for (const name of FILTERS) chosen[name].addEventListener("change", () => set(name, chosen[name].value));

  function show(rows, asked) {
    query = asked;
    if (document.activeElement !== field) field.value = asked.get("q") || "";
    for (const name of FILTERS) {
      const now = asked.get(name) || "";
      const choices = rows.choices(name).map(([value]) => value);
      if (now && !choices.includes(now)) choices.unshift(now);
      const select = chosen[name];
      select.hidden = choices.length < 2 && !now;
      select.classList.toggle("on", Boolean(now));
      fill(select,
        h("option", { value: "" }, name === "branch" ? "Any branch" : `Any ${name}`),
        choices.slice(0, 100).map((value) => h("option", { value, selected: value === now }, value)));
      select.value = now;
    }
    const found = rows.shown(asked).length;
    count.textContent = found === rows.count ? counted(rows.count, "checkpoint") : `${found.toLocaleString()} of ${rows.count.toLocaleString()}`;
  }

  return { node, show, focus: () => field.focus() };
}
