"""guardz: `checkpoint-NAME.md` in the client's memory, the form that named checkpoints of
ours have, too. Pure but for the walk."""

import os

from holdfast.kernel.lazy_patterns import pattern
from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.record import Found, NeighbourRecord, Remark, Unread
from holdfast.neighbours.texts import digest, entries, first_line, moment, sections

KIND = "guardz"
_FILE = pattern(r"checkpoint-(.+)\.md")
_TITLE = pattern(r"# Checkpoint: (\S.*)")
_FIELD = pattern(r"- \*\*(Branch|Saved|Plan):\*\* (.*)")
_TICKS = pattern(r"`([^`]*)`")
_PARTS = ("left off", "done this session", "failed approaches", "modified files")


def recognises(place: SourcePlace) -> bool:
    """Say whether there are files of that name, or it is one."""
    if place.is_directory:
        try:
            names = os.listdir(place.path)
        except OSError:
            return False
        return any(map(_FILE.fullmatch, names))
    return bool(_TITLE.match(place.head()))


def read(place: SourcePlace) -> Found:
    """Yield each checkpoint of a memory directory, or of a single file."""
    for file in place.files((".md",)):
        if place.is_directory and not _FILE.fullmatch(file_name(file)):
            continue
        yield file if isinstance(file, Unread) else parsed(file, place)


def file_name(file: SourceFile | Unread) -> str:
    return file.where if isinstance(file, Unread) else file.name


def parsed(file: SourceFile, place: SourcePlace) -> NeighbourRecord | Unread:
    """Return what one file says; its clock has no zone, so it is that of this machine."""
    text = file.text.replace("\r\n", "\n").lstrip("\n")
    title = _TITLE.match(text)
    fields = {
        found[1]: found[2].strip()
        for line in text.split("\n")
        if (found := _FIELD.fullmatch(line.rstrip()))
    }
    saved_at = moment(fields.get("Saved", ""), place.zone)
    if not title or not saved_at:
        return Unread(file.name, "no checkpoint of guardz: its first lines are others")
    name = title[1].strip()
    told = sections(text)
    left_off = told.get("left off", "")
    return NeighbourRecord(
        record=f"{name}-{digest(text)}",
        path=file.path,
        name=name,
        title=first_line(left_off) or name,
        summary=left_off,
        created_at=saved_at,
        branch=_in_ticks(fields.get("Branch", "")),
        files=tuple(map(_in_ticks, entries(told.get("modified files", "")))),
        tags=(name,),
        done=entries(told.get("done this session", "")),
        dead_ends=entries(told.get("failed approaches", "")),
        remarks=(
            *((Remark("plan", fields["Plan"]),) if fields.get("Plan") else ()),
            *_others(told),
        ),
    )


def _others(told: dict[str, str]) -> tuple[Remark, ...]:
    """Return what stands under headings of somebody's own."""
    known = ("", *_PARTS)
    return tuple(
        Remark(heading, text)
        for heading, text in told.items()
        if text and heading not in known and not heading.startswith("checkpoint:")
    )


def _in_ticks(text: str) -> str:
    found = _TICKS.search(text)
    return (found[1] if found else text).strip()
