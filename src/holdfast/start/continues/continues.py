"""Does the first prompt of a session continue the work of a checkpoint?

Pure, and without a model. Three signs decide alone: the name of the checkpoint, a phrase
that says so, and a prompt so short that it names nothing. Otherwise the evidence is weighed.
"""

from typing import Literal

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.content_words import content_words, folded, shared
from holdfast.start.continues.continuing_phrases import (
    AGREES,
    ENDS,
    FILLER,
    NO,
    OTHER,
    REFERS,
    REFUSES,
    STRONG,
    WEAK,
    WEAK_ANYWHERE,
)
from holdfast.start.continues.discourse import ACTS
from holdfast.start.continues.evidence import (
    BAR,
    Evidence,
    Speech,
    evidence,
    length_of,
    of_speech,
    of_words,
    points,
)
from holdfast.start.continues.naming_work import names_it, names_work
from holdfast.start.continues.new_work import ASKS, MAKES
from holdfast.start.continues.phrase_book import FoldedText, is_dense, said
from holdfast.start.continues.work import Work, words_of

Sign = Literal["phrase", "name", "words", "known", "short"]
Told = Sign | Literal["no", "unsure"]

_MOST_TEXT = 2_000  # characters of a prompt that are looked at
_MOST_WEIGHED = 600  # the rest of a long prompt has words of everything
_SHORT = 6  # words
_FEW_NEW = 2


class Verdict(NamedTuple):
    """Whether a prompt continues a work, and what was weighed, if anything was."""

    sign: Sign | None
    found: Evidence | None = None


def judged(prompt: str, work: Work) -> Verdict:
    """Return by which sign a prompt continues the work, or None if it does not."""
    alone = told(prompt, work)
    if alone == "unsure":
        found = weighed(prompt, work)
        return Verdict(_sign_of(found), found)
    return Verdict(None if alone == "no" else alone)


def told(prompt: str, work: Work) -> Told:
    """Return what needs no weighing: a sign that decides alone, a no, or that none does."""
    text = folded(prompt[:_MOST_TEXT])
    if not text or text.startswith("/") or _is_refused(text, work):
        return "no"
    if names_it(prompt[:_MOST_TEXT], work):
        return "name"
    if OTHER.search(text) and not names_work(prompt[:_MOST_WEIGHED], work):
        return "no"
    return _said(text, work)


def _said(text: str, work: Work) -> Told:
    core = FILLER.sub("", text, count=1)
    if not core:
        return "short" if AGREES.match(text) else "no"
    ours = content_words(core[:_MOST_WEIGHED])
    if STRONG.search(text) or _says_so(core, ours, work):
        return "phrase"
    return "short" if _names_nothing(core, said(text), ours) else "unsure"


def weighed(prompt: str, work: Work, speech: Speech | None = None) -> Evidence:
    """Return what is weighed where nothing decides alone."""
    raw = prompt[:_MOST_WEIGHED]
    return evidence(raw, work, named=names_work(raw, work), speech=speech)


def _sign_of(found: Evidence) -> Sign | None:
    if points(found) <= BAR:
        return None
    if found.named:
        return "name"
    return "words" if of_words(found) >= of_speech(found) else "known"


def _is_refused(text: str, work: Work) -> bool:
    """Whoever says that it is over, or not to be gone on with, is not told of it."""
    if REFUSES.search(text) or ENDS.fullmatch(text):
        return True
    return not work.question and NO.fullmatch(text) is not None


def _says_so(core: str, ours: frozenset[str], work: Work) -> bool:
    """`continue` alone, or with little that is new: `continue with the parser`."""
    if WEAK.match(core):
        rest = content_words(WEAK.sub("", core, count=1))
        return len(rest) <= _FEW_NEW or shared(ours, words_of(work).near) > 0
    if WEAK_ANYWHERE.search(core) is None:
        return False
    return shared(ours, ours) <= 1 or shared(ours, words_of(work).near) > 0


def _names_nothing(core: str, heard: FoldedText, ours: frozenset[str]) -> bool:
    """A short prompt without a word of its own can only be about what was before."""
    bare = said(core)
    if length_of(heard) > _SHORT or ASKS.find(bare) or MAKES.find(bare):
        return False
    if is_dense(core):  # what names a thing, and what is done to it, are words there
        acts, most = _FEW_NEW + 1, 1 if REFERS.search(core) else -1
    else:
        acts, most = _FEW_NEW, 1 if REFERS.search(core) else 0
    return shared(ours, ours) <= (acts if ACTS.find(bare) else most)
