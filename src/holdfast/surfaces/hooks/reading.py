"""From a client's JSON to an event. Old clients leave fields out; nothing here raises."""

import json
from collections.abc import Mapping
from typing import Any

from holdfast.app.event import HookEvent
from holdfast.ids import is_session_id

# Entry points at which a person sits; a client that names none is an old one.
_INTERACTIVE = frozenset(
    ["", "cli", "claude-vscode", "vscode", "jetbrains", "claude-desktop", "local-agent"]
)
_LONGEST_WORD = 32
_NO = ("", "0", "false", "no", "off")
_LAST_THAT_DRAWS = (2, 1, 197)  # the newest client seen to draw it in every mode


def read_event(name: str, raw: bytes) -> HookEvent | str:
    """Return the event, or why there is none."""
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return "the input is not JSON"
    if not isinstance(given, dict):
        return "the input is not an object"
    if given.get("agent_id"):
        return ""
    session = _text(given, "session_id").strip().lower()
    if not is_session_id(session):
        return "the input has no session id"
    return HookEvent(
        name=name,
        session_id=session,
        transcript=_text(given, "transcript_path"),
        directory=_text(given, "cwd"),
        source=_word(given, "source"),
        reason=_word(given, "reason"),
        prompt=_text(given, "prompt"),
        model=_text(given, "model"),
        last_message=_text(given, "last_assistant_message"),
    )


def is_headless(environ: Mapping[str, str]) -> bool:
    """Say whether nobody sits in front of this client."""
    if environ.get("CI", "").strip().lower() not in _NO:
        return True
    return environ.get("CLAUDE_CODE_ENTRYPOINT", "").strip().lower() not in _INTERACTIVE


def may_lose_lines(environ: Mapping[str, str]) -> bool:
    """Say whether the fresh screen after a `/clear` may not show what its start said.

    In 2.1.325 the renderer that does not fill the screen never draws it, and which one is
    at work a hook is only told where the user chose one. Programs get messages.
    """
    if environ.get("CLAUDE_CODE_ENTRYPOINT", "").strip().lower() != "cli":
        return False
    if environ.get("CLAUDE_CODE_NO_FLICKER", "").strip().lower() not in _NO:
        return False
    return _version(environ.get("AI_AGENT", "")) > _LAST_THAT_DRAWS


def _version(agent: str) -> tuple[int, ...]:
    """Return the client's version from its name, `claude-code_2-1-197_harness`.

    Nothing for a name of another form: such a client is older.
    """
    parts = agent.split("_")[1:2]
    numbers = parts[0].split("-") if parts else ()
    return tuple(int(n) for n in numbers if n.isascii() and n.isdigit())


def _word(given: Mapping[str, Any], key: str) -> str:
    """Return one of the client's own words; anything else is none, and not kept."""
    word = _text(given, key)
    is_plain = word.isascii() and word.replace("_", "").replace("-", "").isalpha()
    return word if is_plain and len(word) <= _LONGEST_WORD else ""


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""
