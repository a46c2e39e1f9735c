"""A session that lies on disk more than once: it moved, was taken back, or is a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.agents.past_port import PastSession, PastSessions, PastTranscript


def freshness(session: PastSession) -> tuple[int, int, str]:
    """Return what copies of a session are ordered by: what was said last, and how much."""
    return session.last_at, session.transcript.size, session.transcript.path


def newest_of_each(
    past: PastSessions,
) -> tuple[list[PastSession], list[PastTranscript]]:
    """Return every session once, as it is now, and the transcripts that name none."""
    newest: dict[str, PastSession] = {}
    nameless: list[PastTranscript] = []
    for transcript in past.every():
        session = past.glance(transcript)
        if session is None:
            nameless.append(transcript)
            continue
        before = newest.setdefault(session.session_id, session)
        newest[session.session_id] = max(before, session, key=freshness)
    return list(newest.values()), nameless
