// The address is the state: which page, and which filters. In a file, where there is no
// server for other paths, it stands behind the `#`.

import { isFile } from "./api.js";

export function here() {
  const text = isFile ? location.hash.slice(1) || "/" : location.pathname + location.search;
  const [path, query] = text.split("?");
  return { path, query: new URLSearchParams(query || "") };
}

export function href(path, query) {
  const asked = query ? query.toString() : "";
  return `${isFile ? "#" : ""}${path}${asked ? `?${asked}` : ""}`;
}

// Where the page of a file is; names may hold anything but a slash.
export function filePath(path) {
  return `/file/${path.split("/").map(encodeURIComponent).join("/")}`;
}

// Parameters of a path that a pattern (`/s/:session`, `/file/*path`) matches, or null.
export function matched(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.split("/");
  const found = {};
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i].startsWith("*")) {
      found[wanted[i].slice(1)] = given.slice(i).map(decoded).join("/");
      return given.length > i && given[i] ? found : null;
    }
    if (i >= given.length) return null;
    if (wanted[i].startsWith(":")) {
      if (!given[i]) return null;
      found[wanted[i].slice(1)] = decoded(given[i]);
    } else if (wanted[i] !== given[i]) {
      return null;
    }
  }
  return wanted.length === given.length ? found : null;
}

export function makeRouter(changed) {
  // `quiet` only writes the address down: whoever changed it has drawn it.
  function go(path, query, { replace = false, quiet = false } = {}) {
    const address = href(path, query);
    if (isFile) {
      if (replace) {
        history.replaceState(null, "", address);
        if (!quiet) changed();
      } else if (location.hash !== address) {
        location.hash = address;
      }
      return;
    }
    history[replace ? "replaceState" : "pushState"](null, "", address);
    if (!quiet) changed();
  }

  addEventListener(isFile ? "hashchange" : "popstate", changed);
  if (!isFile) {
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || link.origin !== location.origin || link.target) return;
      event.preventDefault();
      go(link.pathname, new URLSearchParams(link.search));
    });
  }
  return { go };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
