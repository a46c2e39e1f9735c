"""What was decided: by an answer to the agent's question, by a plan that was accepted, or
in words that the user typed. What an agent says that it will use is no decision."""

from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.event import EDITING
from holdfast.domain.fact import AcceptedPlan, ChosenAnswer
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import extent, one_line
from holdfast.facts.requests.options import picked_option
from holdfast.facts.requests.questions import ClosingQuestion, closing_question
from holdfast.facts.requests.requests import (
    answers_question,
    is_at_work,
    is_request,
    said_in,
)
from holdfast.facts.statements.statements import is_told, newest
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues, GuardedCues
from holdfast.language.quotations import without_quotes
from holdfast.language.sentences import (
    excerpt,
    is_title,
    plain,
    sentences,
    words_in,
)

_USER_DECIDED = GuardedCues(lambda spoken: spoken.statements.user_decided)
_SETTLES = Cues(lambda spoken: spoken.requests.settles)
_OFFERS_A_CHOICE = Cues(lambda spoken: spoken.questions.which)
_TELLS_LATER = Cues(lambda spoken: spoken.questions.tells_later)
_ONLY_PLANS = Cues(lambda spoken: spoken.questions.only_plans)
_BEGINS = EDITING | {"plan"}
_NOTED = pattern(r"(.+?)\s*[(（](.+)[)）]")
_ASKED = 240  # characters of a question
_CLOSING = 4  # sentences in which a message asks
_TITLE = 160


def decisions_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what was decided and by whom, oldest first."""
    return newest(_decisions(turns))


def _decisions(turns: Sequence[Turn]) -> Iterator[Item]:
    """Yield the decisions, the newest first."""
    is_begun = False  # the plan was accepted, or files were changed
    for place in reversed(range(len(turns))):
        turn = turns[place]
        for call in reversed(turn.calls):
            if call.outcome == "ok" and (call.choices or call.role == "plan"):
                yield from _decided_by(call, is_begun=is_begun)
            is_begun = is_begun or (call.outcome == "ok" and call.role in _BEGINS)
        if is_request(turn):
            before = (turns[n] for n in reversed(range(place)) if is_at_work(turns[n]))
            yield from _typed(turn, next(before, None))


def _decided_by(call: Call, *, is_begun: bool) -> Iterator[Item]:
    """Yield what a call settled: not what the user will only say, nor that it was to be
    planned first, once that is over."""
    for asked, answer in reversed(call.choices):
        if _TELLS_LATER.match(answer) or (is_begun and _ONLY_PLANS.search(answer)):
            continue
        chosen = _without_repetition(answer)
        fact = ChosenAnswer(asked, chosen)
        yield fact_item(fact, "user", call.evidence, excerpt(chosen))
    if call.role == "plan" and (title := _title(call.target or call.output)):
        says = excerpt(plain(call.target))
        yield fact_item(AcceptedPlan(title), "engine", call.evidence, says)


def _without_repetition(answer: str) -> str:
    """Return an answer without a note behind it that says the same."""
    noted = _NOTED.fullmatch(answer)
    return noted[1] if noted and noted[2].strip() in noted[1] else answer


def _title(plan: str) -> str:
    """Return what a plan is called: its heading, or its first line."""
    lines = [line for line in plan.split("\n") if line.strip()]
    heading = next(
        (line for line in lines if is_title(line)), lines[0] if lines else ""
    )
    return one_line(plain(heading.lstrip("# ")), _TITLE)


def _typed(turn: Turn, before: Turn | None) -> Iterator[Item]:
    """Yield what the user typed that settles something, the newest first."""
    words = said_in(turn)
    last = before.said[-1] if before and before.said else None
    may_decide = _USER_DECIDED.may_be_in(turn.prompt)
    may_answer = last is not None and answers_question(words)
    if not (may_decide or may_answer):
        return
    asked = closing_question(last.text, _CLOSING) if last else ClosingQuestion()
    if last and may_answer and (choice := _choice(words, asked, last.text)):
        lines = tuple(filter(None, (turn.uuid, last.uuid)))
        yield fact_item(choice, "user", lines, excerpt(words))
        return
    if not may_decide:
        return
    for sentence in reversed(sentences(words)):
        said = without_quotes(sentence)
        is_settled = bool(asked.question) or _SETTLES.search(said)
        if is_settled and _USER_DECIDED.is_in(said) and is_told(sentence):
            yield Item(sentence, "user", (turn.uuid,), excerpt(sentence))


def _choice(words: str, asked: ClosingQuestion, message: str) -> ChosenAnswer | None:
    """Return the choice that an answer makes: by the label of an option, or by naming
    one of those that the question named. To say the words of "All right?" again is to
    nod."""
    if picked := picked_option(words, message):
        return ChosenAnswer(one_line(asked.question, _ASKED), picked)
    named = words_in(words.casefold())
    is_named = bool(named) and named < words_in(asked.whole.casefold())
    if not (is_named and extent(words) and _OFFERS_A_CHOICE.search(asked.whole)):
        return None
    return ChosenAnswer(one_line(asked.question, _ASKED), one_line(words, _ASKED))
