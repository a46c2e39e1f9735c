"""The agents that this version knows: one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.kernel.errors import UsageWrong

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from holdfast.agents.past_port import PastSessions
    from holdfast.agents.port import CodingAgent
    from holdfast.config import Places

    Make = Callable[[Places, Mapping[str, str]], CodingAgent]


def _claude_code(places: Places, environ: Mapping[str, str]) -> CodingAgent:
    from holdfast.agents.claude_code.agent import ClaudeCode

    return ClaudeCode(places.claude_dir, environ)


def _codex(places: Places, environ: Mapping[str, str]) -> CodingAgent:
    from holdfast.agents.codex.agent import Codex

    return Codex(places.codex_dir, environ)


def _gemini(places: Places, environ: Mapping[str, str]) -> CodingAgent:
    from holdfast.agents.gemini.agent import Gemini

    return Gemini(places.gemini_dir, environ)


def _copilot(places: Places, environ: Mapping[str, str]) -> CodingAgent:
    from holdfast.agents.copilot.agent import Copilot

    return Copilot(places.copilot_dir, environ)


def _opencode(places: Places, environ: Mapping[str, str]) -> CodingAgent:
    from holdfast.agents.opencode.agent import OpenCode

    return OpenCode(places.opencode_db, environ)


def _pi(places: Places, environ: Mapping[str, str]) -> CodingAgent:
    from holdfast.agents.pi.agent import Pi

    return Pi(places.pi_dir, environ)


_AGENTS: dict[str, Make] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini": _gemini,
    "copilot": _copilot,
    "opencode": _opencode,
    "pi": _pi,
}
AGENTS = tuple(_AGENTS)
# What `install` calls those that it can be wired into.
WIRED = {
    "claude": "claude-code",
    "codex": "codex",
    "gemini": "gemini",
    "opencode": "opencode",
    "pi": "pi",
}


def hook_event(agent: str, spelled: str) -> str:
    """Return our name for an agent's event; none if we do not answer it."""
    return _anywhere(agent).hook_events.get(spelled, "") if agent in _AGENTS else ""


def hook_input(agent: str, given: Mapping[str, Any], pid: int) -> Mapping[str, Any]:
    """Return what an agent says in a hook, under the names that we read."""
    return _anywhere(agent).hook_input(given, pid)


def tool_word(by: str, tool: str, reader: str) -> str:
    """Return what one agent calls a tool of another; its own name if it has none."""
    if by not in _AGENTS:
        return tool
    role = _anywhere(by).role_of(tool)
    return _anywhere(reader).tool_for(role) or tool


def is_inside_a_client(environ: Mapping[str, str], above: Collection[str]) -> bool:
    """Say whether an agent's client started this, by its variables or by the programs
    above. One that hides both is no more seen than any program of the user's."""
    agents = [_anywhere(name) for name in AGENTS]
    if any(environ.get(name) for agent in agents for name in agent.inside):
        return True
    return any(agent.going_on("")[0] in above for agent in agents)


def _anywhere(agent: str) -> CodingAgent:
    """Return an agent of which no file is asked."""
    from holdfast.config import Places

    return _AGENTS[agent](Places("", "", "", ""), {})


def agent_of(transcript: str, places: Places, otherwise: str) -> str:
    """Return whose transcript a file is, by where it lies."""
    for name, directory in _stores(places):
        if directory and transcript.startswith(f"{directory.rstrip('/')}/"):
            return name
    return otherwise


def _stores(places: Places) -> Iterator[tuple[str, str]]:
    yield "claude-code", places.claude_dir
    yield "codex", places.codex_dir
    yield "gemini", places.gemini_dir
    yield "copilot", places.copilot_dir
    yield "opencode", places.opencode_db
    yield "pi", places.pi_dir


def refuse_unknown(name: str) -> None:
    """Make sure that this version knows an agent.

    Raises:
        UsageWrong: it does not.
    """
    if name not in _AGENTS:
        from holdfast.domain.text import beginning

        raise UsageWrong(
            f"`{beginning(name, 40)}` is not an agent that this version can read",
            hint=f"use one of: {', '.join(AGENTS)}",
        )


def agent_at(name: str, places: Places, environ: Mapping[str, str]) -> CodingAgent:
    """Return an agent by the name that records carry."""
    return _AGENTS[name](places, environ)


def every_past(
    places: Places, environ: Mapping[str, str]
) -> Iterator[tuple[str, PastSessions]]:
    """Yield every agent's sessions on disk."""
    for name in AGENTS:
        yield name, agent_at(name, places, environ).past()


def demo_session(directory: str, began_ms: int) -> tuple[str, Iterator[str]]:
    """Return the id of a made-up session, and the lines an agent would write of it."""
    from holdfast.agents.claude_code.demo import SESSION, first_session

    return SESSION, first_session(directory, began_ms)
