"""A process that saves, and says of each save when it is acknowledged.

    python -m tests.faults.writer HOME NAME COUNT

It opens the store, says `ready`, waits for a line, then saves COUNT times (0: for ever)
into one session of one project, and says key, number, sequence, id and how long it took.
What a save needs is there before that: 32 processes that import and make up drafts
beside the one that writes would be measured with it.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from itertools import count as counted

from holdfast.domain.checkpoint import Draft
from holdfast.store.sqlite.store import open_store
from holdfast.store.sqlite.write import insert_checkpoint  # noqa: F401  # the store imports it late
from tests.builders import a_draft


def drafts(name: str, numbers: Iterable[int]) -> Iterator[Draft]:
    for number in numbers:
        key = f"{name}-{number}"
        yield a_draft(f"Save {number} of {name}", key=key, state_key=key)


def main() -> None:
    home, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    ready = list(drafts(name, range(count)))
    store = open_store(home, create=True)
    say("ready")
    sys.stdin.readline()
    for draft in ready or drafts(name, counted()):
        began = time.perf_counter()
        kept = store.put(draft).checkpoint
        took = time.perf_counter() - began
        where = f"{kept.number} {kept.sequence} {kept.checkpoint_id}"
        say(f"{draft.key} {where} {took:.6f}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
