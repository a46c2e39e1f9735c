"""Decide whether two checkpoints make the same statement. Pure.

A fact is known by what does not change while its state does: a failure by its command and
its line, whether it is mended or not. Where there is no fact, the words are all there is.
"""

from collections.abc import Hashable

from holdfast.domain.checkpoint import Content, Item, is_open
from holdfast.domain.fact import (
    ChangedFiles,
    Commit,
    CreatedFile,
    Failure,
    Goal,
    Note,
    PassingCommand,
    RunningWork,
)
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass, replace

Key = tuple[Hashable, ...]
_ASKED = ("goal", "requests")  # the same words, asked twice, are two requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the checkpoints that are compared or merged."""

    checkpoint_id: str
    number: int
    content: Content
    is_own: bool = False  # the session that goes on: its statements stay its own
    tree: str | None = None  # of its code

    @property
    def label(self) -> str:
        return label(self.number)


def key_of(kind: str, item: Item) -> Key:
    """Return what a statement of a kind is known by, whichever checkpoint has it."""
    fact = item.fact
    if kind in _ASKED or isinstance(fact, Goal):
        return kind, item.text, item.evidence[:1]
    if isinstance(fact, Commit | PassingCommand):  # the goal may be another one by now
        return kind, replace(fact, before_goal=False)
    if isinstance(fact, RunningWork):
        return kind, replace(fact, state="", pid=0)
    return kind, *(_told_by(item) or (fact or words_of(item),))


def _told_by(item: Item) -> Key:
    """Return the part of a fact that it is known by, where that is not all of it."""
    fact = item.fact
    if isinstance(fact, Failure):
        return fact.command, fact.line, fact.place
    if isinstance(fact, Note):
        return fact.part, words_of(item)
    if isinstance(fact, CreatedFile):  # its lines are counted again
        return "created", fact.path
    return ("changed",) if isinstance(fact, ChangedFiles) else ()


def words_of(item: Item) -> str:
    """Return a statement's words as they are compared."""
    return " ".join(item.text.casefold().split()).rstrip(".")


def is_same_state(before: Item, after: Item) -> bool:
    """Say whether a statement stands as it did: nobody came back to it, and a failure
    was neither mended nor met again. Lists of tasks are written again all the time."""
    if isinstance(after.fact, Failure) and not set(after.evidence) <= set(
        before.evidence
    ):
        return False
    return after.age >= before.age and is_open(before) == is_open(after)
