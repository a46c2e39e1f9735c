"""What a tool was asked to do."""

from typing import Any
from zlib import crc32

import pytest

from holdfast.domain.event import Todo, ToolCalled
from tests.unit.agents.building import call, told


def _called(tool: str, **given: Any) -> ToolCalled:
    first = told(call(tool, **given))[0]
    assert isinstance(first, ToolCalled)
    return first


@pytest.mark.parametrize(
    ("tool", "given", "target", "detail"),
    [
        pytest.param("Read", {"file_path": "/a.py", "limit": 5}, "/a.py", "", id="Read"),
        pytest.param("Edit", {"file_path": "/a.py", "old_string": "x", "new_string": "y"}, "/a.py", "y", id="Edit"),
        pytest.param("Write", {"file_path": "/a.py", "content": "all"}, "/a.py", "all", id="Write"),
        pytest.param("NotebookEdit", {"notebook_path": "/a.ipynb", "new_source": "1"}, "/a.ipynb", "1", id="NotebookEdit"),
        pytest.param("MultiEdit", {"file_path": "/a", "edits": [{"old_string": "b", "new_string": "c"}, {"new_string": "d"}]}, "/a", "c\nd", id="MultiEdit"),
        pytest.param("Bash", {"command": "make", "description": "Build"}, "make", "Build", id="Bash"),
        pytest.param("PowerShell", {"command": "Get-Date", "description": "Now"}, "Get-Date", "Now", id="PowerShell"),
        pytest.param("Grep", {"pattern": "def x", "path": "/src"}, "def x", "/src", id="Grep"),
        pytest.param("Glob", {"pattern": "**/*.py"}, "**/*.py", "", id="Glob"),
        pytest.param("WebFetch", {"url": "https://e.org", "prompt": "read"}, "https://e.org", "read", id="WebFetch"),
        pytest.param("WebSearch", {"query": "kelp"}, "kelp", "", id="WebSearch"),
        pytest.param("Task", {"description": "look", "subagent_type": "Explore", "prompt": "long"}, "look", "Explore", id="Task"),
        pytest.param("Agent", {"description": "look", "prompt": "long"}, "look", "", id="Agent"),
        pytest.param("Skill", {"skill": "pdf", "args": "x.pdf"}, "pdf", "x.pdf", id="Skill"),
        pytest.param("AskUserQuestion", {"questions": [{"question": "A?"}, {"question": "B?"}]}, "A?\nB?", "", id="AskUserQuestion"),
        pytest.param("ExitPlanMode", {"plan": "# Plan"}, "# Plan", "", id="ExitPlanMode"),
        pytest.param("TaskOutput", {"task_id": "b12", "block": True}, "b12", "", id="TaskOutput"),
        pytest.param("KillShell", {"shell_id": "b12"}, "b12", "", id="KillShell"),
        pytest.param("mcp__db__query", {"sql": "select 1", "limit": 5, "dry": False, "tags": ["a"]}, "sql=select 1 limit=5 dry=False tags=(1)", "", id="a tool nobody told us about"),
        pytest.param("Bash", {"command": ["not", "text"]}, "", "", id="an input of another type"),
        pytest.param("EnterPlanMode", {}, "", "", id="no input"),
    ],
)  # fmt: skip
def test_a_call_names_its_target(
    tool: str, given: dict[str, Any], target: str, detail: str
) -> None:
    """The brief tells files, commands and questions by this text."""
    called = _called(tool, **given)

    assert (called.tool, called.target, called.detail) == (tool, target, detail)


def test_the_revert_of_an_edit_is_seen_by_its_digests() -> None:
    """An edit that takes another back is a dead end."""
    there = _called("Edit", file_path="/a", old_string="old", new_string="new")
    back = _called("Edit", file_path="/a", old_string="new", new_string="old")

    assert (there.before, there.after) == (back.after, back.before)
    assert there.after == format(crc32(b"new"), "08x")


def test_a_long_edit_is_told_by_its_beginning() -> None:
    """The rest is in the file."""
    called = _called("Edit", file_path="/a", old_string="", new_string="x" * 9_000)

    assert called.detail == "x" * 400


def test_a_list_of_todos_replaces_the_list() -> None:
    """Older clients write the whole list each time, without ids."""
    called = _called(
        "TodoWrite",
        todos=[
            {"content": "read", "status": "completed", "activeForm": "reading"},
            {"content": "write", "status": "in_progress"},
            {"content": "rest", "status": "unheard of"},
            "not a todo",
        ],
    )

    assert called.todos == (
        Todo("", "read", "completed"),
        Todo("", "write", "in_progress"),
        Todo("", "rest", "pending"),
    )


def test_a_new_task_learns_its_id_from_the_result() -> None:
    """The call itself does not know it."""
    called = _called("TaskCreate", subject="read", description="all of it")

    assert called.target == "read"
    assert called.todos == (Todo("", "read", "pending"),)


@pytest.mark.parametrize(
    ("given", "todos"),
    [
        pytest.param({"taskId": "3", "status": "completed"}, (Todo("3", "", "completed"),), id="done"),
        pytest.param({"taskId": "3", "status": "deleted"}, (Todo("3", "", "deleted"),), id="deleted"),
        pytest.param({"taskId": "3", "subject": "new", "status": "pending"}, (Todo("3", "new", "pending"),), id="renamed"),
        pytest.param({"taskId": "3", "addBlockedBy": ["1"]}, (), id="blocked by another"),
        pytest.param({"status": "completed"}, (), id="no task"),
    ],
)  # fmt: skip
def test_a_task_is_changed_by_its_id(
    given: dict[str, Any], todos: tuple[Todo, ...]
) -> None:
    """What does not change the status must not reset it."""
    assert _called("TaskUpdate", **given).todos == todos


def test_a_call_in_the_background_says_so() -> None:
    """It may still run when the session ends."""
    assert _called("Bash", command="make serve", run_in_background=True).background
    assert not _called("Bash", command="make", run_in_background="yes").background


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        pytest.param("a\nb\nc", "a\nB\nc", 1, 1, id="a line in the middle"),
        pytest.param("", "a\nb\n", 0, 2, id="only new lines"),
        pytest.param("a\nb", "", 2, 0, id="only old lines"),
        pytest.param("a\na", "a\na\na", 0, 1, id="one more of the same"),
        pytest.param("same", "same", 0, 0, id="nothing"),
    ],
)
def test_an_edit_itself_tells_how_many_lines_it_replaces(
    old: str, new: str, removed: int, added: int
) -> None:
    """Some clients do not answer with a patch; the edit was made all the same."""
    called = _called("Edit", file_path="/a", old_string=old, new_string=new)

    assert (called.removed, called.added) == (removed, added)
