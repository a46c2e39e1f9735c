"""What an agent promises of conversations in its own format."""

import json
from pathlib import Path

import pytest

from holdfast.agents.past_port import BranchCut
from holdfast.domain.session import Mark
from holdfast.kernel.errors import NativeRefused
from tests.builders import session_number
from tests.contract.agents import Machine, native_of, past_of, with_ability

pytestmark = with_ability("native")

NEW = session_number(77)
_LATER = BranchCut(1 << 45, Mark())


def test_a_client_is_told_to_continue_or_to_begin_with_a_brief(
    machine: Machine,
) -> None:
    """The words of its own command line."""
    sessions = native_of(machine.agent)

    assert NEW in sessions.command(NEW)
    assert "/dev/fd/3" in sessions.command_with("/dev/fd/3")


def test_what_is_brought_lies_where_the_client_looks(machine: Machine) -> None:
    """The same bytes; the one it came from stays."""
    path = machine.write_transcript("add refresh tokens")
    before = path.read_bytes()
    agent = machine.agent
    session = agent.transcripts(str, bulk=False).session_of(str(path)) or ""

    brought = native_of(agent).bring(str(path), session, str(machine.project))

    assert brought == native_of(agent).place(session, str(machine.project))
    assert (Path(brought).read_bytes(), path.read_bytes()) == (before, before)


def test_a_branch_is_read_as_a_session_of_its_own(machine: Machine) -> None:
    """With what was said, and under its new id."""
    path = machine.write_transcript("add refresh tokens")
    before = path.read_bytes()
    agent = machine.agent

    branch = native_of(agent).branch(str(path), str(machine.project), NEW, _LATER)

    transcripts = agent.transcripts(str, bulk=False)
    assert transcripts.session_of(branch) == NEW
    assert "add refresh tokens" in str(list(transcripts.read(branch)))
    assert path.read_bytes() == before


def test_what_cannot_be_branched_is_refused(machine: Machine) -> None:
    """Nothing before the cut, never compacted, not there: no file is made."""
    path = machine.write_transcript("add refresh tokens")
    sessions, place = native_of(machine.agent), str(machine.project)
    compacted = _LATER._replace(before_compaction=True)

    with pytest.raises(NativeRefused):
        sessions.branch(str(path), place, NEW, BranchCut(1, Mark()))
    with pytest.raises(NativeRefused):
        sessions.branch(str(path), place, NEW, compacted)
    with pytest.raises(NativeRefused):
        sessions.branch(f"{path}.gone", place, NEW, _LATER)
    with pytest.raises(NativeRefused):
        sessions.bring(f"{path}.gone", NEW, place)
    assert not Path(sessions.place(NEW, place)).exists()


def test_what_was_packed_is_unpacked_to_where_the_client_looks(
    machine: Machine,
) -> None:
    """By the names that its files had; what is there already is not touched."""
    path = machine.write_transcript("add refresh tokens")
    agent = machine.agent
    (transcript,) = past_of(agent).every()
    files = [(n, Path(p).read_bytes()) for n, p in past_of(agent).files(transcript)]
    place = str(machine.project)

    made = native_of(agent).unpack(NEW, place, files)

    assert made == native_of(agent).place(NEW, place)
    assert Path(made).read_bytes() == path.read_bytes()
    with pytest.raises(NativeRefused):
        native_of(agent).unpack(NEW, place, files)
    with pytest.raises(NativeRefused):
        native_of(agent).unpack(session_number(78), place, [("../../evil", b"")])


def test_a_line_is_cleaned_and_still_says_whose_it_is(machine: Machine) -> None:
    """Its ids are what the client follows."""
    path = machine.write_transcript("the word is swordfish")
    agent = machine.agent

    def redact(value: object) -> object:
        text = json.dumps(value).replace("swordfish", "***")
        return json.loads(text.replace("0f0e0d0c", "redacted"))

    lines = past_of(agent).raw_lines(str(path))
    clean = b"".join(native_of(agent).cleaned(line, redact) for line in lines)

    path.write_bytes(clean)
    assert b"swordfish" not in clean
    session = agent.transcripts(str, bulk=False).session_of(str(path))
    assert session is not None
    assert "redacted" not in session


def test_a_transcript_is_cleaned_line_by_line(machine: Machine) -> None:
    """By the name that it is packed under: what is cleaned at once is what is said at
    once."""
    machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)
    (transcript,) = past.every()
    (name, _), *_ = past.files(transcript)

    assert native_of(machine.agent).is_lines(name)
