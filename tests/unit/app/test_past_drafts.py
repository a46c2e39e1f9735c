"""Where a session of the past is cut, and what each of its drafts says."""

from itertools import pairwise

from holdfast.app.past.past_drafts import (
    LONG_PAUSE,
    PastWork,
    boundaries,
    done_from,
    done_json,
    past_drafts,
    work_from,
    work_json,
)
from holdfast.domain.code import ProjectIdentity
from holdfast.domain.event import Origin, UserSaid
from holdfast.domain.session import Inherited
from holdfast.kernel.lazy_values import replace
from holdfast.redaction.redactor import Redactor
from holdfast.session.fold import begin, fold
from tests.builders import NOON, SESSION, WORKSPACE
from tests.conversation import BEGAN, Conversation
from tests.fakes import FakeTranscripts, transcript_of

_WORK = PastWork(
    start=begin(SESSION, "claude-code"),
    transcript=transcript_of(SESSION),
    identity=ProjectIdentity(path=WORKSPACE, workspace=WORKSPACE, is_git=True),
    after=0,
    hostname="desk",
    budget=1000,
)


def _kinds(talk: Conversation) -> list[str]:
    return [b.kind for b in boundaries(_WORK.start, talk.events)]


def _long() -> Conversation:
    talk = Conversation()
    talk.asks("add refresh tokens")
    talk.calls("Write", "src/auth.py")
    talk.compacts()
    talk.asks("now the tests")
    talk.calls("Bash", "pytest -q", output="1 failed", outcome="failed")
    return talk


def test_a_session_is_cut_before_a_compaction_and_at_its_end() -> None:
    """What the summary will lose is in the record before it."""
    assert _kinds(_long()) == ["compact", "end"]


def test_a_session_is_cut_where_it_was_left_alone_for_long() -> None:
    """The next morning is another piece of work."""
    talk = Conversation()
    talk.asks("one")
    later = BEGAN + LONG_PAUSE + 10_000
    talk.events.append(UserSaid(Origin("b", None, later), "two", 3))

    assert _kinds(talk) == ["pause", "end"]


def test_a_host_that_keeps_its_session_at_a_clear_has_a_boundary_there() -> None:
    """One session, two pieces of work."""
    talk = Conversation()
    talk.asks("one")
    talk.asks("/clear", via="command")
    talk.asks("two")

    assert _kinds(talk) == ["clear", "end"]


def test_cuts_change_nothing_of_what_is_known_at_the_end() -> None:
    """Folded on, not again."""
    talk = _long()

    *_, last = boundaries(_WORK.start, talk.events)

    assert last.state == fold(_WORK.start, talk.events)


def _drafts_of(talk: Conversation, after: int = 0) -> list[tuple[int, str]]:
    transcripts = FakeTranscripts({transcript_of(SESSION): talk.events})
    done = past_drafts(replace(_WORK, after=after), transcripts, Redactor(bytes))
    return [(d.created_at, d.key) for d in done.drafts]


def test_each_draft_bears_the_time_of_its_last_line_and_a_key_made_of_it() -> None:
    """Another run makes the same ones."""
    first, second = _drafts_of(_long()), _drafts_of(_long())

    assert first == second
    assert len(first) == 2
    assert all(one < other for one, other in pairwise(at for at, _ in first))
    assert first[-1][0] < BEGAN + 60_000


def test_what_is_kept_already_is_left_out() -> None:
    """Somebody saved it at the compaction, or an earlier run did."""
    (before, _), (last, _) = _drafts_of(_long())

    assert [at for at, _ in _drafts_of(_long(), after=before)] == [last]
    assert _drafts_of(_long(), after=last) == []


def test_the_code_of_today_is_no_part_of_it() -> None:
    """Only the branch that the lines name."""
    transcripts = FakeTranscripts({transcript_of(SESSION): _long().events})

    (*_, draft) = past_drafts(_WORK, transcripts, Redactor(bytes)).drafts

    assert (draft.trigger, draft.code.tree, draft.code.head) == ("backfill", None, None)


def test_work_and_result_travel_between_processes_unchanged() -> None:
    """As JSON: nothing of it is code."""
    inherited = (Inherited("pending", "rotate the key", "agent", origin="ccp-1"),)
    start = begin(SESSION, "claude-code", inherited)
    work = replace(_WORK, after=NOON, start=start)
    transcripts = FakeTranscripts({transcript_of(SESSION): _long().events})
    done = past_drafts(_WORK, transcripts, Redactor(bytes))

    assert work_from(work_json(work)) == work
    assert done_from(done_json(done)) == done
