"""Entire: what a repository holds under its branch and its refs, asked of real git."""

import subprocess
from pathlib import Path

import pytest

from holdfast.kernel.errors import FileRefused
from holdfast.neighbours.place import SourcePlace
from holdfast.neighbours.reading import read
from holdfast.neighbours.record import Reading
from tests.neighbours import ENTIRE_SUMMARY, NOON_MS, entire_commit, entire_files
from tests.unit.neighbours.conftest import only
from tests.unit.snapshot.world import World, fingerprint

pytestmark = pytest.mark.process
BRANCH = "refs/heads/entire/checkpoints/v1"
ULID = "01KVBJCWYA4YW6J5M9GP655HZN"


@pytest.fixture
def world(tmp_path: Path) -> World:
    root = tmp_path.resolve() / "world"
    root.mkdir()
    return World(root)


@pytest.fixture
def repository(world: World) -> Path:
    made = world.repository("app")
    world.commit(made)
    return made


def tree_of(world: World, where: Path, lines: str) -> str:
    """Make a tree of lines as `git ls-tree` prints them."""
    done = subprocess.run(
        ["git", "mktree"],
        cwd=where,
        env={**world.environ, "GIT_CONFIG_NOSYSTEM": "1"},
        input=lines.encode(),
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def on_branch(files: dict[str, str]) -> dict[str, str]:
    return {f"a3/b2c4d5e6f7/{path}": text for path, text in files.items()}


def read_at(world: World, where: Path, kind: str | None = None) -> Reading:
    git = world.code().plumbing(str(where))
    return read(SourcePlace(str(where), git=git), kind)


def test_a_checkpoint_of_the_branch_is_read(world: World, repository: Path) -> None:
    entire_commit(world, repository, BRANCH, on_branch(entire_files()))

    reading = read_at(world, repository)

    record = only(reading)
    assert (reading.kind, record.record) == ("entire", "a3b2c4d5e6f7/0")
    assert (record.created_at, record.branch) == (NOON_MS, "main")
    assert record.title == "Make the parser accept nested quotes"
    assert record.files == ("src/parser.py",)
    assert record.tags == ("Claude Code", "manual-commit")
    assert record.remarks[0].text == "Make the parser accept nested quotes"


def test_a_summary_that_entire_added_is_told(world: World, repository: Path) -> None:
    files = entire_files(summary=ENTIRE_SUMMARY)
    entire_commit(world, repository, BRANCH, on_branch(files))

    record = only(read_at(world, repository))

    assert (record.title, record.summary) == (
        "Let quotes nest",
        "The parser keeps a stack",
    )
    assert record.discoveries == (
        "The lexer is generated",
        "src/parser.py: quotes are counted",
    )
    assert record.dead_ends == ("A regular expression was too slow",)
    assert record.next_steps == ("Teach the linter",)
    assert record.version == 2


def test_a_ref_for_each_checkpoint_is_read(world: World, repository: Path) -> None:
    ref = f"refs/entire/checkpoints/{ULID[-2:]}/{ULID}"
    entire_commit(world, repository, ref, entire_files())

    assert only(read_at(world, repository)).record == f"{ULID}/0"


def test_a_clone_has_the_branch_of_its_remote(world: World, repository: Path) -> None:
    entire_commit(
        world,
        repository,
        "refs/remotes/origin/entire/checkpoints/v1",
        on_branch(entire_files()),
    )

    assert len(read_at(world, repository).records) == 1


def test_what_branch_and_ref_both_have_comes_once(
    world: World, repository: Path
) -> None:
    entire_commit(world, repository, BRANCH, on_branch(entire_files()))
    ref = "refs/entire/checkpoints/f7/a3b2c4d5e6f7"
    entire_commit(world, repository, ref, entire_files())

    assert len(read_at(world, repository).records) == 1


def test_a_repository_of_longer_names_is_read(world: World) -> None:
    where = world.repository("long", "--object-format=sha256")
    for path, text in on_branch(entire_files()).items():
        (where / path).parent.mkdir(parents=True, exist_ok=True)
        (where / path).write_text(text)
    world.git(where, "add", "-A")
    world.git(where, "commit", "-q", "-m", "Checkpoint: a3b2c4d5e6f7")
    world.git(where, "update-ref", BRANCH, "HEAD")

    assert only(read_at(world, where)).record == "a3b2c4d5e6f7/0"


def test_a_tree_that_names_itself_a_million_times_has_an_end(
    world: World, repository: Path
) -> None:
    """A few objects can spell out more files than a disk holds."""
    blob = world.git(repository, "hash-object", "-w", "a.txt")
    parts = f"100644 blob {blob}\tmetadata.json\n"
    index = tree_of(world, repository, parts)
    for names in (
        [str(n) for n in range(10_000)],
        [f"{n:010x}" for n in range(10_000)],
        [f"{n:02x}" for n in range(256)],
    ):
        lines = "".join(f"040000 tree {index}\t{name}\n" for name in names)
        index = tree_of(world, repository, lines)
    commit = world.git(repository, "commit-tree", index, "-m", "x")
    world.git(repository, "update-ref", BRANCH, commit)

    with pytest.raises(FileRefused, match="more than 50,000 checkpoints"):
        read_at(world, repository)


def test_nothing_of_the_repository_runs_or_changes(
    world: World, repository: Path
) -> None:
    entire_commit(world, repository, BRANCH, on_branch(entire_files()))
    ran = world.trap(repository)
    before = fingerprint(repository)

    reading = read_at(world, repository)

    assert len(reading.records) == 1
    assert not ran.exists()
    assert fingerprint(repository) == before


@pytest.mark.parametrize(
    ("meta", "why"),
    [
        ("{", "its metadata is missing, too large, or no JSON"),
        ("[]", "its metadata is missing, too large, or no JSON"),
        ('{"created_at": "soon"}', "it has no valid time"),
        (" " * 2_000_001, "its metadata is missing, too large, or no JSON"),
    ],
    ids=["cut", "a list", "time", "large"],
)
def test_a_session_without_its_metadata_is_told(
    world: World, repository: Path, meta: str, why: str
) -> None:
    files = entire_files() | {"0/metadata.json": meta}
    entire_commit(world, repository, BRANCH, on_branch(files))

    reading = read_at(world, repository)

    assert (reading.records, [u.why for u in reading.unread]) == ((), [why])


def test_refs_of_other_shapes_are_told(world: World, repository: Path) -> None:
    ref = "refs/entire/checkpoints/xx/not-an-id"
    entire_commit(world, repository, ref, entire_files())
    entire_commit(world, repository, BRANCH, {"../x".replace("../", "up/"): "x"})

    reading = read_at(world, repository)

    assert reading.records == ()
    assert [each.where for each in reading.unread] == [ref]


def test_a_directory_inside_is_no_repository(world: World, repository: Path) -> None:
    entire_commit(world, repository, BRANCH, on_branch(entire_files()))
    inside = repository / "src"
    inside.mkdir()

    with pytest.raises(FileRefused, match="not a repository"):
        read_at(world, inside, "entire")
    with pytest.raises(FileRefused, match="cannot tell which program"):
        read_at(world, inside)
