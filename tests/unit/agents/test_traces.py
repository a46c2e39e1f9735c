"""Our traces in the client's directory: seen, and taken away without touching others'."""

import json
from pathlib import Path

import pytest

from holdfast.agents.claude_code.wiring.install_receipt import (
    ClientTraces,
    remove_empty,
)
from holdfast.agents.port import InstallScope

_DIRECTORY = "/data/claude-code"
_PLUGIN = "holdfast@holdfast-local"


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """The client's directory, with us registered for one project and another plugin."""
    lists = {
        "known_marketplaces.json": {
            "others": {"installLocation": "/x"},
            "holdfast-local": {"installLocation": _DIRECTORY},
        },
        "installed_plugins.json": {
            "version": 2,
            "plugins": {
                "a@others": [{"scope": "user"}],
                _PLUGIN: [{"scope": "project", "projectPath": "/project"}],
            },
        },
    }
    (tmp_path / "plugins").mkdir()
    for name, value in lists.items():
        (tmp_path / "plugins" / name).write_text(json.dumps(value, indent=4))
    return tmp_path


def _traces(client: Path) -> ClientTraces:
    return ClientTraces(claude_dir=str(client), variables="/data/env")


@pytest.mark.parametrize(
    ("directory", "scope", "workspace", "expected"),
    [
        pytest.param(
            _DIRECTORY, "project", "/project", "registered", id="this project"
        ),
        pytest.param(_DIRECTORY, "project", "/other", "not yet", id="another project"),
        pytest.param(_DIRECTORY, "user", "/project", "not yet", id="another scope"),
        pytest.param(
            "/moved", "project", "/project", "not yet", id="another data directory"
        ),
    ],
)
def test_a_registration_counts_for_its_own_scope_only(
    client: Path, directory: str, scope: InstallScope, workspace: str, expected: str
) -> None:
    """Otherwise a second project would be told that it is wired in, and not be."""
    found = _traces(client).are_complete(directory, scope, workspace)

    assert found is (expected == "registered")


@pytest.mark.parametrize("text", ["", "[]", "not json", '{"plugins": 7}', "[" * 9999])
def test_lists_nobody_can_read_have_no_entry_of_ours(client: Path, text: str) -> None:
    """A later version of the client may write them in another way."""
    for path in (client / "plugins").iterdir():
        path.write_text(text)
    traces = _traces(client)

    changes = list(traces.forget(dry_run=False))

    assert traces.named() == ()
    assert not traces.are_complete(_DIRECTORY, "user", "/project")
    assert changes == []
    assert {path.read_text() for path in (client / "plugins").iterdir()} == {text}


def test_forgetting_keeps_what_is_not_ours(client: Path) -> None:
    """Entries of others, and lines that other hooks wrote for the same shell."""
    shell = client / "session-env" / "s1" / "sessionstart-hook-0.sh"
    shell.parent.mkdir(parents=True)
    shell.write_text("export A=1\n[ ! -r /data/env/s1.sh ] || . /data/env/s1.sh\n")
    alone = client / "session-env" / "s2" / "sessionstart-hook-1.sh"
    alone.parent.mkdir()
    alone.write_text("[ ! -r /data/env/s2.sh ] || . /data/env/s2.sh\n")
    traces = _traces(client)

    told = [(change.what, change.path) for change in traces.forget(dry_run=True)]
    assert alone.exists()
    done = [(change.what, change.path) for change in traces.forget(dry_run=False)]

    assert told == done == [("changed", str(shell)), ("removed", str(alone))]
    assert shell.read_text() == "export A=1\n"
    assert not alone.parent.exists()
    known = json.loads((client / "plugins" / "known_marketplaces.json").read_text())
    plugins = json.loads((client / "plugins" / "installed_plugins.json").read_text())
    assert list(known) == ["others"]
    assert list(plugins["plugins"]) == ["a@others"]


def test_many_files_of_ours_are_one_change(tmp_path: Path) -> None:
    """A month of sessions is not a page of paths."""
    client = tmp_path / "client"
    for number in range(27):
        shell = client / "session-env" / f"s{number}" / "sessionstart-hook-0.sh"
        shell.parent.mkdir(parents=True)
        shell.write_text(f"source {tmp_path}/home/env/s{number}.sh\n")
    traces = ClientTraces(claude_dir=str(client), variables=f"{tmp_path}/home/env")

    told, done = (list(traces.forget(dry_run=dry)) for dry in (True, False))

    assert told == done == [("removed", f"{client}/session-env", "27 files")]
    assert list((client / "session-env").iterdir()) == []


def test_only_what_is_empty_is_removed(tmp_path: Path) -> None:
    """A place that somebody else uses by now is theirs."""
    used, unused = tmp_path / "used", tmp_path / "unused"
    for place in (used, unused / "below"):
        place.mkdir(parents=True)
    (used / "file").write_text("x")
    lists = {"a.json": "{}", "b.json": '{"version": 2, "plugins": {}}', "c.json": "[1]"}
    for name, text in lists.items():
        (tmp_path / name).write_text(text)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")

    places = [used, unused, unused / "below", link, *(tmp_path / n for n in lists)]
    remove_empty(map(str, places))

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "c.json",
        "link",
        "used",
    ]
