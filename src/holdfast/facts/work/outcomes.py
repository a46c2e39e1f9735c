"""What came of a session: the three to seven things achieved that a person would name,
each with the lines that show it."""

import re
from collections.abc import Iterator, Mapping, Sequence

from holdfast.domain.checkpoint import (
    Content,
    FileRef,
    Item,
    context_of,
    fact_item,
    said_since,
)
from holdfast.domain.fact import (
    ChangedFiles,
    Commit,
    CreatedFile,
    Failure,
    PassingCommand,
)
from holdfast.domain.session import Call, Turn
from holdfast.facts.commands.runs import Ran, commit_subject
from holdfast.facts.work.deletions import deleted_by
from holdfast.facts.work.files import modified
from holdfast.facts.work.touched_files import TouchedFile
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.agent_messages import told_done, told_in

_FEWEST, _MOST = 3, 7
_MOST_COMMITS, _MOST_GREEN, _MOST_LINES = 4, 2, 3
_MAKES_REPOSITORY = pattern(r"(?:^|[;&|(])\s*git init\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WorkSeen:
    """What outcomes are looked for in."""

    calls: Sequence[Call]
    runs: Sequence[Ran]
    files: Sequence[FileRef]
    touched: Mapping[str, TouchedFile]


def outcomes_of(seen: WorkSeen, done: Sequence[Item]) -> tuple[Item, ...]:
    """Return commits, tests gone green, tasks done and files made, in this order; of a
    session with few of them also what stayed green and how much was changed."""
    chosen = [*commits_of(seen.runs)[-_MOST_COMMITS:], *_gone_green(seen.runs)]
    chosen += deleted_by(seen.calls)
    chosen += [*done][-max(1, _MOST - len(chosen)) :]
    chosen += [*_made(seen)][: max(0, _MOST - len(chosen))]
    for more in (_still_green(seen.runs)[-1:], _sum_of(seen)):
        chosen += more[: max(0, _FEWEST - len(chosen))]
    return tuple(chosen[:_MOST])


def achieved(content: Content) -> tuple[Item, ...]:
    """Return the outcomes for a reader who has nothing else; of a session with few also
    what the agent said was done, and what its requests came to, the latest first.

    A brief tells those words where they belong, so they are no outcomes of the record.
    """
    chosen = [item for item in content.key_outcomes if not _is_sum(item)]
    sums = [item for item in content.key_outcomes if _is_sum(item)]
    last = told_done(told_in(said_since(content)))
    told = [Item(last, "agent")] if last else []
    told += [
        Item(came_to, "agent", request.evidence)
        for request in reversed(content.requests)
        if (came_to := context_of(request).came_to)
    ]
    known = dict.fromkeys(item.text for item in chosen)
    fresh = [item for item in told if item.text not in known]
    chosen += fresh[: max(0, _FEWEST - len(chosen))]
    return (*chosen, *sums[: max(0, _FEWEST - len(chosen))])


def lines_before(goal: Sequence[Item], turns: Sequence[Turn]) -> frozenset[str]:
    """Return the lines of the calls made before the goal was set."""
    set_in = goal[0].evidence[:1] if goal else ()
    places = (at for at, turn in enumerate(turns) if (turn.uuid,) == set_in)
    calls = (call for turn in turns[: next(places, 0)] for call in turn.calls)
    return frozenset(line for call in calls for line in call.evidence)


def before_goal(items: Sequence[Item], earlier: frozenset[str]) -> tuple[Item, ...]:
    """Return items, of which those that were so before the goal was set say it."""
    return tuple(
        replace(item, fact=replace(item.fact, before_goal=True))
        if earlier
        and isinstance(item.fact, Commit | Failure | PassingCommand)
        and earlier.issuperset(item.evidence)
        else item
        for item in items
    )


def _is_sum(outcome: Item) -> bool:
    return isinstance(outcome.fact, ChangedFiles)


def is_task(outcome: Item) -> bool:
    """Say whether an outcome is a task that was finished: told by its own words."""
    return outcome.fact is None


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


def _made(seen: WorkSeen) -> Iterator[Item]:
    for file in seen.files:
        if file.change == "created":
            fact = CreatedFile(file.path, file.lines_added)
            yield fact_item(fact, "engine", _lines_of(file.path, seen))


def _sum_of(seen: WorkSeen) -> list[Item]:
    changed = modified(seen.files)
    if not changed:
        return []
    added = sum(file.lines_added for file in changed)
    removed = sum(file.lines_removed for file in changed)
    lines = [_lines_of(file.path, seen)[-1:] for file in changed[:_MOST_LINES]]
    shown = tuple(dict.fromkeys(line for each in lines for line in each))
    return [fact_item(ChangedFiles(len(changed), added, removed), "engine", shown)]


def _lines_of(path: str, seen: WorkSeen) -> tuple[str, ...]:
    """Return the lines that made or changed a file, the first and the last ones."""
    file = seen.touched.get(path)
    places = [n for n in (file.edits if file else ()) if n < len(seen.calls)]
    lines = [seen.calls[place].uuid for place in places]
    kept = (*lines[:1], *lines[1:][-_MOST_LINES + 1 :])
    return tuple(dict.fromkeys(line for line in kept if line))


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
    return list(green.values())[-_MOST_GREEN:]


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
