"""Values for tests: each has sensible parts, and a test names only what it is about."""

from dataclasses import fields
from typing import Any

from holdfast.domain.checkpoint import (
    Checkpoint,
    Content,
    Draft,
    FileRef,
    Item,
    SessionFacts,
    ToolRef,
)
from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.domain.foreign import Foreign
from holdfast.domain.session import SessionRecord

SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"
OTHER_SESSION = "91e0cc11-8f0e-4c0e-9d36-000000000002"
PROJECT = "5f2c1a9be2d04477"
OTHER_PROJECT = "0c9d8e7f6a5b4c3d"
WORKSPACE = "/code/tokens"
NOON = 1_768_737_600_000  # 2026-01-18T12:00:00Z

# Far from what the kept stores of tests/fixtures were filled with.
_count = iter(range(1_000, 1_000_000_000))


def a_draft(title: str = "Parser accepts nested quotes", **changes: Any) -> Draft:
    """Return a draft; words of `Content` and `SessionFacts` go where they belong.

    Without a `key` each draft has its own, and its own state, so that each is kept.
    """
    serial = next(_count)
    content = _taken(changes, Content)
    facts = _taken(changes, SessionFacts)
    values: dict[str, Any] = {
        "key": f"key-{serial}",
        "state_key": f"state-{serial}",
        "session_id": SESSION,
        "agent": "claude-code",
        "agent_version": "2.1.197",
        "type": "manual",
        "created_at": NOON,
        "working_directory": WORKSPACE,
        "hostname": "desk",
        "project_id": PROJECT,
        "project_root": WORKSPACE,
        "workspace": WORKSPACE,
        "content": Content(title=title, **content),
        "facts": SessionFacts(**{"message_count": 12, "started_at": NOON, **facts}),
        "code": CodeState(branch="main", head="3f2c1a9"),
        "transcript": f"/transcripts/{SESSION}.jsonl",
    }
    return Draft(**{**values, **changes})


def a_foreign(machine: str) -> Foreign:
    """Return where a record of another machine came from."""
    return Foreign(
        machine=machine, hash="ab", project_id=OTHER_PROJECT, project_root="/home/x"
    )


def a_foreign_checkpoint(number: int, machine: str, **changes: Any) -> Checkpoint:
    """Return a checkpoint of another machine, as it is handed to a store."""
    session = session_number(number)
    given = {"key": "", "state_key": "", "workspace": "", "transcript": ""}
    draft = a_full_draft(session_id=f"{session}@{machine}", **{**given, **changes})
    return Checkpoint(
        draft=draft,
        checkpoint_id=f"ccp-{session}-01-{NOON + number}",
        number=number,
        sequence=1,
        master_summary_id=number,
        previous_checkpoint=None,
        content_hash="",
        foreign=a_foreign(machine),
    )


def a_full_draft(**changes: Any) -> Draft:
    """Return a draft with something in each part that search and records look at."""
    return a_draft(
        **{
            "title": "JWT refresh works",
            "summary": "Tokens rotate on use.",
            "topics": ("authentication",),
            "requests": (Item("add refresh tokens", "user", ("line-1",)),),
            "instructions": (Item("never use sleep in tests", "user"),),
            "decisions": (Item("rotate instead of renewing", "agent"),),
            "errors": (Item("AssertionError: 200 != 401", "tool"),),
            "files": (FileRef("src/auth/refresh.py", "edited", 96, 4),),
            "tools": (ToolRef("Edit", 3, NOON, NOON + 1000),),
            "tags": ("checkpoint", "auth"),
            "receipt": {"instructions": (1, 1)},
            **changes,
        }
    )


def a_session(session_id: str = SESSION, **changes: Any) -> SessionRecord:
    values: dict[str, Any] = {
        "session_id": session_id,
        "agent": "claude-code",
        "agent_version": "2.1.197",
        "project_id": PROJECT,
        "workspace": WORKSPACE,
        "working_directory": WORKSPACE,
        "hostname": "desk",
    }
    return SessionRecord(**{**values, **changes})


def identity(path: str = WORKSPACE, **changes: Any) -> ProjectIdentity:
    values: dict[str, Any] = {"path": path, "workspace": path, "is_git": True}
    return ProjectIdentity(**{**values, **changes})


def session_number(number: int) -> str:
    """Return a session id of its own for each number."""
    return f"{number:08x}-0000-4000-8000-{number:012x}"


def _taken(
    changes: dict[str, Any], kind: type[Content | SessionFacts]
) -> dict[str, Any]:
    """Take from `changes` what belongs to a part of the draft."""
    names = {field.name for field in fields(kind)} - {"title"}
    return {name: changes.pop(name) for name in tuple(changes) if name in names}
