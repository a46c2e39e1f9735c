"""The `holdfast-hook` command: what an agent calls at its events, JSON on stdin.

Exit status 2 would mean "block" to the agent, so nothing here parses arguments in a way
that could exit by itself. An event that asks for nothing leaves before anything is
imported: holdfast switched off, an unknown event, a sub-agent, a prompt that nothing is
pending for and that asks for nothing by such words as "continue".
"""

import atexit
import gc
import os
import sys

EVENTS = ("SessionStart", "SessionEnd", "Stop", "PreCompact", "UserPromptSubmit")
DETACH = "--detach"
AGENT = "--agent"
_OFF = ("", "0", "false", "no", "off")
_MOST_INPUT = 64 * 1024 * 1024
_SESSION = b'"session_id"'
_AGENT = b'"agent_id"'
_PROMPT = b'"prompt"'
_MOST_ASKING = 500  # bytes, escapes included: what is longer is no bare "continue"
_OF_IDS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:"
_CLEARS = (b'"/clear', b'"/new', b'"/reset')


def main() -> None:
    """Answer one event: exit 0 whatever happens, or 2 where a guard blocks on purpose."""
    gc.disable()  # a hook lives too briefly to have garbage that is worth looking for
    status = answered(sys.argv[1:])
    atexit._run_exitfuncs()  # noqa: SLF001  # all of an orderly end that matters here
    os._exit(status)  # taking modules apart would cost as much as a bare start


def answered(words: list[str]) -> int:
    """Return the exit status of one event."""
    try:
        spelled = words[0] if words else ""
        is_off = os.environ.get("HOLDFAST_DISABLE", "").strip().lower() not in _OFF
        agent = "" if is_off else _agent_in(words)
        name = _own_name(spelled, agent) if agent else spelled
        if is_off or name not in EVENTS:
            return 0
        raw = sys.stdin.buffer.read(_MOST_INPUT)
        client = os.getppid()
        if is_idle(name, raw) or (DETACH in words and not left_client()):
            return 0
        if sys.stdout is None or sys.stderr is None:
            from holdfast.kernel.streams import open_streams

            open_streams()
        from holdfast.surfaces.hooks.run import answer

        return answer(name, raw, client, agent, spelled)
    except BaseException:  # noqa: BLE001  # whatever it was, the agent must not notice
        return 0


def _agent_in(words: list[str]) -> str:
    """Return which agent calls, as its wiring says; nothing for Claude Code."""
    for place, word in enumerate(words):
        if word == AGENT:
            return "".join(words[place + 1 : place + 2])
        if word.startswith(f"{AGENT}="):
            return word[len(AGENT) + 1 :]
    return ""


def _own_name(spelled: str, agent: str) -> str:
    from holdfast.bootstrap.agents import hook_event

    return hook_event(agent, spelled)


def left_client() -> bool:
    """Split: True in a process the client does not wait for, False where it does.

    The client's own way, `"async": true`, is cancelled when the client ends; one version
    then runs no SessionEnd, another one waits two seconds.
    """
    if os.fork():
        return False
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # or the client would wait for its pipes
        os.dup2(nothing, stream)
    return True


def is_idle(name: str, raw: bytes) -> bool:
    """Say whether an event asks for nothing, by its bytes alone."""
    if not raw.strip() or (_AGENT in raw and _has_top_level(raw, _AGENT)):
        return True
    if name != "UserPromptSubmit":
        return False
    session = _value_after(raw, _SESSION)
    may_clear = any(sign in raw for sign in _CLEARS)
    if may_clear or os.path.exists(f"{_home()}/pending/{session}"):
        return False
    return not _asks(raw)


def _asks(raw: bytes) -> bool:
    """Say whether a prompt asks for a checkpoint by explicit words."""
    _, _, rest = raw.partition(_PROMPT)
    rest = rest.lstrip(b" \t\r\n:")
    end = _string_end(rest, 1)
    if not rest.startswith(b'"') or end > _MOST_ASKING:
        return False
    words = rest[1:end]
    if b"\\" in words:
        from json import loads

        words = str(loads(b'"' + words + b'"')).encode("utf-8", "replace")
    from holdfast.start.explicit import asked_for

    asked = asked_for(words.decode("utf-8", "replace"))
    return asked is not None and asked.meant != "new" and not asked.may_be_answer


def _home() -> str:
    """Return the data directory as the settings would, without reading them.

    Only looked at: whether it may be used is decided where it is used.
    """
    user = os.environ.get("HOME") or "/"
    given = os.environ.get("HOLDFAST_HOME")
    if given:
        return f"{user}{given[1:]}" if given.startswith("~/") else given
    data = os.environ.get("XDG_DATA_HOME", "")
    return f"{data if data.startswith('/') else user + '/.local/share'}/holdfast"


def _value_after(raw: bytes, key: bytes) -> str:
    """Return a plain string value; quotes inside other strings are escaped."""
    _, _, rest = raw.partition(key)
    value = rest.lstrip(b" \t\r\n:").removeprefix(b'"').partition(b'"')[0]
    text = value.decode("ascii", "replace")
    return text if text and not text.strip(_OF_IDS) and text[0] not in "._" else "none"


def _has_top_level(raw: bytes, key: bytes) -> bool:
    """Say whether an object has a key itself, not only something inside it."""
    depth, place = 0, 0
    while place < len(raw):
        sign = raw[place : place + 1]
        if sign == b'"':
            if depth == 1 and raw.startswith(key, place) and _is_key(raw, place, key):
                return True
            place = _string_end(raw, place + 1)
        elif sign in b"{[":
            depth += 1
        elif sign in b"}]":
            depth -= 1
        place += 1
    return False


def _is_key(raw: bytes, place: int, key: bytes) -> bool:
    return raw[place + len(key) :].lstrip()[:1] == b":"


def _string_end(raw: bytes, place: int) -> int:
    while place < len(raw) and raw[place] != ord('"'):
        place += 2 if raw[place] == ord("\\") else 1
    return place


if __name__ == "__main__":
    main()
