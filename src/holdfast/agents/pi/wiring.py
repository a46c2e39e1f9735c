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
    transcript_path: ctx.sessionManager.getSessionFile() ?? "",
    cwd: ctx.cwd,
    headless: !ctx.hasUI,
  });
  const ask = async (event, ctx, more, ...words) => {
    const said = await tell(event, { ...about(ctx), ...more }, ...words);
    if (said.line && ctx.hasUI) ctx.ui.notify(said.line, "info");
    return said.context;
  };
  const went_on = (ctx) => ctx.sessionManager.getEntries().some((one) => one.type === "message");

  pi.on("session_start", async (event, ctx) => {
    const source = STARTS[event.reason];
    if (!source || !ctx.sessionManager.getSessionFile()) return;
    const is_old = event.reason === "startup" && went_on(ctx);
    waiting = await ask("SessionStart", ctx, { source: is_old ? "resume" : source });
  });
  pi.on("before_agent_start", async (event, ctx) => {
    if (!ctx.sessionManager.getSessionFile()) return;
    const now = await ask("UserPromptSubmit", ctx, { prompt: event.prompt });
    const content = [waiting, now].filter(Boolean).join("\\n\\n");
    waiting = "";
    if (content) return { message: { customType: "holdfast", content, display: false } };
  });
  pi.on("agent_end", async (_event, ctx) => {
    if (ctx.sessionManager.getSessionFile()) await ask("Stop", ctx, {}, "--detach");
  });
  pi.on("session_before_compact", async (_event, ctx) => {
    if (ctx.sessionManager.getSessionFile()) await ask("PreCompact", ctx, {});
  });
  pi.on("session_compact", async (_event, ctx) => {
    if (!ctx.sessionManager.getSessionFile()) return;
    waiting = await ask("SessionStart", ctx, { source: "compact" });
  });
  pi.on("session_shutdown", async (event, ctx) => {
    const reason = ENDS[event.reason ?? "quit"];
    if (reason === undefined || !ctx.sessionManager.getSessionFile()) return;
    await ask("SessionEnd", ctx, { reason });
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
