"""F7: a bit flips in any byte of any file, or a file is cut or gone: nothing is lost.

A store of fifty records, the last of them still in its log. After each fault somebody looks:
where a record does not say what it said, the look must find it. Then a repair is made, and
whoever comes next saves: the number is the one after the last.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw
import pytest

from holdfast.kernel.errors import HoldfastError, StoreDamaged, StoreNewer
from holdfast.store.sqlite.repair.repairing import repair
from holdfast.store.sqlite.store import open_store
from tests.builders import NOON, a_draft, a_full_draft, session_number
from tests.faults.figures import Trials, figure
from tests.stores import bodies

RECORDS, IN_LOG = 50, 4
STEP = 64  # bytes
SLICES = 8  # of the whole sweep, for as many processes
LINES = "journal/000000000001.log"
FILES = ("holdfast.db", "holdfast.db-wal", "head", LINES)
Damage = Callable[[Path], object]


class Fault(NamedTuple):
    what: str
    happens: Damage


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("good") / "home"
    with open_store(str(home), create=True) as store:
        for number in range(RECORDS):
            if number == RECORDS - IN_LOG:
                assert store.wipe_log()
            build = a_full_draft if number % 5 == 0 else a_draft
            session = session_number(number // 4)
            store.put(build(title=f"Number {number + 1}", session_id=session))
    return home


def flipped(name: str, place: int) -> Fault:
    def happens(home: Path) -> None:
        with (home / name).open("r+b") as file:
            file.seek(place)
            old = file.read(1)
            file.seek(place)
            file.write(bytes([old[0] ^ 1 << place // STEP % 8]))

    return Fault(f"a bit of byte {place} of {name}", happens)


def gone(name: str) -> Fault:
    return Fault(f"{name} is gone", lambda home: (home / name).unlink())


def cut(name: str, left: int) -> Fault:
    what = f"{name} is cut to {left} bytes"
    return Fault(what, lambda home: os.truncate(home / name, left))


def gone_or_cut(good: Path) -> Iterator[Fault]:
    for name in FILES:
        size = (good / name).stat().st_size
        yield gone(name)
        yield from (cut(name, left) for left in (0, size // 3, size - 1))


def every(good: Path, step: int) -> list[Fault]:
    return [
        flipped(name, place)
        for name in FILES
        for place in range(0, (good / name).stat().st_size, step)
    ]


class Outcome(NamedTuple):
    """What a fault did, and what came of it."""

    is_hurt: bool  # a record cannot be read, or not as it was
    is_found: bool
    wrong: str


def came_of(fault: Fault, good: Path, home: Path, truth: dict[str, str]) -> Outcome:
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(good, home)
    fault.happens(home)
    with TemporaryDirectory(dir=home.parent) as folder:  # to look may fold the log
        seen = Path(folder) / "home"
        shutil.copytree(home, seen)
        is_found = found(seen)
        is_hurt = read(seen) != truth
    return Outcome(is_hurt, is_found, after_repair(home, truth))


def found(home: Path) -> bool:
    """Say whether doctor has something to say."""
    try:
        with open_store(str(home), create=False) as store:
            return any(each.state != "ok" for each in store.check())
    except HoldfastError:
        return True


def read(home: Path) -> dict[str, str]:
    try:
        return bodies(home)
    except (apsw.Error, UnicodeDecodeError):
        return {}


def after_repair(home: Path, truth: dict[str, str]) -> str:
    """Return what is wrong after a repair and the next save."""
    try:
        list(repair(str(home), NOON))
    except StoreNewer:
        return "" if bodies(home) == truth else "refused, and changed"
    except StoreDamaged as loss:
        return loss.message
    now = bodies(home)
    if now != truth:
        return f"{len(truth.keys() - now.keys())} gone, and none told"
    with open_store(str(home), create=True) as store:
        number = store.put(a_draft("The next")).checkpoint.number
        wrong = [f"{f.name}: {f.message}" for f in store.check() if f.state == "fail"]
    return "" if (number, wrong) == (RECORDS + 1, []) else f"{number}, {wrong}"


def tell(faults: list[Fault], good: Path, tmp_path: Path, what: str) -> None:
    shutil.copytree(good, tmp_path / "copy")  # looking into it folds its log
    truth = bodies(tmp_path / "copy")
    assert len(truth) == RECORDS
    came = dict[str, Outcome]()
    trials = Trials()  # one that ends in a bug of ours must not hide the others
    for fault in faults:
        with trials.one():
            came[fault.what] = came_of(fault, good, tmp_path / "home", truth)
    failed = {name: each.wrong for name, each in came.items() if each.wrong}
    unseen = [name for name, each in came.items() if each.is_hurt > each.is_found]
    figure(
        "F7",
        what,
        len(faults),
        {"bugs": len(trials.failed), "not_found": len(unseen), "lost": len(failed)},
        (trials.failed, unseen, failed),
        records_hurt=sum(each.is_hurt for each in came.values()),
        found=sum(each.is_found for each in came.values()),
    )


@pytest.mark.timeout(300)
def test_a_file_that_is_gone_or_cut_costs_nothing(good: Path, tmp_path: Path) -> None:
    """Each of them: what it had is in the others."""
    tell([*gone_or_cut(good)], good, tmp_path, "a file gone or cut")


@pytest.mark.timeout(300)
def test_a_flipped_bit_costs_nothing(good: Path, tmp_path: Path) -> None:
    """A sample, spread over every file."""
    faults = every(good, STEP)
    sample = faults[7 :: len(faults) // 24]
    tell(sample, good, tmp_path, "a bit flipped in any file")


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(SLICES))
def test_no_byte_of_any_file_is_the_one_that_costs_a_record(
    good: Path, tmp_path: Path, part: int
) -> None:
    """Every 64th, in all of them."""
    what = f"a bit flipped in every {STEP}th byte, part {part + 1} of {SLICES}"
    tell(every(good, STEP)[part::SLICES], good, tmp_path, what)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["holdfast.db", "holdfast.db-wal"])
def test_without_its_journal_a_store_loses_what_was_hit_and_names_it(
    good: Path, tmp_path: Path, name: str
) -> None:
    """Two faults at once: what is gone is said, number by number, and stays said."""
    home = tmp_path / "home"
    shutil.copytree(good, home)
    truth = bodies(home)
    shutil.rmtree(home)
    shutil.copytree(good, home)
    shutil.rmtree(home / "journal")
    (home / name).unlink()

    with pytest.raises(StoreDamaged) as told:
        list(repair(str(home), NOON))

    now = bodies(home)
    assert all(truth[kept] == body for kept, body in now.items())
    lost = RECORDS - len(now)
    first = 1 if name == "holdfast.db" else RECORDS - IN_LOG + 1
    last = first + lost - 1
    assert f"{first:05d} to {last:05d} are gone" in told.value.message
    with open_store(str(home), create=True) as store:
        assert store.put(a_draft("The next")).checkpoint.number == RECORDS + 1
        said = {f.name: f for f in store.check()}["records"]
    assert (said.state, said.message) == ("fail", told.value.message)
