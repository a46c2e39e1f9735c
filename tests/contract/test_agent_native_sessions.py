"""What an agent promises of conversations in its own format."""

import json
from pathlib import Path

import pytest

from holdfast.agents.past_port import BranchCut
from holdfast.domain.session import Mark
from holdfast.kernel.errors import NativeRefused
from holdfast.redaction.redactor import Redactor
from tests.builders import session_number
from tests.contract.agents import Machine, native_of, past_of, with_ability

pytestmark = with_ability("native")

NEW = session_number(77)
_LATER = BranchCut(1 << 45, Mark())


def test_what_is_brought_lies_where_the_client_looks(machine: Machine) -> None:
    """With all that was said; the one it came from stays."""
    path = machine.write_transcript("add refresh tokens")
    before = path.read_bytes()
    agent, place = machine.agent, str(machine.project)
    sessions = native_of(agent)
    session = agent.transcripts(str, bulk=False).session_of(str(path)) or ""
    if sessions.is_found(str(path), session, place):  # from anywhere
        return

    brought = sessions.bring(str(path), session, place)

    assert sessions.is_found(brought, session, place)
    assert Path(brought).read_bytes().endswith(before.splitlines(keepends=True)[-1])
    assert path.read_bytes() == before
    assert sessions.bring(str(path), session, place) == brought


def test_a_branch_is_read_as_a_session_of_its_own(machine: Machine) -> None:
    """With what was said, and under its new id."""
    path = machine.write_transcript("add refresh tokens")
    before = path.read_bytes()
    agent = machine.agent

    branch = native_of(agent).branch(str(path), str(machine.project), NEW, _LATER)

    transcripts = agent.transcripts(str, bulk=False)
    assert native_of(agent).is_found(branch, NEW, str(machine.project))
    assert transcripts.find(NEW) == branch
    assert transcripts.session_of(branch) == NEW
    assert "add refresh tokens" in str(list(transcripts.read(branch)))
    assert path.read_bytes() == before


def test_a_branch_tells_by_itself_where_it_came_from(machine: Machine) -> None:
    """A backfill of another day, or on another machine, has only the files."""
    path = machine.write_transcript("add refresh tokens")
    agent, past = machine.agent, past_of(machine.agent)
    session = agent.transcripts(str, bulk=False).session_of(str(path)) or ""
    native_of(agent).branch(str(path), str(machine.project), NEW, _LATER)

    glances = [past.glance(transcript) for transcript in past.every()]
    parents = past.parents([one for one in glances if one is not None])

    assert {own: (of.session_id, of.is_fork) for own, of in parents.items()} == {
        NEW: (session, True)
    }


def test_what_cannot_be_branched_is_refused(machine: Machine) -> None:
    """Nothing before the cut, never compacted, not there: no file is made."""
    path = machine.write_transcript("add refresh tokens")
    before = _files(machine)
    sessions, place = native_of(machine.agent), str(machine.project)
    compacted = _LATER._replace(before_compaction=True)

    with pytest.raises(NativeRefused):
        sessions.branch(str(path), place, NEW, BranchCut(1, Mark()))
    with pytest.raises(NativeRefused):
        sessions.branch(str(path), place, NEW, compacted)
    with pytest.raises(NativeRefused):
        sessions.branch(f"{path}.gone", place, NEW, _LATER)
    with pytest.raises(NativeRefused):
        sessions.bring(f"{path}.gone.jsonl", NEW, place)
    assert _files(machine) == before


def _files(machine: Machine) -> set[Path]:
    """What the client has: a mark of a directory that it does not know yet is none."""
    found = (path for path in machine.home.parent.rglob("*") if path.is_file())
    return {path for path in found if path.name != ".project_root"}


def test_what_was_packed_is_unpacked_to_where_the_client_looks(
    machine: Machine,
) -> None:
    """By the names that its files had; what is there already is not touched."""
    path = machine.write_transcript("add refresh tokens")
    before = path.read_bytes()
    agent, place = machine.agent, str(machine.project)
    (transcript,) = past_of(agent).every()
    session = agent.transcripts(str, bulk=False).session_of(str(path)) or ""
    files = [
        (one.name, Path(one.path).read_bytes())
        for one in past_of(agent).files(transcript)
    ]
    path.unlink()

    made = native_of(agent).unpack(session, place, files)

    assert native_of(agent).is_found(made, session, place)
    assert agent.transcripts(str, bulk=False).find(session) == made
    assert Path(made).read_bytes().splitlines()[-1] == before.splitlines()[-1]
    with pytest.raises(NativeRefused):
        native_of(agent).unpack(session, place, files)
    with pytest.raises(NativeRefused):
        native_of(agent).unpack(session_number(78), place, [("../../evil", b"")])


def test_a_line_is_cleaned_and_still_says_whose_it_is(machine: Machine) -> None:
    """Its ids are what the client follows."""
    path = machine.write_transcript("the word is swordfish")
    agent = machine.agent

    def redact(value: object) -> object:
        text = json.dumps(value).replace("swordfish", "***")
        return json.loads(text.replace(session[:8], "redacted"))

    (transcript,) = past_of(agent).every()
    session = agent.transcripts(str, bulk=False).session_of(str(path)) or ""
    first, *_ = past_of(agent).files(transcript)
    lines = past_of(agent).raw_lines(first)
    clean = b"".join(native_of(agent).cleaned(line, redact) for line in lines)

    path.write_bytes(clean)
    assert b"swordfish" not in clean
    assert agent.transcripts(str, bulk=False).session_of(str(path)) == session


def test_a_transcript_is_cleaned_line_by_line(machine: Machine) -> None:
    """By the name that it is packed under: what is cleaned at once is what is said at
    once."""
    machine.write_transcript("add refresh tokens")
    past = past_of(machine.agent)
    (transcript,) = past.every()
    first, *_ = past.files(transcript)

    assert native_of(machine.agent).is_lines(first.name)


@pytest.mark.parametrize("depth", [300, 600, 900, 5_000])
def test_a_line_is_cleaned_however_deep_it_is_nested(
    machine: Machine, depth: int
) -> None:
    """One that can be read, and no further, must keep no other session from the archive."""
    redact = Redactor().tree
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    nested = "[" * depth + f'"{secret}"' + "]" * depth
    line = f'{{"type":"user","content":{nested}}}\n'.encode()

    clean = native_of(machine.agent).cleaned(line, redact)

    assert secret.encode() not in clean
    assert b"redacted" in clean


def test_a_line_of_no_kind_stops_no_branch(machine: Machine) -> None:
    """A version to come may write one; that nothing was compacted is said as ever."""
    path = machine.write_transcript("add refresh tokens")
    with path.open("ab") as file:
        file.write(b'{"later": 1}\n')
    sessions, place = native_of(machine.agent), str(machine.project)

    with pytest.raises(NativeRefused, match="never compacted"):
        sessions.branch(str(path), place, NEW, _LATER._replace(before_compaction=True))
    made = sessions.branch(str(path), place, NEW, _LATER)

    assert "add refresh tokens" in Path(made).read_text()
