"""Finished work says so in a few lines and stops: what was done and in which files, what
was asked, what was said last, and the rules that still stand. Who wants more asks for the
whole brief."""

from collections.abc import Iterator

from holdfast.brief.last_said import last_said
from holdfast.brief.layout import STANDING_RULES, BriefPart
from holdfast.brief.phrases import (
    Paths,
    flat,
    forms,
    own,
    printed,
)
from holdfast.brief.user_requests import about_goal
from holdfast.domain.asked import earlier_requests, wanted_item
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import Content, FileRef, Item, fact_item, said_since
from holdfast.domain.fact import Commit, PassingCommand
from holdfast.domain.standing import WorkStanding
from holdfast.domain.text import plain
from holdfast.language.sentences import PASTED

_ASKED = (260, 700)
_SAID = 260  # letters
_FEW, _FEW_WORDS = 4, 3  # files, and words beside a paste


def is_done(subject: BriefSubject, standing: WorkStanding) -> bool:
    """Say whether there is something done to tell of, and nothing is left of it."""
    by_what = standing.commit or standing.passed
    return standing.is_finished and bool(by_what and wanted_item(subject.content))


def finished_parts(
    content: Content, standing: WorkStanding, paths: Paths
) -> list[BriefPart]:
    """Return all that is told of finished work."""
    done = "; ".join(map(printed, _done(standing)))
    told = f"Done: {done}. {_where(content, paths)}It was asked: "
    asked = wanted_item(content)
    assert asked is not None  # noqa: S101  # `is_done` says so
    lengths = tuple(told + own(text) for text in forms(plain(asked.text), *_ASKED))
    return [
        BriefPart("stands", "goal", 0, lengths, tells=(asked, *changed_files(content))),
        *_asked_before(asked, content),
        *_said_last(content),
        *_next(content),
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


def changed_files(content: Content) -> list[FileRef]:
    """Return the files that finished work names, those first that are needed next."""
    return [file for file in content.files if file.change != "read"][:_FEW]


def _where(content: Content, paths: Paths) -> str:
    few = ", ".join(paths.shown(file.path) for file in changed_files(content))
    more = sum(file.change != "read" for file in content.files) - _FEW
    return f"Files: {few}{f' and {more} more' if more > 0 else ''}. " if few else ""


def _asked_before(asked: Item, content: Content) -> Iterator[BriefPart]:
    """Yield the request before one that is a paste and hardly a word: that says what it
    was pasted for."""
    earlier = earlier_requests(content)
    typed, pastes = PASTED.subn("", asked.text)
    if not pastes or len(typed.split()) > _FEW_WORDS:
        return
    if about := about_goal(asked):
        yield BriefPart("stands", "answered", 0, (f"({about})",))
    if earlier:
        lengths = forms(flat(earlier[-1].text), *_ASKED)
        told = tuple(f"Before it: {own(text)}" for text in lengths)
        yield BriefPart("stands", "current", 0, told, tells=(earlier[-1],))


def _said_last(content: Content) -> Iterator[BriefPart]:
    """Yield how it was told to the user: a request may wait there for a word of theirs."""
    if said_since(content).strip():
        told = last_said(content, _SAID, 2 * _SAID, 3 * _SAID)
        lengths = tuple(dict.fromkeys(map(flat, told)))
        if lengths:
            yield BriefPart("stands", "stands", 0, lengths)


def _next(content: Content) -> Iterator[BriefPart]:
    """Yield what the agent named as next, which its words are told without."""
    for rank, item in enumerate(content.next_steps):
        yield BriefPart(
            "next", "next", rank, forms(plain(item.text), 240), "steps", (item,)
        )


def _done(standing: WorkStanding) -> Iterator[Item]:
    if standing.commit:
        yield fact_item(Commit(standing.commit))
    if standing.passed:
        yield fact_item(PassingCommand(standing.passed))
