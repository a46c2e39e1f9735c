"""claude-mem: a record for each of its sessions, with what it observed and summed up, and
what was asked. Pure: rows to records; the database is opened next door."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from holdfast.neighbours.record import Found, NeighbourRecord, Remark, Unread
from holdfast.neighbours.texts import (
    distinct,
    field_text,
    field_texts,
    first_line,
    moment,
)

KIND = "claude-mem"
KNOWN_VERSION = 52  # of its schema, at claude-mem 13.25.3
# What is read of each table; one that lacks a column of the first is not understood.
NEEDED: Mapping[str, tuple[str, ...]] = {
    "sdk_sessions": ("id", "content_session_id", "memory_session_id", "project"),
    "observations": ("memory_session_id", "type", "title", "created_at_epoch"),
    "session_summaries": ("memory_session_id", "request", "created_at_epoch"),
    "user_prompts": ("content_session_id", "prompt_text", "created_at_epoch"),
}
WANTED: Mapping[str, tuple[str, ...]] = {
    "sdk_sessions": (
        *NEEDED["sdk_sessions"], "custom_title", "user_prompt", "started_at_epoch",
    ),
    "observations": (
        *NEEDED["observations"], "id", "text", "subtitle", "facts", "narrative",
        "concepts", "files_read", "files_modified",
    ),
    "session_summaries": (
        *NEEDED["session_summaries"], "investigated", "learned", "completed",
        "next_steps", "files_read", "files_edited", "notes",
    ),
    "user_prompts": (*NEEDED["user_prompts"], "prompt_number"),
}  # fmt: skip

Row = Mapping[str, Any]
# The rows of a table that belong to a session: table, its column, the session.
RowsOf = Callable[[str, str, str], Sequence[Row]]
_OURS = ("holdfast:", "holdfast-")  # sessions that a mirror of ours made
_SUMMED_UP = ("investigated", "learned", "completed", "next_steps", "notes")
_PROMPTS = "what was asked"


def records(sessions: Sequence[Row], rows_of: RowsOf, path: str) -> Found:
    """Yield a record for each session of which something was kept."""
    for session in sessions:
        content = field_text(session, "content_session_id")
        memory = field_text(session, "memory_session_id")
        if content.startswith(_OURS) or memory.startswith(_OURS):
            yield Unread(content, "what holdfast mirrored there is here", is_left=True)
            continue
        kept = _Kept(
            session,
            rows_of("observations", "memory_session_id", memory) if memory else (),
            rows_of("session_summaries", "memory_session_id", memory) if memory else (),
            rows_of("user_prompts", "content_session_id", content) if content else (),
        )
        if kept.rows:
            yield kept.record(path)


class _Kept:
    """What there is of one session, each part the oldest first."""

    def __init__(
        self,
        session: Row,
        observed: Sequence[Row],
        summed_up: Sequence[Row],
        asked: Sequence[Row],
    ) -> None:
        self._session = session
        self._observed = observed
        self._summed_up = summed_up
        self._asked = asked

    @property
    def rows(self) -> tuple[Row, ...]:
        return (*self._observed, *self._summed_up, *self._asked)

    def record(self, path: str) -> NeighbourRecord | Unread:
        session, last = self._session, self._summed_up[-1] if self._summed_up else {}
        who = field_text(session, "memory_session_id", "content_session_id")
        created_at = max(moment(row.get("created_at_epoch")) for row in self.rows)
        if not created_at or not who:
            return Unread(who or "a session", "it has no valid time or id")
        number = session.get("id")
        return NeighbourRecord(
            record=who,
            path=path,
            title=self._title(),
            summary="\n".join(
                field_text(last, name)
                for name in ("completed", "learned")
                if field_text(last, name)
            ),
            created_at=created_at,
            version=len(self.rows),  # what grew comes again
            number=number if isinstance(number, int) and number > 0 else 0,
            project=field_text(session, "project"),
            session=field_text(session, "content_session_id"),
            files=self._files("files_modified", "files_edited"),
            files_read=self._files("files_read"),
            tags=distinct(
                each for row in self._observed for each in field_texts(row, "concepts")
            ),
            done=self._titles_of("feature", "bugfix", "change", "refactor"),
            decisions=self._titles_of("decision"),
            discoveries=self._titles_of("discovery"),
            next_steps=field_texts(last, "next_steps"),
            remarks=tuple(self._remarks()),
        )

    def _title(self) -> str:
        named = field_text(self._session, "custom_title")
        summed = (field_text(row, "request") for row in reversed(self._summed_up))
        asked = (field_text(row, "prompt_text") for row in self._asked)
        seen = (field_text(row, "title", "text") for row in self._observed)
        said = next(filter(None, (named, *summed, *asked, *seen)), "")
        return first_line(said) or "a session of claude-mem"

    def _titles_of(self, *types: str) -> tuple[str, ...]:
        rows = (row for row in self._observed if field_text(row, "type") in types)
        return distinct(field_text(row, "title", "subtitle") for row in rows)

    def _files(self, *names: str) -> tuple[str, ...]:
        return distinct(
            path
            for row in (*self._observed, *self._summed_up)
            for name in names
            for path in field_texts(row, name)
        )

    def _remarks(self) -> Iterator[Remark]:
        """Yield each observation, each summary, and the prompts together."""
        for row in self._observed:
            facts = "\n".join(f"- {fact}" for fact in field_texts(row, "facts"))
            told = (field_text(row, "subtitle"), field_text(row, "narrative", "text"))
            text = "\n\n".join(filter(None, (*told, facts)))
            topic = first_line(field_text(row, "title")) or field_text(row, "type")
            files = (
                *field_texts(row, "files_modified"),
                *field_texts(row, "files_read"),
            )
            yield Remark(topic or "observation", text or topic, distinct(files))
        for row in self._summed_up:
            parts = ((name, field_text(row, name)) for name in _SUMMED_UP)
            text = "\n\n".join(f"{name}: {said}" for name, said in parts if said)
            if text:
                yield Remark(first_line(field_text(row, "request")) or "summary", text)
        if prompts := distinct(field_text(row, "prompt_text") for row in self._asked):
            yield Remark(_PROMPTS, "\n\n".join(prompts))
