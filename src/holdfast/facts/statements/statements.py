"""What the agent and the user said that stays true: decisions, what is next and by whose
hand, and what was asked and not answered yet.

"Remaining work:" heads steps; "Remaining calls are fine:" heads what needs none.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Said, Turn
from holdfast.domain.text import extent
from holdfast.facts.requests.requests import is_request, last_at_work, words_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues, GuardedCues
from holdfast.language.prose import (
    excerpt,
    is_bullet,
    is_heading,
    is_question,
    plain,
    sentences,
    without_code,
)
from holdfast.language.speech import is_procedure

_MOST = 25
_SHORTEST, _LONGEST = 20, 320
_DECIDED = GuardedCues(lambda spoken: spoken.statements.decided)
_USER_DECIDED = GuardedCues(lambda spoken: spoken.statements.user_decided)

# Told as a decision, a sentence need not say that it is one.
_SAYS_DECIDED = Cues(lambda spoken: spoken.statements.says_decided)

# `Question: which of these:`, above the list of what may be answered.
_QUESTION_HEADING = Cues(lambda spoken: spoken.questions.heading)

_STEPS_HEADING = Cues(lambda spoken: spoken.next_steps.heading)

# What is listed there needs nothing, or has it already.
_LEFT_ALONE = Cues(lambda spoken: spoken.next_steps.left_alone, common="✅")
_DONE = pattern(r"^\s*(?:[-*•+]|\d{1,3}[.)])?\s*(?:\[[xX]\]|✅|☑|~~)")
_SAYS_NEXT = Cues(lambda spoken: spoken.next_steps.says)

# What is named or put in brackets is not said; what is to be looked at is not known.
_ASIDE = pattern(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\([^)]*\)")
_BY_HAND = Cues(lambda spoken: spoken.next_steps.by_hand)
_SHORTEST_STEP, _LONGEST_STEP = 15, 300  # characters of what the user must do
_TO_BE_SEEN = Cues(lambda spoken: spoken.next_steps.unsure)


def decisions_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what was decided and by whom, oldest first."""
    return newest(item for turn in reversed(turns) for item in _decisions_in(turn))


def next_lines_of(said: Said | None) -> tuple[Item, ...]:
    """Return what the agent's last message names as next."""
    if said is None:
        return ()
    return _once([item_of(text, "agent", said) for text in next_texts_of(said)])


def manual_steps_of(said: Said | None) -> tuple[Item, ...]:
    """Return what the agent's last message leaves to the user's own hands."""
    if said is None:
        return ()
    return _once([item_of(text, "agent", said) for text in manual_texts_of(said)])


def open_questions_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what the user was asked and has not answered."""
    last = last_at_work(turns)
    if last is None:
        return ()
    asked = [
        Item(excerpt(call.target), "agent", (call.uuid,), excerpt(call.target))
        for call in last.calls
        if call.role == "ask" and call.outcome in ("pending", "interrupted")
    ]
    if last.said and not (last.calls and last.calls[-1].at > last.said[-1].at):
        closing = sentences(last.said[-1].text)[-3:]
        asked += [item_of(s, "agent", last.said[-1]) for s in closing if is_question(s)]
        if listed := _asked_in_list(last.said[-1].text):
            asked.append(item_of(listed, "agent", last.said[-1]))
    return _once(asked)


def _asked_in_list(message: str) -> str:
    """Return the question that a message ends with, if it is put as a list."""
    entries: list[str] = []
    for line in reversed(without_code(message)):
        if is_bullet(line):
            entries.append(line.replace("**", "").strip())
        elif line.strip():
            asked = plain(line)
            is_asked = is_heading(line) and _QUESTION_HEADING.match(asked)
            return " ".join((asked, *reversed(entries))) if entries and is_asked else ""
    return ""


def _decisions_in(turn: Turn) -> Iterator[Item]:
    """Yield the decisions of one turn, the newest first."""
    for said, sentence in _spoken(turn, _DECIDED):
        told = _SAYS_DECIDED.sub("", sentence)
        yield item_of(told, "agent", said)
    for call in reversed(turn.calls):
        for asked, chosen in reversed(call.choices if call.outcome == "ok" else ()):
            told = f"{asked} → {chosen}"
            yield Item(told, "user", call.evidence, excerpt(chosen))
    if is_request(turn) and _USER_DECIDED.may_be_in(turn.prompt):
        for sentence in reversed(sentences(words_of(turn))):
            if _USER_DECIDED.is_in(sentence) and is_told(sentence):
                yield Item(sentence, "user", (turn.uuid,), excerpt(sentence))


def _spoken(turn: Turn, cue: GuardedCues) -> Iterator[tuple[Said, str]]:
    """Yield what the agent said with a cue in it, the newest first."""
    for said in reversed(turn.said):
        if cue.may_be_in(said.text):
            for sentence in reversed(sentences(said.text)):
                if cue.is_in(sentence) and is_told(sentence):
                    yield said, sentence


def is_told(sentence: str) -> bool:
    return (
        _SHORTEST <= extent(sentence) <= _LONGEST
        and not is_procedure(sentence)
        and not sentence.endswith((":", "："))
        and not is_question(sentence)
    )


def item_of(text: str, source: Literal["user", "agent"], said: Said) -> Item:
    return Item(text, source, (said.uuid,), excerpt(text))


def _once(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return each statement once."""
    unique: dict[str, Item] = {}
    for item in items:
        unique.setdefault(" ".join(item.text.lower().split()), item)
    return tuple(unique.values())[:_MOST]


def newest(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the newest of statements that come newest first, the oldest of them first.

    Looks no further back than it must: a long session has thousands of messages.
    """
    return tuple(reversed(_once(islice(items, 2 * _MOST))))


def next_texts_of(said: Said) -> Iterator[str]:
    """Yield what a message names as next."""
    is_listing = False
    for line in without_code(said.text):
        if not line.strip():
            continue
        if is_listing and is_bullet(line):
            if not _DONE.match(line) and not is_question(text := plain(line)):
                yield text
            continue
        is_listing = is_heading(line) and _heads_steps(plain(line))
        if not is_listing:
            yield from filter(_says_next, sentences(line))


def manual_texts_of(said: Said) -> Iterator[str]:
    """Yield what a message says that the user must do by hand, in its own words."""
    for line in without_code(said.text):
        for sentence in () if _DONE.match(line) else sentences(line):
            leads = _BY_HAND.match(sentence)
            deed = sentence[leads.end() :] if leads else ""
            if _SHORTEST_STEP <= len(deed) <= _LONGEST_STEP and not is_question(
                sentence
            ):
                yield deed


def _heads_steps(heading: str) -> bool:
    spoken = sentences(heading)
    last = spoken[-1] if spoken else heading
    return bool(_STEPS_HEADING.search(last)) and not _LEFT_ALONE.search(last)


def _says_next(sentence: str) -> bool:
    said = _ASIDE.sub("“”", sentence)
    return (
        _SAYS_NEXT.search(said) is not None
        and not _TO_BE_SEEN.search(said)
        and not is_question(sentence)
    )
