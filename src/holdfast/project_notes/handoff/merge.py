"""Which items the handoff file holds: what was there, merged with what a session knows.

Pure. A person's words stay, what is finished goes, and another session's items are left
alone. Merging the same again changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence

from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.handoff.document import (
    HEADINGS,
    MOST_LINES,
    OMITTED_WHEN_EMPTY,
    Block,
    Document,
    Line,
    OpenItem,
    OwnedLine,
    SectionKey,
)

_MOST_REMEMBERED = 1000  # items a person took out
_ORDER = tuple(HEADINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What one session has to say about the file."""

    owner: str
    items: tuple[OpenItem, ...]  # best first within each section
    finished: frozenset[str] = frozenset()  # ids known to be done, whoever wrote them


def merge(
    document: Document,
    update: Update,
    line_count: Callable[[Document], int],
    most_lines: int = MOST_LINES,
) -> Document:
    """Return the document as it stands after a session's update."""
    present = document.kept()
    ticked = {line.ident for line in present.values() if line.is_ticked}
    by_hand = (document.wrote - present.keys()) | document.removed | ticked
    by_hand -= update.finished
    wanted = {item.ident: item for item in update.items}
    blocks = [
        replace(block, lines=tuple(_stay(block.lines, update, wanted)))
        for block in document.blocks
    ]
    new = [
        item
        for item in update.items
        if item.ident not in present and item.ident not in by_hand
    ]
    needed = {item.section for item in new} | set(_ORDER) - {OMITTED_WHEN_EMPTY}
    merged = replace(document, blocks=_with_sections(blocks, needed, document.newline))
    merged = _with_new(merged, new, update)
    if top := _new_top(update, present, by_hand):
        merged = _with_first(merged, top)
    merged = replace(
        merged, removed=frozenset(sorted(by_hand)[:_MOST_REMEMBERED]), left_out=0
    )
    return _fitting(merged, line_count, most_lines)


def _stay(
    lines: Sequence[Line], update: Update, wanted: dict[str, OpenItem]
) -> Iterable[Line]:
    for line in lines:
        if isinstance(line, str):
            yield line
        elif line.ident not in update.finished and not line.is_ticked:
            yield from _stays(line, update.owner, wanted.get(line.ident))


def _stays(line: OwnedLine, owner: str, item: OpenItem | None) -> Iterable[Line]:
    if item is None and owner not in line.owners:
        yield line  # another session's
    elif item is None:
        rest = tuple(other for other in line.owners if other != owner)
        if rest:
            yield _again(line, line.text, rest)
        elif line.is_edited:
            yield _as_own_line(line)
    else:
        owners = tuple(sorted({*line.owners, owner}))
        text = line.text if line.is_edited else item.text
        yield _again(line, text, owners)


def _again(line: OwnedLine, text: str, owners: tuple[str, ...]) -> OwnedLine:
    """Return a line with new words or owners; unchanged, it keeps its bytes."""
    if text == line.text and owners == line.owners:
        return line
    if line.is_edited:  # a new digest would make a person's words ours
        head, _, tail = line.raw.rpartition(",".join(line.owners) + " -->")
        return replace(line, owners=owners, raw=f"{head}{','.join(owners)} -->{tail}")
    return replace(line, text=text, owners=owners, raw="")


def _as_own_line(line: OwnedLine) -> str:
    """Return a person's version of an item that is open nowhere: it is theirs now."""
    head, _, tail = line.raw.rpartition("<!-- hf ")
    ending = tail.partition("-->")[2].lstrip(" \t")
    return head.rstrip(" \t") + ending


def _with_sections(
    blocks: Sequence[Block], needed: set[SectionKey], newline: str
) -> tuple[Block, ...]:
    """Return the blocks with each section that is needed at its place."""
    found = list(blocks)
    for place, section in enumerate(_ORDER):
        if section not in needed or any(block.section == section for block in found):
            continue
        later = set(_ORDER[place + 1 :])
        at = next((n for n, b in enumerate(found) if b.section in later), len(found))
        _end_with_blank(found, at, newline)
        heading = f"## {HEADINGS[section]}{newline}"
        found.insert(at, Block(section, heading, (newline, newline)))
    return tuple(found)


def _end_with_blank(blocks: list[Block], at: int, newline: str) -> None:
    """A heading of ours stands apart from a person's text before it."""
    if at == 0:
        return
    before = blocks[at - 1]
    last = before.lines[-1] if before.lines else before.heading
    if isinstance(last, str) and not last.strip() and last:
        return
    if isinstance(last, str) and not last.endswith("\n"):
        ended = last + newline
        lines = (*before.lines[:-1], ended) if before.lines else ()
        heading = before.heading if before.lines else ended
        before = replace(before, heading=heading, lines=lines)
    blocks[at - 1] = replace(before, lines=(*before.lines, newline))


def _with_new(document: Document, new: Sequence[OpenItem], update: Update) -> Document:
    ranks = {item.ident: rank for rank, item in enumerate(update.items)}
    blocks = []
    for block in document.blocks:
        mine = [item for item in new if item.section == block.section]
        lines = list(block.lines)
        for item in mine:
            mark = "1. " if item.section == "next" else "- "
            line = OwnedLine(item.ident, item.text, (update.owner,), mark)
            lines.insert(_place(lines, ranks, ranks[item.ident]), line)
        blocks.append(replace(block, lines=tuple(lines)))
    return replace(document, blocks=tuple(blocks))


def _new_top(
    update: Update, present: dict[str, OwnedLine], by_hand: frozenset[str]
) -> OpenItem | None:
    """Return the first action where the focus names another one than the file does.

    Where it names the same, the order of the actions is a person's.
    """
    first = {item.section: item for item in reversed(update.items)}
    focus = first.get("focus")
    if focus is None or focus.ident in by_hand:
        return None
    told = present.get(focus.ident)
    is_new = told is None or not (told.is_edited or told.text == focus.text)
    return first.get("next") if is_new else None


def _with_first(document: Document, top: OpenItem) -> Document:
    """Return the document with one of its actions before all others."""
    blocks = []
    for block in document.blocks:
        lines = list(block.lines)
        places = [n for n, line in enumerate(lines) if isinstance(line, OwnedLine)]
        found = [n for n in places if _is_in(lines[n], {top.ident})]
        if block.section == "next" and found:
            lines.insert(places[0], lines.pop(found[0]))
        blocks.append(replace(block, lines=tuple(lines)))
    return replace(document, blocks=tuple(blocks))


def _place(lines: Sequence[Line], ranks: dict[str, int], rank: int) -> int:
    """Return where an item goes: after the last of ours that comes before it, else at
    the head of the list, below the blank line under its heading."""
    before = [
        place + 1
        for place, line in enumerate(lines)
        if isinstance(line, OwnedLine) and ranks.get(line.ident, rank) < rank
    ]
    if before:
        return before[-1]
    first = (n for n, line in enumerate(lines) if isinstance(line, OwnedLine))
    under_heading = (
        1 if lines and isinstance(lines[0], str) and not lines[0].strip() else 0
    )
    return next(first, under_heading)


def _fitting(
    document: Document, line_count: Callable[[Document], int], most_lines: int
) -> Document:
    """Return the document with as many items as fit, the longest lists cut first."""
    finished = _finished(document, 0)
    over = line_count(finished) - most_lines
    if over <= 0:
        return finished
    over += 1  # the line that says so
    lists: dict[SectionKey, list[OwnedLine]] = {
        block.section: list(block.kept()) for block in document.blocks if block.section
    }
    dropped: set[str] = set()
    while over > 0 and (victim := _last_of_longest(lists)):
        dropped.add(victim.ident)
        over -= 1
    blocks = tuple(
        replace(
            block,
            lines=tuple(line for line in block.lines if not _is_in(line, dropped)),
        )
        for block in document.blocks
    )
    return _finished(replace(document, blocks=blocks), len(dropped))


def _last_of_longest(lists: dict[SectionKey, list[OwnedLine]]) -> OwnedLine | None:
    """Take the last item that no person edited from the longest list."""
    for section in sorted(lists, key=lambda key: -len(lists[key])):
        for line in reversed(lists[section]):
            if not line.is_edited:
                lists[section].remove(line)
                return line
    return None


def _is_in(line: Line, idents: set[str]) -> bool:
    return isinstance(line, OwnedLine) and line.ident in idents


def _finished(document: Document, left_out: int) -> Document:
    """Return the document numbered, without an empty section that may be left out."""
    blocks = tuple(
        _numbered(block) if block.section == "next" else block
        for block in document.blocks
        if not _is_omitted(block)
    )
    wrote = frozenset(line.ident for block in blocks for line in block.kept())
    return replace(document, blocks=blocks, wrote=wrote, left_out=left_out)


def _is_omitted(block: Block) -> bool:
    return block.section == OMITTED_WHEN_EMPTY and not any(
        isinstance(line, OwnedLine) or line.strip() for line in block.lines
    )


def _numbered(block: Block) -> Block:
    lines: list[Line] = []
    number = 0
    for line in block.lines:
        if isinstance(line, OwnedLine):
            number += 1
            mark = f"{number}. "
            if not line.is_edited and line.mark[:1].isdigit() and line.mark != mark:
                line = replace(line, mark=mark, raw="")  # noqa: PLW2901  # the same line, numbered
        lines.append(line)
    return replace(block, lines=tuple(lines))
