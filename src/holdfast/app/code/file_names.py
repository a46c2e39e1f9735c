"""Every name that a file had, as snapshots and commands tell it.

A name is only where to look: whether a file goes on from another one, its text decides.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.app.code.project_past import all_steps
from holdfast.facts.blame.shell_effects import effects_of
from holdfast.kernel.errors import SnapshotLost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.app.code.project_past import ProjectPast
    from holdfast.domain.code import FileChange

_MOST_NAMES = 20  # that a file had
_MOST_GONE = 5  # files that went when it appeared


def names_of(past: ProjectPast, path: str) -> tuple[str, ...]:
    """Return every name that a file had, as snapshots and commands tell it."""
    names = [path]
    for name in names:
        if len(names) >= _MOST_NAMES:
            break
        past.read_steps({os.path.basename(name)})
        found = [*_renamed_in_snapshots(past, name), *_renamed_by_commands(past, name)]
        found += _gone_since(past, name)
        names += [old for old in dict.fromkeys(found) if old not in names]
    return tuple(names[:_MOST_NAMES])


def _renamed_in_snapshots(past: ProjectPast, name: str) -> Iterator[str]:
    """Yield what a file was called before, wherever it appears between two snapshots."""
    rows: dict[str, list[str]] = {}
    for checkpoint in past.checkpoints:
        if tree := checkpoint.draft.code.tree:
            rows.setdefault(checkpoint.draft.workspace, []).append(tree)
    trees = [tree for row in rows.values() for tree in row]
    at = past.ports.snapshots.objects_at([(tree, name) for tree in trees])
    for row in rows.values():
        there = [tree for tree in row if (tree, name) in at]
        new = [(a, b) for a, b in pairwise(there) if not at[a, name] and at[b, name]]
        for older, newer in new[:_MOST_NAMES]:
            yield from _sources(_changes(past, older, newer), name)
    own = [tree for tree in rows.get(past.root, ()) if (tree, name) in at]
    if own and not at[own[-1], name]:
        since = past.ports.snapshots.since(own[-1], past.root, past.ports.limits)
        yield from _sources(since.changes, name)


def _sources(changes: Sequence[FileChange], name: str) -> Iterator[str]:
    """Yield what a file may have been called before it appeared.

    One that changed much on its way is no rename to git, so whatever went then may be
    what it was: a name is only where to look, and texts decide.
    """
    yield from (c.old_path for c in changes if c.path == name and c.old_path)
    ending = os.path.splitext(name)[1]
    gone = [c.path for c in changes if c.change == "deleted"]
    yield from [path for path in gone if path.endswith(ending)][:_MOST_GONE]


def _gone_since(past: ProjectPast, name: str) -> list[str]:
    """Return files of the same kind that agents edited and that are not there now: a
    name that a file had only between two snapshots is known from nothing else."""
    ending = os.path.splitext(name)[1]
    paths = dict.fromkeys(step.path for step in all_steps(past) if step.path)
    inside = [
        path[len(place) + 1 :]
        for path in paths
        for place in past.places
        if path.startswith(f"{place}/") and path.endswith(ending)
    ]
    gone = [path for path in inside if not os.path.lexists(f"{past.root}/{path}")]
    return gone[-_MOST_GONE:]


def _changes(past: ProjectPast, older: str, newer: str) -> tuple[FileChange, ...]:
    try:
        return past.ports.snapshots.changes(older, newer)
    except SnapshotLost:
        return ()


def _renamed_by_commands(past: ProjectPast, name: str) -> Iterator[str]:
    keys = {f"{place}/{name}" for place in past.places}
    for step in all_steps(past):
        if step.kind == "run" and os.path.basename(name) in step.command:
            for effect in effects_of(step.command, step.cwd):
                if effect.path in keys and effect.source:
                    for place in past.places:
                        if effect.source.startswith(f"{place}/"):
                            yield effect.source[len(place) + 1 :]
