"""From files, environment and flags to one configuration; the last to speak wins.

defaults < contextd's file < the user's file < the project's file < environment < flags

A repository can set the environment of hooks. So a variable may not loosen what the
user's own file says strictly, and never names a store, a team, a mirror or exclusions.
What is changed is changed in the user's own file.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.config.files import read_object, write_object
from holdfast.config.keys import BY_NAME, KEYS, OLD_NAMES, SECTIONS, Key, key_named
from holdfast.config.places import Places, is_disabled
from holdfast.config.settings import Config, Origin, Setting, config_of
from holdfast.domain.text import one_line, visible
from holdfast.kernel.directories import directory_below, make_directory
from holdfast.kernel.errors import ConfigInvalid
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.locks import directory_held

PROJECT_FILE = ".holdfast.json"
_MOST_SHOWN = 60
_OLD_SECTIONS = ("hooks", "checkpoint")
_OLD_VARIABLES = {
    "CONTEXTD_AUTO_CHECKPOINT_ON_CLEAR": "hooks.auto_checkpoint_on_clear",
    "CONTEXTD_AUTO_RESUME": "hooks.auto_resume_on_start",
    "CONTEXTD_AUTO_RESUME_ON_START": "hooks.auto_resume_on_start",
    "CONTEXTD_CHECKPOINT_THRESHOLD": "hooks.checkpoint_threshold_percent",
    "CONTEXTD_CHECKPOINT_THRESHOLD_PERCENT": "hooks.checkpoint_threshold_percent",
    "CONTEXTD_VERIFY_BEFORE_CLEAR": "hooks.verify_before_clear",
}

_PATIENCE = 5.0  # seconds; a change takes milliseconds


def load(
    places: Places,
    environ: Mapping[str, str],
    *,
    project: str | None = None,
    flags: Mapping[str, object] | None = None,
    tolerant: bool = False,
) -> Config:
    """Return the configuration in force for a project.

    What a stranger or another tool wrote wrongly is a warning. What the user wrote
    wrongly is an error, unless `tolerant`: a hook must still save.

    Raises:
        ConfigInvalid: names the place, the key, the value and what is allowed.
    """
    layers = _Layers(tolerant=tolerant)
    layers.read_contextd(places.contextd_config)
    layers.read_user(places.user_config)
    if project is not None:
        layers.read_project(f"{project}/{PROJECT_FILE}")
    layers.read_environment(environ)
    for name, value in (flags or {}).items():
        layers.take_flag(name, value)
    if is_disabled(environ):
        layers.values["enabled"] = Setting(value=False, origin="environment")
    return config_of(layers.values, tuple(layers.safe_warnings()))


class _Speaker(NamedTuple):
    """Who says something. Only the user's own words deserve an error."""

    origin: Origin
    where: str
    is_user: bool = True


class _Layers:
    """What is in force so far, and what was ignored on the way."""

    def __init__(self, *, tolerant: bool) -> None:
        self.values = {key.key: Setting(key.default) for key in KEYS}
        self.warnings: list[str] = []
        self._refused: list[tuple[str, Key]] = []
        self._own: dict[str, Any] = {}  # what the user's own file says
        self._tolerant = tolerant

    def safe_warnings(self) -> Iterator[str]:
        """Yield what was ignored, without secrets: a stranger's words end in a terminal."""
        for message, key in self._refused:  # a later layer may have said it right
            used = f", `{_json(self.values[key.key].value)}` is used"
            shown = "" if key.is_secret else used
            self.warnings.append(f"{message}; it was ignored{shown}")
        if self.warnings:
            from holdfast.redaction.redactor import Redactor  # noqa: PLC0415  # few settings are wrong

            rules = self.values["redaction.rules"].value
            yield from map(Redactor(rules=rules).text, self.warnings)

    def read_contextd(self, path: str) -> None:
        speaker = _Speaker("contextd", f"`{path}`", is_user=False)
        for name, value in _old_settings(self._object(path, speaker)):
            self._take(BY_NAME[name], value, speaker)

    def read_user(self, path: str) -> None:
        speaker = _Speaker("user", f"`{path}`")
        for name, value in _flattened(self._object(path, speaker)):
            key = BY_NAME.get(name)
            if key is not None:
                self._take(key, value, speaker)
            elif name in SECTIONS:
                self._complain(not_an_object(name, path), speaker)
            else:
                self.warnings.append(f"`{_clean(name)}` in `{path}` is not a setting")

    def read_project(self, path: str) -> None:
        speaker = _Speaker("project", f"`{path}`", is_user=False)
        for name, value in _flattened(self._object(path, speaker)):
            key = BY_NAME.get(name)
            turns_on = name == "enabled" and value is not False
            if key is None or not key.in_project or turns_on:
                self.warnings.append(
                    f"`{_clean(name)}` in `{path}` was ignored: a project may only"
                    " turn holdfast off and set thresholds and budgets"
                )
            else:
                self._take(key, value, speaker)

    def read_environment(self, environ: Mapping[str, str]) -> None:
        for variable, name in _OLD_VARIABLES.items():
            self._take_variable(variable, BY_NAME[name], environ)
        for key in KEYS:
            self._take_variable(key.variable, key, environ)

    def take_flag(self, name: str, value: object) -> None:
        key = key_named(name)
        typed = key.kind.from_text(value) if isinstance(value, str) else value
        self._take(key, typed, _Speaker("flag", "the command line"))

    def _take_variable(
        self, variable: str, key: Key, environ: Mapping[str, str]
    ) -> None:
        text = environ.get(variable, "").strip()
        if text and key.user_only:
            self.warnings.append(
                f"`{variable}` in the environment was ignored: only the user's own"
                f" file may set `{key.key}`"
            )
        elif text and self._loosens(key, key.kind.from_text(text)):
            self.warnings.append(
                f"`{variable}` in the environment was ignored: it cannot loosen"
                f" `{key.key}` of the user's own file"
            )
        elif text:
            where = f"the environment (`{variable}`)"
            speaker = _Speaker("environment", where, variable not in _OLD_VARIABLES)
            self._take(key, key.kind.from_text(text), speaker)

    def _loosens(self, key: Key, value: object) -> bool:
        if key.looser is None or key.key not in self._own:
            return False
        return key.kind.accepts(value) and key.looser(value, self._own[key.key])

    def _take(self, key: Key, value: object, speaker: _Speaker) -> None:
        if key.kind.accepts(value):
            self.values[key.key] = Setting(value, speaker.origin)
            if speaker.origin == "user":
                self._own[key.key] = value
        else:
            self._complain(invalid(key, value, speaker.where), speaker, key)

    def _object(self, path: str, speaker: _Speaker) -> Mapping[str, Any]:
        try:
            return read_object(path, follow_links=speaker.origin != "project")
        except ConfigInvalid as problem:
            self._complain(problem, speaker)
            return {}

    def _complain(
        self, problem: ConfigInvalid, speaker: _Speaker, key: Key | None = None
    ) -> None:
        if speaker.is_user and not self._tolerant:
            raise problem
        if key is None:
            self.warnings.append(f"{problem.message}; it was ignored")
        else:
            self._refused.append((problem.message, key))


def invalid(key: Key, value: object, where: str) -> ConfigInvalid:
    """Return the error that a value deserves; one that may be secret is not shown."""
    shown = "has a wrong value" if key.is_secret else f"is `{_clean(_json(value))}`"
    return ConfigInvalid(
        f"`{key.key}` in {where} {shown}: it must be {key.allowed}",
        hint=f"the default is `{key.default_text}`; `holdfast config list` shows"
        " where each value comes from",
    )


def not_an_object(section: str, path: str) -> ConfigInvalid:
    """Return the error of a section that is a plain value."""
    keys = [key.last_segment for key in KEYS if key.section == section]
    return ConfigInvalid(
        f"`{section}` in `{path}` must be an object",
        hint=f'write it as `{{"{section}": {{"{keys[0]}": …}}}}`',
    )


def _flattened(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in raw.items():
        if name in SECTIONS and isinstance(value, Mapping):
            for inner, setting in value.items():
                yield f"{name}.{inner}", setting
        else:
            yield name, value


def _old_settings(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what contextd's file says of our keys: in its sections, or flat."""
    parts = [raw.get(section) for section in _OLD_SECTIONS]
    for part in (raw, *parts):
        if not isinstance(part, Mapping):
            continue
        for name, value in part.items():
            for section in _OLD_SECTIONS:
                key = OLD_NAMES.get(name, f"{section}.{name}")
                if key in BY_NAME:
                    yield key, value
                    break


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _clean(text: str) -> str:
    """Return the beginning of a text that was typed; no rule knows half a secret."""
    from holdfast.redaction.redactor import Redactor  # noqa: PLC0415  # few settings are wrong

    return one_line(Redactor().text(visible(text)), _MOST_SHOWN)


def set_values(places: Places, texts: Mapping[str, str]) -> tuple[Setting, ...]:
    """Write settings: all of them, or none if one is wrong; the rest of the file stays.

    Two at once lose nothing, and a process killed in between changes nothing.

    Raises:
        ConfigInvalid: no such setting, a value it may not have, or a file that is not
            ours to change: broken, a symbolic link, or read-only.
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
