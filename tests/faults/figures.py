"""What the fault tests measured, goal by goal, told at the end of a run.

    python -m tests.faults.figures FILE

Where `HOLDFAST_FIGURES` names a file, each figure is added to it as a line of JSON, so
that several runs, and several processes of one, make one table.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

GOALS = {
    "F1": "every call fails, or is the last: nothing acknowledged is lost",
    "F2": "every line is the last: nothing acknowledged is lost",
    "F3": "the power goes 100 times: nothing acknowledged is lost",
    "F4": "no room, no right to write: told, and nothing is lost",
    "F5": "8 writers are killed over 10,000 saves: none lost, none doubled, no gap",
    "F6": "the clock lies: order is that of saving",
    "F7": "a bit flips: doctor sees it, repair loses nothing else",
    "L1": "32 writers at once: p99 at most 300 ms, none over 1 s, no error, no gap",
    "M1": "a store of every version opens; a newer one is refused and left alone",
}


class Figure(NamedTuple):
    goal: str
    what: str
    tried: int
    came: str
    is_wrong: bool = False


class Trials:
    """All are made whatever comes of one, so that a run counts and tells every failure."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    @contextmanager
    def one(self) -> Iterator[None]:
        """Whatever a trial breaks counts, an answer that cannot be read, too."""
        try:
            yield
        except Exception as failure:  # noqa: BLE001  # `figure` fails with it
            self.failed.append(f"{type(failure).__name__}: {failure}")

    def lost(self) -> dict[str, int]:
        return {"lost": len(self.failed)}


_told: list[Figure] = []


def figure(
    goal: str,
    what: str,
    tried: int,
    wrong: Mapping[str, int],
    why: object = "",
    **came: object,
) -> None:
    """Have something told at the end of the run: how often it was tried, what came of it.

    What is wrong was counted, and is told before it fails the test: a table that only
    successes reach could say nothing else.
    """
    told = ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in {**came, **wrong}.items()
    )
    made = Figure(goal, what, tried, told, any(wrong.values()))
    assert goal in GOALS
    _told.append(made)
    if kept := os.environ.get("HOLDFAST_FIGURES"):
        with Path(kept).open("a", encoding="utf-8") as file:
            file.write(json.dumps(made) + "\n")
    assert not made.is_wrong, f"{what}: {told}\n{why}"


def is_any_told() -> bool:
    return bool(_told)


def told() -> Iterator[str]:
    """Return the figures of this process as a table."""
    measured = {each.goal for each in _told}
    return table(_told, {goal: GOALS[goal] for goal in GOALS if goal in measured})


def table(figures: Iterable[Figure], goals: dict[str, str] = GOALS) -> Iterator[str]:
    """Yield a table in Markdown; what went wrong is told, else the whole, not its sample."""
    ordered = sorted(figures, key=lambda each: (each.is_wrong, each.tried))
    known = {(each.goal, each.what): each for each in ordered}
    yield "| goal | what | tried | came of it |"
    yield "|---|---|---|---|"
    for goal, wish in goals.items():
        mine = sorted(each for each in known.values() if each.goal == goal)
        yield f"| **{goal}** | {wish} | | {'' if mine else 'not measured'} |"
        for each in mine:
            yield f"| | {each.what} | {each.tried:,} | {each.came} |"


def main() -> None:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    figures = [Figure(*json.loads(line)) for line in lines]
    sys.stdout.write("".join(f"{line}\n" for line in table(figures)))


if __name__ == "__main__":
    main()
