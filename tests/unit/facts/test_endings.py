"""How a command is told to have ended: nobody makes up a status that was not printed."""

from typing import Any

import pytest

from holdfast.facts.content import content_of
from tests.sessions import asks, session, uses


def _told(command: str, output: str, **fields: Any) -> tuple[int | None, str]:
    failed = {"outcome": "failed", "output": output, **fields}
    (ran,) = content_of(session(asks("go"), uses("Bash", command, **failed))).commands
    return ran.exit, ran.ended


@pytest.mark.parametrize(
    ("command", "output", "fields", "told"),
    [
        ("npm ci", "npm error code E404", {"exit_status": 1}, (1, "")),
        ("npm ci", "npm error code E404", {}, (None, "failed")),
        ("npm ci", "Command timed out after 2m 0.0s", {}, (None, "timed out after 2 min")),
        (
            "npm ci",
            "Command timed out after 1m 30.0s",
            {"exit_status": 143},
            (None, "timed out after 1 min 30 s"),
        ),
        (
            "npm run dev",
            "Command timed out after 10.0s\n  - Local: http://localhost:3000",
            {},
            (None, "started"),
        ),
        (
            "npm run dev",
            "Command timed out after 10.0s",
            {},
            (None, "timed out after 10 s"),
        ),
        (
            "git push",
            "PreToolUse:Bash hook error: [guard.sh]: no pushes here",
            {"cause": "stopped"},
            (None, "blocked"),
        ),
        ("git push", "doesn't want to proceed", {"cause": "refused"}, (None, "refused")),
    ],
)  # fmt: skip
def test_a_command_is_told_as_it_ended(
    command: str, output: str, fields: dict[str, Any], told: tuple[int | None, str]
) -> None:
    """`exit 1` is told where a 1 was printed, and nowhere else."""
    assert _told(command, output, **fields) == told


def test_what_a_pipe_hid_has_failed_with_no_status_of_its_own() -> None:
    """The 0 that was printed is that of `tail`."""
    output = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed in 0.1s"
    fields = {"outcome": "ok", "exit_status": 0}
    assert _told("pytest -q | tail -3", output, **fields) == (None, "failed")
