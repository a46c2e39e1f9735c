"""What beside the store may repeat a record: it forgets, and forgetting again is nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.data_directory.archive import TranscriptArchive
from holdfast.data_directory.plain_files import SessionTraces
from holdfast.data_directory.port import TextHolder
from holdfast.data_directory.requests import DirectoryRequests
from holdfast.data_directory.share_marks import ShareDirectory
from holdfast.data_directory.spool import DirectorySpool
from holdfast.domain.client import EndRequest
from holdfast.domain.forgetting import Order
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.schema.backups import Backups
from tests.builders import OTHER_SESSION, SESSION, a_draft

ORDER = Order(at=1, sessions=(SESSION,))


def a_spool(home: Path) -> TextHolder:
    spool = DirectorySpool(str(home / "spool"))
    for session in (SESSION, OTHER_SESSION):
        draft = a_draft(session_id=session, key=session, transcript="")
        spool.add(draft, "busy")
    return spool


def some_requests(home: Path) -> TextHolder:
    requests = DirectoryRequests(str(home / "requests"))
    for session in (SESSION, OTHER_SESSION):
        request = EndRequest(
            key=session, session_id=session, transcript="/t", directory="/w",
            type="auto", trigger="exit",
        )  # fmt: skip
        requests.add(request)
    return requests


def some_traces(home: Path) -> TextHolder:
    for session in (SESSION, OTHER_SESSION):
        (home / "env").mkdir(exist_ok=True)
        (home / "env" / f"{session}.sh").write_text("export X=1")
    return SessionTraces(str(home))


def some_backups(home: Path) -> TextHolder:
    (home / "backups").mkdir()
    (home / "backups" / "schema-3.db").write_text(SESSION)
    return Backups(str(home))


def an_archive(home: Path) -> TextHolder:
    archive = TranscriptArchive(str(home))
    for session in (SESSION, OTHER_SESSION):
        lines = [b"both say this\n", session.encode()]
        files = [("main", [lines[0]]), ("subagents/agent-a.jsonl", lines)]
        archive.keep(session, files, agent="claude-code", stamp="1", now_ms=1)
    return archive


def a_killed_sync(home: Path) -> TextHolder:
    for draft, session in (("7-0", SESSION), ("8-0", SESSION)):
        place = home / "share" / "drafts" / draft / "objects"
        place.mkdir(parents=True)
        (place / "one").write_text(session)
    (home / "share" / "other.json").write_text(OTHER_SESSION)
    return ShareDirectory(str(home))


@pytest.mark.parametrize(
    "make",
    [a_killed_sync, a_spool, some_requests, some_traces, some_backups, an_archive],
)
def test_what_an_order_names_goes_and_the_rest_stays(
    tmp_path: Path, make: Callable[[Path], TextHolder]
) -> None:
    """Nothing has to stay, and a retry finds nothing more to do."""
    holder = make(tmp_path)

    assert tuple(holder.forget(ORDER)) == ()
    assert tuple(holder.forget(ORDER)) == ()

    left = [p for p in tmp_path.rglob("*") if p.is_file()]
    told = "".join(f"{path.name} {path.read_bytes()!r}" for path in left)
    assert SESSION not in told
    assert OTHER_SESSION in told or make is some_backups


def test_what_nobody_can_sift_stays_and_is_told(tmp_path: Path) -> None:
    """It is evidence; a person decides."""
    quarantine = Quarantine(str(tmp_path))
    name = quarantine.keep_row("fold", {"session_id": SESSION}, "damaged")

    for _ in range(2):
        (told,) = quarantine.forget(ORDER)
        assert name in told
    assert (tmp_path / "quarantine" / name).exists()
