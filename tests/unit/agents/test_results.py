"""What came back from a tool."""

from typing import Any

import pytest

from holdfast.agents.claude_code.transcript.results import choices_in
from holdfast.domain.event import ToolReturned
from tests.unit.agents.building import answer, told

_SHELL = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected "
    "(eg. if it was a file edit, the new_string was NOT written to the file). "
)


def _returned(content: object, result: object = None, **more: Any) -> ToolReturned:
    first = told(answer(content, result, **more))[0]
    assert isinstance(first, ToolReturned)
    return first


@pytest.mark.parametrize(
    ("content", "result", "is_error", "outcome", "status"),
    [
        pytest.param("done", _SHELL, False, "ok", 0, id="a command that worked"),
        pytest.param("", _SHELL | {"returnCodeInterpretation": "No matches found"}, False, "ok", 1, id="a 1 that is no failure"),
        pytest.param("Exit code 2\nno rule", "Error: Exit code 2", True, "failed", 2, id="a command that failed"),
        pytest.param("<tool_use_error>File does not exist.</tool_use_error>", "Error", True, "failed", None, id="a tool that failed"),
        pytest.param(_REFUSED + "STOP what you are doing", "User rejected tool use", True, "interrupted", None, id="a refusal"),
        pytest.param(_REFUSED + "To tell you how to proceed, the user said:\nuse make", "Error: x", True, "interrupted", None, id="a refusal with words"),
        pytest.param("[Request interrupted by user for tool use]", None, True, "interrupted", None, id="stopped"),
        pytest.param("so far", _SHELL | {"interrupted": True}, False, "interrupted", None, id="stopped in mid-command"),
        pytest.param("running", _SHELL | {"backgroundTaskId": "b7"}, False, "ok", None, id="still running"),
        pytest.param("text", None, False, "ok", None, id="a sub-agent's tool says no more"),
        pytest.param([{"type": "text", "text": "hi"}], [{"type": "text"}], False, "ok", None, id="an MCP tool"),
    ],
)  # fmt: skip
def test_a_result_tells_how_it_went(
    content: object, result: object, *, is_error: bool, outcome: str, status: int | None
) -> None:
    """Dead ends, errors and refusals are told apart by this."""
    returned = _returned(content, result, is_error=is_error)

    assert (returned.outcome, returned.exit_status) == (outcome, status)


@pytest.mark.parametrize(
    ("result", "changed"),
    [
        pytest.param({"type": "create", "content": "a\nb\n", "structuredPatch": []}, (2, 0, True), id="a new file"),
        pytest.param({"type": "create", "content": "a\nb", "structuredPatch": []}, (2, 0, True), id="a new file without a final newline"),
        pytest.param({"type": "create", "content": "", "structuredPatch": []}, (0, 0, True), id="an empty file"),
        pytest.param({"structuredPatch": [{"lines": [" a", "-b", "+c", "+d"]}, {"lines": ["-e"]}]}, (2, 2, False), id="an edit in two places"),
        pytest.param({"structuredPatch": [{"lines": "x"}, 7, {"lines": [3, "+y"]}]}, (1, 0, False), id="a patch of other types"),
    ],
)  # fmt: skip
def test_an_edit_tells_how_many_lines_it_changed(
    result: dict[str, object], changed: tuple[int, int, bool]
) -> None:
    """ "3 files, 127 lines added" is counted, not guessed."""
    returned = _returned("The file has been updated", result)

    assert (returned.added, returned.removed, returned.created) == changed
    assert returned.output == ""


@pytest.mark.parametrize(
    "result",
    [
        pytest.param({"type": "text", "file": {"content": "secret plan"}}, id="Read"),
        pytest.param({"mode": "content", "numFiles": 1, "content": "secret plan"}, id="Grep"),
        pytest.param({"filenames": ["a"], "numFiles": 1, "truncated": False}, id="Glob"),
    ],
)  # fmt: skip
def test_file_content_is_not_kept_as_output(result: dict[str, object]) -> None:
    """It is in the files, and it is most of a transcript."""
    returned = _returned("1\tsecret plan", result)

    assert (returned.output, returned.chars, returned.outcome) == ("", 0, "ok")


@pytest.mark.parametrize(
    ("result", "reference"),
    [
        pytest.param({"task": {"id": "4", "subject": "x"}}, "4", id="a task"),
        pytest.param({"agentId": "ab5a522fda446ccc5", "status": "completed"}, "ab5a522fda446ccc5", id="a sub-agent"),
        pytest.param(_SHELL | {"backgroundTaskId": "bfd3a1"}, "bfd3a1", id="a background command"),
        pytest.param({"task": ["x"], "agentId": 5}, "", id="other types"),
        pytest.param("Error", "", id="nothing"),
    ],
)  # fmt: skip
def test_a_result_names_what_it_started(result: object, reference: str) -> None:
    """A todo learns its id here, and a background command its name."""
    assert _returned("started", result).reference == reference


def test_images_are_dropped_from_an_output() -> None:
    """They are megabytes of base64 that nobody reads."""
    image = {"type": "image", "source": {"type": "base64", "data": "A" * 5_000}}

    returned = _returned(
        [{"type": "text", "text": "before"}, image, {"type": "text", "text": "after"}]
    )

    assert (returned.output, returned.chars) == ("before\nafter", 12)


def test_an_error_is_shown_without_the_clients_wrapping() -> None:
    """The tags are not what the tool said."""
    wrapped = "<tool_use_error>File does not exist.</tool_use_error>"

    assert _returned(wrapped, is_error=True).output == "File does not exist."


@pytest.mark.parametrize("tool", ["Bash", "PowerShell"])
def test_what_the_client_says_of_silence_is_no_output(tool: str) -> None:
    """A compiler that says nothing found nothing; the words are nobody's."""
    silent = f"({tool} completed with no output)"

    assert _returned(silent, _SHELL).output == ""


def test_a_long_output_says_how_long_it_was() -> None:
    """What is shown is a window."""
    returned = _returned("x" * 100_000, _SHELL)

    assert returned.chars == 100_000
    assert len(returned.output) < 6_010


@pytest.mark.parametrize(
    ("printed", "cause", "words"),
    [
        pytest.param(
            _REFUSED
            + "To tell you how to proceed, the user said:\nuse the other branch"
            "\n\nNote: The user's next message may contain a correction.",
            "refused",
            "use the other branch",
            id="with words",
        ),
        pytest.param(
            _REFUSED
            + "The user provided the following reason for the rejection:  use make",
            "refused",
            "use make",
            id="with a reason",
        ),
        pytest.param(_REFUSED + "STOP what you do.", "refused", "", id="without"),
        pytest.param("EISDIR: illegal operation", "slip", "", id="a slip"),
        pytest.param("error: it broke", "", "", id="a failure"),
    ],
)
def test_the_client_says_why_a_call_came_to_nothing(
    printed: str, cause: str, words: str
) -> None:
    """A refusal and a slip tell nothing about the work."""
    told = _returned(printed, is_error=True)

    assert (told.cause, told.refusal) == (cause, words)


def test_what_went_well_was_not_refused_whatever_it_printed() -> None:
    """Sources and logs hold the client's sentences, too."""
    told = _returned(_REFUSED + "To tell you how to proceed, the user said:\nno")

    assert (told.cause, told.refusal) == ("", "")


def test_the_pairs_are_what_was_chosen() -> None:
    """The questions themselves tell where one ends, whatever stands in it."""
    asked = ["Which lifetime?", 'Short, "as now", or long?']
    printed = (
        f'User has answered your questions: "{asked[0]}"="7 days" user notes: or 8, '
        f'"{asked[1]}"="long". You can now continue with the answers in mind.'
    )

    told = _returned(printed, {"questions": [{"question": one} for one in asked]})

    assert told.choices == ((asked[0], "7 days (or 8)"), (asked[1], "long"))


@pytest.mark.parametrize(
    ("printed", "report"),
    [
        ("All is well.\nagentId: a7 (to go on)\n<usage>9</usage>", "All is well."),
        ("Async agent launched successfully.\nagentId: a7", ""),
        ("All is well.", None),
    ],
)
def test_a_report_ends_where_the_client_begins_to_speak(
    printed: str, report: str | None
) -> None:
    """What the client adds was not found out by the sub-agent."""
    assert _returned(printed).report == report


_HEAD = "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n"


@pytest.mark.parametrize(
    ("printed", "is_error", "work", "status"),
    [
        (f"{_HEAD}<status>completed</status>\n\n<exit_code>2</exit_code>\n\n<output>\n", False, "ended", 2),
        (f"{_HEAD}<status>running</status>", False, "running", None),
        ("<status>killed</status>\n\n<stdout>\nx</stdout>", False, "ended", None),
        ("<stdout>\n<status>completed</status></stdout>", False, "", None),
        ("<tool_use_error>No task found with ID: b1</tool_use_error>", True, "ended", None),
        ("Shell b1 is not running, so cannot be killed", True, "ended", None),
    ],
)  # fmt: skip
def test_the_client_says_whether_background_work_is_over(
    printed: str,
    is_error: bool,  # noqa: FBT001  # a column of the table
    work: str,
    status: int | None,
) -> None:
    """Above what the work printed, which may hold any words."""
    told = _returned(printed, is_error=is_error)

    assert (told.work, told.exit_status) == (work, status)


@pytest.mark.parametrize(
    "printed",
    [
        "Command timed out after 2m 0.0s",
        "This command requires approval",
        "Error: cd to '/x' was blocked. For security, Claude Code may only change",
    ],
)
def test_the_client_says_that_it_stopped_a_command(printed: str) -> None:
    """It did not fail: nobody knows how it would have gone."""
    assert _returned(printed, is_error=True).cause == "stopped"
    assert _returned(f"assert x\n{printed}", is_error=True).cause == ""


def test_nobody_decides_who_is_away() -> None:
    """The client fills in an answer when nobody gives one in time."""
    asked = 'User has answered your questions: "Which one?"="%s". You can now continue.'

    assert choices_in(asked % "the second") == (("Which one?", "the second"),)
    assert choices_in(asked % "No response after 300s — the user may be away") == ()
    alone = "No response after 300s — the user may be away. Use your best judgment."
    assert _returned(alone).output == ""


def test_an_answer_ends_where_the_client_goes_on_in_any_words() -> None:
    """Its advice to the agent is no part of what the user decided."""
    asked = 'The user answered: "Which one?"="%s". Read the answers carefully — go on.'

    assert choices_in(asked % "the second") == (("Which one?", "the second"),)
    assert choices_in(asked % 'say "go". Then stop') == (
        ("Which one?", 'say "go". Then stop'),
    )
