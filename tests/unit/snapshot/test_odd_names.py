"""Files whose names git refuses in a tree, or that are spelled to confuse it."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.domain.code import LeftOut, is_safe_path
from tests.unit.snapshot.world import World

_REFUSED = "git refuses such a name"


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    return place


@pytest.mark.parametrize(
    "name",
    [
        ".GIT",
        "git~1",
        "GIT~1. .",
        ".git.",
        ".git ",
        ".Git::$INDEX_ALLOCATION",
        ".g\u200cit",
        "\ufeff.git",
        "sub/.GIT/config",
        "sub/git~1/config",
        "sub\\.git\\hooks",
    ],
)
def test_a_name_that_git_refuses_costs_only_its_own_file(
    world: World, repository: Path, name: str
) -> None:
    """One such file was enough for checkpoints without any code, for ever."""
    odd = repository / name
    odd.parent.mkdir(exist_ok=True, parents=True)
    odd.write_text("odd\n")
    (repository / "b.txt").write_text("new\n")

    first, again = world.take(repository), world.take(repository)

    assert set(world.kept(first)) == {"a.txt", "b.txt"}
    assert first.left_out == (LeftOut(name, _REFUSED),)
    assert again == first


def test_a_link_in_the_place_of_the_list_of_submodules_is_left_out(
    world: World, repository: Path
) -> None:
    """git follows it, so it refuses it; as a file it is one like any other."""
    (repository / ".gitmodules").symlink_to("elsewhere")

    taken = world.take(repository)

    assert taken.left_out == (LeftOut(".gitmodules", _REFUSED),)
    assert set(world.kept(taken)) == {"a.txt"}


@pytest.mark.parametrize(
    "name",
    [
        b"line\nbreak",
        b"-rf",
        b"--exec=x",
        b"'single' \"double\" `tick`",
        b"back\\slash",
        b"\xff\xfe not text \xc3",
        b"tab\tbell\x07return\r",
        b" ",
        b"...",
        b".gitignored",
        b"digit~1",
        b"a:b?*|<>",
    ],
)
def test_a_name_that_is_only_unusual_is_kept_to_the_byte(
    world: World, repository: Path, name: bytes
) -> None:
    """Whatever a file system takes, programs make one day."""
    (repository / os.fsdecode(name)).write_bytes(name)

    taken = world.take(repository)

    assert taken.left_out == ()
    kept = {os.fsencode(path): file[1] for path, file in world.kept(taken).items()}
    assert kept[name] == name


@pytest.mark.process
@settings(max_examples=60, deadline=None)
@given(
    parts=st.lists(
        st.text(alphabet=".gGiItT~1 :\\a\u200c\ufeff", min_size=1, max_size=9),
        min_size=1,
        max_size=2,
    ),
    mode=st.sampled_from(["100644", "120000"]),
)
def test_every_name_we_take_is_one_that_git_takes(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str], mode: str
) -> None:
    """By the strictest rules that git has on any system."""
    root = tmp_path_factory.getbasetemp() / "judge"
    if not root.exists():
        root.mkdir()
        (root / "home").mkdir()
    path = "/".join(parts)
    blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

    if is_safe_path(path, is_link=mode == "120000"):
        assert _git_takes(root, f"{mode} {blob}\t{path}")


def _git_takes(root: Path, line: str) -> bool:
    place = root / "repository"
    environ = {"PATH": os.environ["PATH"], "HOME": str(root / "home")}
    if not place.exists():
        subprocess.run(["git", "init", "-q", str(place)], env=environ, check=True)
    rules = ["-c", "core.protectHFS=true", "-c", "core.protectNTFS=true"]
    done = subprocess.run(
        ["git", *rules, "update-index", "--add", "-z", "--index-info"],
        cwd=place,
        env=environ,
        input=line.encode() + b"\0",
        capture_output=True,
        check=False,
    )
    (place / ".git" / "index").unlink(missing_ok=True)
    return b"Invalid path" not in done.stderr and done.returncode == 0
