"""What the client's settings must say for our plugin to be loaded, and to forget it.

Pure: the text of a settings file in, the new text out, every foreign byte kept.
"""

import json
from collections.abc import Collection

from holdfast.agents.claude_code.wiring.plugin import (
    MARKETPLACE,
    PLUGIN,
)
from holdfast.agents.json_text import member, with_member, without_member
from holdfast.kernel.errors import WiringFailed
from holdfast.kernel.lazy_tuples import NamedTuple

_KNOWN = ("extraKnownMarketplaces", MARKETPLACE)
_ENABLED = ("enabledPlugins", PLUGIN)


class Wired(NamedTuple):
    text: str
    added: int  # how many of our keys were not there before
    made: tuple[str, ...]  # sections that were not there before


def wired(text: str | None, directory: str, path: str) -> Wired:
    """Return settings that name and enable the plugin in `directory`.

    Raises:
        WiringFailed: the file is not one JSON object.
    """
    source = {"source": {"source": "directory", "path": directory}}
    if text is None or not text.strip():
        both = {_KNOWN[0]: {_KNOWN[1]: source}, _ENABLED[0]: {_ENABLED[1]: True}}
        return Wired(json.dumps(both, indent=2) + "\n", 2, (_KNOWN[0], _ENABLED[0]))
    try:
        missing = [key for key in (_KNOWN, _ENABLED) if member(text, key) is None]
        made = tuple(key[0] for key in missing if member(text, key[:1]) is None)
        text = with_member(text, _KNOWN, source)
        text = with_member(text, _ENABLED, value=True)
    except (ValueError, RecursionError) as problem:
        raise _not_ours(path, problem) from None
    return Wired(text, len(missing), made)


def unwired(text: str, made: Collection[str], path: str) -> str:
    """Return settings that do not know us, without the sections we had made.

    Raises:
        WiringFailed: the file is not one JSON object.
    """
    try:
        for key in (_ENABLED, _KNOWN):
            text = without_member(text, key)
            if key[0] in made and member(text, key[:1]) == {}:
                text = without_member(text, key[:1])
    except (ValueError, RecursionError) as problem:
        raise _not_ours(path, problem) from None
    return text


def is_wired(text: str, directory: str) -> bool:
    """Say whether settings name and enable the plugin in `directory`."""
    try:
        source = member(text, (*_KNOWN, "source", "path"))
        return source == directory and member(text, _ENABLED) is True
    except (ValueError, RecursionError):
        return False


def same_meaning(one: str, other: str) -> bool:
    """Say whether two texts are the same JSON value, however they are laid out."""
    try:
        return bool(json.loads(one) == json.loads(other))
    except (ValueError, RecursionError):
        return False


def _not_ours(path: str, problem: Exception) -> WiringFailed:
    return WiringFailed(
        f"`{path}` cannot be changed: {problem}",
        hint="make it one JSON object, as Claude Code wants it, then try again",
    )
