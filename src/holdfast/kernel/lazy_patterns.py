"""Regular expressions that are compiled when they are first used.

What a hook's fold imports defines about 140 and needs few: compiling them all takes some
25 ms, more than the fold. To a type checker, and to who uses one, `pattern` is `re.compile`.
So are `compiled`, for an expression that is put together from words of ours only when a
text asks for it, and `guarded`, for one that is asked of every sentence and finds something
in few. None of them is for what a user wrote: who wires the program may have what is made
here kept for the next process (`kept_code`).
"""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class _Maker:
    """How an expression is made: by `re`, unless somebody keeps them."""

    def __init__(self) -> None:
        self.make: Callable[[Any, int], Any] = re.compile
        self.make_guarded: Callable[[Any, int], Any] = re.compile


_MAKER = _Maker()


class _Pattern:
    """Becomes a compiled expression, one method after the other."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # What was found once is found in the instance: no slower than the expression.
        if "_made" not in self.__dict__:
            self._made = _MAKER.make(self.pattern, self._flags)
        found = getattr(self._made, name)
        setattr(self, name, found)
        return found


def _compiled(text: Any, flags: int = 0) -> Any:
    return _MAKER.make(text, flags)


def _guarded(text: Any, flags: int = 0) -> Any:
    return _MAKER.make_guarded(text, flags)


def make_with(
    make: "Callable[[Any, int], Any]", make_guarded: "Callable[[Any, int], Any]"
) -> None:
    """Have expressions made by these from now on, as `re.compile` would make them.

    What is guarded has the methods `search`, `match`, `sub` and `finditer` only.
    """
    _MAKER.make = make
    _MAKER.make_guarded = make_guarded


if TYPE_CHECKING:
    from re import compile as compiled, compile as guarded, compile as pattern
else:
    compiled, guarded, pattern = _compiled, _guarded, _Pattern

__all__ = ["compiled", "guarded", "make_with", "pattern"]
