"""What the files people read cost: a handoff against a brief, a fact in a large memory.

Goals: writing the handoff of a session ≤ 2 × the brief of it; one fact into 10 MB of
notes ≤ 25 × reading and splitting them; 500 open items merged in tens of ms.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from holdfast.app.checkpoints.drafting import session_brief
from holdfast.app.checkpoints.which_session import LocatedSession
from holdfast.app.notes.handoff import write
from holdfast.app.notes.memory import add_fact
from holdfast.app.notes.session_notes import gather_notes
from holdfast.bootstrap import Container
from holdfast.project_notes.handoff.document import (
    NEW_FILE,
    OpenItem,
    ident,
    line_count,
    parse,
    print_document,
)
from holdfast.project_notes.handoff.merge import Update, merge
from holdfast.project_notes.memory.entries import FACTS
from tests.handoffs import memory_tools

_ROOT = Path(__file__).parents[1]
_SHARED = _ROOT / ".." / "shared" / "data" / "transcripts"
_SAMPLES = _ROOT / "tests" / "fixtures" / "transcripts"
_ROUNDS = 5
_NOTE = "- the quick brown fox number {} jumps over the lazy dog again and again\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        _handoffs(Path(scratch))
        _large_memory(Path(scratch))
    _many_items()
    print(f"load average {os.getloadavg()[0]:.1f}")


def _handoffs(scratch: Path) -> None:
    paths = sorted(_SHARED.glob("*/*_full.jsonl")) or sorted(_SAMPLES.glob("*.jsonl"))
    project = scratch / "project"
    project.mkdir()
    environ = {"PATH": os.environ["PATH"], "HOME": str(scratch)}
    container = Container(environ=environ, project=str(project))
    ports = container.ports()
    sessions = [
        LocatedSession(ports.transcripts.session_of(str(path)) or "s", str(path))
        for path in paths
    ]

    def handoffs() -> None:
        for found in sessions:
            known = gather_notes(found, ports, str(project), directory_given=True)
            write(known, memory_tools(project))

    def briefs() -> None:
        for found in sessions:
            session_brief(found, ports, budget=1000)

    told, handed = _best(briefs), _best(handoffs)
    print(f"{len(paths)} sessions, read from the beginning each time")
    print(f"  a handoff, memory files and check / a brief {handed / told:8.2f}")
    print(
        f"  per session                                 {handed / len(paths) * 1e3:8.1f} ms"
    )


def _large_memory(scratch: Path) -> None:
    project = scratch / "large"
    (project / "memory").mkdir(parents=True)
    text = "# Mine\n## Big\n" + "".join(_NOTE.format(n) for n in range(140_000))
    notes = project / FACTS

    def floor() -> None:
        notes.read_text(encoding="utf-8").split("\n")

    def one_fact() -> None:
        notes.write_text(text, encoding="utf-8")
        add_fact(memory_tools(project), "the brown port is 8080")

    notes.write_text(text, encoding="utf-8")
    reading, adding = _best(floor), _best(one_fact)
    print(f"one fact into {len(text) / 1e6:.0f} MB of notes")
    print(f"  adding / reading and splitting              {adding / reading:8.1f}")
    print(f"  adding                                      {adding * 1e3:8.0f} ms")


def _many_items() -> None:
    items = tuple(
        OpenItem("next", ident("todo", str(n)), f"todo number {n}") for n in range(500)
    )
    update = Update(owner="7670db3a", items=items)

    def merged() -> None:
        print_document(merge(parse(NEW_FILE), update, line_count))

    print(
        f"500 open items merged                         {_best(merged) * 1e3:8.1f} ms"
    )


def _best(work: Callable[[], object]) -> float:
    """Return the least CPU time of a few rounds: the machine is noisy."""
    taken = []
    for _ in range(_ROUNDS):
        before = time.process_time()
        work()
        taken.append(time.process_time() - before)
    return min(taken)


if __name__ == "__main__":
    main()
