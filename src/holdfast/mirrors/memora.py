"""Memora as a mirror: a knowledge graph, through its own tools.

A checkpoint is one memory; its decisions, open work and errors are one each, and links say
how they belong together: a checkpoint extends the one before it, a part references its
checkpoint. Memora has no key that would refuse a copy, so each part says whose it is and
which, and what is there is looked up first.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from holdfast.domain.checkpoint import is_open
from holdfast.domain.outbox import ParcelDone
from holdfast.domain.text import beginning, one_line
from holdfast.kernel.clock import iso
from holdfast.kernel.errors import MirrorDown
from holdfast.kernel.ids import is_checkpoint_id, label
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.mirrors.mcp_calls import ToolRefused, ToolServer
from holdfast.mirrors.port import Delivered, MirrorEntry, MirrorHit
from holdfast.mirrors.web import version_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.domain.checkpoint import Checkpoint, Item
    from holdfast.domain.outbox import ObservationText
    from holdfast.mirrors.web import Web

USUAL_URL = "http://127.0.0.1:8000/mcp"
_TOOLS = frozenset(
    ["memory_create_batch", "memory_list", "memory_link", "memory_delete_batch"]
)
_SECTION = "holdfast"  # set, or it would find one by itself
_MASTER = "checkpoint"
_MOST_OF_A_KIND = 5
_MOST_TEXT = 20_000
_LINE = 1_000
_SNIPPET = 300


class _Part(NamedTuple):
    """One memory of a checkpoint."""

    name: str  # `checkpoint`, `decision-2` …
    kind: str
    text: str


class Memora:
    """Does what `port.Mirror` says."""

    most_at_once = 20

    def __init__(self, web: Web) -> None:
        self._web = web

    def check(self) -> str:
        with self._talk() as server:
            return version_in(server.begin_result.get("version")) or "unknown"

    def deliver(self, entries: Sequence[MirrorEntry]) -> Delivered:
        done: list[ParcelDone] = []
        refused: dict[str, str] = {}
        own: dict[str, str] = {}  # what was sent just now
        with self._talk() as server:
            for entry in entries:
                try:
                    remote = _delivered(server, entry, own)
                except ToolRefused as problem:
                    why = f"its tool `{problem}` refused it"
                    refused[entry.parcel.checkpoint_id] = why
                else:
                    own[entry.parcel.checkpoint_id] = remote
                    done.append(ParcelDone(entry.parcel, remote))
        return Delivered(tuple(done), refused)

    def search(self, words: str, limit: int) -> tuple[MirrorHit, ...]:
        with self._talk() as server:
            try:
                told = server.call("memory_hybrid_search", query=words, top_k=limit)
            except ToolRefused:
                return ()
        memories = [hit.get("memory") for hit in _listed(told, "results")]
        return tuple(_hit(memory) for memory in memories if isinstance(memory, dict))[
            :limit
        ]

    @contextmanager
    def _talk(self) -> Iterator[_Conversation]:
        server = _Conversation(self._web)
        server.verify()
        try:
            yield server
        finally:
            server.end()


class _Conversation(ToolServer):
    def verify(self) -> None:
        """See that it is Memora.

        Raises:
            MirrorDown: it is not.
        """
        self.begin_result = self.begin()
        if not self.tools() >= _TOOLS:
            raise MirrorDown(
                f"what answers at {self._web.address.shown} is not Memora",
                hint="start `memora-server --transport streamable-http`, set its `url`",
            )


def _delivered(server: ToolServer, entry: MirrorEntry, own: Mapping[str, str]) -> str:
    """Do what a parcel asks for, and return what Memora calls it then."""
    there = _known(server, entry.parcel.checkpoint_id)
    if entry.parcel.action != "send" and there:
        server.call("memory_delete_batch", ids=sorted(there.values()))
        there = {}
    if entry.checkpoint is None:
        return ""
    parts = _parts(entry.checkpoint, entry.texts)
    there = _with_all(server, entry.checkpoint, parts, there)
    master = there[_MASTER]
    for name, number in there.items():
        if name != _MASTER:
            _link(server, number, master, "references")
    before = entry.checkpoint.previous_checkpoint or ""
    if (previous := _master_of(own.get(before) or entry.previous)) is not None:
        _link(server, master, previous, "extends")
    others = sorted(number for name, number in there.items() if name != _MASTER)
    return json.dumps({"memories": [master, *others]})


def _known(server: ToolServer, checkpoint_id: str) -> dict[str, int]:
    """Return which parts of a checkpoint are there, superseded ones too."""
    told = server.call(
        "memory_list",
        metadata_filters={"holdfast_id": checkpoint_id},
        limit=100,
        follow="all",
        fields=["id", "metadata"],
    )
    known: dict[str, int] = {}
    for memory in _listed(told, "memories"):
        metadata = memory.get("metadata")
        if isinstance(metadata, dict) and type(memory.get("id")) is int:
            known[str(metadata.get("holdfast_part"))] = memory["id"]
    return known


def _listed(told: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return what an answer lists, as far as it is what Memora would list."""
    rows = told.get(name)
    return [
        row for row in (rows if isinstance(rows, list) else ()) if isinstance(row, dict)
    ]


def _with_all(
    server: ToolServer,
    checkpoint: Checkpoint,
    parts: Sequence[_Part],
    there: Mapping[str, int],
) -> dict[str, int]:
    """Create what is missing. Unless it was told to take any tag, it refuses ours."""
    try:
        return {**there, **_created(server, checkpoint, parts, there, is_tagged=True)}
    except ToolRefused:
        there = _known(server, checkpoint.checkpoint_id)
        return {**there, **_created(server, checkpoint, parts, there, is_tagged=False)}


def _created(
    server: ToolServer,
    checkpoint: Checkpoint,
    parts: Sequence[_Part],
    there: Mapping[str, int],
    *,
    is_tagged: bool,
) -> dict[str, int]:
    missing = [part for part in parts if part.name not in there]
    if not missing:
        return {}
    entries = [
        {
            "content": part.text,
            "metadata": _metadata(checkpoint, part),
            "tags": [f"holdfast/{part.kind}"] if is_tagged else [],
        }
        for part in missing
    ]
    told = server.call("memory_create_batch", entries=entries)
    made = [memory.get("id") for memory in _listed(told, "memories")]
    numbers = [number for number in made if type(number) is int]
    if len(numbers) != len(missing):
        raise ToolRefused("memory_create_batch")
    names = (part.name for part in missing)
    return dict(zip(names, numbers, strict=True))


def _link(server: ToolServer, one: int, other: int, kind: str) -> None:
    try:
        server.call(
            "memory_link",
            from_id=one,
            to_id=other,
            edge_type=kind,
            bidirectional=False,
        )
    except ToolRefused:
        return  # the other was deleted there: a link less, and nothing lost


def _parts(checkpoint: Checkpoint, texts: Sequence[ObservationText]) -> list[_Part]:
    content = checkpoint.draft.content
    text = f"{texts[0].title}\n\n{texts[0].body}\n\n{texts[0].metadata}"
    parts = [_Part(_MASTER, _MASTER, beginning(text, _MOST_TEXT))]
    todos = dict.fromkeys((*content.pending, *content.next_steps))
    kinds: tuple[tuple[str, str, Sequence[Item]], ...] = (
        ("decision", "Decision", content.decisions),
        ("todo", "To do", tuple(todos)),
        ("error", "Error", tuple(filter(is_open, content.errors))),
    )
    for kind, word, items in kinds:
        new = [item for item in items if item.origin is None][:_MOST_OF_A_KIND]
        parts += [
            _Part(
                f"{kind}-{place}",
                kind,
                f"{word}: {one_line(item.text, _LINE)}\n\n"
                f"{label(checkpoint.number)} {checkpoint.checkpoint_id}",
            )
            for place, item in enumerate(new, 1)
        ]
    return parts


def _metadata(checkpoint: Checkpoint, part: _Part) -> dict[str, Any]:
    draft = checkpoint.draft
    return {
        "type": part.kind,
        "holdfast_id": checkpoint.checkpoint_id,
        "holdfast_part": part.name,
        "project": os.path.basename(draft.project_root.rstrip("/")),
        "branch": draft.code.branch,
        "head": draft.code.head,
        "session_id": draft.session_id,
        "sequence": checkpoint.sequence,
        "created_at": iso(draft.created_at),
        "section": _SECTION,
        "subsection": os.path.basename(draft.project_root.rstrip("/")) or "unknown",
    }


def _master_of(remote: str | None) -> int | None:
    try:
        told = json.loads(remote or "{}")
        first = told["memories"][0]
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    return first if type(first) is int else None


def _hit(memory: Mapping[str, Any]) -> MirrorHit:
    text = str(memory.get("content") or memory.get("content_preview") or "")
    metadata = memory.get("metadata")
    own = metadata.get("holdfast_id") if isinstance(metadata, dict) else None
    title, _, rest = text.partition("\n")
    number = memory.get("id")
    return MirrorHit(
        f"#{number}" if type(number) is int else "#",
        one_line(title, _SNIPPET),
        one_line(rest, _SNIPPET),
        own if isinstance(own, str) and is_checkpoint_id(own) else "",
    )
