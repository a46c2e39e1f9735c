"""A program that is run to its end: what it says, how it ended, and never for ever."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel.programs import ProgramEnd, run_program

pytestmark = pytest.mark.process
_ENVIRON = {"PATH": os.defpath}


def _shell(script: str, *, stdin: bytes = b"", seconds: float = 60) -> ProgramEnd:
    words = ("/bin/sh", "-c", script)
    return run_program(words, _ENVIRON, stdin=stdin, seconds=seconds)


def test_what_it_says_is_heard_apart() -> None:
    """What git complains of is no part of its answer."""
    assert _shell("echo out; echo err >&2; exit 3") == ProgramEnd(3, b"out\n", b"err\n")


def test_it_gets_its_input_whole_while_it_speaks() -> None:
    """Neither waits for the other, however much both have to say."""
    given = os.urandom(3_000_000)

    assert _shell("cat", stdin=given) == ProgramEnd(0, given)


def test_without_input_it_reads_nothing() -> None:
    """It must not read what the client has to say to the hook."""
    assert _shell("cat") == ProgramEnd(0)


def test_one_that_does_not_listen_is_heard_all_the_same() -> None:
    """Somebody who has his answer need not read the question to its end."""
    assert _shell("exec <&-; echo done", stdin=b"x" * 3_000_000) == ProgramEnd(
        0, b"done\n"
    )


def test_one_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe among a repository's objects holds git up for ever."""
    started, spawn = list[int](), os.posix_spawn

    def noted(*given: Any, **named: Any) -> int:
        started.append(spawn(*given, **named))
        return started[-1]

    monkeypatch.setattr(os, "posix_spawn", noted)

    done = _shell("exec sleep 600", seconds=0.1)

    assert done == ProgramEnd(None)
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], 0)


def test_one_that_only_fell_silent_is_ended_as_well() -> None:
    """Its ends are closed, and it is still there."""
    assert _shell("exec >&- 2>&-; exec sleep 600", seconds=0.5) == ProgramEnd(None)


def test_a_signal_that_ended_it_is_told() -> None:
    """A status of its own would look like an answer."""
    assert _shell("kill -9 $$").status == -9


def test_it_dies_of_a_broken_pipe_as_others_do() -> None:
    """Python ignores the signal; a program that it starts would write on in vain."""
    assert _shell("yes | head -n 1") == ProgramEnd(0, b"y\n")


def test_one_that_is_not_there_raises() -> None:
    """Then there is no answer, not an empty one."""
    with pytest.raises(FileNotFoundError):
        run_program(("/nowhere/git",), _ENVIRON)
    with pytest.raises(ValueError, match="null"):
        run_program(("/bin/sh", "a\0b"), _ENVIRON)


def test_nothing_stays_open() -> None:
    """A server asks git for days."""
    before = sorted(Path("/dev/fd").iterdir())

    for _ in range(3):
        _shell("echo x")
        _shell("sleep 600", seconds=0.01)

    assert sorted(Path("/dev/fd").iterdir()) == before


def test_it_knows_nothing_but_what_it_is_told() -> None:
    """Its environment is built from nothing."""
    code = "import os; print(sorted(set(os.environ) - {'LC_CTYPE'}))"

    done = run_program((sys.executable, "-I", "-c", code), {"A": "b"})

    assert done == ProgramEnd(0, b"['A']\n")
