"""Records that were written without facts are read as if they had them."""

import pytest

from holdfast.domain.checkpoint import (
    Content,
    Detail,
    Item,
    Source,
    fact_item,
    last_words,
)
from holdfast.domain.fact import (
    AgentReport,
    ChangedFiles,
    Commit,
    CreatedFile,
    Failure,
    ItemFact,
    PassingCommand,
    RefusedCall,
    RequestContext,
    RevertedEdit,
    RewoundRequest,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
    about_of,
)
from holdfast.domain.record import draft_from, draft_record
from holdfast.domain.record_content import Json, without_facts
from holdfast.domain.session import Inherited, SessionState
from holdfast.kernel.lazy_values import replace
from holdfast.session.state_codec import decode_head, encode_head
from tests.sessions import a_draft

_FACTS: tuple[tuple[str, Source, ItemFact], ...] = (
    ("errors", "tool", Failure("pytest -q", "assert 3 == 4", 1)),
    ("errors", "tool", Failure("make `x`".replace("`", "'"), "", 2)),
    ("errors", "tool", Failure("mcp__db query", "no such table")),
    ("errors", "tool", Failure("make", "boom\nbang", 2, "fixed", ("a.py", "b.py"))),
    ("dead_ends", "tool", Failure("make", "boom", state="abandoned", times=3)),
    ("dead_ends", "engine", RefusedCall("Bash", "rm -rf build", 'no, "never"')),
    ("dead_ends", "engine", RefusedCall("ExitPlanMode")),
    ("dead_ends", "engine", RewoundRequest('say "hi" to them', ("a.py", "b.py"))),
    ("dead_ends", "engine", RewoundRequest("drop it")),
    (
        "dead_ends",
        "tool",
        RevertedEdit("src/a.py", "try a lock", "deadlock: 2 threads"),
    ),
    ("dead_ends", "engine", RevertedEdit("src/a.py")),
    ("key_outcomes", "tool", Commit('Revert "the lock"')),
    ("key_outcomes", "tool", PassingCommand("make", again=True)),
    ("key_outcomes", "tool", PassingCommand("tox")),
    ("key_outcomes", "engine", CreatedFile("src/a (new).py", 12)),
    ("key_outcomes", "engine", ChangedFiles(2, 108, 9)),
    ("key_outcomes", "engine", ChangedFiles(1, 1, 0)),
    ("discoveries", "tool", AgentReport("Evaluate 'bm25'", "nDCG = 0.41: good")),
    ("in_flight", "engine", RunningWork("background", "make serve", "b12")),
    ("in_flight", "engine", RunningWork("sub-agent", "look: around")),
    ("in_flight", "engine", WaitingPlan("Rotate: tokens")),
    ("in_flight", "engine", WaitingPlan()),
    ("in_flight", "engine", UnfinishedTurn("stopped", at="I run it now")),
    ("in_flight", "engine", UnfinishedTurn("about to change", ("a.py", "b.py"), "so")),
    ("in_flight", "engine", UnfinishedTurn("cut off")),
    ("in_flight", "engine", UnfinishedTurn("not answered")),
)


def _written_before(record: Json) -> Json:
    """Return a record as it was written without facts."""
    whole = without_facts(record)
    del whole["content"]["facts"]
    for detail in whole["observations"]["details"]:
        del detail["ran"]
    return whole


def _read_again(content: Content) -> Content:
    draft = a_draft(content)
    return draft_from(_written_before(draft_record(draft))).content


@pytest.mark.parametrize(("kind", "source", "fact"), _FACTS)
def test_a_fact_is_read_out_of_a_text_that_was_kept_alone(
    kind: str, source: Source, fact: ItemFact
) -> None:
    """A store on a user's disk knows as much as it did."""
    item = fact_item(fact, source, ("l1",))
    content = replace(Content(title="t"), **{kind: (item,)})  # type: ignore[arg-type]  # a field of items

    assert _read_again(content) == content


@pytest.mark.parametrize(
    "context",
    [
        RequestContext(answering="Shall I?", proposed="Drop it.", came_to="Dropped."),
        RequestContext("Traceback:", "more: of it", part_of="fix the parser"),
        RequestContext(refusing="Bash rm -rf build"),
    ],
)
def test_what_was_noted_about_a_request_is_read_by_its_lines(
    context: RequestContext,
) -> None:
    """As it was kept beside the request, or in the first records as its excerpt."""
    noted = about_of(context)
    item = Item("yes", "user", ("l1",), "yes", about=noted, fact=context)
    first = Item("yes", "user", ("l1",), noted)

    content = _read_again(Content(title="t", requests=(item, first)))

    assert content.requests == (item, replace(first, fact=context))


def test_words_that_only_look_like_ours_stay_words() -> None:
    """Who wrote an item is asked first: a prompt refuses nothing by its beginning."""
    words = "refusing: the offer, write a letter"
    asked = Item(words, "user", ("l1",), words)
    note = Item('committed "everything"', "agent")

    content = _read_again(Content(title="t", requests=(asked,), key_outcomes=(note,)))

    assert (content.requests[0].fact, content.key_outcomes[0].fact) == (None, None)


def test_a_record_with_facts_is_not_read_by_its_words() -> None:
    """An item that was written without a fact has none, however it is worded."""
    error = Item("`make` → exit 1: boom (fixed since)", "tool")
    draft = a_draft(Content(title="t", errors=(error,)))

    assert draft_from(draft_record(draft)).content.errors == (error,)


def test_a_fact_that_its_text_contradicts_is_read_anew() -> None:
    """What was redacted in the text only must not come back by its fact."""
    error = fact_item(Failure("make", "password is hunter2", 1), "tool")
    record = draft_record(a_draft(Content(title="t", errors=(error,))))
    kept = record["content"]["errors"][0]
    kept["text"] = kept["text"].replace("hunter2", "[redacted]")

    (read,) = draft_from(record).content.errors

    assert read.fact == Failure("make", "password is [redacted]", 1)


def test_last_words_and_commands_are_read_apart() -> None:
    """What was said before the last request, and what a command came to."""
    words = last_words("It runs.\n", "Shall I?")
    content = Content(title="t", last_words=words, said_before="Shall I?")
    detail = Detail("t", "x", (), (("pytest → x", ""), ("make", "ok: 3")))
    draft = replace(a_draft(content), details=(detail,))

    read = draft_from(_written_before(draft_record(draft)))

    assert read.content == content
    assert read.details[0].ran == (("pytest", "x"), ("make", "ok: 3"))


def test_a_state_that_was_kept_without_facts_is_read_with_them() -> None:
    """A session goes on with what it inherited, whoever wrote its state."""
    fact = Failure("make", "boom", 2)
    item = fact_item(fact, "tool")
    left = Inherited("errors", item.text, "tool", ("l1",), fact=fact)
    head = encode_head(SessionState(inherited=(left,)))
    before = {**head, "inherited": [kept[:-1] for kept in head["inherited"]]}

    assert decode_head(head, ()).inherited == (left,)
    assert decode_head(before, ()).inherited == (left,)


def test_a_record_with_lines_of_code_is_read_without_them() -> None:
    """Records once kept how the code that was read fails; no brief tells it any more."""
    raw = draft_record(a_draft(Content(title="Rotate tokens")))
    whole = draft_from(raw)
    fact = {"type": "code-line", "file": "a.py", "line": "raise Lost"}
    line = {"text": "a.py: raise Lost", "source": "tool", "fact": fact}
    raw["content"]["code_lines"] = [line]

    assert draft_from(raw) == whole


def test_a_state_with_lines_of_code_is_read_without_them() -> None:
    """A session that was folded before an update goes on where it was."""
    head = encode_head(SessionState(session_id="s", title="Rotate tokens"))
    head["glimpses"] = [["call-1", "raise Lost('not found')", "line-1"], ["call-2", ""]]

    assert decode_head(head, ()) == SessionState(session_id="s", title="Rotate tokens")
