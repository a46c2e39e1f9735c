// The rows of a project as they come in, and which of them the filters let through.

export const FILTERS = ["agent", "branch", "type"];

export class Rows {
  constructor() {
    this.byPlace = []; // oldest first, with holes where nothing came in yet
    this.count = 0;
    this.takenBack = new Set();
  }

  // What an answer brought, newest first.
  take(answer) {
    this.count = answer.count;
    this.byPlace.length = answer.count;
    const names = Object.keys(answer.columns);
    const many = names.length ? answer.columns[names[0]].length : 0;
    for (let i = 0; i < many; i++) {
      const row = {};
      for (const name of names) row[name] = answer.columns[name][i];
      row.text = `${row.title} ${row.name || ""} ${row.label} ${row.number} ${row.branch || ""} ${row.session} ${row.agent} ${row.made_by}`.toLowerCase();
      this.byPlace[row.place] = row;
      for (const id of row.left) this.takenBack.add(id);
    }
    return many;
  }

  // Rows from a place on are no longer what they were.
  dropFrom(place) {
    this.byPlace.length = Math.min(this.byPlace.length, place);
    this.takenBack = new Set(this.loaded().flatMap((row) => row.left));
  }

  // The place before which nothing came in yet; 0 once all is here.
  get oldest() {
    let place = this.count;
    while (place > 0 && this.byPlace[place - 1]) place--;
    return place;
  }

  // Where work goes on here: what came from elsewhere is nobody's place.
  get newestOwn() {
    let place = this.count - 1;
    while (place >= 0 && this.byPlace[place] && this.byPlace[place].machine) place--;
    return this.byPlace[place] ? this.byPlace[place].id : null;
  }

  loaded() {
    return this.byPlace.filter(Boolean);
  }

  byId(id) {
    return this.byPlace.find((row) => row && row.id === id) || null;
  }

  // Rows newest first that match.
  shown(query) {
    const keep = matcher(query);
    const found = [];
    for (let place = this.byPlace.length - 1; place >= 0; place--) {
      const row = this.byPlace[place];
      if (row && keep(row)) found.push(row);
    }
    return found;
  }

  // What can be chosen in a filter, the most frequent first.
  choices(name) {
    const counts = new Map();
    for (const row of this.loaded()) {
      const value = valueOf(row, name);
      if (value) counts.set(value, (counts.get(value) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]);
  }
}

export function isFiltered(query) {
  return ["q", ...FILTERS].some((name) => query.get(name));
}

function matcher(query) {
  const asked = (query.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = FILTERS.map((name) => [name, query.get(name)]).filter(([, value]) => value);
  return (row) =>
    asked.every((word) => row.text.includes(word)) && wanted.every(([name, value]) => valueOf(row, name) === value);
}

function valueOf(row, name) {
  return name === "type" ? row.made_by.replace(/^auto \d+ %$/, "auto") : row[name] || "";
}
