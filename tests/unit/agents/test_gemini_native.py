"""Conversations in Gemini CLI's own format, and when the client deletes one."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.gemini.agent import Gemini
from holdfast.agents.past_port import BranchCut
from holdfast.domain.session import Mark
from holdfast.kernel.clock import parse_iso
from tests.contract.agents import native_of
from tests.unit.agents.gemini_lines import SESSION, Chats, head, put, said, typed

_NEW = "11a1ee2a-a4d3-4d72-b559-98cd1a9b3bdc"
_ALL = BranchCut(1 << 45, Mark())
_AGENT = "77a1ee2a-a4d3-4d72-b559-98cd1a9b3bdc"
_DAY_MS = 86_400_000
_WRITTEN = parse_iso("2026-11-18T11:03:35.007Z")


@pytest.fixture
def chats(tmp_path: Path) -> Chats:
    return Chats(tmp_path, str(tmp_path / "project"))


def _gemini(chats: Chats) -> Gemini:
    return Gemini(str(chats.root), {})


def test_a_branch_is_whose_it_says_once(chats: Chats, tmp_path: Path) -> None:
    """Going on, the client says again whose session it is: of a new one that is not true."""
    again = {"$set": {"sessionId": SESSION}}
    path = chats.write(typed("one"), head(), again, said("done"))

    made = native_of(_gemini(chats)).branch(
        str(path), str(tmp_path / "project"), _NEW, _ALL
    )

    text = Path(made).read_text()
    assert (text.count(SESSION), text.count(_NEW)) == (1, 1)
    known = chats.transcripts
    assert (known.find(_NEW), known.origin(made)) == (made, SESSION)


def test_a_directory_that_the_client_never_saw_is_marked_as_it_would(
    chats: Chats, tmp_path: Path
) -> None:
    """By a file of its own: the client's list of projects is not ours to change."""
    path = chats.write(typed("one"))
    registry = chats.root / "projects.json"
    registry.write_text(json.dumps({"projects": {"/else": "new"}}))
    taken = chats.root / "tmp" / "new"
    taken.mkdir()
    place = tmp_path / "New"
    place.mkdir()

    made = Path(native_of(_gemini(chats)).bring(str(path), SESSION, str(place)))

    assert made.parent == chats.root / "tmp" / "new-1" / "chats"
    assert (made.parent.parent / ".project_root").read_text() == str(place)
    assert json.loads(registry.read_text()) == {"projects": {"/else": "new"}}
    assert native_of(_gemini(chats)).is_found(str(made), SESSION, str(place))


def test_before_a_compression_is_all_that_came_before_its_summary(
    chats: Chats, tmp_path: Path
) -> None:
    """What puts messages again, with results masked, is none."""
    summary = typed("<state_snapshot>in short", "b" * 32)
    path = chats.write(
        typed("one"), put(summary), typed("two"), put(summary), typed("three")
    )
    cut = BranchCut(1 << 45, Mark(), before_compaction=True)

    made = native_of(_gemini(chats)).branch(
        str(path), str(tmp_path / "project"), _NEW, cut
    )

    assert "in short" not in Path(made).read_text()
    assert '"one"' in Path(made).read_text()


def test_an_older_session_of_one_object_is_branched_line_by_line(
    chats: Chats, tmp_path: Path
) -> None:
    """And cleaned as the one object that it is."""
    path = chats.path(ending=".json")
    whole = head(messages=[typed("one"), said("done")])
    path.write_text(json.dumps(whole, indent=2))
    native = native_of(_gemini(chats))

    made = native.branch(str(path), str(tmp_path / "project"), _NEW, _ALL)

    assert len(Path(made).read_text().splitlines()) == 3
    assert not native.is_lines(path.name)


def test_sub_agents_are_kept_with_their_session(chats: Chats, tmp_path: Path) -> None:
    path = chats.write(typed("one"))
    beside = path.parent / SESSION
    beside.mkdir()
    (beside / "sub-1.jsonl").write_text("{}\n")
    past = _gemini(chats).past()
    (transcript,) = past.every()
    packed = [(f.name, Path(f.path).read_bytes()) for f in past.files(transcript)]
    path.unlink()
    (beside / "sub-1.jsonl").unlink()

    native_of(_gemini(chats)).unpack(SESSION, str(tmp_path / "project"), packed)

    assert [name for name, _ in packed] == [path.name, "agents/sub-1.jsonl"]
    assert (beside / "sub-1.jsonl").read_text() == "{}\n"


def _long_results(chats: Chats) -> list[Path]:
    """As the client has them: of the session, of a sub-agent; and what is neither."""
    place = chats.root / "tmp" / "here" / "tool-outputs"
    own = f"session-{SESSION}"
    names = [
        f"{own}/run_shell_command_1.txt",
        f"session-{_AGENT}/read_file_2.txt",
        f"session-{_NEW}/run_shell_command_3.txt",
        f"{own}/not a name!.txt",
    ]
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("made a key:\nthe word is swordfish\n")
    (place / own / "link.txt").symlink_to("/etc/hostname")
    agents = chats.path().parent / SESSION
    agents.mkdir()
    (agents / f"{_AGENT}.jsonl").write_text("{}\n")
    return [place / name for name in names[:2]]


def test_long_results_are_kept_with_their_session_without_its_secrets(
    chats: Chats, tmp_path: Path
) -> None:
    """A line only names their file, and the client deletes both. A key has many lines:
    a file is cleaned as one text."""
    path = chats.write(typed("one"))
    results = _long_results(chats)
    past, native = _gemini(chats).past(), native_of(_gemini(chats))
    (transcript,) = past.every()
    files = [*past.files(transcript)]
    packed = [
        (file.name, native.cleaned(b"".join(past.raw_lines(file)), _without_key))
        for file in files
    ]
    for file in files:
        Path(file.path).unlink()

    native.unpack(SESSION, str(tmp_path / "project"), packed)

    first, agent, *others = files
    assert (first.path, agent.name) == (str(path), f"agents/{_AGENT}.jsonl")
    assert [file.path for file in others] == [*map(str, results)]
    assert [native.is_lines(file.name) for file in files] == [True, True, False, False]
    assert {each.read_text() for each in results} == {"made a key:\n***\n"}


def _without_key(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return value.replace("the word is swordfish", "***")


def test_long_results_come_along_where_the_project_moved(
    chats: Chats, tmp_path: Path
) -> None:
    path = chats.write(typed("one"))
    results = _long_results(chats)
    place = tmp_path / "moved"
    place.mkdir()

    brought = Path(native_of(_gemini(chats)).bring(str(path), SESSION, str(place)))

    moved = brought.parent.parent / "tool-outputs"
    came = {each for each in moved.rglob("*") if each.is_file()}
    here = results[0].parent.parent
    assert came == {moved / each.relative_to(here) for each in results}


@pytest.mark.parametrize(
    ("retention", "days"),
    [
        (None, 30),
        ({"maxAge": "2w"}, 14),
        ({"enabled": False}, 0),
        ({"maxCount": 5}, 0),
        ({"maxAge": "soon"}, 0),
    ],
)
def test_when_the_client_deletes_a_session_is_what_its_settings_say(
    chats: Chats, retention: object, days: int
) -> None:
    """It counts from what was said last, however often the file was touched."""
    chats.write(typed("one"), said("done"))
    if retention is not None:
        settings = {"general": {"sessionRetention": retention}}
        (chats.root / "settings.json").write_text(json.dumps(settings))

    (found,) = _gemini(chats).past().every()

    assert found.dies_at == (_WRITTEN + days * _DAY_MS if days else 0)
