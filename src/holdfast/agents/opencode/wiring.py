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

const DATA = process.env.XDG_DATA_HOME || `${homedir()}/.local/share`;
const DATABASE = process.env.OPENCODE_DB || `${DATA}/opencode/opencode.db`;
const MODE = process.argv.slice(2).find((word) => !word.startsWith("-")) ?? "";
const SHARED = ["serve", "web", "acp", "attach"].includes(MODE);

export const holdfast = async ({ directory, client }) => {
  const kinds = new Map(); // session: "new", "told", or "child" of another one
  let current = "";
  const ask = async (event, session, more, ...words) => {
    const about = { session_id: session, transcript_path: `${DATABASE}/${session}`, cwd: directory };
    const said = await tell(event, { ...about, headless: MODE === "run", ...more }, ...words);
    if (said.line && MODE !== "run")
      await client.tui.showToast({ body: { message: said.line, variant: "info" } }).catch(() => {});
    return said.context;
  };
  const begin = async (session) => {
    const is_new = kinds.get(session) === "new";
    const before = SHARED || current === session ? "" : current;
    current = session;
    kinds.set(session, "told");
    if (before) await ask("SessionEnd", before, { reason: is_new ? "clear" : "resume" });
    return ask("SessionStart", session, { source: !is_new ? "resume" : before ? "clear" : "startup" });
  };

  return {
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {};
      if (event.type === "session.created") kinds.set(info.id, info.parentID ? "child" : "new");
      if (event.type === "session.idle" && kinds.get(sessionID) === "told")
        await ask("Stop", sessionID, {}, "--detach");
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic);
      if (!typed.length || kinds.get(sessionID) === "child") return;
      const is_told = kinds.get(sessionID) === "told" && (SHARED || current === sessionID);
      const start = is_told ? "" : await begin(sessionID);
      const prompt = typed.map((part) => part.text).join("\\n");
      const now = await ask("UserPromptSubmit", sessionID, { prompt });
      const text = [start, now].filter(Boolean).join("\\n\\n");
      const id = `${parts[parts.length - 1].id}0`; // comes right after it
      if (text) parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      if (kinds.get(sessionID) === "told") await ask("PreCompact", sessionID, {});
    },
    dispose: async () => {
      const open = SHARED ? [...kinds.keys()].filter((one) => kinds.get(one) === "told") : [current];
      for (const session of open.filter(Boolean)) await ask("SessionEnd", session, { reason: "exit" });
    },
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
