// Statistics as pictures: what was worked, what it took, and what holdfast cost and gave.

import { fill, h, s, words } from "../dom.js";
import { spoken } from "../format.js";

const DAY = 86400000;
const MOST_DAYS = 90;
const FEWEST_DAYS = 14;
const MOST_BARS = 8;
const HEIGHT = 120;
const SERIES = [
  ["checkpoints", "Checkpoints", (day) => day.checkpoints],
  ["prompts", "Prompts", (day) => day.prompts || 0],
  ["hours", "Hours", (day) => day.seconds / 3600],
  ["output", "Tokens written", (day) => (day.tokens ? day.tokens.output : 0)],
  ["errors", "Errors", (day) => day.errors],
];

export const page = { name: "stats", route: "/stats", load, draw };

async function load(api, params, { project }) {
  const asked = project();
  return api.get(`/api/stats${asked ? `?project=${encodeURIComponent(asked)}` : ""}`);
}

function draw(root, data, { project }) {
  const all = data.totals;
  root.append(h("header", { class: "page-head" }, h("h1", null, "Statistics"),
    h("p", { class: "when" }, project() === "all" ? "of every project" : "of this project")));
  if (!all.checkpoints) {
    root.append(h("p", { class: "summary" }, "No checkpoints here yet."));
    return;
  }
  root.append(
    figures([
      ["sessions", short(all.sessions)], ["checkpoints", short(all.checkpoints)], ["prompts", orUnknown(all.prompts)],
      ["at work", spoken(all.seconds)], ["tool calls", short(all.tool_calls)], ["files changed", short(all.files)],
      ["errors met", short(all.errors)], ["still open", short(all.open_errors)], ["dead ends", short(all.dead_ends)],
      ["tokens written", orUnknown(all.tokens && all.tokens.output)], ["tokens read", orUnknown(all.tokens && all.tokens.input + all.tokens.cache_read + all.tokens.cache_written)],
      ["cost", all.cost_usd === null ? "unknown" : `$${all.cost_usd.toFixed(2)}`],
    ]),
    part("By day", days(data.days)),
    part("Tools", bars(Object.entries(all.tools))),
    part("What made the checkpoints", bars(Object.entries(all.triggers))),
    part("Projects", data.projects.length > 1 && bars(data.projects.map((one) => [one.project, one.checkpoints]), "checkpoints")),
    part("Agents", data.agents.length > 1 && bars(data.agents.map((one) => [one.agent, one.sessions]), "sessions")),
    part("Cost and use of holdfast", figures([
      ["briefs and cards told", short(Object.values(data.holdfast.told).reduce((sum, one) => sum + one, 0))], ["tokens told", short(data.holdfast.told_tokens)],
      ["hook calls", short(data.holdfast.hook_events)], ["time in hooks", spoken(Math.round(data.holdfast.hook_milliseconds / 1000))],
      ["on disk", data.holdfast.disk_bytes === null ? "not known" : octets(data.holdfast.disk_bytes)], ["records alone", octets(data.holdfast.record_bytes)],
    ])),
    data.damaged > 0 ? h("p", { class: "bad" }, `${data.damaged} damaged and not counted: holdfast doctor --repair`) : "");
}

function part(name, content) {
  return content ? h("section", { class: "part" }, h("h2", null, name), content) : "";
}

function figures(pairs) {
  return h("dl", { class: "figures" }, pairs.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

// One series at a time, so that its scale can be read.
function days(found) {
  const last = dayOf(found[found.length - 1].day);
  const from = Math.max(Math.min(dayOf(found[0].day), last - (FEWEST_DAYS - 1) * DAY), last - (MOST_DAYS - 1) * DAY);
  const known = new Map(found.map((day) => [dayOf(day.day), day]));
  const all = [];
  for (let at = from; at <= last; at += DAY) all.push([at, known.get(at) || null]);
  const picture = h("div", { class: "chart" });
  const buttons = SERIES.filter(([, , of]) => all.some(([, day]) => day && of(day) > 0)).map(([key, name, of]) =>
    h("button", { type: "button", class: "series", onclick: (event) => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === event.currentTarget));
      fill(picture, chart(all, name, of));
    } }, name));
  if (buttons.length) buttons[0].click();
  return h("div", null, h("div", { class: "series-choice", role: "group", "aria-label": "What is counted" }, buttons), picture);
}

function chart(all, name, of) {
  const values = all.map(([at, day]) => [at, day ? of(day) : 0]);
  const most = Math.max(...values.map(([, value]) => value)) || 1;
  const width = all.length * 10;
  const sum = values.reduce((total, [, value]) => total + value, 0);
  return [
    h("p", { class: "chart-top" }, `most in a day: ${amount(most)}`),
    s("svg", { class: "bars", viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `${name} by day, ${amount(sum)} in all` },
      values.map(([at, value], index) => s("g", { class: "bar-day" },
        s("title", null, `${dateOf(at)}: ${amount(value)}`),
        s("rect", { class: "whole-day", x: index * 10, y: 0, width: 10, height: HEIGHT }),
        value > 0 && s("rect", { class: "worked", x: index * 10 + 1.5, y: HEIGHT - Math.max(2, (value / most) * HEIGHT), width: 7, height: Math.max(2, (value / most) * HEIGHT), rx: 1.5 })))),
    h("p", { class: "chart-ends" }, h("span", null, dateOf(all[0][0])), h("span", null, dateOf(all[all.length - 1][0]))),
    h("details", { class: "more" }, h("summary", null, "As a table"), h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Day"), h("th", { scope: "col" }, name))),
      h("tbody", null, values.filter(([, value]) => value > 0).map(([at, value]) => h("tr", null, h("th", { scope: "row" }, dateOf(at)), h("td", null, amount(value))))))),
  ];
}

function bars(pairs, what) {
  const sorted = pairs.filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
  if (!sorted.length) return null;
  const most = sorted[0][1];
  const shown = sorted.slice(0, MOST_BARS);
  const rest = sorted.slice(MOST_BARS).reduce((sum, [, value]) => sum + value, 0);
  if (rest) shown.push([`${sorted.length - MOST_BARS} others`, rest]);
  return h("ul", { class: "bar-list" }, shown.map(([name, value]) => h("li", null,
    words(name, { class: "bar-name", title: name }),
    s("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "carried", width: (100 * Math.min(1, value / most)).toFixed(1), height: 6 })),
    h("span", { class: "of" }, short(value), what && ` ${what}`))));
}

function dayOf(text) {
  return Date.parse(`${text}T00:00:00Z`);
}

function dateOf(at) {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

function amount(value) {
  return Number.isInteger(value) ? value.toLocaleString() : value.toLocaleString(undefined, { maximumFractionDigits: 1 });
}

function short(value) {
  return value < 10000 ? value.toLocaleString() : new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

function orUnknown(value) {
  return value === null || value === undefined ? "unknown" : short(value);
}

function octets(value) {
  const units = ["bytes", "kB", "MB", "GB"];
  let at = 0;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${at ? value.toFixed(1) : value} ${units[at]}`;
}
