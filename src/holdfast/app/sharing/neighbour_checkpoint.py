"""What another program kept, as a checkpoint of ours that is foreign: pure but for the
redactor.

None of it is taken for somebody's instruction: what was asked there is a remark like any
other. It lies in no workspace, so no start offers it, and answers no retry.
"""

import hmac
from collections.abc import Iterable, Sequence

from holdfast.app.checkpoints.drafting import clipped, redacted, with_receipt
from holdfast.app.ports import Redacts
from holdfast.domain.checkpoint import (
    Change,
    Checkpoint,
    Content,
    Detail,
    Draft,
    FileRef,
    Item,
)
from holdfast.domain.code import CodeState, Project
from holdfast.domain.foreign import Foreign, ForeignSource, elsewhere
from holdfast.domain.text import beginning, one_line, visible
from holdfast.facts.content import tags_of
from holdfast.kernel.digests import canonical, sha256
from holdfast.kernel.ids import checkpoint_id, session_uuid
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import field_names, replace
from holdfast.neighbours.record import NeighbourRecord

_SESSION = pattern(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")
_COMMIT = pattern(r"[0-9a-f]{4,64}")
_MARKS = pattern(r"^\s*#{1,6}\s+")
_BUDGET = 1000  # of the brief that the receipt is about
_MOST_SUMMARY, _MOST_TEXT, _MOST_ITEM = 4_000, 50_000, 2_000  # characters
_MOST_BRANCH, _MOST_NAME = 255, 200
_MOST_ITEMS, _MOST_REMARKS, _MOST_FILES, _MOST_TAGS = 100, 400, 500, 30
_LOOKED_AT = (
    4  # times as much is looked at for secrets: what is cut is never half of one
)
_SHORT = 32
_MOST_NUMBER = 9_999_999
_MOST_TOLD = 1_000_000  # characters of all remarks of a record
_LEFT = "left out"
_WHOLE = "summary"  # the topic of a summary that is longer than summaries are
# What does not make another record of it: where it lies, and a time that is the file's.
_NOT_SAID = ("path", "number", "created_at", "is_dated")


def session_of(record: NeighbourRecord, kind: str, redactor: Redacts) -> str:
    """Return what the record's session is called here: its id there, and the program."""
    told = record.record
    if not _SESSION.fullmatch(told) or redactor.text(told) != told:
        told = _digest(told)
    return elsewhere(told, kind)


def said_digest(record: NeighbourRecord, key: bytes) -> str:
    """Return what changes when the record says something else. The key is the store's:
    without it, nobody can try what a text said before its secrets were taken out."""
    names = (name for name in field_names(NeighbourRecord) if name not in _NOT_SAID)
    said = {name: repr(getattr(record, name)) for name in names}
    told = canonical(said).encode("utf-8", "surrogatepass")
    return hmac.new(key, told, "sha256").hexdigest()


def checkpoint_of(
    record: NeighbourRecord,
    kind: str,
    project: Project,
    redactor: Redacts,
    key: bytes = b"",
) -> Checkpoint:
    """Return the checkpoint that a record is here; its number is still to be given."""
    session = session_of(record, kind, redactor)
    # Never a session of this machine, whatever the record calls itself.
    uuid = session_uuid(f"{kind}/{record.record}", kind)
    draft = _draft(record, kind, session, uuid, project)
    draft = with_receipt(_short(clipped(redacted(draft, redactor))), _BUDGET)
    return Checkpoint(
        draft=draft,
        checkpoint_id=checkpoint_id(uuid, record.version, _moment(record)),
        number=record.number if record.number <= _MOST_NUMBER else 0,
        sequence=record.version,
        master_summary_id=0,
        previous_checkpoint=None,
        content_hash="",
        foreign=Foreign(
            machine=kind,
            hash=said_digest(record, key),
            project_id="",
            project_root=redactor.text(_cut(record.project, _MOST_BRANCH)),
            name=one_line(redactor.text(record.name), _MOST_NAME) or None,
            origin=ForeignSource(
                one_line(redactor.text(record.record), _MOST_NAME),
                redactor.text(visible(record.path)),
            ),
        ),
    )


def is_about(record: NeighbourRecord, places: Iterable[str]) -> bool:
    """Say whether a record is of a project, as far as the program tells.

    It tells a path, or only the name of a folder; a name that several folders have is all
    that there is then.
    """
    about = record.project.replace("\\", "/").rstrip("/")
    if not about:
        return True
    known = [place.rstrip("/") for place in places if place]
    if about.startswith("/") or about[1:3] == ":/":
        return any(about == root or about.startswith(f"{root}/") for root in known)
    names = {root.rpartition("/")[2].casefold() for root in known}
    ends = (about.partition("/")[0], about.rpartition("/")[2])
    return any(end.casefold() in names for end in ends)


def _moment(record: NeighbourRecord) -> int:
    """A time that nobody told is no part of who it is: a copy of the file has another."""
    return record.created_at if record.is_dated else 0


def _draft(
    record: NeighbourRecord, kind: str, session: str, uuid: str, project: Project
) -> Draft:
    branch, commit = " ".join(visible(record.branch).split()), record.commit.lower()
    given = [kind, *filter(None, map(visible, record.tags[:_MOST_TAGS]))]
    return Draft(
        key="",
        session_id=session,
        agent=kind,
        agent_version="",
        type="manual",
        trigger="import",
        created_at=record.created_at,
        working_directory="",
        hostname="",
        project_id=project.project_id,
        project_root=project.root,
        project_remote=project.remote,
        workspace="",
        content=_content(record),
        code=CodeState(
            branch=branch[:_MOST_BRANCH] or None,
            head=commit if _COMMIT.fullmatch(commit) else None,
        ),
        details=tuple(_details(record)),
        root_session=session,
        tags=tags_of(uuid, record.created_at, (), given),
        given_title=True,
        given_notes=True,
    )


def _content(record: NeighbourRecord) -> Content:
    files = [
        *_files(record.files[:_MOST_FILES], "edited"),
        *_files(record.files_read[:_MOST_FILES], "read", but=record.files),
    ]
    return Content(
        title=visible(_cut(record.title, _MOST_ITEM)),
        summary=_prose(_cut(record.summary, _MOST_SUMMARY), record.title),
        key_outcomes=_items(record.done),
        decisions=_items(record.decisions),
        discoveries=_items(record.discoveries),
        next_steps=_items(record.next_steps),
        dead_ends=_items(record.dead_ends),
        files=tuple(files[:_MOST_FILES]),
    )


def _prose(text: str, title: str) -> str:
    """Return a text without marks of Markdown, which mean nothing on one line, and
    without a first heading that says no more than the title."""
    lines = [_MARKS.sub("", line).replace("**", "") for line in text.split("\n")]
    if lines[0].strip() == title.strip():
        lines = lines[1:]
    return "\n".join(lines).strip()


def _files(
    paths: Sequence[str], change: Change, but: Sequence[str] = ()
) -> Iterable[FileRef]:
    said = (" ".join(visible(_cut(path, _MOST_ITEM)).split()) for path in paths)
    return (FileRef(path, change) for path in said if path and path not in but)


def _items(texts: Sequence[str]) -> tuple[Item, ...]:
    return tuple(
        Item(_cut(text, _MOST_ITEM), source="agent") for text in texts[:_MOST_ITEMS]
    )


def _details(record: NeighbourRecord) -> Iterable[Detail]:
    if len(record.summary) > _MOST_SUMMARY:
        yield Detail(_WHOLE, _cut(record.summary, _MOST_TEXT))
    room = _MOST_TOLD
    for number, remark in enumerate(record.remarks):
        if number == _MOST_REMARKS or room <= 0:
            more = f"{len(record.remarks) - number:,} more are where this came from"
            yield Detail(_LEFT, more)
            return
        topic = one_line(visible(_cut(remark.topic, _MOST_ITEM)), _MOST_ITEM)
        files = tuple(f.path for f in _files(remark.files[:_MOST_ITEMS], "read"))
        text = _cut(remark.text, _MOST_TEXT)
        room -= len(text)
        yield Detail(topic or _WHOLE, text, files)


def _short(draft: Draft) -> Draft:
    """Return a draft whose texts have a length that can be read, their secrets gone."""
    content = replace(
        draft.content,
        title=draft.content.title or "untitled",
        summary=beginning(draft.content.summary, _MOST_SUMMARY),
    )
    details = (
        replace(
            detail,
            topic=one_line(detail.topic, _MOST_NAME),
            text=beginning(detail.text, _MOST_TEXT),
        )
        for detail in draft.details
    )
    return replace(draft, content=content, details=tuple(details))


def _cut(text: str, most: int) -> str:
    """Return as much of a text as has to be looked at."""
    return text[: most * _LOOKED_AT]


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_SHORT]
