"""The brief of a transcript, with nothing stored and no store needed."""

from holdfast.analysis.content import content_of
from holdfast.app.locate import Located
from holdfast.app.remember import remember
from holdfast.app.tools import Tools
from holdfast.domain.brief import Brief
from holdfast.policy.fit import fit
from holdfast.render.brief import brief, subject_of_session


def brief_of(found: Located, tools: Tools, *, budget: int) -> Brief:
    """Return what the next session would be told of this one.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    state = remember(found.session_id, found.transcript, tools.transcripts, None).state
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=budget, now_ms=tools.clock.now_ms(), fit=fit)
