"""Finished work says so in a few lines and stops: what was done, what was asked, what was
said last, and the rules that still stand. Who wants more asks for the whole brief."""

from collections.abc import Iterator

from holdfast.brief.last_said import last_said
from holdfast.brief.layout import STANDING_RULES, BriefPart
from holdfast.brief.phrases import (
    flat,
    forms,
    own,
    printed,
)
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import (
    Content,
    Item,
    fact_item,
    said_since,
    wanted_item,
)
from holdfast.domain.fact import Commit, PassingCommand
from holdfast.domain.standing import WorkStanding
from holdfast.domain.text import plain

_ASKED = (260, 700)
_SAID = 260  # letters


def is_done(subject: BriefSubject, standing: WorkStanding) -> bool:
    """Say whether there is something done to tell of, and nothing is left of it."""
    by_what = standing.commit or standing.passed
    return standing.is_finished and bool(by_what and wanted_item(subject.content))


def finished_parts(content: Content, standing: WorkStanding) -> list[BriefPart]:
    """Return all that is told of finished work."""
    told = f"Done: {'; '.join(map(printed, _done(standing)))}. It was asked: "
    asked = wanted_item(content)
    assert asked is not None  # noqa: S101  # `is_done` says so
    lengths = tuple(told + own(text) for text in forms(plain(asked.text), *_ASKED))
    return [
        BriefPart("stands", "goal", 0, lengths, tells=(asked,)),
        *_said_last(content),
        *(
            BriefPart(
                "stands",
                "instruction",
                rank,
                (own(rule.text),),
                STANDING_RULES,
                (rule,),
            )
            for rank, rule in enumerate(content.instructions)
            if rule.source == "user"
        ),
    ]


def _said_last(content: Content) -> Iterator[BriefPart]:
    """Yield how it was told to the user: a request may wait there for a word of theirs."""
    if said_since(content).strip() and (told := last_said(content, _SAID)):
        yield BriefPart("stands", "stands", 0, (flat(told[0]),))


def _done(standing: WorkStanding) -> Iterator[Item]:
    if standing.commit:
        yield fact_item(Commit(standing.commit))
    if standing.passed:
        yield fact_item(PassingCommand(standing.passed))
