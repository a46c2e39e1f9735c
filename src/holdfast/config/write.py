"""Changing one setting in the user's own file."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.config.files import read_object, write_object
from holdfast.config.keys import Key, key_named
from holdfast.config.load import invalid, not_an_object
from holdfast.config.places import Places
from holdfast.config.settings import Setting
from holdfast.kernel.directories import directory_below, make_directory
from holdfast.kernel.errors import ConfigInvalid
from holdfast.kernel.locks import directory_held

_PATIENCE = 5.0  # seconds; a change takes milliseconds


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
    make_directory(directory)
    try:
        with (
            directory_below(directory, ()) as within,
            directory_held(within, _PATIENCE),
        ):
            whole = read_object(path, follow_links=False, within=within)
            for key, value in values:
                whole = _changed(whole, key, value, path)
            write_object(whole, os.path.basename(path), within)
    except TimeoutError:
        raise ConfigInvalid(
            f"another process has been changing `{path}` for too long",
            hint="look for a process that hangs, then try again",
        ) from None


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
