"""Which way Claude Code draws: the whole screen at once, or line after line.

From 2.1.325 on (2.1.197 did not), what a hook says at the start after a `/clear` is never
drawn line after line. The client tells a hook nothing of it, so it is looked for where the
client looks, in the client's order. None of it but the variables and `tui` is documented:
where nothing says line after line, it is the whole screen.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from holdfast.kernel.files import read_file

_Object = Mapping[str, Any]

_LINES, _WHOLE = "lines", "whole"
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")
_LAST_THAT_DRAWS = (2, 1, 197)  # the newest client seen to draw it in either way
_MOST_SETTINGS = 1 << 18
_MOST_STATE = 1 << 20  # it holds a little of every project
_OFFERED_ENOUGH = 3  # times; then an old installation stays as it is


def may_lose_lines(
    environ: Mapping[str, str], claude_dir: str, workspace: str, pid: int
) -> bool:
    """Say whether the client of this process may not draw what a start says.

    Reads the client's settings and its state, whoever may have put them there. Programs
    and editors get messages.
    """
    version = _version(environ.get("AI_AGENT", ""))
    is_terminal = environ.get("CLAUDE_CODE_ENTRYPOINT", "").strip().lower() == "cli"
    if not is_terminal or version <= _LAST_THAT_DRAWS:
        return False
    own = _object(f"{claude_dir}/settings.json", _MOST_SETTINGS)
    here = (
        f"{workspace}/.claude/{n}" for n in ("settings.json", "settings.local.json")
    )
    said = [own, *(_object(path, _MOST_SETTINGS) for path in here)]
    settings = {
        "tui": next((s["tui"] for s in reversed(said) if "tui" in s), None),
        "axScreenReader": own.get("axScreenReader"),  # a repository's is ignored
    }
    is_chosen = bool(environ.get("CLAUDE_CONFIG_DIR"))
    home = claude_dir if is_chosen else os.path.dirname(claude_dir)
    state = _object(f"{home}/.claude.json", _MOST_STATE)
    name = ".".join(map(str, version))
    return draws_lines(environ, settings, state, version=name, pid=pid)


def draws_lines(
    environ: Mapping[str, str],
    settings: _Object,
    state: _Object,
    *,
    version: str,
    pid: int,
) -> bool:
    """Say whether something makes the client draw line after line."""
    flicker_free = _choice(environ, "CLAUDE_CODE_NO_FLICKER")
    is_refused = _choice(environ, "CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN")
    tui = settings.get("tui")
    in_the_order_of_the_client = (
        (_WHOLE, environ.get("CLAUDE_CODE_SESSION_KIND") == "bg"),
        (_LINES, _reads_aloud(environ, settings)),
        (_LINES, flicker_free is False or is_refused),
        (_WHOLE, flicker_free),
        (_LINES, _gave_up(state, version, pid)),
        (_LINES, _is_in_windows_of_tmux(environ)),
        (_LINES, tui == "default"),
        (_WHOLE, tui == "fullscreen"),
        (_LINES, _is_left_out(state)),
    )
    decided = (way for way, holds in in_the_order_of_the_client if holds)
    return next(decided, _WHOLE) == _LINES


def _reads_aloud(environ: Mapping[str, str], settings: _Object) -> bool:
    chosen = _choice(environ, "CLAUDE_AX_SCREEN_READER")
    return settings.get("axScreenReader") is True if chosen is None else chosen


def _gave_up(state: _Object, version: str, pid: int) -> bool:
    """A client that ends before it has drawn for ten seconds counts as a strike.

    The next one draws line after line, and after a second strike all of this version do.
    A strike is struck off by one that draws the whole screen, which until then is noted
    as pending.
    """
    if _at(state, "fullscreenAutoDisabled").get("version") == version:
        return True
    strikes = _at(state, "fullscreenBootStrikes")
    is_trying = str(pid) in _at(state, "fullscreenBootPending")
    return strikes.get("version") == version and not is_trying


def _is_in_windows_of_tmux(environ: Mapping[str, str]) -> bool:
    """`tmux -CC`: the terminal shows each window of tmux as one of its own."""
    is_inside = environ.get("TERM", "").startswith(("screen", "tmux"))
    is_iterm = environ.get("TERM_PROGRAM") == "iTerm.app"
    return bool(environ.get("TMUX")) and is_iterm and not is_inside


def _is_left_out(state: _Object) -> bool:
    """The whole screen came step by step: by a flag, or without flags to new users."""
    flags = _at(state, "cachedGrowthBookFeatures") or _at(state, "cachedFeatureFlags")
    if flags:
        is_given = flags.get("tengu_amber_creek") is True
        return flags.get("tengu_pewter_brook") is False and not is_given
    offered = state.get("fullscreenUpsellSeenCount")
    is_old = "firstStartTime" in state and "firstStartVersion" not in state
    return is_old or (isinstance(offered, int) and offered >= _OFFERED_ENOUGH)


def _choice(environ: Mapping[str, str], name: str) -> bool | None:
    said = environ.get(name, "").strip().lower()
    return True if said in _YES else False if said in _NO else None


def _version(agent: str) -> tuple[int, ...]:
    """Return the client's version from its name, `claude-code_2-1-197_harness`.

    Nothing for a name of another form: such a client is older.
    """
    parts = agent.split("_")[1:2]
    numbers = parts[0].split("-") if parts else ()
    return tuple(int(n) for n in numbers if n.isascii() and n.isdigit())


def _at(state: _Object, key: str) -> _Object:
    value = state.get(key)
    return value if isinstance(value, dict) else {}


def _object(path: str, most: int) -> _Object:
    """Return the object in a file; none for one that is too large, or is no file."""
    try:
        value = json.loads(read_file(path, limit=most, follow_links=True))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
