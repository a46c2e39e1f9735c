"""What the user asked for, in the user's own words and in order, and what the user refused."""

from collections.abc import Sequence
from functools import lru_cache

from holdfast.domain.checkpoint import Item, context_of
from holdfast.domain.event import LOOKING, SHELL
from holdfast.domain.fact import RequestContext, about_of
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import extent, one_line
from holdfast.facts.commands.result_lines import failure_line, says_what
from holdfast.facts.commands.runs import deed_of
from holdfast.facts.requests.options import picked_option
from holdfast.facts.requests.questions import closing_question
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.language.agent_messages import is_filler, says_nothing, told_done, told_in
from holdfast.language.languages import Cues
from holdfast.language.printed_prompts import is_only_printed
from holdfast.language.quotations import own_words
from holdfast.language.sentences import (
    PASTED,
    excerpt,
    is_accepted_plan,
    is_machine,
    is_question,
    pasted_text,
    plain,
    sentences,
    typed_words,
)

_OURS = ("/holdfast:", "/ckpt", "/pickup")
_SHORT_ANSWER = 60  # characters; a longer prompt can stand alone
_BARE_ANSWER = 16  # "yes", "go on", "do the second"
_CLOSING = 4  # sentences in which a message asks
_RECENT = 40  # turns; of older requests only the words are told
_ABOUT = 130  # characters of what a request is about
_MOSTLY = 3  # one line in so many is output, where a program printed what was pasted
_FIRST, _FEW_WORDS = 4, 3  # lines at the most, and words at the least, of a beginning
_CAME_TO, _ASKED, _PROPOSED, _PASTE_SAYS = 240, 400, 600, 900  # characters
_PART_OF = 200  # characters of the request that another one is part of
_STANDS = 25  # letters; fewer say "commit and push", "go on with that"
_REFUTES = Cues(lambda spoken: spoken.statements.refutes)
_STILL = Cues(lambda spoken: spoken.statements.still)
_COMPLAINT = 160  # characters in which somebody complains
_SENT_AGAIN = 3  # requests
_SURE = 60  # characters that tell two remarks apart
_NAMES_SOMETHING = pattern(r"[/.\\_]\w|`|\b[a-z]+[A-Z]")


def is_request(turn: Turn) -> bool:
    """Say whether a turn begins with something the user wants done."""
    if turn.via not in ("typed", "command") or not turn.prompt.strip():
        return False
    if turn.via == "typed":
        return True
    # Commands of this tool steer the session as the client's do; they ask for no work.
    return not turn.prompt.startswith(_OURS)


def is_at_work(turn: Turn) -> bool:
    """Say whether something was asked or done in a turn: not so where the user only
    steered the client, or ran a command without the agent."""
    alone = 1 if turn.via == "shell" else 0  # calls that need no agent
    return bool(turn.said) or len(turn.calls) > alone or is_request(turn)


def last_at_work(turns: Sequence[Turn]) -> Turn | None:
    """Return the turn in which the work stands, whatever the client was told since."""
    return next((turn for turn in reversed(turns) if is_at_work(turn)), None)


def words_of(turn: Turn) -> str:
    """Return what the user typed to begin a turn, without long pastes."""
    return typed_words(turn.prompt)


def said_in(turn: Turn) -> str:
    """Return what the user said to begin a turn, without what the user showed: only
    that can lay down a rule, settle something or give the work its name."""
    return own_words(turn.prompt)


def requests_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return the user's requests, verbatim, each with what it needs to be understood."""
    found: list[Item] = []
    before: Turn | None = None
    for place, turn in enumerate(turns):
        if is_request(turn):
            is_recent = place >= len(turns) - _RECENT
            if is_recent:
                _take_back_results(found, turn)
            found.append(_request(turn, before if is_recent else None))
        if is_at_work(turn):
            before = turn
    if found and (whole := _part_of(found)):
        context = replace(context_of(found[-1]), part_of=whole)
        found[-1] = replace(found[-1], about=about_of(context), fact=context)
    return tuple(found)


def _take_back_results(found: list[Item], turn: Turn) -> None:
    """Leave out what requests came to, where the user says that it is not so, that it
    is as before, shows what went wrong since, or asks for the same again."""
    is_still = refuted_by(turn) or _STILL.search(said_in(turn)[:_COMPLAINT])
    if found and (is_still or _shows_failure(turn)):
        found[-1] = _without_result(found[-1])
    words = words_of(turn).casefold().split()
    for place in range(max(0, len(found) - _SENT_AGAIN), len(found)):
        if len(words) > 1 and found[place].text.casefold().split() == words:
            found[place] = _without_result(found[place])


def _shows_failure(turn: Turn) -> bool:
    return is_only_printed(turn.prompt) and says_what(turn.prompt)


def refuted_by(turn: Turn) -> list[str]:
    """Return the sentences of a prompt that say of what the agent said before that it
    is not so."""
    return list(_refutations_in(said_in(turn))) if is_request(turn) else []


@lru_cache(maxsize=512)  # two passes of every checkpoint ask
def _refutations_in(words: str) -> tuple[str, ...]:
    found = (s for s in sentences(words) if _REFUTES.search(s))
    return tuple(s for s in found if not is_question(s))


def was_refused(call: Call) -> bool:
    """Say whether the user would not have a call: whatever it was, where the client
    says so; stopped without a word, one that would have done something."""
    if call.outcome != "interrupted":
        return call.outcome == "failed" and call.cause == "refused"
    if call.role in LOOKING or call.role == "ask":
        return False
    if call.role not in SHELL or call.cause == "refused":
        return True
    return bool(deed_of(call.target))


def waiting_plan(turns: Sequence[Turn]) -> Call | None:
    """Return the plan that was proposed last of all and is not accepted: it is to be
    decided, not to be avoided."""
    working = [turn for turn in turns if is_at_work(turn)][-2:]
    if len(working) > 1 and _is_only_said(working[1]):
        refused = refused_by(working[1], working[0])
        working = working[:1] if refused else working
    if not working or not working[-1].calls:
        return None
    last = working[-1]
    call = last.calls[-1]
    is_last = not (last.said and last.said[-1].at > call.at)
    is_waiting = call.outcome == "pending" or was_refused(call)
    return call if call.role == "plan" and is_last and is_waiting else None


def _part_of(requests: Sequence[Item]) -> str:
    """Return the last request that stands by itself, if the newest one does not: a slash
    command, a paste without words, or a short answer to no question."""
    if not _leans(requests[-1]):
        return ""
    earlier = (item.text for item in reversed(requests[:-1]) if _stands(item))
    return one_line(PASTED.sub("", next(earlier, "")), _PART_OF)


def _leans(request: Item) -> bool:
    context = context_of(request)
    if context.refusing or "?" in context.answering or "？" in context.answering:
        return False
    words = PASTED.sub("", request.text).strip()
    is_answer = extent(words) <= _STANDS and answers_question(words)
    return words.startswith("/") or is_answer


def _stands(request: Item) -> bool:
    """Say whether a request can be understood alone: no answer, not a few words."""
    words = PASTED.sub("", request.text).strip()
    context = context_of(request)
    if words.startswith("/") or context.answering or context.refusing:
        return False
    return extent(words) > _STANDS


def refused_by(turn: Turn, before: Turn | None) -> Call | None:
    """Return the call of the turn before that the words of this one refused."""
    words = one_line(turn.prompt, _SURE)
    for call in reversed(before.calls if before else ()):
        if call.refusal and one_line(call.refusal, _SURE) == words:
            return call
    return None


def answers_question(words: str) -> bool:
    """Say whether words are too short to be understood without what came before."""
    if extent(words) > _SHORT_ANSWER or is_question(words):
        return False
    # A path or an address alone is what was asked for.
    is_one_word = len(words.split()) == 1 and not words.startswith("/")
    return is_one_word or not _NAMES_SOMETHING.search(words)


def _request(turn: Turn, before: Turn | None) -> Item:
    words = words_of(turn)
    evidence = [turn.uuid] if turn.uuid else []
    context = RequestContext()
    if pasted := pasted_text(turn.prompt):
        is_plan = is_accepted_plan(turn.prompt)  # whose first line is its title
        is_shown = is_only_printed(turn.prompt)
        told = (
            (pasted[0], pasted[1:])
            if is_plan
            else _telling_line(pasted, is_shown=is_shown)
        )
        says = one_line(" ".join(told[1]), _PASTE_SAYS)
        context = RequestContext(one_line(told[0], _ABOUT), says)
    elif _shows_failure(turn):
        context = RequestContext(one_line(failure_line(turn.prompt), _ABOUT))
    elif refused := refused_by(turn, before):
        context = _refusing(refused)
        evidence.append(refused.uuid)
    elif before and answers_question(words):
        asked, uuid = _asked_before(before, words)
        if asked:
            evidence.append(uuid)
        context = RequestContext(
            answering=one_line(asked, _ASKED), proposed=_proposed_before(before, asked)
        )
    if before and (came := _came_to(turn)):
        context = replace(context, came_to=came)
    return Item(
        words,
        "user",
        tuple(evidence),
        excerpt(words),
        about=about_of(context),
        fact=context if about_of(context) else None,
    )


def _telling_line(
    pasted: Sequence[str], *, is_shown: bool
) -> tuple[str, Sequence[str]]:
    """Return the line of a paste that tells what it is, and the others: of what a
    program printed the one that says what went wrong, else the beginning, and more of it
    where that is a word or two."""
    printed = is_shown or sum(map(is_machine, pasted)) * _MOSTLY >= len(pasted)
    output = "\n".join(pasted)
    if printed and says_what(output):
        return failure_line(output), pasted
    first = next(
        (
            n
            for n in range(1, _FIRST)
            if len(" ".join(pasted[:n]).split()) >= _FEW_WORDS
        ),
        _FIRST,
    )
    return " ".join(pasted[:first]), pasted[first:]


def _without_result(request: Item) -> Item:
    """Return a request without what the agent said it came to."""
    context = replace(context_of(request), came_to="")
    about = about_of(context)
    return replace(request, about=about, fact=context if about else None)


def _refusing(call: Call) -> RequestContext:
    if call.role == "ask":
        return RequestContext(answering=one_line(call.target, _ABOUT))
    aim = plain(call.target.strip().partition("\n")[0])
    if aim.startswith(("/", "~/")) and " " not in aim:
        aim = aim.rpartition("/")[2]
    return RequestContext(refusing=one_line(f"{call.tool} {aim}", _ABOUT))


def _came_to(turn: Turn) -> str:
    """Return what the agent said at the end of a turn, in a sentence."""
    return one_line(told_done(turn.said[-1].text), _CAME_TO) if turn.said else ""


def _asked_before(turn: Turn, words: str) -> tuple[str, str]:
    """Return the question the agent ended a turn with, and the option that the words
    pick; to a word or two, its last sentence that says something."""
    if not turn.said:
        return "", ""
    last = turn.said[-1]
    asked = closing_question(last.text, _CLOSING)
    if picked := picked_option(words, last.text):
        return f"{asked.question} {picked}".strip(), last.uuid
    if asked.question or extent(words) > _BARE_ANSWER:
        return asked.whole, last.uuid
    closing = reversed(sentences(last.text)[-_CLOSING:])
    said = (s for s in closing if not (is_filler(s) or says_nothing(s)))
    return next(said, ""), last.uuid


def _proposed_before(turn: Turn, asked: str) -> str:
    """Return the last lines of what the user said yes or no to, if the question alone
    does not say it: "Shall I do that?" """
    if not asked.endswith(("?", "？")) or _NAMES_SOMETHING.search(asked):
        return ""
    if closing_question(turn.said[-1].text, _CLOSING).entries:
        return ""  # a question that puts a list says what is proposed
    kept: list[str] = []
    left = _PROPOSED
    for line in reversed(told_in(turn.said[-1].text).split("\n")):
        left -= extent(line)
        if left < 0 or asked in line:
            break
        kept.append(line)
    return " ".join(reversed(kept))


def _is_only_said(turn: Turn) -> bool:
    """Say whether nothing followed the user's words yet."""
    return not (turn.said or turn.calls)
