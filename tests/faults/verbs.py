"""What may fail half way: each verb, the scene it begins in, and what must hold after.

A check gets how the victim ended, and what it said. It then does what a user would: look,
and try again.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from holdfast.kernel.errors import PARTS_MISSING
from holdfast.project_notes.handoff.document import HANDOFF
from tests.e2e.conftest import SAMPLE
from tests.e2e.repository import worktree_of
from tests.faults.injecting import Ended
from tests.faults.scene import Scene, aged, said, unusable

_ALL = ["four", "three", "two", "one"]


class Verb(ABC):
    """A verb in its scene. `begin` is called once, `work` in each victim."""

    name: ClassVar[str]
    exits: ClassVar[frozenset[int]] = frozenset([0, 1, 3, 4, 10, 11, 13])

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._survived = set[object]()
        self.begin()
        scene.keep()
        assert self.work() == 0  # imports everything, so that victims need not
        self.done()
        scene.renew()

    def begin(self) -> None:
        """Lay the scene."""
        assert self.scene(*self.scene.save("one", "--name", "api")).status == 0
        (self.scene.project / "code.py").write_text("second\n")

    def done(self) -> None:  # noqa: B027  # most have nothing to look at
        """Look at what an undisturbed run made of it."""

    @abstractmethod
    def work(self) -> int:
        """Do it, in this process; return the exit status."""

    @abstractmethod
    def check(self, ended: Ended, about: object) -> None:
        """Say by assertions that nothing was lost and a retry ends well."""

    def survives(self, ended: Ended, about: object) -> None:
        if ended.status is not None:
            assert ended.status in self.exits, (about, ended)
        told = said(ended.out)
        if ended.status and told and told.get("type") == "error":
            assert told["message"], (about, ended)
            assert "\n" not in told["message"], (about, ended)
        # What follows depends on nothing else, and most points leave nothing new behind.
        kind = told and tuple(map(told.get, ("type", "message", "status")))
        left = (ended.status, kind, self.scene.digest())
        if left in self._survived:
            return
        self.check(ended, about)
        self.scene.assert_whole(about)
        self._survived.add(left)


class Save(Verb):
    """Take a name over, with a worktree that changed: store, snapshot, file and index."""

    name = "save"

    def work(self) -> int:
        return self.scene.run(*self._words())

    def check(self, ended: Ended, about: object) -> None:
        told = said(ended.out)
        visible = self.scene.titles()
        assert visible in (["one"], ["two", "one"]), (about, visible)
        if told and told["type"] == "saved":
            assert visible == ["two", "one"], (about, ended)
        file = self._file().read_text(encoding="utf-8")
        assert file.startswith("# Checkpoint: api\n"), (about, file)

        retried = self.scene(*self._words())

        assert retried.status == 0, (about, retried)
        assert self.scene.titles() == ["two", "one"], (about, self.scene.titles())
        assert "\ntwo. " in self._file().read_text(encoding="utf-8"), about
        assert "**api**" in self._index().read_text(encoding="utf-8"), about

    def _words(self) -> list[str]:
        return self.scene.save("two", "--name", "api", "--force")

    def _file(self) -> Path:
        return self.scene.memory / "checkpoint-api.md"

    def _index(self) -> Path:
        return self.scene.memory / "MEMORY.md"


class Resume(Verb):
    """Deliver a named checkpoint and take its file away."""

    name = "resume"

    def work(self) -> int:
        return self.scene.run("resume", "api", "--consume")

    def check(self, ended: Ended, about: object) -> None:
        if ended.status == 0 and ended.out:
            assert said(ended.out)["brief"], about
        file = self.scene.memory / "checkpoint-api.md"
        if file.exists():
            good = self.scene.root / "good" / file.relative_to(self.scene.root)
            assert file.read_bytes() == good.read_bytes(), about
        assert self.scene.titles() == ["one"], about
        assert self.scene("resume", "1").json["brief"], about

        self.scene("cleanup", "--all")

        assert not file.exists(), about
        index = self.scene.memory / "MEMORY.md"
        assert "**api**" not in index.read_text(encoding="utf-8"), about
        assert self.scene.titles() == ["one"], about


class Restore(Verb):
    """Bring back code that is gone: one file changed, one removed, one in the way."""

    name = "restore"

    def begin(self) -> None:
        (self.scene.project / "gone.py").write_text("gone\n")
        super().begin()
        (self.scene.project / "gone.py").unlink()
        (self.scene.project / "new.py").write_text("new\n")
        self._before = worktree_of(self.scene.project)

    def done(self) -> None:
        self._after = worktree_of(self.scene.project)

    def work(self) -> int:
        return self.scene.run("restore", "1", "--exact")

    def check(self, ended: Ended, about: object) -> None:
        now = worktree_of(self.scene.project)
        if ended.status == 0:
            assert now == self._after, (about, ended)
        for path in {*now, *self._before, *self._after}:
            if not Path(path).name.startswith(".holdfast-"):
                both = (self._before.get(path), self._after.get(path))
                assert now.get(path) in both, (about, path)

        undone = self.scene("undo")

        nothing = undone.status == 1 and undone.json["code"] == "REST_003"
        assert undone.status == 0 or nothing, (about, undone)
        assert worktree_of(self.scene.project) == self._before, about


class Migrate(Verb):
    """Meet a store of the first version."""

    name = "migrate"

    def begin(self) -> None:
        super().begin()
        aged(self.scene.home, 1)

    def work(self) -> int:
        return self.scene.run("list")

    def check(self, ended: Ended, about: object) -> None:
        if ended.status == 0 and ended.out:
            found = said(ended.out)["checkpoints"]
            assert [c["content"]["title"] for c in found] == ["one"], about
        assert self.scene.titles() == ["one"], about
        assert self.scene(*self.scene.save("two")).status == 0, about
        assert self.scene.titles() == ["two", "one"], (about, self.scene.titles())


class Handoff(Verb):
    """Write the page that the next session starts from, over an older one."""

    name = "handoff"

    def begin(self) -> None:
        super().begin()
        assert self.work() == 0
        file = self._file()
        file.write_text(file.read_text(encoding="utf-8") + "\nmarmalade\n", "utf-8")
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("<!-- hf ", "<!-- hf 0", 1), "utf-8")
        self._old = file.read_bytes()

    def done(self) -> None:
        self._new = self._file().read_bytes()
        assert self._new != self._old

    def work(self) -> int:
        return self.scene.run("handoff", "write", "--transcript", str(SAMPLE))

    def check(self, ended: Ended, about: object) -> None:
        now = self._file().read_bytes()
        if ended.status == 0:
            assert now == self._new, (about, now)
        if ended.status == PARTS_MISSING:  # it said so
            assert now.startswith(b"# Session handoff\n"), (about, now)
            assert now.endswith(b" -->\n"), (about, now)
            assert b"\nmarmalade\n" in now, (about, now)
        if ended.status not in (0, PARTS_MISSING):
            assert now in (self._old, self._new), (about, ended)
        assert self.scene("handoff", "write", "--transcript", str(SAMPLE)).status == 0
        assert self._file().read_bytes() == self._new, (about, "retried")

    def _file(self) -> Path:
        return self.scene.project / HANDOFF


class Hook(Verb):
    """Save before a compaction: the agent must not notice, whatever fails."""

    name = "hook"
    exits = frozenset([0])

    def work(self) -> int:
        return self.scene.hook("PreCompact", trigger="auto")

    def check(self, ended: Ended, about: object) -> None:
        assert self.scene.titles()[-1:] == ["one"], about
        assert self.work() == 0
        found = self.scene("list").json["checkpoints"]
        assert _triggers(found) == ["compact", "command"], (about, ended)


class Drain(Verb):
    """Save where two saves wait, the first of them with a name."""

    name = "drain"

    def begin(self) -> None:
        super().begin()
        with unusable(self.scene.home):
            assert self.scene(*self.scene.save("two", "--name", "late")).status == 3
            assert self.scene(*self.scene.save("three")).status == 3

    def work(self) -> int:
        return self.scene.run(*self.scene.save("four"))

    def check(self, ended: Ended, about: object) -> None:
        told, visible = said(ended.out), self.scene.titles()
        assert visible == _ALL[-len(visible) :], (about, visible)
        if told and told["type"] == "saved":
            assert "four" in visible, (about, ended)

        retried = self.scene(*self.scene.save("four"))

        assert retried.status == 0, (about, retried)
        assert self.scene.titles() == _ALL, (about, self.scene.titles())
        assert not list((self.scene.home / "spool").glob("*.json*")), about
        if ended.status and "the file of `late`" in ended.out:
            return  # it said so
        file = self.scene.memory / "checkpoint-late.md"
        assert "\ntwo. " in file.read_text(encoding="utf-8"), about
        index = (self.scene.memory / "MEMORY.md").read_text(encoding="utf-8")
        assert "**late**" in index, about


def _triggers(found: list[dict[str, Any]]) -> list[str]:
    return [checkpoint["origin"]["trigger"] for checkpoint in found]


VERBS: tuple[type[Verb], ...] = (
    Save, Resume, Restore, Migrate, Handoff, Hook, Drain,
)  # fmt: skip
