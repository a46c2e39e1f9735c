"""Conversations in Claude Code's own format: where it looks for one, and new ones."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.claude_code.transcript.native import (
    ClaudeCodeConversations,
    slug_of,
)
from holdfast.agents.past_port import BranchCut
from holdfast.domain.session import Mark
from holdfast.kernel.errors import NativeRefused
from tests.builders import session_number
from tests.past import BEGAN, PastDisk, asked, compacted

NEW = session_number(77)


@pytest.mark.parametrize(
    ("directory", "slug"),
    [
        ("/home/me/proj", "-home-me-proj"),
        ("/code/ü.x_y", "-code---x-y"),
        ("/code/\U0001f600", "-code---"),
        ("/" + "long/" * 50, "-" + "long-" * 39 + "long-dlg7rj"),
    ],
)
def test_a_directory_has_the_name_that_the_client_gives_it(
    directory: str, slug: str
) -> None:
    """Long ones are cut, with a hash as its own language counts it."""
    assert slug_of(directory) == slug


@pytest.fixture
def disk(tmp_path: Path) -> PastDisk:
    return PastDisk(tmp_path / "claude", "/code/tokens")


def _branched(disk: PastDisk, cut: BranchCut) -> list[dict[str, Any]]:
    before = disk.path(1).read_bytes()
    sessions = ClaudeCodeConversations(str(disk.claude))
    path = sessions.branch(str(disk.path(1)), "/code/tokens", NEW, cut)
    assert disk.path(1).read_bytes() == before
    assert Path(path).name == f"{NEW}.jsonl"
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_a_branch_is_a_new_session_whose_lines_know_where_they_came_from(
    disk: PastDisk,
) -> None:
    """As the client itself writes a fork."""
    lines = disk.write(1, asked("first"), asked("second"))

    branch = _branched(disk, BranchCut(BEGAN + 2000, Mark()))

    assert [line["uuid"] for line in branch] == [line["uuid"] for line in lines[:2]]
    assert {line["sessionId"] for line in branch} == {NEW}
    assert branch[0]["forkedFrom"] == {
        "sessionId": session_number(1),
        "messageUuid": lines[0]["uuid"],
    }


def test_before_a_compaction_is_all_that_came_before_its_boundary(
    disk: PastDisk,
) -> None:
    """The one that came next after the checkpoint; behind all of them, the last."""
    disk.write(1, asked("first"), compacted("one"), asked("second"), compacted("two"))

    early = _branched(disk, BranchCut(BEGAN + 2000, Mark(), before_compaction=True))
    (disk.path(1).parent / f"{NEW}.jsonl").unlink()
    late = _branched(disk, BranchCut(BEGAN + 99_000, Mark(), before_compaction=True))

    assert (len(early), len(late)) == (2, 6)


def test_what_was_never_compacted_has_nothing_before_it(disk: PastDisk) -> None:
    """A clear sentence, and no file."""
    disk.write(1, asked("first"))
    cut = BranchCut(BEGAN, Mark(), before_compaction=True)

    with pytest.raises(NativeRefused, match="never compacted"):
        _branched(disk, cut)
    with pytest.raises(NativeRefused, match="no conversation before"):
        _branched(disk, BranchCut(BEGAN - 1, Mark()))
    assert [path.name for path in disk.path(1).parent.iterdir()] == [disk.path(1).name]


def test_a_session_is_brought_with_its_sub_agents_and_nothing_is_overwritten(
    disk: PastDisk,
) -> None:
    """The project has another place now."""
    disk.write(1, asked("first"))
    beside = disk.path(1).with_suffix("") / "subagents"
    beside.mkdir(parents=True)
    (beside / "agent-ab.jsonl").write_text("{}\n")
    (beside / "agent-ab.meta.json").write_text("{}")
    sessions = ClaudeCodeConversations(str(disk.claude))

    brought = Path(sessions.bring(str(disk.path(1)), session_number(1), "/code/new"))
    brought.write_text("mine\n")
    again = sessions.bring(str(disk.path(1)), session_number(1), "/code/new")

    assert (Path(again), brought.read_text()) == (brought, "mine\n")
    names = sorted(p.name for p in (brought.with_suffix("") / "subagents").iterdir())
    assert names == ["agent-ab.jsonl", "agent-ab.meta.json"]


def test_where_it_cannot_be_written_it_is_refused(disk: PastDisk) -> None:
    """Something of somebody's is in the way."""
    disk.write(1, asked("first"))
    (disk.claude / "projects" / "-code-new").write_text("a file")
    sessions = ClaudeCodeConversations(str(disk.claude))

    with pytest.raises(NativeRefused, match="cannot be used"):
        sessions.bring(str(disk.path(1)), session_number(1), "/code/new")
    with pytest.raises(NativeRefused, match="cannot be used"):
        sessions.bring("/not/there", session_number(2), "/code/other")


def test_only_what_links_a_line_is_kept_from_redaction() -> None:
    """By its place: an id that is a password somewhere else is one."""
    uuid, seal = session_number(5), "sk-" + "ant-" + "Ab1" * 20
    line = {
        "uuid": uuid,
        "parentUuid": None,
        "sessionId": session_number(1),
        "message": {
            "id": "msg_01",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": seal},
                {"type": "tool_use", "id": "toolu_1", "input": {"password": uuid}},
                "plain",
            ],
        },
        "toolUseResult": {"type": "thinking", "signature": seal, "uuid": uuid},
        "forkedFrom": {"sessionId": session_number(2), "messageUuid": uuid},
    }

    secret = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|sk-[\w-]+|toolu_1|msg_01")

    def everything(value: Any) -> Any:
        return json.loads(secret.sub("***", json.dumps(value)))

    raw = json.dumps(line).encode() + b"\n"
    clean = json.loads(ClaudeCodeConversations("/x").cleaned(raw, everything))

    thought, call, plain = clean["message"]["content"]
    assert (clean["uuid"], clean["sessionId"]) == (uuid, session_number(1))
    assert clean["forkedFrom"] == line["forkedFrom"]
    assert (clean["message"]["id"], call["id"]) == ("msg_01", "toolu_1")
    assert (thought["signature"], plain) == (seal, "plain")
    assert call["input"] == {"password": "***"}
    assert clean["toolUseResult"] == {
        "type": "thinking", "signature": "***", "uuid": "***",
    }  # fmt: skip


@pytest.mark.parametrize("line", [b"{", b"[1, 2]\n", b"\xff\xfe\n", b'"word"\n', b"\n"])
def test_a_line_that_is_no_object_is_cleaned_as_it_is(line: bytes) -> None:
    """Nothing is lost by not being understood, and no secret passes."""
    sessions = ClaudeCodeConversations("/x")

    assert sessions.cleaned(line, lambda value: value) in (
        line,
        line.decode("utf-8", "replace").encode(),
    )
    assert b"word" not in sessions.cleaned(line, lambda _: "***")


def test_a_name_that_is_said_twice_hides_nothing_from_redaction() -> None:
    """Readers of JSON see one of the two values; the bytes hold both."""
    line = b'{"content": "the key is ghp_x", "content": "nothing"}\n'
    sessions = ClaudeCodeConversations("/nowhere")

    def redact(value: Any) -> Any:
        return value.replace("ghp_x", "***") if isinstance(value, str) else value

    assert b"ghp_x" not in sessions.cleaned(line, redact)
