"""Eight processes write one project's files at once: every open item is there."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from holdfast.app.notes.memory import memory_of
from holdfast.project_notes.handoff.document import parse
from tests.faults.handoff_writer import todo
from tests.handoffs import handoff_text, memory_tools

ROOT = Path(__file__).parents[2]
WRITERS, ROUNDS = 8, 5


def test_eight_sessions_at_once_lose_no_item(tmp_path: Path) -> None:
    """Two windows, or eight, in one project: nobody is clobbered."""
    with ExitStack() as stack:
        started = []
        for number in range(WRITERS):
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.faults.handoff_writer"),
                    *(str(tmp_path), str(number), str(ROUNDS)),
                ],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(stack.enter_context(process))
            stack.callback(process.kill)
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "done\n"

    text = handoff_text(tmp_path)
    document = parse(text)
    wanted = [todo(number, each) for number in range(WRITERS) for each in range(ROUNDS)]
    assert [each for each in wanted if f". {each}" not in text] == []
    assert document.left_out == 0
    assert (
        len(document.kept()) == text.count("<!-- hf ") - text.count("<!-- hf none") - 1
    )
    log = memory_of(memory_tools(tmp_path).files).log
    assert {e.text for e in log} == {f"committed: step {n}" for n in range(WRITERS)}
    assert not list(tmp_path.rglob("*holdfast-tmp"))
