"""Kept folds: continue where the last reading stopped."""

from collections.abc import Callable
from dataclasses import replace

from holdfast.domain.event import Todo
from holdfast.domain.session import (
    Call,
    Cursor,
    Inherited,
    KeptFold,
    Mark,
    Said,
    SessionState,
    ToolUse,
    Turn,
)
from holdfast.store.port import Store
from tests.builders import NOON, OTHER_SESSION, SESSION, session_number

CURSOR = Cursor(Mark(120, "aa", "bb"), (("agent-1.jsonl", Mark(7, "cc", "dd")),))


def a_turn(prompt: str) -> Turn:
    return Turn(
        uuid=f"turn-{prompt}",
        at=NOON,
        prompt=prompt,
        via="typed",
        said=(Said("line", NOON, "done ✓ สวัสดี"),),
        calls=(
            Call(
                "c1",
                "Edit",
                "a.py",
                "line",
                NOON,
                "edit",
                todos=(Todo("1", "x", "pending"),),
                choices=(("Which?", "this one"),),
            ),
        ),
        tools=(ToolUse("Edit", 1, NOON, NOON, "edit"),),
    )


def a_fold(*prompts: str) -> KeptFold:
    state = SessionState(
        session_id=SESSION,
        turns=tuple(a_turn(prompt) for prompt in prompts),
        abandoned=((0, 1),),
        inherited=(Inherited("pending", "finish", "user", ("line",)),),
        title="Nested quotes",
    )
    return KeptFold("/transcripts/one.jsonl", CURSOR, state)


def test_there_is_no_fold_at_first(store: Store) -> None:
    """None means: make it from the transcript."""
    assert store.fold(SESSION) is None
    assert store.fold("\ud800") is None


def test_a_kept_fold_comes_back_whole(open_store: Callable[..., Store]) -> None:
    """State, cursor and transcript, in another process as well."""
    fold = a_fold("one", "two")
    open_store("home").keep_fold(SESSION, fold)

    assert open_store("home").fold(SESSION) == fold
    assert open_store("home").fold(OTHER_SESSION) is None


def test_keeping_replaces_the_one_before(store: Store) -> None:
    """Turns may be added, changed, and taken back by a rewind."""
    store.keep_fold(SESSION, a_fold("one", "two", "three"))
    before = store.fold(SESSION)
    assert before is not None
    first = before.state.turns[0]
    state = replace(before.state, turns=(first, a_turn("other")), title="Changed")

    store.keep_fold(SESSION, replace(before, state=state))

    after = store.fold(SESSION)
    assert after is not None
    assert after.state == state


def test_two_that_keep_in_turn_do_not_mix(open_store: Callable[..., Store]) -> None:
    """Two hooks of one session may overlap; the last to keep wins as a whole."""
    mine, theirs = open_store("home"), open_store("home")
    mine.keep_fold(SESSION, a_fold("one", "two"))
    mine.fold(SESSION)
    theirs.keep_fold(SESSION, a_fold("other", "words", "there"))

    mine.keep_fold(SESSION, a_fold("one", "two", "three"))

    assert theirs.fold(SESSION) == a_fold("one", "two", "three")


def test_a_late_fold_is_the_same_fold(open_store: Callable[..., Store]) -> None:
    """Late only says when its turns are read."""
    open_store("home").keep_fold(SESSION, a_fold("one", "two", "three"))

    assert open_store("home").fold(SESSION, late=True) == a_fold("one", "two", "three")
    assert open_store("home").fold(OTHER_SESSION, late=True) is None


def test_a_late_fold_is_continued_and_kept(open_store: Callable[..., Store]) -> None:
    """What a hook does after each turn; the next process finds all of it."""
    open_store("home").keep_fold(SESSION, a_fold("one", "two"))
    store = open_store("home")
    late = store.fold(SESSION, late=True)
    assert late is not None
    turns = (*late.state.turns[:-1], a_turn("more"), a_turn("three"))

    store.keep_fold(SESSION, replace(late, state=replace(late.state, turns=turns)))

    assert open_store("home").fold(SESSION) == a_fold("one", "more", "three")


def test_folds_go_one_by_one(store: Store) -> None:
    """Others stay: making one again reads a whole transcript."""
    for session_id in (SESSION, OTHER_SESSION):
        store.keep_fold(session_id, a_fold("one"))

    store.drop_folds([SESSION, "nobody"])

    assert store.fold(SESSION) is None
    assert store.fold(OTHER_SESSION) == a_fold("one")


def test_only_folds_that_are_not_clean_are_dropped(store: Store) -> None:
    """Each part is asked about; what is clean stays."""
    other = session_number(2)
    for session_id, prompt in ((SESSION, "a zebra"), (other, "a horse")):
        state = SessionState(session_id=session_id, turns=(Turn(prompt=prompt),))
        store.keep_fold(session_id, KeptFold("/t", Cursor(), state))

    dropped = store.drop_unclean_folds(lambda part: "zebra" not in str(part))

    assert dropped == 1
    assert store.fold(SESSION) is None
    assert store.fold(other) is not None
