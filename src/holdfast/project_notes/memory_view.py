"""How memory is shown to people, a line each.

The files are the repository's, so no line may pass for one of ours or the user's.
"""

from collections.abc import Sequence

from holdfast.brief.phrases import plain
from holdfast.domain.memory import Episode, Fact, Lesson, Outcome


def fact_line(fact: Fact) -> str:
    section = f"{fact.section}: " if fact.section else ""
    return f"  {plain(section + fact.text)}"


def episode_line(episode: Episode) -> str:
    return (
        f"  [{episode.date}] [{episode.type}] [ttl:{episode.ttl}] [ref:{episode.ref}]"
        f" {plain(episode.text)}"
    )


def lesson_line(lesson: Lesson) -> str:
    trust = lesson.trust
    told = (
        f" (conf {trust.conf:g}, seen {trust.seen}, obs {trust.obs})" if trust else ""
    )
    return f"  [{lesson.date}] {plain(lesson.title)}{told}"


def tidied_lines(
    expired: Sequence[Episode], promoted: Sequence[Outcome], archived: Sequence[Lesson]
) -> list[str]:
    """Return what tidying did, a line for each thing."""
    return [
        *(
            f"promoted to a fact: {outcome.text}"
            for outcome in promoted
            if outcome.did != "conflict"
        ),
        *(
            f"not promoted, contradicts `{outcome.old}`: {outcome.text}"
            for outcome in promoted
            if outcome.did == "conflict"
        ),
        *(f"expired: {episode.text}" for episode in expired),
        *(f"archived: {lesson.title}" for lesson in archived),
    ]
