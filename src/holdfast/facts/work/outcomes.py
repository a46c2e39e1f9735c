"""What the session achieved: three to seven things a person would name."""

import re
from collections.abc import Sequence

from holdfast.domain.checkpoint import FileRef, Item, fact_item
from holdfast.domain.fact import ChangedFiles, Commit, CreatedFile, PassingCommand
from holdfast.facts.commands.runs import Ran, commit_subject
from holdfast.facts.work.files import modified
from holdfast.kernel.lazy_patterns import pattern

_FEWEST, _MOST = 3, 7
_MAKES_REPOSITORY = pattern(r"(?:^|[;&|(])\s*git init\b", re.MULTILINE)


def commits_of(runs: Sequence[Ran]) -> tuple[Item, ...]:
    """Return the commits made, by subject, oldest first."""
    found: dict[str, Item] = {}
    for run in runs:
        subject = commit_subject(run.call.target) if run.kind == "commit" else ""
        # Who makes a repository to commit in tries something out.
        if (
            subject
            and run.call.outcome == "ok"
            and not _MAKES_REPOSITORY.search(run.call.target)
        ):
            found[subject] = fact_item(
                Commit(subject),
                "tool",
                tuple(reversed(run.call.evidence)),  # the call has the subject
                run.call.output[:300],
            )
    return tuple(found.values())


def outcomes_of(
    runs: Sequence[Ran], files: Sequence[FileRef], done: Sequence[Item]
) -> tuple[Item, ...]:
    """Return commits, tests gone green, tasks done and files made, in this order."""
    made = [
        fact_item(CreatedFile(file.path, file.lines_added))
        for file in files
        if file.change == "created"
    ]
    chosen = [*commits_of(runs)[-4:], *_gone_green(runs)[-2:]]
    chosen += done[-(_MOST - len(chosen)) :] if len(chosen) < _MOST else []
    chosen += made[: max(0, _MOST - len(chosen))]
    if len(chosen) < _FEWEST:
        chosen += _still_green(runs)[-1:]
    if len(chosen) < _FEWEST and (changed := modified(files)):
        chosen.append(_sum_of(changed))
    return tuple(chosen[:_MOST])


def _gone_green(runs: Sequence[Ran]) -> list[Item]:
    """Commands that failed and now go well, the latest last."""
    red: set[str] = set()
    green: dict[str, Item] = {}
    for run in runs:
        if run.failed:
            red.add(run.key)
            green.pop(run.key, None)
        elif (
            run.key in red and not run.hidden and run.kind in ("test", "check", "build")
        ):
            green.pop(run.key, None)
            green[run.key] = _passing(run, again=True)
    return list(green.values())


def _still_green(runs: Sequence[Ran]) -> list[Item]:
    """Tests whose last run went well and that never failed."""
    last = {run.key: run for run in runs if run.kind == "test"}
    red = {run.key for run in runs if run.failed}
    return [
        _passing(run, again=False)
        for key, run in last.items()
        if key not in red and not run.hidden
    ]


def _passing(run: Ran, *, again: bool) -> Item:
    fact = PassingCommand(run.shown, again)
    return fact_item(fact, "tool", run.call.evidence, run.call.output[:300])


def _sum_of(changed: Sequence[FileRef]) -> Item:
    added = sum(file.lines_added for file in changed)
    removed = sum(file.lines_removed for file in changed)
    return fact_item(ChangedFiles(len(changed), added, removed))
