"""From a client's JSON to an event. Old clients leave fields out; nothing here raises."""

import json
from collections.abc import Mapping
from typing import Any

from holdfast.app.hooks.event import HookEvent
from holdfast.kernel.ids import is_session_id

# Entry points at which a person sits; a client that names none is an old one.
_INTERACTIVE = frozenset(
    ["", "cli", "claude-vscode", "vscode", "jetbrains", "claude-desktop", "local-agent"]
)
_LONGEST_WORD = 32
_NO = ("", "0", "false", "no", "off")


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


def _word(given: Mapping[str, Any], key: str) -> str:
    """Return one of the client's own words; anything else is none, and not kept."""
    word = _text(given, key)
    is_plain = word.isascii() and word.replace("_", "").replace("-", "").isalpha()
    return word if is_plain and len(word) <= _LONGEST_WORD else ""


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""
