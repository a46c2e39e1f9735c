"""What is lost: which numbers, and whether the log or the journal can restore them."""

from collections.abc import Iterator, Sequence
from itertools import count

from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.files import read_or_none
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.locks import Lock
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite import head_file
from holdfast.store.sqlite.database import LOCK, Database
from holdfast.store.sqlite.repair.log_frames import read_log

# What a repair could not find again, as long as an entry of the chain waits for it.
REASON = "unreadable; kept in the quarantine"
REMOVED_BEFORE = "removed earlier; its tombstone was unreadable"
GIVE_UP = "put a backup in place, or remove that folder to give them up"
_REPAIR = "repair it with `holdfast doctor --repair`"
_PATIENCE = 1.0
_TOLD = 50  # runs of numbers
_COUNT = "SELECT count(*) FROM checkpoint"
_PROJECTS = "SELECT project_id FROM project"
_NUMBERS = """
    SELECT number FROM checkpoint WHERE project_id = :project_id
    UNION SELECT number FROM tombstone WHERE project_id = :project_id
"""
_SKIP_NUMBERS = "UPDATE project SET number = number + :count WHERE :count > 0"
_REACH_NUMBER = """
    UPDATE project SET number = max(number, :number) WHERE project_id = :project_id
"""
_GONE = """
    SELECT t.number, t.project_id, p.root, entry.position
    FROM tombstone AS t
    JOIN chain AS entry ON entry.checkpoint_id = t.checkpoint_id
        AND entry.kind = 'record'
    LEFT JOIN project AS p ON p.project_id = t.project_id
    WHERE t.reason = :reason
    ORDER BY t.number <= 0, t.project_id, max(t.number, 0), entry.position
"""
_ONE_PROJECT = "SELECT count(*) < 2 FROM project"


class NewTombstone(NamedTuple):
    """Whose tombstone is to be added at the end of the chain."""

    checkpoint_id: str
    old_hash: str
    reason: str
    project_id: str = ""
    number: int = 0
    sequence: int = 0


def numbered(
    database: Database, buried: Sequence[NewTombstone]
) -> Iterator[NewTombstone]:
    """Give each record that is gone the number it had; none of them is given again."""
    gone = [new for new in buried if new.reason == REASON]
    unknown = [new for new in gone if not new.number]
    kept = head_file.read(database.directory)
    missing = kept.records - database.one(_COUNT)[0] if kept else len(gone)
    projects = database.rows(_PROJECTS)
    if missing <= len(gone) - len(unknown):
        # Every record that lived is accounted for: these were removed long ago.
        yield from (
            new._replace(reason=REMOVED_BEFORE) if new in unknown else new
            for new in buried
        )
    elif len(projects) == 1 and missing == len(gone):
        yield from _of_project(database, projects[0][0], buried)
    else:
        database.rows(_SKIP_NUMBERS, {"count": len(unknown)})
        yield from buried


def _of_project(
    database: Database, project_id: str, buried: Sequence[NewTombstone]
) -> Iterator[NewTombstone]:
    """All that is gone was of one project: it has the numbers that are missing there."""
    taken = {row[0] for row in database.rows(_NUMBERS, {"project_id": project_id})}
    taken |= {new.number for new in buried}
    free = (number for number in count(1) if number not in taken)
    for new in buried:
        if new.reason != REASON or new.number:
            yield new
            continue
        number = next(free)
        database.rows(_REACH_NUMBER, {"project_id": project_id, "number": number})
        yield new._replace(project_id=project_id, number=number)


class LostRecord(NamedTuple):
    """A record that is gone; without a number, its place in the chain is all we know."""

    number: int
    position: int
    project: str  # where it was, if there is more than one

    def follows(self, other: "LostRecord") -> bool:
        if self.project != other.project or (self.number > 0) != (other.number > 0):
            return False
        if self.number > 0:
            return self.number == other.number + 1
        return self.position == other.position + 1

    def called(self) -> str:
        return f"{self.number:05d}" if self.number > 0 else f"entry {self.position}"


def lost(database: Database) -> tuple[LostRecord, ...]:
    """Return each record that is gone, until it was given up."""
    if not Quarantine(database.home).count():
        return ()
    is_only = database.one(_ONE_PROJECT)[0]
    return tuple(
        LostRecord(number, position, "" if is_only else root or project)
        for number, project, root, position in database.rows(_GONE, {"reason": REASON})
    )


def told_lost(gone: Sequence[LostRecord], home: str) -> str:
    """Return the sentence that names them."""
    runs = list[list[LostRecord]]()
    for each in gone:
        if runs and each.follows(runs[-1][-1]):
            runs[-1].append(each)
        else:
            runs.append([each])
    more = f" and {len(runs) - _TOLD:,} more" if len(runs) > _TOLD else ""
    verb = "is" if len(gone) == 1 else "are"
    return (
        f"{', '.join(map(_told, runs[:_TOLD]))}{more} {verb} gone and could not be"
        f" found again; what is left is in `{Quarantine(home).path}`"
    )


def _told(run: Sequence[LostRecord]) -> str:
    first, last = run[0], run[-1]
    many = first.called() if len(run) == 1 else f"{first.called()} to {last.called()}"
    return f"{many} of `{first.project}`" if first.project else many


def check_witnesses(database: Database) -> Iterator[HealthResult]:
    """Yield what there is to say of the log, the journal, and what is gone."""
    try:
        yield _log(database)
        yield _journal(database)
        if gone := lost(database):
            yield HealthResult(
                "records", "fail", told_lost(gone, database.home), GIVE_UP
            )
    except HoldfastError as trouble:
        yield HealthResult("journal", "warn", trouble.message, _REPAIR)


def _log(database: Database) -> HealthResult:
    try:
        with Lock(LOCK, database.directory, _PATIENCE).held():
            log = read_or_none(f"{database.path}-wal") or b""
    except TimeoutError:
        return HealthResult("log", "ok", "somebody is writing to it")
    except OSError:
        log = read_or_none(f"{database.path}-wal") or b""
    found = read_log(log)
    if found.hidden_commits:
        many = f"{found.hidden_commits:,} changes behind it are not read"
        return HealthResult("log", "warn", f"a frame is damaged, and {many}", _REPAIR)
    return HealthResult("log", "ok", f"{len(found.frames):,} frames, all whole")


def _journal(database: Database) -> HealthResult:
    found = database.journal().compared()
    wrong = found.unreadable + found.different
    if wrong:
        lines = "a line does" if wrong == 1 else f"{wrong:,} lines do"
        return HealthResult(
            "journal", "warn", f"{lines} not say what the records do", _REPAIR
        )
    if found.behind:
        told = f"{found.behind:,} entries behind; the next save moves it"
        return HealthResult("journal", "ok", told)
    return HealthResult("journal", "ok", f"{found.lines:,} lines agree")
