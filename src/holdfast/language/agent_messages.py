"""What of an agent's message is worth telling: no announcements, offers or fillers."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

from holdfast.domain.text import extent
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues
from holdfast.language.sentences import (
    is_bullet,
    is_question,
    is_title,
    sentences,
    with_rows_told,
    without_code,
)

_SHORTEST = 12
_LONGEST_ANNOUNCEMENT = 400  # characters; a longer message says more than that
# What an agent says while it works says nothing once the work is done.
_ANNOUNCEMENT = Cues(lambda spoken: spoken.talk.announces)
_LEADS_ON = Cues(lambda spoken: spoken.talk.leads_on)
_FILLER = Cues(lambda spoken: spoken.talk.filler)
# What stands before what is said: "Good question.", "You're right,", "Perfect!".
_OPENING = Cues(lambda spoken: spoken.talk.opening)
# A block of code that a sentence leads to: what it announces is the answer. To commands
# that are called such a sentence leads without a colon, too.
_LED_TO_CODE = pattern(
    r"(?:[:：]|(?<=\w)[.。](?=[*_]*[ \t]*\n+[ \t]*```(?:bash|sh|shell|zsh|powershell|cmd)[ \t]*\n))"
    r"[*_]*[ \t]*\n+[ \t]*```(\w*)[ \t]*\n((?:[^\n`]*\n){1,30}?)[ \t]*```[ \t]*(\n+(?=[a-z(,]))?"
)
# What stands above a block of code, and says nothing of what comes behind that.
_TITLE_OF_CODE = pattern(
    r"^[ \t]*(?:#{1,6}[ \t][^\n]*|\*\*[^\n]*\*\*:?[ \t]*)\n\s*(?=```)", re.MULTILINE
)
_COMMENT = pattern(r"^\s*(?:#|//|--|REM\b)|^\s*$")
_REMARK = pattern(r"\s{2,}#\s.*$")
_DRAWN = pattern("[│├└┌┐━─▼▲]")
_RULED = pattern("[━─═]{5}|^\\s*…\\s*$")  # an ornament, and where a long one was cut
# An entry of a list that is a link and nothing else: where something was read.
_SOURCE = pattern(
    r"^\s*(?:[-*•+]|\d{1,3}[.)])\s+\[[^\]]+\]\((?!\S*/(?:pull|issues|merge_requests)/)https?://[^\s)]+\)[.\s]*$"
)
_SHELLS = frozenset(("", "bash", "sh", "shell", "zsh", "console", "powershell", "cmd"))
_MOST_CODE = 240  # characters
_OFFERS = Cues(lambda spoken: spoken.talk.offers)
_EMPTY_HEADING = Cues(lambda spoken: spoken.talk.empty_heading)

# What an agent says about any piece of work.
_ANY_WORK = Cues(lambda spoken: spoken.talk.any_work)
# What it says on its way to the next step, if there is nothing in it that holds it up.
_NEXT_STEP = Cues(lambda spoken: spoken.talk.next_step)
_HOLDS_UP = Cues(lambda spoken: spoken.talk.holds_up)
# What an agent says at the end of any piece of work.
_SAYS_NOTHING = Cues(lambda spoken: spoken.talk.closes_any_work)
_DID = Cues(lambda spoken: spoken.talk.did)
# What qualifies the sentence before it says little without that one.
_QUALIFIES = Cues(lambda spoken: spoken.talk.qualifies)
_POINTS_BACK = Cues(
    lambda spoken: "" if spoken.code == "en" else spoken.statements.points_back
)
_TELL_TALE = Cues(
    lambda spoken: spoken.talk.tell_tale, common=r"[^\x00-\x7f\u2000-\u2fff]"
)
# A sentence whose subject was named before it: alone it says nothing of anything.
_POINTS = Cues(lambda spoken: spoken.talk.points)
# The end of a sentence, and one that ends in what comes next.
_GOES_ON = Cues(lambda spoken: spoken.talk.goes_on, common=r"^(?:\.\.\.|…)")
_NAMED = Cues(
    lambda spoken: spoken.talk.numbers,
    common=r"`|\w\(\)|\w[_/]\w|\w\.[a-z]{1,4}\b|[a-z][A-Z]|\d|\b[A-Z]{2,}\b|[\"“«]",
    flags=re.VERBOSE,
)
_REASONED = Cues(lambda spoken: spoken.talk.reasoned)
_TROUBLE = Cues(lambda spoken: spoken.talk.trouble)
_LONG = 60  # characters of a sentence that says something though it names nothing
_LONG_HEAD = 24  # letters of what announces a list and says something itself
_FEW_WORDS = 4  # "The fix is complete." tells nothing
_SAYS_ENOUGH = 30  # letters, where words have no spaces between them
_CLOSE = 4  # sentences from the beginning in which a message comes to the point


def is_foreign(sentence: str) -> bool:
    """Say whether a sentence is in another language than English."""
    return _TELL_TALE.search(sentence) is not None


@lru_cache(maxsize=4096)  # every pass asks
def is_procedure(text: str) -> bool:
    """Say whether a message only announces the next tool call."""
    bare = text.strip()
    if len(bare) >= _LONGEST_ANNOUNCEMENT:
        return False
    if _ANNOUNCEMENT.match(bare):
        return True
    return bare.endswith((":", "：")) and _LEADS_ON.search(bare) is not None


@lru_cache(maxsize=4096)  # every pass asks
def is_filler(sentence: str) -> bool:
    return bool(_FILLER.match(sentence))


@lru_cache(maxsize=4096)  # agents say the same again and again
def says_nothing(sentence: str) -> bool:
    """Say whether a sentence could stand at the end of any piece of work."""
    if _NEXT_STEP.match(sentence):
        return _HOLDS_UP.search(sentence) is None
    return _ANY_WORK.match(sentence) is not None


@lru_cache(maxsize=4096)
def tells_alone(sentence: str) -> bool:
    """Say whether a sentence tells something to a reader who knows nothing before it: it
    names code, a file or a number, or at least what it is about."""
    if _GOES_ON.search(sentence):
        return False
    if _NAMED.search(sentence):
        return True
    if is_foreign(sentence):
        return _POINTS_BACK.match(sentence) is None
    if _POINTS.match(sentence):
        return False
    says_why = _REASONED.search(sentence) is not None or tells_trouble(sentence)
    return says_why or extent(sentence) >= _LONG


def names_something(sentence: str) -> bool:
    """Say whether a sentence names code, a file or a number."""
    return _NAMED.search(sentence) is not None


def tells_trouble(sentence: str) -> bool:
    """Say whether a sentence tells of something that was in the way."""
    return _TROUBLE.search(sentence) is not None


def without_opening(sentence: str) -> str:
    """Return a sentence without the nod that it begins with."""
    bare = _OPENING.sub("", sentence)
    return bare[0].upper() + bare[1:] if bare != sentence else sentence


@lru_cache(maxsize=256)  # every pass asks
def told_in(text: str) -> str:
    """Return what a message tells, line by line: no code but a line of it that ends a
    sentence, no fillers, quotations and bare headings, and not the closing question."""
    told: list[str] = []
    title = ""
    bare = _TITLE_OF_CODE.sub("", _LED_TO_CODE.sub(_in_line, with_rows_told(text)))
    lines = [line for line in without_code(bare) if line.strip()]
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        if line.startswith(">") or _RULED.search(line) or _SOURCE.match(line):
            continue
        spoken = sentences(line)
        kept = [s for s in spoken if not (is_filler(s) or is_procedure(s))]
        if is_bullet(following) and _leads(line, spoken) and spoken[-1] not in kept:
            kept.append(spoken[-1])  # without it the list is a list of anything
        if not kept or _EMPTY_HEADING.match(kept[0]) or _OFFERS.match(kept[0]):
            continue
        if is_title(line):
            title = " ".join(kept).rstrip(":：.。")
            continue
        words = without_opening(" ".join(kept))
        told += _line_told(words, title, told, is_listed=is_bullet(line))
        title = ""
    return "\n".join(_without_closing_question(told))


def _leads(line: str, spoken: Sequence[str]) -> bool:
    """Say whether a line announces the list below it."""
    return bool(spoken) and spoken[-1].endswith((":", "：")) and not is_bullet(line)


def _in_line(code: re.Match[str]) -> str:
    """Return a block of code in the sentence that leads to it: commands one by one, of
    other code the line that it begins with."""
    if _DRAWN.search(code[2]):
        return code[0]
    lines = [
        " ".join(_REMARK.sub("", line).split())
        for line in code[2].split("\n")
        if not _COMMENT.match(line)
    ]
    most = len(lines) if code[1].lower() in _SHELLS else 1
    told: list[str] = []
    for line in lines[:most]:
        if sum(map(len, told)) + len(line) > _MOST_CODE:
            break
        told.append(line)
    if not told:
        return code[0]
    more = "" if len(told) == len(lines) else " …"
    shown = "; ".join(f"`{line}`" for line in told)
    return f": {shown}{more}{' ' if code[3] else ''}"


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
        _leave_announcement(told)
    return (f"{title}: {line}",) if title else (line,)


def _leave_announcement(told: list[str]) -> None:
    """Take from the last line what announced something that is not told: the sentence,
    or where it says something itself, only its colon."""
    spoken = list(sentences(told.pop()))
    last = spoken[-1].rstrip(":： ") if spoken else ""
    if _DID.search(last) or (names_something(last) and extent(last) >= _LONG_HEAD):
        spoken[-1] = last
    else:
        spoken = spoken[:-1]
    if spoken:
        told.append(" ".join(spoken))


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
        and not _RULED.search(sentence)
    ]


def states_something(text: str) -> bool:
    """Say whether a message has a sentence that not any piece of work could end with."""
    return any(
        not (says_nothing(sentence) or _SAYS_NOTHING.match(sentence))
        for sentence in telling_sentences(text)
    )


@lru_cache(maxsize=1024)  # every checkpoint of a session asks
def told_done(text: str) -> str:
    """Return the sentence of a closing message that says what was done, or nothing: an
    entry of a list and a few words of it are no answer."""
    spoken = "\n".join(line for line in text.split("\n") if not is_bullet(line))
    for sentence in telling_sentences(spoken)[:_CLOSE]:
        says_something = len(sentence.split()) > _FEW_WORDS or (
            not sentence.isascii() and extent(sentence) >= _SAYS_ENOUGH
        )
        if (
            says_something
            and _DID.search(sentence)
            and not _SAYS_NOTHING.match(sentence)
            and not _QUALIFIES.match(sentence)
        ):
            return sentence
    return ""
