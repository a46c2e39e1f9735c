"""What an agent promises of its sessions that lie on disk."""

from pathlib import Path

from tests.contract.agents import Machine, past_of, with_ability

pytestmark = with_ability("past")


def test_every_transcript_is_told_with_its_size(machine: Machine) -> None:
    """In the agent's own place, and below a directory that is named."""
    path = machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)

    (own,), (named,) = past.every(), past.every(str(path.parent))

    assert own._replace(dies_at=0) == named
    assert (own.path, own.size) == (str(path), path.stat().st_size)


def test_its_stamp_changes_when_it_grows_and_not_when_it_is_touched(
    machine: Machine,
) -> None:
    """A client touches what it opens."""
    path = machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)
    (before,) = past.every()

    path.touch()
    (touched,) = past.every()
    path.write_bytes(path.read_bytes() * 2)
    (grown,) = past.every()

    assert touched.stamp == before.stamp
    assert grown.stamp != before.stamp


def test_a_glance_names_its_session(machine: Machine) -> None:
    """The one that reading it would tell."""
    path = machine.write_transcript("add refresh tokens")
    agent = machine.agent
    (transcript,) = past_of(agent).every()

    session = past_of(agent).glance(transcript)

    assert session is not None
    read = agent.transcripts(str, bulk=False).session_of(str(path))
    assert session.session_id == read
    assert past_of(agent).parents([session]) == {}


def test_of_copies_the_one_that_says_most_is_freshest(machine: Machine) -> None:
    """What was said last comes before how much there is, and two are never even."""
    machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)
    (transcript,) = past.every()
    session = past.glance(transcript)
    assert session is not None
    longer = transcript._replace(size=transcript.size + 1, path="/a/copy")
    elsewhere = transcript._replace(path=f"{transcript.path}/copy")

    later = session._replace(last_at=session.last_at + 1)
    copies = [session._replace(transcript=one) for one in (longer, elsewhere)]

    assert sorted([later, *copies, session], key=lambda one: one.freshness) == [
        session,
        copies[1],
        copies[0],
        later,
    ]


def test_what_is_gone_or_names_no_session_is_none(
    machine: Machine, tmp_path: Path
) -> None:
    """Between the look at the directory and that into the file, anything can happen."""
    path = machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)
    (transcript,) = past.every()
    path.unlink()
    link = tmp_path / "loop.jsonl"
    link.symlink_to(link)

    seen = [*past.every(), *past.every(str(tmp_path / "nowhere"))]

    assert seen == []
    assert past.glance(transcript._replace(path=str(link))) is None


def test_where_nobody_ever_started_it_there_is_nothing(machine: Machine) -> None:
    """No directory, no session."""
    assert [*past_of(machine.absent).every()] == []


def test_its_files_are_told_by_name_and_read_as_they_are(machine: Machine) -> None:
    """The transcript first."""
    path = machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)
    (transcript,) = past.every()

    first, *_ = past.files(transcript)

    assert first.path == str(path)
    assert b"".join(past.raw_lines(first)) == path.read_bytes()
