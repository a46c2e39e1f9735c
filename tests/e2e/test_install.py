"""`holdfast install` and `uninstall` on a machine without the `claude` command."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.kernel.errors import WiringFailed
from holdfast.surfaces.cli.install import check_platform
from tests.e2e.conftest import Cli
from tests.past import PastDisk, asked

_SETTINGS = '{\n\t"model":   "x",  "hooks": {},\n\t"enabledPlugins": {"a@b": false}\n}'


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The client's own settings file, as a person laid it out."""
    monkeypatch.setenv("PATH", os.defpath)
    path = tmp_path / "claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(_SETTINGS)
    path.chmod(0o644)
    return path


@pytest.fixture
def other_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home in which other agents have their settings."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    for name, variable in (("codex", "CODEX_HOME"), ("gemini", "GEMINI_CLI_HOME")):
        (tmp_path / "user" / f".{name}").mkdir(parents=True)
        monkeypatch.delenv(variable, raising=False)


def _install(cli: Cli, *words: str) -> list[tuple[str, str]]:
    ran = cli("install", "claude", "--no-mcp", "--json", *words)
    assert ran.status == 0, ran
    return [(change["what"], change["path"]) for change in ran.json["changes"]]


def test_installing_names_the_plugin_and_leaves_the_rest(
    cli: Cli, settings: Path
) -> None:
    """Foreign settings stay byte for byte; permissions, too."""
    changes = _install(cli)

    text = settings.read_text()
    written = json.loads(text)
    assert written["enabledPlugins"] == {"a@b": False, "holdfast@holdfast-local": True}
    source = written["extraKnownMarketplaces"]["holdfast-local"]["source"]
    assert source == {"source": "directory", "path": str(cli.home / "claude-code")}
    assert text.startswith(
        '{\n\t"model":   "x",  "hooks": {},\n\t"enabledPlugins": {"a@b"'
    )
    assert stat.S_IMODE(settings.stat().st_mode) == 0o644
    assert changes == [
        ("plugin", str(cli.home / "claude-code")),
        ("written", str(cli.home / "claude-code")),
        ("changed", str(settings)),
    ]


def test_what_is_written_is_its_owners_alone(cli: Cli, settings: Path) -> None:
    """New files 0600, scripts 0700, directories 0700, whatever the umask."""
    _install(cli)

    modes = {
        stat.S_IMODE(path.lstat().st_mode)
        for path in (cli.home / "claude-code").rglob("*")
    }
    assert modes == {0o600, 0o700}
    assert settings.exists()


def test_installing_twice_changes_nothing_the_second_time(
    cli: Cli, settings: Path
) -> None:
    """People run it again to be sure."""
    _install(cli)
    before = settings.read_bytes()

    again = _install(cli)

    assert again == []
    assert settings.read_bytes() == before
    assert "already there" in cli("install", "claude", "--no-mcp").out


def test_a_dry_run_says_what_it_would_do_and_does_nothing(
    cli: Cli, settings: Path
) -> None:
    """Nothing is written, not even a store."""
    told = _install(cli, "--dry-run")
    text = cli("install", "claude", "--no-mcp", "--dry-run").out

    assert [what for what, _ in told] == ["plugin", "written", "changed"]
    assert "would write " in text
    assert "would change " in text
    assert "written" not in text
    assert settings.read_text() == _SETTINGS
    assert not cli.home.exists()


def test_uninstalling_leaves_no_trace_but_the_data(cli: Cli, settings: Path) -> None:
    """Byte for byte, with a section of others kept and one of ours gone."""
    _install(cli)

    ran = cli("uninstall", "claude")

    assert ran.status == 0, ran
    assert f"Delete them with: rm -r {cli.home}" in ran.out
    assert settings.read_text() == _SETTINGS
    assert not (cli.home / "claude-code").exists()
    assert (cli.home / "holdfast.db").exists()
    assert "Nothing to remove" in cli("uninstall", "claude").out


def test_a_settings_file_of_ours_goes_with_us(cli: Cli, settings: Path) -> None:
    """Where there was no file, there is none afterwards."""
    settings.unlink()

    _install(cli)
    mode = stat.S_IMODE(settings.stat().st_mode)
    cli("uninstall", "claude")

    assert mode == 0o600
    assert not settings.exists()


def test_one_project_alone_can_have_it(cli: Cli, settings: Path) -> None:
    """`--scope project` writes into the project's own settings."""
    _install(cli, "--scope", "project")

    own = cli.project / ".claude" / "settings.json"
    assert "holdfast@holdfast-local" in own.read_text()
    assert settings.read_text() == _SETTINGS
    cli("uninstall", "claude")
    assert not own.exists()


def test_settings_nobody_can_parse_are_left_alone(cli: Cli, settings: Path) -> None:
    """It says so instead of repairing them."""
    settings.write_text('{"a": 1,}')

    ran = cli("install", "claude", "--no-mcp", "--json")

    assert (ran.status, ran.json["code"]) == (1, "WIRE_001")
    assert settings.read_text() == '{"a": 1,}'
    assert not (cli.home / "claude-code").exists()


def test_another_agent_is_refused(cli: Cli) -> None:
    """Better than wiring into something else."""
    for command in ("install", "uninstall"):
        ran = cli(command, "emacs", "--json")

        assert (ran.status, ran.json["code"]) == (2, "USE_001")


def test_native_windows_is_refused() -> None:
    """Half of the promises could not be kept there; WSL keeps them all."""
    with pytest.raises(WiringFailed) as refused:
        check_platform("nt")

    assert "WSL" in refused.value.hint


def test_the_launchers_start_this_installation(cli: Cli, settings: Path) -> None:
    """By absolute path: a PATH or a package in the project cannot change what runs."""
    _install(cli)
    trap = cli.project / "holdfast"
    trap.mkdir()
    (trap / "__init__.py").write_text("raise SystemExit(9)")
    plugin = cli.home / "claude-code" / "holdfast"
    environ = {"PATH": "", "PYTHONPATH": str(cli.project), "HOME": str(cli.home)}

    told, hook = (
        subprocess.run(
            words,
            cwd=cli.project,
            env=environ,
            input=b"{}",
            capture_output=True,
            check=False,
        )
        for words in (
            [str(plugin / "bin" / "holdfast"), "--version"],
            [str(plugin / "hooks" / "launch"), "Stop"],
        )
    )

    assert told.stdout.startswith(b"holdfast ")
    assert (hook.returncode, hook.stderr) == (0, b"")
    assert settings.exists()


@pytest.mark.parametrize("moved", ["place", "version"])
@pytest.mark.parametrize(
    ("agent", "place"),
    [
        ("claude", "claude-code/holdfast/hooks/launch"),
        ("codex", "codex/launch"),
        ("gemini", "gemini/launch"),
    ],
    ids=["claude", "codex", "gemini"],
)
@pytest.mark.usefixtures("settings", "other_agents")
def test_a_hook_finds_its_packages_where_they_are_by_now(
    cli: Cli, tmp_path: Path, agent: str, place: str, moved: str
) -> None:
    """An environment that was made anew for another Python keeps its path, and what was
    noted about it is old: then every place is looked at, as any start of Python does."""
    assert cli("install", agent, "--no-mcp").status == 0
    launcher = cli.home / place
    whole = launcher.read_text()
    noted = re.search(r"places = \[(.*)\]", whole)
    assert noted
    assert f"!= {sys.version_info[:2]}" in whole
    if moved == "place":
        old = whole.replace(noted[1], repr(str(tmp_path / "gone")).replace("'", '"'))
    else:
        old = whole.replace(str(sys.version_info[:2]), "(3, 0)")
    launcher.write_text(old.replace("import main; main()", "import main; print(main)"))

    done = subprocess.run([launcher], capture_output=True, text=True, check=False)

    assert done.stdout.startswith("<function main")


@pytest.mark.usefixtures("settings", "other_agents")
@pytest.mark.parametrize(
    ("agent", "past"), [("claude", 1), ("codex", 0), ("gemini", 0)]
)
def test_a_past_is_offered_where_backfill_reads_it(
    cli: Cli, tmp_path: Path, agent: str, past: int
) -> None:
    """Who wires another agent in is not told of sessions with Claude Code."""
    PastDisk(tmp_path / "claude", str(cli.project)).write(1, asked("fix the parser"))

    told = cli("install", agent, "--no-mcp").out
    counted = cli("install", agent, "--no-mcp", "--json").json["past"]

    assert counted == past
    assert ("holdfast backfill" in told) == bool(past)


def test_launchers_of_a_program_that_is_gone(cli: Cli, settings: Path) -> None:
    """A hook is silent, a command says why it cannot be had."""
    _install(cli)
    plugin = cli.home / "claude-code" / "holdfast"
    for script in (plugin / "bin" / "holdfast", plugin / "hooks" / "launch"):
        text = script.read_text().replace(sys.executable, "/nowhere/python")
        script.write_text(text)

    hook = subprocess.run(
        [plugin / "hooks" / "launch", "Stop"], capture_output=True, check=False
    )
    command = subprocess.run(
        [plugin / "bin" / "holdfast"], capture_output=True, check=False
    )

    assert (hook.returncode, hook.stdout, hook.stderr) == (0, b"", b"")
    assert (command.returncode, command.stderr) == (
        1,
        b"holdfast is gone: install it again\n",
    )
    assert settings.exists()


def test_doctor_looks_at_the_wiring_end_to_end(cli: Cli, settings: Path) -> None:
    """Not wired, wired and answering, switched off, broken: each is told apart."""
    wiring = [_doctor(cli)]
    _install(cli)
    wiring.append(_doctor(cli))
    launcher = cli.home / "claude-code" / "holdfast" / "hooks" / "launch"
    whole = launcher.read_text()
    launcher.write_text("#!/bin/sh\nexit 0\n")
    wiring.append(_doctor(cli))
    launcher.write_text(whole)
    settings.write_text(_SETTINGS)
    wiring.append(_doctor(cli))

    assert [state for state, _ in wiring] == ["warn", "ok", "fail", "fail"]
    assert wiring[0][1] == "not installed"
    assert wiring[1][1].startswith("hooks answer in ")
    assert "another installation" in wiring[2][1]
    assert "does not enable" in wiring[3][1]
    assert cli("doctor").status == 1


def _doctor(cli: Cli) -> tuple[str, str]:
    (found,) = [
        (check["state"], check["message"])
        for check in cli("doctor", "--json").json["checks"]
        if check["name"] == "claude code"
    ]
    return found
