"""A JSON object in a file, read with care and written all or nothing."""

import errno
import json
import os
from collections.abc import Mapping
from typing import Any, NoReturn

from holdfast.kernel.errors import ConfigInvalid
from holdfast.kernel.files import UnsuitableFile, read_file, replace_file

_MOST_BYTES = 1 << 20
_EXAMPLE = "`docs/examples/config.json` shows every setting"


def read_object(
    path: str, *, follow_links: bool, within: int | None = None
) -> dict[str, Any]:
    """Return the object in a file; a missing file is an empty one.

    With `within`, the file is looked for in that open directory.

    Raises:
        ConfigInvalid: it cannot be read, or is not a JSON object; names the place.
    """
    name = path if within is None else os.path.basename(path)
    try:
        raw = read_file(name, within, limit=_MOST_BYTES, follow_links=follow_links)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except UnsuitableFile:
        raise ConfigInvalid(f"`{path}` is not a small file", hint=_EXAMPLE) from None
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem) from None
    return _parsed(raw, path)


def write_object(value: Mapping[str, Any], name: str, within: int) -> None:
    """Put an object in place of a file, for its owner only.

    The caller holds the directory's lock, so a draft found there was left by the dead.

    Raises:
        OSError: nothing was put in place, and no half file stays behind.
    """
    replace_file(name, _text(value).encode(), within)


def _text(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return json.dumps(value, indent=2) + "\n"  # half a character has no bytes
    return text


def _parsed(raw: bytes, path: str) -> dict[str, Any]:
    try:
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
    except json.JSONDecodeError as problem:
        raise ConfigInvalid(
            f"`{path}` is not JSON: {problem.msg} at line {problem.lineno},"
            f" column {problem.colno}",
            hint=_EXAMPLE,
        ) from None
    except (ValueError, RecursionError) as problem:
        reason = "too deep" if isinstance(problem, RecursionError) else str(problem)
        raise ConfigInvalid(f"`{path}` is not JSON: {reason}", hint=_EXAMPLE) from None
    if not isinstance(value, dict):
        raise ConfigInvalid(f"`{path}` must hold one JSON object", hint=_EXAMPLE)
    return value


def _refuse(constant: str) -> NoReturn:
    message = f"`{constant}` is not a number JSON knows"
    raise ValueError(message)


def _unreadable(path: str, problem: Exception) -> ConfigInvalid:
    reason = problem.strerror if isinstance(problem, OSError) else "not a file name"
    if isinstance(problem, OSError) and problem.errno == errno.ELOOP:
        reason = "it is a symbolic link"
    return ConfigInvalid(
        f"`{path}` cannot be read: {reason}",
        hint="make it a plain file that you can read, or remove it",
    )
