"""From words that stand where a user's would to events: who instructs, and who does not."""

from collections.abc import Iterable, Iterator

from holdfast.agents.claude_code.transcript.lines import Line
from holdfast.agents.claude_code.transcript.words import (
    COMMAND as BY_COMMAND,
    INTERRUPTED,
    SHELL,
    SUMMARY as SUMMED_UP,
    TYPED,
    command_via,
    heard,
    without_addition,
    work_ended,
)
from holdfast.agents.clean import CONTEXT, PROMPT, SUMMARY, Cleaner
from holdfast.domain.event import (
    ContextAdded,
    Event,
    Interrupted,
    Origin,
    Summarised,
    UserSaid,
    WorkEnded,
)

_BY_USER = frozenset([TYPED, BY_COMMAND, SHELL])
_HUMAN = (None, "human")
_NOTIFIED = "notification"


def said(texts: Iterable[str], origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of what a user's line says; typed pieces are one prompt."""
    events: list[Event] = []
    typed: list[str] = []
    for text in texts:
        for kind, piece in heard(text):
            if kind == TYPED:
                typed.append(piece)
            else:
                events.extend(_spoken(kind, piece, origin, clean))
    if typed:
        whole = "\n\n".join(typed)
        kept = clean.text(without_addition(whole), PROMPT)
        events.append(UserSaid(origin, kept, len(whole)))
    return events


def added(
    texts: Iterable[str], kind: str, origin: Origin, clean: Cleaner
) -> list[Event]:
    """Return the events of text that no user typed, whatever it looks like."""
    return [
        event
        for text in texts
        for own, piece in heard(text)
        for event in _spoken(kind if own in _BY_USER else own, piece, origin, clean)
    ]


def ran(text: str, origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of a command the client ran by itself: only its name is typed."""
    return [
        event
        for own, piece in heard(text)
        for event in _spoken(
            "command-output" if own == TYPED else own, piece, origin, clean
        )
    ]


def not_from_user(line: Line, agent: str) -> str:
    """Return what kind of context a user's line is, or nothing if a user wrote it.

    An accepted plan comes as the prompt "Implement the following plan:". The user chose
    it and did not write it, so it stays a prompt: the analysis sets its text apart like
    any long paste.
    """
    if agent:
        return "agent-prompt"
    if line.source_call is not None:
        return "skill"
    if line.is_meta is True:
        return "meta"
    if line.prompt_source == "system" or not is_human(line.speaker):
        return "notification"
    return ""


def is_human(speaker: object) -> bool:
    """Say whether a line's `origin` leaves the words to the user."""
    return not isinstance(speaker, dict) or speaker.get("kind") in _HUMAN


def _spoken(kind: str, text: str, origin: Origin, clean: Cleaner) -> Iterator[Event]:
    if kind == BY_COMMAND:
        kept = clean.text(text, PROMPT)
        yield UserSaid(origin, kept, len(text), command_via(kept))
    elif kind == SHELL:
        yield UserSaid(origin, clean.text(text, PROMPT), len(text), "shell")
    elif kind == INTERRUPTED:
        yield Interrupted(origin)
    elif kind == SUMMED_UP and not origin.agent:
        yield Summarised(origin, clean.text(text, SUMMARY), len(text))
    else:
        kept = clean.text(text, CONTEXT)
        yield ContextAdded(origin, kind, kept)
        if kind == _NOTIFIED and not origin.agent and (ended := work_ended(kept)):
            yield WorkEnded(origin, *ended)
