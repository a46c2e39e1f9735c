"""A directory of small files, one entry each; nothing is made before it is needed."""

import os
from collections.abc import Callable
from typing import TypeVar

from holdfast.kernel.files import remove_quietly
from holdfast.kernel.private_files import open_directory

ENTRY = ".json"
_T = TypeVar("_T")


def entries(path: str, read: Callable[[str, int], _T]) -> list[_T]:
    """Return what `read` makes of each entry, in the order of their names."""
    try:
        directory = open_directory(path, create=False)
    except OSError:
        return []
    try:
        names = sorted(n for n in os.listdir(directory) if n.endswith(ENTRY))
        return [read(name, directory) for name in names]
    finally:
        os.close(directory)


def drop_entry(path: str, name: str, *, durably: bool) -> None:
    """Remove an entry, if it is there."""
    try:
        directory = open_directory(path, create=False)
    except OSError:
        return
    try:
        remove_quietly(name, directory)
        if durably:
            os.fsync(directory)
    finally:
        os.close(directory)
