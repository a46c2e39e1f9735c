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
    r"|TemporaryFile|VACUUM INTO|\.backup\(|holdfast\.replacing import"
    r"|\bopen\([^)]*\"[wax]b?\+?\""
)
_WRITERS = {
    "agents": "files",
    "bootstrap": "bundles reports",
    "config": "files",
    "machine": "daily log markers plain_files variables",
    "memory_files": "safely",
    "replacing": "",
    "snapshot": "files holding lock memo objects own place"
    " restoring_ignored restoring_notes restoring_write roots scanning trials writing",
    "storage": "entry_files files lock orders quarantine requests spool",
    "storage/sqlite": "backups clients deliveries folds forgetting head indexing key"
    " migrate opening projects putting removing repairing repairing_records"
    " repairing_rows rewriting salvage sessions",
    "surfaces/cli": "demo failure open",
    "surfaces/hooks": "detach main",  # to `/dev/null`
    "surfaces/mcp": "stdio",  # the same
    "streams": "",  # the same
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
