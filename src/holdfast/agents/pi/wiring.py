"""The wiring into pi: an extension of a few lines, which pi loads by where it lies.

It waits for what a hook says. What a start tells is given to the model with the first
prompt, as a message that is not the user's; `/new` is a clear. pi starts no MCP server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.hook_wiring import HookedClient, HookWiring
from holdfast.agents.script_shims import script_shim
from holdfast.agents.wired_files import LAUNCHER, WiredFile

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "pi"
_EXTENSION = """\
const STARTS = { startup: "startup", new: "clear", resume: "resume", fork: "startup" };
const ENDS = { quit: "exit", new: "clear", resume: "resume", fork: "" };

export default function (pi) {
  let waiting = "";
  const about = (ctx) => ({
    session_id: ctx.sessionManager.getSessionId(),
    transcript_path: ctx.sessionManager.getSessionFile(),
    cwd: ctx.cwd,
    headless: !ctx.hasUI,
  });
  const show = (ctx, line) => {
    // Later: what is said while a session begins, some versions clear from the screen.
    if (line && ctx.hasUI) setTimeout(quietly(async () => ctx.ui.notify(line, "info")), 0);
  };
  const ask = async (event, ctx, more, ...words) => {
    const said = await tell(event, { ...about(ctx), ...more }, ...words);
    show(ctx, said.line);
    return said.context;
  };
  const on = (event, what) => {
    const is_kept = (ctx) => Boolean(ctx.sessionManager.getSessionFile());
    pi.on(event, quietly(async (now, ctx) => (is_kept(ctx) ? what(now, ctx) : undefined)));
  };
  const has_past = (ctx) => ctx.sessionManager.getEntries().some((one) => one.type === "message");

  on("session_start", async ({ reason }, ctx) => {
    if (!STARTS[reason]) return;
    // One that has a past begins no work; a fork of the first prompt has none.
    const with_past = reason === "fork" ? "fork" : "resume";
    const source = has_past(ctx) ? with_past : STARTS[reason];
    waiting = await ask("SessionStart", ctx, { source });
  });
  on("before_agent_start", async ({ prompt }, ctx) => {
    const now = await ask("UserPromptSubmit", ctx, { prompt });
    const content = [waiting, now].filter(Boolean).join("\\n\\n");
    waiting = "";
    if (content) return { message: { customType: "holdfast", content, display: false } };
  });
  on("agent_end", async (_, ctx) => {
    await ask("Stop", ctx, {}, "--detach");
  });
  on("session_before_compact", async (_, ctx) => {
    await ask("PreCompact", ctx, {});
  });
  on("session_compact", async (_, ctx) => {
    waiting = await ask("SessionStart", ctx, { source: "compact" });
  });
  on("session_shutdown", async ({ reason }, ctx) => {
    const ending = ENDS[reason ?? "quit"];
    if (ending !== undefined) await ask("SessionEnd", ctx, { reason: ending });
  });
}
"""


def pi_wiring(
    pi_dir: str,
    *,
    home: str,
    workspace: str,
    python: str,
    environ: Mapping[str, str],
) -> HookWiring:
    """Return the wiring into the pi whose settings are in a directory."""
    client = HookedClient(
        name=NAME,
        title="pi",
        user_directory=pi_dir,
        project_directory=".pi",
        files=_files,
    )
    return HookWiring(
        client=client, home=home, workspace=workspace, python=python, environ=environ
    )


def _files(
    directory: str,
    ours: str,
    mcp: bool,  # noqa: FBT001  # as the wiring asks for it
) -> tuple[WiredFile, ...]:
    del mcp  # it has no servers
    path = f"{directory}/extensions/holdfast.ts"
    return (script_shim(path, _EXTENSION, f"{ours}/{LAUNCHER}", NAME),)
