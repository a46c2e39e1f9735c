"""The handoff file as values: open items, the lines that carry them, and a person's own.

Shared by rooms that do not know each other: render reads and writes the lines, policy
decides which of them stay.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from holdfast.kernel.digests import blake2b
from holdfast.kernel.lazy_values import dataclass

HANDOFF = "memory/session-handoff-LATEST.md"
MOST_LINES = 200
SectionKey = Literal["next", "work", "decisions", "issues", "notes", "focus"]
HEADINGS: Mapping[SectionKey, str] = {
    "next": "Next Actions (priority order)",
    "work": "Current Work State",
    "decisions": "Open Decisions",
    "issues": "Remaining Issues",
    "notes": "Context Notes (needed next session)",
    "focus": "Current Focus",
}
# Why the last request is not done, where that says what comes first: nobody has begun
# with its words, or this is all that is left of it.
STOPPED = "the user stopped the agent"
NOT_ANSWERED = "the agent had not answered yet"
STILL_FAILS = "a command still fails"
# The one section that is left out where it has nothing to say.
OMITTED_WHEN_EMPTY = "work"


@dataclass(frozen=True, slots=True)
class OpenItem:
    """Something that is open, as the session knows it. `ident` stays when words change."""

    section: SectionKey
    ident: str
    text: str


@dataclass(frozen=True, slots=True)
class OwnedLine:
    """A line of ours in the file: an item, whose it is, and whether a person edited it.

    `owners` are the sessions that have it open. `raw` is the line as it stands.
    """

    ident: str
    text: str
    owners: tuple[str, ...]
    mark: str = "- "
    is_edited: bool = False
    is_ticked: bool = False  # a person marked it as done
    raw: str = ""


Line = OwnedLine | str  # a string is a person's own line, ending included


@dataclass(frozen=True, slots=True)
class Block:
    """A heading and the lines below it. `section` is None where it is a person's own."""

    section: SectionKey | None
    heading: str  # the raw line; empty before the first heading
    lines: tuple[Line, ...] = ()

    def kept(self) -> Iterator[OwnedLine]:
        for line in self.lines:
            if isinstance(line, OwnedLine):
                yield line


@dataclass(frozen=True, slots=True)
class Document:
    """The file. `wrote` are the items it held when it was written last, `removed` those
    that a person took out: they are not put back."""

    blocks: tuple[Block, ...] = ()
    newline: str = "\n"
    wrote: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    left_out: int = 0

    def kept(self) -> dict[str, OwnedLine]:
        return {line.ident: line for block in self.blocks for line in block.kept()}

    def text_of(self, section: SectionKey) -> tuple[str, ...]:
        """Return what a section says, ours and a person's, without blank lines."""
        said = (
            line.text if isinstance(line, OwnedLine) else line.strip()
            for block in self.blocks
            if block.section == section
            for line in block.lines
        )
        return tuple(text for text in said if text)


def ident(kind: str, key: str) -> str:
    """Return the id of an item, the same whenever the same thing is meant."""
    folded = " ".join(key.casefold().split())
    return blake2b(
        f"{kind}\0{folded}".encode("utf-8", "replace"), digest_size=4
    ).hexdigest()


def digest(text: str) -> str:
    """Return what tells whether a person changed a line's words."""
    flat = " ".join(text.split())
    return blake2b(flat.encode("utf-8", "replace"), digest_size=3).hexdigest()


def owner(session_id: str) -> str:
    """Return a session as lines name it: a UUID's first part, as people know it."""
    first = session_id.partition("-")[0].lower()
    if len(first) == 8 and all(sign in "0123456789abcdef" for sign in first):  # noqa: PLR2004  # a UUID's first part
        return first
    return blake2b(session_id.encode("utf-8", "replace"), digest_size=4).hexdigest()


Result = Literal["yes", "no", "skipped"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the preservation check; `reason` says why where it is not `yes`."""

    check: str
    result: Result
    reason: str = ""
