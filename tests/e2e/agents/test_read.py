"""What the real pi and the real OpenCode write is read to its last line, and kept.

Neither is wired into here: they work as on any machine, and a backfill comes afterwards.
"""

from typing import Any

import pytest

from tests.e2e.agents.machine import ScriptedMachine
from tests.e2e.agents.packages import OPENCODE
from tests.e2e.client.stub import call, say

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_GOAL = "Fix the parser so that nested input works."
_LATER = "And now the lexer."


def _kept(machine: ScriptedMachine, agent: str) -> Any:
    """Keep what lies there; return the one record of it, and what doctor says."""
    done = machine.holdfast("backfill")
    assert (done["sessions"], done["checkpoints"], done["unread"]) == (1, 1, []), done
    checks = machine.holdfast("doctor")["checks"]
    told = next(check for check in checks if check["name"] == agent)
    assert (told["state"], "all of" in told["message"]) == ("ok", True), told
    return machine.holdfast("show", "1")


def _is_whole(record: Any, agent: str) -> None:
    content = record["content"]
    asked = [item["text"] for item in content["requests"]]
    assert [text.strip('"') for text in asked] == [_GOAL, _LATER]
    assert "exit 1" in content["errors"][0]["text"]
    assert [file["path"] for file in content["files_referenced"]] == ["parser.py"]
    assert record["agent"]["name"] == agent


def test_a_session_of_the_real_pi_is_kept_whole(pi: ScriptedMachine) -> None:
    """Prompts, a command that failed, an edit, and a second run that went on."""
    edit = {"oldText": "return 1", "newText": "return 2"}
    pi.stub.will(
        call("bash", command="sh run-tests"),
        call("edit", path="parser.py", edits=[edit]),
        say("The parser returns 2 now."),
    )

    pi.run(_GOAL)
    pi.run("--continue", _LATER)

    _is_whole(_kept(pi, "pi"), "pi")


def test_a_session_of_the_real_opencode_is_kept_whole(
    opencode: ScriptedMachine,
) -> None:
    """The same, from rows of a database."""
    change = {"oldString": "return 1", "newString": "return 2"}
    opencode.stub.will(
        call("bash", command="sh run-tests", description="run the tests"),
        call("edit", filePath=str(opencode.project / "parser.py"), **change),
        say("The parser returns 2 now."),
    )

    opencode.run(_GOAL)
    opencode.run("--continue", _LATER)

    record = _kept(opencode, "opencode")
    _is_whole(record, "opencode")
    assert record["agent"]["version"] == OPENCODE.version
