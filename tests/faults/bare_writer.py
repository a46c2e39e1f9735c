"""The least that a durable save can be: one row behind a lock, flushed.

    python -m tests.faults.bare_writer HOME NAME COUNT

Speaks as `tests.faults.writer` does. What many of these take, at the same time on the
same machine, is the floor that a save of ours is compared with.
"""

import os
import sys
import time
from pathlib import Path

import apsw

from holdfast.kernel.locks import Lock
from tests.faults.writer import say

_ROW = "INSERT INTO save (key, body) VALUES (?, ?)"
_BODY = "x" * 2000  # as long as the record that a writer saves
_PATIENCE = 60.0


def opened(home: Path, lock: Lock) -> apsw.Connection:
    with lock.held():
        connection = apsw.Connection(str(home / "bare.db"))
        for statement in (
            "PRAGMA journal_mode = wal",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE IF NOT EXISTS save (key TEXT PRIMARY KEY, body TEXT) STRICT",
        ):
            connection.execute(statement).fetchall()
    return connection


def main() -> None:
    home, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    home.mkdir(exist_ok=True)
    lock = Lock("lock", os.open(home, os.O_RDONLY), _PATIENCE)
    connection = opened(home, lock)
    say("ready")
    sys.stdin.readline()
    for number in range(count):
        began = time.perf_counter()
        with lock.held():
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_ROW, (f"{name}-{number}", _BODY))
            connection.execute("COMMIT")
        say(f"{time.perf_counter() - began:.6f}")


if __name__ == "__main__":
    main()
