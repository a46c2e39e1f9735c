"""A process that keeps things on one disk in every way there is, until the power goes.

    python -m tests.faults.power_victim DISK PROJECT MANNER

Each turn keeps a record, a save that waits, a file that people read and a snapshot, and
says so when each is acknowledged. In the manner `careless` nothing waits for the disk.
"""

import os
import sys
from functools import partial
from pathlib import Path

from holdfast.data_directory.spool import DirectorySpool
from holdfast.domain.code import SnapshotBounds
from holdfast.project_notes.project_directory import ProjectDirectory
from holdfast.snapshot.git import trees
from holdfast.snapshot.take.snapshots import GitSnapshots
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.store import open_store
from tests.builders import a_draft
from tests.faults.writer import say

NOTES = "memory/notes.md"
LINES = 200


def main() -> None:
    disk, project, manner = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if manner == "careless":
        _forget_to_wait()
    (disk / "project").mkdir(exist_ok=True)
    files = ProjectDirectory(str(disk / "project"))
    spool = DirectorySpool(str(disk / "home" / "spool"))
    snapshots = GitSnapshots(str(disk / "ours"), dict(os.environ))
    with open_store(str(disk / "home"), create=True) as store:
        turn = 0
        while True:
            turn += 1
            draft = a_draft(f"Turn {turn}", key=f"turn-{turn}", state_key=str(turn))
            store.put(draft)
            say(f"record turn-{turn}")
            spool.add(draft, "the store is busy")
            say(f"waiting turn-{turn}")
            files.change(NOTES, partial(text_of, turn))
            say(f"file {turn}")
            (project / f"{turn % 50}.txt").write_text(f"{turn}\n" * 100)
            say(
                f"snapshot {snapshots.take(str(project), SnapshotBounds()).tree or 'none'}"
            )


def text_of(turn: int, _: str | None) -> str:
    return f"turn {turn}\n" * LINES


def _forget_to_wait() -> None:
    """What no user can ask for."""
    begin = Database._begin

    def begin_normal(database: Database, _: str) -> None:
        begin(database, "NORMAL")

    def skip(_: object) -> None:
        return

    Database._begin = begin_normal  # type: ignore[method-assign,assignment]  # on purpose
    os.fsync = skip  # type: ignore[assignment]  # on purpose
    trees._CONFIG = trees._CONFIG.replace(b"fsync = all", b"fsync = none")


if __name__ == "__main__":
    main()
