"""How long an episode is worth knowing, and when it became a fact."""

from holdfast.domain.memory import PROMOTED_AT, Episode
from holdfast.project_notes.lessons import days_between

_PERMANENT = "permanent"
_TTL = {
    "DECISION": _PERMANENT,
    "ARCHITECTURE": _PERMANENT,
    "DECLINED": _PERMANENT,
    "STATE": "30d",
}
_USUAL_TTL = "90d"  # completions, plans, events, workflows


def ttl_of(type_name: str) -> str:
    return _TTL.get(type_name, _USUAL_TTL)


def is_expired(episode: Episode, today: str) -> bool:
    """Say whether an episode outlived its time. A date that is none never does."""
    if episode.ttl == _PERMANENT:
        return False
    age = days_between(episode.date, today)
    return age is not None and age > int(episode.ttl.removesuffix("d"))


def is_promoted_now(episode: Episode) -> bool:
    """Say whether an episode came up often enough to be a fact, and is none yet."""
    return episode.ref >= PROMOTED_AT and not episode.is_promoted
