"""The wiring into OpenCode: a plugin of a few lines, and the MCP server in `opencode.json`.

Its sessions have no end: one is over when another is begun in the same window, or when
the program goes. What a start tells is added to the first prompt as a part that is not the
user's. A session with a parent is a sub-agent's, and not ours to tell of.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from holdfast.agents.hook_wiring import HookedClient, HookWiring
from holdfast.agents.json_text import member, with_member, without_member
from holdfast.agents.script_shims import script_shim
from holdfast.agents.wired_files import COMMAND, LAUNCHER, SERVER, WiredFile

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "opencode"
_PLUGIN = """\
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const DATA = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode");
const DATABASE = resolve(DATA, process.env.OPENCODE_DB || "opencode.db");
const MODE = process.argv.find((word) => ["run", "serve", "web", "acp"].includes(word));
const SHARED = MODE !== undefined && MODE !== "run"; // several people may be there
const BORN = Date.now();

export const holdfast = async ({ directory, client }) => {
  const kinds = new Map(); // session: "new", "old", "fork", or "child" of another one
  const told = new Set();
  const compacted = new Set();
  let current = "";
  const show = quietly(async (message) =>
    client.tui.showToast({ body: { message, variant: "info", duration: 10000 } }),
  );
  const ask = async (event, session, more, ...words) => {
    const about = { session_id: session, transcript_path: `${DATABASE}/${session}`, cwd: directory };
    const said = await tell(event, { ...about, headless: MODE === "run", ...more }, ...words);
    if (said.line && MODE !== "run") show(said.line); // nobody waits for the screen
    return said.context;
  };
  const kind_of = async (id, message) => {
    const about = await client.session.get({ path: { id } });
    if (about.data.parentID) return "child";
    const before = await client.session.messages({ path: { id }, query: { limit: 2 } });
    if (before.data.every(({ info }) => info.id === message)) return "new";
    return about.data.time.created < BORN ? "old" : "fork";
  };
  const soon = (answer) =>
    Promise.race([answer, new Promise((_, fail) => setTimeout(fail, 3000))]).catch(() => "old");
  const begin = async (session, kind) => {
    const before = SHARED || current === session ? "" : current;
    current = session;
    told.add(session);
    kinds.set(session, "old");
    const reason = { new: "clear", fork: "" }[kind] ?? "resume";
    if (before) await ask("SessionEnd", before, { reason });
    const source = { new: before ? "clear" : "startup", fork: "fork" }[kind] ?? "resume";
    return ask("SessionStart", session, { source });
  };
  const begin_or_go_on = async (session, kind) => {
    const is_told = told.has(session) && (SHARED || current === session);
    const is_compacted = compacted.delete(session);
    if (!is_told) return begin(session, kind);
    return is_compacted ? ask("SessionStart", session, { source: "compact" }) : "";
  };

  return {
    event: quietly(async ({ event: { type, properties } }) => {
      const session = properties?.sessionID;
      if (type === "session.compacted") compacted.add(session);
      if (type === "session.idle" && told.has(session)) await ask("Stop", session, {}, "--detach");
    }),
    "chat.message": quietly(async ({ sessionID }, { message, parts }) => {
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic);
      if (!typed.length) return;
      const kind = kinds.get(sessionID) ?? (await soon(kind_of(sessionID, message.id)));
      kinds.set(sessionID, kind);
      if (kind === "child") return;
      const start = await begin_or_go_on(sessionID, kind);
      const prompt = typed.map((part) => part.text).join("\\n");
      const now = await ask("UserPromptSubmit", sessionID, { prompt });
      const text = [start, now].filter(Boolean).join("\\n\\n");
      const id = `${parts[parts.length - 1].id}0`; // comes right after it
      if (text) parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    }),
    "experimental.session.compacting": quietly(async ({ sessionID }) => {
      if (told.has(sessionID)) await ask("PreCompact", sessionID, {});
    }),
    dispose: quietly(async () => {
      const open = SHARED ? [...told] : [current];
      for (const session of open.filter(Boolean)) await ask("SessionEnd", session, { reason: "exit" });
    }),
  };
};
"""


def opencode_wiring(
    database: str,
    *,
    home: str,
    workspace: str,
    python: str,
    environ: Mapping[str, str],
) -> HookWiring:
    """Return the wiring into the OpenCode whose sessions are in a database."""
    own_home = home if environ.get("HOLDFAST_HOME") else ""
    client = HookedClient(
        name=NAME,
        title="OpenCode",
        user_directory=_settings(database, environ),
        project_directory=".opencode",
        files=lambda *asked: _files(*asked, home=own_home),
    )
    return HookWiring(
        client=client, home=home, workspace=workspace, python=python, environ=environ
    )


def _settings(database: str, environ: Mapping[str, str]) -> str:
    """Return where its settings are; without a home, beside its sessions."""
    given = environ.get("XDG_CONFIG_HOME", "")
    user = environ.get("HOME") or os.path.dirname(database)
    return f"{given if os.path.isabs(given) else f'{user}/.config'}/opencode"


def _files(
    directory: str,
    ours: str,
    mcp: bool,  # noqa: FBT001  # as the wiring asks for it
    *,
    home: str,
) -> tuple[WiredFile, ...]:
    plugin = script_shim(
        f"{directory}/plugin/holdfast.ts", _PLUGIN, f"{ours}/{LAUNCHER}", NAME
    )
    if not mcp:
        return (plugin,)
    return plugin, _server(f"{directory}/opencode.json", f"{ours}/{COMMAND}", home)


def _server(path: str, command: str, home: str) -> WiredFile:
    """Return how the MCP server is written, in words of its own; one that somebody else
    named like ours stays."""
    words = [command, "mcp", "--agent", NAME]
    entry: dict[str, Any] = {"type": "local", "command": words, "enabled": True}
    if home:
        entry["environment"] = {"HOLDFAST_HOME": home}
    place = ("mcp", SERVER)

    def wire(text: str) -> str:
        if not text.strip():
            return json.dumps({place[0]: {place[1]: entry}}, indent=2) + "\n"
        known = member(text, place)
        if known is not None and not _is_ours(known):
            return text
        return with_member(text, place, entry)

    def unwire(text: str) -> str:
        if not _is_ours(member(text, place)):
            return text
        text = without_member(text, place)
        return (
            without_member(text, place[:1]) if member(text, place[:1]) == {} else text
        )

    return WiredFile(path, wire, unwire, lambda text: json.loads(text or "{}") == {})


def _is_ours(known: object) -> bool:
    words = known.get("command") if isinstance(known, dict) else None
    first = words[0] if isinstance(words, list) and words else ""
    return isinstance(first, str) and first.endswith(f"/{NAME}/{COMMAND}")
