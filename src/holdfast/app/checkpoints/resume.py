"""Give the next session its brief. Reading consumes nothing and changes no file.

What a checkpoint says about the code is checked against the code as it is now: only files
that its brief can name, so it costs the same in a repository of any size. Imports nothing
heavy: hooks ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.find import find, lately
from holdfast.app.checkpoints.uncommitted import as_git_says, places_of
from holdfast.brief.brief import brief, subject_of_checkpoint
from holdfast.brief.drift_marks import with_doubts, with_drift
from holdfast.brief.fit import fit
from holdfast.domain.code import BranchMoved, CodeState, Drift, FileDrift, TreeEntry
from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound, SnapshotLost
from holdfast.kernel.ids import Latest, Reference
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app.ports import Ports
    from holdfast.domain.brief import BriefSubject
    from holdfast.domain.checkpoint import Checkpoint, FileRef, Receipt
    from holdfast.store.port import Finding


_VERIFYING = ("test", "check")  # kinds of commands whose success says the code is good

_MOST_FILES = 60  # more than any brief names
_MOST_ASKED = 20  # changed files whose commit is looked for


@dataclass(frozen=True, slots=True)
class Resumed:
    checkpoint: Checkpoint
    brief: str
    receipt: Receipt
    tokens: int
    drift: Drift
    is_approved: bool = True  # or somebody else's, and the user was not asked yet

    @property
    def moved(self) -> BranchMoved | None:
        return self.drift.branch


def resume(
    reference: Reference | None,
    scope: Scope,
    ports: Ports,
    *,
    budget: int,
    asked_in: str | None = None,
) -> Resumed:
    """Return the brief of a checkpoint; without a reference, this workspace's latest.

    `asked_in` is the project of whoever asks, where that is not the one looked in.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous
    """
    store = ports.open_store()
    found = find(store, reference, scope) if reference else latest_here(store, scope)
    return resume_checkpoint(found, scope, ports, budget=budget, asked_in=asked_in)


def resume_checkpoint(
    checkpoint: Checkpoint,
    scope: Scope,
    ports: Ports,
    *,
    budget: int,
    asked_in: str | None = None,
) -> Resumed:
    """Return the brief of a checkpoint that was found already."""
    drift = _drift(checkpoint, scope, ports)
    draft = checkpoint.draft
    own = asked_in if asked_in is not None else scope.project_id
    is_foreign = own is not None and draft.project_id != own
    subject = subject_of_checkpoint(
        checkpoint,
        elsewhere=draft.project_root if is_foreign else "",
        worktree="" if is_foreign else _other_worktree(checkpoint, scope),
        branch_now=drift.branch.now if drift.branch else None,
        drift=drift,
    )
    subject = _as_it_is_now(subject, checkpoint, scope, ports)
    subject = _in_words_of_reader(subject, draft.agent, ports)
    told = brief(
        with_drift(with_doubts(subject)),
        budget=budget,
        now_ms=ports.clock.now_ms(),
        fit=fit,
    )
    is_approved = ports.is_approved(checkpoint)
    return Resumed(checkpoint, told.text, told.receipt, told.tokens, drift, is_approved)


def _in_words_of_reader(
    subject: BriefSubject, saved_in: str, ports: Ports
) -> BriefSubject:
    word = ports.tool_word
    if word is None or not ports.agent or ports.agent == saved_in:
        return subject
    from holdfast.brief.receivers_words import in_words_of_reader  # noqa: PLC0415  # for few

    content = in_words_of_reader(subject.content, lambda tool: word(saved_in, tool))
    return replace(subject, content=content)


def _other_worktree(checkpoint: Checkpoint, scope: Scope) -> str:
    there = checkpoint.draft.workspace
    is_here = not scope.workspace or there == scope.workspace
    return "" if is_here or checkpoint.machine else there


def _as_it_is_now(
    subject: BriefSubject, checkpoint: Checkpoint, scope: Scope, ports: Ports
) -> BriefSubject:
    """Return a subject that tells as not committed what git lists now.

    A hook asks only where HEAD moved: without a commit, nothing was committed since.
    """
    draft = checkpoint.draft
    if checkpoint.machine or not scope.workspace or draft.workspace != scope.workspace:
        return subject
    is_hook = scope.project_id is None
    if is_hook and ports.code.head(scope.workspace).head == draft.code.head:
        return subject
    listed = ports.code.uncommitted(scope.workspace)
    if listed is None:
        return subject
    content = as_git_says(
        subject.content,
        listed,
        began=draft.working_directory,
        workspace=draft.workspace,
    )
    code = replace(draft.code, dirty=bool(listed), uncommitted=listed)
    return replace(subject, content=content, code=code)


def latest_here(store: Finding, scope: Scope) -> Checkpoint:
    """Resuming stays inside the workspace: a worktree next door is not offered."""
    here = store.list(scope, limit=1)
    if here:
        return lately(here[0], store)
    elsewhere = store.list(Scope(project_id=scope.project_id), limit=1)
    if scope.project_id and elsewhere:
        newest = elsewhere[0]
        where = newest.author or newest.draft.workspace
        wanted = newest.reference if newest.author else "latest"
        raise CheckpointNotFound(
            f"no checkpoint was made in this worktree; the project's newest is from `{where}`",
            hint=f"use it with `holdfast resume {wanted}`",
        )
    return store.find(Latest(), Scope(project_id=scope.project_id))


def _drift(checkpoint: Checkpoint, scope: Scope, ports: Ports) -> Drift:
    """Return what changed since; results of commands are as old as the code they ran.

    Without a project only the branch is looked at: a hook has its own quick look at files.
    """
    if not scope.workspace:
        return Drift()
    if scope.project_id is None:
        return Drift(branch=_moved(checkpoint, scope.workspace, ports))
    if checkpoint.draft.project_id != scope.project_id:
        return Drift()
    from holdfast.app.checkpoints.resume import drift_of  # noqa: PLC0415  # the same
    from holdfast.facts.commands.command_kinds import kind_of  # noqa: PLC0415  # not for a hook

    drift = drift_of(checkpoint, scope.workspace, ports)
    if not drift.is_unverified:
        return drift
    passed = (c.command for c in checkpoint.draft.content.commands if c.exit == 0)
    unverified = tuple(command for command in passed if kind_of(command) in _VERIFYING)
    return replace(drift, unverified=unverified)


def _moved(checkpoint: Checkpoint, workspace: str, ports: Ports) -> BranchMoved | None:
    then, now = checkpoint.draft.code.branch, ports.code.head(workspace).branch
    return BranchMoved(then, now) if then and now and now != then else None


def drift_of(checkpoint: Checkpoint, root: str, ports: Ports) -> Drift:
    """Return what changed since a checkpoint in the worktree at `root`."""
    then, now = checkpoint.draft.code, ports.ground.stands(root)
    named = _named(checkpoint, ports)
    files = _compared(named, then, root, ports)
    return Drift(
        files=_with_commits(files, named, then, root, ports),
        branch=_branch(then, now),
        head_then=then.head,
        head_now=now.head,
    )


def _branch(then: CodeState, now: CodeState) -> BranchMoved | None:
    if not then.branch or not now.branch or then.branch == now.branch:
        return None
    return BranchMoved(then.branch, now.branch)


@dataclass(frozen=True, slots=True)
class _Named:
    """A file as the brief names it, where the tree has it, and what it was."""

    ref: FileRef
    path: str
    entry: TreeEntry | None


def _named(checkpoint: Checkpoint, ports: Ports) -> list[_Named]:
    """Return the files of a checkpoint that lie in its worktree."""
    draft = checkpoint.draft
    refs = draft.content.files[:_MOST_FILES]
    places = {ref.path: _places(ref.path, checkpoint) for ref in refs}
    wanted = sorted({place for found in places.values() for place in found})
    entries = {entry.path: entry for entry in _entries(draft.code.tree, wanted, ports)}
    named = []
    for ref in refs:
        held = [place for place in places[ref.path] if place in entries]
        path = next(iter(held or places[ref.path]), None)
        if path is not None:
            named.append(_Named(ref, path, entries.get(path)))
    return named


def _entries(
    tree: str | None, paths: Sequence[str], ports: Ports
) -> tuple[TreeEntry, ...]:
    if tree is None:
        return ()
    try:
        return ports.snapshots.entries(tree, paths)
    except SnapshotLost:
        return ()


def _places(path: str, checkpoint: Checkpoint) -> list[str]:
    draft = checkpoint.draft
    return [*places_of(path, draft.working_directory, draft.workspace)]


def _compared(
    named: Sequence[_Named], then: CodeState, root: str, ports: Ports
) -> list[FileDrift]:
    held = [file.entry for file in named if file.entry is not None]
    states = ports.ground.states(root, held)
    others = [file.path for file in named if file.entry is None]
    there = ports.ground.there(root, others)
    found = []
    for file in named:
        if file.entry is not None:
            found.append(FileDrift(file.ref.path, states[file.path]))
        elif file.ref.change == "deleted":
            state = FileDrift(file.ref.path, "unchanged")
            if file.path in there:
                state = FileDrift(file.ref.path, "changed")
            found.append(state)
        elif then.tree is None and file.path not in there:
            found.append(FileDrift(file.ref.path, "gone"))
    return found


def _with_commits(
    files: Sequence[FileDrift],
    named: Sequence[_Named],
    then: CodeState,
    root: str,
    ports: Ports,
) -> tuple[FileDrift, ...]:
    """Say which commit changed a file; without a tree, a commit is all that can tell."""
    places = {file.ref.path: file.path for file in named}
    known = {file.path: file for file in files}
    asked = [file.path for file in files if file.state != "unchanged"]
    if then.tree is None:
        asked += [path for path in places if path not in known]
    if not then.head or not asked:
        return tuple(files)
    wanted = [places[path] for path in asked[:_MOST_ASKED]]
    commits = ports.ground.commits(root, then.head, wanted)
    for path in asked[:_MOST_ASKED]:
        commit = commits.get(places[path])
        if commit is not None:
            state = known[path].state if path in known else "changed"
            known[path] = FileDrift(path, state, commit)
    return tuple(known.values())
