"""How a call is read, by the names of the fields that tell what it asks.

Agents give the same fields different names; these functions take the names. Of several names the first
that holds text counts. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.call_inputs import (
    CallInput,
    Input,
    digest,
    lines_replaced,
    text_at,
    todo_list,
)
from holdfast.agents.redact_events import COMMAND, DETAIL, TARGET, Cleaner

if TYPE_CHECKING:
    from holdfast.agents.call_inputs import Reader


def first_text(fields: Input, *keys: str) -> str:
    """Return the first of some fields that holds text."""
    return next(filter(None, (text_at(fields, key) for key in keys)), "")


def shell(command: str, *why: str) -> Reader:
    """Read a command, and what the agent says that it is for."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        return CallInput(
            clean.text(text_at(fields, command), COMMAND),
            clean.text(first_text(fields, *why), DETAIL),
        )

    return read


def file(*keys: str) -> Reader:
    """Read which file or directory is looked at."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        return CallInput(clean.places[first_text(fields, *keys)])

    return read


def edit(path: str, old: str, *new: str) -> Reader:
    """Read an edit: its file, the text that goes and the text that comes."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        place = clean.places[text_at(fields, path)]
        return replaced(place, text_at(fields, old), first_text(fields, *new), clean)

    return read


def replaced(place: str, old: str, new: str, clean: Cleaner) -> CallInput:
    """Return what an edit asks, of a file whose name is cleaned."""
    removed, added = lines_replaced(old, new)
    return CallInput(
        place,
        clean.text(new, DETAIL),
        digest(old),
        digest(new),
        added=added,
        removed=removed,
    )


def search(patterns: tuple[str, ...], *places: str) -> Reader:
    """Read what is searched, and where."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        return CallInput(
            clean.places[first_text(fields, *patterns)],
            clean.places[first_text(fields, *places)],
        )

    return read


def words(*keys: str) -> Reader:
    """Read the words that are asked of the web or of another tool."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        return CallInput(clean.text(first_text(fields, *keys), TARGET))

    return read


def task(kind: str, *asked: str) -> Reader:
    """Read what another agent is asked to do, and which kind it is."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        return CallInput(
            clean.text(first_text(fields, *asked), TARGET),
            clean.names[text_at(fields, kind)],
        )

    return read


def todos(listed: str, said: str) -> Reader:
    """Read a task list that replaces the one before."""

    def read(fields: Input, clean: Cleaner) -> CallInput:
        return todo_list(fields, (listed, said), clean)

    return read
