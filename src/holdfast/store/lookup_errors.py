"""What a store says when a reference finds nothing, too much, or something gone. Pure."""

from collections.abc import Sequence

from holdfast.domain.checkpoint import Checkpoint, Tombstone
from holdfast.domain.text import beginning, one_line, visible
from holdfast.kernel.errors import (
    CheckpointNotFound,
    NameTaken,
    RecordRefused,
    ReferenceAmbiguous,
)
from holdfast.kernel.ids import (
    IdPrefix,
    Latest,
    NamePrefix,
    Number,
    Reference,
    SessionPrefix,
    label,
)

CANDIDATES = 5
COUNTED = 100  # beyond that, how many there are helps nobody
_TITLE = 40


def not_found(
    reference: Reference, gone: Tombstone | None = None
) -> CheckpointNotFound:
    if gone is not None:
        return removed(gone)
    if reference == Latest():
        return CheckpointNotFound(
            "there is no checkpoint here yet",
            hint="a `/clear` or the end of a session makes one, and so does `holdfast save`",
        )
    return CheckpointNotFound(
        _missing(reference), hint="see the checkpoints with `holdfast list`"
    )


def unknown(checkpoint_id: str) -> CheckpointNotFound:
    return CheckpointNotFound(
        f"there is no checkpoint `{_shown(checkpoint_id)}`",
        hint="`holdfast list --all` shows the checkpoints of all projects",
    )


def removed(gone: Tombstone) -> CheckpointNotFound:
    # One of another store had no number here.
    called = label(gone.number) if gone.number > 0 else f"`{gone.checkpoint_id}`"
    return CheckpointNotFound(
        f"{called} was removed: {_shown(gone.reason)}",
        hint="see the others with `holdfast list`",
    )


def same_record(here: Checkpoint, came: Checkpoint) -> Checkpoint:
    """Return what is here, if it is what came again.

    Raises:
        RecordRefused: it says something else, or another machine's.
    """
    wanted = came.foreign.hash if came.foreign else came.content_hash
    known = here.foreign.hash if here.foreign else here.content_hash
    if known == wanted and here.machine in (None, came.machine):
        return here
    raise RecordRefused(
        f"`{came.checkpoint_id}` is here already, with other content",
        hint=f"see it with `holdfast show {came.checkpoint_id}`",
    )


def taken_place(came: Checkpoint) -> RecordRefused:
    """Two stores, or somebody who forges, gave one place of a session twice."""
    return RecordRefused(
        f"another checkpoint already has the place of `{came.checkpoint_id}` in its session",
        hint=f"see it with `holdfast list --session {_shown(came.draft.session_id)}`",
    )


def foreign_proof(checkpoint: Checkpoint) -> CheckpointNotFound:
    """Only the store that made a record can prove it."""
    called = f"{label(checkpoint.number)}@{_shown(checkpoint.machine or '')}"
    if checkpoint.origin:
        return CheckpointNotFound(
            f"{called} was made by another program",
            hint="share the file it came from; `holdfast import` reads it there, too",
        )
    return CheckpointNotFound(
        f"{called} was made by another store",
        hint=f"export it where it was made: on `{_shown(checkpoint.machine or '')}`",
    )


def ambiguous(
    reference: Number | IdPrefix | SessionPrefix | NamePrefix,
    count: int,
    candidates: Sequence[Checkpoint],
) -> ReferenceAmbiguous:
    """Return the error that names the first candidates, each in a form that works."""
    hint = f"use one of the ids: {_told(candidates)}"
    match reference:
        case Number(number=number):
            projects = {candidate.draft.project_id for candidate in candidates}
            where = ", in different projects" if len(projects) > 1 else ""
            wanted, does = str(number), f"have this number{where}"
        case SessionPrefix(prefix=prefix):
            wanted, does = f"session:{prefix}", "are the newest of such a session"
        case IdPrefix(prefix=prefix):
            wanted, does = prefix, "start with it"
        case _:
            wanted, does = reference.prefix, "start with it"
            names = {f"`{candidate.name}`": None for candidate in candidates}
            if len(names) == len(candidates):
                hint = f"use more of the name: {', '.join(names)}"
    many = f"{count}" if count < COUNTED else f"at least {COUNTED}"
    return ReferenceAmbiguous(
        f"`{_shown(wanted)}` is ambiguous: {many} checkpoints {does}", hint=hint
    )


def name_taken(name: str, owner: int) -> NameTaken:
    return NameTaken(
        f"`{_shown(name)}` is already the name of {label(owner)}",
        hint="choose another name, or replace it with `--force`",
    )


def _missing(reference: Reference) -> str:
    match reference:
        case Latest(back=back):
            told = f"there are not {back + 1} checkpoints here"
        case Number(number=number, machine=machine):
            of = f" of `{_shown(machine)}`" if machine else ""
            told = f"there is no {label(number)}{of} here"
        case IdPrefix(prefix=prefix):
            told = f"no checkpoint has an id that starts with `{_shown(prefix)}`"
        case SessionPrefix(prefix=prefix):
            told = f"no session `{_shown(prefix)}` has a checkpoint"
        case _:
            told = f"no checkpoint is named `{_shown(reference.prefix)}`"
    return told


def _told(candidates: Sequence[Checkpoint]) -> str:
    return ", ".join(
        f"`{c.checkpoint_id}` ({label(c.number)}, {_name_or_title(c)})"
        for c in candidates
    )


def _name_or_title(checkpoint: Checkpoint) -> str:
    return checkpoint.name or one_line(visible(checkpoint.draft.content.title), _TITLE)


def _shown(text: str) -> str:
    return beginning(visible(text), 64)
