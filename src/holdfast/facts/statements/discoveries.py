"""What the agent found out and did not take back.

"Actually, that's not it" and "the real cause is …" say that something found before is
not so: a brief that tells it sends the next session the way that was left.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Said, Turn
from holdfast.facts.statements.statements import is_told, item_of, newest
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.languages import Cues, GuardedCues
from holdfast.language.prose import but_for_figures, is_question, sentences

_FOUND = GuardedCues(
    lambda spoken: spoken.statements.found, lambda spoken: spoken.statements.real_cause
)
# Says of what was found before that it is not so.
_NOT_IT = GuardedCues(lambda spoken: spoken.statements.not_it)
# Says so by naming another cause.
_REAL_CAUSE = Cues(lambda spoken: spoken.statements.real_cause.expression)
_ROOT_CAUSE = Cues(
    lambda spoken: "\n|".join(
        filter(
            None,
            (spoken.statements.root_cause, spoken.statements.real_cause.expression),
        )
    )
)
# A finding names something, or gives a reason.
_SAYS_WHAT = Cues(
    lambda spoken: spoken.statements.reason,
    common=r"`|\w\(\)|\w[_/.]\w|[a-z][A-Z]|[^\x00-\x7f]{4}",
    flags=re.VERBOSE,
)
# What may be so was not found out.
_SUPPOSES = Cues(lambda spoken: spoken.statements.supposes)
# A finding that points at what was said before it tells nothing alone.
_POINTS_BACK = Cues(lambda spoken: spoken.statements.points_back)
_NAME = pattern(r"`([^`]+)`|\b(\w+(?:[_.]\w+|\(\))|[a-z]+[A-Z]\w*)")
_NEAR = 1  # turns; what was said before them is not what "that" means


class _Claim(NamedTuple):
    """A sentence about a cause: that it is one, that something else is not, or both."""

    turn: int
    said: Said
    sentence: str
    finds: bool
    denies: bool  # that what was found is one
    replaces: bool  # it, by another one


def discoveries_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what the agent found out, oldest first, the root causes of a turn last;
    not what it took back, and of a figure that was found again, the last."""
    standing = _standing(_claims(turns))
    by_turn = (list(group) for _, group in groupby(standing, itemgetter(0)))
    return newest(_corrected(claim for group in by_turn for claim in _ranked(group)))


def _claims(turns: Sequence[Turn]) -> Iterator[_Claim]:
    """Yield what was said about causes, the newest first."""
    for place in reversed(range(len(turns))):
        for said in reversed(turns[place].said):
            if _FOUND.may_be_in(said.text) or _NOT_IT.may_be_in(said.text):
                for sentence in reversed(sentences(said.text)):
                    claim = _claim(place, said, sentence)
                    if claim.finds or claim.denies or claim.replaces:
                        yield claim


def _claim(turn: int, said: Said, sentence: str) -> _Claim:
    replaces = _REAL_CAUSE.search(sentence) is not None
    denies = _NOT_IT.is_in(sentence) and not is_question(sentence)
    return _Claim(turn, said, sentence, _FOUND.is_in(sentence), denies, replaces)


def _standing(claims: Iterable[_Claim]) -> Iterator[_Claim]:
    """Yield the findings that no later sentence took back; each takes back one."""
    open_ends: list[_Claim] = []
    for claim in claims:
        if claim.finds:
            later = next((end for end in open_ends if _means(end, claim)), None)
            if later is not None:
                open_ends.remove(later)
            elif _is_telling(claim.sentence):
                yield claim
        if claim.denies or claim.replaces:
            open_ends.append(claim)


def _means(later: _Claim, claim: _Claim) -> bool:
    """Say whether a sentence takes back this claim: by name, or as the last before it.

    Who names another cause names that one, and only refines what has the same name.
    """
    named, about = _names(later.sentence), _names(claim.sentence)
    is_near = later.turn - claim.turn <= _NEAR
    if later.replaces:
        return is_near and named.isdisjoint(about)
    return not named.isdisjoint(about) if named else is_near


def _names(sentence: str) -> set[str]:
    return {(one or other).strip("()") for one, other in _NAME.findall(sentence)}


def _is_telling(sentence: str) -> bool:
    return is_told(sentence) and not (
        _POINTS_BACK.match(sentence)
        or _SUPPOSES.search(sentence)
        or _SAYS_WHAT.search(sentence) is None
    )


def _ranked(claims: Sequence[_Claim]) -> list[_Claim]:
    """Return the findings of one turn, root causes first: they end a search."""
    return sorted(claims, key=lambda claim: not _ROOT_CAUSE.search(claim.sentence))


def _corrected(claims: Iterable[_Claim]) -> Iterator[Item]:
    """Yield findings without the older ones that differ in their figures only."""
    told: set[str] = set()
    for claim in claims:
        words = but_for_figures(claim.sentence)
        if words not in told:
            told.add(words)
            yield item_of(claim.sentence, "agent", claim.said)
