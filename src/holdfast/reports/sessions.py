"""A session's record for people: when, where, from whom it came, what was kept of it."""

from collections.abc import Iterator

from holdfast.domain.amounts import age, counted, duration
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.session import SessionRecord
from holdfast.domain.text import one_line, visible
from holdfast.kernel.clock import local_time
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import dataclass

_TITLE = 48
_SHORT_ID = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStory:
    """A record with its family: `chain` goes from the root to the session itself."""

    record: SessionRecord
    chain: tuple[str, ...]
    children: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()  # which went on from the same session
    last_at: int = 0  # when something was last written in it, as far as that is known
    latest: Checkpoint | None = None

    @property
    def duration_seconds(self) -> int:
        end = self.record.ended_at or self.last_at or self.record.started_at
        return max(0, end - self.record.started_at) // 1000


def session_rows(story: SessionStory, now_ms: int) -> Iterator[tuple[str, str]]:
    """Yield what is known, each with what it is called."""
    record = story.record
    yield "session", record.session_id
    yield "agent", f"{record.agent} {record.agent_version}".strip()
    yield "directory", record.working_directory or "unknown"
    yield "host", record.hostname or "unknown"
    if record.started_at:
        yield "started", _moment(record.started_at, now_ms)
    yield "ended", _end(story, now_ms)
    spoken = counted(record.message_count, "message")
    yield "duration", f"{duration(story.duration_seconds)} · {spoken}"
    yield from _family(story)
    yield "checkpoints", f"{len(record.checkpoints)}{_latest(story.latest)}"
    if record.checkpoints:
        yield "", f"holdfast list --session {record.session_id[:_SHORT_ID]}"


def _family(story: SessionStory) -> Iterator[tuple[str, str]]:
    record = story.record
    yield "parent", record.parent_session or "none"
    if record.parent_session:
        yield "root", record.root_session
        yield "chain", " → ".join(one[:_SHORT_ID] for one in story.chain)
    if story.siblings:
        yield "siblings", ", ".join(one[:_SHORT_ID] for one in story.siblings)
    if story.children:
        yield "went on in", ", ".join(one[:_SHORT_ID] for one in story.children)


def _end(story: SessionStory, now_ms: int) -> str:
    ended = story.record.ended_at
    if ended is not None:
        return _moment(ended, now_ms) + (" · cleared" if story.record.cleared else "")
    return f"no; last at work {age(now_ms, story.last_at)}" if story.last_at else "no"


def _moment(at: int, now_ms: int) -> str:
    return f"{local_time(at)} ({age(now_ms, at)})"


def _latest(latest: Checkpoint | None) -> str:
    if latest is None:
        return ""
    title = one_line(visible(latest.draft.content.title), _TITLE)
    return f", the latest {label(latest.number)}: {title}"
