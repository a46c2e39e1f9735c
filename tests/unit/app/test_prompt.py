"""The first prompt decides over what was offered, without a process and without a file."""

from typing import Any

import pytest

from holdfast.app.hooks.continuity import Pending, keep_pending, read_pending
from holdfast.app.hooks.end import end_request
from holdfast.app.hooks.prompt import prompt
from holdfast.app.hooks.start import start
from holdfast.domain.checkpoint import FileRef, Item
from holdfast.domain.client import Client, Delivery
from holdfast.domain.code import CodeState
from holdfast.domain.session import Cursor, KeptFold
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.session.fold import begin, fold
from tests.builders import (
    NOON,
    SESSION,
    WORKSPACE,
    a_draft,
    a_foreign_checkpoint,
    session_number,
)
from tests.conversation import Conversation
from tests.fakes import CLIENT, CountingStore, Workbench, transcript_of

NEW = session_number(99)
_OPEN: dict[str, Any] = {
    "title": "Refresh tokens for the login endpoint",
    "requests": (Item("add refresh tokens to the login endpoint", "user"),),
    "pending": (Item("wire the refresh endpoint", "agent"),),
    "files": (FileRef("src/auth.py", "edited", 9, 1),),
    "code": CodeState(branch="main", head="3f2c1a9", dirty=True),
}


@pytest.fixture
def bench() -> Workbench:
    return Workbench(CountingStore())


def offered(bench: Workbench) -> Delivery:
    found = bench.store.offered(NEW)
    assert found is not None
    return found


def started(bench: Workbench, source: str = "startup", **settings: Any) -> str:
    """Keep unfinished work and start a session that is offered it."""
    kept = bench.keep(a_draft(**_OPEN))
    start(bench.event("SessionStart", NEW, source=source), bench.context(**settings))
    return kept


def asked(bench: Workbench, words: str, **settings: Any) -> Any:
    event = bench.event("UserPromptSubmit", NEW, prompt=words)
    return prompt(event, bench.context(**settings))


def test_a_prompt_that_continues_gets_the_brief(bench: Workbench) -> None:
    started(bench)

    reply = asked(bench, "continue")

    assert "wire the refresh endpoint" in reply.context
    assert "Resumed from checkpoint" in reply.line
    assert offered(bench).delivered == "brief"
    assert read_pending(NEW, bench.markers) is None
    record = bench.store.session(NEW)
    assert record is not None
    assert record.parent_session == SESSION


def test_whether_a_prompt_continues_is_left_to_the_model(bench: Workbench) -> None:
    """What the start told is delivered; the words of the prompt change nothing."""
    started(bench)

    reply = asked(bench, "wire the refresh endpoint of src/auth.py, then test it")

    assert (reply.context, reply.line) == ("", "")
    assert (offered(bench).delivered, offered(bench).rule) == ("short", "unfinished")
    record = bench.store.session(NEW)
    assert record is None or record.parent_session is None


def test_explicit_words_work_at_any_prompt(bench: Workbench) -> None:
    """Whoever talks about something else first may still go on."""
    started(bench)
    asked(bench, "write a haiku about the sea in a new file poems/sea.txt")

    reply = asked(bench, "continue please")
    again = asked(bench, "continue")

    assert "# Resuming CHECKPOINT-00001" in reply.context
    assert again.context == ""
    assert (offered(bench).delivered, offered(bench).rule) == ("brief", "asked")


def test_a_session_with_work_of_its_own_goes_on_with_that(bench: Workbench) -> None:
    """`continue` after an interruption is not about yesterday."""
    started(bench)
    asked(bench, "rename the module")
    talk = Conversation()
    talk.asks("rename it")
    talk.calls("Edit", f"{WORKSPACE}/src/other.py", outcome="ok")
    state = fold(begin(NEW, "claude-code", ()), talk.events)
    bench.store.keep_fold(NEW, KeptFold(transcript_of(NEW), Cursor(), state))

    reply = asked(bench, "continue")
    named = asked(bench, "continue 1")

    assert reply.context == ""
    assert "# Resuming CHECKPOINT-00001" in named.context


@pytest.mark.parametrize("author", ["laptop", "alice"])
def test_somebody_elses_is_quoted_until_the_user_agreed(
    bench: Workbench, author: str
) -> None:
    """Whoever asks for it by its number has not read it yet; it is no delivery."""
    project = bench.store.project(bench.code.identity(WORKSPACE)).project_id
    given = {**_OPEN, "workspace": "", "project_id": project}
    if author == "laptop":
        bench.store.adopt(a_foreign_checkpoint(7, author, **given))
        named = "7@laptop"
    else:
        bench.keep(a_draft(**given, author=author, session_id=session_number(8)))
        named = "1"
    start(bench.event("SessionStart", NEW, source="startup"), bench.context())

    reply = asked(bench, f"continue {named}")

    assert "Somebody else's checkpoint, quoted" in reply.context
    assert f"`{author}`" in reply.context
    assert "▸" not in reply.context
    assert f"holdfast approve {named}" in reply.line
    offer = bench.store.offered(NEW)
    assert offer is None or offer.checkpoint_id == ""
    record = bench.store.session(NEW)
    assert record is None or record.parent_session is None


def test_a_new_task_is_silence_for_the_whole_session(bench: Workbench) -> None:
    started(bench)

    first, again = asked(bench, "New task!"), asked(bench, "continue")

    assert (first.context, again.context) == ("", "")
    assert (offered(bench).delivered, offered(bench).sign) == ("short", "new")
    assert "# Resuming" in asked(bench, "continue 1").context


@pytest.mark.parametrize(
    ("words", "number"),
    [
        pytest.param("continue 1", 1, id="a number"),
        pytest.param("resume api-design", 2, id="a name"),
        pytest.param("continue with api", 2, id="the beginning of a name"),
        pytest.param("00002", 2, id="the number that the screen shows"),
        pytest.param("CHECKPOINT-00001", 1, id="a label"),
        pytest.param("1", 1, id="the number of what was just offered"),
        pytest.param("ทำต่อ api-design ครับ", 2, id="Thai"),
        pytest.param("api-design 이어서 해줘", 2, id="Korean"),
        pytest.param("api-designを続けて", 2, id="Japanese"),
    ],
)
def test_what_is_named_is_given_and_nothing_else(
    bench: Workbench, words: str, number: int
) -> None:
    started(bench)
    named = a_draft(session_id=session_number(7), workspace="/other", name="api-design")
    bench.keep(named)

    reply = asked(bench, words)

    assert f"# Resuming CHECKPOINT-{number:05d}" in reply.context
    assert offered(bench).delivered == "brief"


def test_a_name_that_is_not_there_is_said(bench: Workbench) -> None:
    started(bench)

    reply = asked(bench, "continue api-desing")

    assert "`api-desing`" in reply.context
    assert reply.line.startswith("holdfast: ")
    assert offered(bench).delivered == "short"


@pytest.mark.parametrize("words", ["2", "continue tests", "ok", "api-keys"])
def test_words_that_may_mean_something_else_bring_nothing(
    bench: Workbench, words: str
) -> None:
    """An answer, a request and a name of something else are not taken for a checkpoint."""
    started(bench)
    asked(bench, "hello")

    assert asked(bench, words).context == ""


def test_a_prompt_that_asks_for_nothing_opens_no_store(bench: Workbench) -> None:
    """Most prompts are not the first: they cost one look at a mark."""
    bench.store_trouble = CheckpointNotFound("nobody may look", hint="")

    for words in ("fix the parser", "2", "new task"):
        assert asked(bench, words).context == ""


def test_whoever_wants_nothing_gets_nothing_by_words(bench: Workbench) -> None:
    started(bench, resume=False)

    assert asked(bench, "continue 1", resume=False).context == ""


@pytest.mark.parametrize(
    ("words", "delivered"),
    [
        pytest.param("yes", "brief", id="resume"),
        pytest.param("weiter bitte", "brief", id="the word for it in any language"),
        pytest.param("no, later", "card", id="keep"),
        pytest.param("discard", "card", id="discard, but not after a clear"),
        pytest.param("rename the module", "card", id="no answer"),
    ],
)
def test_an_answer_decides_where_the_user_was_asked(
    bench: Workbench, words: str, delivered: str
) -> None:
    started(bench, resume="prompt")

    reply = asked(bench, words, resume="prompt")

    assert bool(reply.context) is (delivered == "brief")
    assert offered(bench).delivered == delivered


def test_discarding_after_a_clear_removes_the_checkpoint(bench: Workbench) -> None:
    kept = bench.keep(a_draft(trigger="clear", type="before-clear", **_OPEN))
    bench.store.note_client(
        Client(
            pid=CLIENT,
            started="noon",
            session_id=SESSION,
            transcript=transcript_of(SESSION),
            workspace=WORKSPACE,
            directory=WORKSPACE,
            source="startup",
            headless=False,
            seen_at=NOON,
        )
    )
    context = bench.context(save_on_clear="prompt")
    start(bench.event("SessionStart", NEW, source="clear"), context)

    reply = asked(bench, "discard", save_on_clear="prompt")

    assert "discarded" in reply.context
    assert offered(bench).delivered == "nothing"
    with pytest.raises(CheckpointNotFound):
        bench.store.get(kept)


def test_a_checkpoint_that_is_gone_is_offered_no_more(bench: Workbench) -> None:
    kept = started(bench)
    bench.store.remove([kept], "forgotten")

    reply = asked(bench, "continue")

    assert reply.context == ""
    assert offered(bench).delivered == "nothing"


def test_a_brief_that_was_told_counts_as_delivered_at_the_prompt(
    bench: Workbench,
) -> None:
    """A start may fire twice, or never get a prompt."""
    started(bench, resume="always")
    assert offered(bench).delivered is None

    reply = asked(bench, "continue", resume="always")

    assert reply.context == ""
    assert offered(bench).delivered == "brief"


def test_a_clean_start_is_spent_by_a_prompt(bench: Workbench) -> None:
    bench.store.ask_fresh(WORKSPACE)
    started(bench)

    asked(bench, "hello")

    assert not bench.store.is_fresh(WORKSPACE)


def test_words_that_wait_are_told_where_no_brief_is(bench: Workbench) -> None:
    keep_pending(Pending(words="this failed before"), NEW, bench.markers)

    reply = asked(bench, "rename the module")

    assert reply.context == "this failed before"


def test_a_late_save_is_told_once_it_is_done(bench: Workbench) -> None:
    """What was still being saved at the start is told at the first prompt after."""
    request = end_request(
        bench.event("SessionEnd", SESSION, reason="exit"), bench.context()
    )
    assert request is not None
    bench.requests.add(request)
    event = bench.event("SessionStart", NEW, source="startup")
    start(event, bench.context(), is_done=False)
    assert offered(bench).rule == "late"

    waits = prompt(
        bench.event("UserPromptSubmit", NEW, prompt="continue"),
        bench.context(),
        is_done=False,
    )
    bench.keep(a_draft(**_OPEN))
    bench.requests.done(request)
    told = asked(bench, "continue")

    assert waits.context == ""
    assert "wire the refresh endpoint" in told.context


def test_the_brief_of_an_offer_looks_its_record_up_once(bench: Workbench) -> None:
    """A record is read and decoded whole: twice would be half of what a prompt costs."""
    started(bench)
    assert isinstance(bench.store, CountingStore)
    bench.store.lookups = 0

    reply = asked(bench, "continue")

    assert reply.context
    assert bench.store.lookups == 1
