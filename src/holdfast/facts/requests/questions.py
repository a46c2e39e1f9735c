"""The question with which a message closes, whole.

Who reads "C) Something else?" knows nothing of what was asked. Questions asked in one breath
are one, and an entry of a list is told with its list and with what leads to that.
"""

from collections.abc import Callable, Iterator, Sequence

from holdfast.domain.text import extent
from holdfast.facts.requests.options import is_option
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.content_words import content_words
from holdfast.language.languages import Cues, Spoken, Template
from holdfast.language.sentences import (
    is_bullet,
    is_heading,
    is_question,
    plain,
    sentences,
    without_code,
)

_SAYS_LITTLE = 25  # letters of what leads to a list: "Is it:"
_LONGEST_OPENING = 60  # letters before a courtesy: "It is sorted by date, is there"
_COURTESY = Cues(lambda spoken: spoken.questions.courtesy)


def _saying_yes(words: Spoken) -> str:
    return rf"^\W*(?:{words(lambda spoken: spoken.questions.yes)})(?![A-Za-z])"


_SAYS_YES = Template(_saying_yes)


class ClosingQuestion(NamedTuple):
    """A question, and the entries of the list that it puts."""

    question: str = ""
    entries: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        return " ".join((self.question, *self.entries))


def closing_question(message: str, closing: int) -> ClosingQuestion:
    """Return the last question in so many closing sentences of a message, or none."""
    return next(closing_questions(message, closing), ClosingQuestion())


def closing_questions(
    message: str, closing: int, asks: Callable[[str], bool] = is_question
) -> Iterator[ClosingQuestion]:
    """Yield the questions in so many closing sentences of a message, the last one first."""
    lines = [line for line in without_code(message) if plain(line)]
    left, told = closing, len(lines)  # what stands from there on was told with its list
    for place in reversed(range(len(lines))):
        if left <= 0:
            return
        spoken = sentences(lines[place])[-left:]
        left -= len(spoken)
        if place >= told:
            continue
        for question in _in_one_breath(spoken, asks):
            first, end = _list_around(lines, place)
            lead = _lead(lines[:first]) if first < end else ""
            if not lead:
                yield ClosingQuestion(question)
                continue
            entries = (plain(line).replace("**", "") for line in lines[first:end])
            yield ClosingQuestion(lead, tuple(entries))
            told = first
            break


def is_courtesy(question: str) -> bool:
    """Say whether a question only asks for anything more: nobody waits for the answer.
    Behind an offer that is worth a line, "or something else?" is no courtesy."""
    found = _COURTESY.search(question)
    if found is None or "`" in question:
        return False
    return extent(question[: found.start()]) <= _LONGEST_OPENING


def speaks_to(words: str, question: str) -> bool:
    """Say whether words speak to a question: they begin with a yes, or name something
    that it names. Only then is it needed to understand them."""
    if _SAYS_YES.for_text(words).match(words):
        return True
    return not content_words(words).isdisjoint(content_words(question))


def _in_one_breath(spoken: Sequence[str], asks: Callable[[str], bool]) -> Iterator[str]:
    """Yield the questions of a line, the last first; those that follow each other are
    one: "Which of these? Or another?". A courtesy is one for itself."""
    together: list[str] = []
    for sentence in (*reversed(spoken), ""):
        is_one = asks(sentence)
        if is_one and not is_courtesy(sentence):
            together.insert(0, sentence)
            continue
        if together:
            yield " ".join(together)
            together = []
        if is_one:
            yield sentence


def _list_around(lines: Sequence[str], place: int) -> tuple[int, int]:
    """Return where the list begins and ends that a line is an entry of; equal if none."""
    first = end = place
    while end < len(lines) and _is_entry(lines[end]):
        end += 1
    while end > place and first and _is_entry(lines[first - 1]):
        first -= 1
    return first, end


def _is_entry(line: str) -> bool:
    return is_bullet(line) or is_option(line)


def _lead(above: Sequence[str]) -> str:
    """Return what leads to a list: the line above it, if that ends in a colon or asks,
    with the question before that where the line says little."""
    if not above:
        return ""
    lead = (sentences(above[-1]) or ("",))[-1]
    if not (is_heading(above[-1]) or is_question(lead)):
        return ""
    before = [s for line in above[-2:-1] for s in sentences(line)[-1:]]
    leans = extent(lead) <= _SAYS_LITTLE and any(map(is_question, before))
    return " ".join((*before, lead)) if leans else lead
