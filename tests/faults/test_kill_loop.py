"""Eight writers save through the command line, and one after the other is killed.

Each save has a title and a key of its own, and a writer that was killed is replaced by one
that begins with what was not acknowledged. In the end every save is there exactly once.
"""

import io
import json
import os
import random
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE
from tests.faults.figures import figure
from tests.faults.scene import Scene

_WRITERS = 8
_PATIENCE = 0.2  # seconds until a command is killed, at first


def _words(title: str, project: Path) -> list[str]:
    place = ["--project", str(project), "--json"]
    return [
        "save",
        "--transcript",
        str(SAMPLE),
        "--title",
        title,
        "--key",
        title,
        *place,
    ]


class Writer:
    """A process that saves without end, one title after the other."""

    def __init__(self, name: str, project: Path) -> None:
        self._name, self._project = name, project
        self.acknowledged: list[str] = []
        self._half = b""
        self._begin()

    def fileno(self) -> int:
        return self._reader

    def hear(self) -> int:
        """Take in what it said; return how many saves that acknowledges."""
        *whole, self._half = (self._half + os.read(self._reader, 65536)).split(b"\n")
        self.acknowledged += [line.decode() for line in whole]
        return len(whole)

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        while self.hear():
            pass
        os.close(self._reader)
        self._half = b""

    def begin_again(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._reader, writer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                self._save_for_ever(writer)
            finally:
                os._exit(1)
        os.close(writer)

    def _save_for_ever(self, writer: int) -> None:
        number = len(self.acknowledged)
        while True:
            title = f"save {number} of {self._name}"
            sys.stdout = io.TextIOWrapper(io.BytesIO())
            assert run(_words(title, self._project)) == 0
            sys.stdout.flush()
            said = json.loads(sys.stdout.buffer.getvalue())
            assert said["checkpoint"]["content"]["title"] == title
            os.write(writer, title.encode() + b"\n")
            number += 1


def _write_and_kill(project: Path, wanted: int, lives: int) -> tuple[list[str], int]:
    """Return what was acknowledged, and how many writers were killed for it."""
    chance, kills, heard = random.Random(wanted), 0, 0  # noqa: S311  # no secret
    writers = [Writer(str(number), project) for number in range(_WRITERS)]
    with selectors.DefaultSelector() as selector:
        for writer in writers:
            selector.register(writer, selectors.EVENT_READ)
        while heard < wanted:
            for key, _ in selector.select():
                talker = key.fileobj
                assert isinstance(talker, Writer)
                heard += talker.hear()
            if chance.randrange(lives) == 0:
                victim = chance.choice(writers)
                selector.unregister(victim)
                victim.kill()
                victim.begin_again()
                selector.register(victim, selectors.EVENT_READ)
                kills += 1
    for writer in writers:
        writer.kill()
    return [title for writer in writers for title in writer.acknowledged], kills


def _wrong(promised: Iterable[str], kept: Sequence[str]) -> dict[str, int]:
    lost = len(set(promised) - set(kept))
    return {"lost": lost, "doubled": len(kept) - len(set(kept))}


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("wanted", "lives"),
    [
        pytest.param(300, 8, id="300 saves"),
        pytest.param(10_000, 12, id="10,000 saves", marks=pytest.mark.slow),
    ],
)
def test_no_save_is_lost_or_doubled_while_writers_are_killed(
    scene: Scene, wanted: int, lives: int
) -> None:
    """Whatever moment they die at: what they said is there, and nothing is there twice."""
    assert scene(*_words("warm", scene.project)[:-3]).status == 0

    acknowledged, kills = _write_and_kill(scene.project, wanted, lives)

    assert scene(*_words("the next start", scene.project)[:-3]).status == 0
    found = scene("list", "--limit", "100000").json["checkpoints"]
    wrong = _wrong(acknowledged, [c["content"]["title"] for c in found])
    whole = list(range(len(found), 0, -1))
    wrong["gaps"] = len(set(whole) - {c["sequence"] for c in found})
    figure("F5", "saves of 8 writers", len(acknowledged), wrong, kills=kills)
    for name in ("number", "sequence"):
        assert [c[name] for c in found] == whole
    scene.assert_whole("a kill loop")
    assert len(acknowledged) >= wanted
    assert kills > wanted / lives / 4
    assert len(found) > len(acknowledged)


def _run_once(words: list[str], patience: float) -> bool:
    """Run the command as a user does; kill it after a while; say if it was done."""
    command = [sys.executable, "-m", "holdfast", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            out, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            return False
    assert process.returncode == 0, (words, out)
    return True


def _until_done(words: list[str], chance: random.Random) -> int:
    """Try until it is done; return how often it was killed.

    Each try may take longer than the one before, so that a busy machine gets there, too.
    """
    kills, most = 0, _PATIENCE
    while not _run_once(words, chance.uniform(_PATIENCE / 4, most)):
        kills, most = kills + 1, most * 1.5
    return kills


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "saves",
    [
        pytest.param(6, id="6 saves"),
        pytest.param(100, id="100 saves", marks=pytest.mark.slow),
    ],
)
def test_a_command_killed_again_and_again_saves_once(scene: Scene, saves: int) -> None:
    """The real command from its first instruction on, tried until it says it is done."""
    chance, kills = random.Random(saves), 0  # noqa: S311  # no secret
    titles = [f"save {number}" for number in range(saves)]

    for title in titles:
        kills += _until_done(_words(title, scene.project), chance)

    kept = scene.titles()
    figure("F5", "commands as processes", saves, _wrong(titles, kept), kills=kills)
    assert kept == titles[::-1]
    scene.assert_whole("commands that were killed")
