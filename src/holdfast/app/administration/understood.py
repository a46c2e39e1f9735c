"""How much of an agent's newest session was understood: the first sign of a new format.

A line that is not understood is counted and costs nothing else. Who reads of it here can
upgrade before anything that matters is written in a form that nobody reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import HoldfastError
from holdfast.session.fold import begin, fold

if TYPE_CHECKING:
    from holdfast.agents.port import Transcripts
    from holdfast.domain.session import SessionState

_MOST_KINDS = 3
_UPGRADE = "nothing is lost: what was understood is kept; upgrade holdfast"


def understood(transcripts: Transcripts) -> HealthResult | None:
    """Return what share of the newest session's lines was understood; None if there is
    no session."""
    name = transcripts.agent
    try:
        path = transcripts.newest()
        if path is None:
            return None
        state = fold(begin("", name), transcripts.read(path))
    except HoldfastError as trouble:
        return HealthResult(name, "warn", trouble.message, trouble.hint)
    return _told(name, state)


def _told(name: str, state: SessionState) -> HealthResult:
    counts = state.counts
    unknown = sum(number for _, number in counts.unrecognised)
    version = f" (version {state.version})" if state.version else ""
    if not unknown:
        told = f"all of {counts.lines:,} lines of its newest session were understood{version}"
        return HealthResult(name, "ok", told)
    most = sorted(counts.unrecognised, key=lambda kind: -kind[1])[:_MOST_KINDS]
    kinds = ", ".join(kind for kind, _ in most)
    told = (
        f"{unknown:,} of {counts.lines:,} lines of its newest session were not understood"
        f"{version}: {kinds}"
    )
    return HealthResult(name, "warn", told, _UPGRADE)
