"""Trees of ours, held apart from anybody's repository."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from holdfast.domain.code import LeftOut, SnapshotBounds
from holdfast.kernel.errors import SnapshotLost
from holdfast.redaction.files import SecretFiles
from holdfast.snapshot.port import Snapshots
from tests.fakes import FakeSnapshots
from tests.unit.snapshot.world import World, fingerprint, on_disk

_TOKEN = "ghp_" + "a1B2c3D4e5" * 4
_LAX = SecretFiles(find=lambda _: ())  # rules of a day on which no secret was known


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    (place / "b.txt").write_text("untracked\n")
    return place


@pytest.fixture
def snapshots(world: World) -> Snapshots:
    return world.snapshots()


def _taken(snapshots: Snapshots, place: Path) -> str:
    tree = snapshots.take(str(place), SnapshotBounds()).tree
    assert tree is not None
    return tree


def _packs(world: World) -> list[Path]:
    return sorted((world.root / "scratch/snapshots/objects/pack").glob("*.pack"))


def _harm_largest_pack(world: World) -> None:
    largest = max(_packs(world), key=lambda pack: pack.stat().st_size)
    raw = bytearray(largest.read_bytes())
    raw[len(raw) // 2] ^= 1
    largest.chmod(0o600)
    largest.write_bytes(raw)


def test_no_program_that_a_repository_names_is_run(
    snapshots: Snapshots, world: World, repository: Path
) -> None:
    """Keeping somebody's code must be safe."""
    ran = world.trap(repository)

    tree = _taken(snapshots, repository)
    (repository / "a.txt").write_text("edited\n")
    snapshots.since(tree, str(repository), SnapshotBounds())
    snapshots.changes(tree, _taken(snapshots, repository))
    snapshots.without_secrets(tree, [str(repository)], None)
    snapshots.hold_only(set(), spare_seconds=0)

    assert not ran.exists()
    world.git(repository, "status", fails=True)
    assert ran.exists(), "git as the user runs it would have"


def test_the_repository_is_not_touched(world: World, repository: Path) -> None:
    """Index, HEAD, refs, objects and files are the user's, to the last time stamp."""
    (repository / "a.txt").write_text("edited\n")
    (repository / "new.txt").write_text("new\n")
    before = fingerprint(repository)

    world.take(repository)
    world.snapshots().since("0" * 40, str(repository), SnapshotBounds())
    world.take(repository)

    assert fingerprint(repository) == before


def test_a_directory_without_git_is_kept(world: World) -> None:
    """Code is code before anybody typed `git init`; its ignore rules hold."""
    place = world.root / "plain"
    (place / "sub").mkdir(parents=True)
    (place / "sub" / "x.txt").write_text("x")
    (place / "y.pyc").write_text("y")
    (place / ".gitignore").write_text("*.pyc\n")

    kept = world.kept(world.take(place))

    assert set(kept) == {".gitignore", "sub/x.txt"}


def test_a_subdirectory_keeps_the_whole_worktree(world: World) -> None:
    """An agent may be started anywhere in a project; the code is one."""
    place = world.repository("project")
    world.commit(place)
    (place / "sub").mkdir()

    assert world.take(place / "sub").tree == world.take(place).tree


def test_a_tree_that_was_taken_survives_what_is_let_go(
    snapshots: Snapshots, repository: Path
) -> None:
    """Every object of it stays, those shared with a tree that goes, too."""
    _taken(snapshots, repository)
    (repository / "b.txt").write_text("edited\n")
    tree = _taken(snapshots, repository)
    expected = on_disk(repository)

    snapshots.hold_only({tree}, spare_seconds=0)

    kept = {
        e.path: (e.mode, snapshots.read(e.object_id)) for e in snapshots.entries(tree)
    }
    assert kept == expected
    assert snapshots.damage([tree]) == {}


@pytest.mark.parametrize(
    "fake",
    [
        pytest.param(FakeSnapshots(), id="a tree"),
        pytest.param(FakeSnapshots(tree=None, reason="no git"), id="a reason"),
    ],
)
def test_a_fake_answers_with_a_tree_or_a_reason(fake: FakeSnapshots) -> None:
    """Never with both, never with neither: what is tested with it is what happens."""
    taken = fake.take("/project", SnapshotBounds())

    assert bool(taken.tree) != bool(taken.reason)


@pytest.mark.parametrize("place", ["home", ".", "bare", "missing"])
def test_some_places_are_refused_with_a_reason(world: World, place: str) -> None:
    """A home directory holds more than code, and a bare repository no files."""
    world.repository("bare", "--bare")

    taken = world.snapshots().take(str(world.root / place), SnapshotBounds())

    assert taken.tree is None
    assert [left.path for left in taken.left_out] == ["."]
    assert taken.left_out[0].reason
    assert taken.reason == ""


@pytest.mark.parametrize(
    "place", ["/home/somebody", "/Users/somebody", "/root", "/var/home/x/", "/home"]
)
def test_a_home_of_any_user_is_refused(world: World, place: str) -> None:
    """A command may run as one user where another's transcript is saved."""
    taken = world.snapshots().take(place, SnapshotBounds())

    assert taken.tree is None
    assert taken.left_out == (LeftOut(".", "a home directory is not a project"),)


def test_a_snapshot_that_has_no_time_says_so_and_goes_on_later(
    world: World, repository: Path
) -> None:
    """A hook must end in time; what it read is not read again."""
    snapshots = world.snapshots()

    late = snapshots.take(str(repository), SnapshotBounds(), seconds=0.0)
    taken = world.take(repository)

    assert late.tree is None
    assert late.reason == "it took too long"
    assert world.kept(taken) == on_disk(repository)


def test_a_place_that_cannot_be_written_is_a_reason(
    world: World, repository: Path
) -> None:
    """A save must not fail because its code cannot be kept."""
    (world.root / "scratch").write_text("a file where a directory should be")

    taken = world.snapshots().take(str(repository), SnapshotBounds())
    since = world.snapshots().since("1" * 40, str(repository), SnapshotBounds())

    assert taken.tree is None
    assert taken.reason.startswith("it cannot be written: ")
    assert since.reason.startswith("it cannot be written: ")


def test_since_tells_exactly_what_changed(world: World, repository: Path) -> None:
    """By whatever hand: an editor, a shell, a checkout."""
    taken = world.take(repository)
    tree = str(taken.tree)
    unchanged = world.snapshots().since(tree, str(repository), SnapshotBounds())
    (repository / "a.txt").write_text("committed\nmore\n")
    (repository / "b.txt").rename(repository / "c.txt")

    since = world.snapshots().since(tree, str(repository), SnapshotBounds())

    assert unchanged.changes == ()
    assert [(c.path, c.change, c.lines_added) for c in since.changes] == [
        ("a.txt", "edited", 1),
        ("c.txt", "renamed", 0),
    ]
    assert world.snapshots().held() == (tree,)


def test_files_that_a_snapshot_leaves_out_are_not_compared(
    snapshots: Snapshots, repository: Path
) -> None:
    """A secret that came or went is nothing that changed."""
    tree = _taken(snapshots, repository)
    (repository / ".env").write_text(f"A={_TOKEN}\n")

    since = snapshots.since(tree, str(repository), SnapshotBounds())

    assert (since.changes, since.reason) == ((), "")
    assert since.left_out == (LeftOut(".env", "may hold a secret"),)


def test_every_file_of_a_tree_is_told_by_path(
    snapshots: Snapshots, repository: Path
) -> None:
    """With paths, only those of them."""
    (repository / "sub").mkdir()
    (repository / "sub" / "x.txt").write_text("x")
    tree = _taken(snapshots, repository)

    every, some = snapshots.entries(tree), snapshots.entries(tree, ["sub", "nowhere"])

    assert [entry.path for entry in every] == ["a.txt", "b.txt", "sub/x.txt"]
    assert [(entry.path, entry.size) for entry in some] == [("sub/x.txt", 1)]


def test_the_files_that_only_one_tree_has_just_so_are_told_without_sizes(
    snapshots: Snapshots, repository: Path
) -> None:
    """Each side as it is there."""
    one = _taken(snapshots, repository)
    (repository / "b.txt").write_text("edited\n")
    (repository / "c.txt").write_text("new\n")
    other = _taken(snapshots, repository)

    then, now = snapshots.differing(one, other)

    assert [(entry.path, entry.size) for entry in then] == [("b.txt", 0)]
    assert [(entry.path, entry.size) for entry in now] == [("b.txt", 0), ("c.txt", 0)]


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param("1" * 40, id="unknown"),
        pytest.param("--output=x", id="an option"),
        pytest.param("HEAD", id="a ref"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_is_no_tree_is_refused(world: World, repository: Path, tree: str) -> None:
    """A name from a record is data; git never sees one that is not a hash."""
    world.take(repository)
    snapshots = world.snapshots()

    assert set(snapshots.damage([tree])) == {tree}
    for ask in (
        lambda: snapshots.entries(tree),
        lambda: snapshots.read(tree),
        lambda: snapshots.changes(tree, "2" * 40),
    ):
        with pytest.raises(SnapshotLost) as lost:
            ask()
        assert "doctor" in lost.value.hint
    assert snapshots.since(tree, str(repository), SnapshotBounds()).reason


def test_a_tree_that_is_not_there_is_compared_with_nothing(
    snapshots: Snapshots, repository: Path
) -> None:
    """An empty answer would read as "remove everything"."""
    tree = _taken(snapshots, repository)

    for ask in (
        lambda: snapshots.differing("1" * 40, tree),
        lambda: snapshots.changes(tree, "1" * 40),
        lambda: list(snapshots.contents(["1" * 40])),
        lambda: snapshots.size_of({"1" * 40}),
    ):
        with pytest.raises(SnapshotLost):
            ask()


def test_a_content_that_is_damaged_is_lost(
    snapshots: Snapshots, world: World, repository: Path
) -> None:
    """Its hash is verified whenever it is read."""
    (repository / "b.txt").write_bytes(os.urandom(100_000))
    tree = _taken(snapshots, repository)
    (entry,) = snapshots.entries(tree, ["b.txt"])
    whole = snapshots.read(entry.object_id)
    _harm_largest_pack(world)

    with pytest.raises(SnapshotLost):
        snapshots.read(entry.object_id)

    assert whole == (repository / "b.txt").read_bytes()


def test_contents_come_in_the_order_asked_for_and_cost_one_process(
    world: World, repository: Path, tmp_path: Path
) -> None:
    """A restore writes thousands of files."""
    tree = _taken(world.snapshots(), repository)
    ids = [e.object_id for e in world.snapshots().entries(tree)]
    spy, log = tmp_path / "bin", tmp_path / "asked"
    spy.mkdir()
    (spy / "git").write_text(
        f'#!/bin/sh\necho x >> {log}\nexec {shutil.which("git")} "$@"\n'
    )
    (spy / "git").chmod(0o755)
    counted = world.snapshots(PATH=f"{spy}:{os.environ['PATH']}")
    asked = [ids[1], ids[0], ids[1]]

    found = list(counted.contents(asked))

    one, two = (ids[0], b"committed\n"), (ids[1], b"untracked\n")
    assert found == [two, one, two]
    assert len(log.read_text().splitlines()) == 1


def test_changes_are_told_by_path_and_a_rename_is_one(
    snapshots: Snapshots, repository: Path
) -> None:
    """A file that moved was neither removed nor made."""
    older = _taken(snapshots, repository)
    (repository / "b.txt").rename(repository / "z.txt")
    (repository / "a.txt").write_text("committed\nmore\n")
    newer = _taken(snapshots, repository)

    changes = snapshots.changes(older, newer)

    assert [(c.path, c.change, c.old_path) for c in changes] == [
        ("a.txt", "edited", None),
        ("z.txt", "renamed", "b.txt"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"committed\nmore\n", id="text"),
        pytest.param(b"\x1b[31mred\xff\r\nno end", id="any bytes"),
    ],
)
def test_a_patch_is_one_that_git_can_apply(
    snapshots: Snapshots, repository: Path, content: bytes
) -> None:
    """Made, changed and renamed, byte for byte."""
    older = _taken(snapshots, repository)
    before = {p.name: p.read_bytes() for p in repository.glob("*.txt")}
    (repository / "b.txt").rename(repository / "z.txt")
    (repository / "a.txt").write_bytes(content)
    (repository / "new.txt").write_bytes(content)
    newer = _taken(snapshots, repository)
    after = {p.name: p.read_bytes() for p in repository.glob("*.txt")}

    patch = snapshots.patch(older, newer)

    assert b"rename from b.txt" in patch
    for name in after:
        (repository / name).unlink()
    for name, there in before.items():
        (repository / name).write_bytes(there)
    subprocess.run(["git", "apply"], cwd=repository, input=patch, check=True)
    assert {p.name: p.read_bytes() for p in repository.glob("*.txt")} == after


def test_a_patch_names_what_is_no_text_and_shows_nothing_of_nothing(
    snapshots: Snapshots, repository: Path
) -> None:
    """And a tree that is not there is said to be lost."""
    older = _taken(snapshots, repository)
    (repository / "a.txt").write_bytes(b"\0" * 9)
    newer = _taken(snapshots, repository)

    assert b"Binary files a/a.txt and b/a.txt differ" in snapshots.patch(older, newer)
    assert snapshots.patch(older, older) == b""
    with pytest.raises(SnapshotLost):
        snapshots.patch(older, "b" * 40)


def test_the_tree_of_now_can_be_compared_and_is_not_held(
    snapshots: Snapshots, repository: Path
) -> None:
    """A patch against the present needs no checkpoint of it."""
    tree = _taken(snapshots, repository)
    (repository / "a.txt").write_text("other\n")

    since = snapshots.since(tree, str(repository), SnapshotBounds())

    assert b"+other" in snapshots.patch(tree, str(since.tree))
    assert snapshots.held() == (tree,)


def test_damage_is_found_in_the_trees_it_touches(
    world: World, repository: Path
) -> None:
    """One flipped bit in a file's content; the other tree is still whole."""
    first = str(world.take(repository).tree)
    content = "".join(f"line {n}\n" for n in range(1000))
    (repository / "b.txt").write_text(content)
    second = str(world.take(repository).tree)
    _harm_largest_pack(world)

    damage = world.snapshots().damage([first, second])

    assert set(damage) == {second}
    assert "not there or damaged" in damage[second]


def test_the_tree_taken_longest_ago_is_held_first(
    snapshots: Snapshots, world: World, repository: Path
) -> None:
    """Taking one again makes it the youngest."""
    trees = []
    for number, text in enumerate(("one", "two", "three")):
        (repository / "b.txt").write_text(text)
        trees.append(_taken(snapshots, repository))
        ref = world.root / "scratch/snapshots/refs/trees" / trees[-1]
        os.utime(ref, (1000 + number, 1000 + number))
    (repository / "b.txt").write_text("one")

    _taken(snapshots, repository)

    assert snapshots.held() == (trees[1], trees[2], trees[0])


def test_only_what_is_named_stays(world: World, repository: Path) -> None:
    """A tree that neither a record nor an index needs is gone from the disk."""
    trees = []
    for number in range(4):
        (repository / "a.txt").write_text(f"{number}\n")
        trees.append(str(world.take(repository).tree))
    snapshots = world.snapshots()

    gone = snapshots.hold_only({trees[2]}, spare_seconds=0)

    assert gone == 3
    assert snapshots.held() == (trees[2],)
    assert snapshots.released() == {trees[0], trees[1], trees[3]}
    assert snapshots.damage([trees[2]]) == {}
    with pytest.raises(SnapshotLost, match=trees[1]):
        snapshots.entries(trees[1])


def test_the_youngest_trees_are_spared(world: World, repository: Path) -> None:
    """A save that holds its tree may not have put its record yet."""
    tree = world.take(repository).tree
    snapshots = world.snapshots()

    assert snapshots.hold_only(set(), spare_seconds=3600) == 0
    assert snapshots.held() == (tree,)


def test_what_no_tree_needs_is_removed_from_disk(
    snapshots: Snapshots, repository: Path
) -> None:
    """Letting go is for room; what a worktree that is there shows is still needed."""
    tree = _taken(snapshots, repository)
    (repository / "b.bin").write_bytes(os.urandom(100_000))
    _taken(snapshots, repository)
    before = snapshots.size()
    shutil.rmtree(repository)

    snapshots.hold_only({tree}, spare_seconds=0)

    assert before > 100_000 > snapshots.size()


def test_objects_that_cannot_be_rewritten_are_all_still_there(
    world: World, repository: Path, tmp_path: Path
) -> None:
    """No git: nothing is removed, and that is said."""
    tree = _taken(world.snapshots(), repository)
    without_git = world.snapshots(PATH=str(tmp_path / "nowhere"))

    with pytest.raises(SnapshotLost):
        without_git.hold_only(set(), spare_seconds=0)

    assert world.snapshots().damage([tree]) == {}


def test_a_tree_is_let_go_at_once_and_its_worktree_forgotten(
    snapshots: Snapshots, repository: Path
) -> None:
    """What no other tree needs is gone, and doing it again changes nothing."""
    (repository / "b.bin").write_bytes(os.urandom(100_000))
    tree = _taken(snapshots, repository)

    for _ in range(2):
        snapshots.let_go({tree}, [str(repository)])

    assert snapshots.held() == ()
    assert snapshots.size() < 100_000
    with pytest.raises(SnapshotLost):
        snapshots.entries(tree)


def test_the_snapshot_after_letting_go_looks_at_every_file_again(
    snapshots: Snapshots, world: World, repository: Path
) -> None:
    """Nothing of what went is taken for known."""
    tree = _taken(snapshots, repository)
    snapshots.let_go({tree}, [str(repository)])

    taken = world.take(repository)

    assert world.kept(taken) == on_disk(repository)
    assert snapshots.damage([tree]) == {}


def test_letting_go_that_failed_is_finished_by_doing_it_again(
    world: World, repository: Path, tmp_path: Path
) -> None:
    """The first time there is no git."""
    tree = _taken(world.snapshots(), repository)
    without_git = world.snapshots(PATH=str(tmp_path / "nowhere"))

    with pytest.raises(SnapshotLost):
        without_git.let_go({tree}, [str(repository)])
    world.snapshots().let_go({tree}, [str(repository)])

    assert _packs(world) == []


def test_a_tree_without_secrets_takes_the_place_of_one_with_them(
    world: World, snapshots: Snapshots, repository: Path
) -> None:
    """By the rules of today; it is held, and says what went."""
    (repository / "app.py").write_text(f'token = "{_TOKEN}"\n')
    unclean = _taken(world.snapshots(_LAX), repository)

    clean = snapshots.without_secrets(unclean, [str(repository)], None)

    assert clean.left_out == (LeftOut("app.py", "may hold a secret"),)
    assert clean.tree in snapshots.held()
    assert [e.path for e in snapshots.entries(str(clean.tree))] == ["a.txt", "b.txt"]


def test_a_tree_that_has_no_secret_is_the_same(
    snapshots: Snapshots, repository: Path
) -> None:
    """Nothing is written for most trees."""
    tree = _taken(snapshots, repository)

    assert snapshots.without_secrets(tree, [str(repository)], None).tree == tree


@pytest.mark.parametrize("is_at_head", [True, False], ids=["at HEAD", "at a commit"])
def test_what_the_repository_holds_stays(
    world: World, snapshots: Snapshots, repository: Path, *, is_at_head: bool
) -> None:
    """The first directory that has a repository is asked."""
    commit = world.commit(repository, "app.py", f'token = "{_TOKEN}"\n')
    tree = _taken(snapshots, repository)
    if not is_at_head:
        world.git(repository, "reset", "-q", "--hard", "HEAD~1")
    (world.root / "plain").mkdir()
    directories = [str(world.root / "plain"), str(repository)]

    kept = snapshots.without_secrets(tree, directories, None if is_at_head else commit)

    assert (kept.tree, kept.left_out) == (tree, ())


def test_a_tree_that_cannot_be_looked_at_is_a_reason(snapshots: Snapshots) -> None:
    """It never raises."""
    taken = snapshots.without_secrets("1" * 40, [], None)

    assert taken.tree is None
    assert taken.reason


def test_a_worktree_of_which_a_secret_is_remembered_is_told_until_it_is_let_go(
    world: World, snapshots: Snapshots, repository: Path
) -> None:
    """Its index holds what no tree does any more."""
    (repository / "app.py").write_text(f'token = "{_TOKEN}"\n')
    tree = _taken(world.snapshots(_LAX), repository)
    before = snapshots.worktrees_with_secrets()

    snapshots.let_go({tree}, before)

    assert before == (str(repository),)
    assert snapshots.worktrees_with_secrets() == ()


def test_what_a_tree_alone_needs_can_be_told(world: World, repository: Path) -> None:
    """Retention must know what letting a tree go would free."""
    first = str(world.take(repository).tree)
    (repository / "b.bin").write_bytes(bytes(range(256)) * 4)
    second = str(world.take(repository).tree)
    snapshots = world.snapshots()

    alone = snapshots.size_of({second}, beside={first})
    both = snapshots.size_of({first, second})

    assert 200 < alone < both < snapshots.size()
    assert snapshots.size_of({first}) + alone == both
    assert snapshots.size_of(set()) == 0


def test_everything_on_disk_is_counted(snapshots: Snapshots, repository: Path) -> None:
    """Nothing takes nothing."""
    nothing = snapshots.size()
    (repository / "b.bin").write_bytes(os.urandom(50_000))

    _taken(snapshots, repository)

    assert nothing == 0
    assert snapshots.size() > 50_000


def test_a_file_is_found_in_many_trees_at_once(
    snapshots: Snapshots, repository: Path
) -> None:
    """None where a tree has no file there; a tree that is lost has no entry."""
    first = _taken(snapshots, repository)
    (repository / "odd\nname.txt").write_text("odd\n")
    (repository / "a.txt").unlink()
    second = _taken(snapshots, repository)
    lost = "0" * 40

    places = [(tree, "a.txt") for tree in (first, second, lost)]
    places += [(second, "odd\nname.txt"), (first, "odd\nname.txt"), (first, "no/such")]
    found = snapshots.objects_at(places)

    (entry,) = snapshots.entries(first, ["a.txt"])
    (odd,) = snapshots.entries(second, ["odd\nname.txt"])
    assert found == {
        (first, "a.txt"): entry.object_id,
        (second, "a.txt"): None,
        (second, "odd\nname.txt"): odd.object_id,
        (first, "odd\nname.txt"): None,
        (first, "no/such"): None,
    }
    assert snapshots.objects_at([]) == {}


def _sent(world: World, place: Path) -> tuple[str, bytes]:
    """Return what another machine sends of a directory: a tree, and its pack."""
    theirs = world.snapshots(_LAX, scratch="theirs")
    tree = _taken(theirs, place)
    return tree, theirs.packed([tree])


def test_a_tree_travels_whole(world: World, repository: Path) -> None:
    """What another machine sent can be read, compared and held here."""
    (repository / "run.sh").write_text("#!/bin/sh\n")
    (repository / "run.sh").chmod(0o755)
    (repository / "link").symlink_to("a.txt")
    tree, pack = _sent(world, repository)
    ours = world.snapshots()

    taken = ours.take_in(pack, [tree], [str(repository)])
    again = ours.take_in(pack, [tree], [str(repository)])

    assert taken == again
    assert taken[tree].tree == tree
    assert ours.held() == (tree,)
    assert ours.damage([tree]) == {}
    paths = [entry.path for entry in ours.entries(tree)]
    assert paths == ["a.txt", "b.txt", "link", "run.sh"]
    assert ours.hold_only({tree}, spare_seconds=0) == 0
    assert ours.entries(tree)


def test_a_secret_that_another_machine_sent_is_left_out(
    world: World, repository: Path
) -> None:
    """Its rules may be older; not a byte of it gets in."""
    (repository / "notes.txt").write_text(f"token = {_TOKEN}\n")
    tree, pack = _sent(world, repository)
    ours = world.snapshots()

    taken = ours.take_in(pack, [tree], [str(repository)])[tree]

    assert taken.tree not in (None, tree)
    assert [left.path for left in taken.left_out] == ["notes.txt"]
    assert [e.path for e in ours.entries(taken.tree or "")] == ["a.txt", "b.txt"]
    shutil.rmtree(world.root / "theirs")
    done = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=world.root / "scratch" / "snapshots",
        capture_output=True,
        check=True,
    )
    assert _TOKEN.encode() not in done.stdout


@pytest.mark.parametrize("pack", [b"", b"PACK", b"PACK\0\0\0\2\0\0\0\1x", b"x" * 99])
def test_what_is_no_pack_is_a_reason(snapshots: Snapshots, pack: bytes) -> None:
    tree = "a" * 40

    assert snapshots.take_in(pack, [tree], [])[tree].reason
    assert snapshots.held() == ()


def test_a_tree_that_did_not_come_is_a_reason(world: World, repository: Path) -> None:
    _, pack = _sent(world, repository)

    (taken,) = world.snapshots().take_in(pack, ["b" * 40], []).values()

    assert taken.tree is None
    assert taken.reason


@pytest.mark.parametrize("name", [".git/config", "../up", ".GIT/hooks/x", "a/../b"])
def test_a_tree_with_a_name_that_leads_elsewhere_is_not_taken(
    world: World, repository: Path, name: str
) -> None:
    """Git makes such a tree for whoever asks; restoring it would write elsewhere."""
    tree, pack = hostile_tree(world, name)
    ours = world.snapshots()

    taken = ours.take_in(pack, [tree], [str(repository)])[tree]

    assert taken.tree is None
    assert taken.reason
    assert ours.held() == ()


def hostile_tree(world: World, name: str) -> tuple[str, bytes]:
    """Return a tree with a file of a name, and its pack."""
    place = world.root / "hostile"
    place.mkdir()

    def git(*words: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", *words], cwd=place, input=stdin, capture_output=True, check=True
        )
        return done.stdout

    git("init", "-q")
    made = git("hash-object", "-w", "--stdin", stdin=b"x").strip()
    kind = b"100644"
    for part in reversed(name.split("/")):
        entry = b"%s %s\0" % (kind, part.encode()) + bytes.fromhex(made.decode())
        hashed = ("hash-object", "-t", "tree", "-w", "--literally", "--stdin")
        made, kind = git(*hashed, stdin=entry).strip(), b"40000"
    pack = git("pack-objects", "--revs", "--stdout", "-q", stdin=made + b"\n")
    return made.decode(), pack


def test_a_pack_of_what_is_not_there_is_refused(snapshots: Snapshots) -> None:
    for wanted in ("a" * 40, "--all", "HEAD"):
        with pytest.raises(SnapshotLost):
            snapshots.packed([wanted])
