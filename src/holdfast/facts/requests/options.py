"""Which of the agent's options a short answer picks: `2`, `b)`, "the second one"."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import CUES, Cues, Spoken, Template, latin
from holdfast.language.sentences import (
    is_bullet,
    is_question,
    plain,
    sentences,
    without_code,
)

_MOST_PICKED = 3
_FEWEST_WITHIN = 2
_LETTERS, _DIGITS = "abcdefgh", "123456789"
_LABEL = r"(?:[a-h]|\d{1,2})"
_CLOSING = 3  # lines in which a message asks what is to be done
_WHICH = Cues(lambda spoken: spoken.questions.which)
_BETWEEN = " \t,;/|("
_ENDS_LAST = pattern(r"[?？。].*|\.\s.*")
_ORDINAL = Cues(lambda spoken: spoken.questions.ordinals, flags=CUES | re.DOTALL)
# Whoever says what they do not want has picked nothing.
_REFUSES = Cues(lambda spoken: spoken.questions.refuses)


def _called(words: Spoken) -> str:
    return rf"(?:{words(lambda spoken: spoken.questions.option)})"


def _offering(words: Spoken) -> str:
    return (
        rf"^\s*(?:[-*•+]\s+|\#+\s+)?(?:\*\*|__)?\(?(?:{_called(words)}\s*)?({_LABEL})"
        r"(?:\s*：|\s*[.):–—-]+(?:\*\*|__)?(?=\s))(?:\*\*|__)?\s*(?=\S)"
    )


def _calling(words: Spoken) -> str:
    return rf"^\s*(?:[-*•+]\s+|\#+\s+)?(?:\*\*|__)?\(?{_called(words)}\s*{_LABEL}\b"


def _offering_within(words: Spoken) -> str:
    return rf"(?:^|(?<=[\s,;/:?]))\(?(?:{_called(words)}\s*)?({_LABEL})[.):：]\s+(?=\S)"


def _picking(words: Spoken) -> str:
    yes = words(lambda spoken: spoken.questions.yes)
    choosing = words(lambda spoken: spoken.questions.choosing)
    joins = rf"(?:\s*(?:{words(lambda spoken: spoken.questions.joins)}|[,+&])\s*)"
    label = rf"(?:{_called(words)}\s*)?({_LABEL})"
    behind = words(lambda spoken: spoken.questions.behind_label)
    going_on = words(lambda spoken: spoken.questions.going_on)
    return (
        rf"\W*(?:(?:{yes}|{choosing})(?:\W+|(?<=[^\x00-\x7f])(?=\d)))*{label}"
        rf"(?:{joins}{label})?(?:{joins}{label})?"
        rf"(?:[^\w\s]*\s*(?:{behind})?\W*|\s*[,;.:)–—-]+\s.*|\s+(?:{going_on})\s.*)"
    )


def _picking_by_mark(words: Spoken) -> str:
    return rf"\b{_called(words)}\s*({_LABEL})\b|(?<![\w(])([A-Ha-h]|\d)\)(?!\w)"


_OFFERED = Template(_offering)  # `B) …`, `**2.** …`, `Option C: …`, `### Option 1 – …`
_CALLED_OPTION = Template(_calling)
_OFFERED_WITHIN = Template(_offering_within)  # `A) … B) …`, `(1) … or (2) …`
# `2`, "let's go with B", "2, but back it up first"
_PICKED_FIRST = Template(_picking, CUES | re.DOTALL)
_PICKED_BY_MARK = Template(_picking_by_mark)


def picked_option(words: str, offer: str) -> str:
    """Return the options of a message that an answer picks by their labels, or nothing."""
    labels = list(_labels(words))
    if not labels:
        return ""
    offered = _offered(offer)
    picked = (offered.get(label, "") for label in labels)
    return " · ".join([text for text in picked if text][:_MOST_PICKED])


def is_option(line: str) -> bool:
    """Say whether a line begins with the label of an option: `B) …`, `**2.** …`."""
    return _OFFERED.for_text(line).match(line) is not None


def offered_lines(message: str) -> frozenset[str]:
    """Return the lines of a message that are options to choose from: those called so,
    a list right below a question, and those counted, if the message closes with the
    question which of them."""
    lines = [line for line in message.split("\n") if line.strip()]
    asks = any(is_question(line) and _WHICH.search(line) for line in lines[-_CLOSING:])
    offered = _OFFERED if asks else _CALLED_OPTION
    called = (line for line in lines if offered.for_text(line).match(line))
    return frozenset((*called, *_below_a_question(lines)))


def _below_a_question(lines: Sequence[str]) -> Iterator[str]:
    above, is_asked = "", False
    for line in lines:
        if not is_bullet(line):
            above, is_asked = line, False
            continue
        if above:  # most lines have no list below them
            above, is_asked = "", any(map(is_question, sentences(above)))
        if is_asked:
            yield line


def _labels(words: str) -> Iterator[str]:
    first = _PICKED_FIRST.for_text(words).fullmatch(words)
    if first is None and _REFUSES.search(words):
        return
    found = [first] if first else _PICKED_BY_MARK.for_text(words).finditer(words)
    for match in found:
        yield from (label.lower() for label in match.groups() if label)
    if first is None and (counted := _ORDINAL.match(words)):
        yield from (str(n) for n, word in enumerate(counted.groups(), 1) if word)


def _offered(message: str) -> dict[str, str]:
    """Return the options by their labels; of a label given twice, the last, and one on
    a line of its own before one within a line."""
    alone: dict[str, str] = {}
    within: dict[str, str] = {}
    for line in without_code(message):
        bare = plain(line.replace("**", ""))
        options = _within(bare)
        within |= options
        label = _OFFERED.for_text(line).match(line)
        if label and label[1].lower() not in options:
            text = plain(line[label.end() :].replace("**", "")).strip()
            alone[label[1].lower()] = f"{label[1]}) {text}"
    return within | alone


def _within(line: str) -> dict[str, str]:
    """Return the options that stand in one line, if they are counted from the first."""
    marks = list(_OFFERED_WITHIN.for_text(line).finditer(line))
    labels = [mark[1].lower() for mark in marks]
    first = next((n for n, label in enumerate(labels) if label in ("a", "1")), None)
    if first is None:
        return {}
    counted = _LETTERS if labels[first] == "a" else _DIGITS
    pairs = zip(marks[first:], counted, strict=False)
    run = [
        mark for mark, _ in takewhile(lambda pair: pair[0][1].lower() == pair[1], pairs)
    ]
    if len(run) < _FEWEST_WITHIN:
        return {}
    found: dict[str, str] = {}
    for mark, following in zip(run, (*run[1:], None), strict=True):
        if following:
            text = _without_joint(line[mark.end() : following.start()])
        else:
            text = _ENDS_LAST.sub("", line[mark.end() :], count=1).strip()
        found[mark[1].lower()] = f"{mark[1]}) {text}"
    return found


def _without_joint(option: str) -> str:
    """Return an option without what leads to the next one: a comma, an "or"."""
    bare = option.rstrip(_BETWEEN)
    before, _, last = bare.rpartition(" ")
    return before.rstrip(_BETWEEN) if last.lower() in _joining() else bare


@cache
def _joining() -> frozenset[str]:
    return frozenset(word for each in latin() for word in each.questions.between)
