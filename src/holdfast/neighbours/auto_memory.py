"""The client's own memory of a project: Markdown files, a fact each, and their index. Pure
but for the walk. Taken in as evidence of what was known then; the files stay the client's."""

from holdfast.neighbours.front_matter import front_matter
from holdfast.neighbours.guardz import file_name
from holdfast.neighbours.place import SourceFile, SourcePlace
from holdfast.neighbours.record import Found, NeighbourRecord, Unread
from holdfast.neighbours.texts import digest, distinct, first_line

KIND = "auto-memory"
_INDEX = "MEMORY.md"
_NAMED = "checkpoint-"  # a named checkpoint's, which `guardz` reads


def recognises(place: SourcePlace) -> bool:
    """Say whether it is a memory directory: it has the index."""
    return place.is_directory and place.has(_INDEX)


def read(place: SourcePlace) -> Found:
    """Yield each file of a memory directory."""
    for file in place.files((".md",)):
        if place.is_directory and file_name(file).startswith(_NAMED):
            continue
        yield file if isinstance(file, Unread) else parsed(file)


def parsed(file: SourceFile) -> NeighbourRecord | Unread:
    """Return what one file says. It is changed in place and tells no time, so what it says
    is who it is: the same text again is the same record."""
    text = file.text.replace("\r\n", "\n")
    head = front_matter(text)
    body = head.body if head else text.strip()
    name = (head.text("name") if head else "") or file.name.removesuffix(".md")
    said = head.text("description") if head else ""
    title = said or first_line(body)
    if not title:
        return Unread(file.name, "it says nothing")
    kind = (head.text("metadata.type") or head.text("type")) if head else ""
    return NeighbourRecord(
        record=f"{name}-{digest(text)}",
        path=file.path,
        name=name,
        title=title,
        summary=body,
        created_at=file.modified_at,
        is_dated=False,
        tags=distinct((name, kind)),
    )
