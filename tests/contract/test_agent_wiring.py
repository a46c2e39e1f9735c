"""What every wiring into an agent promises: there and back, and what is others' stays."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.agents.port import InstallScope, Wiring
from holdfast.kernel.errors import WiringFailed
from tests.contract.agents import Machine, wiring_of, with_ability

SCOPES: tuple[InstallScope, ...] = ("user", "project")


@pytest.fixture
def wiring(machine: Machine) -> Wiring:
    return wiring_of(machine)


@pytest.fixture(params=SCOPES)
def scope(request: pytest.FixtureRequest) -> InstallScope:
    return "project" if request.param == "project" else "user"


def _files(machine: Machine) -> dict[str, bytes]:
    """Everything on the machine, as it is."""
    root = machine.home.parent
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b""
        for path in root.rglob("*")
    }


def _state(wiring: Wiring) -> str:
    (found,) = wiring.check()
    return found.state


# Installing


def test_installing_makes_the_agent_call_us(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """From then on a session is kept without anybody asking for it."""
    before = _state(wiring)

    wiring.install(scope=scope, mcp=False, dry_run=False)
    machine.accept_hooks(scope)

    assert (before, _state(wiring)) == ("warn", "ok")


def test_installing_returns_what_changed(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """A person is told of each file of theirs that we touched."""
    machine.write_settings(scope)

    changes = wiring.install(scope=scope, mcp=False, dry_run=False)

    settings = str(machine.settings(scope))
    assert [c.what for c in changes if c.path == settings] == ["changed"]
    assert all(Path(change.path).exists() for change in changes)


def test_installing_twice_changes_nothing_the_second_time(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """People run it again to be sure."""
    machine.write_settings(scope)
    wiring.install(scope=scope, mcp=True, dry_run=False)
    before = _files(machine)

    again = wiring.install(scope=scope, mcp=True, dry_run=False)

    assert again == ()
    assert _files(machine) == before


def test_installing_leaves_every_byte_of_others(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """Settings are laid out by hand, and an agent has many files of its own."""
    machine.write_settings(scope)
    machine.write_transcript("hello")
    before = _files(machine)

    wiring.install(scope=scope, mcp=False, dry_run=False)

    settings = str(machine.settings(scope).relative_to(machine.home.parent))
    after = _files(machine)
    assert {p for p in before if after.get(p) != before[p]} == {settings}
    assert _is_within(before[settings], after[settings])


def _is_within(old: bytes, new: bytes) -> bool:
    """Whether the new bytes are the old ones with others put in between."""
    rest = iter(new)
    return all(byte in rest for byte in old)


def test_a_dry_run_says_what_it_would_do_and_does_nothing(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """The same files that it changes when it is meant."""
    machine.write_settings(scope)
    before = _files(machine)

    told = wiring.install(scope=scope, mcp=False, dry_run=True)
    between = _files(machine)
    done = wiring.install(scope=scope, mcp=False, dry_run=False)

    assert between == before
    assert [(c.what, c.path) for c in told] == [(c.what, c.path) for c in done]


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_link_in_a_project_is_refused(
    machine: Machine, wiring: Wiring, tmp_path: Path, *, dry_run: bool
) -> None:
    """A repository could point its settings at any file of the user's."""
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("{}")
    settings = machine.settings("project")
    settings.parent.mkdir(exist_ok=True)
    settings.symlink_to(elsewhere)

    with pytest.raises(WiringFailed, match="symbolic link"):
        wiring.install(scope="project", mcp=False, dry_run=dry_run)

    assert elsewhere.read_text() == "{}"
    assert not machine.home.exists()


def test_settings_that_are_a_link_of_the_users_are_written_where_it_leads(
    machine: Machine, wiring: Wiring, tmp_path: Path
) -> None:
    """People keep theirs in a repository of dotfiles; the link stays a link."""
    text = machine.write_settings("user")
    link, own = machine.settings("user"), tmp_path / "dotfiles" / "claude.json"
    own.parent.mkdir()
    link.rename(own)
    link.symlink_to(own)

    told = wiring.install(scope="user", mcp=False, dry_run=False)
    machine.accept_hooks("user")
    installed, state = own.read_text(), _state(wiring)
    undone = wiring.uninstall(dry_run=False)

    (change,) = [change for change in told if change.path == str(own)]
    assert (change.what, str(link) in change.detail) == ("changed", True)
    assert (installed != text, state) == (True, "ok")
    assert str(own) in {change.path for change in undone}
    assert (link.is_symlink(), own.read_text()) == (True, text)


def _nowhere(place: Path) -> Path:
    return place / "missing.json"


def _directory(place: Path) -> Path:
    (place / "directory").mkdir()
    return place / "directory"


def _anothers(place: Path) -> Path:
    found = place / "anothers.json"
    found.write_text("{}")
    if os.geteuid():
        pytest.skip("only root can give a file away")
    os.chown(found, 12345, -1)
    return found


@pytest.mark.parametrize(
    ("target", "why"),
    [
        pytest.param(_nowhere, "leads nowhere", id="a link to nothing"),
        pytest.param(_directory, "not a regular file", id="a directory"),
        pytest.param(_anothers, "not yours", id="another user's"),
    ],
)
def test_a_link_that_leads_to_no_file_of_the_users_is_refused(
    machine: Machine,
    wiring: Wiring,
    tmp_path: Path,
    target: Callable[[Path], Path],
    why: str,
) -> None:
    """With a sentence that says where it leads; nothing is written anywhere."""
    place = target(tmp_path)
    machine.settings("user").symlink_to(place)
    before = _files(machine)

    with pytest.raises(WiringFailed, match=why) as refused:
        wiring.install(scope="user", mcp=False, dry_run=False)

    assert str(place) in refused.value.message
    assert refused.value.hint
    assert _files(machine) == before


def test_a_project_whose_directory_of_settings_is_a_link_is_refused(
    machine: Machine, wiring: Wiring, tmp_path: Path
) -> None:
    """It leads to the settings of somebody else."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    machine.settings("project").parent.symlink_to(elsewhere)

    with pytest.raises(WiringFailed, match="symbolic link"):
        wiring.install(scope="project", mcp=False, dry_run=False)

    assert list(elsewhere.iterdir()) == []
    assert not machine.home.exists()


def test_settings_nobody_can_parse_are_left_alone(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """It says so instead of repairing them."""
    machine.write_settings(scope)
    machine.settings(scope).write_text('{"a": 1,}')
    before = _files(machine)

    with pytest.raises(WiringFailed):
        wiring.install(scope=scope, mcp=False, dry_run=False)

    assert _files(machine) == before


# Uninstalling


@pytest.mark.parametrize("settings", ["written", "none"])
def test_uninstalling_undoes_every_install_wherever_it_was(
    machine: Machine, wiring: Wiring, settings: str
) -> None:
    """No trace stays but the data, and no file where there was none."""
    if settings == "written":
        for scope in SCOPES:
            machine.write_settings(scope)
    machine.home.mkdir()
    (machine.home / "holdfast.db").write_bytes(b"data")
    before = _files(machine)
    for scope in SCOPES:
        wiring.install(scope=scope, mcp=True, dry_run=False)

    changes = wiring.uninstall(dry_run=False)

    assert _files(machine) == before
    assert {str(machine.settings(scope)) for scope in SCOPES} <= {
        change.path for change in changes
    }


def test_uninstalling_twice_changes_nothing_the_second_time(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """Nor where nothing was ever installed."""
    never = wiring.uninstall(dry_run=False)
    wiring.install(scope=scope, mcp=False, dry_run=False)
    wiring.uninstall(dry_run=False)
    before = _files(machine)

    again = wiring.uninstall(dry_run=False)

    assert (never, again) == ((), ())
    assert _files(machine) == before


def test_a_dry_run_of_uninstalling_does_nothing(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """It says what would go."""
    wiring.install(scope=scope, mcp=False, dry_run=False)
    before = _files(machine)

    told = wiring.uninstall(dry_run=True)

    assert str(machine.settings(scope)) in {change.path for change in told}
    assert _files(machine) == before


def test_uninstalling_keeps_what_was_changed_since(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """An agent prints its settings anew whenever it changes them."""
    text = machine.write_settings(scope)
    wiring.install(scope=scope, mcp=False, dry_run=False)
    settings = machine.settings(scope)
    changed = {**json.loads(settings.read_text()), "theme": "dark"}
    settings.write_text(json.dumps(changed, indent=2))

    wiring.uninstall(dry_run=False)

    rest = json.loads(settings.read_text())
    assert rest == {**json.loads(text), "theme": "dark"}


def test_uninstalling_finds_its_keys_without_its_record(
    machine: Machine, wiring: Wiring, scope: InstallScope
) -> None:
    """Somebody deleted our data first; nothing of others goes with our keys."""
    text = machine.write_settings(scope)
    wiring.install(scope=scope, mcp=False, dry_run=False)
    shutil.rmtree(machine.home)

    changes = wiring.uninstall(dry_run=False)

    settings = machine.settings(scope)
    assert [change.path for change in changes] == [str(settings)]
    assert settings.read_text() == text
    assert wiring.uninstall(dry_run=False) == ()


@pytest.mark.parametrize("lost", [False, True], ids=["recorded", "record lost"])
def test_no_empty_section_of_ours_stays(
    machine: Machine, wiring: Wiring, scope: InstallScope, *, lost: bool
) -> None:
    """Also where the agent printed its settings anew, and we were installed again."""
    settings = machine.settings(scope)
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"model": "x"}')
    wiring.install(scope=scope, mcp=False, dry_run=False)
    settings.write_text(json.dumps(json.loads(settings.read_text()), indent=4))
    if lost:
        shutil.rmtree(machine.home)
    wiring.install(scope=scope, mcp=False, dry_run=False)

    wiring.uninstall(dry_run=False)

    assert json.loads(settings.read_text()) == {"model": "x"}


def test_uninstalling_refuses_a_projects_file_that_became_a_link(
    machine: Machine, wiring: Wiring, tmp_path: Path
) -> None:
    """It is not ours to change any more."""
    wiring.install(scope="project", mcp=False, dry_run=False)
    settings, elsewhere = machine.settings("project"), tmp_path / "elsewhere.json"
    settings.rename(elsewhere)
    settings.symlink_to(elsewhere)
    before = elsewhere.read_bytes()

    with pytest.raises(WiringFailed):
        wiring.uninstall(dry_run=False)

    assert elsewhere.read_bytes() == before


# Checking


def test_a_check_tells_whether_the_wiring_is_there_and_answers(
    machine: Machine, wiring: Wiring
) -> None:
    """Not wired, wired and answering, broken, taken out again: each is told apart."""
    found = [_state(wiring)]
    wiring.install(scope="user", mcp=True, dry_run=False)
    machine.accept_hooks("user")
    found.append(_state(wiring))
    machine.break_wiring()
    found.append(_state(wiring))
    wiring.install(scope="user", mcp=True, dry_run=False)
    machine.write_settings("user")
    found.append(_state(wiring))

    assert found == ["warn", "ok", "fail", "fail"]


def test_a_check_tells_of_a_program_that_is_gone(machine: Machine) -> None:
    """Every file is as it was written, and nobody answers."""
    gone = machine.agent.wiring(
        home=str(machine.home), workspace=str(machine.project), python="/nowhere/python"
    )
    gone.install(scope="user", mcp=True, dry_run=False)

    assert _state(gone) == "fail"


@with_ability("allow")
@pytest.mark.parametrize("mcp", [True, False])
def test_the_agent_may_read_without_asking(
    wiring: Wiring,
    machine: Machine,
    scope: InstallScope,
    mcp: bool,  # noqa: FBT001  # with the server, and without
) -> None:
    """A brief that waits for a click is not fetched; what writes is still asked for."""
    before = machine.write_settings(scope)

    told = wiring.install(scope=scope, mcp=mcp, dry_run=False)

    text = machine.settings(scope).read_text("utf-8")
    assert "holdfast resume" in text
    assert ("checkpoint_resume" in text) == mcp
    assert "holdfast save" not in text
    assert "checkpoint_save" not in text
    assert any("the agent may read unasked" in change.detail for change in told)
    wiring.uninstall(dry_run=False)
    assert machine.settings(scope).read_text("utf-8") == before


@with_ability("allow")
def test_who_wants_to_be_asked_is_asked(wiring: Wiring, machine: Machine) -> None:
    wiring.install(scope="user", mcp=True, dry_run=False, permissions=False)

    assert "checkpoint_resume" not in machine.settings("user").read_text("utf-8")


def test_what_the_user_still_has_to_do_is_one_line(wiring: Wiring) -> None:
    """A client may want to be asked before it runs a hook."""
    assert "\n" not in wiring.advice
