"""What a snapshot must not hold: secrets, what may not be read, what is too large."""

import json
import os
from pathlib import Path

import pytest

from holdfast.domain.code import LeftOut, SnapshotBounds
from holdfast.redaction.files import SecretFiles
from holdfast.redaction.redactor import Redactor
from tests.unit.snapshot.world import World, on_disk

_TOKEN = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture
def repository(world: World) -> Path:
    place = world.repository("project")
    world.commit(place, "a.txt", "committed\n")
    return place


def _bytes_of_ours(world: World) -> bytes:
    """Return everything git can read back from our store, and every other byte of it."""
    store = world.root / "scratch" / "snapshots"
    objects = world.git(store, "cat-file", "--batch", "--batch-all-objects")
    rest = [p.read_bytes() for p in (world.root / "scratch").rglob("*") if p.is_file()]
    return b"".join([objects.encode("utf-8", "surrogateescape"), *rest])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(".env", f"A={_TOKEN}\n", id="by name"),
        pytest.param("deploy/server.pem", f"{_TOKEN}\n", id="by ending"),
        pytest.param("keys/id_rsa", f"{_TOKEN}\n", id="a key"),
        pytest.param("app.py", f'token = "{_TOKEN}"\n', id="by content"),
        pytest.param("x.bin", f"\0\0{_TOKEN}\0", id="in a binary"),
    ],
)
def test_a_secret_is_left_out_and_listed(
    world: World, repository: Path, name: str, text: str
) -> None:
    """No byte of it reaches our store, at the first look or any later one."""
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    first, again = world.take(repository), world.take(repository)

    assert first.left_out == (LeftOut(name, "may hold a secret"),)
    assert again == first
    assert set(world.kept(first)) == {"a.txt"}
    assert _TOKEN.encode() not in _bytes_of_ours(world)


def test_a_secret_in_utf_16_is_found(world: World, repository: Path) -> None:
    """Windows editors write such files."""
    (repository / "notes.txt").write_bytes(f"token = {_TOKEN}\n".encode("utf-16"))

    assert [left.path for left in world.take(repository).left_out] == ["notes.txt"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_secret_in_utf_16_without_a_mark_is_found(
    world: World, repository: Path, encoding: str
) -> None:
    """Exports and registry files come so."""
    text = f"first line\ntoken = {_TOKEN}\n"
    (repository / "notes.txt").write_bytes(text.encode(encoding))

    assert [left.path for left in world.take(repository).left_out] == ["notes.txt"]


def test_a_link_whose_target_is_a_secret_is_left_out(
    world: World, repository: Path
) -> None:
    """A link's target is content, too."""
    (repository / "remote").symlink_to(f"https://x:{_TOKEN}@host/x.git")
    (repository / "plain").symlink_to("a.txt")

    taken = world.take(repository)

    assert taken.left_out == (LeftOut("remote", "may hold a secret"),)
    assert set(world.kept(taken)) == {"a.txt", "plain"}
    assert _TOKEN.encode() not in _bytes_of_ours(world)


def test_a_file_whose_name_is_a_secret_is_left_out(
    world: World, repository: Path
) -> None:
    """Names are kept in trees, and in what we remember between two looks."""
    (repository / f"dump-{_TOKEN}.txt").write_text("nothing secret inside\n")

    first, again = world.take(repository), world.take(repository)

    assert [left.reason for left in first.left_out] == ["may hold a secret"]
    assert again == first
    assert _TOKEN.encode() not in _bytes_of_ours(world)


def test_ignore_rules_that_lead_to_a_secret_are_not_copied_with_it(
    world: World, repository: Path
) -> None:
    """A stranger's repository may have a link where git expects a list of patterns."""
    secret = world.root / "credentials"
    secret.write_text(f"*.log\npassword = {_TOKEN}\n")
    rules = repository / ".git" / "info" / "exclude"
    rules.unlink(missing_ok=True)
    rules.parent.mkdir(exist_ok=True)
    rules.symlink_to(secret)
    (repository / "x.log").write_text("ignored\n")
    (repository / "b.txt").write_text("kept\n")

    taken = world.take(repository)

    assert set(world.kept(taken)) == {"a.txt", "b.txt"}
    assert _TOKEN.encode() not in _bytes_of_ours(world)


def test_what_head_holds_is_no_secret_any_more(world: World, repository: Path) -> None:
    """Leaving it out would protect nobody and lose code."""
    world.commit(repository, ".env", "A=1\n")
    world.commit(repository, "app.py", f'token = "{_TOKEN}"\n')

    taken = world.take(repository)

    assert taken.left_out == ()
    assert world.kept(taken) == on_disk(repository)


def test_an_edit_beside_a_committed_secret_is_kept(
    world: World, repository: Path
) -> None:
    """A test password that everybody knows must not cost a file its snapshots."""
    world.commit(repository, "app.py", f'token = "{_TOKEN}"\n')
    (repository / "app.py").write_text(f'token = "{_TOKEN}"\nmore = True\n')
    known = world.take(repository)
    other = _TOKEN[::-1].replace("_phg", "")
    (repository / "app.py").write_text(f'token = "ghp_{other}"\n')

    fresh = world.take(repository)

    assert known.left_out == ()
    assert b"more = True" in world.kept(known)["app.py"][1]
    assert fresh.left_out == (LeftOut("app.py", "may hold a secret"),)
    assert "app.py" not in world.kept(fresh)


def test_a_staged_secret_is_still_one(world: World, repository: Path) -> None:
    """An object in the repository is not yet its history."""
    (repository / ".env").write_text("A=1\n")
    world.git(repository, "add", ".env")

    assert world.take(repository).left_out == (LeftOut(".env", "may hold a secret"),)


def test_a_file_is_kept_again_without_its_secret(
    world: World, repository: Path
) -> None:
    """A judgement holds for a content, not for a name."""
    path = repository / "app.py"
    path.write_text("clean = 1\n")
    world.take(repository)
    path.write_text(f'token = "{_TOKEN}"\n')
    with_secret = world.take(repository)
    path.write_text("clean = 2\n")

    after = world.take(repository)

    assert "app.py" not in world.kept(with_secret)
    assert world.kept(after)["app.py"][1] == b"clean = 2\n"
    assert after.left_out == ()


@pytest.mark.parametrize("where", ["project", "project-local", "user"])
def test_what_the_client_may_not_read_is_left_out(
    world: World, repository: Path, where: str
) -> None:
    """A rule that came after a snapshot holds from the next one on."""
    (repository / "private").mkdir()
    (repository / "private" / "x.txt").write_text("x")
    before = world.take(repository)
    settings = {
        "project": repository / ".claude/settings.json",
        "project-local": repository / ".claude/settings.local.json",
        "user": world.home / ".claude/settings.json",
    }[where]
    settings.parent.mkdir()
    rules = {"permissions": {"deny": ["Bash(rm *)", "Read(./private/**)"]}}
    settings.write_text(json.dumps(rules))

    after, again = world.take(repository), world.take(repository)

    assert "private/x.txt" in world.kept(before)
    assert "private/x.txt" not in world.kept(after)
    assert after.left_out == again.left_out
    assert after.left_out == (LeftOut("private/x.txt", "the client may not read it"),)


def test_a_large_file_is_left_out(world: World, repository: Path) -> None:
    """A video in a worktree must not fill the disk with every save."""
    (repository / "fits").write_bytes(b"x" * 2_000_000)
    (repository / "large").write_bytes(b"x" * 2_000_001)

    taken = world.take(repository, SnapshotBounds(max_file_bytes=2_000_000))

    assert taken.left_out == (LeftOut("large", "larger than 2 MB"),)
    assert set(world.kept(taken)) == {"a.txt", "fits"}


def test_a_full_snapshot_takes_the_newest_and_the_next_takes_the_rest(
    world: World, repository: Path
) -> None:
    """What was worked on last matters most, and nothing is left out for ever."""
    for age, name in enumerate(("new", "older", "oldest")):
        path = repository / name
        path.write_bytes(name.encode() * 100_000)
        os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    limits = SnapshotBounds(max_total_bytes=1_000_000)

    first, second = world.take(repository, limits), world.take(repository, limits)

    assert first.left_out == (LeftOut("oldest", "more than 1 MB at once"),)
    assert set(world.kept(first)) == {"a.txt", "new", "older"}
    assert second.left_out == ()
    assert world.kept(second) == on_disk(repository)


def test_more_files_than_allowed_are_left_out(world: World, repository: Path) -> None:
    """A directory that is no project may hold any number of files."""
    for number in range(10):
        (repository / f"{number}.txt").write_text(str(number))

    taken = world.take(repository, SnapshotBounds(max_files=4))

    assert len(world.kept(taken)) == 4
    assert {left.reason for left in taken.left_out} == {"more than 4 files"}


def test_the_users_own_rules_decide_from_the_next_look_on(
    world: World, repository: Path
) -> None:
    """A rule that is new holds for files that an older look kept."""
    (repository / "ours.txt").write_text("see ACM-walrus-7\n")
    (repository / "theirs.txt").write_text(f"{_TOKEN}\n")
    rules = Redactor(rules=["ACM-*"], allow=["ghp_*"])
    before = world.take(repository)

    own = SecretFiles(rules.secrets, "a rule and an exception")
    after = world.snapshots(own).take(str(repository), SnapshotBounds())

    assert [left.path for left in before.left_out] == ["theirs.txt"]
    assert [left.path for left in after.left_out] == ["ours.txt"]
    assert set(world.kept(after)) == {"a.txt", "theirs.txt"}


def test_what_the_client_may_not_read_is_not_written_down(
    world: World, repository: Path
) -> None:
    """A rule names what somebody wants to hide; that it changed is all we remember."""
    settings = world.home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    rule = f"Read(./{_TOKEN}/**)"
    settings.write_text(json.dumps({"permissions": {"deny": [rule]}}))

    world.take(repository)

    assert _TOKEN.encode() not in _bytes_of_ours(world)
