"""Do two statements say the same, or the opposite? Words decide, not meaning."""

import re

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.words import FORBIDS, word_list, words_in

_SAME = 0.8  # share of common words
_FEWEST = 3  # words; two shorter statements are the same only if equal
_ABOUT = pattern(
    r"^(?P<subject>.{2,80}?)(?::\s+|\s+(?:is|are|was|=|→|uses?|lives? in|runs? on|at)\s+)(?P<value>.+)$",
    re.IGNORECASE,
)
_MARKUP = pattern(r"[*_`\"“”▸]+")
# What a statement begins with that is no subject of its own.
_LABELS = frozenset(
    ["note", "todo", "found", "decided", "rule", "fix", "the user's rule"]
)


def alike(first: str, second: str) -> bool:
    """Say whether two statements say nearly the same."""
    if _flat(first) == _flat(second):
        return True
    if contradicts(first, second):
        return False
    one, other = _words(first), _words(second)
    if min(len(one), len(other)) < _FEWEST or _numbers(first) != _numbers(second):
        return False
    return len(one & other) >= _SAME * len(one | other)


def contradicts(first: str, second: str) -> bool:
    """Say whether two statements give one subject two values, or one forbids what the
    other wants."""
    return _differ_in_value(first, second) or _turn_around(first, second)


def _differ_in_value(first: str, second: str) -> bool:
    one, other = _ABOUT.match(_bare(first)), _ABOUT.match(_bare(second))
    if not one or not other:
        return False
    subject, again = _flat(one["subject"]), _flat(other["subject"])
    if subject != again or subject in _LABELS:
        return False
    value, new = _flat(one["value"]), _flat(other["value"])
    return value != new and not (value in new or new in value)


def _turn_around(first: str, second: str) -> bool:
    if bool(FORBIDS.search(first.casefold())) == bool(
        FORBIDS.search(second.casefold())
    ):
        return False
    negations = word_list("negations")
    one, other = _words(first) - negations, _words(second) - negations
    return len(one) > 1 and one == other


def _words(text: str) -> frozenset[str]:
    return words_in(_bare(text).casefold())


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _bare(text: str) -> str:
    return _MARKUP.sub("", text).strip()


def _flat(text: str) -> str:
    return " ".join(_bare(text).casefold().split()).rstrip(".!。 ")
