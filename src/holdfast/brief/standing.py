"""Where the work stands: what is not committed, what is red, what runs, what is settled,
what the agent said last. What is open comes before what was said about it."""

from collections.abc import Iterator, Sequence

from holdfast.brief import phrases
from holdfast.brief.drift_marks import doubt_mark, ground_truth, marks
from holdfast.brief.last_said import last_said
from holdfast.brief.layout import BriefPart, Layout, entry
from holdfast.brief.phrases import (
    Paths,
    flat,
    forms,
    named,
    own,
    printed,
    printed_error,
    printed_text,
    shortened,
    spanned,
    talks,
)
from holdfast.brief.receipt import outcomes_alone
from holdfast.brief.user_requests import chosen_now, is_told_in_request
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import (
    CommandRef,
    Content,
    FileRef,
    Item,
    is_open,
    note_fact,
    said_since,
)
from holdfast.domain.fact import (
    ChosenAnswer,
    Commit,
    Failure,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.domain.text import extent, one_line, plain
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_values import replace
from holdfast.language.sentences import closing_sentences, sentences

_MOST_UNCOMMITTED = 28
_SHOWN_COMMAND = 60
_SHORT_ERROR, _ERROR = 130, 400  # letters of what failed and what it said
_SAID = (150, 240, 330, 480, 700, 1000, 1400, 2400)  # letters
# Letters of what is in hand, of what runs, and of where a turn ended.
_IN_HAND, _RUNNING, _AT = 110, 170, 90
_LEAST_RUNNING = 40
_WHY = 100  # characters of what the client answered


def standing_parts(
    subject: BriefSubject, paths: Paths, layout: Layout
) -> Iterator[BriefPart]:
    """Yield what says where the work stands, in the order it is told."""
    content = subject.content
    yield from _noted(subject)
    if subject.has_notes:
        yield from _said(subject)
    yield from _uncommitted(subject, paths)
    yield from _open_errors(content, layout)
    yield from _in_hand(content, layout)
    yield from _settled(content, is_merge=subject.is_merge)
    yield from _done(content)
    if not subject.has_notes:
        yield from _said(subject)


def uncommitted_files(subject: BriefSubject) -> list[FileRef]:
    """Return the files that are not committed, or were changed where nothing can be, the
    likeliest needed next first."""
    files, paths = subject.content.files, subject.content.uncommitted
    if not subject.is_versioned and not paths:  # nobody asked git: there is none
        return [f for f in files if f.change != "read" and f.origin is None]
    is_old = subject.code.dirty and subject.code.uncommitted is None
    if not paths and is_old:  # a record that was written without them
        return [file for file in files if file.change != "read"]
    known = {file.path: file for file in files}
    return [known.get(path) or FileRef(path, "edited") for path in paths]


def is_told_by(error: Item, command: CommandRef) -> bool:
    """Say whether an open error is this command's: it tells it, and what it came to."""
    fact = error.fact
    # On another side of a merge it may have gone well.
    if not isinstance(fact, Failure) or command.exit == 0:
        return False
    if fact.place != command.place:
        return False
    told = command.command.partition(" && ")[2] if fact.place else command.command
    return told == fact.command


def decisions_elsewhere(content: Content) -> list[Item]:
    """Return the decisions that stand in a request or in what was said last."""
    if not content.decisions:
        return []
    known = flat(content.last_words)
    return [
        item
        for item in content.decisions
        if _is_in(item, known) or is_told_in_request(item, content)
    ]


def _uncommitted(subject: BriefSubject, paths: Paths) -> Iterator[BriefPart]:
    since = marks(subject.drift)
    row = "uncommitted" if subject.is_versioned else "changed"
    for rank, file in enumerate(uncommitted_files(subject)[:_MOST_UNCOMMITTED]):
        told = phrases.changed(file, paths.shown(file.path)) + since.get(file.path, "")
        yield entry("stands", "uncommitted", rank, told, row, file)
    if checked := ground_truth(subject.drift):
        yield BriefPart("stands", "drift", 0, (checked,))


def _open_errors(content: Content, layout: Layout) -> Iterator[BriefPart]:
    for rank, item in enumerate(filter(is_open, content.errors)):
        room = _SHORT_ERROR if layout.is_short else _ERROR
        lengths = printed_error(item, room, _SHOWN_COMMAND)
        told = tuple(f"Open error: {text}" for text in lengths)
        known = (c for c in content.commands if is_told_by(item, c))
        yield BriefPart("stands", "error", rank, told, tells=(item, *known))


def _in_hand(content: Content, layout: Layout) -> Iterator[BriefPart]:
    for rank, (item, shown) in enumerate(_once_told(content)):
        told = _cut_off_shortly(shown) if layout.is_short else printed(shown, 200)
        says = item.excerpt if isinstance(item.fact, WaitingPlan) else ""
        longer = (f"{told}, {spanned(says)}",) if says and not talks(says) else ()
        yield BriefPart("stands", "in_flight", rank, (told, *longer), tells=(item,))


def _once_told(content: Content) -> Iterator[tuple[Item, Item]]:
    """Yield what is in hand, and as what it is shown: where a turn ended, without what
    the last words tell."""
    said = _bare(said_since(content))
    for item in content.in_flight:
        fact = item.fact
        if isinstance(fact, UnfinishedTurn) and fact.at:
            at = _besides(fact.at, said)
            if at != fact.at:
                bare = replace(fact, at=at)
                yield item, replace(item, text="".join(bare.wording()), fact=bare)
                continue
        yield item, item


def _besides(at: str, said: str) -> str:
    """Return what was said where a turn ended without the sentences that are told as
    said last: of few words all is told."""
    if extent(said) > _SAID[0]:
        return at
    left = (each for each in sentences(at) if _bare(each) not in said)
    return " ".join(left)


def _bare(said: str) -> str:
    return flat(said).rstrip(":：.… ")


def _cut_off_shortly(item: Item) -> str:
    """Return what is in hand where room is short: where a turn ended, in as many of the
    agent's words as there is room for."""
    fact = item.fact
    if isinstance(fact, RunningWork):
        # What it is for has its place before the end of a long command.
        about = extent("".join(replace(fact, what="").wording()))
        room = max(_RUNNING - about, _LEAST_RUNNING)
        what = one_line(phrases.short_command(fact.what), room)
        return printed(replace(item, fact=replace(fact, what=what)), _RUNNING)
    if not isinstance(fact, UnfinishedTurn):
        return printed(item, _IN_HAND)
    begins = {
        "stopped": "The user stopped the agent",
        "about to change": f"About to change {', '.join(map(named, fact.files))}",
        "cut off": "Cut off",
        "not answered": "Not answered yet",
    }[fact.how]
    told = shortened(closing_sentences(sentences(fact.at), _AT), _AT)
    at = f', at: "{told}"' if fact.at else ""
    at += fact.after()
    if not fact.failed:
        return printed_text(begins + at)
    often = f" ×{fact.times}" if fact.times > 1 else ""
    why = "" if talks(fact.failed) else f": {spanned(one_line(fact.failed, _WHY))}"
    return f"{printed_text(begins + at)}; the client failed{why}{often}"


def _settled(content: Content, *, is_merge: bool) -> Iterator[BriefPart]:
    """What was said last, and asked, was so on one side: of a merge each is told."""
    elsewhere = [] if is_merge else decisions_elsewhere(content)
    elsewhere += [chosen] if (chosen := chosen_now(content)) else []
    for rank, item in enumerate(reversed(content.decisions)):
        if item not in elsewhere:
            told = f"Decided: {_decision(phrases.with_its_answer(item), content)}"
            lengths = (told,) if _is_answer(item) else forms(told, 260)
            yield BriefPart("stands", "decision", rank, lengths, tells=(item,))
    if content.plan:
        step, of = content.plan.step, content.plan.of
        where = f" (step {step} of {of})" if step and of else ""
        told = f"Plan: {named(content.plan.path)}{where}"
        yield BriefPart("stands", "plan", 0, (told,))


def _is_answer(item: Item) -> bool:
    return isinstance(item.fact, ChosenAnswer)


def _decision(item: Item, content: Content) -> str:
    """Only what stands in a request was typed; a choice from a list was not. Of a
    request in an earlier session the excerpt is left."""
    asked = [request.text for request in content.requests]
    asked += [item.excerpt] if item.origin is not None else []
    typed = any(_is_in(item, flat(text)) for text in asked)
    return own(item.text) if item.source == "user" and typed else plain(item.text)


def _done(content: Content) -> Iterator[BriefPart]:
    """What came of it and no file or command tells, the last of it ranked first."""
    done = outcomes_alone(content)
    commits = [item for item in done if isinstance(item.fact, Commit)]
    others = [item for item in done if item not in commits]
    for rank, item in _newest_first(commits):
        yield entry("stands", "commit", rank, printed(item), "done", item)
    for rank, item in _newest_first(others):
        yield entry("stands", "outcome", rank, printed(item), "done", item)


def _newest_first(items: Sequence[Item]) -> Iterator[tuple[int, Item]]:
    """Yield items as they stand, the last of them ranked first."""
    for place, item in enumerate(items):
        yield len(items) - 1 - place, item


def _noted(subject: BriefSubject) -> Iterator[BriefPart]:
    """Yield what the agent called the work; of an earlier checkpoint, what it said of
    it. The lists of its notes are told where they belong."""
    newest = {note_fact(note).part: note for note in subject.content.notes}
    if title := newest.get("title"):
        told = f"{_noted_for(title)}: {plain(title.text)}{doubt_mark(title.doubt)}"
        yield BriefPart("stands", "note", 0, (told,))
    summary = newest.get("summary")
    if summary and not subject.has_notes:
        begins = f"{_noted_for(summary)}: "
        words = f"{plain(summary.text)}{doubt_mark(summary.doubt)}"
        told_at_length = (begins + text for text in forms(words, 240, 600))
        yield BriefPart("stands", "note", 1, tuple(told_at_length))


def _noted_for(note: Item) -> str:
    number = note_fact(note).number
    return f"Noted for {label(number)}" if number else "Noted"


def _said(subject: BriefSubject) -> Iterator[BriefPart]:
    content = subject.content
    if subject.has_notes and content.summary:
        # It may speak of the user: whose words it is must be said.
        lengths = forms(plain(content.summary), 240, 600, 1500)
        told = tuple(f"Noted: {text}" for text in lengths)
        yield BriefPart("stands", "stands", 0, told)
        if last := last_said(content, 200, 600):
            yield BriefPart("stands", "said", 0, last)
    elif told := last_said(content, *_SAID):
        # What the user is asked to decide is in what was said before the question.
        kind = "asking" if content.open_questions else "stands"
        yield BriefPart("stands", kind, 0, told)


def _is_in(item: Item, text: str) -> bool:
    return flat(item.text) in text
