"""Random histories of edits: every snapshot is the worktree as it was, to the byte."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from tests.unit.snapshot.world import World, fingerprint, on_disk

_NAMES = st.sampled_from(
    ["a", "b.txt", "d/a", "d/e/f", "d/e", "x.log", "ü", "A", "sp  ace", 'q"\\\n']
)
_EDITS = st.one_of(
    st.tuples(st.just("write"), _NAMES, st.binary(max_size=40)),
    st.tuples(st.just("append"), _NAMES, st.just(b"x")),
    st.tuples(st.just("remove"), _NAMES, st.none()),
    st.tuples(st.just("rename"), _NAMES, _NAMES),
    st.tuples(st.just("chmod"), _NAMES, st.sampled_from([0o644, 0o755])),
    st.tuples(st.just("link"), _NAMES, st.sampled_from(["a", "d", "nowhere", "/"])),
    st.tuples(st.just("ignore"), st.sampled_from(["*.log", "d/", "a", ""]), st.none()),
    st.tuples(st.just("commit"), st.just(""), st.none()),
    st.tuples(st.just("take"), st.just(""), st.none()),
)


def _free(path: Path) -> None:
    """Make room for a path: whatever is in the way goes."""
    for parent in reversed(path.parents):
        if parent.is_symlink() or parent.is_file():
            parent.unlink()
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)


def _edit(world: World, place: Path, kind: str, name: str, value: Any) -> None:
    if kind == "ignore":
        (place / ".gitignore").write_text(f"{name}\n")
    elif kind == "commit":
        world.git(place, "add", "-A")
        world.git(place, "commit", "-q", "--allow-empty", "-m", "x")
    elif kind == "link":
        _free(place / name)
        (place / name).symlink_to(value)
    elif kind == "write":
        _free(place / name)
        (place / name).write_bytes(value)
    else:
        _change(place, kind, name, value)


def _change(place: Path, kind: str, name: str, value: Any) -> None:
    """Change a file that is there; where there is none, nothing happens."""
    path = place / name
    if kind == "remove" and os.path.lexists(path):
        _free(path)
    elif not path.is_file() or path.is_symlink():
        return
    elif kind == "append":
        with path.open("ab") as file:
            file.write(value)
    elif kind == "chmod":
        path.chmod(value)
    elif kind == "rename" and not value.startswith(f"{name}/"):
        content = path.read_bytes()
        path.unlink()
        _free(place / value)
        (place / value).write_bytes(content)


def _expected(world: World, place: Path) -> dict[str, tuple[int, bytes]]:
    """Return what lies there, but for what is ignored and not tracked."""
    listed = world.git(place, "ls-files", "-z", "-c", "-o", "--exclude-standard")
    wanted = set(listed.split("\0"))
    return {path: kept for path, kept in on_disk(place).items() if path in wanted}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_EDITS, min_size=1, max_size=14))
def test_every_snapshot_is_the_worktree_as_it_was(
    edits: list[tuple[str, str, Any]],
) -> None:
    """Through one index that is carried along, as it is in daily use."""
    with tempfile.TemporaryDirectory() as scratch:
        world = World(Path(scratch).resolve())
        place = world.repository("project")
        taken = []
        for kind, name, value in [*edits, ("take", "", None)]:
            _edit(world, place, kind, name, value)
            if kind == "take":
                before = fingerprint(place)
                now = (world.take(place), _expected(world, place))
                taken.append(now)
                assert fingerprint(place) == before

        for snapshot, expected in taken:
            assert world.kept(snapshot) == expected
        trees = [str(snapshot.tree) for snapshot, _ in taken]
        assert world.snapshots().damage(trees) == {}
