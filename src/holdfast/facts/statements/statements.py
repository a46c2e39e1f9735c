"""What the agent said that stays true: what it found out, settled and did not take back,
what is next and by whose hand, and what was asked and not answered yet.

"Remaining work:" heads steps; "Remaining calls are fine:" heads what needs none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Literal

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Said, Turn
from holdfast.domain.text import extent
from holdfast.facts.requests.options import offered_lines
from holdfast.facts.requests.questions import closing_questions, is_courtesy
from holdfast.facts.requests.requests import last_at_work, refuted_by
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.agent_messages import is_procedure, names_something
from holdfast.language.languages import Cues, GuardedCues
from holdfast.language.sentences import (
    but_for_figures,
    excerpt,
    is_bullet,
    is_heading,
    is_question,
    is_title,
    plain,
    sentences,
    without_code,
)

_MOST = 25
_SHORTEST, _LONGEST = 20, 320
_LEAST_CLOSING = 3  # sentences
_SAYS_LITTLE = 40  # letters of a question
_FEW_WORDS = 3  # of a label
_DECIDED = GuardedCues(lambda spoken: spoken.statements.decided)

# Told as a decision, a sentence need not say that it is one.
_SAYS_DECIDED = Cues(lambda spoken: spoken.statements.says_decided)

# `Question: which of these:`, above the list of what may be answered.
_QUESTION_HEADING = Cues(lambda spoken: spoken.questions.heading)

_TELL_ME = Cues(lambda spoken: spoken.questions.tell_me)
_STEPS_HEADING = Cues(lambda spoken: spoken.next_steps.heading)

# What is listed there needs nothing, or has it already.
_LEFT_ALONE = Cues(lambda spoken: spoken.next_steps.left_alone, common="✅")
_DONE = pattern(r"^\s*(?:[-*•+]|\d{1,3}[.)])?\s*(?:\[[xX]\]|✅|☑|~~)")
_SAYS_NEXT = Cues(lambda spoken: spoken.next_steps.says)

# What is named or put in brackets is not said; what is to be looked at is not known.
_ASIDE = pattern(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\([^)]*\)")
_BY_HAND = Cues(lambda spoken: spoken.next_steps.by_hand)
_BY_USER = Cues(lambda spoken: spoken.next_steps.by_user)
# A command, a path or a key.
_NAMES_DEED = pattern(
    r"`[^`]+`|(?<![\w:/])~?/?[\w.-]+/[\w./-]+|\b(?:Ctrl|Cmd|Strg|Shift|Alt)\s?[+-]|⌘|\bF\d\b",
    re.IGNORECASE,
)
_SHORTEST_STEP, _LONGEST_STEP = 15, 300  # characters of what the user must do
_TO_BE_SEEN = Cues(lambda spoken: spoken.next_steps.unsure)

_FOUND = GuardedCues(
    lambda spoken: spoken.statements.found, lambda spoken: spoken.statements.real_cause
)

# Says of what was found before that it is not so.
_NOT_IT = GuardedCues(lambda spoken: spoken.statements.not_it)

# Says so by naming another cause.
_REAL_CAUSE = Cues(lambda spoken: spoken.statements.real_cause.expression)
_ROOT_CAUSE = Cues(
    lambda spoken: "\n|".join(
        filter(
            None,
            (spoken.statements.root_cause, spoken.statements.real_cause.expression),
        )
    )
)

_FOREIGN = r"[\u0400-\u04ff\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
# A finding names something, gives a figure where letters are not Latin, or a reason.
_SAYS_WHAT = Cues(
    lambda spoken: spoken.statements.reason,
    common=rf"`|\w\(\)|\w[_/.]\w|[a-z][A-Z]|{_FOREIGN}\s?[A-Za-z][\w.-]{{2,}}|{_FOREIGN}.*\d|\d.*{_FOREIGN}",
    flags=re.VERBOSE,
)

# What may be so was not found out.
_SUPPOSES = Cues(lambda spoken: spoken.statements.supposes)

# A finding that points at what was said before it tells nothing alone.
_POINTS_BACK = Cues(lambda spoken: spoken.statements.points_back)
_NAME = pattern(r"`([^`]+)`|\b(\w+(?:[_.]\w+|\(\))|[a-z]+[A-Z]\w*)")
_NEAR = 1  # turns; what was said before them is not what "that" means


def settled_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what the agent said that it settled, oldest first: its word, and nobody's
    decision."""
    return newest(
        _item_of(_SAYS_DECIDED.sub("", sentence), "agent", said)
        for turn in reversed(turns)
        for said, sentence in _spoken(turn, _DECIDED)
    )


def next_lines_of(said: Said | None) -> tuple[Item, ...]:
    """Return what the agent's last message names as next."""
    if said is None:
        return ()
    return _once([_item_of(text, "agent", said) for text in _next_texts_of(said)])


def manual_steps_of(said: Said | None) -> tuple[Item, ...]:
    """Return what the agent's last message leaves to the user's own hands."""
    if said is None:
        return ()
    return _once([_item_of(text, "agent", said) for text in _manual_texts_of(said)])


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
        asked += [
            _item_of(question, "agent", last.said[-1])
            for question in _asked_at_the_end(last.said[-1].text)
        ]
        if listed := _asked_in_list(last.said[-1].text):
            asked.append(_item_of(listed, "agent", last.said[-1]))
    return _once(asked)


def _asked_at_the_end(message: str) -> Iterator[str]:
    """Yield the questions that a message closes with; one that says little, such as
    "What do you think?", with the sentence that it leans on."""
    asked = closing_questions(message, len(_closing(message)), _asks)
    for each in reversed([*asked]):
        if is_courtesy(each.question):
            continue
        leans = extent(each.whole) <= _SAYS_LITTLE and not names_something(each.whole)
        before = _said_before(each.whole, message) if leans else ""
        yield f"{before} {each.whole}".lstrip()


def _asks(sentence: str) -> bool:
    return is_question(sentence) or _TELL_ME.search(sentence) is not None


def _said_before(question: str, message: str) -> str:
    """Return the sentence before a question, where both are prose: an entry of a list
    or an option is one of many."""
    before, offered = "", offered_lines(message)
    for line in without_code(message):
        for sentence in sentences(line):
            if sentence == question:
                return before if is_told(before) else ""
            is_one = is_bullet(line) or is_heading(line) or line in offered
            before = "" if is_one else sentence
    return ""


def _closing(message: str) -> Sequence[str]:
    """Return the sentences of a message's last paragraph that is prose, and at least the
    last three: what is asked there waits, whatever comforts follow it."""
    paragraphs = [part for part in message.split("\n\n") if sentences(part)]
    last = sentences(paragraphs[-1]) if paragraphs else ()
    return max(last, sentences(message)[-_LEAST_CLOSING:], key=len)


def discoveries_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what the agent found out, oldest first, the root causes of a turn last;
    not what it took back, and of a figure that was found again, the last."""
    standing = _standing(_claims(turns))
    by_turn = (list(group) for _, group in groupby(standing, itemgetter(0)))
    return newest(_corrected(claim for group in by_turn for claim in _ranked(group)))


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


def _item_of(text: str, source: Literal["user", "agent"], said: Said) -> Item:
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


def _next_texts_of(said: Said) -> Iterator[str]:
    """Yield what a message names as next."""
    is_listing = is_headed = False  # a line that announces its list stands between
    for line in without_code(said.text):
        if not line.strip():
            continue
        if is_listing and is_bullet(line):
            is_headed = False
            if not _DONE.match(line) and not is_question(text := plain(line)):
                yield text
            continue
        leads = is_headed and is_heading(line) and not is_title(line)
        is_headed = is_title(line) and _heads_steps(plain(line))
        is_listing = leads or (is_heading(line) and _heads_steps(plain(line)))
        if not is_listing:
            steps = (s for s in sentences(line) if not s.endswith((":", "：")))
            yield from map(_without_label, filter(_says_next, steps))


def _without_label(step: str) -> str:
    """Return a step without the few words that only say that it is one: "Next: …"."""
    label, colon, deed = step.partition(":")
    is_label = deed and len(label.split()) <= _FEW_WORDS and _says_next(label + colon)
    return deed.strip() if is_label else step


def _manual_texts_of(said: Said) -> Iterator[str]:
    """Yield what a message says that the user must do by hand, in its own words: said to
    be so anywhere, or in its closing half a command or a key that the user is told."""
    lines = without_code(said.text)
    for place, line in enumerate(lines):
        is_closing = place * 2 >= len(lines) - 1
        for sentence in () if _DONE.match(line) else sentences(line):
            deed = _deed_for_user(sentence, is_closing=is_closing)
            if _SHORTEST_STEP <= len(deed) <= _LONGEST_STEP and not is_question(
                sentence
            ):
                yield deed


def _deed_for_user(sentence: str, *, is_closing: bool) -> str:
    if leads := _BY_HAND.match(sentence):
        return sentence[leads.end() :]
    is_told = is_closing and _NAMES_DEED.search(sentence) and _BY_USER.match(sentence)
    return sentence if is_told else ""


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


class _Claim(NamedTuple):
    """A sentence about a cause: that it is one, that something else is not, or both."""

    turn: int
    said: Said
    sentence: str
    finds: bool
    denies: bool  # that what was found is one
    replaces: bool  # it, by another one


def _claims(turns: Sequence[Turn]) -> Iterator[_Claim]:
    """Yield what was said about causes, the newest first."""
    for place in reversed(range(len(turns))):
        for said in reversed(turns[place].said):
            if _FOUND.may_be_in(said.text) or _NOT_IT.may_be_in(said.text):
                for sentence in reversed(sentences(said.text)):
                    claim = _claim(place, said, sentence)
                    if claim.finds or claim.denies or claim.replaces:
                        yield claim
        yield from _refutations(place, turns[place])


def _refutations(place: int, turn: Turn) -> Iterator[_Claim]:
    """Yield where the user says that what was found is not so."""
    for sentence in refuted_by(turn):
        asked = Said(turn.uuid, turn.at, sentence)
        yield _Claim(place, asked, sentence, finds=False, denies=True, replaces=False)


def _claim(turn: int, said: Said, sentence: str) -> _Claim:
    replaces = _REAL_CAUSE.search(sentence) is not None
    denies = _NOT_IT.is_in(sentence) and not is_question(sentence)
    return _Claim(turn, said, sentence, _FOUND.is_in(sentence), denies, replaces)


def _standing(claims: Iterable[_Claim]) -> Iterator[_Claim]:
    """Yield the findings that no later sentence took back; each takes back one."""
    open_ends: list[_Claim] = []
    for claim in claims:
        if claim.finds:
            later = next((end for end in open_ends if _means(end, claim)), None)
            if later is not None:
                open_ends.remove(later)
            elif _is_telling(claim.sentence):
                yield claim
        if claim.denies or claim.replaces:
            open_ends.append(claim)


def _means(later: _Claim, claim: _Claim) -> bool:
    """Say whether a sentence takes back this claim: by name, or as the last before it.

    Who names another cause names that one, and only refines what has the same name.
    """
    named, about = _names(later.sentence), _names(claim.sentence)
    is_near = later.turn - claim.turn <= _NEAR
    if later.replaces:
        return is_near and named.isdisjoint(about)
    return not named.isdisjoint(about) if named else is_near


def _names(sentence: str) -> set[str]:
    return {(one or other).strip("()") for one, other in _NAME.findall(sentence)}


def _is_telling(sentence: str) -> bool:
    return is_told(sentence) and not (
        _POINTS_BACK.match(sentence)
        or _SUPPOSES.search(sentence)
        or _SAYS_WHAT.search(sentence) is None
    )


def _ranked(claims: Sequence[_Claim]) -> list[_Claim]:
    """Return the findings of one turn, root causes first: they end a search."""
    return sorted(claims, key=lambda claim: not _ROOT_CAUSE.search(claim.sentence))


def _corrected(claims: Iterable[_Claim]) -> Iterator[Item]:
    """Yield findings without the older ones that differ in their figures only."""
    told: set[str] = set()
    for claim in claims:
        words = but_for_figures(claim.sentence)
        if words not in told:
            told.add(words)
            yield _item_of(claim.sentence, "agent", claim.said)
