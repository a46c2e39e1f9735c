"""Does the first prompt of a session continue the work of a checkpoint?

Pure, and without a model. Three signs decide alone: something that only this work has (a
path, an identifier, a branch, a label), a phrase that says so, and a prompt so short that
it names nothing. Otherwise the evidence is weighed: words of the work and how the prompt
speaks of it, against what is new. The weights are round numbers near a fit to labelled
pairs.
"""

from typing import Literal

from holdfast.policy.content_words import content_words, folded, shared
from holdfast.policy.continuing_phrases import (
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
from holdfast.policy.discourse import (
    ACTS,
    ADDRESSES,
    CONNECTS,
    POINTS,
    SPEAKS_OF_IT,
)
from holdfast.policy.naming_work import has_number, names_work, new_names
from holdfast.policy.new_work import ASKS, ASKS_WEIGHT, MAKES, MAKES_WEIGHT
from holdfast.policy.phrase_book import Said, is_dense, said
from holdfast.policy.trade_words import common_words, tool_words, trade_words
from holdfast.policy.work import Work, words_of
from holdfast.tuples import NamedTuple

Sign = Literal["phrase", "name", "words", "known", "short"]

_MOST_TEXT = 2_000  # characters of a prompt that are looked at
_MOST_WORDS_TEXT = 600  # the rest of a long prompt has words of everything
_OPENING, _OPENING_DENSE = 200, 90  # where a prompt shows how it speaks
_DENSE_PER_WORD = 2.5  # signs of a script without spaces to a word
_SHORT, _REPLY, _LONG = 6, 8, 25  # words
_FEW_NEW = 2

# What speaks for the work and against it, in points; more than none continues.
_BASE = -1.5
_NEAR_WORD, _FAR_WORD, _TRADE_WORD, _ALL_KNOWN = 2.5, 0.5, 1.5, 1.5
_MOST_COUNTED, _MOST_TRADE, _MOST_NEW = 3, 2, 9
_NEW_WORD, _NEW_NAME, _TOO_LONG = -0.65, -1.0, -1.0
_REPLIES, _HARDLY_NEW = 1.5, 1.5


class Evidence(NamedTuple):
    """What a prompt and a work have to do with each other."""

    near: int  # words of what is at hand that only this work has
    far: int  # such words of what lies further back
    trade: int  # things of the trade that both speak of
    known: float  # the share of the prompt's words that the work has
    new: int  # words that it has not
    new_name: bool
    speech: float  # points for how the prompt speaks
    against: float
    replies: bool  # short, where the agent asked something
    short: bool  # and hardly a new word
    long: bool

    @property
    def of_words(self) -> float:
        """Points for what the prompt is about."""
        return (
            _NEAR_WORD * min(self.near, _MOST_COUNTED)
            + _FAR_WORD * min(self.far, _MOST_COUNTED)
            + _TRADE_WORD * min(self.trade, _MOST_TRADE)
            + _ALL_KNOWN * self.known
        )

    @property
    def of_speech(self) -> float:
        """Points for leaning on what was said before."""
        return self.speech + _REPLIES * self.replies

    @property
    def points(self) -> float:
        """All points; more than none continues the work."""
        return (
            _BASE
            + self.of_words
            + self.of_speech
            + self.against
            + _HARDLY_NEW * self.short
            + _NEW_WORD * min(self.new, _MOST_NEW)
            + _NEW_NAME * self.new_name
            + _TOO_LONG * self.long
        )


def continues(prompt: str, work: Work) -> Sign | None:
    """Return by which sign a prompt continues the work, or None if it does not."""
    raw = prompt[:_MOST_TEXT]
    text = folded(raw)
    if not text or text.startswith("/"):
        return None
    if _is_refused(text, work):
        return None
    if names_work(raw[:_MOST_WORDS_TEXT], work):
        return "name"
    return None if OTHER.search(text) else _said(raw, text, work)


def _is_refused(text: str, work: Work) -> bool:
    """Whoever says that it is over, or not to be gone on with, is not told of it."""
    if REFUSES.search(text) or ENDS.fullmatch(text):
        return True
    return not work.question and NO.fullmatch(text) is not None


def _said(raw: str, text: str, work: Work) -> Sign | None:
    core = FILLER.sub("", text, count=1)
    if not core:
        return "short" if AGREES.match(text) else None
    ours = content_words(core[:_MOST_WORDS_TEXT])
    if STRONG.search(text) or _says_so(core, ours, work):
        return "phrase"
    heard = said(text)
    if _names_nothing(core, heard, ours):
        return "short"
    return _weighed(evidence(raw, heard, ours, work))


def _weighed(found: Evidence) -> Sign | None:
    if found.points <= 0:
        return None
    if max(found.of_words, found.of_speech) <= 0:
        return "short"
    return "words" if found.of_words >= found.of_speech else "known"


def evidence(raw: str, heard: Said, ours: frozenset[str], work: Work) -> Evidence:
    """Return what speaks for a work in a prompt with these words, and what against it."""
    theirs = words_of(work)
    themes = ours & theirs.themes - tool_words()
    own = ((ours - common_words()) | themes) - theirs.usual
    count, known = shared(ours, ours), shared(ours, theirs.near | theirs.far)
    opening, length = _opening(heard), _length(heard)
    against = _against(opening)
    return Evidence(
        near=shared(own, theirs.near) + has_number(heard.text, work),
        far=shared(own, theirs.far - theirs.near),
        trade=len(trade_words(heard) & theirs.trade),
        known=known / count if count else 0.0,
        new=count - known,
        new_name=new_names(raw, work),
        speech=sum(weight for weight, book in SPEAKS_OF_IT if book.find(opening)),
        against=against,
        replies=bool(work.question) and length <= _REPLY and not against,
        short=count - known <= 1 and length <= _SHORT and not against,
        long=length > _LONG,
    )


def _against(opening: Said) -> float:
    """Return what a request for something new, or a question in general, weighs."""
    bare = said(FILLER.sub("", opening.text, count=1))
    makes = MAKES_WEIGHT if MAKES.find(bare) else 0.0
    asks = ASKS_WEIGHT if ASKS.find(bare) else 0.0
    leans = any(book.find(opening) for book in (POINTS, ADDRESSES, CONNECTS))
    return (makes + asks) / (2 if leans else 1)


def _opening(heard: Said) -> Said:
    """A long prompt says everything somewhere; how it begins is how it speaks."""
    most = _OPENING_DENSE if is_dense(heard.text) else _OPENING
    return heard if len(heard.text) <= most else said(heard.text[:most])


def _length(heard: Said) -> float:
    """Return how many words were said, about."""
    if is_dense(heard.text):
        return len(heard.text) / _DENSE_PER_WORD
    return len(heard.words.split())


def _says_so(core: str, ours: frozenset[str], work: Work) -> bool:
    """`continue` alone, or with little that is new: `continue with the parser`."""
    if WEAK.match(core):
        rest = content_words(WEAK.sub("", core, count=1))
        return len(rest) <= _FEW_NEW or shared(ours, words_of(work).near) > 0
    if WEAK_ANYWHERE.search(core) is None:
        return False
    return shared(ours, ours) <= 1 or shared(ours, words_of(work).near) > 0


def _names_nothing(core: str, heard: Said, ours: frozenset[str]) -> bool:
    """A short prompt without a word of its own can only be about what was before."""
    bare = said(core)
    if _length(heard) > _SHORT or ASKS.find(bare) or MAKES.find(bare):
        return False
    if is_dense(core):  # what names a thing, and what is done to it, are words there
        acts, most = _FEW_NEW + 1, 1 if REFERS.search(core) else -1
    else:
        acts, most = _FEW_NEW, 1 if REFERS.search(core) else 0
    return shared(ours, ours) <= (acts if ACTS.find(bare) else most)
