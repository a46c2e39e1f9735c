"""A process that writes its own open items into a project's handoff and log.

    python -m tests.faults.handoff_writer PROJECT NUMBER ROUNDS

It says `ready`, waits for a line, then writes ROUNDS times, each time with one item more.
"""

import sys
from pathlib import Path

from holdfast.app.notes.handoff import write
from tests.builders import session_number
from tests.faults.writer import say
from tests.handoffs import gathered, memory_tools
from tests.sessions import asks, lists, runs, says, session


def main() -> None:
    project, number, rounds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    say("ready")
    sys.stdin.readline()
    for done in range(1, rounds + 1):
        todos = [(todo(number, each), "pending") for each in range(done)]
        state = session(
            asks(f"do the work of window {number}"),
            lists(*todos),  # type: ignore[arg-type]  # a list of literals
            runs(f'git commit -m "step {number}"'),
            says("Going on with the next one."),
            session_id=session_number(number),
        )
        write(gathered(state), memory_tools(project))
    say("done")


def todo(number: int, each: int) -> str:
    return f"task {each} of window {number}"


if __name__ == "__main__":
    main()
