"""Everything that writes is known: a new place is looked at before it holds a secret.

The places, and what passes the chokepoint on the way to each, are listed in
`docs/concepts/redaction.md`; `tests/e2e/test_canary_sinks.py` searches them.
"""

import re
from pathlib import Path

_SOURCE = Path(__file__).parents[2] / "src" / "holdfast"
_WRITES = re.compile(
    r"O_WRONLY|O_RDWR|O_CREAT|\breplace_file\(|replace_unlocked\(|write_durably\("
    r"|INSERT INTO|INSERT OR|\bfiles\.(?:write|replace|copy)\(|os\.symlink|mkdtemp"
    r"|TemporaryFile|VACUUM INTO|\.backup\(|holdfast\.kernel\.files import"
    r"|\bopen\([^)]*\"[wax]b?\+?\""
)
_WRITERS = {
    "agents/claude_code/wiring": "files",
    "bootstrap": "reports",
    "config": "files",
    "data_directory": "log markers orders plain_files requests spool variables",
    "kernel": "files private_files shared_files streams write_queue",
    "snapshot/git": "files objects own place roots",
    "snapshot/restore": "ignored notes trials write",
    "snapshot/take": "holding lock memo scanning writing",
    "store": "quarantine",
    "store/sqlite": "head_file sessions",
    "store/sqlite/repair": "repairing repairing_records repairing_rows salvage",
    "store/sqlite/schema": "backups migrate opening",
    "store/sqlite/search": "indexing",
    "store/sqlite/write": "clients deliveries folds forgetting projects putting rewriting",
    "surfaces/cli": "demo failure open",
    "surfaces/hooks": "detach main",
    "surfaces/mcp": "stdio",
}


def test_every_module_that_writes_is_known() -> None:
    """Add a module here together with its place in the table, and its canary."""
    known = {
        f"{room}/{name}.py" if name else f"{room}.py"
        for room, names in _WRITERS.items()
        for name in (names.split() or [""])
    }

    found = {
        str(path.relative_to(_SOURCE))
        for path in _SOURCE.rglob("*.py")
        if _WRITES.search(path.read_text(encoding="utf-8"))
    }

    assert found == known
