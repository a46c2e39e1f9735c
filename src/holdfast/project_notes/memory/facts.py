"""`MEMORY.md` and `STATE.md`: bullets below headings, changed line by line.

A fact that we wrote ends in `<!-- hf d41d8c -->`, a digest of its words: once a person
edits it, it is theirs. Of `STATE.md`, where a project keeps one, entries that are done
are taken out, no more. Everything else comes back as it was.
"""

from collections.abc import Iterator, Sequence

from holdfast.domain.text import plain, unmarked
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.sentences import word_list
from holdfast.project_notes.handoff.document import digest
from holdfast.project_notes.lines import (
    as_item,
    ended,
    fenced,
    newline_of,
    put,
    split_lines,
)
from holdfast.project_notes.memory.entries import (
    MOST_TEXT,
    Fact,
    Outcome,
    alike,
    contradicts,
)

TITLE = "# Project memory"
DEFAULT_SECTION = "Facts"
_BULLET = pattern(
    r"^(?P<mark>[ \t]*[-*+][ \t]+)(?P<text>\S.*?)(?:[ \t]*<!-- hf (?P<digest>[0-9a-f]{6}) -->)?[ \t]*$"
)
_NOTE = pattern(r"<!-- hf ([0-9a-f]{6}) -->$")
_BULLETS, _BLANKS = frozenset("-*+"), frozenset(" \t")
_HEADING = pattern(r"^#{2,6}[ \t]+(.*?)[ \t#]*$")
_OLD_HANDOFF = pattern(r"\bsession-handoff-(?!LATEST\b)[\w-]+(?:\.\d+)*\.md\b")
_LATEST = "session-handoff-LATEST.md"
_WORD = pattern(r"\w{3,}")
_MOST_OF = 0.6  # of the words, that a fact of the same meaning shares
_BEFORE_SUBJECT = 8  # characters of articles and marks
_ENOUGH = 2  # words in common that make a section the right one
_ENTRY = pattern(
    r"^[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*?)[ \t]*$"
)
_TICKED = pattern(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[xX]\][ \t]|~~.+~~[ \t]*$)")


def facts_in(text: str | None) -> tuple[Fact, ...]:
    """Return the facts of a file, those that people wrote included."""
    return tuple(_facts(split_lines(text or "")))


def with_fact(
    text: str | None,
    fact: str,
    section: str | None,
    *,
    over_people: bool,
) -> tuple[str | None, Outcome]:
    """Return the file with a fact in it, and what became of it; None: unchanged.

    What is known already is not added. What it contradicts is replaced; where a person
    wrote that, only with `over_people`.
    """
    told = as_item(unmarked(fact), MOST_TEXT)
    lines = split_lines(text or "")
    known_facts = list(_facts(lines))
    near = _near(told, known_facts)
    for known in near:
        if alike(known.text, told):
            return None, Outcome("known", told, known.text)
    newline = newline_of(text)
    for known in near:
        if contradicts(known.text, told):
            if not (known.is_ours or over_people):
                return None, Outcome("conflict", told, known.text)
            lines[known.line] = _replaced(lines[known.line], told)
            return "".join(lines), Outcome("replaced", told, known.text)
    _insert(lines, told, section or _fitting_section(known_facts, near, told), newline)
    return "".join(lines), Outcome("added", told)


def unified(text: str | None) -> str | None:
    """Return the file with every old handoff name made the one there is; None: the same.

    Where that makes a line the same as one before it, one is enough.
    """
    if text is None or not _OLD_HANDOFF.search(text):
        return None
    kept: list[str] = []
    seen: set[str] = {line for line in split_lines(text) if _LATEST in line}
    for line in split_lines(text):
        renamed = _OLD_HANDOFF.sub(_LATEST, line)
        if renamed == line:
            kept.append(line)
        elif renamed not in seen:
            seen.add(renamed)
            kept.append(renamed)
    return "".join(kept)


def fact_line(fact: Fact) -> str:
    section = f"{fact.section}: " if fact.section else ""
    return f"  {plain(section + fact.text)}"


def done_entries(
    text: str | None, done: Sequence[str], mended: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the entries of `STATE.md` that are over: ticked or struck out by a person,
    done, or held up by a command that goes well by now."""
    return tuple(entry for _, entry in _done(split_lines(text or ""), done, mended))


def without_entries(
    text: str | None, done: Sequence[str], mended: Sequence[str] = ()
) -> str | None:
    """Return `STATE.md` without those; None where there is nothing to remove."""
    lines = split_lines(text or "")
    gone = {place for place, _ in _done(lines, done, mended)}
    if not gone:
        return None
    return "".join(line for place, line in enumerate(lines) if place not in gone)


def _facts(lines: list[str]) -> Iterator[Fact]:
    section = ""
    code = fenced(lines)
    for place, line in enumerate(lines):
        if code[place]:
            continue
        bare = line.strip(" \t\r\n")
        if bare[:1] == "#" and (heading := _HEADING.match(line.rstrip("\r\n"))):
            section = heading[1]
        elif bare[:1] in _BULLETS and bare[1:2] in _BLANKS:
            text, note, end = bare[2:].strip(), "", bare.rfind("<!-- hf ")
            if end > 0 and (found := _NOTE.match(bare, end)):
                text, note = bare[2:end].strip(), found[1]
            if text:
                yield Fact(text, section, bool(note) and note == digest(text), place)


def _near(told: str, known: Sequence[Fact]) -> list[Fact]:
    """Return the facts that could say the same or the opposite.

    Most facts of a large file have nothing to do with a new one: the others share most
    of its words, or begin with the same.
    """
    words = _WORD.findall(told.casefold())
    if not words:
        return list(known)
    first = next(
        (word for word in words if word not in word_list("articles")), words[0]
    )
    enough = max(1, _MOST_OF * len(words))
    near = []
    for fact in known:
        folded = fact.text.casefold()
        begins = first in folded[: len(first) + _BEFORE_SUBJECT]
        if begins or sum(word in folded for word in words) >= enough:
            near.append(fact)
    return near


def _line(told: str) -> str:
    return f"{told} <!-- hf {digest(told)} -->"


def _replaced(line: str, told: str) -> str:
    bare = line.rstrip("\r\n")
    bullet = _BULLET.match(bare)
    mark = bullet["mark"] if bullet else "- "
    return mark + _line(told) + line[len(bare) :]


def _fitting_section(known: Sequence[Fact], near: Sequence[Fact], told: str) -> str:
    """Return the section whose heading and facts share most words with a new fact."""
    words = set(_WORD.findall(told.casefold())) - word_list("articles")
    scores = {
        section: 2 * len(words & set(_WORD.findall(section.casefold())))
        for section in dict.fromkeys(fact.section for fact in known)
        if section
    }
    best_fact: dict[str, int] = {}
    for fact in near:
        shared = len(words & set(_WORD.findall(fact.text.casefold())))
        best_fact[fact.section] = max(shared, best_fact.get(fact.section, 0))
    for section in scores:
        scores[section] += best_fact.get(section, 0)
    best = max(scores, key=lambda section: scores[section], default="")
    return best if best and scores[best] >= _ENOUGH else DEFAULT_SECTION


def _insert(lines: list[str], told: str, section: str, newline: str) -> None:
    entry = f"- {_line(told)}"
    heading = next(_headings(lines, section), None)
    if heading is None:
        ended(lines, newline)
        if not lines:
            lines += [TITLE + newline, newline]
        elif lines[-1].strip():
            lines.append(newline)
        lines += [f"## {section}{newline}", newline, entry + newline]
        return
    end = next((n for n in _headings(lines, None) if n > heading), len(lines))
    own = [fact.line for fact in _facts(lines) if heading < fact.line < end]
    place = own[-1] if own else heading
    below = place + 1
    if not own and below < len(lines) and not lines[below].strip():
        below += 1
    put(lines, below, entry, newline)


def _headings(lines: list[str], title: str | None) -> Iterator[int]:
    """Yield where headings stand, of any or of one title."""
    code = fenced(lines)
    for place, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        if code[place] or not bare.startswith("#"):
            continue
        found = _HEADING.match(bare)
        wanted = found and title and found[1].casefold() == title.casefold()
        if title is None or wanted:
            yield place


def _done(
    lines: Sequence[str], done: Sequence[str], mended: Sequence[str]
) -> Iterator[tuple[int, str]]:
    code = fenced(lines)
    for place, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        entry = None if code[place] else _ENTRY.match(bare)
        if entry is None:
            continue
        is_ticked = _TICKED.match(bare) is not None
        is_resolved = any(f"`{command}`" in entry[1] for command in mended)
        if is_ticked or is_resolved or any(alike(entry[1], text) for text in done):
            yield place, entry[1]
