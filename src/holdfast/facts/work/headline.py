"""What stands: a title and a few sentences in the words people used, and the three to
seven things achieved that a person would name."""

import re
from collections.abc import Sequence

from holdfast.domain.checkpoint import (
    Content,
    FileRef,
    Item,
    context_of,
    current_request,
    fact_item,
    goal_fact,
    is_goal,
    is_open,
    said_since,
)
from holdfast.domain.event import EDITING
from holdfast.domain.fact import (
    ChangedFiles,
    Commit,
    CreatedFile,
    PassingCommand,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.domain.session import Turn
from holdfast.domain.text import extent, one_line, visible
from holdfast.facts.commands.runs import Ran, commit_subject, runs_of
from holdfast.facts.requests.goal import bare_words, says_no_work
from holdfast.facts.requests.requests import is_request
from holdfast.facts.work.files import modified
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.agent_messages import (
    telling_sentences,
    told_done,
    told_in,
)
from holdfast.language.languages import Cues
from holdfast.language.sentences import sentences

MOST_TITLE = 70
_MOST_SENTENCE = 220
_MARKER = pattern(r"\[pasted \d+ lines\]")
_ABSTRACT = Cues(lambda spoken: spoken.requests.bare)

# Said about something, but not what is to be done.
_NO_GIST = Cues(lambda spoken: spoken.requests.no_gist, common=r"^\W")
_OPENING = Cues(lambda spoken: spoken.requests.told_opening)
_SHORTEST = 12
_LONGEST_TOLD = 110  # a sentence much longer than a title cannot be cut to one
_LOOK_BACK = 6  # requests
_WANTED, _STILL_WANTED = "The user asked:", "The user still wants:"

_FEWEST_OUTCOMES, _MOST_OUTCOMES = 3, 7
_MAKES_REPOSITORY = pattern(r"(?:^|[;&|(])\s*git init\b", re.MULTILINE)


def title_of(content: Content, turns: Sequence[Turn], given: str, red: int) -> str:
    """Return one readable line of at most 70 characters; `red` counts what is broken."""
    told = (
        _latest(content, turns) or _from_files(content) or given or "Nothing done yet"
    )
    mark = f"; {red} open error{'' if red == 1 else 's'}" if red else ""
    line = one_line(visible(told).replace("`", ""), MOST_TITLE - len(mark))
    return _capital(line.rstrip(" .;,:?!。、，；：？！")) + mark


def summary_of(content: Content) -> str:
    """Return three to five sentences: the goal, what was done, where it stands, next."""
    parts = [_goal(content), _done(content), _stands(content), _open(content)]
    parts.append(_coming(content))
    return " ".join(part for part in parts if part)


def commits_of(runs: Sequence[Ran]) -> tuple[Item, ...]:
    """Return the commits made, by subject, oldest first."""
    found: dict[str, Item] = {}
    for run in runs:
        subject = commit_subject(run.call.target) if run.kind == "commit" else ""
        # Who makes a repository to commit in tries something out.
        if (
            subject
            and run.call.outcome == "ok"
            and not _MAKES_REPOSITORY.search(run.call.target)
        ):
            found[subject] = fact_item(
                Commit(subject),
                "tool",
                tuple(reversed(run.call.evidence)),  # the call has the subject
                run.call.output[:300],
            )
    return tuple(found.values())


def outcomes_of(
    runs: Sequence[Ran], files: Sequence[FileRef], done: Sequence[Item]
) -> tuple[Item, ...]:
    """Return commits, tests gone green, tasks done and files made, in this order."""
    made = [
        fact_item(CreatedFile(file.path, file.lines_added))
        for file in files
        if file.change == "created"
    ]
    chosen = [*commits_of(runs)[-4:], *_gone_green(runs)[-2:]]
    chosen += (
        done[-(_MOST_OUTCOMES - len(chosen)) :] if len(chosen) < _MOST_OUTCOMES else []
    )
    chosen += made[: max(0, _MOST_OUTCOMES - len(chosen))]
    if len(chosen) < _FEWEST_OUTCOMES:
        chosen += _still_green(runs)[-1:]
    if len(chosen) < _FEWEST_OUTCOMES and (changed := modified(files)):
        chosen.append(_sum_of(changed))
    return tuple(chosen[:_MOST_OUTCOMES])


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
    spoken = sentences(_MARKER.sub("", request.text))
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
    spoken = sentences(_MARKER.sub("", words))
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
        f'{_WANTED if goal.origin is None else _STILL_WANTED} "{_quoted(goal)}".'
        for goal in content.goal
    ]
    if current:
        question = context_of(current).answering
        asked = f" (to: {one_line(question, 120)})" if question else ""
        begins = "The last request was" if told else _WANTED
        told.append(f'{begins} "{_quoted(current)}"{asked}.')
    return " ".join(told)


def _quoted(request: Item) -> str:
    return one_line(_words(request), 200)


def _words(request: Item) -> str:
    """Return what a request says; of a paste that says nothing, how it begins."""
    told = " ".join(sentences(_MARKER.sub("", request.text)))
    pasted = goal_fact(request).title or context_of(request).pasted
    return pasted if pasted and (not told or _ABSTRACT.match(told)) else told


def _done(content: Content) -> str:
    changed = modified(content.files)
    outcomes = [
        item for item in content.key_outcomes if not isinstance(item.fact, ChangedFiles)
    ]
    if not changed and not outcomes:
        read = len(content.files)
        return f"No file was changed; {read} were read." if read else ""
    parts = []
    left = [file for file in changed if file.change != "deleted"]
    if left:
        added = sum(file.lines_added for file in left)
        removed = sum(file.lines_removed for file in left)
        parts.append(f"changed {_some_paths(left)} (+{added} −{removed})")
    if gone := [file for file in changed if file.change == "deleted"]:
        parts.append(f"deleted {_some_paths(gone)}")
    told = [item.text for item in outcomes if not isinstance(item.fact, CreatedFile)]
    parts += told[:3]
    return _ended(_capital("; ".join(parts)))


def _stands(content: Content) -> str:
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


def _open(content: Content) -> str:
    red = [error for error in content.errors if is_open(error)]
    if not red:
        return ""
    more = f" and {len(red) - 1} more" if len(red) > 1 else ""
    return _ended(f"Open: {one_line(red[0].text, _MOST_SENTENCE)}{more}")


def _coming(content: Content) -> str:
    if content.next_steps:
        told = "; ".join(one_line(item.text, 100) for item in content.next_steps[:3])
        return _ended(f"Next: {told}")
    if content.open_questions:
        return (
            f'Waiting for an answer: "{one_line(content.open_questions[0].text, 200)}"'
        )
    return ""


def _some_paths(files: Sequence[FileRef]) -> str:
    shown = ", ".join(file.path for file in files[:3])
    more = len(files) - 3
    return f"{shown} and {more} more" if more > 0 else shown


def _ended(text: str) -> str:
    """Return a sentence with its stop, which what it quotes may have brought along."""
    return text if text.endswith((".", "!", "?", "…", "。")) else f"{text}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _gone_green(runs: Sequence[Ran]) -> list[Item]:
    """Commands that failed and now go well, the latest last."""
    red: set[str] = set()
    green: dict[str, Item] = {}
    for run in runs:
        if run.failed:
            red.add(run.key)
            green.pop(run.key, None)
        elif (
            run.key in red and not run.hidden and run.kind in ("test", "check", "build")
        ):
            green.pop(run.key, None)
            green[run.key] = _passing(run, again=True)
    return list(green.values())


def _still_green(runs: Sequence[Ran]) -> list[Item]:
    """Tests whose last run went well and that never failed."""
    last = {run.key: run for run in runs if run.kind == "test"}
    red = {run.key for run in runs if run.failed}
    return [
        _passing(run, again=False)
        for key, run in last.items()
        if key not in red and not run.hidden
    ]


def _passing(run: Ran, *, again: bool) -> Item:
    fact = PassingCommand(run.shown, again)
    return fact_item(fact, "tool", run.call.evidence, run.call.output[:300])


def _sum_of(changed: Sequence[FileRef]) -> Item:
    added = sum(file.lines_added for file in changed)
    removed = sum(file.lines_removed for file in changed)
    return fact_item(ChangedFiles(len(changed), added, removed))
