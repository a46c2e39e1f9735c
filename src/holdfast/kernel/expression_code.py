"""What `re` made of an expression: its code, and what a text must have for it to find any.

Most sentences have none of the words of a cue, and finding that out is far cheaper than
trying every alternative at every letter. The words are not written by hand: they are read
off the expression itself, once, when it is kept (`kept_code`).

Text and words are compared in small letters, with one blank for whatever stands between two
words: `\\bdon't\\s+push` needs ` don t push`, and a blank at an end of it says that a word
ends there. Alternatives of which no such words can be told are the rest: always looked for.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from holdfast.kernel.kept_code import ODD, Code, Expression, Guard, Key, made_from

_UNIT_SIZE = 4  # bytes of a number of code
_MOST_FORMS = 100  # that a part of an expression is written out in
_MOST_JOINED = 12  # where two such parts follow each other
_MOST_NEEDLES = 1000
_LONG_ENOUGH = 5  # letters; what is longer is not looked for any sooner

_Part: TypeAlias = tuple[Any, Any]  # of a parsed expression: what it is, and of what
_EDGE: _Part = ("AT", "BOUNDARY")
_Forms: TypeAlias = frozenset[str]  # of which one stands in all that a part finds
_NOTHING: _Forms = frozenset([""])
_GAP: _Forms = frozenset([" "])


def code_and_guard(key: Key, made: re.Pattern[Any]) -> Expression:
    """Return the code of an expression, if one made from it is the same, and its guard."""
    text, flags, is_guarded = key
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined]  # noqa: PLC0415  # private: only to look

        parsed = _parser.parse(text, flags)
        code = _code_of(_compiler, parsed, flags)
        again = made_from(text, code)
        # Two expressions are equal if text, flags and code are.
        if again != made or again.groupindex != made.groupindex:
            return None, None
        return code, _guard_of(_compiler, parsed, flags) if is_guarded else None
    except Exception:  # noqa: BLE001  # another Python: this expression is compiled each time
        return None, None


def _code_of(compiler: Any, parsed: Any, flags: int) -> Code:
    state = parsed.state
    by_number: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        by_number[number] = name
    units = compiler._code(parsed, flags)  # noqa: SLF001  # there is no other way to it
    octets = b"".join(unit.to_bytes(_UNIT_SIZE, sys.byteorder) for unit in units)
    names = dict(state.groupdict)
    return flags | state.flags, octets, state.groups - 1, names, tuple(by_number)


def _guard_of(compiler: Any, parsed: Any, flags: int) -> Guard | None:
    """Return what an expression needs; None if that cannot be told.

    Where only English letters make words, these end elsewhere than those of a text.
    """
    if (flags | parsed.state.flags) & (re.ASCII | re.LOCALE) or not _knows_all_odd():
        return None
    items = list(parsed)
    is_branch = len(items) == 1 and str(items[0][0]) == "BRANCH"
    alternatives = items[0][1][1] if is_branch else [parsed]
    needles: set[str] = set()
    rest = []
    for each in alternatives:
        needed = _needed(list(each))
        needles |= needed or set()
        if needed is None:
            rest.append(each)
    has_groups = parsed.state.groups > 1
    if not needles or len(needles) > _MOST_NEEDLES or (rest and has_groups):
        return None
    by_word, parts = _indexed(needles)
    if not rest:
        return by_word, parts, None
    left = type(parsed)(parsed.state, [(items[0][0], (None, rest))])
    return by_word, parts, _code_of(compiler, left, flags)


def _indexed(
    needles: Iterable[str],
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return needles by the longest whole word in each, and those that have none."""
    by_word: dict[str, tuple[str, ...]] = {}
    parts: list[str] = []
    for needle in sorted(needles, key=lambda needle: (len(needle), needle)):
        whole = needle[needle.find(" ") + 1 : needle.rfind(" ") + 1].split()
        word = max(whole, key=len, default="")
        if any(part in needle for part in parts) or by_word.get(word) == ():
            continue  # it stands in none without the other one
        if not word:
            parts.append(needle)
        elif needle == f" {word} ":
            by_word[word] = ()
        else:
            by_word[word] = (*by_word.get(word, ()), needle)
    return by_word, tuple(parts)


def _knows_all_odd() -> bool:
    """Say whether of letters that are equal to this Python all but one are odd."""
    from re import _casefix  # type: ignore[attr-defined]  # noqa: PLC0415  # private: only to look

    equal = _casefix._EXTRA_CASES  # noqa: SLF001  # there is no other way to it
    return all(
        sum(chr(letter) not in ODD for letter in {first, *others}) <= 1
        for first, others in equal.items()
    )


def _needed(items: Sequence[_Part]) -> _Forms | None:
    """Return needles of which one stands in all that a sequence finds, the best ones."""
    found: list[_Forms] = []
    run = _NOTHING
    for at, (op, given) in enumerate(items):
        forms = _forms(str(op), given)
        joined = _joined(run, forms) if forms is not None else None
        if joined is not None:
            run = joined
            continue
        found.append(run)
        if forms is None:
            ends = all(form.endswith(" ") for form in run)
            begins = _begins_with_gap(items[at + 1 :])
            inner = _inner(str(op), given, [_EDGE] * ends, [_EDGE] * begins)
            found += [inner] if inner else []
        run = forms if forms is not None else _NOTHING
    found.append(run)
    useful = [needles for needles in found if all(n.strip() for n in needles)]
    return max(useful, key=_worth, default=None)


def _begins_with_gap(items: Sequence[_Part]) -> bool:
    forms = _forms(str(items[0][0]), items[0][1]) if items else None
    return forms is not None and all(form.startswith(" ") for form in forms)


def _worth(needles: _Forms) -> tuple[int, int]:
    shortest = min(len(needle) for needle in needles)
    return min(shortest, _LONG_ENOUGH), -len(needles)


def _joined(before: _Forms, after: _Forms) -> _Forms | None:
    """Return each form followed by each other, unless these are too many."""
    if len(before) > 1 < len(after) and len(before) * len(after) > _MOST_JOINED:
        return None
    return frozenset(_plain(f"{one}{other}") for one in before for other in after)


def _plain(text: str) -> str:
    """Return a text with one blank for what stands between words."""
    spaced = "".join(sign if _is_of_word(sign) else " " for sign in text)
    while "  " in spaced:
        spaced = spaced.replace("  ", " ")
    return spaced


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _inner(
    op: str, given: Any, before: list[_Part], after: list[_Part]
) -> _Forms | None:
    """Return what a part needs that cannot be written out, between what stands beside it."""
    if op == "BRANCH":
        needed = [_needed([*before, *each, *after]) for each in given[1]]
        return None if None in needed else frozenset().union(*filter(None, needed))
    if op in _REPEATS:
        return _needed(list(given[2])) if given[0] > 0 else None
    within = _within(op, given)
    return _needed([*before, *within, *after]) if within is not None else None


def _within(op: str, given: Any) -> list[_Part] | None:
    """Return what a group holds."""
    if op == "SUBPATTERN":
        return None if given[1] & re.ASCII else list(given[3])
    return list(given) if op == "ATOMIC_GROUP" else None


def _forms(op: str, given: Any) -> _Forms | None:
    """Return every form of what a part finds, written out; None if that cannot be done."""
    if op in _WRITTEN:
        return _WRITTEN[op](given)
    within = _within(op, given)
    return _sequence(within) if within is not None else None


def _sequence(items: Sequence[_Part]) -> _Forms | None:
    run: _Forms | None = _NOTHING
    for op, given in items:
        forms = _forms(str(op), given)
        run = _joined(run, forms) if run is not None and forms is not None else None
    return run


def _alternatives(given: Any) -> _Forms | None:
    forms: set[str] = set()
    for each in given[1]:
        written = _sequence(list(each))
        if written is None:
            return None
        forms |= written
    return frozenset(forms) if len(forms) <= _MOST_FORMS else None


def _repeated(given: tuple[int, int, Any]) -> _Forms | None:
    fewest, most, what = given
    once = _sequence(list(what))
    if once is None or (fewest == most == 1):
        return once
    if once == _GAP or most == 1:  # any number of blanks is one
        return once if fewest else once | _NOTHING
    return None


def _one_of(members: Sequence[_Part]) -> _Forms | None:
    forms: set[str] = set()
    for op, given in members:
        is_space = str(given) == "CATEGORY_SPACE"
        letter = _letter(given) if str(op) == "LITERAL" else _GAP if is_space else None
        if letter is None:
            return None
        forms |= letter
    return frozenset(forms)


def _letter(number: int) -> _Forms | None:
    import _sre  # type: ignore[import-not-found]  # noqa: PLC0415  # private: its own small letters

    small = chr(_sre.unicode_tolower(number))
    if small in ODD or chr(number) in ODD:
        return None
    return frozenset([small if _is_of_word(small) else " "])


def _place(where: Any) -> _Forms | None:
    """Return what stands where a word, a line or the text begins or ends."""
    return None if "NON_BOUNDARY" in str(where) else _GAP


def _nothing(_: Any) -> _Forms:
    return _NOTHING


_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_WRITTEN: dict[str, Callable[[Any], _Forms | None]] = {
    "LITERAL": _letter,
    "IN": _one_of,
    "AT": _place,
    "ASSERT": _nothing,
    "ASSERT_NOT": _nothing,
    "BRANCH": _alternatives,
    **dict.fromkeys(_REPEATS, _repeated),
}
