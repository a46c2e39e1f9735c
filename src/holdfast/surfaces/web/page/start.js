// Puts the parts together: the address says what is shown, the server says what is new.

import { makeActions } from "./actions.js";
import { isFile, makeApi } from "./api.js";
import { fill, h, s } from "./dom.js";
import { makeFilters } from "./filters.js";
import { listenForKeys, makeHelp } from "./keys.js";
import { PAGES } from "./pages/all.js";
import { makePalette, option } from "./palette.js";
import { makePanel } from "./panel.js";
import { here, href, makeRouter, matched } from "./router.js";
import { FILTERS, Rows } from "./rows.js";
import { makeTimeline } from "./timeline.js";

const FIRST = 120;
const MORE = 500;
const SCOPED = ["/search", "/stats"]; // pages of a project, which their address names
const api = makeApi();
const now = () => Date.now();
const state = { project: null, projects: [], here: "", rows: new Rows(), stop: () => {}, loading: null, turn: 0 };

const toast = h("p", { class: "toast", role: "status", "aria-live": "polite" });
let toastTimer = 0;
function say(text) {
  toast.textContent = text;
  toast.classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => toast.classList.remove("on"), 2200);
}

const router = makeRouter(route);
const timeline = makeTimeline({ linkTo: (row) => href(`/c/${encodeURIComponent(row.id)}`, filtersOf(filtering())), now });
const filters = makeFilters({ changed: (query) => router.go(here().path === "/search" ? "/" : here().path, query, { replace: true }) });
const actions = makeActions({ api, say, changed: route, left: close });
const panel = makePanel({ api, context: { api, isFile, actions, say, now, router, href, project: () => state.project || "", asked: () => here().query, here: () => (isFile ? "" : state.here) }, close });
const palette = makePalette({ sources });
const help = makeHelp();
const live = h("span", { class: "live", title: "Connecting" }, h("i", { "aria-hidden": "true" }), h("span", null, ""));
const heading = h("h1", { class: "unseen" }, "Timeline");
const choose = h("select", { class: "project", "aria-label": "Project" });
choose.addEventListener("change", () => router.go(`/p/${encodeURIComponent(choose.value)}`, filtersOf(filtering())));

document.getElementById("app").replaceChildren(
  h("header", { class: "top" },
    h("a", { class: "brand", href: href("/"), "aria-label": "holdfast" }, mark(), h("span", null, "holdfast")),
    choose, filters.node, live,
    !isFile && h("nav", { class: "places", "aria-label": "Pages" },
      h("a", { href: href("/search"), title: "Search everything (s)" }, "Search"), h("a", { href: href("/stats") }, "Statistics")),
    h("button", { class: "plain", type: "button", title: "Go to or do (Ctrl+K)", "aria-label": "Command palette", onclick: () => palette.open() }, "⌘"),
    h("button", { class: "plain", type: "button", title: "Light or dark (t)", "aria-label": "Light or dark", onclick: turnTheme }, "◐"),
    h("button", { class: "plain", type: "button", title: "Keys (?)", "aria-label": "Keys", onclick: () => help.showModal() }, "?")),
  h("main", { class: "stage" }, heading, timeline.node, panel.node),
  timeline.card, help, palette.node, actions.node, toast);

listenForKeys({
  "/": filters.focus,
  j: () => walk(1),
  k: () => walk(-1),
  ArrowDown: () => walk(1),
  ArrowUp: () => walk(-1),
  Enter: () => timeline.selected() && open(timeline.selected()),
  g: () => timeline.top(),
  G: () => timeline.bottom(),
  c: compare,
  s: () => isFile || router.go("/search", filtersOf(new URLSearchParams())),
  n: () => panel.key("n"),
  p: () => panel.key("p"),
  t: turnTheme,
  "?": () => help.showModal(),
  Escape: () => (matched("/c/:ref", here().path) || !panel.node.hidden ? close() : timeline.select(null)),
});

// What filters the timeline: the words of a search are not among it.
function filtering() {
  const { path, query } = here();
  const kept = new URLSearchParams(query);
  if (path === "/search") kept.delete("q");
  return kept;
}

// What the palette knows: what can be done here comes first, then where one can go.
function* sources() {
  for (const each of panel.actions()) yield option("Do", each.name, each.run);
  yield option("Do", "Filter the timeline by words", filters.focus, "/");
  if (!isFile && timeline.selected()) yield option("Do", "Compare this checkpoint with another one", compare, "c");
  yield option("Do", "Light or dark", turnTheme, "t");
  yield option("Do", "Show the keyboard shortcuts", () => help.showModal(), "?");
  yield option("Do", "To the newest", () => timeline.top(), "g");
  yield option("Do", "To the oldest", () => timeline.bottom(), "G");
  yield option("Page", "Timeline", close);
  for (const each of PAGES) if (!isFile && !/[:*]/.test(each.route)) yield option("Page", each.name, () => router.go(each.route));
  for (const each of state.projects) yield option("Project", each.name, () => router.go(`/p/${encodeURIComponent(each.id)}`), each.root);
  for (const row of state.rows.shown(new URLSearchParams())) yield option("Checkpoint", row.title || "untitled", () => open(row.id), `#${row.number}${row.name ? ` ${row.name}` : ""}`);
}

function filtersOf(query) {
  const kept = new URLSearchParams();
  for (const name of ["q", ...FILTERS]) if (query.get(name)) kept.set(name, query.get(name));
  return kept;
}

function walk(by) {
  timeline.hideCard();
  const row = timeline.step(by);
  if (row && !panel.node.hidden) router.go(`/c/${encodeURIComponent(row.id)}`, filtersOf(filtering()), { replace: true });
}

// The first press says which one, the second with what it is compared.
function compare() {
  const row = timeline.selected();
  if (isFile || !row) return;
  if (state.marked && state.marked !== row) {
    const pair = [state.marked, row].map(encodeURIComponent).join("/");
    state.marked = null;
    router.go(`/compare/${pair}`, filtersOf(filtering()));
  } else {
    state.marked = row;
    say("Now choose the other one, and press c again");
  }
}

function open(id) {
  router.go(`/c/${encodeURIComponent(id)}`, filtersOf(filtering()));
}

function close() {
  const home = state.project && state.project !== state.here ? `/p/${encodeURIComponent(state.project)}` : "/";
  router.go(home, filtersOf(filtering()));
}

// The address changed: which project, which filters, which page beside.
async function route() {
  const own = ++state.turn;
  const { path } = here();
  timeline.hideCard();
  const wanted = projectOf(here());
  // A page beside asks about the project that is shown: that is known first.
  const loaded = wanted && wanted !== state.project ? load(wanted) : draw(filtering());
  nameProject();
  const shownPage = panel.show(path);
  await loaded;
  const data = await shownPage;
  if (own !== state.turn) return;
  const found = data && data.checkpoint;
  const compared = data && data.diff && data.diff.older.project;
  const wants = found ? found.project.id : compared || ofProject(data);
  if (!state.project) await load(wants || state.here || first());
  timeline.select(found ? found.id : null);
  if (found && !timeline.revealId(found.id)) state.loading?.then(() => own === state.turn && timeline.revealId(found.id));
  const title = found ? found.content.title : data && data.title;
  document.title = title ? `${title.slice(0, 80)} · holdfast` : `${nameOf(state.project)} · holdfast`;
}

function ofProject(data) {
  return data && state.projects.some((each) => each.id === data.project) ? data.project : "";
}

// Which project an address means; null where only its checkpoint says so.
function projectOf({ path, query }) {
  const named = SCOPED.includes(path) ? query.get("project") : matched("/p/:project", path)?.project;
  if (named || path === "/") return named || state.here || first();
  return state.project || (matched("/c/:ref", path) || matched("/compare/:a/:b", path) ? null : state.here || first());
}

// Whoever gets the address sees the same project, wherever their terminal stands.
function nameProject() {
  const { path, query } = here();
  if (!SCOPED.includes(path) || query.get("project") || !state.project || state.project === state.here) return;
  query.set("project", state.project);
  router.go(path, query, { replace: true, quiet: true });
}

function first() {
  return state.projects.length ? state.projects[0].id : "";
}

function nameOf(project) {
  const found = state.projects.find((each) => each.id === project);
  return found ? found.name : "every project";
}

function draw(query, fresh) {
  drawTimeline(query, fresh);
  filters.show(state.rows, query);
}

function drawTimeline(query, fresh) {
  heading.textContent = state.project ? `Timeline of ${nameOf(state.project)}` : "Timeline";
  timeline.show(state.rows, query, {
    here: !isFile && state.project === state.here ? state.here : "",
    projectName: state.project === "all" ? nameOf : null,
    fresh,
  });
}

async function load(project) {
  state.stop();
  state.project = project;
  state.rows = new Rows();
  choose.value = project;
  if (!project) {
    draw(filtering());
    return;
  }
  const rows = state.rows;
  try {
    const answer = await api.rows(project, null, FIRST);
    if (rows !== state.rows) return;
    rows.take(answer || { count: 0, columns: {} });
  } catch (problem) {
    say(problem.message);
  }
  draw(filtering());
  listen(project, rows);
  state.loading = loadOlder(project, rows);
}

// The rest comes in behind the first page, so that filters know all of it.
async function loadOlder(project, rows) {
  while (rows === state.rows && rows.oldest > 0) {
    const before = rows.oldest;
    const answer = await api.rows(project, before, MORE).catch(() => null);
    if (rows !== state.rows || !answer || !rows.take(answer)) return;
    drawTimeline(filtering());
  }
  if (rows === state.rows) filters.show(rows, filtering());
}

function listen(project, rows) {
  state.stop = api.listen(project, () => rows.count, (news) => update(project, rows, news), tellLive);
}

async function update(project, rows, { after, count }) {
  const known = new Set(rows.loaded().map((row) => row.id));
  if (count < rows.count || after < rows.count) rows.dropFrom(after);
  rows.count = count;
  while (rows === state.rows && count > 0 && rows.oldest > Math.min(after, count)) {
    const answer = await api.rows(project, rows.oldest === count ? null : rows.oldest, Math.min(MORE, rows.oldest - after)).catch(() => null);
    if (rows !== state.rows || !answer || !rows.take(answer)) break;
  }
  if (rows !== state.rows) return;
  const fresh = rows.loaded().filter((row) => !known.has(row.id)).map((row) => row.id);
  draw(filtering(), fresh);
  loadProjects();
}

function tellLive(how) {
  live.className = `live ${how}`;
  live.title = { live: "New checkpoints appear automatically", waiting: "The server does not answer; trying again", gone: "The server has stopped: `holdfast serve` starts it again" }[how];
  live.lastChild.textContent = { live: "live", waiting: "waiting", gone: "offline" }[how];
}

async function loadProjects() {
  const answer = await api.get("/api/projects").catch(() => null);
  if (!answer) return;
  state.projects = answer.projects;
  state.here = answer.here;
  fill(choose,
    answer.projects.map((each) => h("option", { value: each.id, title: each.root }, `${each.name} (${each.count.toLocaleString()})`)),
    answer.projects.length > 1 && h("option", { value: "all" }, "Every project"));
  choose.hidden = answer.projects.length === 0;
  if (state.project) choose.value = state.project;
}

function turnTheme() {
  const isDark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("holdfast-theme", document.documentElement.dataset.theme);
  } catch {
    // A file or a strict browser has nowhere to keep it.
  }
}

function mark() {
  return s("svg", { class: "mark", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M12 4.5V11M12 11c0 5-6 3-6 9M12 11v9M12 11c0 5 6 3 6 9" }), s("circle", { cx: 12, cy: 4.5, r: 2.4 }));
}

async function begin() {
  try {
    const kept = localStorage.getItem("holdfast-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch {
    // The system's choice it is.
  }
  if (isFile) live.hidden = true;
  await loadProjects();
  await route();
  document.documentElement.dataset.ready = "true";
}

begin();
