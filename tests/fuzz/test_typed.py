"""What people and models type: any words for a command, any arguments for a tool."""

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, strategies as st
from mcp import Client

from holdfast.surfaces.cli.commands import SUMMARIES
from holdfast.surfaces.cli.main import run
from holdfast.surfaces.mcp.calls import Calls
from holdfast.surfaces.mcp.server import server
from tests.fuzz.hostile import ESCAPES, TEXTS, effort, texts, values

_STATUSES = {0, 1, 2, 3, 4, 10, 11, 12, 13}
# Commands that change what is outside of the scratch directory, or wait for somebody.
_LEFT_OUT = {
    "demo",
    "hook",
    "install",
    "mcp",
    "open",
    "serve",
    "statusline",
    "timeline",
    "uninstall",
    "bisect",
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One place for all examples of a test."""
    return tmp_path_factory.mktemp("commands")


@contextmanager
def _at_a_desk(scratch: Path) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    before, streams = dict(os.environ), (sys.stdout, sys.stderr, sys.stdin)
    out, err = _Buffer(), _Buffer()
    (scratch / "project").mkdir(exist_ok=True)
    os.environ.update(
        HOLDFAST_HOME=str(scratch / "commands"),
        XDG_CONFIG_HOME=str(scratch / "config"),
        CLAUDE_CONFIG_DIR=str(scratch / "claude"),
    )
    sys.stdout, sys.stderr, sys.stdin = out, err, io.StringIO("")
    try:
        yield out, err
    finally:
        sys.stdout, sys.stderr, sys.stdin = streams
        os.environ.clear()
        os.environ.update(before)


class _Buffer(io.StringIO):
    """A stream that can be told its encoding, as a process's own can."""

    def reconfigure(self, **_: object) -> None: ...


@effort(40)
@given(
    command=st.sampled_from(sorted(set(SUMMARIES) - _LEFT_OUT)),
    words=st.lists(
        texts
        | st.sampled_from(
            [
                "--json",
                "--session",
                "--limit",
                "--all",
                "--preview",
                "add",
                "list",
                "show",
            ]
        ),
        max_size=4,
    ),
)
def test_any_command_line_ends_with_a_status_of_the_table(
    scratch: Path, command: str, words: list[str]
) -> None:
    """Wrong usage is told; a bug would be 70."""
    line = [command, *words, "--project", str(scratch / "project")]

    with _at_a_desk(scratch) as (out, err):
        status = run(line)

    assert status in _STATUSES, (line, out.getvalue(), err.getvalue())
    assert not ESCAPES & set(out.getvalue() + err.getvalue()), line
    assert "Traceback" not in err.getvalue()


_ARGUMENTS = ("title", "name", "summary", "notes", "tags", "session_id", "project_path",
              "query", "limit", "checkpoint_id", "budget", "level", "force")  # fmt: skip
_TOOLS = ("checkpoint_save", "checkpoint_get", "checkpoint_search", "checkpoint_resume",
          "checkpoint_list", "checkpoint_status", "store_checkpoint")  # fmt: skip


@effort(6)
@given(
    calls=st.lists(
        st.tuples(
            st.sampled_from(_TOOLS),
            st.dictionaries(
                st.sampled_from(_ARGUMENTS) | st.sampled_from(TEXTS),
                values.filter(lambda value: "nan" not in repr(value)),
                max_size=4,
            ),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_arguments_are_taken_or_refused_with_what_to_do(
    scratch: Path, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """A model fills them in."""
    project = scratch / "served"
    project.mkdir(exist_ok=True)
    environ = {
        "HOME": str(scratch / "user"),
        "PATH": os.defpath,
        "CLAUDE_CONFIG_DIR": str(scratch / "claude"),
    }
    ours = server(
        Calls(environ=environ, client_pid=os.getpid(), project=str(project)), "all"
    )

    async def told() -> list[str]:
        async with Client(ours) as client:
            answers = [
                await client.call_tool(tool, _sendable(arguments))
                for tool, arguments in calls
            ]
        return [json.dumps(answer.model_dump(mode="json")) for answer in answers]

    for answer in anyio.run(told):
        assert "BUG_001" not in answer
        assert "Traceback" not in answer
        assert not ESCAPES & set(json.loads(f"[{answer}]")[0]["content"][0]["text"])


def _sendable(arguments: dict[str, Any]) -> dict[str, Any]:
    """A client can send only what has bytes."""
    text = json.dumps(arguments, ensure_ascii=True)
    clean: dict[str, Any] = json.loads(text.replace("\\ud", "\\ue"))
    return clean
