"""Find the checkpoint where a command began to fail, and the conversation that did it."""

from collections.abc import Callable, Sequence
from typing import Literal

from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint, Item
from holdfast.domain.code import FileChange
from holdfast.domain.query import Scope
from holdfast.kernel.errors import BisectFailed, SnapshotMissing
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.snapshot.restore_port import Trials
from holdfast.store.port import Finding

Verdict = Literal["good", "bad", "skip"]
_EVERY = 1_000_000
_SKIP = 125
_TOO_HIGH = 128  # a signal, or a shell that could not run it: nothing about the code


@dataclass(frozen=True, slots=True)
class Trial:
    """A command that was run over a checkpoint's code."""

    checkpoint: Checkpoint
    verdict: Verdict
    exit_status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisected:
    culprit: Checkpoint
    after: Checkpoint  # the last good one before it
    steps: tuple[Trial, ...]
    candidates: int
    skipped: tuple[Checkpoint, ...] = ()  # between the two: it may be one of these
    without_code: tuple[Checkpoint, ...] = ()  # between the two: so may one of these
    requests: tuple[Item, ...] = ()  # what the user asked for in between
    files: tuple[FileChange, ...] = ()  # what changed in between


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectRequest:
    good: Reference
    bad: Reference
    command: tuple[str, ...]


def bisect(
    request: BisectRequest,
    caller: Caller,
    ports: Ports,
    trials: Trials,
    tell: Callable[[Trial], None],
) -> Bisected:
    """Return the first checkpoint at which the command fails; `tell` hears each trial.

    Raises:
        BisectFailed: good is not good, bad is not bad, or the command cannot tell.
        SnapshotMissing: one of the two has no code.
    """
    store, scope = ports.open_store(), caller.scope.in_project()
    good = _with_code(find(store, request.good, caller.scope))
    bad = _with_code(find(store, request.bad, caller.scope))
    here = _of_both(good, bad, store, scope)
    line = _between(good, bad, here)
    tries = _Tries(request.command, ports, trials, tell)
    verdicts: list[Verdict | None] = [None] * len(line)
    verdicts[0] = tries.expected(line[0], "good")
    verdicts[-1] = tries.expected(line[-1], "bad")
    while (place := next_place(verdicts)) is not None:
        verdicts[place] = tries.verdict(line[place])
    last_good, first_bad = bounds(verdicts)
    found = _found(line[last_good : first_bad + 1], tries.steps, len(line), ports)
    after, until = found.after.number, found.culprit.number
    between = (c for c in here if after < c.number < until)
    return replace(
        found, without_code=tuple(c for c in between if c.draft.code.tree is None)
    )


class _Tries:
    """Runs the command, and remembers what came of it."""

    def __init__(
        self,
        command: Sequence[str],
        ports: Ports,
        trials: Trials,
        tell: Callable[[Trial], None],
    ) -> None:
        self._command = command
        self._snapshots = ports.snapshots
        self._trials = trials
        self._tell = tell
        self.steps: list[Trial] = []

    def verdict(self, checkpoint: Checkpoint) -> Verdict:
        entries = self._snapshots.entries(checkpoint.draft.code.tree or "")
        status = self._trials.run(entries, self._snapshots.contents, self._command)
        verdict = verdict_of(status)
        if verdict is None:
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
            raise BisectFailed(
                f"the command ended with {how} at {label(checkpoint.number)},"
                " which does not say whether the code is good",
                hint="let it exit 0 for good, 1 to 127 for bad, 125 for skip",
            )
        trial = Trial(checkpoint, verdict, status)
        self.steps.append(trial)
        self._tell(trial)
        return verdict

    def expected(self, checkpoint: Checkpoint, wanted: Verdict) -> Verdict:
        verdict = self.verdict(checkpoint)
        if verdict != wanted:
            raise BisectFailed(
                f"the command says {verdict} at {label(checkpoint.number)},"
                f" which should be {wanted}",
                hint="try it there with `holdfast restore REF --into DIR`",
            )
        return verdict


def _with_code(checkpoint: Checkpoint) -> Checkpoint:
    if checkpoint.draft.code.tree is None:
        raise SnapshotMissing(
            f"{label(checkpoint.number)} was made without its code",
            hint="choose another one; see `holdfast list`",
        )
    return checkpoint


def _of_both(
    good: Checkpoint, bad: Checkpoint, store: Finding, scope: Scope
) -> list[Checkpoint]:
    """Return what was saved behind good, up to bad, in the worktrees of both."""
    workspaces = {good.draft.workspace, bad.draft.workspace}
    return [
        checkpoint
        for checkpoint in reversed(store.list(scope, limit=_EVERY))
        if good.number < checkpoint.number <= bad.number
        and checkpoint.draft.workspace in workspaces
    ]


def _between(
    good: Checkpoint, bad: Checkpoint, here: Sequence[Checkpoint]
) -> list[Checkpoint]:
    """Return the line from good to bad; of those with equal code, the first."""
    if good.number >= bad.number:
        raise BisectFailed(
            f"{label(good.number)} is not older than {label(bad.number)}",
            hint="`--good` names the older one, at which the command succeeds",
        )
    line = [good]
    for checkpoint in here:
        tree = checkpoint.draft.code.tree
        if tree not in (None, line[-1].draft.code.tree):
            line.append(checkpoint)
    if line[-1].draft.code.tree != bad.draft.code.tree or len(line) == 1:
        raise BisectFailed(
            f"{label(good.number)} and {label(bad.number)} have the same code",
            hint="the difference is not in the files; see `holdfast diff A B`",
        )
    return line


def _found(
    line: Sequence[Checkpoint], steps: Sequence[Trial], candidates: int, ports: Ports
) -> Bisected:
    after, culprit = line[0], line[-1]
    return Bisected(
        culprit=culprit,
        after=after,
        steps=tuple(steps),
        candidates=candidates,
        skipped=tuple(line[1:-1]),
        requests=_asked_between(after, culprit),
        files=ports.snapshots.changes(
            after.draft.code.tree or "", culprit.draft.code.tree or ""
        ),
    )


def _asked_between(after: Checkpoint, culprit: Checkpoint) -> tuple[Item, ...]:
    """Return the user's requests that the later one knows and the earlier does not.

    Where nothing new was asked, the request that was being worked on did it.
    """
    known = {(r.text, r.evidence) for r in after.draft.content.requests}
    asked = culprit.draft.content.requests
    new = tuple(item for item in asked if (item.text, item.evidence) not in known)
    return new or asked[-1:]


def verdict_of(exit_status: int) -> Verdict | None:
    """Return what an exit status says, as for `git bisect run`; None: nothing at all."""
    if exit_status == 0:
        return "good"
    if exit_status == _SKIP:
        return "skip"
    return "bad" if 0 < exit_status < _TOO_HIGH else None


def next_place(verdicts: Sequence[Verdict | None]) -> int | None:
    """Return the place to try next; None: there is none left between good and bad."""
    good, bad = bounds(verdicts)
    untried = [place for place in range(good + 1, bad) if verdicts[place] is None]
    middle = (good + bad) / 2
    return min(untried, key=lambda place: (abs(place - middle), place), default=None)


def bounds(verdicts: Sequence[Verdict | None]) -> tuple[int, int]:
    """Return the last good place before the first bad one, and that one."""
    bad = next(place for place, verdict in enumerate(verdicts) if verdict == "bad")
    good = max(place for place in range(bad) if verdicts[place] == "good")
    return good, bad
