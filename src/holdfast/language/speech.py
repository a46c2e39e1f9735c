"""What of an agent's message is worth telling: no announcements, offers or fillers."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from holdfast.domain.text import extent
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.prose import (
    is_bullet,
    is_question,
    is_title,
    sentences,
    without_code,
)
from holdfast.language.statement_cues import ANNOUNCED, POINTS_BACK, is_foreign

_SHORTEST = 12
_LONGEST_ANNOUNCEMENT = 400  # characters; a longer message says more than that
# What an agent says while it works says nothing once the work is done.
_ANNOUNCEMENT = pattern(
    r"^(?:let me|now (?:let|i|add|update|fix|run|create|write|check|for)\b|i (?:need to|should|can see)|i'll\b|i will\b|first,? let|next,? i"
    r"|let's (?:check|look|see|start|run)|no response requested)",
    re.IGNORECASE,
)
_LEADS_ON = pattern(r"\b(?:let me|i'll|i will|now|next)\b[^.]*[:：]$", re.IGNORECASE)
_FILLER = pattern(
    r"^(?:(?:done|perfect|great|excellent|good|ok(?:ay)?|yes|sure|all (?:done|set)|got it"
    r"|you'?re (?:absolutely )?right|absolutely|understood|fixed|nice)[.!,:]*\s*)+$",
    re.IGNORECASE,
)
# What stands before what is said: "Good question.", "You're right,", "Perfect!".
_OPENING = pattern(
    r"^(?:(?:good|great|perfect|excellent|nice|ok(?:ay)?|right|sure|done|alright|wait|hmm+|interesting"
    r"|(?:good|great|fair|excellent) (?:question|point|catch|call|idea|news)|you'?re (?:absolutely |quite )?right"
    r"|got it|understood|absolutely)\s*[,.!:—–-]+\s+)+(?=\S)",
    re.IGNORECASE,
)
_SHORT_CODE = pattern(
    r"[:：][ \t]*\n+[ \t]*```\w*\n([^\n`]{1,120})\n[ \t]*```[ \t]*(\n+(?=[a-z(,]))?"
)
_OFFERS = pattern(
    r"^(?:would you like|should i|shall i|do you want|want me|let me know|feel free)\b",
    re.IGNORECASE,
)
_EMPTY_HEADING = pattern(
    r"^(?:(?:final |quick )?summary(?: of (?:the )?changes)?|changes(?: made)?|key (?:changes|findings)"
    r"|what (?:was|i) (?:did|changed|done)|overview|details|results?|here'?s.*:)\W*$",
    re.IGNORECASE,
)

# What an agent says about any piece of work.
_ANY_WORK = pattern(
    r"^(?:all (?:\w+ )*(?:tests?|checks|lint\w*|clean|green|pass\w*|work|set|done)\b.{0,60}$"
    r"|(?:the )?(?:tests?|build|lint\w*|linter|everything|it)(?: and (?:the )?\w+)? (?:all |now )*(?:pass\w*|succeeds?|succeeded|is clean|are clean|works?)\W*$"
    r"|i (?:now )?have (?:all|a (?:good|clear|complete|full)|enough)\b|this is (?:a )?(?:great|good|excellent|interesting)\b"
    r"|the tests? (?:fails?|pass(?:es)?) as expected\b"
    r"|(?:good|great|perfect|excellent|nice)\b[^,.;:]{0,30}[.!]$)",
    re.IGNORECASE,
)
# What it says on its way to the next step, if there is nothing in it that holds it up.
_NEXT_STEP = pattern(
    r"^(?:(?:now|next|first|then|also|finally)[,:]? (?:task|step|phase|let|i|we|the \w+ test|add|build|check|commit|create|fix|implement|look|move"
    r"|push|register|remove|rename|replace|revert|run|see|test|update|verify|write)\b.{0,120}$"
    r"|(?:re-?run|run|verify|check|build|commit|push|test) (?:the|all|it|that|and|again)\b.{0,80}$|(?:task|step|phase|batch) \d+\b.{0,100}$"
    r"|i (?:can )?see\b.{0,60}$)",
    re.IGNORECASE,
)
_HOLDS_UP = pattern(
    r"\b(?:can(?:no|')t|cannot|\w+n't|not|never|no|none|without|unless|only|but|because|so|which|fail\w*|br(?:oke\w*|eaks?)|revert\w*"
    r"|los[eti]\w*|dead\w*|block\w*|bug\w*|error\w*|wrong|miss\w*|leak\w*|crash\w*|hang\w*|slow\w*|race\w*|need\w*|must)\b",
    re.IGNORECASE,
)
# What an agent says at the end of any piece of work.
_SAYS_NOTHING = pattern(
    r"^(?:all (?:\w+ )*(?:tests?|checks|lint\w*|clean|green|pass\w*|work|set|done)\b.{0,40}$"
    r"|committed\b|pushed\b|everything\b|(?:final )?summary\b|changes(?: made)?$|key findings"
    r"|the (?:changes|refactoring|work|implementation) (?:is|are) (?:now )?(?:complete|done)"
    r"|here(?:'s| is| are)|(?:it|this|that|these|they|which|found|look)\b|good |great |yes\b|no\b|option \d|step \d|task \d|now\b.{0,20}$|✅|`)",
    re.IGNORECASE,
)
_DID = pattern(
    r"\b(?:add(?:ed|s)|updat(?:ed|es)|remov(?:ed|es)|delet(?:ed|es)|fix(?:ed|es)?|implement(?:ed|s)"
    r"|refactored|resolv(?:ed|es)|creat(?:ed|es)|mov(?:ed|es)|renam(?:ed|es)|replac(?:ed|es)|complete"
    r"|completed|ready|works?|passes|now|handles?|supports?|shows?|detects?|uses?|keeps?|keep)\b",
    re.IGNORECASE,
)
# What qualifies the sentence before it says little without that one.
_QUALIFIES = pattern(
    r"^(?:however|but|yet|still|although|though|instead|otherwise|therefore|thus|hence|that said)\b",
    re.IGNORECASE,
)
_FOREIGN_POINTS_BACK = pattern(POINTS_BACK, re.IGNORECASE)
# A sentence whose subject was named before it: alone it says nothing of anything.
_POINTS = pattern(
    r"^(?:so|and|but|then|also|now|yes|no|ok|well|clearly|actually)?,? ?(?:(?:it|this|that|these|those|they|you|both|neither)\b"
    r"|(?:there|here)(?:'s| is| are| was| were)\b|(?:we|you)(?:'re| are)\b"
    r"|(?:the|one|another|an?) (?:\w+ ){0,2}(?:issues?|problems?|fix(?:es)?|changes?|approach|solution|bugs?|implementation|code|updates?|reference|remaining)\b)",
    re.IGNORECASE,
)
# The end of a sentence, and one that ends in what comes next.
_GOES_ON = pattern(r"^(?:\.\.\.|…)|\b(?:let me|let's)\b", re.IGNORECASE)
_NAMED = pattern(
    r"`|\w\(\)|\w[_/]\w|\w\.[a-z]{1,4}\b|[a-z][A-Z]|\d|\b[A-Z]{2,}\b|[\"“«]"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b"
)
_REASONED = pattern(
    r"\b(?:because|since|so|only|never|not|\w+n't|cannot|but|which|without|unless|until|when|whenever|instead|rather|longer|must)\b",
    re.IGNORECASE,
)
_TROUBLE = pattern(
    r"\b(?:fail\w*|errors?|br(?:oke\w*|eaks?)|conflict\w*|bugs?|wrong|crash\w*|hangs?|flaky|stale|race|leaks?|deadlock\w*"
    r"|regress\w*|mismatch\w*|pre-existing|actual\w*|un(?:used|defined|related|expected)|revert\w*|missing|can(?:no|')t|\w+n't)\b",
    re.IGNORECASE,
)
_LONG = 60  # characters of a sentence that says something though it names nothing
_FEW_WORDS = 4  # "The fix is complete." tells nothing
_CLOSE = 4  # sentences from the beginning in which a message comes to the point


def is_procedure(text: str) -> bool:
    """Say whether a message only announces the next tool call."""
    bare = text.strip()
    if len(bare) >= _LONGEST_ANNOUNCEMENT:
        return False
    announces = _ANNOUNCEMENT.match(bare) or _LEADS_ON.search(bare)
    return bool(announces or ANNOUNCED.match(bare))


def is_filler(sentence: str) -> bool:
    return bool(_FILLER.match(sentence))


def says_nothing(sentence: str) -> bool:
    """Say whether a sentence could stand at the end of any piece of work."""
    if _NEXT_STEP.match(sentence):
        return _HOLDS_UP.search(sentence) is None
    return _ANY_WORK.match(sentence) is not None


def tells_alone(sentence: str) -> bool:
    """Say whether a sentence tells something to a reader who knows nothing before it: it
    names code, a file or a number, or at least what it is about."""
    if _GOES_ON.search(sentence):
        return False
    if _NAMED.search(sentence):
        return True
    if is_foreign(sentence):
        return _FOREIGN_POINTS_BACK.match(sentence) is None
    if _POINTS.match(sentence):
        return False
    says_why = _REASONED.search(sentence) is not None or tells_trouble(sentence)
    return says_why or extent(sentence) >= _LONG


def tells_trouble(sentence: str) -> bool:
    """Say whether a sentence tells of something that was in the way."""
    return _TROUBLE.search(sentence) is not None


def without_opening(sentence: str) -> str:
    """Return a sentence without the nod that it begins with."""
    bare = _OPENING.sub("", sentence)
    return bare[0].upper() + bare[1:] if bare != sentence else sentence


def told_in(text: str) -> str:
    """Return what a message tells, line by line: no code but a line of it that ends a
    sentence, no fillers, quotations and bare headings, and not the closing question."""
    told: list[str] = []
    title = ""
    lines = [
        line for line in without_code(_SHORT_CODE.sub(_in_line, text)) if line.strip()
    ]
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        if line.startswith(">"):
            continue
        spoken = sentences(line)
        kept = [s for s in spoken if not (is_filler(s) or is_procedure(s))]
        if is_bullet(following) and _leads(line, spoken) and spoken[-1] not in kept:
            kept.append(spoken[-1])  # without it the list is a list of anything
        if not kept or _EMPTY_HEADING.match(kept[0]) or _OFFERS.match(kept[0]):
            continue
        if is_title(line):
            title = kept[0].rstrip(":：")
            continue
        words = without_opening(" ".join(kept))
        told += _line_told(words, title, told, is_listed=is_bullet(line))
        title = ""
    return "\n".join(_without_closing_question(told))


def _leads(line: str, spoken: Sequence[str]) -> bool:
    """Say whether a line announces the list below it."""
    return bool(spoken) and spoken[-1].endswith((":", "：")) and not is_bullet(line)


def _in_line(code: re.Match[str]) -> str:
    return f": `{code[1].strip()}`{' ' if code[2] else ''}"


def _without_closing_question(lines: list[str]) -> list[str]:
    """Return lines without the questions, and the announcements, that they end with."""
    kept = list(lines)
    while kept:
        mark = "- " if kept[-1].startswith("- ") else ""
        spoken = list(sentences(kept[-1]))
        if spoken and not (is_question(spoken[-1]) or spoken[-1].endswith((":", "："))):
            break
        kept.pop()
        if spoken[:-1]:
            kept.append(mark + " ".join(spoken[:-1]))
    return kept


def _line_told(
    line: str, title: str, told: list[str], *, is_listed: bool
) -> tuple[str, ...]:
    """Return a line with the title it stands under; a list has its title above it."""
    if is_listed:
        return (f"{title}:", f"- {line}") if title else (f"- {line}",)
    if told and told[-1].endswith((":", "：")):
        told.pop()  # it announced what is not told
    return (f"{title}: {line}",) if title else (line,)


def telling_sentences(text: str) -> list[str]:
    """Return the sentences that state something."""
    return [
        sentence
        for sentence in sentences(text)
        if extent(sentence) >= _SHORTEST
        and not is_filler(sentence)
        and not is_procedure(sentence)
        and not is_question(sentence)
        and not sentence.endswith((":", "："))
    ]


def states_something(text: str) -> bool:
    """Say whether a message has a sentence that not any piece of work could end with."""
    return any(
        not (says_nothing(sentence) or _SAYS_NOTHING.match(sentence))
        for sentence in telling_sentences(text)
    )


def told_done(text: str) -> str:
    """Return the sentence of a closing message that says what was done, or nothing."""
    for sentence in telling_sentences(text)[:_CLOSE]:
        says_something = len(sentence.split()) > _FEW_WORDS or not sentence.isascii()
        if (
            says_something
            and (_DID.search(sentence) or is_foreign(sentence))
            and not _SAYS_NOTHING.match(sentence)
            and not _QUALIFIES.match(sentence)
        ):
            return sentence
    return ""
