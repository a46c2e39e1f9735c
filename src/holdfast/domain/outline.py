"""A checkpoint in outline: what a history of thousands shows of each, and where it stands.

Made without reading the whole record, so that a log of years is there at once.
"""

from holdfast.domain.checkpoint import (
    Checkpoint,
    CheckpointType,
    SessionFacts,
    Trigger,
    is_open,
)
from holdfast.kernel.lazy_tuples import NamedTuple

# After these nothing more is expected of a session; going on with it all the same is fine.
ENDINGS: frozenset[Trigger] = frozenset(
    ["clear", "exit", "rescue", "headless", "backfill", "import"]
)


class Outline(NamedTuple):
    """A tuple, because a log holds thousands."""

    checkpoint_id: str
    number: int
    session_id: str
    sequence: int
    project_id: str
    project_root: str
    type: CheckpointType
    trigger: Trigger
    created_at: int
    name: str | None
    title: str
    branch: str | None = None
    is_dirty: bool = False
    uncommitted: int = 0  # files; 0 where they were not counted
    files: int = 0  # that the session changed so far
    context_percent: float | None = None
    started_at: int = 0  # of its session
    last_turn: int | None = None  # the turn of its session it was made in
    abandoned: tuple[tuple[int, int], ...] = ()  # turns its session took back
    merged_from: tuple[str, ...] = ()
    machine: str | None = None  # whose number it has, where that is not this store's
    is_whole: bool = True  # False: the record is damaged, and what it says not known
    forked_at: str | None = (
        None  # of a copy, what it has seen of its parent; "": nothing
    )
    author: str = ""  # who said it, where that came over HTTP

    @property
    def called(self) -> str:
        """The number that people see: `00042`, or `00042@laptop`."""
        return f"{self.number:05d}{f'@{self.machine}' if self.machine else ''}"

    def as_damaged(self) -> "Outline":
        """Return what is still known of a record that does not match its hash."""
        return self._replace(
            title="",
            branch=None,
            is_dirty=False,
            uncommitted=0,
            files=0,
            is_whole=False,
        )

    def is_abandoned_by(self, later: "Outline") -> bool:
        """Say whether a later checkpoint of the session knows the turn as taken back."""
        at = self.last_turn
        return at is not None and any(
            first <= at < end for first, end in later.abandoned
        )


def outline_of(checkpoint: Checkpoint) -> Outline:
    """Return a whole record in outline."""
    draft = checkpoint.draft
    code, facts = draft.code, draft.facts
    return Outline(
        checkpoint.checkpoint_id,
        checkpoint.number,
        draft.session_id,
        checkpoint.sequence,
        draft.project_id,
        draft.project_root,
        draft.type,
        draft.trigger,
        draft.created_at,
        checkpoint.name,
        draft.content.title,
        code.branch,
        code.dirty,
        len(code.uncommitted or ()),
        facts.files_modified,
        facts.context_percent,
        facts.started_at,
        facts.last_turn,
        facts.abandoned,
        draft.merged_from,
        checkpoint.machine,
        forked_at=draft.forked_at,
        author=draft.author,
    )


class Tally(NamedTuple):
    """The numbers of a checkpoint: those of its session grow from one to the next."""

    session_id: str
    project_id: str
    project_root: str
    agent: str
    type: CheckpointType
    trigger: Trigger
    created_at: int
    octets: int  # of the record
    facts: SessionFacts
    errors: int = 0  # that this session met, not one before it
    open_errors: int = 0  # of those
    dead_ends: int = 0  # of this session, too


def tally_of(checkpoint: Checkpoint, octets: int) -> Tally:
    """Return the numbers of a whole record."""
    draft = checkpoint.draft
    errors = [error for error in draft.content.errors if error.origin is None]
    return Tally(
        draft.session_id,
        draft.project_id,
        draft.project_root,
        draft.agent,
        draft.type,
        draft.trigger,
        draft.created_at,
        octets,
        draft.facts,
        len(errors),
        sum(map(is_open, errors)),
        sum(item.origin is None for item in draft.content.dead_ends),
    )
