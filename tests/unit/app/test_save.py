"""A save says what became of it, whatever the store, the name and the transcript do."""

from dataclasses import replace
from typing import Any

import pytest

from holdfast.app.checkpoints.save import (
    NothingToSave,
    Saved,
    Spooled,
    drain,
    save,
)
from holdfast.app.json_answers import save_answer
from holdfast.domain.checkpoint import Trigger
from holdfast.domain.client import Switch
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel.errors import NameTaken, SaveFailed, StoreBusy, StoreDamaged
from holdfast.session.fold import begin, fold
from tests.builders import NOON, OTHER_SESSION, SESSION, WORKSPACE
from tests.conversation import Conversation
from tests.fakes import Workbench, transcript_of

_SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def a_talk(request: str = "add refresh tokens to the login") -> Conversation:
    talk = Conversation()
    talk.asks(request)
    talk.calls("Bash", "pytest -q", output="3 passed", outcome="ok")
    talk.says("Refresh tokens rotate on use; all tests pass.")
    return talk


@pytest.fixture
def bench() -> Workbench:
    made = Workbench()
    made.writes(SESSION, a_talk())
    return made


def test_a_session_is_saved_and_read_back(bench: Workbench) -> None:
    """`saved` is said only of a record that the store gives back."""
    done = save(bench.request(title="Refresh tokens"), bench.ports)

    assert isinstance(done, Saved)
    assert (done.outcome, done.status, done.gaps) == ("saved", "WORKING", ())
    draft = bench.store.get(done.checkpoint.checkpoint_id).draft
    assert draft.content.title == "Refresh tokens"
    assert [r.text for r in draft.content.requests] == [
        "add refresh tokens to the login"
    ]
    assert (draft.created_at, draft.workspace) == (NOON, WORKSPACE)
    assert draft.code.tree == bench.snapshots.tree


@pytest.mark.parametrize(
    ("hours", "more", "is_kept"),
    [
        pytest.param(0.5, {"is_at_work": False}, True, id="ended just now"),
        pytest.param(2, {"is_at_work": False}, False, id="ended long ago"),
        pytest.param(2, {}, True, id="idle, and still open"),
        pytest.param(
            2, {"is_at_work": False, "directory_given": True}, True, id="named"
        ),
    ],
)
def test_old_work_does_not_get_the_code_of_today(
    bench: Workbench, hours: float, more: dict[str, Any], *, is_kept: bool
) -> None:
    """Half a minute and a home directory were kept for a transcript of last year."""
    ended = fold(begin(SESSION, "claude-code"), a_talk().events).ended_at
    bench.clock.now = int(ended + hours * 3_600_000)

    done = save(bench.request(**more), bench.ports)

    assert isinstance(done, Saved)
    assert (done.status, done.gaps) == ("WORKING", ())
    assert bool(done.checkpoint.draft.code.tree) is is_kept
    assert ("ended long ago" in done.checkpoint.draft.code.reason) is not is_kept
    assert ("code not saved" in done.notice) is not is_kept


def test_the_same_key_is_the_same_save(bench: Workbench) -> None:
    """A client that lost the answer asks again, and must not get a second record."""
    first = save(bench.request(), bench.ports)
    bench.writes(SESSION, a_talk("something else by now"))

    again = save(bench.request(), bench.ports)

    assert isinstance(first, Saved)
    assert isinstance(again, Saved)
    assert again.outcome == "repeated"
    assert again.checkpoint.checkpoint_id == first.checkpoint.checkpoint_id


def test_nothing_new_makes_no_record(bench: Workbench) -> None:
    """Hooks save often; a record that says what the last one said helps nobody."""
    first = save(bench.request(key="one"), bench.ports)

    again = save(bench.request(key="two"), bench.ports)

    assert isinstance(first, Saved)
    assert isinstance(again, Saved)
    assert again.outcome == "unchanged"
    assert again.checkpoint.checkpoint_id == first.checkpoint.checkpoint_id


def test_an_empty_session_is_not_saved(bench: Workbench) -> None:
    bench.writes(SESSION, Conversation())

    done = save(bench.request(), bench.ports)

    assert done == NothingToSave("nothing was asked or done in this session yet")
    assert bench.store.list(bench.scope()) == ()


@pytest.mark.parametrize("trigger", ["command", "exit", "clear"])
def test_a_greeting_is_nothing_to_save(bench: Workbench, trigger: Trigger) -> None:
    """C11: neither when asked for nor when the session ends; a title asks for more."""
    talk = Conversation()
    talk.asks("hi")
    talk.says("Hello! What would you like to work on?")
    bench.writes(SESSION, talk)

    done = save(replace(bench.request(), trigger=trigger), bench.ports)
    titled = save(bench.request(title="A quiet start"), bench.ports)

    assert isinstance(done, NothingToSave)
    assert isinstance(titled, Saved)


def test_a_greeting_with_work_behind_it_is_saved(bench: Workbench) -> None:
    """What the agent did or explained is worth keeping, whatever it was said to."""
    talk = Conversation()
    talk.asks("hi")
    talk.calls("Read", "/home/me/shop/notes.md", output="- [ ] ship it")
    talk.says("Hello! Your notes say that it is to be shipped.")
    bench.writes(SESSION, talk)

    assert isinstance(save(bench.request(), bench.ports), Saved)


def test_a_busy_store_leaves_the_save_in_the_spool(bench: Workbench) -> None:
    """Nothing is lost where the store cannot take it now."""
    bench.store_trouble = StoreBusy("the store is busy", hint="try again")

    done = save(bench.request(), bench.ports)

    assert done == Spooled("a key", "the store is busy", "try again")
    assert [draft.key for draft in bench.spool.drafts] == ["a key"]


def test_the_next_save_puts_in_what_waits_first(bench: Workbench) -> None:
    """Or the older one would be the latest."""
    bench.store_trouble = StoreDamaged("damaged", hint="")
    save(bench.request(key="earlier"), bench.ports)
    bench.store_trouble = None
    bench.writes(OTHER_SESSION, a_talk("rename the module"))

    done = save(bench.request(OTHER_SESSION, key="later"), bench.ports)

    assert isinstance(done, Saved)
    assert [waited.draft.key for waited in done.drained] == ["earlier"]
    (told,) = save_answer(done)["went_in"]
    waited = done.drained[0]
    assert told == {
        "key": "earlier",
        "id": waited.checkpoint_id,
        "label": "CHECKPOINT-00001",
        "sequence": 1,
    }
    assert bench.spool.waiting() == 0
    newest, before = bench.store.list(bench.scope())
    assert (newest.draft.key, before.draft.key) == ("later", "earlier")


def test_a_name_belongs_to_one_checkpoint(bench: Workbench) -> None:
    save(bench.request(key="one", name="api-design"), bench.ports)
    bench.writes(OTHER_SESSION, a_talk("another piece of work"))
    request = bench.request(OTHER_SESSION, key="two", name="api-design")

    with pytest.raises(NameTaken):
        save(request, bench.ports)

    assert [c.draft.session_id for c in bench.store.list(bench.scope())] == [SESSION]


def test_a_save_that_waited_gives_way_where_its_name_was_taken(
    bench: Workbench,
) -> None:
    """It must not wait for ever behind a name."""
    bench.store_trouble = StoreBusy("busy", hint="")
    save(bench.request(key="waits", name="api-design"), bench.ports)
    bench.store_trouble = None
    waiting = bench.spool.drafts[:]
    bench.spool.drafts.clear()
    bench.writes(OTHER_SESSION, a_talk("another piece of work"))
    save(bench.request(OTHER_SESSION, key="quick", name="api-design"), bench.ports)
    bench.spool.drafts.extend(waiting)
    bench.writes(OTHER_SESSION, a_talk("and one more thing"))

    done = save(bench.request(OTHER_SESSION, key="next"), bench.ports)

    assert isinstance(done, Saved)
    assert done.status == "PARTIAL"
    assert any("the name of a waiting save" in gap for gap in done.gaps)
    kept = {c.draft.key: c.name for c in bench.store.list(bench.scope())}
    assert (kept["quick"], kept["waits"]) == ("api-design", None)


def test_what_nobody_asked_for_is_not_kept_where_it_is_off(bench: Workbench) -> None:
    bench.store.switch_off(Switch("all", "", None))

    by_itself = save(bench.request(key="1", trigger="threshold"), bench.ports)
    by_hand = save(bench.request(key="2"), bench.ports)

    assert by_itself == NothingToSave("holdfast was turned off meanwhile")
    assert isinstance(by_hand, Saved)


def test_a_missing_transcript_is_an_error(bench: Workbench) -> None:
    with pytest.raises(SaveFailed):
        save(bench.request(OTHER_SESSION), bench.ports)


def test_what_the_code_could_not_give_is_told(bench: Workbench) -> None:
    """A save without its code is one with a gap, not a failure."""
    bench.snapshots.tree, bench.snapshots.reason = None, "the disk is full"

    done = save(bench.request(), bench.ports)

    assert isinstance(done, Saved)
    assert (done.status, done.gaps) == (
        "PARTIAL",
        ("code not saved: the disk is full",),
    )


def test_a_rescue_does_not_take_the_code_of_today(bench: Workbench) -> None:
    done = save(bench.request(trigger="rescue", type="auto"), bench.ports)

    assert isinstance(done, Saved)
    assert done.checkpoint.draft.code.tree is None


def test_a_directory_that_is_gone_is_told(bench: Workbench) -> None:
    """The session came from another machine: it is kept here, and that is said."""
    bench.code.missing.add(WORKSPACE)

    done = save(bench.request(directory="/elsewhere"), bench.ports)

    assert isinstance(done, Saved)
    assert done.checkpoint.draft.workspace == "/elsewhere"
    assert f"its directory `{WORKSPACE}` is not on this machine" in done.notice


def test_no_title_is_kept_with_a_secret(bench: Workbench) -> None:
    """A title never went through a transcript reader."""
    done = save(bench.request(title=f"use {_SECRET}"), bench.ports)

    assert isinstance(done, Saved)
    assert _SECRET not in done.checkpoint.draft.content.title


def test_last_words_that_are_not_written_yet_are_kept(bench: Workbench) -> None:
    """A hook may run before the agent's last line is in the file."""
    path = transcript_of(SESSION)
    before = len(bench.transcripts.files[path])

    done = save(
        bench.request(last_message="I decided to rotate tokens instead of renewing."),
        bench.ports,
    )

    assert isinstance(done, Saved)
    assert len(bench.transcripts.files[path]) == before
    told = str(done.checkpoint.draft.content)
    assert "rotate tokens instead of renewing" in told


def test_a_later_save_keeps_the_notes_of_an_earlier_one(bench: Workbench) -> None:
    """A clear right after them must not lose what the agent wrote down."""
    notes = parse_notes(
        {
            "title": "Tokens rotate on use",
            "decisions": ["Keep the old table"],
            "details": [{"topic": "rotation", "text": "a row per token"}],
        }
    )
    save(bench.request(key="one", notes=notes), bench.ports)
    talk = a_talk()
    talk.asks("continue")
    talk.says("Going on.")
    bench.writes(SESSION, talk)

    done = save(bench.request(key="two", trigger="clear"), bench.ports)

    assert isinstance(done, Saved)
    assert done.outcome == "saved"
    draft = done.checkpoint.draft
    assert draft.content.title == "Tokens rotate on use"
    assert "Keep the old table" in [item.text for item in draft.content.decisions]
    assert "rotation" in [detail.topic for detail in draft.details]
    assert draft.given_notes is False


def test_a_save_that_waited_keeps_the_notes_before_it(bench: Workbench) -> None:
    """Made without a store, it could not know them."""
    notes = parse_notes({"title": "Tokens rotate on use", "decisions": ["No cron"]})
    save(bench.request(key="one", notes=notes), bench.ports)
    talk = a_talk()
    talk.asks("continue")
    talk.says("Going on.")
    bench.writes(SESSION, talk)
    bench.store_trouble = StoreBusy("the store is busy")
    assert isinstance(save(bench.request(key="two"), bench.ports), Spooled)
    bench.store_trouble = None

    drain(bench.ports, bench.store)

    newest = bench.store.list(bench.scope(), limit=1)[0].draft
    assert newest.key == "two"
    assert newest.content.title == "Tokens rotate on use"
    assert "No cron" in [item.text for item in newest.content.decisions]
