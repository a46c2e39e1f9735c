"""Made-up files of other programs, each in the form that the program writes."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from tests.unit.snapshot.world import World

NOON = "2026-04-16T12:00:00.000Z"
NOON_MS = 1_776_340_800_000
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"

GOLDFISH = """\
---
id: checkpoint_1ebe10bb
timestamp: 2026-04-16T12:00:00.000Z
tags:
  - parser
  - quotes
git:
  branch: feature/quotes
  commit: 2d2ffc8
  files:
    - src/parser.py
    - docs/quotes.md
summary: Nested quotes in the parser
briefId: 2026-03-31-quotes
type: decision
decision: Quotes nest by a stack
alternatives:
  - a regular expression for each level
next: Commit the slice, then write the docs around
  nested quotes.
confidence: 5
---

## Nested quotes in the parser

- **WHAT:** the parser accepts nested quotes
- **WHY:** users of the linter asked
"""

GOLDFISH_DAY = """\
# Checkpoints for 2026-04-15

## 09:30 - Lexer drops trailing blanks

- **Tags**: lexer, blanks
- **Branch**: main
- **Commit**: abc1234
- **Files**: src/lexer.py, tests/test_lexer.py

## 17:05 - Began with quotes

"""

GUARDZ = """\
# Checkpoint: quotes

- **Branch:** `feature/quotes`
- **Saved:** 2026-04-16 12:00
- **Plan:** `~/.claude/plans/quotes.md` (step 2 of 5)

## Left Off
The parser nests quotes; the linter does not yet.

## Done This Session
- Stack of quotes in the parser

## Failed Approaches
- A regular expression for each level: too slow

## Modified Files
- `src/parser.py`
"""

CONTEXTD = {
    "id": "8b0f5f0e-31f1-4a5e-9c39-0a3f5b6c7d8e",
    "session_id": "session_123",
    "tenant_id": "me",
    "project_path": "/nowhere/else",
    "name": "Nested quotes",
    "description": "Parser work",
    "summary": "The parser accepts nested quotes.",
    "context": "The lexer is untouched.",
    "full_state": "All tests pass but one in tests/test_linter.py.",
    "token_count": 120,
    "threshold": 0.7,
    "auto_created": True,
    "metadata": {},
    "created_at": NOON,
}

CODESEARCH_TEXT = """\
**CHECKPOINT-00042**
Created: 2026-04-16T12:00:00Z

## Session Summary
The parser accepts nested quotes.

## What Was Accomplished
- Stack of quotes

## Current State
One test of the linter fails.

## Next Steps
1. Fix the linter
- Write the docs

## Files Modified
- src/parser.py
"""

CODESEARCH = {
    "version": "1.0",
    "backupTime": "2026-04-16T13:00:00.1234567Z",
    "totalMemories": 4,
    "memories": [
        {
            "id": "CHECKPOINT-00042",
            "type": "Checkpoint",
            "content": CODESEARCH_TEXT,
            "created": "2026-04-16T12:00:00.1234567Z",
            "sessionId": "s-1",
            "files": ["src/lexer.py"],
            "fields": {},
        },
        {
            "type": "WorkSession",
            "content": "**Session Checkpoint**\nLocal Time: 21:24\n\nBegan with quotes.",
            "created": "2026-04-14T08:00:00",
        },
        {
            "id": "f00",
            "type": "WorkSession",
            "content": "Looked at the lexer.",
            "created": "2026-04-13T08:00:00+02:00",
        },
        {"id": "d1", "type": "TechnicalDebt", "content": "Tidy up.", "created": NOON},
    ],
}

MEMORY_INDEX = "# Project Memory\n\n- [quotes](quotes.md): how quotes nest\n"
MEMORY_FACT = """\
---
name: quotes
description: Quotes nest by a stack, not by expressions
metadata:
  type: project
---

The parser keeps a stack of open quotes.
"""

# As claude-mem 13.25.3 makes them, but for what synchronises and for its full-text index.
_SCHEMA = """
CREATE TABLE schema_versions (
    id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
    memory_session_id TEXT UNIQUE, project TEXT NOT NULL,
    platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT,
    started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
    completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active',
    worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT,
    observed_model TEXT, observed_billing TEXT);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT,
    facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
    discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, metadata TEXT,
    FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id));
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT,
    next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
    discovery_tokens INTEGER DEFAULT 0);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER,
    content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL);
"""


class ClaudeMem:
    """A database of claude-mem, filled as its worker would."""

    def __init__(self, path: Path, version: int = 52) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        self.database = sqlite3.connect(path)
        if is_new:
            self.database.execute("PRAGMA journal_mode = WAL")
            self.database.executescript(_SCHEMA)
            self._insert("schema_versions", version=version, applied_at=NOON)

    def session(self, name: str, project: str, content: str = "") -> None:
        self._insert(
            "sdk_sessions",
            content_session_id=content or f"content-{name}",
            memory_session_id=name,
            project=project,
            started_at=NOON,
            started_at_epoch=NOON_MS,
        )
        self._insert(
            "user_prompts",
            content_session_id=content or f"content-{name}",
            prompt_number=1,
            prompt_text="Make the parser accept nested quotes",
            created_at=NOON,
            created_at_epoch=NOON_MS,
        )

    def observes(
        self, name: str, title: str, kind: str = "discovery", at: int = 1
    ) -> None:
        self._insert(
            "observations",
            memory_session_id=name,
            project="project",
            type=kind,
            title=title,
            narrative=f"{title}, seen in the parser.",
            facts=json.dumps(["a stack is enough"]),
            concepts=json.dumps(["how-it-works"]),
            files_read=json.dumps(["src/lexer.py"]),
            files_modified=json.dumps(["src/parser.py"]),
            created_at=NOON,
            created_at_epoch=NOON_MS + at,
        )

    def sums_up(self, name: str, request: str) -> None:
        self._insert(
            "session_summaries",
            memory_session_id=name,
            project="project",
            request=request,
            learned="Quotes nest by a stack",
            completed="The parser accepts nested quotes",
            next_steps="Teach the linter",
            files_edited=json.dumps(["src/parser.py"]),
            created_at=NOON,
            created_at_epoch=NOON_MS + 2,
        )

    def close(self) -> Path:
        """Leave it as a worker that was stopped does: no log beside it."""
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.database.close()
        return self.path

    def _insert(self, table: str, **values: object) -> None:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        query = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  # our own words
        with self.database:
            self.database.execute(query, tuple(values.values()))


def entire_files(
    *,
    prompts: Sequence[str] = ("Make the parser accept nested quotes",),
    **more: object,
) -> dict[str, str]:
    """Return the tree of one checkpoint with one session."""
    meta = {
        "checkpoint_id": "a3b2c4d5e6f7",
        "session_id": "2026-04-16-8f76b0e8-b8f1-4a87-9186-848bdd83d62e",
        "strategy": "manual-commit",
        "agent": "Claude Code",
        "created_at": "2026-04-16T12:00:00Z",
        "branch": "main",
        "files_touched": ["src/parser.py"],
        **more,
    }
    root = {"checkpoint_id": "a3b2c4d5e6f7", "sessions": [{}], "checkpoints_count": 1}
    return {
        "metadata.json": json.dumps(root),
        "0/metadata.json": json.dumps(meta),
        "0/prompt.txt": "\n\n---\n\n".join(prompts),
        "0/full.jsonl": '{"type":"user"}\n',
    }


ENTIRE_SUMMARY = {
    "intent": "Let quotes nest",
    "outcome": "The parser keeps a stack",
    "learnings": {
        "repo": ["The lexer is generated"],
        "code": [{"path": "src/parser.py", "line": 3, "finding": "quotes are counted"}],
        "workflow": [],
    },
    "friction": ["A regular expression was too slow"],
    "open_items": ["Teach the linter"],
}


def entire_commit(world: World, where: Path, ref: str, files: dict[str, str]) -> None:
    """Point a ref at a commit whose tree has these files; index and worktree stay."""
    source = world.repository(f"source-{len(list(world.root.iterdir()))}")
    for path, text in files.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(text)
    world.git(source, "add", "-A")
    world.git(source, "commit", "-q", "-m", "Checkpoint: a3b2c4d5e6f7")
    world.git(where, "fetch", "-q", str(source), f"+main:{ref}")
