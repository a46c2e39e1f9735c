"""What stands for a thing until it is asked for something; only then it is made.

The composition root hands out a redactor that most events never ask: to import its rules
and compile their expressions costs a hook tens of milliseconds.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeVar, cast

_Made = TypeVar("_Made")


def late(make: Callable[[], _Made]) -> _Made:
    """Return what can be used as if it were what `make` returns."""
    return cast("_Made", _Late(make))


class _Late:
    def __init__(self, make: Callable[[], object]) -> None:
        self._made = cache(make)

    def __getattr__(self, name: str) -> object:
        # What was found once is found in the instance: nothing is asked twice.
        found = getattr(self._made(), name)
        setattr(self, name, found)
        return found
