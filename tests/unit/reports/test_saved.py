"""What a save tells the person who asked for it."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from holdfast.app.checkpoints.code_of_session import shown_left_out
from holdfast.domain.amounts import duration
from holdfast.domain.checkpoint import Checkpoint, Content, Detail
from holdfast.domain.code import LeftOut
from holdfast.facts.content import content_of, facts_of, tags_of
from holdfast.reports.observations import detailed_observation, master_observation
from holdfast.reports.saved import left_out_remarks, one_line_report, report
from tests.sessions import (
    SESSION,
    a_checkpoint,
    a_draft,
    asks,
    creates,
    edits,
    reads,
    runs,
    says,
    session,
)


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local time must not depend on where the tests run."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def _saved() -> Checkpoint:
    state = session(
        asks("add refresh tokens"),
        reads("src/auth/session.py"),
        creates("src/auth/refresh.py", added=96),
        edits("src/auth/middleware.py", added=12, removed=5),
        runs("pytest tests/test_refresh.py", "12 passed"),
        says("Refresh tokens rotate on use."),
    )
    content = content_of(state)
    draft = a_draft(content)
    detail = Detail(
        "rotation",
        "Tokens rotate on use.",
        ("src/auth/refresh.py",),
        (("pytest", "ok"),),
        8048,
    )
    draft = replace(
        draft,
        facts=facts_of(state),
        details=(detail,),
        tags=tags_of(SESSION, draft.created_at, content.topics, ("release",)),
        receipt={"files_edited": (2, 2), "files_read": (1, 1), "commands": (1, 1)},
    )
    return a_checkpoint(draft)


def test_the_report_tells_session_analysis_ids_and_how_to_restore() -> None:
    """A person who saves wants to know what was kept and how to get it back."""
    assert report(_saved()) == snapshot("""\
Session Information:
├─ Session ID: 7670db3a-2057-406a-a109-afcedef1cb97
├─ Started: 2026-01-18 15:10
├─ Started (Unix): 1768749000000
├─ Duration: 6 seconds (6 seconds)
├─ Messages: 6
├─ Working Directory: /home/me/shop
├─ Branch: main@3f2c1a9 +
└─ Checkpoints: 0 → 1

Analysis:
  Title: Refresh tokens rotate on use
  Kind: development · backend
  Topics identified: refresh, middleware
  Files referenced: src/auth/middleware.py, src/auth/refresh.py (and 1 read)
  Tools used: Read, Write, Edit, Bash

Checkpoint Created: CHECKPOINT-00042
Checkpoint ID: ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1768749480000
Session ID: 7670db3a-2057-406a-a109-afcedef1cb97
Sequence: 1 (first checkpoint)
Created: 2026-01-18T15:18:00.000Z
Carried: edits 2/2 · reads 1/1 · commands 1/1.

Observations:
  1. observation 8047 - Master Summary
  2. observation 8048 - rotation

Restore this checkpoint:
  holdfast resume 42

View all session checkpoints:
  holdfast list --session 7670db3a-2057-406a-a109-afcedef1cb97\
""")


def test_the_report_fits_one_line_where_context_is_short() -> None:
    """Near the end of a context window every token counts."""
    assert one_line_report(_saved()) == snapshot(
        '✓ Checkpoint saved: "Refresh tokens rotate on use" · 00042 · 2 files, +108 −5'
    )


def test_a_save_without_changes_does_not_count_files() -> None:
    """`0 files, +0 −0` is noise."""
    checkpoint = a_checkpoint(a_draft(Content(title="Explained the cache")), 7)

    assert one_line_report(checkpoint) == snapshot(
        '✓ Checkpoint saved: "Explained the cache" · 00007'
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        pytest.param(5, "5 seconds", id="seconds"),
        pytest.param(480, "8 minutes", id="minutes"),
        pytest.param(3600, "1 hour", id="an hour"),
    ],
)
def test_a_duration_is_told_in_its_largest_unit(seconds: int, words: str) -> None:
    """Nobody reads 480 seconds as eight minutes."""
    assert duration(seconds) == words


def test_the_master_observation_has_every_section_of_its_template() -> None:
    """Memory systems and people find it by these words."""
    assert master_observation(_saved(), total=3) == snapshot("""\
Title: Checkpoint 01: Refresh tokens rotate on use - Session 7670db3a-2057-406a-a109-afcedef1cb97

Type: discovery

Content:
## Checkpoint Reference
- Checkpoint ID: ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1768749480000
- Session ID: 7670db3a-2057-406a-a109-afcedef1cb97
- Sequence: 1 of 3
- Type: manual
- Created: 2026-01-18T15:18:00.000Z
- Created (Unix): 1768749480000

## Session Context
- Started: 2026-01-18T15:10:00.000Z
- Started (Unix): 1768749000000
- Duration: 6 seconds
- Messages: 6
- Working Directory: /home/me/shop
- Code: main@3f2c1a9 +
- Parent Session: none

## Summary
The user asked: "add refresh tokens". Changed src/auth/middleware.py, src/auth/refresh.py (+108 −5); `pytest tests/test_refresh.py` passes. The agent said last: "Refresh tokens rotate on use." Not committed: src/auth/middleware.py, src/auth/refresh.py. No next step was named.

## Key Outcomes
- created src/auth/refresh.py (+96)
- `pytest tests/test_refresh.py` passes
- Refresh tokens rotate on use.

## Files Referenced
- src/auth/middleware.py (edited, +12 −5)
- src/auth/refresh.py (created, +96 −0)
- src/auth/session.py (read)

## Tools Used
- Read
- Write
- Edit
- Bash

## Related Checkpoints
- Previous: none
- Next: none

## Retrieval Queries
# Restore this checkpoint
/mem-search query="checkpoint:ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1768749480000"

# All checkpoints in this session
/mem-search query="checkpoint session:7670db3a-2057-406a-a109-afcedef1cb97"

# Session lineage
/mem-search query="session lineage:7670db3a-2057-406a-a109-afcedef1cb97"

Metadata:
{
  "version": "2.1",
  "format": "claude-code-checkpoint",
  "checkpoint_id": "ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1768749480000",
  "session_id": "7670db3a-2057-406a-a109-afcedef1cb97",
  "sequence": 1,
  "type": "checkpoint",
  "checkpoint_type": "manual",
  "created_at": "2026-01-18T15:18:00.000Z",
  "created_at_unix": 1768749480000,
  "parent_session": null,
  "topics": [
    "refresh",
    "middleware"
  ],
  "files": [
    "src/auth/middleware.py",
    "src/auth/refresh.py",
    "src/auth/session.py"
  ],
  "tools_used": [
    "Read",
    "Write",
    "Edit",
    "Bash"
  ],
  "observation_ids": [
    8047,
    8048
  ],
  "latest_checkpoint": true,
  "working_directory": "/home/me/shop",
  "hostname": "reef",
  "claude_code_version": "2.1.197"
}

Tags:
checkpoint, session-7670db3a-2057-406a-a109-afcedef1cb97, session-20260118, refresh, middleware, release\
""")


def test_a_detailed_observation_stands_alone() -> None:
    """It is found by its own topic and leads back to its checkpoint."""
    checkpoint = _saved()

    text = detailed_observation(checkpoint, checkpoint.draft.details[0])

    assert text == snapshot("""\
Observation Type: analysis

Title: [Checkpoint 01] Detailed: rotation

Content:
## Topic: rotation

### Details
Tokens rotate on use.

### Related Files
- src/auth/refresh.py: created, +96 −0

### Commands
- `pytest`: ok

Tags:
checkpoint-ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1768749480000, rotation, refresh, middleware\
""")


def test_nothing_hidden_reaches_a_terminal() -> None:
    """A title can hold an escape sequence; a report must not."""
    content = Content(title="a\x1b]0;owned\x07b", summary="s\u202e", topics=("t\x9b",))
    checkpoint = a_checkpoint(a_draft(content, tags=("x\x1b",)))

    shown = report(checkpoint) + master_observation(checkpoint)

    assert not set(shown) & {"\x1b", "\x07", "\u202e", "\x9b"}


def test_a_detailed_observation_shows_code_in_a_fence_it_cannot_close() -> None:
    """S0's template has examples; text of a session must not end them early."""
    checkpoint = _saved()
    detail = Detail("docs", "Told.", snippets=(("docs/a.md", "```\nx\n```"),))

    text = detailed_observation(checkpoint, detail)

    assert "### Code Examples\n`docs/a.md`:\n````md\n```\nx\n```\n````\n" in text


def test_one_file_with_a_reason_of_its_own_is_not_hidden_behind_thousands() -> None:
    """A secret that was left out must be heard of beside a crowd that waits."""
    many = [LeftOut(f"data/{n:05}", "more than 20,000 new files") for n in range(9_000)]
    kept = shown_left_out([*many, LeftOut("z.pem", "may hold a secret")])

    assert len(kept) == 101
    assert LeftOut("z.pem", "may hold a secret") in kept
    assert left_out_remarks(kept)[-1] == (
        "not in the snapshot: 95 more, and 8,901 more; see `holdfast show --json`"
    )
