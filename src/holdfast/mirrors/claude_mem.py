"""claude-mem as a mirror: its worker on this machine, through its import.

A checkpoint is one session of its own there, one summary and at most five observations,
under ids of ours: what is imported again is skipped, not doubled. The import tells no ids,
so they are read back. It never updates: what is replaced is deleted first. A session's row
cannot be deleted there; it holds an id, a project's name and times.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from holdfast.domain.outbox import ParcelDone
from holdfast.domain.text import one_line
from holdfast.kernel.errors import MirrorDown
from holdfast.kernel.lazy_values import dataclass, field
from holdfast.mirrors.claude_mem_rows import CONTENT_ID, MEMORY_ID, Rows, rows_of
from holdfast.mirrors.port import Delivered, MirrorEntry, MirrorHit
from holdfast.mirrors.web import version_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.mirrors.web import Web, WebAnswer

_MOST_OCTETS = 4_000_000  # of one import; its own limit is 5 MB
_PAGE = 100
_MOST_PAGES = 5  # looked through for what was just imported; then it is searched for
_WORKER = "worker-service"
_OK, _GONE = 200, 404
_SNIPPET = 300


@dataclass(slots=True)
class _Known:
    """What it has of one checkpoint."""

    observations: list[int] = field(default_factory=list)
    summary: int | None = None

    def remote(self) -> str:
        return json.dumps(
            {"observations": sorted(self.observations), "summary": self.summary}
        )


class ClaudeMem:
    """Does what `port.Mirror` says."""

    most_at_once = 100

    def __init__(self, web: Web) -> None:
        self._web = web
        self._is_checked = False

    def check(self) -> str:
        told = self._json("GET", "/api/health")
        version = version_in(told.get("version"))
        if not version or _WORKER not in str(told.get("workerPath")):
            raise MirrorDown(
                f"what answers at {self._web.address.shown} is not claude-mem",
                hint="start claude-mem; if its port is another, set `url`",
            )
        if told.get("initialized") is not True:
            raise MirrorDown("it is still starting", hint="try again in a moment")
        self._is_checked = True
        return version

    def deliver(self, entries: Sequence[MirrorEntry]) -> Delivered:
        self._verify()
        for entry in entries:
            if entry.parcel.action != "send":
                self._delete(entry)
        done = [ParcelDone(e.parcel) for e in entries if e.checkpoint is None]
        refused: dict[str, str] = {}
        for batch in _batches(entries):
            problem = self._import([rows for _, rows in batch])
            known = {} if problem else self._read_back([rows for _, rows in batch])
            for entry, rows in batch:
                found = known.get(rows.memory_id)
                if found and len(found.observations) >= len(rows.observations):
                    done.append(ParcelDone(entry.parcel, found.remote()))
                else:
                    why = problem or "it was imported, and is not found there"
                    refused[entry.parcel.checkpoint_id] = why
        return Delivered(tuple(done), refused)

    def search(self, words: str, limit: int) -> tuple[MirrorHit, ...]:
        self._verify()
        asked = {"query": words, "limit": limit, "format": "json"}
        told = self._json("GET", f"/api/search?{urlencode(asked)}")
        return tuple(
            MirrorHit(
                f"#{row['id']}",
                one_line(str(row.get("title") or ""), _SNIPPET),
                one_line(str(row.get("narrative") or row.get("text") or ""), _SNIPPET),
                _checkpoint_of(row),
            )
            for row in _rows(told, "observations")
        )[:limit]

    def _verify(self) -> None:
        if not self._is_checked:
            self.check()

    def _import(self, batch: Sequence[Rows]) -> str:
        """Import; return why that was refused."""
        answer = self._ask(
            "POST",
            "/api/import",
            {
                "sessions": [rows.session for rows in batch],
                "summaries": [rows.summary for rows in batch],
                "observations": [one for rows in batch for one in rows.observations],
                "prompts": [],
            },
        )
        if answer.status != _OK:
            return f"it answered the import with {answer.status}"
        told = answer.json()
        is_done = isinstance(told, dict) and told.get("success") is True
        return "" if is_done else "it did not confirm the import"

    def _read_back(self, batch: Sequence[Rows]) -> dict[str, _Known]:
        known: dict[str, _Known] = {}
        for project in dict.fromkeys(rows.project for rows in batch):
            own = {rows.memory_id for rows in batch if rows.project == project}
            self._list(project, own, known)
        for rows in batch:
            found = known.get(rows.memory_id)
            if not found or len(found.observations) < len(rows.observations):
                known[rows.memory_id] = self._searched(rows.checkpoint_id)
        return known

    def _list(self, project: str, own: set[str], known: dict[str, _Known]) -> None:
        """Look for rows of ours among the newest of a project."""
        pages = min(_MOST_PAGES, 1 + len(own) * 5 // _PAGE)
        for row in self._pages("/api/observations", project, pages):
            name = str(row.get("memory_session_id"))
            if name in own:
                known.setdefault(name, _Known()).observations.append(row["id"])
        for row in self._pages("/api/summaries", project, pages):
            name = str(row.get("session_id")).replace(CONTENT_ID, MEMORY_ID, 1)
            if name in own:
                known.setdefault(name, _Known()).summary = row["id"]

    def _pages(self, path: str, project: str, pages: int) -> Iterator[dict[str, Any]]:
        for page in range(pages):
            asked = {"project": project, "limit": _PAGE, "offset": page * _PAGE}
            told = self._json("GET", f"{path}?{urlencode(asked)}")
            yield from _rows(told, "items")
            if told.get("hasMore") is not True:
                return

    def _searched(self, checkpoint_id: str) -> _Known:
        """Return what it has of a checkpoint, by the id that each text of it says."""
        asked = urlencode({"query": checkpoint_id, "limit": _PAGE, "format": "json"})
        told = self._json("GET", f"/api/search?{asked}")
        name = f"{MEMORY_ID}{checkpoint_id}"
        known = _Known()
        for row in _rows(told, "observations"):
            if row.get("memory_session_id") == name:
                known.observations.append(row["id"])
        for row in _rows(told, "sessions"):
            if row.get("memory_session_id") == name:
                known.summary = row["id"]
        return known

    def _delete(self, entry: MirrorEntry) -> None:
        parcel = entry.parcel
        told = _remembered(parcel.remote)
        found = self._searched(parcel.checkpoint_id)
        for number in dict.fromkeys((*told.observations, *found.observations)):
            self._delete_one(f"/api/observation/{number}")
        for summary in dict.fromkeys((told.summary, found.summary)):
            if summary is not None:
                self._delete_one(f"/api/summary/{summary}")

    def _delete_one(self, path: str) -> None:
        answer = self._ask("DELETE", quote(path))
        if answer.status not in (_OK, _GONE):
            raise MirrorDown(
                f"it refused to delete something, with status {answer.status}",
                hint="see claude-mem's log, then `holdfast sync claude-mem`",
            )

    def _json(self, method: str, path: str) -> dict[str, Any]:
        answer = self._ask(method, path)
        told = answer.json() if answer.status == _OK else None
        if not isinstance(told, dict):
            raise MirrorDown(
                f"what answers at {self._web.address.shown} is not claude-mem",
                hint="start claude-mem; if its port is another, set `url`",
            )
        return told

    def _ask(self, method: str, path: str, given: object = None) -> WebAnswer:
        return self._web.ask(method, path, given)


def _batches(
    entries: Sequence[MirrorEntry],
) -> Iterator[list[tuple[MirrorEntry, Rows]]]:
    """Yield what is to be sent, as much at once as one import takes."""
    batch: list[tuple[MirrorEntry, Rows]] = []
    octets = 0
    for entry in entries:
        if entry.checkpoint is None:
            continue
        rows = rows_of(entry.checkpoint, entry.texts)
        if batch and octets + rows.octets > _MOST_OCTETS:
            yield batch
            batch, octets = [], 0
        batch.append((entry, rows))
        octets += rows.octets
    if batch:
        yield batch


def _rows(told: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of an answer that are what rows of ours could be."""
    found = told.get(name)
    for row in found if isinstance(found, list) else ():
        if isinstance(row, dict) and type(row.get("id")) is int:
            yield row


def _remembered(remote: str) -> _Known:
    """Return what we kept as its ids; written by us, and still only believed if whole."""
    try:
        told = json.loads(remote or "{}")
        numbers = [n for n in told.get("observations", []) if type(n) is int]
        summary = told.get("summary")
    except (ValueError, AttributeError, TypeError):
        return _Known()
    return _Known(numbers, summary if type(summary) is int else None)


def _checkpoint_of(row: dict[str, Any]) -> str:
    name = str(row.get("memory_session_id"))
    return name.removeprefix(MEMORY_ID) if name.startswith(MEMORY_ID) else ""
