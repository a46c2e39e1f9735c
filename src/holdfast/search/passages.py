"""What a checkpoint says, in passages: the pieces in which it is searched and quoted.

Passages of one kind stand side by side, because what was said next to a word helps to
find it; between kinds there is a gap. Long texts are cut at lines and sentences.
"""

from collections.abc import Iterable, Iterator

from holdfast.domain.asked import is_goal
from holdfast.domain.checkpoint import CommandRef, Content, Draft, Item
from holdfast.domain.kinds import SEARCHED
from holdfast.domain.query import Passage
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

LAST_PLACE = 1000  # of one checkpoint; what would come later is not searched
GAP = 6  # places between kinds: no passage is a neighbour of another kind's
_LONGEST = 480  # characters of a passage that can be cut
_SENTENCE_END = pattern(r"(?<=[.!?;])\s+|(?<=[。！？；])")


class Placed(NamedTuple):
    """A passage with its place in its checkpoint and the statement it is a part of."""

    place: int
    statement: int
    passage: Passage


def placed_passages(draft: Draft) -> list[Placed]:
    """Return the passages of a checkpoint, in order."""
    return list(each_passage(draft))


def each_passage(draft: Draft) -> Iterator[Placed]:
    """Yield the passages of a checkpoint, in order: who looks for one may stop there."""
    place, last_kind = GAP, "title"
    for statement, (kind, text, evidence) in enumerate(_statements(draft)):
        if kind != last_kind:
            place, last_kind = place + GAP, kind
        for piece in _pieces(text):
            if place > LAST_PLACE:
                return
            yield Placed(place, statement, Passage(kind, piece, evidence))
            place += 1


def _statements(draft: Draft) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    content = draft.content
    yield "title", content.title, ()
    for kind in SEARCHED:
        items: Iterable[Item] = getattr(content, kind)
        if kind == "requests":  # one of them is told as the goal
            items = (item for item in items if not is_goal(item, content))
        yield from ((kind, item.text, item.evidence) for item in items)
    yield from _told(content)
    for detail in draft.details:
        yield "details", f"{detail.topic}\n{detail.text}", detail.evidence
    yield "names", _listed(content.names), ()
    yield "topics", _listed(dict.fromkeys((*content.topics, *_given(draft)))), ()
    yield from (("files", file.path, ()) for file in content.files)
    yield from (("commands", *_command(command)) for command in content.commands)


def _given(draft: Draft) -> list[str]:
    """Return the tags that people gave; ours are filters, and nobody's words."""
    return [tag for tag in draft.tags if tag != "checkpoint" and tag[:8] != "session-"]


def _told(content: Content) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    yield "summary", content.summary, ()
    yield "last_words", content.last_words, ()
    yield "mental_model", content.mental_model, ()
    yield "plan", content.plan.path if content.plan else "", ()


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _command(command: CommandRef) -> tuple[str, tuple[str, ...]]:
    told = (
        f"{command.command} → {command.output}" if command.output else command.command
    )
    return told, (command.evidence,) if command.evidence else ()


def _pieces(text: str) -> Iterator[str]:
    """Yield a text whole if it is short, else by lines, and long lines by sentences."""
    if len(text) <= _LONGEST:
        if text.strip():
            yield text
        return
    for line in text.splitlines():
        yield from (
            _cut(line) if len(line) > _LONGEST else (line,) if line.strip() else ()
        )


def _cut(line: str) -> Iterator[str]:
    """Yield a long line in runs of whole sentences; one without an end is cut hard."""
    held = ""
    for sentence in _SENTENCE_END.split(line):
        if held and len(held) + len(sentence) > _LONGEST:
            yield held
            held = ""
        held = f"{held} {sentence}" if held else sentence
        while len(held) > _LONGEST:
            space = held.rfind(" ", 1, _LONGEST)
            end = space if space > 0 else _LONGEST
            yield held[:end]
            held = held[end:].lstrip()
    if held.strip():
        yield held
