"""Everything that writes is known: a new place is looked at before it holds a secret.

The places, and what passes the chokepoint on the way to each, are listed in
`docs/concepts/redaction.md`; `tests/e2e/test_canary_sinks.py` searches them.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_SOURCE = Path(__file__).parents[2] / "src" / "holdfast"
_WRITES = re.compile(
    r"\b(?:replace_file|replace_unlocked|create_file|create_whole|copy_file|append_to|touch)\("
    r"|\b(?:write_beside|write_all|open_ours)\("
    r"|\bfiles\.(?:replace|copy)\(|INSERT INTO|INSERT OR"
)
_OPENS_TO_WRITE = re.compile(
    r"O_WRONLY|O_RDWR|O_CREAT|O_APPEND|os\.symlink|mkdtemp|TemporaryFile"
    r"|VACUUM INTO|\.backup\(|\bopen\([^)]*\"[wax]b?\+?\""
)
_OPENS = re.compile(r"\bos\.open\(")
_WRITERS = {
    "bootstrap": "bug_reports",
    "agents": "client_files native_files",
    "config": "files",
    "data_directory": "access_tokens approvals archive markers plain_files read_transcripts requests share_marks spool variables",
    "kernel": "files kept_code locks new_files shared_files",
    "neighbours": "claude_mem_database",
    "snapshot/git": "files identity own_git_directory trees",
    "snapshot/restore": "file_writer notes restoring",
    "snapshot/take": "file_memo kept_trees worktree_index",
    "store": "journal quarantine",
    "store/sqlite": "head_file sessions",
    "store/sqlite/repair": "repairing repairing_records repairing_rows salvage",
    "store/sqlite/schema": "backups migrate opening",
    "store/sqlite/search": "indexing",
    "surfaces/cli": "export timeline",
    "store/postgres": "changing exchanging indexing keeping projects sessions",
    "store/sqlite/write": "clients deliveries folds forgetting insert_checkpoint outbox projects rewriting",
}
# Whoever opens a file for writing by itself, and why `kernel/files.py` is not enough.
_NULL_DEVICE = "the null device in place of a stream, never a file"
_BY_THEMSELVES = {
    "bootstrap/sync_process.py": _NULL_DEVICE,
    "data_directory/spool.py": "the reserve is made smaller where it lies: no room for another",
    "kernel/files.py": "this is the one way",
    "kernel/locks.py": "a lock file holds nothing; it is only held",
    "kernel/streams.py": _NULL_DEVICE,
    "snapshot/restore/restoring.py": "a scratch directory for a command of the user's",
    "snapshot/restore/file_writer.py": "a symbolic link that the snapshot holds is no file",
    "store/sqlite/repair/salvage.py": "mends the first page of a scratch copy for the engine",
    "store/sqlite/schema/backups.py": "the engine writes the copy itself",
    "store/sqlite/head_file.py": "a fixed size, rewritten where it lies and not flushed:"
    " behind the database is fine",
    "store/journal.py": "lines are added at the end, of what redaction has passed",
    "surfaces/cli/demo.py": "a scratch project of its own",
    "surfaces/cli/failure.py": _NULL_DEVICE,
    "surfaces/cli/open.py": "a file without a name, handed to the client",
    "surfaces/hooks/detach.py": _NULL_DEVICE,
    "surfaces/hooks/main.py": _NULL_DEVICE,
    "surfaces/mcp/stdio.py": _NULL_DEVICE,
}

# Whoever opens a descriptor by itself, and why neither `kernel/files.py` nor
# `kernel/directories.py` is enough.
_DESCRIPTORS = {
    "agents/growing_files.py": "a transcript: what it is is asked before it is opened",
    "data_directory/health.py": "a lock that is tried, never read",
    "kernel/directories.py": "this is the one way",
    "kernel/files.py": "this is the one way",
    "kernel/streams.py": _NULL_DEVICE,
    "surfaces/cli/failure.py": _NULL_DEVICE,
    "surfaces/hooks/detach.py": _NULL_DEVICE,
    "surfaces/hooks/main.py": _NULL_DEVICE,
    "surfaces/mcp/stdio.py": _NULL_DEVICE,
}


def test_every_module_that_writes_is_known() -> None:
    """Add a module here together with its place in the table, and its canary."""
    assert _found(_WRITES) == _named(_WRITERS)


def test_only_what_must_opens_a_file_for_writing_by_itself() -> None:
    """One way to replace a file is one place where it can go wrong."""
    assert _found(_OPENS_TO_WRITE) == _BY_THEMSELVES.keys()


def test_only_what_must_opens_a_descriptor_by_itself() -> None:
    """A reader that follows a link, waits for a pipe or fills memory begins with one."""
    assert _found(_OPENS) == _DESCRIPTORS.keys()


def _found(wanted: re.Pattern[str]) -> set[str]:
    return {
        str(path.relative_to(_SOURCE))
        for path in _SOURCE.rglob("*.py")
        if wanted.search(path.read_text(encoding="utf-8"))
    }


def _named(modules: Mapping[str, str]) -> set[str]:
    return {
        f"{room}/{name}.py" for room, names in modules.items() for name in names.split()
    }
