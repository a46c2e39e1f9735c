"""Changing one setting in the user's own file."""

import fcntl
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from holdfast.config.files import read_object, write_object
from holdfast.config.keys import Key, key_named
from holdfast.config.load import invalid, not_an_object
from holdfast.config.places import Places
from holdfast.config.settings import Setting
from holdfast.kernel.errors import ConfigInvalid

_PAUSE = 0.02  # seconds; a change takes milliseconds
_MOST_TRIES = 250


def set_value(places: Places, name: str, text: str) -> Setting:
    """Write one setting; everything else in the file stays, in its order.

    Two at once lose nothing, and a process killed in between changes nothing.

    Raises:
        ConfigInvalid: no such setting, a value it may not have, or a file that is not
            ours to change: broken, a symbolic link, or read-only.
    """
    return set_values(places, {name: text})[0]


def set_values(places: Places, texts: Mapping[str, str]) -> tuple[Setting, ...]:
    """Write several settings at once: all of them, or none if one of them is wrong.

    Raises:
        ConfigInvalid: as `set_value`.
    """
    values = [_understood(name, text) for name, text in texts.items()]
    try:
        _write(places.user_config, values)
    except OSError as problem:
        raise ConfigInvalid(
            f"`{places.user_config}` cannot be written: {problem.strerror}",
            hint="its directory must be yours to write, and no symbolic link",
        ) from None
    return tuple(Setting(value, "user") for _, value in values)


def _understood(name: str, text: str) -> tuple[Key, object]:
    key = key_named(name)
    value = key.kind.from_text(text)
    if not key.kind.accepts(value):
        raise invalid(key, value, "the command line")
    return key, value


def _write(path: str, values: Sequence[tuple[Key, object]]) -> None:
    directory = os.path.dirname(path)
    _make_directory(directory)
    within = os.open(directory, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _wait_for(within, path)
        whole = read_object(path, follow_links=False, within=within)
        for key, value in values:
            whole = _changed(whole, key, value, path)
        write_object(whole, os.path.basename(path), within)
    finally:
        os.close(within)


def _wait_for(directory: int, path: str) -> None:
    """Wait for whoever changes a setting, but not for one that hangs.

    Raises:
        ConfigInvalid: it took too long.
    """
    from threading import Event  # noqa: PLC0415  # hooks read settings and change none

    pause = Event()
    for _ in range(_MOST_TRIES):
        try:
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pause.wait(_PAUSE)
        else:
            return
    raise ConfigInvalid(
        f"another process has been changing `{path}` for too long",
        hint="look for a process that hangs, then try again",
    )


def _changed(
    before: dict[str, Any], key: Key, value: object, path: str
) -> dict[str, Any]:
    if not key.section:
        return {**before, key.key: value}
    part = before.get(key.section, {})
    if not isinstance(part, dict):
        raise not_an_object(key.section, path)
    after = {**before, key.section: {**part, key.last_segment: value}}
    after.pop(key.key, None)  # `hooks.nudge` written flat would hide the new value
    return after


def _make_directory(path: str) -> None:
    """Make a directory and those above it, each for its owner only."""
    above = os.path.dirname(path)
    if above not in ("", path) and not os.path.isdir(above):
        _make_directory(above)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
