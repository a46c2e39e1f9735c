"""Any checkpoint of any history, restored exactly and undone, through real git."""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import SAMPLE
from tests.e2e.repository import commit_all, git, worktree_of
from tests.edits import IGNORED, Edit, histories
from tests.unit.snapshot.world import fingerprint

State = dict[str, tuple[int, bytes]]


class _World:
    def __init__(self, directory: Path) -> None:
        self.project = directory / "project"
        self.project.mkdir()
        git(self.project, "init", "-q", "-b", "main", ".")
        (self.project / ".gitignore").write_text(f"*{IGNORED}\n")
        commit_all(self.project)

    def ask(self, *words: str, may_refuse: bool = False) -> Any:
        out, err = TextIOWrapper(BytesIO()), TextIOWrapper(BytesIO())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run([*words, "--json", "--project", str(self.project)])
            out.flush()
        text = out.buffer.getvalue().decode()
        assert status == 0 or (may_refuse and status == 4), text
        return json.loads(text)

    def save(self, name: str) -> Any:
        words = ("--transcript", str(SAMPLE), "--title", name, "--key", name)
        return self.ask("save", *words)["checkpoint"]["number"]


def _files(state: State) -> State:
    """Return what a snapshot can hold: no directories, one bit of the mode."""
    return {
        path: (mode & 0o170100, content)
        for path, (mode, content) in state.items()
        if not path.endswith(IGNORED) and mode & 0o170000 != 0o040000
    }


@contextmanager
def _a_world() -> Iterator[_World]:
    with (
        tempfile.TemporaryDirectory() as scratch,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name in ("HOLDFAST_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"):
            patch.setenv(name, f"{scratch}/{name}")
        yield _World(Path(scratch))


def _holds(history: list[list[Edit]], data: st.DataObject) -> None:
    with _a_world() as world:
        kept: dict[int, State] = {}
        for place, edits in enumerate(history):
            for edit in edits:
                edit.apply(world.project)
            if place == 1:
                commit_all(world.project)
            kept[world.save(f"save {place}")] = worktree_of(world.project)
        then = data.draw(st.sampled_from(sorted(kept)))
        before, theirs = worktree_of(world.project), fingerprint(world.project / ".git")

        done = world.ask("restore", str(then), "--exact", may_refuse=True)
        restored = worktree_of(world.project)
        if done.get("saved_first"):
            world.ask("undo")

        refused = done.get("code") == "REST_001"  # an ignored file is in the way
        assert _files(restored) == _files(before if refused else kept[then])
        assert worktree_of(world.project) == before
        assert fingerprint(world.project / ".git") == theirs


_settings = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(_settings, max_examples=8)
@given(history=histories(), data=st.data())
def test_any_checkpoint_can_be_had_again_and_taken_back(
    history: list[list[Edit]], data: st.DataObject
) -> None:
    """Byte for byte, modes too, and the user's `.git` as it was; a few histories."""
    _holds(history, data)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(_settings, max_examples=100)
@given(history=histories(), data=st.data())
def test_any_checkpoint_of_many_histories_can_be_had_again(
    history: list[list[Edit]], data: st.DataObject
) -> None:
    """The same over hundreds of histories."""
    _holds(history, data)
