"""A turn kept before calls had roles means today what it meant then."""

import pytest

from holdfast.agents.claude_code.legacy import upgraded
from holdfast.domain.event import Cause, Via
from holdfast.domain.session import Call, ToolUse, Turn
from holdfast.session.state_codec import decode_turn


def _old_turn(*calls: list[object], **fields: object) -> Turn:
    return decode_turn({"calls": list(calls), **fields}, upgraded)


def _old_call(tool: str, target: str, outcome: str = "ok", output: str = "") -> Call:
    raw: list[object] = ["c1", tool, target, "u1", 5, "", outcome, None, output]
    (call,) = _old_turn(raw).calls
    return call


def test_calls_and_counts_get_their_roles() -> None:
    """Their places in the list moved, and their tools' names mean nothing any more."""
    turn = _old_turn(
        ["c1", "Bash", "ls", "u1", 5, "look", "failed", 2, "error: x"],
        ["c2", "mcp__files__find", "a", "u2", 6],
        tools=[["Bash", 1, 5, 5], ["Unheard", 1, 6, 6]],
    )

    assert turn.calls == (
        Call("c1", "Bash", "ls", "u1", 5, "run", "look", "failed", 2, "error: x"),
        Call("c2", "mcp__files__find", "a", "u2", 6, "server"),
    )
    assert turn.tools == (
        ToolUse("Bash", 1, 5, 5, "run"),
        ToolUse("Unheard", 1, 6, 6, "other"),
    )


@pytest.mark.parametrize(
    ("prompt", "via"),
    [("/model opus", "steering"), ("/clear", "clearing"), ("/review", "command")],
)
def test_a_command_is_told_by_its_word(prompt: str, via: Via) -> None:
    """What steers the client is no request."""
    assert _old_turn(prompt=prompt, via="command").via == via


@pytest.mark.parametrize(
    ("output", "cause", "words"),
    [
        ("the user said: use make", "refused", "use make"),
        ("The user doesn't want to proceed with this tool use", "refused", ""),
        ("EISDIR: illegal operation", "slip", ""),
        ("error: it broke", "", ""),
    ],
)
def test_why_a_call_came_to_nothing_stood_in_its_output(
    output: str, cause: Cause, words: str
) -> None:
    """Only that text was kept."""
    call = _old_call("Edit", "a.py", "failed", output)

    assert (call.cause, call.refusal) == (cause, words)


@pytest.mark.parametrize(
    ("output", "choices"),
    [
        (
            '"Which, "this"?"="that", "When?"="now"',
            (('Which, "this"?', "that"), ("When?", "now")),
        ),
        ("7 days", (("Which?", "7 days"),)),
        ("User has answered your questions: ", ()),
    ],
)
def test_what_was_chosen_stood_in_the_output(
    output: str, choices: tuple[tuple[str, str], ...]
) -> None:
    """As pairs, or as words of another client."""
    assert _old_call("AskUserQuestion", "Which?", "ok", output).choices == choices


def test_a_plan_is_known_by_its_place() -> None:
    """The agent wrote it, and it is no file of the project."""
    assert _old_call("Write", "/home/me/.claude/plans/a.md").own == "plan"
    assert _old_call("Write", r"C:\Users\me\.claude\plans\a.md").own == "plan"
    assert _old_call("Read", "/home/me/.claude/todos/a.json").own == "note"
    assert (
        _old_call("Read", "/private/tmp/claude-501/-shop/28f8/tasks/b3.output").own
        == "note"
    )
    assert _old_call("Read", "/home/me/claude/tasks/b3.output").own == ""
    assert _old_call("Write", "/home/me/shop/a.md").own == ""


def test_the_start_of_a_sub_agent_is_no_report_of_it() -> None:
    """The client says so in the report's place."""
    assert _old_call("Task", "Review", "ok", "Async agent launched").output == ""


def test_a_turn_of_today_stays_as_it_is() -> None:
    """It says of itself that it was kept with roles."""
    raw = {"calls": [["c1", "Bash", "ls", "u1", 5, "other"]], "form": 2}

    (call,) = decode_turn(raw, upgraded).calls

    assert call.role == "other"
