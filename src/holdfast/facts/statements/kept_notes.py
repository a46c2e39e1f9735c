"""The notes of a session stay: with its later checkpoints, and with those of its heirs.

A note belongs to every later checkpoint until a newer one takes its place, what it wanted
is done, or the user takes it back. One that is contradicted stays and says so, also as the
title. Title and summary are the agent's as long as the work has the goal they were written
under; notes win for wording, the transcript wins for facts.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from holdfast.domain.checkpoint import Checkpoint, Content, Item, context_of, note_fact
from holdfast.domain.fact import Commit, Note
from holdfast.domain.kinds import CLAIMS, NOTED
from holdfast.domain.text import one_line
from holdfast.facts.statements.notes import Notes, doubt_of, inherited_doubt
from holdfast.kernel.lazy_values import replace
from holdfast.language.sentences import EXCERPT, covers, words_in

_MOST_OUTCOMES = 7
_MOST_NOTES = 60
_MOST_MARK = 90  # characters
_ONE = ("title", "summary", "mental_model", "work_type", "domain")
# Of these the newest notes tell how it stands; of the others each says something more.
_REPLACED = frozenset([*_ONE, "next_steps", "pending", "open_questions"])
_WANTED = frozenset(["next_steps", "pending"])
_CLAIMING = frozenset([*CLAIMS, "title", "summary"])


def note_items(notes: Notes, content: Content, session_id: str) -> tuple[Item, ...]:
    """Return what an agent wrote for a checkpoint, a note each."""
    about = Note(goal=goal_key(content), session=session_id, after=_last_asked(content))
    told = [(part, getattr(notes, part)) for part in _ONE]
    told += [("topics", topic) for topic in notes.topics]
    told += [(part, text) for part in NOTED for text in notes.items.get(part, ())]
    return tuple(
        Item(text, "agent", (), text[:EXCERPT], fact=replace(about, part=part))
        for part, text in told
        if text
    )


def goal_key(content: Content) -> str:
    """Return by what a goal is known: its line, and how long it is."""
    if not content.goal:
        return ""
    goal = content.goal[-1]
    return f"{next(iter(goal.evidence), '')}:{len(goal.text)}"


def joined_notes(earlier: Iterable[Item], newer: Sequence[Item]) -> tuple[Item, ...]:
    """Return earlier notes that newer ones leave standing, then those."""
    parts = {note_fact(note).part for note in newer} & _REPLACED
    said = {(note_fact(note).part, folded(note.text)) for note in newer}
    left = [
        note
        for note in earlier
        if (part := note_fact(note).part) not in parts
        and (part, folded(note.text)) not in said
    ]
    return (*left, *newer)[-_MOST_NOTES:]


def own_notes(notes: Iterable[Item], number: int) -> tuple[Item, ...]:
    """Return the notes of an earlier checkpoint that its own session wrote, with the
    number of the first that has them."""
    return tuple(
        replace(note, fact=replace(fact, number=fact.number or number))
        for note in notes
        if note.origin is None and isinstance(fact := note.fact, Note)
    )


def still_standing(
    notes: Iterable[Item], content: Content, finished: frozenset[str]
) -> tuple[Item, ...]:
    """Return notes of earlier checkpoints without what was done or answered since."""
    commits = [
        words_in(item.fact.subject.casefold())
        for item in content.key_outcomes
        if isinstance(item.fact, Commit)
    ]
    return tuple(
        note
        for note in notes
        if not _is_done(note, commits, finished) and not _is_answered(note, content)
    )


def content_told(notes: Notes, before: Checkpoint | None, session_id: str) -> Content:
    """Return what was noted of a session whose transcript nobody here has, now and for
    `before`, its last checkpoint: nothing of it can be looked up, and nothing is doubted."""
    empty = Content(title="")
    fresh = note_items(notes, empty, session_id)
    earlier = own_notes(before.draft.content.notes, before.number) if before else ()
    parts = frozenset(note_fact(note).part for note in fresh)
    noted = replace(empty, notes=joined_notes(earlier, fresh))
    return with_notes(noted, parts, is_seen=False)


def with_notes(
    content: Content, fresh: frozenset[str] = frozenset(), *, is_seen: bool = True
) -> Content:
    """Return the content with the wording of its notes; `fresh` are the parts that were
    written for this very checkpoint. `is_seen`: what they claim can be looked up."""
    notes = content.notes
    if is_seen:
        notes = tuple(_doubted(note, content) for note in notes)
    lists: dict[str, Any] = {part: _list(part, notes, content) for part in NOTED}
    lists["key_outcomes"] = lists["key_outcomes"][:_MOST_OUTCOMES]
    one = {part: _newest(part, notes) for part in _ONE}
    # Words about other work than the goal stand with the notes, and not above it.
    key = goal_key(content)
    title, summary = (
        note if note and (part in fresh or note_fact(note).goal == key) else None
        for part, note in (("title", one["title"]), ("summary", one["summary"]))
    )
    topics = [note.text for note in notes if note_fact(note).part == "topics"]
    own = {part: note for part, note in one.items() if note and note.origin is None}
    return replace(
        content,
        notes=notes,
        title=_marked(title) if title else content.title,
        summary=_summed_up(summary, content, is_fresh="summary" in fresh),
        summary_doubt=next((n.doubt for n in (title, summary) if n and n.doubt), ""),
        topics=tuple(dict.fromkeys((*topics, *content.topics))),
        work_type=_text(own.get("work_type")) or content.work_type,
        domain=_text(own.get("domain")) or content.domain,
        mental_model=_text(one["mental_model"]) or content.mental_model,
        **lists,
    )


def with_earlier_notes(
    content: Content, last: Checkpoint, *, is_given: bool
) -> Content:
    """Return a content that was made without the session's last checkpoint, with the
    notes of that one; `is_given` says whether it has notes of its own."""
    earlier = own_notes(last.draft.content.notes, last.number)
    if not earlier:
        return content
    fresh = {note_fact(note).part for note in content.notes} if is_given else set()
    notes = joined_notes(earlier, content.notes)
    return with_notes(replace(content, notes=notes), frozenset(fresh))


def folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _list(part: str, notes: Sequence[Item], content: Content) -> tuple[Item, ...]:
    """Return the items of a kind: what was noted for this goal in this session, what the
    transcript shows and no note says, what was noted before. The user's own words come
    before what an agent says they were."""
    noted = [note for note in notes if note_fact(note).part == part]
    key = goal_key(content)
    first = [n for n in noted if n.origin is None and note_fact(n).goal == key]
    first.sort(key=lambda n: -(note_fact(n).number or math.inf))
    known: tuple[Item, ...] = getattr(content, part)
    ordered = (*known, *first) if part == "instructions" else (*first, *known)
    found: dict[str, Item] = {}
    for item in (*ordered, *noted):
        found.setdefault(folded(item.text), item)
    return tuple(
        replace(item, fact=None) if isinstance(item.fact, Note) else item
        for item in found.values()
    )


def _newest(part: str, notes: Sequence[Item]) -> Item | None:
    return next((n for n in reversed(notes) if note_fact(n).part == part), None)


def _text(note: Item | None) -> str:
    return note.text if note else ""


def _marked(title: Item) -> str:
    """Return a title, with what contradicts it."""
    if not title.doubt:
        return title.text
    return f"{title.text} (doubtful: {one_line(title.doubt, _MOST_MARK)})"


def _summed_up(note: Item | None, content: Content, *, is_fresh: bool) -> str:
    """Return a summary: the agent's, and where that is of an earlier checkpoint, what
    the engine says of the work since."""
    if note is None:
        return content.summary
    return note.text if is_fresh else f"{note.text} Since then: {content.summary}"


def _doubted(note: Item, content: Content) -> Item:
    """Return a note with what the transcript has against it."""
    fact = note_fact(note)
    if fact.part not in _CLAIMING:
        return note
    if note.origin is None:
        return replace(note, doubt=doubt_of(note.text, content))
    return replace(note, doubt=inherited_doubt(note.text, content, fact.doubt))


def _is_done(
    note: Item, commits: Sequence[frozenset[str]], finished: frozenset[str]
) -> bool:
    if note_fact(note).part not in _WANTED:
        return False
    wanted = words_in(note.text.casefold())
    return folded(note.text) in finished or any(
        covers(committed, wanted) for committed in commits
    )


def _is_answered(note: Item, content: Content) -> bool:
    """Say whether the user spoke since a question was noted: a nod answers none that an
    earlier session asked."""
    fact = note_fact(note)
    if fact.part != "open_questions":
        return False
    if note.origin is None:
        return fact.after != _last_asked(content)
    return any(
        context_of(each).role not in ("nod", "command") for each in content.requests
    )


def _last_asked(content: Content) -> str:
    """Return the line of the last request."""
    return next(iter(content.requests[-1].evidence), "") if content.requests else ""
