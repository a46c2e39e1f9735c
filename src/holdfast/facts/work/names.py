"""The identifiers in play: what was written, searched and spoken of last comes first."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp2

from holdfast.domain.checkpoint import FileRef
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.session import Call, Turn
from holdfast.facts.work.files import stem_of
from holdfast.facts.work.identifiers import identifiers

_MOST = 80
# Calls after which a mention counts half as much: what is at hand comes back at once,
# what the work is about comes back all the time.
_AT_HAND, _ABOUT = 5, 60
_ABOUT_SHARE = 0.1
_COUNTS_FOR = 240  # calls; older mentions change nothing
_WRITTEN = 0.7  # of the many names in a piece of code each counts less
_SPOKEN = 0.7  # what was said counts less than what was done
_CUT = 350  # characters; a longer text may end in half a name


def names_of(
    turns: Sequence[Turn], files: Sequence[FileRef], wrote: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return identifiers by how often and how lately they were used.

    `wrote` holds the names in what was written last, by call.
    """
    score: defaultdict[str, float] = defaultdict(float)
    for text, weight in _texts(turns, dict(wrote)):
        for name in identifiers(text):
            score[name] += weight
    known = {stem_of(file.path) for file in files}
    ranked = sorted(score.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(name for name, _ in ranked if name not in known)[:_MOST]


def _texts(
    turns: Sequence[Turn], wrote: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    """Yield what names stand in, with its weight, from the end as far as it counts."""
    age = 0
    for turn in reversed(turns):
        freshest = _freshness(age)
        for call in reversed(turn.calls):
            is_edit = call.role in EDITING
            text = wrote.get(call.call_id) or _text(call)
            yield text, _freshness(age) * (_WRITTEN if is_edit else 1)
            age += 1
        for said in turn.said:
            yield said.text, _SPOKEN * freshest
        yield turn.prompt[:4000], freshest
        if age > _COUNTS_FOR:
            return


def _freshness(age: int) -> float:
    return exp2(-age / _AT_HAND) + _ABOUT_SHARE * exp2(-age / _ABOUT)


def _text(call: Call) -> str:
    """Return the part of a call in which names stand for code."""
    if call.role in EDITING:
        is_cut = len(call.detail) >= _CUT
        return call.detail.rpartition(" ")[0] if is_cut else call.detail
    if call.role == "search":
        return call.target.replace("\\b", " ")  # a pattern's word boundary
    return call.target if call.role in SHELL else ""
