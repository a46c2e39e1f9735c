"""What another program kept, as one value, whichever program it was; and what of it could
not be read. Every reader makes these, and nothing else of a program goes further."""

from collections.abc import Iterator, Sequence

from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that a program noted about one topic."""

    topic: str
    text: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourRecord:
    """One checkpoint, session or note of another program.

    Who it is depends on `record` and `version` alone, and on the moment where the program
    tells one: the same file in another place is the same record.
    """

    record: str  # its id there, or a digest of what it says
    path: str  # the file, database or repository it stands in
    title: str
    created_at: int  # Unix ms
    is_dated: bool = True  # False: the program tells no time, so it is the file's
    version: int = 1  # what grows there comes again under a higher one
    number: int = 0  # its number there; 0: it has none
    project: str = ""  # path or name of the folder it was about; empty: unknown
    session: str = ""
    name: str = ""
    summary: str = ""
    branch: str = ""
    commit: str = ""
    files: tuple[str, ...] = ()  # that were changed
    files_read: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    discoveries: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    dead_ends: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not be read, or was left where it is, and why."""

    where: str
    why: str
    is_left: bool = False  # it could be read, and is none of what is taken in


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one look at a program's files gave."""

    kind: str
    records: tuple[NeighbourRecord, ...] = ()
    unread: tuple[Unread, ...] = ()
    notice: str = ""  # what must not be missed about the whole of it


Found = Iterator[NeighbourRecord | Unread]


def reading_of(
    kind: str, found: Found | Sequence[NeighbourRecord | Unread], notice: str = ""
) -> Reading:
    """Return what a reader found, each record once, the oldest first."""
    records: dict[tuple[str, int], NeighbourRecord] = {}
    unread = list[Unread]()
    for each in found:
        if isinstance(each, Unread):
            unread.append(each)
        else:
            records.setdefault((each.record, each.version), each)
    oldest_first = sorted(records.values(), key=lambda r: (r.created_at, r.record))
    return Reading(kind, tuple(oldest_first), tuple(unread), notice)
