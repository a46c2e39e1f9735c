"""A start, row by row of the decision's table, without a process and without a file."""

from dataclasses import replace
from typing import Any

import pytest

from holdfast.app.hooks.continuity import read_pending
from holdfast.app.hooks.end import end_request
from holdfast.app.hooks.start import preview, start
from holdfast.domain.checkpoint import FileRef, Item
from holdfast.domain.client import Client, Delivery, Switch
from holdfast.domain.code import CodeState
from holdfast.domain.session import SessionRecord
from tests.builders import (
    NOON,
    OTHER_SESSION,
    SESSION,
    WORKSPACE,
    a_draft,
    session_number,
)
from tests.conversation import Conversation
from tests.fakes import CLIENT, Workbench, transcript_of

NEW = session_number(99)
_HOUR = 3_600_000
_OPEN: dict[str, Any] = {
    "pending": (Item("wire the refresh endpoint", "agent"),),
    "files": (FileRef("src/auth.py", "edited", 9, 1),),
    "code": CodeState(branch="main", head="3f2c1a9", dirty=True),
}
_DONE: dict[str, Any] = {"files": (FileRef("src/auth.py", "edited", 9, 1),)}


@pytest.fixture
def bench() -> Workbench:
    return Workbench()


def started(bench: Workbench, source: str = "startup", **settings: Any) -> Delivery:
    """Start a session; return what the store keeps of what it was told."""
    start(bench.event("SessionStart", NEW, source=source), bench.context(**settings))
    offered = bench.store.offered(NEW)
    assert offered is not None
    return offered


def cleared(bench: Workbench) -> None:
    """Let the client be in the old session, which is then cleared."""
    client = Client(
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
    bench.store.note_client(client)


@pytest.mark.parametrize(
    ("left", "age_ms", "what", "rule"),
    [
        pytest.param(_OPEN, _HOUR, "short", "unfinished", id="unfinished"),
        pytest.param(_DONE, _HOUR, "card", "finished", id="finished today"),
        pytest.param(_DONE, 25 * _HOUR, "nothing", "too-old", id="finished long ago"),
        pytest.param(_OPEN, 15 * 24 * _HOUR, "nothing", "too-old", id="too old"),
        pytest.param(
            {**_OPEN, "trigger": "rescue"}, _HOUR, "brief", "crashed", id="crashed"
        ),
        pytest.param(
            {**_OPEN, "trigger": "headless"}, _HOUR, "nothing", "no-candidate", id="headless"
        ),
    ],
)  # fmt: skip
def test_a_startup_is_told_what_was_left_here(
    bench: Workbench, left: dict[str, Any], age_ms: int, what: str, rule: str
) -> None:
    facts: dict[str, Any] = {"started_at": NOON - age_ms, "duration_seconds": 0}
    bench.keep(a_draft(created_at=NOON - age_ms, **left, **facts))

    offered = started(bench)

    assert (offered.what, offered.rule) == (what, rule)


def test_unfinished_work_is_told_in_400_tokens(bench: Workbench) -> None:
    """Goal, state and next step reach the model whatever the user says first."""
    rules = tuple(
        Item(f"never touch module {n} of the harbour", "user") for n in range(80)
    )
    asked = (Item("add refresh tokens to the login endpoint", "user"),)
    bench.keep(a_draft(**{**_OPEN, "requests": asked, "instructions": rules}))

    reply = start(bench.event("SessionStart", NEW, source="startup"), bench.context())

    assert reply.tokens <= 400
    assert reply.context.startswith("# Unfinished work here: CHECKPOINT-00001")
    assert "otherwise ignore it and never mention it." in reply.context.splitlines()[1]
    for words in ("add refresh tokens", "src/auth.py", "wire the refresh endpoint"):
        assert words in reply.context
    assert reply.line.endswith('say "continue" · full chat: holdfast open 1')


def test_a_crash_says_so_and_lists_what_is_not_committed(bench: Workbench) -> None:
    """Whoever comes back after `kill -9` must not trust the last step."""
    left = {**_OPEN, "uncommitted": ("src/auth.py",), "trigger": "rescue"}
    bench.keep(a_draft(created_at=NOON - _HOUR, started_at=NOON - _HOUR, **left))

    reply = start(bench.event("SessionStart", NEW, source="startup"), bench.context())

    assert "# Resuming CHECKPOINT-00001" in reply.context
    assert "The session ended without a goodbye" in reply.context
    assert reply.line.endswith(
        " · ended without a goodbye · not committed: src/auth.py"
    )


@pytest.mark.parametrize("workspace", [WORKSPACE, ""])
def test_what_was_told_over_http_is_never_offered(
    bench: Workbench, workspace: str
) -> None:
    """It is somebody else's, wherever it says that it is, and however unfinished."""
    placed = replace(a_draft(**_OPEN, author="alice"), workspace=workspace)
    bench.keep(placed)

    assert started(bench).what == "nothing"


def test_where_nothing_was_saved_nothing_is_told(bench: Workbench) -> None:
    reply = start(bench.event("SessionStart", NEW, source="startup"), bench.context())

    assert (reply.context, reply.line) == ("", "")
    offered = bench.store.offered(NEW)
    assert offered is not None
    assert (offered.what, offered.rule) == ("nothing", "no-candidate")
    assert read_pending(NEW, bench.markers) is None


@pytest.mark.parametrize(
    ("source", "rule"),
    [("fork", "fork"), ("", "unknown-source"), ("something new", "unknown-source")],
)
def test_a_fork_and_an_unknown_source_are_told_nothing(
    bench: Workbench, source: str, rule: str
) -> None:
    bench.keep(a_draft(**_OPEN))

    offered = started(bench, source)

    assert (offered.what, offered.rule) == ("nothing", rule)


@pytest.mark.parametrize(
    ("fate", "rule"),
    [("there", "branch-differs"), ("merged", "branch-merged"), ("gone", "branch-gone")],
)
def test_work_on_another_branch_is_only_a_card(
    bench: Workbench, fate: Any, rule: str
) -> None:
    bench.keep(a_draft(trigger="rescue", **_OPEN))
    bench.code.branch, bench.code.fate = "other", fate

    offered = started(bench)

    assert (offered.what, offered.rule) == ("card", rule)


def test_a_session_in_another_window_is_only_a_card(bench: Workbench) -> None:
    bench.keep(a_draft(trigger="rescue", **_OPEN))
    other = CLIENT + 1
    bench.processes.running[other] = "noon"
    bench.store.note_client(
        Client(
            pid=other,
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

    offered = started(bench)

    assert (offered.what, offered.rule) == ("card", "alive-elsewhere")


def test_a_brief_that_another_session_has_is_only_a_card(bench: Workbench) -> None:
    kept = bench.keep(a_draft(trigger="rescue", **_OPEN))
    other = Delivery(
        session_id=OTHER_SESSION,
        what="brief",
        rule="crashed",
        workspace=WORKSPACE,
        source="startup",
        checkpoint_id=kept,
        offered_at=NOON,
    )
    bench.store.offer(other)
    bench.store.deliver(OTHER_SESSION, "brief")
    window = Client(pid=CLIENT + 1, started="noon", session_id=OTHER_SESSION)
    bench.store.note_client(window)
    bench.processes.running[CLIENT + 1] = "noon"

    offered = started(bench)

    assert (offered.what, offered.rule) == ("card", "delivered-elsewhere")


def test_a_session_whose_window_is_gone_and_that_did_nothing_holds_nothing_back(
    bench: Workbench,
) -> None:
    """After a clear and an exit nobody goes on with the work, whatever was told."""
    kept = bench.keep(a_draft(trigger="rescue", **_OPEN))
    told = Delivery(
        session_id=OTHER_SESSION, what="brief", rule="clear", checkpoint_id=kept
    )
    bench.store.offer(told)
    bench.store.deliver(OTHER_SESSION, "brief")

    assert started(bench).what == "brief"


def test_work_next_door_is_only_a_card(bench: Workbench) -> None:
    """A sibling directory's brief goes only to who names it."""
    bench.keep(a_draft(working_directory="/code/other", **_OPEN))

    offered = started(bench)

    assert (offered.what, offered.rule) == ("card", "elsewhere")


@pytest.mark.parametrize(
    ("left", "what", "rule"),
    [
        pytest.param(_OPEN, "brief", "cleared-unfinished", id="unfinished"),
        pytest.param(_DONE, "card", "cleared-finished", id="finished"),
    ],
)
def test_a_clear_goes_on_with_what_it_cleared(
    bench: Workbench, left: dict[str, Any], what: str, rule: str
) -> None:
    bench.keep(a_draft(trigger="clear", type="before-clear", **left))
    cleared(bench)
    bench.store.note_session(_ended(bench))

    offered = started(bench, "clear")

    assert (offered.what, offered.rule) == (what, rule)
    record = bench.store.session(NEW)
    assert record is not None
    assert record.parent_session == SESSION


def test_a_compaction_is_told_what_its_summary_lost_once(bench: Workbench) -> None:
    talk = Conversation()
    talk.asks("never push to main, and add refresh tokens")
    talk.calls("Bash", "pytest -q", output="3 passed", outcome="ok")
    talk.compacts("something about tests")
    bench.writes(NEW, talk)
    bench.keep(a_draft(session_id=NEW, trigger="compact", type="auto"))
    event = bench.event("SessionStart", NEW, source="compact")

    first = start(event, bench.context())
    again = start(event, bench.context())

    assert "never push to main" in first.context
    assert again.context == ""
    offered = bench.store.offered(NEW)
    assert offered is not None
    assert offered.rule == "compaction-already-told"


@pytest.mark.parametrize(
    ("changes", "what", "rule"),
    [
        pytest.param((), "nothing", "resumed", id="as it was"),
        pytest.param(
            (("src/auth.py", "changed"),), "drift", "resumed-files-changed", id="changed"
        ),
    ],
)  # fmt: skip
def test_a_resumed_session_hears_only_of_files_that_changed(
    bench: Workbench, changes: Any, what: str, rule: str
) -> None:
    bench.keep(a_draft(session_id=NEW, **_DONE))
    bench.code.changes = changes

    offered = started(bench, "resume")

    assert (offered.what, offered.rule) == (what, rule)


def test_the_user_is_in_charge(bench: Workbench) -> None:
    """Switched off, a clean start, a setting: each is told apart."""
    bench.keep(a_draft(**_OPEN))

    assert started(bench, resume=False).rule == "resume-is-false"
    bench.store.ask_fresh(WORKSPACE)
    assert started(bench).rule == "fresh"
    bench.store.spend_fresh(WORKSPACE)
    assert started(bench, resume="prompt").rule == "prompt"
    assert started(bench, resume="always").what == "brief"
    assert started(bench, is_headless=True).rule == "headless"
    bench.store.switch_off(Switch("all", "", None))
    assert started(bench).rule == "switched-off"


def test_a_headless_client_that_is_off_leaves_no_trace(bench: Workbench) -> None:
    bench.keep(a_draft(**_OPEN))
    context = bench.context(is_headless=True, headless="off")

    start(bench.event("SessionStart", NEW, source="startup"), context)

    assert bench.store.offered(NEW) is None


def test_a_preview_keeps_nothing(bench: Workbench) -> None:
    """`holdfast brief --preview` may be asked at any time."""
    bench.keep(a_draft(**_OPEN))
    event = bench.event("SessionStart", NEW, source="startup")

    shown = preview(event, bench.context())

    assert (shown.what, shown.rule) == ("short", "unfinished")
    assert shown.context
    assert bench.store.offered(NEW) is None
    assert bench.markers.marks == {}


def test_a_start_whose_save_is_not_done_waits_for_the_prompt(
    bench: Workbench,
) -> None:
    bench.keep(a_draft(**_OPEN))
    ended = bench.event("SessionEnd", SESSION, reason="exit")
    request = end_request(ended, bench.context())
    assert request is not None
    bench.requests.add(request)

    event = bench.event("SessionStart", NEW, source="startup")
    start(event, bench.context(), is_done=False)

    offered, waiting = bench.store.offered(NEW), read_pending(NEW, bench.markers)
    assert offered is not None
    assert offered.rule == "late"
    assert waiting is not None
    assert waiting.late


def _ended(bench: Workbench) -> SessionRecord:
    record = bench.store.session(SESSION)
    assert record is not None
    return replace(record, ended_at=NOON, cleared=True)


def _brought(bench: Workbench, at: int, **more: Any) -> None:
    draft = a_draft(
        "Brought", session_id=OTHER_SESSION, trigger="backfill", created_at=at, **more
    )
    bench.store.put(draft)


def test_backfilled_work_is_offered_where_it_is_the_newest_and_unfinished(
    bench: Workbench,
) -> None:
    """The first day: nobody saved anything yet."""
    _brought(bench, NOON - _HOUR, **_OPEN)

    assert started(bench).rule == "unfinished"


def test_backfilled_work_that_was_finished_is_never_offered(bench: Workbench) -> None:
    """It is there to be found."""
    _brought(bench, NOON - _HOUR, **_DONE)

    assert started(bench).rule == "no-candidate"


def test_backfilled_work_does_not_stand_before_what_was_saved_later(
    bench: Workbench,
) -> None:
    """Its number is higher, its time is not; nor do hundreds of them hide it."""
    bench.store.put(a_draft("Live", created_at=NOON - _HOUR, **_OPEN))
    live = bench.store.list(bench.context().scope(), limit=1)[0]
    for number in range(60):
        _brought(bench, NOON - 9 * _HOUR - number, key=f"old-{number}", **_OPEN)

    assert started(bench).checkpoint_id == live.checkpoint_id


def test_of_backfilled_work_the_newest_is_offered_whoever_did_it(
    bench: Workbench,
) -> None:
    """A later run, for another agent, brings older work under higher numbers."""
    bench.store.put(
        a_draft("Newest", trigger="backfill", created_at=NOON - _HOUR, **_OPEN)
    )
    newest = bench.store.list(bench.context().scope(), limit=1)[0]
    for number in range(30):
        at = NOON - 9 * _HOUR - number
        _brought(bench, at, key=f"old-{number}", agent="codex", **_OPEN)

    assert started(bench).checkpoint_id == newest.checkpoint_id


@pytest.mark.parametrize("agent", ["codex", "gemini", "opencode"])
def test_backfilled_work_of_another_agent_is_offered_by_the_same_rule(
    bench: Workbench, agent: str
) -> None:
    """Where it is the newest and unfinished, and not where something was saved since."""
    _brought(bench, NOON - 2 * _HOUR, agent=agent, **_OPEN)
    alone = started(bench)

    bench.store.put(a_draft("Live", created_at=NOON - _HOUR, **_DONE))
    since = started(bench)

    assert alone.rule == "unfinished"
    assert since.checkpoint_id != alone.checkpoint_id


@pytest.mark.parametrize("later", [{}, {**_OPEN, "tags": ("headless",)}])
def test_backfilled_work_is_not_hidden_by_a_session_without_work(
    bench: Workbench, later: dict[str, Any]
) -> None:
    """Somebody asked one thing, or a script ran: what was left open is still the last
    work here."""
    _brought(bench, NOON - 2 * _HOUR, **_OPEN)
    work = bench.store.list(bench.context().scope(), limit=1)[0]
    bench.store.put(
        a_draft("Later", trigger="backfill", created_at=NOON - _HOUR, **later)
    )

    assert started(bench).checkpoint_id == work.checkpoint_id


def test_a_session_without_a_person_is_not_offered_because_it_was_backfilled(
    bench: Workbench,
) -> None:
    """Its tag says what its trigger no longer does."""
    _brought(bench, NOON - _HOUR, tags=("headless",), **_OPEN)

    assert started(bench).rule == "no-candidate"
