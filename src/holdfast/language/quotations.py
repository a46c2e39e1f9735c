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
from itertools import pairwise

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues, Spoken, Template
from holdfast.language.sentences import (
    UNSPACED,
    is_bullet,
    is_machine,
    is_question,
    pasted_lines,
    sentences,
)

_Span = tuple[int, int]  # the first line, and the one behind the last

_LONGEST = 20_000  # characters; nobody types more
_LETTER_LINE = 60  # characters of a greeting, a name, a closing
_FEWEST_WORDS = 3  # of a sentence; less is the head of a section
_LEAD = 200  # characters of a sentence that leads to a text
_FENCE = pattern(r"^\s*(`{3,}|~{3,})")
_QUOTE = pattern(r"^\s{0,3}>")
# The screen of an agent: what it called and what came of it, and what it said.
_SCREEN, _SAID_THERE = pattern(r"^\s*[⎿⏺]\s"), pattern(r"^\s*[●⎿⏺✻✽✶]\s")
_BEGINS, _ENDS = pattern(r"^\W*BEGIN\b"), pattern(r"^\W*END\b")
_DRAWN = pattern(r"^\s*([=*~_#<>\"'])\1{2,}\s*$")
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
        \[?\d{4}-\d\d-\d\d[T\s]\d\d | \[?\d\d:\d\d:\d\d
      | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|NOTICE)\]?\s
      | (?:npm|yarn|pnpm)\s(?:ERR|WARN|error|warn) | -+>\s | Step\s\d+/\d+
    )""",
    re.VERBOSE,
)
_TRACE = pattern(
    r"^\s*(?:Caused by:|Exception in thread|goroutine \d+|panic:)|^[\w.]*(?:Exception|Error)\b[^:]{0,40}:\s"
)
_TERMINAL = pattern(
    r"^(?:[$❯]\s\S|➜\s|PS [A-Za-z]:\\|[A-Za-z]:\\[^>]*>|>>>\s|\(?[\w.-]+@[\w.-]+[:~\s][^$#%]{0,80}[$#%](?:\s|$))"
)
# What these print was written by somebody else, over paragraphs.
_SHOWS_TEXT = pattern(
    r"[$#%>✗❯]\s*(?:sudo\s+)?(?:cat|bat|less|more|head|tail|type|curl|wget|http|gh|glab|man|echo|jq|xclip|pbpaste"
    r"|Get-Content|gc|git\s+(?:log|show|diff))\b"
)
_CLOSED_BY = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
_OPENS = frozenset(_CLOSED_BY)
_NAMED = pattern(
    r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』"
)
_CLOSED = pattern(r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』')

_LEADS_IN = Cues(lambda spoken: spoken.quoting.leads_in)
_POINTS = Cues(lambda spoken: spoken.quoting.points)
_SHOWS = Cues(lambda spoken: spoken.quoting.shows)
_WISHES = Cues(lambda spoken: spoken.quoting.wishes)
_GREETS = Cues(lambda spoken: spoken.quoting.greets)
_SIGNS_OFF = Cues(lambda spoken: spoken.quoting.signs_off)
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
    if "\n" not in prompt and ":" not in prompt and "：" not in prompt:
        return prompt.strip()
    lines = prompt[:_LONGEST].strip().splitlines()
    shown = [False] * len(lines)
    for first, end in _shown(lines):
        shown[first:end] = [True] * (min(end, len(lines)) - first)
    cut = {first - 1 for first, _ in _in_marks(lines)}
    said = (
        "" if shown[n] else _head(line, is_open=n in cut)
        for n, line in enumerate(lines)
    )
    return "\n".join(said).strip()


def without_quotes(sentence: str) -> str:
    """Return a sentence without what it only names: in quotation marks, or as code."""
    return _NAMED.sub("“”", sentence)


def _shown(lines: Sequence[str]) -> list[_Span]:
    """Return the lines that somebody else wrote."""
    closed = [pasted_lines(list(lines)), *_fenced(lines), *_quoted(lines)]
    closed += [*_between_marks(lines), *_in_marks(lines)]
    printed = [*_printed(lines)]
    within = {place for span in closed for place in range(*span)}
    known = within.union(*(range(*span) for span in printed))
    return [*closed, *printed, *_to_the_end(lines, within, known)]


def _fenced(lines: Sequence[str]) -> Iterator[_Span]:
    """Yield code blocks; one that is never closed goes on to the end."""
    opened: tuple[int, str] | None = None
    for place, line in enumerate(lines):
        found = _FENCE.match(line)
        if opened is None and found:
            opened = (place, found[1])
        elif opened and found and _closes(line, opened[1]):
            yield opened[0], place + 1
            opened = None
    if opened:
        yield opened[0], len(lines)


def _closes(line: str, fence: str) -> bool:
    """Say whether a line ends a block: a fence and nothing behind it."""
    bare = line.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _quoted(lines: Sequence[str]) -> Iterator[_Span]:
    """Yield quotations of Markdown and of mails, to the end of their paragraph."""
    for first, end in _paragraphs(lines):
        marks = (n for n in range(first, end) if _QUOTE.match(lines[n]))
        begin = next(marks, None)
        if begin is not None:
            yield begin, end


def _between_marks(lines: Sequence[str]) -> Iterator[_Span]:
    """Yield what stands between BEGIN and END, or between two rules drawn alike; with
    `---` people part their own sections."""
    opened: int | None = None
    for place, line in enumerate(lines):
        if opened is None and (_BEGINS.match(line) or _DRAWN.match(line)):
            opened = place
        elif opened is not None and _closes_marks(lines[opened], line):
            yield opened, place + 1
            opened = None
    if opened is not None and _BEGINS.match(lines[opened]):
        yield opened, len(lines)


def _closes_marks(opened: str, line: str) -> bool:
    if _BEGINS.match(opened):
        return _ENDS.match(line) is not None
    return line.strip() == opened.strip()


def _in_marks(lines: Sequence[str]) -> Iterator[_Span]:
    """Yield the lines behind a quotation mark that is closed on a later line."""
    opened: tuple[int, str] | None = None
    for place, line in enumerate(lines):
        if opened is None:
            if mark := _left_open(line):
                opened = (place + 1, _CLOSED_BY[mark])
        elif not set(opened[1]).isdisjoint(line):
            yield opened[0], place + 1
            opened = None


def _left_open(line: str) -> str:
    """Return the quotation mark that a line opens and does not close."""
    if _OPENS.isdisjoint(line):
        return ""
    bare = _CLOSED.sub("", line)
    return next((mark for mark in bare if mark in _OPENS), "")


def _printed(lines: Sequence[str]) -> Iterator[_Span]:
    """Yield what programs wrote, data, code and chats: from the first such line of a
    paragraph to its end, and what stands between two lines of one log or chat."""
    dated: list[int] = []
    is_screen = any(map(_SCREEN.match, lines))  # else `●` begins somebody's list
    for first, end in _paragraphs(lines):
        part = lines[first:end]
        printed = (
            n
            for n, line in enumerate(part)
            if _is_printed(line) or (is_screen and _SAID_THERE.match(line))
        )
        begin = next(printed, None)
        if begin is None:
            begin = _data_begins(part)
        if begin is not None:
            yield first + begin, end
        dated += [first + n for n, line in enumerate(part) if _is_dated(line)]
    yield from ((a, b) for a, b in pairwise(dated))


def _is_dated(line: str) -> bool:
    return bool(_CHAT.match(line) or _LOG.match(line) or _TERMINAL.match(line))


def _is_printed(line: str) -> bool:
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
) -> Iterator[_Span]:
    """Yield what begins like a text of somebody else and has no end that can be seen."""
    for place, line in enumerate(lines):
        if place in within:
            continue
        if _opens_text(lines, place) or _prints_text(line):
            yield place, len(lines)
            return
        below = _first_said(lines, place + 1)
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
    name = _first_said(lines, closing[-1] + 1)
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
    if _LEADS_IN.search(last):
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
    """Return a line without what it shows behind a colon, or in a mark left open."""
    if is_open and (mark := _left_open(line)):
        line = line[: line.rfind(mark)]
    for colon in (":", "："):
        head, found, shown = line.partition(colon)
        if found and shown.strip() and len(head) <= _LEAD and _names_text(head):
            return head + colon
    return line


def _names_text(head: str) -> bool:
    """Say whether what stands before a colon leads to a text behind it."""
    if _LEADS_IN.search(head):
        return True
    named = _POINTS.search(head)
    if named is None or named.end() < len(head):
        return False
    return _WISHES.search(head) is None


def _paragraphs(lines: Sequence[str]) -> Iterator[_Span]:
    first = 0
    for place in range(len(lines) + 1):
        if place == len(lines) or not lines[place].strip():
            if place > first:
                yield first, place
            first = place + 1


def _first_said(lines: Sequence[str], place: int) -> int:
    """Return the next line that is not blank, or the end."""
    while place < len(lines) and not lines[place].strip():
        place += 1
    return place
