"""The conversation of a session, read from its transcript to be shown.

Nothing of it is kept. While somebody looks, asking again costs what was said since.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from holdfast.domain.event import (
    AgentSaid,
    Compacted,
    Interrupted,
    RequestFailed,
    Summarised,
    ToolCalled,
    ToolReturned,
    UserSaid,
)
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from holdfast.agents.port import Transcripts
    from holdfast.domain.event import Event
    from holdfast.domain.session import Cursor

_MOST_TEXT = 8_000  # characters of one text: more is not read on a page
_MOST_KEPT = 4  # sessions at once


class Spoken(NamedTuple):
    """One thing in a conversation: words, a call with what came of it, or an event."""

    kind: str  # user, agent, call, compaction, summary, interrupted, failed
    at: int  # Unix ms, 0 if the transcript does not say
    text: str = ""
    chars: int = 0  # how long the text was
    via: str = ""  # of a user's words
    tool: str = ""
    role: str = ""
    outcome: str = ""
    exit_status: int | None = None
    output: str = ""
    output_chars: int = 0
    added: int = 0
    removed: int = 0


class Conversation:
    """What was said so far; it grows by events."""

    def __init__(self) -> None:
        self.spoken: list[Spoken] = []
        self._calls: dict[str, int] = {}  # places of those that have no result yet

    def take(self, events: Iterable[Event]) -> None:
        """Add what happened; what sub-agents do among themselves is left out."""
        for event in events:
            origin = getattr(event, "origin", None)
            if origin is None or origin.agent:
                continue
            if isinstance(event, ToolReturned):
                self._returned(event)
            elif (one := _spoken(event)) is not None:
                if isinstance(event, ToolCalled):
                    self._calls[event.call_id] = len(self.spoken)
                self.spoken.append(one)

    def _returned(self, event: ToolReturned) -> None:
        place = self._calls.pop(event.call_id, None)
        if place is None:
            return
        call = self.spoken[place]
        self.spoken[place] = call._replace(
            outcome=event.outcome,
            exit_status=event.exit_status,
            output=event.output[:_MOST_TEXT],
            output_chars=event.chars,
            added=event.added if event.is_counted else call.added,
            removed=event.removed if event.is_counted else call.removed,
        )


def _spoken(event: Event) -> Spoken | None:
    if isinstance(event, UserSaid):
        return _words("user", event.origin.at, event.text, event.chars, event.via)
    if isinstance(event, AgentSaid):
        return _words("agent", event.origin.at, event.text, event.chars)
    if isinstance(event, ToolCalled):
        return Spoken(
            kind="call",
            at=event.origin.at,
            text=event.target[:_MOST_TEXT],
            chars=len(event.target),
            tool=event.tool,
            role=event.role,
            outcome="pending",
            added=event.added,
            removed=event.removed,
        )
    return _happened(event)


def _happened(event: Event) -> Spoken | None:
    if isinstance(event, Compacted):
        return Spoken("compaction", event.origin.at, chars=event.tokens_before)
    if isinstance(event, Summarised):
        return _words("summary", event.origin.at, event.text, event.chars)
    if isinstance(event, Interrupted):
        return Spoken("interrupted", event.origin.at)
    if isinstance(event, RequestFailed):
        return _words("failed", event.origin.at, event.text, len(event.text))
    return None


def _words(kind: str, at: int, text: str, chars: int, via: str = "") -> Spoken | None:
    return Spoken(kind, at, text[:_MOST_TEXT], chars, via) if text.strip() else None


def place_at(spoken: Sequence[Spoken], moment: int) -> int:
    """Return how much of a conversation had been said at a moment."""
    for place in range(len(spoken), 0, -1):
        if 0 < spoken[place - 1].at <= moment:
            return place
    return 0


class _Known(NamedTuple):
    path: str
    cursor: Cursor
    conversation: Conversation


class Conversations:
    """Those that were looked at lately; many threads may ask at once."""

    def __init__(self, transcripts_of: Callable[[str], Transcripts]) -> None:
        self._transcripts_of = transcripts_of
        self._guard = Lock()
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def of(self, session_id: str, agent: str) -> tuple[Spoken, ...] | None:
        """Return what was said in a session; None: its transcript is not here."""
        try:
            transcripts = self._transcripts_of(agent)
            path = transcripts.find(session_id)
            if path is None:
                return None
            with self._guard:
                known = self._read(session_id, path, transcripts)
        except (
            HoldfastError
        ):  # an agent that nobody knows, or a file that went just now
            return None
        return tuple(known.conversation.spoken)

    def _read(self, session_id: str, path: str, transcripts: Transcripts) -> _Known:
        before = self._known.pop(session_id, None)
        if before is not None and before.path != path:
            before = None
        reading = transcripts.read(path, before.cursor if before else None)
        is_anew = before is None or reading.restarted
        conversation = Conversation() if is_anew else before.conversation  # type: ignore[union-attr]  # it is there if not anew
        conversation.take(reading)
        known = _Known(path, reading.cursor, conversation)
        self._known[session_id] = known
        while len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        return known
