// What the page asks: a server, or the answers that its own file holds. Both are asked the
// same way; only a server has news, and only a server can be told to do something.

const AGAIN = 2000;
const embedded = document.getElementById("answers");

export const isFile = embedded !== null;
// What somebody may do who is not the user of the machine that serves: read, write, admin.
export const guest = document.querySelector("meta[name=holdfast-guest]")?.content || "";
const MAY = ["read", "write", "admin"];
export const may = (needed) => !isFile && (!guest || MAY.indexOf(guest) >= MAY.indexOf(needed));

export class ApiError extends Error {
  constructor(status, told) {
    super(told.message || `the server answered ${status}`);
    this.status = status;
    this.code = told.code || "";
    this.hint = told.hint || "";
  }
}

export function makeApi() {
  return isFile ? fileApi(JSON.parse(embedded.textContent)) : serverApi();
}

function serverApi() {
  const token = document.querySelector("meta[name=holdfast-token]").content;

  async function ask(path, options) {
    let response;
    try {
      response = await fetch(path, { credentials: "same-origin", ...options });
    } catch {
      throw new ApiError(0, { message: "the server does not answer", hint: "is `holdfast serve` still running?" });
    }
    const told = await response.json().catch(() => ({}));
    if (!response.ok) throw new ApiError(response.status, told);
    return told;
  }

  return {
    get: (path) => ask(path),
    rows: (project, before, limit) =>
      ask(`/api/rows?project=${encodeURIComponent(project)}&limit=${limit}${before === null ? "" : `&before=${before}`}`),
    // For what changes something: the server wants the page's own token.
    act: (path, body) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", "x-holdfast-token": token },
        body: JSON.stringify(body),
      }),
    // Tells of new rows until it is stopped, also by a server that was away; `known` says
    // how many rows there are already.
    listen(project, known, heard, state) {
      let source = null;
      let timer = 0;
      function connect() {
        source = new EventSource(`/api/events?project=${encodeURIComponent(project)}&known=${known()}`);
        source.addEventListener("rows", (event) => heard(JSON.parse(event.data)));
        source.addEventListener("open", () => state("live"));
        source.addEventListener("error", () => {
          // Whatever it was, a new question says what is known by now.
          state(source.readyState === EventSource.CLOSED ? "gone" : "waiting");
          source.close();
          clearTimeout(timer);
          timer = setTimeout(connect, AGAIN);
        });
      }
      connect();
      return () => {
        clearTimeout(timer);
        source.close();
      };
    },
  };
}

function fileApi(answers) {
  const get = async (path) => answers[path] ?? null;
  return {
    get,
    rows: (project) => get(`/api/rows?project=${project}`),
    act: async () => {
      throw new ApiError(0, { message: "nothing can be changed in a saved page" });
    },
    listen: () => () => {},
  };
}
