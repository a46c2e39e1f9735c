// The place beside the timeline: whichever page the address names draws into it.

import { fill, h } from "./dom.js";
import { matched } from "./router.js";
import { PAGES } from "./pages/all.js";

export function makePanel({ api, context, close }) {
  const body = h("div", { class: "panel-body" });
  const button = h("button", { class: "plain close", type: "button", "aria-label": "Close", title: "Close (Esc)" }, "✕");
  const node = h("aside", { class: "panel", "aria-label": "Details", tabindex: "-1", hidden: true }, button, body);
  let turn = 0;
  let drawn = {}; // what the page that is shown can do: keys, actions, leaving
  button.addEventListener("click", close);

  // Shows the page of an address; returns its data, or null if no page is named.
  async function show(path) {
    const own = ++turn;
    const found = PAGES.map((page) => [page, matched(page.route, path)]).find(([, params]) => params);
    node.hidden = !found;
    document.documentElement.classList.toggle("has-panel", Boolean(found));
    document.documentElement.classList.toggle("wide-panel", Boolean(found && found[0].isWide));
    drawn.leave?.();
    drawn = {};
    if (!found) return null;
    const [page, params] = found;
    node.setAttribute("aria-busy", "true");
    try {
      const data = await page.load(api, params, context);
      if (own !== turn) return null;
      if (data === null) throw Object.assign(new Error("it is not in this file"), { hint: "`holdfast serve` shows every one" });
      const root = h("article", { class: `page page-${page.name}` });
      const can = page.draw(root, data, context);
      fill(body, root);
      drawn = can || {};
      node.scrollTop = 0;
      return data;
    } catch (problem) {
      if (own !== turn) return null;
      fill(body, h("div", { class: "page trouble", role: "alert" },
        h("h1", null, "This cannot be shown"), h("p", null, problem.message), problem.hint && h("p", { class: "hint" }, problem.hint)));
      return null;
    } finally {
      if (own === turn) node.removeAttribute("aria-busy");
    }
  }

  return { node, show, key: (name) => drawn.keys?.[name]?.(), actions: () => drawn.actions || [] };
}
