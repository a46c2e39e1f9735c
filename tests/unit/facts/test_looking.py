"""Commands that only look say nothing to the next session, whatever shell they are for."""

import pytest

from holdfast.brief.phrases import short_command
from holdfast.facts.commands.meaningful import meaningful
from holdfast.facts.content import content_of
from tests.sessions import asks, runs, session

_MSBUILD = (
    "powershell.exe -Command \"& 'C:\\Program Files\\VS\\Bin\\MSBuild.exe'"
    " 'C:/work/desk/app/desk.sln' /p:Configuration=Release\""
)


@pytest.mark.parametrize(
    "command",
    [
        "Select-Object -First 40",
        "Get-ChildItem $root -Recurse",
        "Out-String).Trim(",
        "foreach ($name in $names) {",
        'Set-Location "C:\\work"',
        "findstr xlsx",
        "ss -tulpn",
        "ping -n 6 127.0.0.1",
        "systemctl status nginx",
        "uv pip list",
        'powershell.exe -NoProfile -Command "Get-Command cmake; Get-Item x"',
        'pwsh -ExecutionPolicy RemoteSigned -Command "Get-Item x"',
        'cmd.exe /c "dir C:\\work"',
    ],
)
def test_a_look_is_no_command_to_tell(command: str) -> None:
    """PowerShell's verbs say what they do; a shell that is given a look looks."""
    assert meaningful(command) == ""


@pytest.mark.parametrize(
    "command",
    [
        "Invoke-Pester",
        "Expand-Archive -Path a.zip",
        "sudo systemctl restart nginx",
        "uv pip install rich",
        'powershell.exe -Command "cmake --build build"',
        _MSBUILD,
    ],
)
def test_what_does_something_is_told(command: str) -> None:
    """Also where another shell carries it, or calls it by its whole path."""
    assert meaningful(command) == command


def test_a_short_brief_tells_a_command_without_the_shell_that_carries_it() -> None:
    """Its first sixty letters would be the way to the program."""
    assert short_command(_MSBUILD) == "MSBuild.exe desk.sln /p:Configuration=Release"


def test_what_a_program_says_of_itself_is_not_told() -> None:
    """`--help` and `--version` are asked on the way."""
    state = session(
        asks("deploy it"), runs("shipit --version", "2.1"), runs("shipit up", "live")
    )

    assert [one.command for one in content_of(state).commands] == ["shipit up"]


def test_what_ended_well_and_told_of_a_failure_is_not_called_ok() -> None:
    """A script that starts others ends with 0, whatever became of them."""
    trace = 'Traceback (most recent call last):\n  File "a.py"\nKeyError: 3'
    state = session(asks("start all"), runs("python start_all.py", trace))

    (told,) = content_of(state).commands

    assert told.exit is None
