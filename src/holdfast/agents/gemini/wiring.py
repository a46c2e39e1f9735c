"""The wiring into Gemini CLI: hooks and the MCP server, both in its `settings.json`.

Its timeouts are milliseconds. It does not wait for the end of a session, and calls
`PreCompress` before every request to its model, whether it compresses or not: what was
said is saved after each turn instead, and its file keeps what a compression replaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.client_files import read_text, through_own_link
from holdfast.agents.hook_wiring import HookedClient, HookWiring
from holdfast.agents.json_text import member
from holdfast.agents.wired_files import (
    COMMAND,
    LAUNCHER,
    HookCall,
    WiredFile,
    in_one_file,
    json_hooks,
    json_server,
    server_entry,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "gemini"
_CALLS = (
    HookCall("SessionStart", 10_000),
    HookCall("SessionEnd", 5_000),
    HookCall("AfterAgent", 10_000, "--detach"),
    HookCall("BeforeAgent", 10_000),
)


def gemini_wiring(
    gemini_dir: str,
    *,
    home: str,
    workspace: str,
    python: str,
    environ: Mapping[str, str],
) -> HookWiring:
    """Return the wiring into the Gemini CLI whose settings are in a directory."""
    own_home = home if environ.get("HOLDFAST_HOME") else ""
    client = HookedClient(
        name=NAME,
        title="Gemini CLI",
        user_directory=gemini_dir,
        project_directory=".gemini",
        files=lambda *asked: _files(*asked, home=own_home),
        silenced=_silenced,
    )
    return HookWiring(
        client=client, home=home, workspace=workspace, python=python, environ=environ
    )


def _silenced(paths: tuple[str, ...]) -> tuple[str, str] | None:
    """Say that the user's settings switch every hook off."""
    for path in paths:
        text = read_text(through_own_link(path)) or ""
        if member(text, ("hooksConfig", "enabled")) is False:
            return (
                f"`{path}` switches hooks off",
                "set `hooksConfig.enabled` to true there",
            )
    return None


def _files(
    directory: str,
    ours: str,
    mcp: bool,  # noqa: FBT001  # as the wiring asks for it
    *,
    home: str,
) -> tuple[WiredFile, ...]:
    path = f"{directory}/settings.json"
    hooks = json_hooks(path, _CALLS, f"{ours}/{LAUNCHER}", NAME)
    if not mcp:
        return (hooks,)
    return (
        in_one_file(
            hooks,
            json_server(path, server_entry(f"{ours}/{COMMAND}", NAME, home), NAME),
        ),
    )
