"""What was compiled while running, kept from one process to the next.

A hook is a new process at every turn. Compiling the expressions that a save needs took
37 ms of CPU, more than four bare starts, and the methods of its values seven; making them
from kept code takes two. The file lies where Python keeps our compiled modules and is
trusted as they are: who can write it can write those.

It can cost time and never a match. Nothing is taken from a file whose seal does not fit
its bytes and this very interpreter; an expression is looked up by all of its text and its
flags; what goes in is what `re.compile` made, compared with it; and whatever cannot be
used is compiled as ever.
"""

import atexit
import os
import re
import sys
from collections.abc import Hashable
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any, TypeAlias, cast

from holdfast import __version__
from holdfast.kernel.files import replace_unlocked
from holdfast.kernel.kept_file import UNUSABLE, KeptFile, file_of
from holdfast.kernel.lazy_patterns import make_with, pattern
from holdfast.kernel.lazy_tuples import compile_with

try:
    import _sre  # type: ignore[import-not-found]  # private
except ImportError:  # an interpreter that has expressions of another kind keeps none
    _sre = None

# Text and flags as they were asked for, and whether a guard was.
Key: TypeAlias = tuple[str | bytes, int, bool]
# Flags, code, groups by name and by number.
Code: TypeAlias = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
# Parts of a text by a word in each, other parts, and code for what needs none of them.
Guard: TypeAlias = tuple[dict[str, tuple[str, ...]], tuple[str, ...], Code | None]
# None: it cannot be made from code, or has no guard.
Expression: TypeAlias = tuple[Code | None, Guard | None]
_MODE = 0o644  # as that of compiled modules: there is nothing of a user's in it
_LONGEST = 4000  # characters of a text that is judged by its words; most are a sentence
_NONE: Expression = (None, None)
# Letters that are equal to others for `re`, or whose small form depends on the word around
# them: a text with one of them is not judged by its words.
ODD = "".join(map(chr, (
    0x130, 0x131, 0x17f, 0x3a3, 0x3b2, 0x3b5, 0x3b8, 0x3b9, 0x3ba, 0x3bc, 0x3c0, 0x3c1,
    0x3c2, 0x3c3, 0x3c6, 0x3d0, 0x3d1, 0x3d5, 0x3d6, 0x3f0, 0x3f1, 0x3f5, 0x1c80,
    0x1c81, 0x1c82, 0x1c83, 0x1c84, 0x1c85, 0x1c86, 0x1c87, 0x1c88, 0x1e9b, 0x1fbe,
    0x1fd3, 0x1fe3, 0xa64b, 0xfb06,
)))  # fmt: skip
_ODD = pattern(f"[{ODD}]")
_GAPS = pattern(r"\W+")
_GAPS_OF_ASCII = {n: " " for n in range(128) if not (chr(n).isalnum() or chr(n) == "_")}


class KeptCode:
    """Makes what `re.compile` and `compile` make, from kept code where there is some."""

    def __init__(self, path: str, *, may_add: bool = True) -> None:
        self._path = path
        self._may_add = may_add
        self._unusable: set[Key] = set()  # of what is in the file
        self._new: dict[Key | str, re.Pattern[Any] | CodeType] = {}

    def make(self, text: Any, flags: int = 0) -> re.Pattern[Any]:
        """Return an expression."""
        key = (text, int(flags), False)
        code, _ = self._expression(key)
        if code is not None:
            try:
                return made_from(text, code)
            except UNUSABLE:
                self._unusable.add(key)
        return self._compiled(key)

    def make_guarded(self, text: Any, flags: int = 0) -> Any:
        """Return an expression, behind its guard if it is known to have one."""
        key = (text, int(flags), True)
        code, guard = self._expression(key)
        if code is not None:
            try:
                if guard is not None:
                    return GuardedExpression(text, code, guard)
                return made_from(text, code)
            except UNUSABLE:
                self._unusable.add(key)
        return self._compiled(key)

    def function(self, text: str) -> CodeType:
        """Return the code of a text that defines a function."""
        kept = self._file.value(text)  # by its own text
        if isinstance(kept, CodeType):
            return kept
        made = compile(text, "<kept>", "exec")
        self._new[text] = made
        return made

    def keep(self) -> None:
        """Keep what this process had to compile; failing to is no loss."""
        new, self._new = self._new, {}
        if not new or not self._may_write():
            return
        from holdfast.kernel.expression_code import code_and_guard  # noqa: PLC0415  # once in many processes

        codes: dict[Hashable, object] = {}
        for key, made in new.items():
            if isinstance(key, str):
                codes[key] = made
            else:
                codes[key] = code_and_guard(key, cast("re.Pattern[Any]", made))
        # Others may have kept more meanwhile; what nobody asks for any more must not pile up.
        owner = _owner()
        known = dict(KeptFile(self._path, owner).values())
        whole = file_of(known | codes, owner) or file_of(codes, owner)
        try:
            replace_unlocked(self._path, whole, durable=False, mode=_MODE)
        except OSError:
            return

    @cached_property
    def _file(self) -> KeptFile:
        return KeptFile(self._path, _owner())

    def _expression(self, key: Key) -> Expression:
        kept = None if key in self._unusable else self._file.value(key)
        return kept if isinstance(kept, tuple) and len(kept) == len(_NONE) else _NONE

    def _compiled(self, key: Key) -> re.Pattern[Any]:
        text, flags, _ = key
        made: re.Pattern[Any] = re.compile(text, flags)
        if key in self._unusable or self._file.value(key) != _NONE:
            self._new[key] = made
        return made

    def _may_write(self) -> bool:
        may_add = self._may_add and self._path
        return bool(may_add) and os.access(os.path.dirname(self._path), os.W_OK)


class GuardedExpression:
    """An expression that is asked only where one of the words stands that it needs."""

    def __init__(self, text: str, code: Code, guard: Guard) -> None:
        self.pattern = text
        self._code = code
        self._by_word, self._parts, rest = guard
        self._words = frozenset(self._by_word)
        self._rest = made_from(None, rest) if rest else None

    def __getattr__(self, name: str) -> Any:
        # What is asked at one place only (`match`) needs no guard; see `lazy_patterns`.
        found = getattr(self._full, name)
        setattr(self, name, found)
        return found

    @cached_property
    def _full(self) -> re.Pattern[str]:
        return made_from(self.pattern, self._code)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first place where it is found."""
        if self.may_be_in(text):
            return self._full.search(text)
        return self._rest.search(text) if self._rest else None

    def sub(self, instead: str, text: str, count: int = 0) -> str:
        """Return a text with something in place of what is found."""
        if self.may_be_in(text):
            return self._full.sub(instead, text, count)
        return self._rest.sub(instead, text, count) if self._rest else text

    def may_be_in(self, text: str) -> bool:
        """Say whether a text has one of the words that all but the rest needs."""
        spaced, words = _words_of(text)
        if not words:
            return True
        if not self._words.isdisjoint(words):
            for word in self._words & words:
                parts = self._by_word[word]
                if not parts or any(part in spaced for part in parts):
                    return True
        for part in self._parts:  # noqa: SIM110  # any() costs twice
            if part in spaced:
                return True
        return False


@lru_cache(maxsize=1024)  # each pass over a session asks for its sentences again
def _words_of(text: str) -> tuple[str, frozenset[str]]:
    """Return a text in small letters with one blank between words, and its words.

    Without words it is not to be judged by them.
    """
    if len(text) > _LONGEST:
        return "", frozenset()
    if text.isascii():
        words = text.lower().translate(_GAPS_OF_ASCII).split()
        return f" {' '.join(words)} ", frozenset(words)
    if _ODD.search(text):
        return "", frozenset()
    spaced = _GAPS.sub(" ", f" {text.lower()} ")
    return spaced, frozenset(spaced.split())


def use_kept_code() -> KeptCode:
    """Have this process take what is kept, and add to it at its end.

    Of a process that leaves without running what `atexit` holds, nothing is kept.
    """
    if _USED:
        return _USED[0]
    kept = KeptCode(_place(), may_add=not sys.dont_write_bytecode)
    _USED.append(kept)
    make_with(kept.make, kept.make_guarded)
    compile_with(kept.function)
    atexit.register(kept.keep)
    return kept


_USED: list[KeptCode] = []  # none or one


def _place() -> str:
    """Return where they lie; nothing where there is no such place."""
    cached = getattr(__spec__, "cached", None)
    if not cached or _sre is None:
        return ""
    return f"{os.path.dirname(cached)}/compiled.{sys.implementation.cache_tag}"


def _owner() -> bytes:
    """Return what this build of Python and this version of holdfast is known by."""
    code = (_sre.MAGIC, _sre.CODESIZE) if _sre else ()
    return repr((__version__, sys.version, code, sys.byteorder)).encode()


def made_from(text: Any, code: Code) -> re.Pattern[Any]:
    """Return the expression that code makes."""
    flags, octets, groups, by_name, by_number = code
    units = memoryview(octets).cast("I").tolist()
    made: re.Pattern[Any] = _sre.compile(text, flags, units, groups, by_name, by_number)
    return made
