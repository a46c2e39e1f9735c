"""goldfish: `.memories/DATE/HHMMSS_hash.md`, a checkpoint a file with a head of YAML; and
the files of a day that it wrote before. Pure but for the walk."""

from collections.abc import Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.neighbours.front_matter import FrontMatter, front_matter
from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.record import Found, NeighbourRecord, Remark, Unread
from holdfast.neighbours.texts import digest, first_line, moment

KIND = "goldfish"
_DIRECTORY = ".memories"
_DAY_FILE = pattern(r"# Checkpoints for (\d{4}-\d\d-\d\d)")
_DAY_ENTRY = pattern(r"## (\d\d:\d\d) - (\S.*)")
_DAY_FIELD = pattern(r"- \*\*(Tags|Branch|Commit|Files)\*\*: (.+)")
_DEPTH = 3
_BESIDE = frozenset(["plans", "briefs"])
_OTHER = "plans and briefs are no checkpoints"
# Fields of its structured checkpoints, in the order in which they are told.
_TOLD = ("context", "decision", "evidence", "impact")


def recognises(place: SourcePlace) -> bool:
    """Say whether goldfish keeps its memories there."""
    if place.is_directory:
        return place.name == _DIRECTORY or place.has(_DIRECTORY)
    head = place.head()
    return bool(_DAY_FILE.match(head)) or (
        head.startswith("---\n") and "\nid: checkpoint_" in head
    )


def read(place: SourcePlace) -> Found:
    """Yield each checkpoint of a project's memories, or of a single file."""
    if place.is_directory and place.has(_DIRECTORY):
        place = place.below(_DIRECTORY)
    for file in place.files((".md",), depth=_DEPTH):
        if isinstance(file, Unread):
            yield file
        else:
            yield from parsed(file)


def parsed(file: SourceFile) -> Found:
    """Yield what one file says."""
    head = front_matter(file.text.replace("\r\n", "\n"))
    day = _DAY_FILE.match(file.text)
    if head is not None and head.text("timestamp"):
        yield _checkpoint(file, head)
    elif day:
        yield from _of_a_day(file, day[1])
    elif head is not None or {*file.name.split("/")} & _BESIDE:
        yield Unread(file.name, _OTHER, is_left=True)
    else:
        yield Unread(file.name, "no checkpoint of goldfish")


def _checkpoint(file: SourceFile, head: FrontMatter) -> NeighbourRecord | Unread:
    created_at = moment(head.text("timestamp"))
    if not created_at:
        return Unread(file.name, "it has no valid time")
    title = head.text("summary") or first_line(head.body) or head.text("symbols")
    if not title:
        return Unread(file.name, "it says nothing")
    decision, steps = head.text("decision"), head.text("next")
    told = [Remark(name, head.text(name)) for name in _TOLD if head.text(name)]
    return NeighbourRecord(
        record=head.text("id") or digest(file.text),
        path=file.path,
        title=title,
        summary=head.body,
        created_at=created_at,
        branch=head.text("git.branch"),
        commit=head.text("git.commit"),
        files=head.texts("git.files"),
        tags=head.texts("tags"),
        decisions=(decision,) if decision else (),
        next_steps=(steps,) if steps else (),
        dead_ends=head.texts("alternatives"),
        remarks=tuple(told),
    )


def _of_a_day(file: SourceFile, day: str) -> Iterator[NeighbourRecord | Unread]:
    entry: tuple[str, str] | None = None
    fields: dict[str, str] = {}
    for line in [*file.text.splitlines(), "## "]:
        found = _DAY_ENTRY.fullmatch(line.rstrip())
        if line.startswith("## ") and entry:
            yield _at(file, day, entry, fields)
        if line.startswith("## "):
            entry, fields = (found[1], found[2]) if found else None, {}
        elif field := _DAY_FIELD.fullmatch(line.rstrip()):
            fields[field[1]] = field[2]


def _at(
    file: SourceFile, day: str, entry: tuple[str, str], fields: dict[str, str]
) -> NeighbourRecord | Unread:
    time, said = entry
    created_at = moment(f"{day}T{time}:00Z")
    if not created_at:
        return Unread(file.name, "it has no valid time")
    return NeighbourRecord(
        record=digest(day, time, said),
        path=file.path,
        title=said,
        created_at=created_at,
        branch=fields.get("Branch", ""),
        commit=fields.get("Commit", ""),
        files=tuple(fields.get("Files", "").split(", ")) if "Files" in fields else (),
        tags=tuple(fields.get("Tags", "").split(", ")) if "Tags" in fields else (),
    )
