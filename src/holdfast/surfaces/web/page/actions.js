// What a page can have done to a checkpoint. Each asks in a dialog that says what will be;
// the server wants the page's token for it.

import { fill, h, words } from "./dom.js";
import { counted } from "./format.js";

export function makeActions({ api, say, changed, left }) {
  const dialog = h("dialog", { class: "ask", "aria-labelledby": "ask-title" });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  function ask(title, content, buttons) {
    fill(dialog, h("h2", { id: "ask-title" }, title), content, h("div", { class: "ask-buttons" }, buttons));
    if (!dialog.open) dialog.showModal();
  }

  const cancel = () => h("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, "Cancel");

  function tell(problem) {
    const place = dialog.querySelector(".ask-trouble");
    fill(place, words(problem.message), problem.hint ? ` · ${problem.hint}` : "");
  }

  const trouble = () => h("p", { class: "ask-trouble bad", role: "alert" });

  function name(own) {
    const field = h("input", { class: "ask-field", type: "text", value: own.name || "", "aria-label": "Name", placeholder: "api-design", maxlength: "200", autocomplete: "off", spellcheck: "false" });
    const save = h("button", { class: "strong", type: "submit" }, "Save");
    const form = h("form", { class: "ask-form" },
      h("p", null, `A name finds ${own.label} in every command: \`holdfast resume NAME\`. Leave it empty to remove the name.`),
      field, trouble(), h("div", { class: "ask-buttons" }, cancel(), save));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const told = await api.act(pathOf(own, "name"), { name: field.value });
        dialog.close();
        say(told.name ? `Named ${told.name}` : "The name was removed");
        changed();
      } catch (problem) {
        tell(problem);
      }
    });
    fill(dialog, h("h2", { id: "ask-title" }, "Name this checkpoint"), form);
    dialog.showModal();
    field.select();
  }

  async function forget(own) {
    try {
      confirm(own, await api.act(pathOf(own, "forget"), {}));
    } catch (problem) {
      say(problem.message);
    }
  }

  function confirm(own, plan) {
    const many = plan.ids.length;
    const sure = h("button", { class: "danger", type: "button" }, `Forget ${counted(many, "checkpoint")}`);
    sure.addEventListener("click", async () => {
      sure.disabled = true;
      try {
        const told = await api.act(pathOf(own, "forget"), { ids: plan.ids });
        if (told.type !== "forgotten") {
          confirm(own, told); // something was saved meanwhile
          return;
        }
        dialog.close();
        say(`${counted(told.checkpoints.length, "checkpoint")} forgotten`);
        left();
      } catch (problem) {
        sure.disabled = false;
        tell(problem);
      }
    });
    ask(`Forget ${many === 1 ? "this checkpoint" : counted(many, "checkpoint")}?`, [
      h("ul", { class: "doomed" }, plan.checkpoints.map((each) => h("li", null, h("b", null, each.label), " ", each.name && [words(each.name), " · "], words(each.title)))),
      h("p", { class: "final" }, plan.code ? "It is removed from every place it went, with its copy of the code. This cannot be undone." : "It is removed from every place it went. This cannot be undone."),
      h("ul", { class: "ask-notes" }, plan.notes.map((note) => h("li", null, note))),
      trouble(),
    ], [cancel(), sure]);
    dialog.querySelector(".quiet").focus();
  }

  return { node: dialog, name, forget };
}

function pathOf(own, what) {
  return `/api/checkpoint/${encodeURIComponent(own.id)}/${what}`;
}
