"""What somebody sees who knows nothing yet: no word, a wrong word, `--help`."""

import shlex
from itertools import takewhile

import pytest

from holdfast.surfaces.cli.commands import EXAMPLES, SUMMARIES
from holdfast.surfaces.cli.main import run
from holdfast.surfaces.cli.parse import command_module, command_parser
from tests.e2e.conftest import Cli

_OF_THE_SHELL = ("||", "<", ">")


def test_without_a_word_the_commands_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Wrong usage all the same: a script that forgot its command must notice."""
    status = run([])
    shown = capsys.readouterr()

    assert (status, shown.out) == (2, "")
    assert all(f"  {name} " in shown.err for name in SUMMARIES)
    assert "holdfast COMMAND --help" in shown.err


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("sav", "save"), ("lsit", "list"), ("resum", "resume"), ("sesion", "session")],
)
def test_a_wrong_word_is_told_with_the_right_one(
    cli: Cli, wrong: str, meant: str
) -> None:
    ran = cli(wrong)

    assert (ran.status, ran.out) == (2, "")
    assert f"hint: did you mean `holdfast {meant}`?" in ran.err


@pytest.mark.parametrize("words", [[], *([name] for name in SUMMARIES)], ids=str)
def test_help_fits_a_terminal(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At eighty columns no line is broken by the terminal, and nothing needs a pager."""
    monkeypatch.setenv("COLUMNS", "80")

    status = run([*words, "--help"])
    shown = capsys.readouterr().out

    assert status == 0
    assert [line for line in shown.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", SUMMARIES)
def test_help_has_an_example_that_is_understood(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An example that no longer works is worse than none."""
    run([name, "--help"])
    shown = capsys.readouterr().out
    module = command_module(name)

    for example in EXAMPLES[name]:
        _, verb, *words = takewhile(
            lambda word: word not in _OF_THE_SHELL, shlex.split(example)
        )
        arranged = getattr(module, "arranged", list)(words)

        assert f"  {example}\n" in shown
        assert verb == name
        command_parser(name, module).parse_args(arranged)
