"""The git that keeps our snapshots fails, or dies, at any of its system calls.

A save goes on without its code and says so, a restore is refused or stopped, and no tree
that a record names is ever half there.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from holdfast.kernel.errors import INTEGRITY_FAILED
from tests.faults.injecting import CALLS, FAULTS, Ended, need_strace, run_alone
from tests.faults.scene import Scene, said
from tests.faults.sweeping import spread, sweep
from tests.faults.verbs import Restore, Save, Verb

_IN_CI = 12  # points of each verb, spread evenly; `make faults` takes them all
Point = tuple[str, str, int]
_SCRIPT = '#!/bin/sh\nexec strace -A -q -s 1 -o {log} {rules} {git} "$@"\n'

verbs = pytest.mark.parametrize(
    "kind", [pytest.param(v, id=v.name) for v in (Save, Restore)]
)


class Git:
    """A git in front of the real one, in which a call fails."""

    def __init__(self, place: Path) -> None:
        self._real = shutil.which("git")
        self._script, self._log = place / "git", place / "log"
        place.mkdir()

    def fail(self, *rules: str) -> None:
        wanted = " ".join(f"-e {rule}" for rule in rules)
        self._log.write_text("")
        self._script.write_text(
            _SCRIPT.format(log=self._log, rules=wanted, git=self._real)
        )
        self._script.chmod(0o755)

    def hear_nothing(self) -> None:
        """Be a git that dies before it is asked for the content of a file."""
        dying = 'case " $* " in *" cat-file "*) exec 0<&-; exit 1;; esac'
        self._script.write_text(f'#!/bin/sh\n{dying}\nexec {self._real} "$@"\n')
        self._script.chmod(0o755)

    def see_no_files(self) -> None:
        """Be a git that cannot open the worktree, and says so as the real one does."""
        told = "warning: could not open directory './': Input/output error"
        blind = f'case " $* " in *" status "*) echo "{told}" >&2; exit 0;; esac'
        self._script.write_text(f'#!/bin/sh\n{blind}\nexec {self._real} "$@"\n')
        self._script.chmod(0o755)

    def work(self) -> None:
        """Fail no more."""
        self._script.unlink(missing_ok=True)

    def said(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def was_struck(self) -> bool:
        return "INJECTED" in self.said() or "killed by SIGKILL" in self.said()


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    place = tmp_path.resolve() / "bin"
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return Git(place)


def _points(verb: Verb, git: Git) -> list[Point]:
    """Return each call of the git that makes most of them, with each fault.

    How often a pipe is written to and which helpers it opens comes and goes: what two runs
    do not share is no point that a third could be sure to reach.
    """
    most = _calls(verb, git)
    verb.scene.renew()
    most &= _calls(verb, git)
    return [
        (call, fault, number)
        for call, count in sorted(most.items())
        for fault in FAULTS
        for number in range(1, count + 1)
    ]


def _calls(verb: Verb, git: Git) -> Counter[str]:
    git.fail(f"trace={','.join(f'?{call}' for call in CALLS)}")
    run_alone(verb.work)
    git.work()
    most = Counter[str]()
    for process in git.said().split("+++ exited"):  # each counts by itself
        most |= Counter(re.findall(r"^(\w+)\(", process, re.MULTILINE))
    return most


def _sweep(verb: Verb, git: Git, points: Sequence[Point]) -> None:
    def strike(point: Point) -> Ended:
        call, fault, number = point
        git.fail(f"trace={call}", f"inject={call}:{fault}:when={number}")
        ended = run_alone(verb.work)
        struck = git.was_struck()
        git.work()
        return ended._replace(struck=struck)

    sweep(verb, points, strike, "F1", f"`{verb.name}`: calls of git that failed")


@verbs
@pytest.mark.timeout(600)
def test_a_sample_of_failing_calls_of_git_loses_nothing(
    scene: Scene, git: Git, kind: type[Verb]
) -> None:
    """The sample of every run; the whole is `make faults`."""
    need_strace()
    verb = kind(scene)
    points = _points(verb, git)

    assert len(points) > 100
    _sweep(verb, git, spread(points, _IN_CI))


@verbs
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_no_failing_call_of_git_loses_anything(
    scene: Scene, git: Git, kind: type[Verb]
) -> None:
    """Every call, every fault, in every git that a verb runs."""
    need_strace()
    verb = kind(scene)

    _sweep(verb, git, _points(verb, git))


def test_a_lock_that_a_killed_git_left_stops_no_later_snapshot(scene: Scene) -> None:
    """Ours is killed when a hook's time is up: that must not be for ever."""
    assert scene(*scene.save("one")).status == 0
    drafts = scene.home / "git" / "snapshots" / "refs" / "drafts"
    for ref in list(drafts.iterdir()):
        (drafts / f"{ref.name}.lock").write_text("")
    (scene.project / "code.py").write_text("second\n")

    saved = scene(*scene.save("two"))

    assert (saved.status, saved.json["gaps"]) == (0, [])
    assert not list(drafts.glob("*.lock"))


def test_a_git_that_hears_nothing_is_no_success(scene: Scene, git: Git) -> None:
    """A pipe to git that broke must not look like a reader who has seen enough."""
    verb = Restore(scene)
    git.hear_nothing()

    ended = run_alone(verb.work)

    git.work()
    assert ended.status == INTEGRITY_FAILED, ended
    assert said(ended.out)["code"] == "SNAP_001"
    verb.survives(ended, "a git that hears nothing")


def test_a_git_that_passed_a_directory_over_is_not_believed(
    scene: Scene, git: Git
) -> None:
    """To git it is a warning; a snapshot without those files would look whole."""
    assert scene(*scene.save("one")).status == 0
    (scene.project / "new.py").write_text("new\n")
    git.see_no_files()

    blind = scene(*scene.save("two"))

    git.work()
    assert (blind.status, blind.json["type"]) == (3, "saved")
    assert "code not saved" in blind.json["gaps"][0]
    assert scene(*scene.save("three")).json["gaps"] == []
