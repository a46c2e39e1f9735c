"""Speaking to this tool is no work, however it is called."""

import pytest

from holdfast.facts.commands.meaningful import is_own_command
from holdfast.facts.content import content_of
from tests.sessions import (
    Step,
    asks,
    edits,
    refused,
    runs,
    says,
    session,
    uses,
)

PARTIAL = "error[FILE_001]: PARTIAL: `reuse_detection` of the handoff says no"
CALLS = [
    "holdfast handoff check",
    ".venv/bin/holdfast save",
    "~/bin/holdfast save",
    "'/opt/my tools/holdfast' save",
    '"$HOME/.local/bin/holdfast" save --title "x"',
    "$HOLDFAST save",
    "python -m holdfast doctor",
    "python3.12 -I -m holdfast.surfaces.cli doctor",
    "uv run holdfast save",
    "uv run --no-sync python -m holdfast save",
    "uvx holdfast save",
    "pipx run holdfast save",
    "poetry run holdfast handoff check",
    "timeout 20 holdfast handoff check",
    "env -u X FOO=1 holdfast save",
    "nice -n 5 holdfast save",
    "cd apps/api && holdfast handoff check",
    "holdfast list | head -3",
    "holdfast handoff check; echo $?",
    "echo '{}' | holdfast save --notes -",
    'holdfast save --notes - <<\'EOF\'\n"title": "reuse_detection"\nEOF',
    "out=$(holdfast list --json)",
    "if holdfast status --check; then echo saved; fi",
    "bash -c 'holdfast save'",
    "holdfast-hook Stop < in.json",
]


@pytest.mark.parametrize(
    "step",
    [
        *(runs(call, fails=PARTIAL, status=4) for call in CALLS),
        runs("holdfast save --json", "ok"),
        refused("Bash", "holdfast forget reuse_detection"),
        *(
            uses(tool, "holdfast:checkpoint", outcome="failed", output=PARTIAL)
            for tool in (
                "mcp__holdfast__checkpoint_save",
                "mcp__plugin_holdfast_holdfast__checkpoint_get",
                "Skill",
            )
        ),
    ],
)
def test_what_this_tool_was_asked_is_no_work(step: Step) -> None:
    """A brief that tells of its own commands tells nothing, and a check that says no is
    no error of the project."""
    content = content_of(session(asks("go on with it"), step, step))

    told = (
        content.commands,
        content.errors,
        content.dead_ends,
        content.in_flight,
        content.files,
        content.names,
    )
    assert [kind for kind in told if kind] == []


@pytest.mark.parametrize(
    "command",
    [
        "pytest tests/holdfast",
        "python -m pytest holdfast",
        "pip install holdfast",
        "uv pip install -e holdfast",
        "cd holdfast",
        "./holdfast/run.sh",
        "uv run -q pytest holdfast",
        "make holdfast",
        "grep -rn holdfast src",
        "holdfastd start",
    ],
)
def test_what_only_names_this_tool_is_no_call_of_it(command: str) -> None:
    """A project may well be called the same, or depend on it."""
    assert not is_own_command(command)


@pytest.mark.parametrize("joined", ["&&", ";"])
def test_a_check_of_ours_that_says_no_is_no_failure_of_the_tests_before_it(
    joined: str,
) -> None:
    """What the tests came to is what they printed: the status is ours."""
    printed = f"12 passed in 0.4s\n{PARTIAL}\nExit code 4"
    line = f"pytest -q {joined} holdfast handoff check"

    content = content_of(session(asks("go on"), runs(line, fails=printed, status=4)))

    assert content.errors == ()
    assert [(one.command, one.exit) for one in content.commands] == [
        ("pytest -q", None)
    ]


def test_tests_that_failed_before_a_check_of_ours_are_still_an_error() -> None:
    printed = "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed in 0.4s"
    line = "pytest -q; holdfast handoff check"

    content = content_of(session(asks("go on"), runs(line, fails=printed, status=4)))

    assert [one.text.partition(" →")[0] for one in content.errors] == ["`pytest -q`"]


def test_an_edit_taken_back_is_not_explained_by_a_check_of_ours() -> None:
    content = content_of(
        session(
            asks("try it"),
            says("Trying a lock in rotate."),
            edits("src/a.py", before="a", after="b"),
            runs("holdfast handoff check", fails=PARTIAL, status=4),
            edits("src/a.py", before="b", after="a"),
        )
    )

    assert "PARTIAL" not in "".join(one.text for one in content.dead_ends)
