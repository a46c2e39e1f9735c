"""Stores of every released format, as the code of that time wrote them.

    with_store("schema-2", home)   # unpacks one to work on

Each was filled by the same steps (`filled`) with the code of its own version, then packed:
`gzip -9n holdfast.db` beside its `head` and `redaction.key`. For a new format, run
`python -m tests.stores DIRECTORY` before its release. `schema-6-sessions` was kept by hooks
and commands: tests/e2e/test_sessions_kept_before.py.
"""

import gzip
import shutil
import sys
from pathlib import Path

import apsw

from holdfast.domain.client import Client, Delivery, HookCost, Switch
from holdfast.domain.session import Cursor, KeptFold, SessionState, Turn
from holdfast.store.sqlite.schema.migrate import SCHEMA
from holdfast.store.sqlite.store import open_store
from tests.builders import (
    NOON,
    OTHER_SESSION,
    SESSION,
    WORKSPACE,
    a_draft,
    a_full_draft,
    identity,
)

STORES = Path(__file__).parent / "fixtures" / "stores"
FORMATS = sorted(path.name for path in STORES.glob("schema-?"))
OLDER = [form for form in FORMATS if int(form[-1]) < SCHEMA]
TITLES = ("JWT refresh works", "Named work", "แก้ตัวแยกวิเคราะห์ 解析器 修复")


def with_store(name: str, home: Path) -> Path:
    """Unpack a store into a directory that is then a data directory."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    for part in ("head", "redaction.key"):
        shutil.copyfile(STORES / name / part, home / part)
    packed = (STORES / name / "holdfast.db.gz").read_bytes()
    (home / "holdfast.db").write_bytes(gzip.decompress(packed))
    for file in home.iterdir():
        file.chmod(0o600)
    return home


def bodies(home: Path) -> dict[str, str]:
    """Return each record as it lies in the file, past everything that reads it."""
    connection = apsw.Connection(str(home / "holdfast.db"))
    try:
        rows = connection.execute("SELECT checkpoint_id, body FROM checkpoint")
        return {str(name): str(body) for name, body in rows}
    finally:
        connection.close()


def filled(home: Path) -> None:
    """Make a store with some of everything: three records, a tombstone, a fold."""
    with open_store(str(home), create=True, machine="desk") as store:
        here = identity(root_commits=("a" * 40,), remote="example.com/me/tokens")
        project = store.project(here).project_id
        first = store.put(a_full_draft(project_id=project, key="first")).checkpoint
        gone = store.put(a_draft("To be removed", project_id=project)).checkpoint
        named = {"name": "api-design", "created_at": NOON + 60_000}
        store.put(a_draft(TITLES[1], project_id=project, key="named", **named))
        other = {"session_id": OTHER_SESSION, "parent_session": SESSION}
        store.put(a_draft(TITLES[2], project_id=project, key="thai", **other))
        store.remove([gone.checkpoint_id], "retention", NOON)
        state = SessionState(session_id=OTHER_SESSION, turns=(Turn(prompt="go on"),))
        store.keep_fold(OTHER_SESSION, KeptFold("/transcript", Cursor(), state))
        client = Client(
            pid=4242, started="boot-1", session_id=OTHER_SESSION, transcript="/t",
            workspace=WORKSPACE, directory=WORKSPACE, source="startup",
            headless=False, seen_at=NOON,
        )  # fmt: skip
        store.note_client(client)
        offer = Delivery(
            session_id=OTHER_SESSION, what="card", rule="startup", workspace=WORKSPACE,
            source="startup", checkpoint_id=first.checkpoint_id, boundary="",
            tokens=40, offered_at=NOON,
        )  # fmt: skip
        store.offer(offer)
        store.deliver(OTHER_SESSION, "brief", tokens=600)
        store.switch_off(Switch("session", SESSION, None))
        store.add_cost(OTHER_SESSION, HookCost(3, 40, 600, 1000))
        store.reindex()
        store.wipe()


def main() -> None:
    home = Path(sys.argv[1])
    filled(home)
    version = apsw.Connection(str(home / "holdfast.db")).pragma("user_version")
    sys.stdout.write(f"schema-{version} in {home}\n")


if __name__ == "__main__":
    main()
