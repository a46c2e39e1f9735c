"""What people and agents write, in any language: its sentences, questions and pastes, and
the words by which two texts are about one thing.

A language has several lists of words that carry no meaning:
docs/design/013-a-language-is-a-file.md.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, groupby, pairwise
from typing import Literal

from holdfast.domain.text import extent, one_line
from holdfast.kernel.lazy_patterns import compiled, pattern
from holdfast.language.languages import Cues, latin_letters

LONG_PASTE = 15  # lines; a longer block was not typed
EXCERPT = 300  # characters
PASTED = pattern(r"\[pasted \d+ lines\]")  # what stands for one
IMAGE = pattern(r"\[Image #\d+\]")  # what a client writes for one

# How the client begins the prompt that it makes of a plan.
_ACCEPTED_PLAN = "Implement the following plan:"
_CLOSING = 4  # lines that a closing remark may have
_FEWEST_TYPED = 3  # words of one that stands right below a paste
_MOST_CHARS = 20_000  # of one text; the rest of it cannot change what it says
_FENCES = ("```", "~~~")
# So is a number in bold type, with what is named there and something said of it.
_BULLET = pattern(
    r"^\s*(?:[-*•+]|\d{1,3}[.)]|\[[ xX]\]|\*\*\d{1,2}[.)](?=[^*\n]+\*\*[ \t]*\S))\s+(?:\[ \]\s+)?"
)
_HEADING = pattern(r"^\s*#{1,6}\s+")
# A table: its head, the line below that, and its rows.
_TABLE = pattern(
    r"^[ \t]*\|[^\n]*\|[ \t]*\n[ \t]*\|[ \t:|-]*-[ \t:|-]*\n"
    r"((?:[ \t]*\|[^\n]*(?:\n|\Z)){1,60})",
    re.MULTILINE,
)
_CELL = pattern(r"(?:`[^`|]*(?:\|[^`]*)?`|\\\||[^|])+|(?<=\|)(?=\|)")
_MOST_CELLS = 4  # of a row
_NO_CELL = frozenset(["-", "–", "—"])
_BOLD = pattern(r"\*\*[^*\n]*[^*.!。！\s]\*\*")  # and no sentence
_RULE = pattern(r"^\s*(?:[-*_=]\s*){3,}$")
_FIRST_OF_MARKS = frozenset("#-*•+[_=")

# Code is left as it is: `**kwargs`, `*Node`, `__name__`; and so are names and globs in
# words: `__init__.py`, src/*.py, **/*.go.
_EMPHASIS = pattern(
    r"``*[^`]*`+|\*\*(?=[^\s/])([^*\n]*/)\*\*(?![\w/*])|\*(?<!/\*)\*{1,2}(?!/)"
    r"|_(?<![\w/.`]_)_(?=\S)|_(?<=\S_)_(?![\w.(`])"
    r"|\*(?<![\w*/]\*)(?=[^\s*./])([^*]*[^\s*])\*(?![\w*])"
)
_LINK = pattern(r"!?\[([^\]]*)\]\([^)\s]*\)")

# A full stop ends a sentence before a space and something that can begin one; a stop
# after `e.g`, `i.e`, `etc`, a single letter or a number in a list does not.
# It begins with the sign itself, and so do those below: an expression that begins by
# looking back is tried at every letter.
_STOP = pattern(
    r"[.!?。！？](?:"
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bcf\.)"
    r"(?<!\b[A-Za-z]\.)(?<!^\d\.)(?<!^\d\d\.)[\"'”’)\]]*\s+(?=[^\sa-z])"
    r"|(?<=[!?])\s(?=[a-z])"
    r"|(?<=[。！？])\s*"
    # Who writes without spaces puts none behind a mark of the other keyboard, either.
    r"|(?<=[?!])(?=[\u3040-\u30ff\u3400-\u9fff]))"
)
_CLOSES = "\"'”’)]"

# What stands in quotation marks or backticks is somebody's words or code, as a whole.
# So is what a tag holds, or a comment of a page, unless the tag only makes it bold.
ELEMENT = (
    r"<!--.{1,600}?-->|<(?!(?:b|i|u|s|em|strong|code|kbd|mark|a)\b)"
    r"(?P<tag>[A-Za-z][\w:.-]*)(?:\s[^<>]{0,80})?>.{1,600}?</(?P=tag)>"
)
_QUOTED = pattern(
    r"(`+)[^`]{1,300}\1|(?<!\w)\"[^\"]{1,300}\"(?!\w)|“[^”]{1,300}”|„[^“”]{1,300}[“”]"
    r"|«[^»]{1,300}»|「[^」]{1,300}」|『[^』]{1,300}』|" + ELEMENT
)
_QUOTES = frozenset('`"“„«「『<')

# `v2`, `test_1` and `#12` are names.
_FIGURE = pattern(r"(?<![\w.#/-])\d+(?:[.,]\d+)*")
_QUESTION_END = pattern(r"[?？][\"'”’)\]*_`\s]*$")
_ASKS_WITHOUT_MARK = Cues(
    lambda spoken: (
        rf"(?:{ending})[\s.。]*$" if (ending := spoken.questions.asks_at_end) else ""
    )
)
_MACHINE = pattern(
    r"""^\s*(?:
        at\s\S+[\s(] | File\s" | Traceback\b | diff\s--git | @@\s | [+-]{3}\s\S
      | \d{4}-\d\d-\d\d[T\s]\d\d | \[?\d\d:\d\d:\d\d | [|│├└┌╭╰] | [$❯%]\s\S
      | ={3,}\s | -{3}\s\S | (?:ok|FAIL|PASS|RUN|SKIP)(?:\s{2}|\t|:|$) | [A-Z][a-z]{2}\s+\d+\s\d\d: | \?\s{2,}
      | (?:\S+:)?(?:\d+:){1,2} | [{}\[\]()<>;]+\s*$ | </?\w+ | [\w-]+\s*[:=]\s*[{\["]
      | from\s[\w.]+\simport\s | (?:import|func|def|class|const|let|var|return|package|public|private)\b(?!['’]).*
        [;:{()=]
      | (?:[A-Za-z]+)?(?:[Ee]rror|[Ww]arning|Exception|fatal|remote|panic):\s
      | \S*[/\\]\S+:\d+ | \s{3,}\S
    )""",
    re.VERBOSE,
)


_ASCII_LETTERS = {n: None for n in range(128) if chr(n).isalpha() or chr(n).isspace()}
_MOST_OF = 0.6  # share of an item's words that a prompt must have to speak of it
FEWEST_WORDS = 2
_SHORTEST_WORD = 3
UNSPACED = "\u0e00"  # where such scripts begin; they are compared by pairs
FORBIDS = Cues(lambda spoken: spoken.rules.forbids)


def but_for_figures(sentence: str) -> str:
    """Return what two sentences have in common of which one corrects the other's figures."""
    return _FIGURE.sub("#", sentence.lower())


@lru_cache(maxsize=2048)  # several passes ask for the same message
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without Markdown's marks and code blocks."""
    found: list[str] = []
    for line in prose_lines(text):
        found.extend(part for part in map(str.strip, _parted(line)) if part)
    return tuple(found)


def closing_sentences(spoken: Sequence[str], limit: int) -> str:
    """Return the last of some sentences, and of those before it as many as have room."""
    at = len(spoken) - 1
    room = limit - sum(map(extent, spoken[-1:]))
    while at > 0 and extent(spoken[at - 1]) < room:
        at -= 1
        room -= extent(spoken[at]) + 1
    return " ".join(spoken[max(at, 0) :])


def _parted(line: str) -> list[str]:
    """Return a line cut where its sentences end, none of them within a quotation."""
    ends = (_STOP, _lower_stop()) if line[0].islower() else (_STOP,)
    found = chain.from_iterable(end.finditer(line) for end in ends)
    stops = sorted({stop.end() - len(stop[0][1:].lstrip(_CLOSES)) for stop in found})
    if stops and not _QUOTES.isdisjoint(line):
        spans = [quoted.span() for quoted in _QUOTED.finditer(line)]
        stops = [s for s in stops if not any(a < s < b for a, b in spans)]
    return [line[a:b] for a, b in pairwise((0, *stops, len(line)))]


@cache
def _lower_stop() -> re.Pattern[str]:
    """Return where a sentence ends whose writer begins each in lower case: at every stop
    before a space, but for ellipses and what is shortened in the languages written so."""
    shortened = {short for each in latin_letters() for short in each.words.shortened}
    return compiled(
        r"\.(?<=[^\s.]\.)(?<!\b[^\W\d]\.)(?<!^\d\.)(?<!^\d\d\.)"
        + "".join(rf"(?<!\b{short}\.)" for short in sorted(shortened))
        + r"[\"'”’)\]]*\s+(?=[a-z])"
    )


def prose_lines(text: str) -> tuple[str, ...]:
    """Return the lines that are prose, plain: no fences, rules, tables or marks."""
    return tuple(line for line in map(plain, without_code(text)) if line)


def without_code(text: str) -> list[str]:
    """Return the lines outside of code fences and tables."""
    lines: list[str] = []
    inside = False
    for line in text[:_MOST_CHARS].splitlines():
        bare = line.lstrip()
        if bare.startswith(_FENCES):
            inside = not inside
        elif not inside and not bare.startswith("|"):
            lines.append(line)
    return lines


def with_rows_told(text: str) -> str:
    """Return a text whose tables are lists: each row an entry, its first cell what the
    others are about."""
    return _TABLE.sub(_rows_told, text) if "|" in text else text


def _rows_told(table: re.Match[str]) -> str:
    rows = [_CELL.findall(row.strip().strip("|")) for row in table[1].splitlines()]
    told: list[str] = []
    for row in rows:
        cells = [cell.strip().replace("\\|", "|") for cell in row[:_MOST_CELLS]]
        first, *others = ["" if cell in _NO_CELL else cell for cell in cells]
        rest = " · ".join(filter(None, others))
        if entry := ": ".join(filter(None, (first.rstrip(":："), rest))):
            told.append(f"- {entry}\n")
    return "".join(told)


def plain(line: str) -> str:
    """Return a line of Markdown as a reader would say it."""
    bare = line
    first = line.lstrip()[:1]
    if first in _FIRST_OF_MARKS or first.isdecimal():  # most lines begin with a word
        if _RULE.match(line):
            return ""
        bare = _BULLET.sub("", _HEADING.sub("", line), count=1)
    if "](" in bare:
        bare = _LINK.sub(r"\1", bare)
    if "*" in bare or "__" in bare:
        bare = _EMPHASIS.sub(_without_emphasis, bare)
    return bare.strip()


def _without_emphasis(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("`") else found[1] or found[2] or ""


def is_heading(line: str) -> bool:
    """Say whether a line only announces what follows."""
    bare = line.strip()
    return bool(_HEADING.match(bare)) or bare.rstrip("*_").endswith((":", "："))


def is_title(line: str) -> bool:
    """Say whether a line stands above what follows: `## Changes`, `**Changes**`."""
    bare = line.strip()
    return bool(_HEADING.match(bare)) or _BOLD.fullmatch(bare) is not None


def is_bullet(line: str) -> bool:
    return _BULLET.match(line) is not None


@lru_cache(maxsize=4096)  # every pass asks
def is_question(sentence: str) -> bool:
    return bool(_QUESTION_END.search(sentence) or _ASKS_WITHOUT_MARK.search(sentence))


def is_accepted_plan(prompt: str) -> bool:
    """Say whether a prompt is a plan that the user accepted: the agent wrote it."""
    return prompt.lstrip().startswith(_ACCEPTED_PLAN)


def typed_words(prompt: str) -> str:
    """Return what the user typed: a long pasted block becomes `PASTED`."""
    lines, first, end = _paste_in(prompt)
    if first == end:
        return prompt.strip()
    marked = [*lines[:first], f"[pasted {end - first} lines]", *lines[end:]]
    return "\n".join(line for line in marked if line.strip())


def pasted_text(prompt: str) -> list[str]:
    """Return the lines of what was pasted that say something, plain."""
    lines, first, end = _paste_in(prompt)
    return [told for line in lines[first:end] if (told := plain(line))]


@lru_cache(maxsize=512)  # every pass asks
def _paste_in(prompt: str) -> tuple[tuple[str, ...], int, int]:
    """Return the lines of a prompt, and where a long paste begins and ends in them."""
    lines = prompt.strip().splitlines()
    return tuple(lines), *pasted_lines(lines)


def pasted_lines(lines: list[str], *, is_sure: bool = False) -> tuple[int, int]:
    """Return where a long paste begins and ends; equal if nothing was pasted. Who must be
    sure that something was typed does not take the line right below a paste for that.

    Nothing in a transcript says what was typed. People type a beginning and sometimes
    an end around what they paste; text of many short paragraphs is their own. A plan
    that was accepted comes as a prompt, and the agent wrote all of it.
    """
    if lines and lines[0].strip() == _ACCEPTED_PLAN:
        return _first_said(lines[1:]) + 1, len(lines)
    if len(lines) <= LONG_PASTE:
        return 0, 0
    first = 1
    while first < len(lines) and lines[first].strip() and not is_machine(lines[first]):
        first += 1
    if is_machine(lines[0]):
        first = 0
    elif first > LONG_PASTE:  # no blank line after the words: only the first is sure
        first = 1
    end = _typed_end(lines, first, is_sure=is_sure)
    first += _first_said(lines[first:end])
    while first < end and not lines[end - 1].strip():
        end -= 1
    if end - first <= LONG_PASTE or _reads_typed(lines[first:end]):
        return 0, 0
    return first, end


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line, short enough to keep as evidence."""
    return one_line(text[: EXCERPT * 4], EXCERPT)


def _first_said(lines: list[str]) -> int:
    """Return the place of the first line that is not blank, or the end."""
    said = (place for place, line in enumerate(lines) if line.strip())
    return next(said, len(lines))


def _typed_end(lines: list[str], first: int, *, is_sure: bool) -> int:
    """Return where a short closing paragraph in words begins, or the end."""
    start = len(lines)
    while start > first and lines[start - 1].strip():
        start -= 1
    closing = lines[start:]
    is_typed = 0 < len(closing) <= _CLOSING and not any(
        is_machine(line) or _BULLET.match(line) or _HEADING.match(line)
        for line in closing
    )
    is_within = is_sure and sum(map(is_title, lines[first:start])) > 1
    if is_typed and start > first and not is_within:
        return start
    is_below = not is_sure and is_typed_below(lines[-1], lines[first:-1])
    return len(lines) - 1 if is_below else len(lines)


def is_typed_below(line: str, pasted: list[str]) -> bool:
    """Say whether the last line is in words and what stands right above it is output: no
    line there begins as it does."""
    words = line.split()
    if len(words) < _FEWEST_TYPED or line[0].isspace() or is_machine(line):
        return False
    reads_as_words = is_question(line) or _letters_in(line) * 10 >= len(line) * 9
    if not reads_as_words or ":" in line or _BULLET.match(line) or _HEADING.match(line):
        return False
    begun = {above.split()[0] for above in pasted if above.strip()}
    foreign = sum(map(is_machine, pasted))
    return foreign * 3 >= len(pasted) and words[0] not in begun


def _reads_typed(lines: list[str]) -> bool:
    """Say whether lines read like a long message: no headings, hardly any output."""
    written = [line for line in lines if line.strip()]
    if any(_HEADING.match(x) or x.lstrip().startswith(_FENCES) for x in written):
        return False
    foreign = sum(map(is_machine, written))
    return foreign * 10 < len(written) and _longest_paragraph(lines) <= LONG_PASTE


def _longest_paragraph(lines: list[str]) -> int:
    runs = groupby(lines, key=lambda line: bool(line.strip()))
    return max((len([*run]) for is_said, run in runs if is_said), default=0)


def is_machine(line: str) -> bool:
    if _BULLET.match(line):
        return False
    if _MACHINE.match(line):
        return True
    bare = line.strip()
    return len(bare) > 10 and _letters_in(bare) < len(bare) * 0.6  # noqa: PLR2004  # mostly signs


def _letters_in(line: str) -> int:
    """Return how many letters and blanks a line has."""
    if line.isascii():  # counting what is left is ten times as fast
        return len(line) - len(line.translate(_ASCII_LETTERS))
    return sum(c.isalpha() or c.isspace() for c in line)


def covers(words: frozenset[str], wanted: frozenset[str]) -> bool:
    """Say whether most of the wanted words are there, and more than a chance one."""
    if not wanted:
        return False
    found = len(words & wanted)
    return found >= min(FEWEST_WORDS, len(wanted)) and found >= _MOST_OF * len(wanted)


@lru_cache(maxsize=512)  # each rule is asked by each prompt after it
def words_in(folded: str) -> frozenset[str]:
    """Return the words of a text that carry meaning."""
    found: set[str] = set()
    for run in runs_of().findall(folded):
        if run[0] >= UNSPACED:
            found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif len(run) >= _SHORTEST_WORD and run not in word_list("unspoken"):
            found.add(run)
    return frozenset(found)


@cache
def word_list(
    name: Literal["small", "common", "unspoken", "fillers", "articles", "negations"],
) -> frozenset[str]:
    """Return a list of words in the languages with Latin letters, by its name there."""
    lists = (getattr(each.words, name).split() for each in latin_letters())
    return frozenset(word for words in lists for word in words)


# Compiled when first needed: a hook that only asks what was left open pays for none.
@cache
def runs_of() -> re.Pattern[str]:
    """Return what a word is, or a run of a script that puts no space between words."""
    return compiled(
        r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
        r"|[^\W_]+"
    )
