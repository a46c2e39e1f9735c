"""The wiring into Codex CLI: hooks in `hooks.json`, the MCP server in `config.toml`.

A hook runs only once its user has accepted it in `/hooks`: no installer may do that. The
client starts it with the first turn, gives the end of a session three seconds at most, and
cuts what is longer than 2,500 tokens unless it is told not to.
"""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING, Any

from holdfast.agents.client_files import read_text, through_own_link
from holdfast.agents.hook_wiring import HookedClient, HookWiring
from holdfast.agents.wired_files import (
    COMMAND,
    LAUNCHER,
    SERVER,
    HookCall,
    WiredFile,
    is_our_server,
    json_hooks,
    server_entry,
)
from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "codex"
# A brief is measured already: it is not to be cut and put into a file.
_WHOLE = (("additionalContextLimit", 0),)
_CALLS = (
    HookCall("SessionStart", 10, more=_WHOLE),
    HookCall("SessionEnd", 3),
    HookCall("Stop", 10, "--detach"),
    HookCall("PreCompact", 30),
    HookCall("UserPromptSubmit", 10, more=_WHOLE),
)
_HEADER = f"[mcp_servers.{SERVER}]"
_ACCEPT = "start `codex` and trust them when it asks, or type /hooks"
_ADVICE = f"Accept its hooks once: {_ACCEPT}"
_UNACCEPTED = "Codex CLI runs holdfast's hooks only after you have accepted them"
_WORD = pattern("(?<!^)(?=[A-Z])")


def codex_wiring(
    codex_dir: str,
    *,
    home: str,
    workspace: str,
    python: str,
    environ: Mapping[str, str],
) -> HookWiring:
    """Return the wiring into the Codex CLI whose configuration is in a directory."""
    own_home = home if environ.get("HOLDFAST_HOME") else ""
    client = HookedClient(
        name=NAME,
        title="Codex CLI",
        user_directory=codex_dir,
        project_directory=".codex",
        files=lambda *asked: _files(*asked, home=own_home),
        advice=_ADVICE,
        silenced=lambda paths: _silenced(paths, codex_dir),
    )
    return HookWiring(
        client=client, home=home, workspace=workspace, python=python, environ=environ
    )


def _files(
    directory: str,
    ours: str,
    mcp: bool,  # noqa: FBT001  # as the wiring asks for it
    *,
    home: str,
) -> tuple[WiredFile, ...]:
    server = server_entry(f"{ours}/{COMMAND}", NAME, home)
    hooks = json_hooks(f"{directory}/hooks.json", _CALLS, f"{ours}/{LAUNCHER}", NAME)
    return (hooks, _server(f"{directory}/config.toml", server)) if mcp else (hooks,)


def _silenced(paths: tuple[str, ...], codex_dir: str) -> tuple[str, str] | None:
    """Say that some hook of ours was never accepted.

    What was accepted stands in the user's own configuration, by file, event and place in
    it; whether it is still the same, only the client knows.
    """
    hooks = (path for path in paths if path.endswith("/hooks.json"))
    wanted = {one for path in hooks for one in _places_of_ours(path)}
    accepted = set(_accepted(f"{codex_dir}/config.toml"))
    return None if wanted <= accepted else (_UNACCEPTED, _ACCEPT)


def _places_of_ours(path: str) -> Iterator[str]:
    told = json.loads(read_text(through_own_link(path)) or "{}").get("hooks", {})
    for call in _CALLS:
        name = _WORD.sub("_", call.event).lower()
        for place, entry in enumerate(told.get(call.event, ())):
            if f"--agent={NAME}" in json.dumps(entry):
                yield f"{os.path.realpath(path)}:{name}:{place}:0"


def _accepted(config: str) -> Iterator[str]:
    hooks = tomllib.loads(read_text(through_own_link(config)) or "").get("hooks", {})
    states = hooks.get("state", {}) if isinstance(hooks, dict) else {}
    for key, state in states.items() if isinstance(states, dict) else ():
        path, _, place = key.partition(".json:")
        if isinstance(state, dict) and state.get("trusted_hash"):
            yield f"{os.path.realpath(f'{path}.json')}:{place}"


def _server(path: str, wanted: dict[str, Any]) -> WiredFile:
    block = f"{_HEADER}\n" + "".join(
        f"{key} = {_toml(value)}\n" for key, value in wanted.items()
    )

    def wire(text: str) -> str:
        known = _known(text)
        if known is not None and (known == wanted or not is_our_server(known, NAME)):
            return text
        text = unwire(text)
        after = f"{text}\n{block}" if text else block
        _known(after)  # what the client could not read is not written
        return after

    def unwire(text: str) -> str:
        if not is_our_server(_known(text), NAME) or _HEADER not in text:
            return text
        before, _, rest = text.partition(_HEADER)
        after = _next_table(rest)
        is_apart = not after or before.endswith("\n\n")
        return (before[:-1] if is_apart else before) + after

    return WiredFile(path, wire, unwire, lambda text: not text.strip())


def _toml(value: Any) -> str:
    """Return a value as TOML: texts and lists are written as in JSON."""
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {_toml(one)}" for key, one in value.items())
        return f"{{ {inside} }}"
    return json.dumps(value)


def _next_table(rest: str) -> str:
    """Return what follows our table and those inside it."""
    lines = rest.splitlines(keepends=True)[1:]
    for place, line in enumerate(lines):
        if line.startswith("[") and not line.startswith(f"{_HEADER[:-1]}."):
            return "".join(lines[place:])
    return ""


def _known(text: str) -> object:
    """Return what the client's configuration says of our server; None if nothing.

    Raises:
        ValueError: nobody can read it.
    """
    servers = tomllib.loads(text).get("mcp_servers")
    return servers.get(SERVER) if isinstance(servers, dict) else None
