"""A checkpoint as rows of claude-mem, and where its worker is reached.

Its lists are JSON in a text. Metadata is no column of its import, so it goes into the text
beside the narrative; tags go where concepts are. One concept that its modes know lets a
row appear when a session starts there.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from holdfast.domain.asked import wanted_item
from holdfast.domain.text import beginning, one_line
from holdfast.facts.work.outcomes import achieved
from holdfast.kernel.clock import iso
from holdfast.kernel.errors import MirrorDown
from holdfast.kernel.files import read_file
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass
from holdfast.mirrors.web import WebAddress, is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.domain.checkpoint import Checkpoint, Item
    from holdfast.domain.outbox import ObservationText

CONTENT_ID, MEMORY_ID = "holdfast:", "holdfast-"
_MOST_OBSERVATIONS = 5
_MOST_TEXT = 20_000  # characters of one text
_MOST_LIST = 12
_LINE = 400
_KNOWN_CONCEPT = "how-it-works"
_SETTINGS = "settings.json"
_PID = "worker.pid"
_MOST_SETTINGS = 1_000_000
_FIRST_PORT, _WITHOUT_UID, _PER_HUNDRED = 37_700, 77, 100
_MOST_PORT = 65_535

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What one checkpoint is there."""

    checkpoint_id: str
    memory_id: str
    project: str
    session: Row
    summary: Row
    observations: tuple[Row, ...]
    octets: int


def rows_of(checkpoint: Checkpoint, texts: Sequence[ObservationText]) -> Rows:
    """Return a checkpoint as claude-mem keeps it."""
    draft = checkpoint.draft
    root = draft.project_root or draft.working_directory
    project = os.path.basename(root.rstrip("/")) or "unknown"
    at = {"created_at": iso(draft.created_at), "created_at_epoch": draft.created_at}
    own = {
        "memory_session_id": f"{MEMORY_ID}{checkpoint.checkpoint_id}",
        "project": project,
        "prompt_number": 1,
        "discovery_tokens": 0,
        **at,
    }
    session = {
        "content_session_id": f"{CONTENT_ID}{checkpoint.checkpoint_id}",
        "memory_session_id": own["memory_session_id"],
        "project": project,
        "platform_source": "claude",
        "user_prompt": "",  # such a row cannot be deleted: it says nothing
        "started_at": at["created_at"],
        "started_at_epoch": draft.created_at,
        "completed_at": at["created_at"],
        "completed_at_epoch": draft.created_at,
        "status": "completed",
    }
    summary = {**own, **_summary(checkpoint)}
    observations = tuple(
        {**own, **_observation(checkpoint, text, is_master=place == 0)}
        for place, text in enumerate(texts[:_MOST_OBSERVATIONS])
    )
    size = len(json.dumps([session, summary, *observations]))
    return Rows(
        checkpoint_id=checkpoint.checkpoint_id,
        memory_id=str(own["memory_session_id"]),
        project=project,
        session=session,
        summary=summary,
        observations=observations,
        octets=size,
    )


def _observation(
    checkpoint: Checkpoint, text: ObservationText, *, is_master: bool
) -> Row:
    content = checkpoint.draft.content
    concepts = [_KNOWN_CONCEPT, *checkpoint.draft.tags, *content.topics]
    facts = (*achieved(content), *content.decisions, *content.next_steps)
    return {
        "type": "discovery",
        "title": text.title,
        "subtitle": checkpoint.checkpoint_id,
        "narrative": beginning(text.body, _MOST_TEXT),
        "text": beginning(text.metadata, _MOST_TEXT),
        "facts": _listed(_told(facts) if is_master else ()),
        "concepts": _listed(dict.fromkeys(concepts)),
        **_files(checkpoint, "files_modified"),
    }


def _summary(checkpoint: Checkpoint) -> Row:
    content = checkpoint.draft.content
    wanted = wanted_item(content)
    open_work = (*content.pending, *content.next_steps, *content.open_questions)
    return {
        "request": one_line(wanted.text if wanted else content.title, _LINE),
        "investigated": beginning(content.summary, _MOST_TEXT),
        "learned": _lines((*content.discoveries, *content.decisions)),
        "completed": _lines(achieved(content)),
        "next_steps": _lines(open_work),
        "notes": f"{label(checkpoint.number)} {checkpoint.checkpoint_id}",
        **_files(checkpoint, "files_edited"),
    }


def _files(checkpoint: Checkpoint, edited: str) -> Row:
    files = checkpoint.draft.content.files
    return {
        "files_read": _listed(file.path for file in files if file.change == "read"),
        edited: _listed(file.path for file in files if file.change != "read"),
    }


def _told(items: Iterable[Item]) -> Iterator[str]:
    yield from dict.fromkeys(one_line(item.text, _LINE) for item in items)


def _lines(items: Iterable[Item]) -> str:
    return "\n".join(f"- {text}" for text in list(_told(items))[:_MOST_LIST])


def _listed(texts: Iterable[str]) -> str:
    return json.dumps(list(texts)[:_MOST_LIST], ensure_ascii=False)


def worker_addresses(user_home: str, uid: int | None) -> tuple[WebAddress, ...]:
    """Return where the worker may be, the likeliest first: what its own files say.

    Its environment variables are not asked: a repository can set those of a hook.

    Raises:
        MirrorDown: it runs in a way that is not spoken here.
    """
    data = os.path.join(user_home, ".claude-mem")
    settings = _json_in(os.path.join(data, _SETTINGS))
    given = settings.get("env")
    told = {**settings, **(given if isinstance(given, dict) else {})}
    moved = told.get("CLAUDE_MEM_DATA_DIR")
    if isinstance(moved, str) and moved.startswith("/"):
        data = moved
    if str(told.get("CLAUDE_MEM_RUNTIME", "worker")) != "worker":
        raise MirrorDown(
            "it runs as a server, and this version speaks to its worker only",
            hint="set `CLAUDE_MEM_RUNTIME` to `worker` in claude-mem's settings",
        )
    host = str(told.get("CLAUDE_MEM_WORKER_HOST") or "127.0.0.1").strip("[]")
    if not is_loopback(host):
        raise MirrorDown(
            "its worker is said to be on another machine",
            hint="set `CLAUDE_MEM_WORKER_HOST` to `127.0.0.1` in claude-mem's settings",
        )
    usual = _FIRST_PORT + (_WITHOUT_UID if uid is None else uid % _PER_HUNDRED)
    running = _json_in(os.path.join(data, _PID)).get("port")
    ports = map(_port, (running, told.get("CLAUDE_MEM_WORKER_PORT"), usual))
    return tuple(
        WebAddress(is_secure=False, host=host, port=port)
        for port in dict.fromkeys(filter(None, ports))
    )


def _port(value: object) -> int | None:
    try:
        number = int(str(value))
    except ValueError:
        return None
    return number if 0 < number <= _MOST_PORT else None


def _json_in(path: str) -> Row:
    """Return what a file of another program says; one that cannot be read says nothing."""
    try:
        told = json.loads(read_file(path, limit=_MOST_SETTINGS, follow_links=True))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
