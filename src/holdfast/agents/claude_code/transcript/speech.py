"""From words that stand where a user's would to events: who instructs, and who does not."""

from collections.abc import Iterable

from holdfast.agents.claude_code.transcript.lines import Line
from holdfast.agents.claude_code.transcript.words import (
    COMMAND as BY_COMMAND,
    INTERRUPTED,
    SHELL,
    SUMMARY as SUMMED_UP,
    TYPED,
    heard,
)
from holdfast.agents.clean import CONTEXT, PROMPT, SUMMARY, Cleaner
from holdfast.domain.event import (
    ContextAdded,
    Event,
    Interrupted,
    Origin,
    Summarised,
    UserSaid,
)

_BY_USER = frozenset([TYPED, BY_COMMAND, SHELL])
_HUMAN = (None, "human")


def said(texts: Iterable[str], origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of what a user's line says; typed pieces are one prompt."""
    events: list[Event] = []
    typed: list[str] = []
    for text in texts:
        for kind, piece in heard(text):
            if kind == TYPED:
                typed.append(piece)
            else:
                events.append(_spoken(kind, piece, origin, clean))
    if typed:
        whole = "\n\n".join(typed)
        events.append(UserSaid(origin, clean.text(whole, PROMPT), len(whole)))
    return events


def added(
    texts: Iterable[str], kind: str, origin: Origin, clean: Cleaner
) -> list[Event]:
    """Return the events of text that no user typed, whatever it looks like."""
    return [
        _spoken(kind if own in _BY_USER else own, piece, origin, clean)
        for text in texts
        for own, piece in heard(text)
    ]


def ran(text: str, origin: Origin, clean: Cleaner) -> list[Event]:
    """Return the events of a command the client ran by itself: only its name is typed."""
    return [
        _spoken("command-output" if own == TYPED else own, piece, origin, clean)
        for own, piece in heard(text)
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


def _spoken(kind: str, text: str, origin: Origin, clean: Cleaner) -> Event:
    if kind == BY_COMMAND:
        return UserSaid(origin, clean.text(text, PROMPT), len(text), "command")
    if kind == SHELL:
        return UserSaid(origin, clean.text(text, PROMPT), len(text), "shell")
    if kind == INTERRUPTED:
        return Interrupted(origin)
    if kind == SUMMED_UP and not origin.agent:
        return Summarised(origin, clean.text(text, SUMMARY), len(text))
    return ContextAdded(origin, kind, clean.text(text, CONTEXT))
