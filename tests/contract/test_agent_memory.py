"""What every memory of a client promises: one directory, plain files, no link followed."""

import errno
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from holdfast.agents.port import ClientMemory
from holdfast.kernel.errors import FileOutOfReach, FileRefused
from tests.contract.agents import Machine, memory_of, with_ability

TEXT = "text\n"


pytestmark = with_ability("remember")


@pytest.fixture
def memory(machine: Machine) -> ClientMemory:
    return memory_of(machine)


@pytest.fixture
def place(memory: ClientMemory) -> Path:
    """Its directory, with one file in it."""
    memory.change("a.md", lambda _: TEXT)
    return Path(memory.directory)


def test_its_directory_is_where_its_files_are(memory: ClientMemory) -> None:
    """A person is shown the way there."""
    memory.change("a.md", lambda _: TEXT)

    assert (Path(memory.directory) / "a.md").read_text() == TEXT


def test_the_index_is_read_only_where_auto_memory_is_on(machine: Machine) -> None:
    """An index that nobody reads is a file that nobody asked for."""
    by_default = memory_of(machine).is_indexed

    machine.turn_memory_off()

    assert (by_default, memory_of(machine).is_indexed) == (True, False)


# Looking


def test_regular_files_are_named_and_nothing_else(
    memory: ClientMemory, place: Path
) -> None:
    """A directory, a pipe and a link are not to be read as notes."""
    (place / "directory").mkdir()
    (place / "link.md").symlink_to(place / "a.md")
    os.mkfifo(place / "pipe.md")

    assert memory.names() == ("a.md",)


def test_there_are_no_names_where_there_is_no_directory(memory: ClientMemory) -> None:
    """The client makes it when it first remembers something."""
    assert memory.names() == ()
    assert not Path(memory.directory).exists()


@pytest.mark.parametrize("error", [errno.EIO, errno.EMFILE])
def test_names_that_the_machine_cannot_look_at_are_not_taken_for_none(
    memory: ClientMemory, place: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """Whoever asks would go on as if nothing had been remembered."""

    def fail(path: str, *_: object, **__: object) -> int:
        raise OSError(error, os.strerror(error), path)

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", fail)
        with pytest.raises(FileOutOfReach):
            memory.names()

    assert memory.names() == ("a.md",)
    assert place.is_dir()


def test_a_files_text_is_read(memory: ClientMemory, place: Path) -> None:
    """As it is, also where the client wrote it."""
    (place / "b.md").write_text("theirs\n")

    assert memory.read("b.md") == "theirs\n"


def test_a_file_that_is_not_there_has_no_text(
    memory: ClientMemory, place: Path
) -> None:
    """Neither has one of a directory that is not there."""
    assert memory.read("none.md") is None
    (place / "a.md").unlink()
    place.rmdir()
    assert memory.read("a.md") is None


# Through no link, and nothing but regular files


def test_a_symbolic_link_is_neither_read_nor_changed_nor_removed(
    memory: ClientMemory, place: Path, tmp_path: Path
) -> None:
    """What it points to belongs to somebody else."""
    target = tmp_path / "precious.md"
    target.write_text("precious\n")
    (place / "link.md").symlink_to(target)

    for ask in _every_way(memory, "link.md"):
        with pytest.raises(FileRefused):
            ask()

    assert target.read_text() == "precious\n"
    assert (place / "link.md").is_symlink()


def test_t07_nothing_is_written_through_a_linked_directory(
    memory: ClientMemory, tmp_path: Path
) -> None:
    """A link on the way would lead our file into somebody else's directory."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    directory = Path(memory.directory)
    directory.parent.parent.mkdir(parents=True, exist_ok=True)
    directory.parent.symlink_to(elsewhere)

    with pytest.raises(FileRefused):
        memory.change("a.md", lambda _: TEXT)

    assert list(elsewhere.iterdir()) == []


@pytest.mark.timeout(10)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_regular_file_is_refused(
    memory: ClientMemory, place: Path, make: Callable[[Path], None]
) -> None:
    """Waiting for the writer of a pipe would hang the command."""
    make(place / "odd.md")

    for ask in _every_way(memory, "odd.md"):
        with pytest.raises(FileRefused):
            ask()

    assert (place / "odd.md").exists()


def test_an_unreadable_file_is_refused(memory: ClientMemory, place: Path) -> None:
    """It must not pass for an empty one."""
    (place / "a.md").chmod(0)
    me = os.geteuid()
    if me == 0:  # root reads everything, so for a moment somebody else asks
        os.seteuid(65534)

    try:
        with pytest.raises(FileRefused):
            memory.read("a.md")
    finally:
        os.seteuid(me)


def _every_way(memory: ClientMemory, name: str) -> tuple[Callable[[], object], ...]:
    return (
        lambda: memory.read(name),
        lambda: memory.change(name, lambda _: "ours\n"),
        lambda: memory.remove(name, lambda _: True),
    )


# Changing


def test_a_file_gets_what_is_made_of_its_text(
    memory: ClientMemory, place: Path
) -> None:
    """The change tells the text before and after."""
    changed = memory.change("a.md", lambda text: f"{text}more\n")

    assert (changed.before, changed.after) == (TEXT, f"{TEXT}more\n")
    assert (place / "a.md").read_text() == changed.after


def test_a_change_that_fails_leaves_everything_as_it_was(
    memory: ClientMemory, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole or not at all: a full disk is found out at the flush."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileRefused):
        memory.change("a.md", lambda _: "new\n")

    assert [path.name for path in place.iterdir()] == ["a.md"]
    assert (place / "a.md").read_text() == TEXT


def test_two_changes_at_once_come_one_after_the_other(
    memory: ClientMemory, place: Path
) -> None:
    """Neither may be lost."""
    with ThreadPoolExecutor(4) as pool:
        for number in range(20):
            pool.submit(memory.change, "a.md", _adding(f"{number}\n"))

    assert sorted((place / "a.md").read_text().splitlines()) == sorted(
        ["text", *map(str, range(20))]
    )


def test_changes_of_two_processes_come_one_after_the_other(
    machine: Machine, place: Path
) -> None:
    """Two sessions of one project end at the same moment."""
    apart = get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=apart) as pool:
        for who in "ab":
            pool.submit(_add_twenty, machine, who)

    lines = (place / "a.md").read_text().splitlines()
    added = [f"{who}{n}" for who in "ab" for n in range(20)]
    assert sorted(lines) == sorted(["text", *added])


def _add_twenty(machine: Machine, who: str) -> None:
    for number in range(20):
        memory_of(machine).change("a.md", _adding(f"{who}{number}\n"))


def _adding(line: str) -> Callable[[str | None], str | None]:
    return lambda text: f"{text or ''}{line}"


def test_none_leaves_a_file_alone(memory: ClientMemory, place: Path) -> None:
    """And makes none where none was."""
    kept = memory.change("a.md", lambda _: None)
    none = memory.change("b.md", lambda _: None)

    assert (kept.is_changed, none.is_changed) == (False, False)
    assert (place / "a.md").read_text() == TEXT
    assert memory.names() == ("a.md",)


def test_a_file_that_changes_meanwhile_is_rewritten_once_more(
    memory: ClientMemory, place: Path
) -> None:
    """An editor knows no lock: what it saves while we think is read again."""
    seen: list[str | None] = []

    def rewrite(text: str | None) -> str:
        if not seen:
            (place / "a.md").write_text("edited by hand\n")
        seen.append(text)
        return f"{text}ours\n"

    memory.change("a.md", rewrite)

    assert seen == [TEXT, "edited by hand\n"]
    assert (place / "a.md").read_text() == "edited by hand\nours\n"


# Removing


def test_a_file_goes_only_with_leave(memory: ClientMemory, place: Path) -> None:
    """Who decides sees the text as it is at that moment."""
    (place / "a.md").write_text("newer\n")
    asked: list[str] = []

    def no(text: str) -> bool:
        asked.append(text)
        return False

    stays = memory.remove("a.md", no)
    goes = memory.remove("a.md", lambda _: True)
    again = memory.remove("a.md", lambda _: True)

    assert (stays, goes, again) == (False, True, False)
    assert asked == ["newer\n"]
    assert memory.names() == ()


def test_nobody_else_changes_anything_while_leave_is_asked(
    memory: ClientMemory, place: Path
) -> None:
    """What came in between would be gone without having been seen."""
    with ThreadPoolExecutor(1) as pool:

        def may_go(_: str) -> bool:
            other = pool.submit(memory.change, "b.md", lambda _: "late\n")
            with pytest.raises(TimeoutError):
                other.result(timeout=0.2)
            assert not (place / "b.md").exists()
            return True

        gone = memory.remove("a.md", may_go)

    assert gone
    assert memory.names() == ("b.md",)


def test_a_file_that_changes_meanwhile_stays(memory: ClientMemory, place: Path) -> None:
    """An editor knows no lock: what it wrote last was never kept anywhere."""
    path = place / "a.md"

    gone = memory.remove("a.md", lambda _: bool(path.write_text("new\n", "utf-8")))

    assert gone is False
    assert path.read_text(encoding="utf-8") == "new\n"


def test_only_bare_names_lead_to_a_file(
    memory: ClientMemory, place: Path, tmp_path: Path
) -> None:
    """A name from an index that somebody edited leads nowhere."""
    outside = place.parent / "outside.md"
    outside.write_text("theirs\n")

    assert memory.remove("../outside.md", lambda _: True) is False
    with pytest.raises(FileRefused):
        memory.read("../outside.md")
    with pytest.raises(FileRefused):
        memory.change(f"{tmp_path}/new.md", lambda _: TEXT)

    assert outside.read_text() == "theirs\n"


# Plans


def test_a_plan_is_read_from_the_client_or_the_project_only(
    machine: Machine, memory: ClientMemory, tmp_path: Path
) -> None:
    """A record may name any path; only these two places hold plans."""
    for root in (machine.plans, machine.project / "plans", tmp_path / "other"):
        root.mkdir(parents=True)
        (root / "p.md").write_text("1. a\n")

    assert memory.plan(f"{machine.plans}/p.md") == "1. a\n"
    assert memory.plan(f"{machine.project}/plans/p.md") == "1. a\n"
    assert memory.plan(f"{tmp_path}/other/p.md") is None
    assert memory.plan(f"{machine.project}/../../other/p.md") is None
    assert memory.plan(f"{machine.plans}/none.md") is None
