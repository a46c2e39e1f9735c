"""A process that saves, and says of each save when it is acknowledged.

    python -m tests.faults.writer HOME NAME COUNT

It opens the store, says `ready`, waits for a line, then saves COUNT times (0: for ever)
into one session of one project, and says key, number, sequence, id and how long it took.
"""

import sys
import time

from holdfast.storage.sqlite.store import open_store
from tests.builders import a_draft


def main() -> None:
    home, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    store = open_store(home, create=True)
    say("ready")
    sys.stdin.readline()
    done = 0
    while done < count or not count:
        key = f"{name}-{done}"
        draft = a_draft(f"Save {done} of {name}", key=key, state_key=key)
        began = time.perf_counter()
        kept = store.put(draft).checkpoint
        took = time.perf_counter() - began
        where = f"{kept.number} {kept.sequence} {kept.checkpoint_id}"
        say(f"{key} {where} {took:.6f}")
        done += 1


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
