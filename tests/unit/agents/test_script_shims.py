"""Wiring by a script of ours: what others wrote stays, and no directory is left behind."""

import json
import sys
from pathlib import Path

import pytest

from holdfast.agents.opencode.agent import OpenCode
from holdfast.agents.pi.agent import Pi
from holdfast.agents.port import InstallScope, Wiring
from holdfast.kernel.errors import WiringFailed


class _Machine:
    def __init__(self, root: Path, agent: str) -> None:
        self.root, self.user = root, root / "user"
        (root / "project").mkdir()
        self.user.mkdir()
        self.agent = agent
        own = ".pi/agent" if agent == "pi" else ".config/opencode"
        place = "extensions" if agent == "pi" else "plugin"
        self.script = self.user / own / place / "holdfast.ts"

    @property
    def wiring(self) -> Wiring:
        environ = {"HOME": str(self.user), "PATH": "/usr/bin:/bin"}
        database = f"{self.user}/.local/share/opencode/opencode.db"
        made = (
            Pi(f"{self.user}/.pi/agent", environ)
            if self.agent == "pi"
            else OpenCode(database, environ)
        )
        return made.wiring(
            home=str(self.root / "data"),
            workspace=str(self.root / "project"),
            python=sys.executable,
        )

    @property
    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*")}


@pytest.fixture(params=["pi", "opencode"])
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> _Machine:
    return _Machine(tmp_path, request.param)


@pytest.mark.parametrize("scope", ["user", "project"])
def test_there_and_back_leaves_no_directory(machine: _Machine, scope: str) -> None:
    """Also where the client was never used before: all directories were made by us."""
    before = machine.files
    where: InstallScope = "project" if scope == "project" else "user"

    machine.wiring.install(scope=where, mcp=True, dry_run=False)
    again = machine.wiring.install(scope=where, mcp=True, dry_run=False)
    machine.wiring.uninstall(dry_run=False)

    assert again == ()
    assert machine.files - {"data"} == before


def test_a_dry_run_writes_nothing(machine: _Machine) -> None:
    """It only tells which files there would be."""
    before = machine.files

    told = machine.wiring.install(scope="user", mcp=True, dry_run=True)

    assert str(machine.script) in [change.path for change in told]
    assert machine.files == before


def test_a_script_of_somebody_else_is_left_alone(machine: _Machine) -> None:
    """A file of that name may be the user's own."""
    machine.script.parent.mkdir(parents=True)
    machine.script.write_text("export default () => {};\n")

    with pytest.raises(WiringFailed, match="somebody else wrote"):
        machine.wiring.install(scope="user", mcp=False, dry_run=False)
    machine.wiring.uninstall(dry_run=False)

    assert machine.script.read_text() == "export default () => {};\n"


def test_an_install_whose_record_is_lost_is_found_by_its_first_line(
    machine: _Machine,
) -> None:
    """Our data may be gone before the wiring is."""
    machine.wiring.install(scope="user", mcp=False, dry_run=False)
    (machine.root / "data" / machine.agent / "install.json").unlink()

    machine.wiring.uninstall(dry_run=False)

    assert not machine.script.exists()


@pytest.mark.process
def test_a_changed_script_is_told(machine: _Machine) -> None:
    """Whoever edits it, or updates holdfast, installs again."""
    machine.wiring.install(scope="user", mcp=False, dry_run=False)
    (well,) = machine.wiring.check()
    machine.script.write_text(machine.script.read_text() + "// more\n")

    (ill,) = machine.wiring.check()

    assert (well.state, ill.state) == ("ok", "fail")


def test_a_server_of_the_users_own_stays(tmp_path: Path) -> None:
    """One that somebody named like ours, and everything else in the file."""
    machine = _Machine(tmp_path, "opencode")
    settings = machine.user / ".config" / "opencode" / "opencode.json"
    settings.parent.mkdir(parents=True)
    own = json.dumps({"mcp": {"holdfast": {"type": "local", "command": ["mine"]}}})
    settings.write_text(own)

    machine.wiring.install(scope="user", mcp=True, dry_run=False)
    between = settings.read_text()
    machine.wiring.uninstall(dry_run=False)

    assert (between, settings.read_text()) == (own, own)


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_link_anywhere_in_a_project_is_refused(
    machine: _Machine, *, dry_run: bool
) -> None:
    """A repository could lead what we write into any directory of the user's."""
    elsewhere = machine.root / "elsewhere"
    (elsewhere / machine.script.parent.name).mkdir(parents=True)
    linked = machine.root / "project" / f".{machine.agent}"
    linked.symlink_to(elsewhere)

    with pytest.raises(WiringFailed, match="symbolic link") as refused:
        machine.wiring.install(scope="project", mcp=True, dry_run=dry_run)

    assert f"`{linked}`" in refused.value.message
    assert not [path for path in elsewhere.rglob("*") if path.is_file()]
    assert not (machine.root / "data").exists()


def test_a_project_that_became_a_link_is_not_taken_out_of(machine: _Machine) -> None:
    """Where it leads now is not where we wrote."""
    machine.wiring.install(scope="project", mcp=True, dry_run=False)
    linked = machine.root / "project" / f".{machine.agent}"
    linked.rename(machine.root / "elsewhere")
    linked.symlink_to(machine.root / "elsewhere")
    before = machine.files

    with pytest.raises(WiringFailed, match="symbolic link"):
        machine.wiring.uninstall(dry_run=False)

    assert machine.files == before


def test_a_script_that_became_a_link_goes_and_what_it_leads_to_stays(
    machine: _Machine,
) -> None:
    """People move such files into a repository of dotfiles: that one is theirs."""
    machine.wiring.install(scope="user", mcp=False, dry_run=False)
    own = machine.root / "dotfiles" / "holdfast.ts"
    own.parent.mkdir()
    machine.script.rename(own)
    machine.script.symlink_to(own)
    text = own.read_text()

    told = machine.wiring.uninstall(dry_run=False)

    assert str(machine.script) in [change.path for change in told]
    assert not machine.script.is_symlink()
    assert own.read_text() == text
