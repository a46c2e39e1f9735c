"""`holdfast install` and `uninstall` beside the real client: the whole home directory,
before and after."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client.day import work
from tests.e2e.client.world import World

_SETTINGS = (
    '{\n\t"model":   "opus",  "hooks": {},\n\t"enabledPlugins": {"a@b": false}\n}'
)
_OURS = b"holdfast"

Files = Mapping[str, bytes]


@pytest.fixture
def lived_in(bare_world: World) -> World:
    """A home whose owner uses the client and laid the settings out by hand."""
    settings = bare_world.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(_SETTINGS)
    bare_world.claude("-p", "hello")
    return bare_world


@pytest.mark.parametrize("scope", ["user", "project"])
def test_installing_and_uninstalling_change_nothing(
    lived_in: World, scope: str
) -> None:
    """Every file, directory and byte of home and project is as it was."""
    before = _files(lived_in)

    _install(lived_in, "--scope", scope)
    wired = _files(lived_in)
    done = lived_in.holdfast("uninstall", "claude")

    assert done.returncode == 0, done
    assert _files(lived_in) == before
    assert wired != before


def test_every_change_is_printed_and_a_dry_run_knows_them(lived_in: World) -> None:
    """Also those that the client's own command makes for us."""
    before = _files(lived_in)
    expected = _paths(_install(lived_in, "--dry-run"))
    assert _files(lived_in) == before

    told = _paths(_install(lived_in))

    changed = _changed(before, _files(lived_in))
    assert told == expected
    assert {path for path in changed if not _is_told(path, told)} == set()
    settings = str(lived_in.home / ".claude" / "settings.json")
    assert settings in told


def test_installing_again_changes_nothing(lived_in: World) -> None:
    """People run it again to be sure; the client is not even asked."""
    _install(lived_in)
    once = _files(lived_in)

    again = _install(lived_in)

    assert again == []
    assert _files(lived_in) == once


def test_after_sessions_only_their_transcripts_speak_of_us(lived_in: World) -> None:
    """What the client keeps of a conversation is the conversation's."""
    _install(lived_in)
    with lived_in.talk() as client:
        work(lived_in, client)
        client.ask("/clear")
        client.ask("continue")
        client.leave()

    lived_in.holdfast("uninstall", "claude")

    left = {path for path, data in _files(lived_in).items() if _OURS in data}
    assert {path for path in left if "/.claude/projects/" not in path} == set()
    assert len(lived_in.checkpoints) == 2


def _install(world: World, *options: str) -> list[dict[str, str]]:
    answer: Any = world.answer("install", "claude", "--no-mcp", *options)
    assert all(check["state"] == "ok" for check in answer["checks"]), answer
    changes: list[dict[str, str]] = answer["changes"]
    return changes


def _paths(changes: list[dict[str, str]]) -> set[str]:
    return {change["path"] for change in changes}


def _files(world: World) -> Files:
    """Every file of home and project; a directory counts as an empty one."""
    places = (*world.home.rglob("*"), *world.project.rglob("*"))
    return {
        str(path): path.read_bytes() if path.is_file() else b""
        for path in places
        if ".git" not in path.parts
    }


def _changed(before: Files, after: Files) -> set[str]:
    """The files that are new or different; empty directories are nobody's news."""
    return {path for path in after if after[path] and before.get(path) != after[path]}


def _is_told(path: str, told: set[str]) -> bool:
    """A file is told by its path, or by a directory of ours that it is in."""
    return any(Path(path).is_relative_to(place) for place in told)
