"""What stands: a title, and three to five sentences in the words people used."""

from collections.abc import Sequence

from holdfast.domain.amounts import counted
from holdfast.domain.asked import current_request, is_goal
from holdfast.domain.checkpoint import (
    Content,
    FileRef,
    Item,
    context_of,
    goal_fact,
    is_open,
    said_since,
)
from holdfast.domain.event import EDITING
from holdfast.domain.fact import (
    Commit,
    PassingCommand,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.domain.session import Turn
from holdfast.domain.text import extent, one_line, visible
from holdfast.facts.commands.runs import runs_of
from holdfast.facts.requests.goal import bare_words, says_no_work
from holdfast.facts.requests.requests import is_request
from holdfast.facts.work.files import modified
from holdfast.facts.work.outcomes import commits_of, is_task
from holdfast.language.agent_messages import (
    telling_sentences,
    told_done,
    told_in,
)
from holdfast.language.languages import Cues
from holdfast.language.quotations import own_words
from holdfast.language.sentences import PASTED, sentences

MOST_TITLE = 70
_MOST_SENTENCE = 220
_MOST_STEP = 100
_ABSTRACT = Cues(lambda spoken: spoken.requests.bare)

# Said about something, but not what is to be done.
_NO_GIST = Cues(lambda spoken: spoken.requests.no_gist, common=r"^\W")
_OPENING = Cues(lambda spoken: spoken.requests.told_opening)
_SHORTEST = 12
_LONGEST_TOLD = 110  # a sentence much longer than a title cannot be cut to one
_LOOK_BACK = 6  # requests
_UNTOUCHED = "No file was touched."
_WANTED, _STILL_WANTED = "The user asked:", "The user still wants:"

_MOST_NAMED = 3  # of files and of tasks


def title_of(content: Content, turns: Sequence[Turn], given: str, red: int) -> str:
    """Return one readable line of at most 70 characters; `red` counts what is broken."""
    told = (
        _latest(content, turns) or _from_files(content) or given or "Nothing done yet"
    )
    mark = f"; {red} open error{'' if red == 1 else 's'}" if red else ""
    line = one_line(visible(told).replace("`", ""), MOST_TITLE - len(mark))
    return _capital(line.rstrip(" .;,:?!。、，；：？！")) + mark


def summary_of(content: Content) -> str:
    """Return three to five sentences: the goal, what was done, what the agent made of
    it, where it stands, what is next."""
    parts = (_goal, _done, _said_last, _stands, _coming)
    return " ".join(told for part in parts if (told := part(content)))


def _latest(content: Content, turns: Sequence[Turn]) -> str:
    """Return what the work for the goal came to, by a commit or by what the agent said
    was done, or else what the goal is; a goal that does not say it, by what was asked
    before."""
    asked = [turn for turn in turns if is_request(turn)][-_LOOK_BACK:]
    unclear, is_for_goal = "", True
    for turn, request in zip(reversed(asked), reversed(content.requests), strict=False):
        phrase = _subject(request)
        if not phrase and not _has_work(turn) and _is_aside(request):
            continue
        is_over = turn is not asked[-1] or _is_finished(content)
        told = _came_to(turn, content, is_over=is_over) if is_for_goal else ""
        if told or (phrase and not _NO_GIST.match(phrase)):
            return told or phrase
        unclear = unclear or phrase
        is_for_goal = is_for_goal and not is_goal(request, content)
    inherited = next((_subject(goal) for goal in content.goal if goal.origin), "")
    last = content.requests[-1].text if content.requests else ""
    return inherited or unclear or _phrase(last)


def _came_to(turn: Turn, content: Content, *, is_over: bool) -> str:
    told = "" if content.pending else _committed(turn)
    return told or (_said_done(turn) if is_over else "")


def _has_work(turn: Turn) -> bool:
    """Say whether something was changed or planned in a turn."""
    return any(call.role in EDITING or call.todos for call in turn.calls) or bool(
        _committed(turn)
    )


def _is_aside(request: Item) -> bool:
    """Say whether a request only lays down a rule, corrects, agrees, opines or says what
    the user will do: the work it was said in is another one's."""
    spoken = sentences(PASTED.sub("", request.text))
    return bool(spoken) and all(map(says_no_work, spoken))


def _subject(request: Item) -> str:
    """Return a request with content as a phrase, if that can be understood without what
    came before."""
    if context_of(request).role != "request" or _is_aside(request):
        return ""
    phrase = _phrase(request.text)
    if not phrase or _ABSTRACT.match(phrase):
        phrase = goal_fact(request).title or context_of(request).pasted or phrase
    return phrase if extent(phrase) >= _SHORTEST and not _ABSTRACT.match(phrase) else ""


def _phrase(words: str) -> str:
    spoken = sentences(PASTED.sub("", own_words(words)))
    told = [s for s in spoken if not says_no_work(s)]
    for sentence in told or spoken:
        phrase = bare_words(sentence)
        if extent(phrase) >= _SHORTEST and not _ABSTRACT.match(phrase):
            return phrase
    return spoken[0] if spoken else ""


def _committed(turn: Turn) -> str:
    """Return the subject of the last commit of a turn."""
    made = [item.fact for item in commits_of(runs_of(turn.calls))]
    subjects = [fact.subject for fact in made if isinstance(fact, Commit)]
    return subjects[-1].strip('"') if subjects else ""


def _is_finished(content: Content) -> bool:
    """Say whether the agent's last words close the last turn."""
    return not any(
        isinstance(item.fact, UnfinishedTurn | WaitingPlan)
        for item in content.in_flight
    )


def _said_done(turn: Turn) -> str:
    """Return the sentence of a turn's closing words that says what was done."""
    told = told_done(_unlisted(told_in(turn.said[-1].text))) if turn.said else ""
    bare = _OPENING.sub("", told)
    return bare if _SHORTEST < len(bare) <= _LONGEST_TOLD else ""


def _from_files(content: Content) -> str:
    changed = [f for f in modified(content.files) if f.change != "deleted"]
    return f"Changed {_some_paths(changed)}" if changed else ""


def _goal(content: Content) -> str:
    """Return what the work is for and what was asked last beside it, in the user's
    words: an earlier request is not told as the present one."""
    current = current_request(content)
    told = [
        f'{_WANTED if goal.origin is None else _STILL_WANTED} "{_quoted(goal)}"'
        for goal in content.goal
    ]
    if current:
        question = context_of(current).answering
        asked = f" (to: {one_line(question, 120)})" if question else ""
        begins = "the last request was" if told else _WANTED
        told.append(f'{begins} "{_quoted(current)}"{asked}')
    return f"{'; '.join(told)}." if told else ""


def _quoted(request: Item) -> str:
    return one_line(_words(request), 200)


def _words(request: Item) -> str:
    """Return what a request says; of a paste that says nothing, how it begins."""
    told = " ".join(sentences(PASTED.sub("", request.text)))
    pasted = goal_fact(request).title or context_of(request).pasted
    return pasted if pasted and (not told or _ABSTRACT.match(told)) else told


def _done(content: Content) -> str:
    """Return what was changed, committed, finished and shown to work."""
    changed = modified(content.files)
    parts = []
    if left := [file for file in changed if file.change != "deleted"]:
        added = sum(file.lines_added for file in left)
        removed = sum(file.lines_removed for file in left)
        parts.append(f"changed {_some_paths(left)} (+{added} −{removed})")
    if gone := [file for file in changed if file.change == "deleted"]:
        parts.append(f"deleted {_some_paths(gone)}")
    proved = [
        item.text
        for item in content.key_outcomes
        if isinstance(item.fact, Commit | PassingCommand)
    ]
    parts += proved[-_MOST_NAMED:]
    if tasks := [f'"{item.text}"' for item in content.key_outcomes if is_task(item)]:
        parts.append(f"finished {_some(tasks)}")
    if parts:
        return _ended(_capital("; ".join(parts)))
    read = len(content.files)
    if not read:
        return _UNTOUCHED
    return f"No file was changed; {counted(read, 'file')} {_were(read)} read."


def _said_last(content: Content) -> str:
    """Return what the agent said last, as its words; not what it said before that."""
    said = said_since(content)
    told = telling_sentences(_unlisted(said)) or telling_sentences(said)
    return f'The agent said last: "{_some_of(told)}"' if told else ""


def _unlisted(text: str) -> str:
    """Return what is told in sentences: an entry of a list is a part of something."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("- "))


def _some_of(spoken: Sequence[str]) -> str:
    """Return the first two sentences, or the first, if it is long."""
    both = " ".join(spoken[:2])
    return both if len(both) <= _MOST_SENTENCE else one_line(spoken[0], _MOST_SENTENCE)


def _stands(content: Content) -> str:
    """Return what fails, what is still going on and what is not committed."""
    parts = []
    if red := [error for error in content.errors if is_open(error)]:
        more = f" and {len(red) - 1} more" if len(red) > 1 else ""
        parts.append(f"{one_line(red[0].text, _MOST_SENTENCE)}{more}")
    going = (i for i in content.in_flight if isinstance(i.fact, RunningWork))
    parts += [one_line(item.text, _MOST_STEP) for item in going][:1]
    if waiting := content.uncommitted:
        parts.append(f"not committed: {_some(waiting)}")
    told = "; ".join(part.rstrip(".") for part in parts)
    is_only_waiting = len(parts) == 1 and content.uncommitted
    return (
        _ended(_capital(told) if is_only_waiting else f"Open: {told}") if told else ""
    )


def _coming(content: Content) -> str:
    if content.next_steps:
        steps = content.next_steps[:_MOST_NAMED]
        told = "; ".join(one_line(item.text, _MOST_STEP) for item in steps)
        return _ended(f"Next: {told}")
    if content.open_questions:
        return (
            f'Waiting for an answer: "{one_line(content.open_questions[0].text, 200)}"'
        )
    return "No next step was named." if content.requests else ""


def _some_paths(files: Sequence[FileRef]) -> str:
    return _some([file.path for file in files])


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _ended(text: str) -> str:
    """Return a sentence with its stop, which what it quotes may have brought along."""
    return text if text.endswith((".", "!", "?", "…", "。")) else f"{text}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
