"""Completion in the shells themselves: what a parser takes is what Tab offers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.surfaces.cli.commands import SUMMARIES
from holdfast.surfaces.cli.completion_scripts import table
from tests.e2e.conftest import SESSION, Cli

_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_holdfast
printf '%s\\n' "${COMPREPLY[@]}"
"""
_ZSH = """
compdef() { :; }
_files() { :; }
compadd() { shift; print -l -- ${(M)@:#${current}*}; }
source "$1"; shift
words=("$@"); CURRENT=$#
_holdfast
"""
_FISH = """
source $argv[1]
complete -C "$argv[2..]" | string replace -r '\\t.*' ''
"""
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-c", _BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", _ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", _FISH],
}


class Shell:
    """One shell with our completion, in the project."""

    def __init__(self, name: str, cli: Cli, script: Path) -> None:
        self.name, self.cli, self.script = name, cli, script

    def offers(self, *words: str) -> set[str]:
        """What Tab offers for the last word."""
        done = subprocess.run(  # our own words
            [*SHELLS[self.name], str(self.script), *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.cli.project,
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            },
        )
        assert done.stderr == ""
        return set(done.stdout.split())


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, cli: Cli, tmp_path: Path) -> Shell:
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"`{name}` is not installed here: `apt-get install {name}`")
    script = tmp_path / f"holdfast.{name}"
    script.write_text(cli("completion", name).out, encoding="utf-8")
    return Shell(name, cli, script)


def test_every_command_is_offered(shell: Shell) -> None:
    assert shell.offers("holdfast", "") == {*SUMMARIES}
    assert shell.offers("holdfast", "un") == {"undo", "uninstall"}


@pytest.mark.parametrize("name", ["save", "restore", "handoff", "off"])
def test_the_options_of_a_command_are_those_of_its_parser(
    shell: Shell, name: str
) -> None:
    """The script is made of the same table, so it cannot fall behind."""
    flags = {option.flag for option in table()[name].options}

    assert shell.offers("holdfast", name, "--") == flags
    assert "--json" in flags


def test_what_an_option_takes_is_offered(shell: Shell) -> None:
    assert shell.offers("holdfast", "save", "--type", "") >= {"manual", "before-clear"}
    assert shell.offers("holdfast", "handoff", "w") == {"write"}
    assert "brief.budget_tokens" in shell.offers("holdfast", "config", "brief.")
    assert shell.offers("holdfast", "completion", "f") == {"fish"}


def test_checkpoints_and_sessions_are_offered_by_what_they_are_called(
    shell: Shell, cli: Cli
) -> None:
    """Names are what people do not remember."""
    cli.save("--name", "api-design")
    cli.save("--name", "เอพีไอ")

    assert shell.offers("holdfast", "show", "api") == {"api-design"}
    assert {"latest", "1", "2", "เอพีไอ"} <= shell.offers("holdfast", "resume", "")
    assert shell.offers("holdfast", "save", "--session", "") == {SESSION[:8]}


def test_a_project_without_a_store_offers_nothing_and_says_nothing(
    shell: Shell,
) -> None:
    """Whoever types must not be disturbed by an error."""
    assert shell.offers("holdfast", "show", "l") <= {"latest"}


def test_an_unknown_shell_is_refused(cli: Cli) -> None:
    ran = cli("completion", "tcsh")

    assert ran.status == 2
    assert "hint: use one of: bash, zsh, fish" in ran.err


def test_every_form_is_json_on_request(cli: Cli) -> None:
    assert cli("completion", "bash", "--json").json["script"].startswith("# Completion")
    assert cli("completion", "references", "--json").json["type"] == "completion"
