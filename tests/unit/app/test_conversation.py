"""What was said in a session, and how little is read to know it."""

from holdfast.app.checkpoints.conversation import (
    Conversation as Talk,
    Conversations,
    place_at,
)
from holdfast.app.checkpoints.session_view import counted_in, session_view
from holdfast.app.page_answers.session import session_answer, spoken_answer
from holdfast.domain.session import Cursor
from tests.builders import SESSION, a_draft
from tests.conversation import BEGAN, Conversation
from tests.fakes import FakeReading, FakeTranscripts, Workbench


def _talk() -> Conversation:
    talk = Conversation()
    talk.asks("write the parser")
    talk.calls("Bash", "pytest -q", output="1 failed", outcome="failed")
    talk.asks("try again")
    return talk


def test_a_call_has_what_came_of_it() -> None:
    """Its result is a line of its own in a transcript, and one thing on a page."""
    told = Talk()

    told.take(_talk().events)

    assert [each.kind for each in told.spoken] == ["user", "call", "user"]
    call = told.spoken[1]
    assert (call.text, call.outcome, call.output) == ("pytest -q", "failed", "1 failed")


def test_no_text_is_longer_than_a_page_can_show() -> None:
    """A megabyte is told by its length."""
    talk = Conversation()
    talk.asks("x" * 1_000_000)
    told = Talk()

    told.take(talk.events)

    assert (len(told.spoken[0].text), told.spoken[0].chars) == (8_000, 1_000_000)


def test_a_moment_has_a_place() -> None:
    """A checkpoint stands behind what had been said when it was made."""
    told = Talk()
    told.take(_talk().events)

    places = [place_at(told.spoken, at) for at in (BEGAN - 1, BEGAN, BEGAN + 99_000)]

    assert places == [0, 1, 3]
    assert place_at((), BEGAN) == 0


class _Counting(FakeTranscripts):
    """Counts the events that were read."""

    read_so_far = 0

    def read(self, path: str, since: Cursor | None = None) -> FakeReading:
        reading = super().read(path, since)
        self.read_so_far += len(reading.events)
        return reading


def test_asking_again_reads_what_is_new() -> None:
    """A long session that goes on costs its last lines."""
    bench = Workbench()
    bench.transcripts = _Counting()
    talk = _talk()
    path = bench.writes(SESSION, talk)
    conversations = Conversations(lambda _agent: bench.transcripts)
    first = conversations.of(SESSION, "claude-code")
    read_first = bench.transcripts.read_so_far
    more = Conversation()
    more.asks("and the docs")
    bench.transcripts.files[path] += more.events

    then = conversations.of(SESSION, "claude-code")

    assert first is not None
    assert then is not None
    assert [each.text for each in then[len(first) :]] == ["and the docs"]
    assert bench.transcripts.read_so_far == read_first + 1
    assert conversations.of("91e0cc11-8f0e-4c0e-9d36-000000000009", "x") is None


def test_a_session_is_told_with_and_without_its_transcript() -> None:
    """Numbers come from what was said, else from its newest checkpoint."""
    bench = Workbench()
    bench.keep(a_draft("kept", prompts=7, files_modified=3, created_at=BEGAN + 500))
    conversations = Conversations(lambda _agent: bench.transcripts)
    without = session_view(SESSION[:8], bench.ports, conversations)
    bench.writes(SESSION, _talk())
    with_it = session_view(SESSION, bench.ports, conversations)

    assert (counted_in(without).prompts, counted_in(without).files) == (7, 3)
    assert (counted_in(with_it).prompts, counted_in(with_it).failed) == (2, 1)
    silent, answer = session_answer(without), session_answer(with_it)
    assert "no longer where" in silent["reason"]
    assert (answer["reason"], answer["count"]) == ("", 3)
    assert [each["place"] for each in answer["checkpoints"]] == [1]
    part = spoken_answer(with_it.spoken or (), 2)
    assert [each["text"] for each in part["spoken"]] == ["try again"]
    assert spoken_answer(with_it.spoken or (), 999)["spoken"] == []


def test_a_path_is_told_from_where_the_session_worked() -> None:
    """A line has room for what differs."""
    talk = Conversation()
    talk.calls("Read", "/code/tokens/src/a.py")
    talk.calls("Read", "/code/tokens-other/b.py")
    told = Talk()
    told.take(talk.events)

    part = spoken_answer(told.spoken, 0, "/code/tokens/")

    texts = [each["text"] for each in part["spoken"]]
    assert texts == ["src/a.py", "/code/tokens-other/b.py"]
