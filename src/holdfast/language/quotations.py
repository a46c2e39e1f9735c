"""Whose words stand in a prompt: what the user says, and what the user shows.

Nothing in a transcript says what was pasted. What has the form of somebody else's text
is shown, and so is what follows a sentence that leads to one. A form whose end can be
seen (a fence, a log, a trace) ends there; one that cannot (a mail, a ticket, prose after
"translate this:") goes on to the end of the prompt. A doubt costs a sentence its force as
a rule, never the other way round: the request itself keeps all of its words.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.enclosed import (
    Lines,
    enclosed,
    first_said,
    in_marks,
    left_open,
    paragraphs,
    without_comments,
)
from holdfast.language.languages import Cues, Spoken, Template
from holdfast.language.sentences import (
    ELEMENT,
    UNSPACED,
    is_bullet,
    is_machine,
    is_question,
    pasted_lines,
    sentences,
)

_LONGEST = 20_000  # characters; nobody types more
_LETTER_LINE = 60  # characters of a greeting, a name, a closing
_FEWEST_WORDS = 3  # of a sentence; less is the head of a section
_LEAD = 200  # characters of a sentence that leads to a text
# The screen of an agent: what it called and what came of it, and what it said.
_SCREEN, _SAID_THERE = pattern(r"^\s*[⎿⏺]\s"), pattern(r"^\s*[●⎿⏺✻✽✶]\s")
_FORWARDED = pattern(
    r"^\W*-{3,}\s*(?:begin\s+)?(?:forwarded|original|weitergeleitet|ursprüng|message\s+(?:transf|d'or)|mensaje\s|mensagem\s)",
    re.IGNORECASE,
)
_KEYED = pattern(r"^(?:[\w.-]{1,30}|[^\W\d_]+ [^\W\d_]+)\s?[:：]\s*\S")
_LOW_KEY = pattern(r"^([a-z][\w.-]{0,30})\s?:\s*\S")
_ASSIGNED = pattern(r"^(?:export\s+)?[A-Za-z_][\w.-]*\s?=\s?\S|^\[[\w.:\"' -]+\]\s*$")
_TABLE = pattern(r"^[\w\" ]{1,30}(?:,[\w\" ]{1,30}){2,}$|^[^\t]+\t[^\t]+\t")
_STATEMENT = pattern(
    r"^\s*(?:INSERT\s+INTO|SELECT|UPDATE|DELETE FROM|CREATE|ALTER)\s\S"
)
_FRONT = pattern(r"^---\s*$")

_CHAT = pattern(
    r"""^\s*(?:
        \[[^\]]{0,12}\d{1,2}[:.]\d\d[^\]]{0,12}\]\s*\S
      | \d{1,2}[:.]\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?\s*[-–|]?\s*[^\s:][^:]{0,30}[:：]\s?\S
      | \d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\s*[-–|\]]
      | <[@+~&%]?[\w\[\]{}|^-]{1,30}>\s+\S
    )""",
    re.VERBOSE,
)
_CHAT_NAME = pattern(
    r"^\S.{0,40}?[\s,–-]{1,3}(?:today|yesterday|heute|gestern)?(?:\s?at)?\s?\d{1,2}:\d\d(?:\s?[AaPp]\.?[Mm]\.?)?$",
    re.IGNORECASE,
)
_LOG = pattern(
    r"""^\s*(?:
        \[?\d{4}[-/]\d\d[-/]\d\d[T\s]\d\d | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\s+\d+\s\d\d:\d\d:\d\d\s
      | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|NOTICE)\]?\s
      | (?:npm|yarn|pnpm)\s(?:ERR|WARN|error|warn) | -+>\s | Step\s\d+/\d+
    )""",
    re.VERBOSE,
)
_TRACE = pattern(
    r"^\s*(?:Caused by:|Exception in thread|goroutine \d+|panic:)|^[\w.]*(?:Exception|Error)\b[^:]{0,40}:\s"
)
_TERMINAL = pattern(
    r"^(?:[$❯]\s\S|➜\s|PS [A-Za-z]:\\|[A-Za-z]:\\[^>]*>|>>>\s|\(?[\w.-]+@[\w.-]+[:~\s][^$#%]{0,80}[$#%](?:\s|$)|[\w.-]+:[~/][^\s$#%>]{0,120}[$#%>]\s\S|[~/][\w./~-]{0,80}\s[✗✘❯➜λ](?:\s|$))"
)
# What these print was written by somebody else, over paragraphs.
_SHOWS_TEXT = pattern(
    r"[$#%>✗❯]\s*(?:sudo\s+)?(?:cat|bat|less|more|head|tail|type|curl|wget|http|gh|glab|man|echo|jq|xclip|pbpaste"
    r"|Get-Content|gc|git\s+(?:log|show|diff))\b"
)
_NAMED = pattern(
    rf"`[^`]*`|{ELEMENT}|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』"
)
_LEADS_IN = Cues(lambda spoken: spoken.quoting.leads_in)
_POINTS = Cues(lambda spoken: spoken.quoting.points)
_READS = Cues(lambda spoken: spoken.quoting.reads)
_SHOWS = Cues(lambda spoken: spoken.quoting.shows)
_WISHES = Cues(lambda spoken: spoken.quoting.wishes)
_LAYS_DOWN = Cues(
    lambda spoken: "\n|".join(
        filter(None, (spoken.rules.cues, spoken.rules.shapes, spoken.rules.weak_cues))
    )
)
_GREETS = Cues(lambda spoken: spoken.quoting.greets)
_SIGNS_OFF = Cues(lambda spoken: spoken.quoting.signs_off)
_PARTS = frozenset("\n:：?？")  # a prompt without them is one sentence, or one's own
_MOST_HEADS = 4  # of a line
_HEAD_ENDS = ":：?？ "
_HEAD_END = pattern(r"\s?(?::(?=\s)|：|\?(?=\s)|？)")
_ADDRESSED = pattern(r"^[^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*){0,2}[,，]$")  # "Sam,"
_TO_AGENT = pattern(r"(?i)\bclaude\b|\bthere\b|^\W*\w+\W*$")


def _header(words: Spoken) -> str:
    return rf"^\W?(?:{words(lambda spoken: spoken.quoting.headers)})\W?\s?[:：]\s?\S"


def _wrote(words: Spoken) -> str:
    said = words(lambda spoken: spoken.quoting.wrote)
    commented = words(lambda spoken: spoken.quoting.commented)
    return rf"""^.{{0,160}}(?:{said})\s*[:：]\s*$
        | ^@?(?!(?:i|we|you|he|she|it|they)\b)[\w.-]+(?:\s[A-Z][\w.-]*)?\s?(?:{commented})$"""


_HEADER, _WROTE = Template(_header), Template(_wrote)


@lru_cache(maxsize=512)  # rules, decisions and titles ask for the same prompt
def own_words(prompt: str) -> str:
    """Return what the user says in a prompt, without what the user shows in it."""
    if _PARTS.isdisjoint(prompt):
        return prompt.strip()
    lines = without_comments(prompt[:_LONGEST]).strip().splitlines()
    shown = [False] * len(lines)
    for first, end in _shown(lines):
        shown[first:end] = [True] * (min(end, len(lines)) - first)
    cut = {first - 1 for first, _ in in_marks(lines)}
    said = (
        "" if shown[n] else _head(line, is_open=n in cut)
        for n, line in enumerate(lines)
    )
    return "\n".join(said).strip()


def without_quotes(sentence: str) -> str:
    """Return a sentence without what it only names: in quotation marks, or as code."""
    return _NAMED.sub("“”", sentence)


def _shown(lines: Sequence[str]) -> list[Lines]:
    """Return the lines that somebody else wrote."""
    closed = [pasted_lines(list(lines), is_sure=True), *enclosed(lines)]
    printed = [*_printed(lines)]
    printed += _after_log(lines, {place for span in printed for place in range(*span)})
    within = {place for span in closed for place in range(*span)}
    known = within.union(*(range(*span) for span in printed))
    return [*closed, *printed, *_to_the_end(lines, within, known)]


def _printed(lines: Sequence[str]) -> Iterator[Lines]:
    """Yield what programs wrote, data, code and chats: from the first such line of a
    paragraph to its end, and what stands between two lines of one log or chat."""
    dated: list[int] = []
    is_screen = any(map(_SCREEN.match, lines))  # else `●` begins somebody's list
    for first, end in paragraphs(lines):
        part = lines[first:end]
        printed = (
            n
            for n, line in enumerate(part)
            if is_printed(line) or (is_screen and _SAID_THERE.match(line))
        )
        begin = next(printed, None)
        if begin is None:
            begin = _data_begins(part)
        if begin is not None:
            yield first + begin, end
        dated += [first + n for n, line in enumerate(part) if _is_dated(line)]
    yield from ((a, b) for a, b in pairwise(dated))


def _after_log(lines: Sequence[str], printed: set[int]) -> Iterator[Lines]:
    """Yield the prose of a log: paragraphs below it that lay something down at once.

    Who pasted it says first what is the matter, or what is to be done.
    """
    is_log = False
    for first, end in paragraphs(lines):
        if first in printed:
            is_log = sum(_LOG.match(line) is not None for line in lines[first:end]) > 1
        elif is_log and _lays_down(lines[first]):
            yield first, end
        else:
            is_log = False


def _lays_down(line: str) -> bool:
    spoken = sentences(line)
    return bool(spoken) and _LAYS_DOWN.search(spoken[0]) is not None


def _is_dated(line: str) -> bool:
    return bool(_CHAT.match(line) or _LOG.match(line) or _TERMINAL.match(line))


def is_printed(line: str) -> bool:
    """Say whether a line has the form of what programs write."""
    return bool(
        _is_dated(line)
        or is_machine(line)
        or _TRACE.match(line)
        or _STATEMENT.match(line)
    )


def _data_begins(lines: Sequence[str]) -> int | None:
    """Return where data begin: assignments, the head of a table, or keys one below
    another, in small letters or each again, as nobody writes a list of wishes."""
    for place, line in enumerate(lines):
        if _ASSIGNED.match(line) or (_TABLE.match(line) and place + 1 < len(lines)):
            return place
    keyed = [n for n, line in enumerate(lines) if _LOW_KEY.match(line)]
    return keyed[0] if len(keyed) > 1 else None


def _to_the_end(
    lines: Sequence[str], within: set[int], known: set[int]
) -> Iterator[Lines]:
    """Yield what begins like a text of somebody else and has no end that can be seen."""
    for place, line in enumerate(lines):
        if place in within or not line.strip():
            continue
        if _opens_text(lines, place) or _prints_text(line):
            yield place, len(lines)
            return
        if _before_words(line):
            yield place + 1, len(lines)
            return
        below = first_said(lines, place + 1)
        if below == len(lines) or place in known or below in known:
            continue
        if _leads_in(line, is_list=is_bullet(lines[below])):
            yield below, len(lines)
            return


def _prints_text(line: str) -> bool:
    return bool(_TERMINAL.match(line) and _SHOWS_TEXT.search(line))


def _opens_text(lines: Sequence[str], place: int) -> bool:
    line = lines[place]
    if _FORWARDED.match(line) or _CHAT_NAME.match(line) or _wrote_line(line):
        return True
    below = lines[place + 1] if place + 1 < len(lines) else ""
    if _FRONT.match(line):
        return bool(_LOW_KEY.match(below))
    if _is_header(line):
        return _is_header(below) or bool(_KEYED.match(below))
    if _KEYED.match(line) and _is_header(below):
        return True
    return _begins_letter(lines, place)


def _is_header(line: str) -> bool:
    return _HEADER.for_text(line).match(line) is not None


def _wrote_line(line: str) -> bool:
    return len(line) < _LEAD and _WROTE.for_text(line).match(line) is not None


def _begins_letter(lines: Sequence[str], place: int) -> bool:
    """Say whether a letter begins: a greeting alone on its line, and a closing below it.

    Who greets at the very beginning may greet the agent; then the closing needs a name,
    and the greeting must not be to nobody, or to the agent.
    """
    greeting = lines[place].strip()
    is_alone = place > 0 and not lines[place - 1].strip()
    if is_alone and greeting[:1].isupper() and _ADDRESSED.match(greeting):
        return True
    if len(greeting) > _LETTER_LINE or not _GREETS.match(greeting):
        return False
    closing = [n for n in range(place + 1, len(lines)) if _closes_letter(lines[n])]
    if not closing:
        return False
    is_first = not any(line.strip() for line in lines[:place])
    if not is_first:
        return True
    name = first_said(lines, closing[-1] + 1)
    return name < len(lines) and not _TO_AGENT.search(greeting)


def _closes_letter(line: str) -> bool:
    bare = line.strip()
    return len(bare) <= _LETTER_LINE and _SIGNS_OFF.match(bare) is not None


def _leads_in(line: str, *, is_list: bool) -> bool:
    """Say whether the last sentence of a line leads to a text below it."""
    spoken = sentences(line)
    last = spoken[-1] if spoken else ""
    if not last or len(last) > _LEAD or is_bullet(line):
        return False
    if _LEADS_IN.search(last) or _READS.search(last.rstrip(_HEAD_ENDS)):
        return True
    if is_question(last):
        return bool(_SHOWS.search(last) or _POINTS.search(last))
    return last.endswith((":", "：")) and _announces(last, is_list=is_list)


def _announces(heading: str, *, is_list: bool) -> bool:
    """Say whether what ends in a colon is above somebody else's text: not the head of a
    section, of a list, or of what the user wants."""
    if _POINTS.search(heading):
        return True
    is_head = len(heading.split()) < _FEWEST_WORDS and max(heading) < UNSPACED
    return not (is_list or is_head or _WISHES.search(heading))


def _head(line: str, *, is_open: bool) -> str:
    """Return a line without what it shows behind a colon or a question, or in a mark
    left open."""
    if is_open and (mark := left_open(line)):
        line = line[: line.rfind(mark)]
    if head := _before_words(line):
        return head
    for colon in (":", "："):
        head, found, shown = line.partition(colon)
        if found and shown.strip() and len(head) <= _LEAD and _names_text(head):
            return head + colon
    return line


def _before_words(line: str) -> str:
    """Return the question, or the head before a colon, behind which a line goes on with
    the words it is about; nothing, if it does not."""
    for found in islice(_HEAD_END.finditer(line[:_LEAD]), _MOST_HEADS):
        head = line[: found.start()]
        if line[found.end() :].strip() and _READS.search(head):
            return line[: found.end()]
    return ""


def _names_text(head: str) -> bool:
    """Say whether what stands before a colon leads to a text behind it."""
    if _LEADS_IN.search(head):
        return True
    named = _POINTS.search(head)
    if named is None or named.end() < len(head):
        return False
    return _WISHES.search(head) is None
