"""Find which prompt made each line of a file, and which lines a checkpoint made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.find import find
from holdfast.app.code.file_story import trace
from holdfast.app.code.project_past import ProjectPast, checkpoint_after, past_of
from holdfast.app.code.restore import below
from holdfast.domain.file_history import Blame, LineMade, LineOrigin, LinesOf
from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import BlameFailed, FileRefused, UsageWrong
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.app.ports import Caller, Ports
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.file_history import LineCommit
    from holdfast.kernel.ids import Reference

Span = tuple[int, int]

_PLACE = pattern(r"(?s:(.+)):(\d{1,9})(?:-(\d{1,9}))?")
_LARGEST = 20_000_000  # bytes
_LOOKED_AT = 8_000  # bytes in which a file that is no text shows itself, as git has it
_BY_COMMIT = "a commit added it, and nothing says who wrote it"
_MOST_FILES = 500  # that one checkpoint changed and that are looked through
_SECOND = 1_000  # ms: a commit is told no closer
_COMMAND, _READ = 400, 100_000  # characters that are shown, and looked at


def file_and_lines(given: str, directory: str) -> tuple[str, Span | None]:
    """Return the file and the lines that `FILE[:LINE[-LINE]]` means, seen from a
    directory; a file may be called `a:1`.

    Raises:
        UsageWrong: there are no such lines.
    """
    named = _PLACE.fullmatch(given)
    if named is None or _is_there(directory, given):
        return given, None
    return named[1], line_span(named[2], named[3], given)


def line_span(first: str, last: str | None, given: str) -> Span:
    """Return the first and the last line, which may be one.

    Raises:
        UsageWrong: they do not count from 1, upwards.
    """
    span = int(first), int(last or first)
    if not 1 <= span[0] <= span[1]:
        raise UsageWrong(
            f"`{beginning(given, 200)}` is not a line: lines count from 1",
            hint="give one as `FILE:40`, or several as `FILE:40-60`",
        )
    return span


def _is_there(directory: str, given: str) -> bool:
    try:
        return os.path.lexists(os.path.join(directory, given))
    except ValueError:
        return False


def blame(
    typed: str,
    caller: Caller,
    ports: Ports,
    span: Span | None = None,
) -> Blame:
    """Return who made each line of a file, or of some of its lines.

    Raises:
        BlameFailed: there is no such text file here, or no such line in it.
        FileRefused: it is a link, or cannot be read.
        UsageWrong: it is outside the worktree.
    """
    root = ports.code.identity(caller.directory).workspace
    path = _path(root, caller.directory, typed)
    past = past_of(root, caller.scope, ports)
    found = _blamed(path, past)
    if span is None:
        return found
    first, last = span
    if last > len(found.lines):
        raise BlameFailed(
            f"`{visible(path)}` has no line {last}: it ends at {len(found.lines)}",
            hint="give a line, or two as `FILE:FIRST-LAST`, of the file as it is now",
        )
    return replace(found, lines=found.lines[first - 1 : last])


def lines_of(reference: Reference, caller: Caller, ports: Ports) -> LinesOf:
    """Return which lines of today's files come from a checkpoint.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous
    """
    checkpoint = find(ports.open_store(), reference, caller.scope)
    root = ports.code.identity(caller.directory).workspace
    past = past_of(root, caller.scope, ports)
    paths = list(_changed_by(checkpoint, past, root))
    files = []
    for path in paths[:_MOST_FILES]:
        try:
            found = _blamed(path, past)
        except (BlameFailed, FileRefused):
            continue  # not a text file of today's tree
        own = tuple(
            line
            for line in found.lines
            if line.origin.by == "agent"
            and line.checkpoint is not None
            and line.checkpoint.checkpoint_id == checkpoint.checkpoint_id
        )
        if own:
            files.append(replace(found, lines=own))
    left_out = max(0, len(paths) - _MOST_FILES)
    return LinesOf(
        checkpoint=checkpoint,
        files=tuple(files),
        left_out=left_out,
        damaged=past.damaged,
    )


def _path(root: str, directory: str, typed: str) -> str:
    inside = below(root, directory, (typed,)) if "\0" not in typed else None
    if not inside:
        raise BlameFailed(
            f"`{visible(typed)}` is not a file", hint="name a text file of the project"
        )
    return inside[0]


def _blamed(path: str, past: ProjectPast) -> Blame:
    ports = past.ports
    content = ports.code.content(past.root, path, _LARGEST)
    if content is None:
        raise _gone(path, past)
    if b"\0" in content[:_LOOKED_AT]:
        raise BlameFailed(
            f"`{visible(path)}` is not a text file",
            hint="`blame` works on lines of text",
        )
    tracer = trace(past, path, content, ports.clock.now_ms())
    found = tracer.lines_of(f"{past.root}/{path}") or []
    if found and not found[-1][0]:
        found.pop()  # what stands behind the last line's end is no line
    commits = ports.code.line_commits(past.root, path, content) if found else ()
    return Blame(
        path=path,
        lines=tuple(_lines(found, commits, past)),
        checkpoints=len(past.checkpoints),
        unreadable=len(past.unreadable),
        damaged=past.damaged,
    )


def _lines(
    found: Sequence[tuple[str, LineOrigin]],
    commits: Sequence[LineCommit | None],
    past: ProjectPast,
) -> Iterator[LineMade]:
    told: dict[int, tuple[Checkpoint | None, str]] = {}
    is_known = len(commits) == len(found)
    for number, (text, origin) in enumerate(found, 1):
        commit = commits[number - 1] if is_known else None
        if _is_of_a_commit(origin, commit, is_known=is_known):
            origin = LineOrigin("unknown", why=_BY_COMMIT)  # noqa: PLW2901  # the same line
        step = origin.step
        if step is not None and id(step) not in told:
            # Redacted before it is cut: half a secret is one that no rule knows.
            command = past.ports.redactor.text(step.command[:_READ])[:_COMMAND]
            told[id(step)] = (checkpoint_after(past, step), command)
        checkpoint, command = told[id(step)] if step is not None else (None, "")
        named = commit.commit if commit else None
        yield LineMade(number, text, origin, checkpoint, named, command)


def _is_of_a_commit(
    origin: LineOrigin, commit: LineCommit | None, *, is_known: bool
) -> bool:
    """Say whether a line that nobody recorded may be no user's own: git had it already,
    or a commit came while it appeared."""
    if origin.by != "user":
        return False
    if commit is None:
        return origin.head_moved and not is_known
    if commit.is_made_here and commit.at + _SECOND > origin.missing_at:
        return False  # it was typed, then committed
    return origin.head_moved or commit.at <= origin.seen_at


def _gone(path: str, past: ProjectPast) -> BlameFailed:
    trees = {c.draft.code.tree or "": c for c in past.checkpoints if c.draft.code.tree}
    at = past.ports.snapshots.objects_at([(tree, path) for tree in trees])
    holders = [one for tree, one in trees.items() if at.get((tree, path))]
    if not holders:
        return BlameFailed(
            f"there is no file `{visible(path)}` here, and no checkpoint has one",
            hint="give the path as seen from this directory",
        )
    last = holders[-1]
    return BlameFailed(
        f"`{visible(path)}` no longer exists; {label(last.number)} has it",
        hint=f"to see what it held: `holdfast restore {last.number} --into DIR`",
    )


def _changed_by(checkpoint: Checkpoint, past: ProjectPast, root: str) -> Iterator[str]:
    """Yield the names of today for the files that a checkpoint's session changed since
    the checkpoint before it, as snapshots and the record tell."""
    draft = checkpoint.draft
    found: dict[str, None] = {}
    for file in draft.content.files:
        if file.change in ("edited", "created") and file.origin is None:
            found[file.path] = None
    tree = draft.code.tree
    if tree is None:
        yield from found
        return
    older = [c for c in past.checkpoints if c.number < checkpoint.number]
    trees = [c.draft.code.tree for c in older if c.draft.workspace == draft.workspace]
    if trees and trees[-1]:
        changes = past.ports.snapshots.changes(trees[-1], tree)
        found |= dict.fromkeys(c.path for c in changes if c.change != "deleted")
    since = past.ports.snapshots.since(tree, root, past.ports.limits)
    today = {c.old_path: c.path for c in since.changes if c.old_path}
    yield from dict.fromkeys(today.get(path, path) for path in found)
