"""The brief of a transcript, with nothing stored and no store needed."""

from holdfast.app.checkpoints.locate import Located
from holdfast.app.checkpoints.remember import remember
from holdfast.app.ports import Ports
from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.brief import Brief
from holdfast.facts.content import content_of


def brief_of(found: Located, ports: Ports, *, budget: int) -> Brief:
    """Return what the next session would be told of this one.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    state = remember(found.session_id, found.transcript, ports.transcripts, None).state
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=budget, now_ms=ports.clock.now_ms(), fit=fit)
