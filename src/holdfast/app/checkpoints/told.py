"""Save what a caller over HTTP says about a session whose transcript is not here.

    words, redacted → content → draft ──put──► checkpoint

It is work of whoever holds the token by which it was told: it lies in no workspace, so no
start offers it, its session is none of this machine's, and nothing in it is the user's word.
The put is the commit point; nothing is answered before it, and a store that cannot take it
keeps nothing: whoever told it still has it, and tells it again under the same key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.drafting import clipped
from holdfast.app.checkpoints.save import NothingToSave, Saved
from holdfast.domain.checkpoint import Draft
from holdfast.domain.query import Scope
from holdfast.domain.text import one_line
from holdfast.facts.content import tags_of
from holdfast.facts.statements.kept_notes import content_told
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel.digests import sha256
from holdfast.kernel.ids import session_uuid
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.app.checkpoints.save import SaveResult
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Checkpoint, CheckpointType, Content
    from holdfast.domain.code import Project

AGENT = "mcp"  # nobody here knows which one it was
_MOST_TITLE = 80
_MARK = 12  # hexadecimal digits, at the end of a session's id
_OFF = "the user turned holdfast off for this project; `holdfast on` turns it on again"
_EMPTY = "nothing was told: give a `summary`, `notes`, a `title` or a `name`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What somebody tells. `key` makes a retry the same save, of theirs."""

    teller: str  # who they are: the id of a token, which no other ever has
    author: str  # what they are called, as others may be, too
    key: str
    session: str  # as they call it
    project: Project
    notes: Mapping[str, object]  # as they came: nothing of them was read yet
    title: str = ""
    name: str | None = None
    tags: tuple[str, ...] = ()
    type: CheckpointType = "manual"
    summary_only: bool = False


def session_told(session: str, teller: str, project_id: str) -> str:
    """Return what a session that is told of is called here: never as one of this machine,
    of somebody else or of another project. Its end is its teller's mark, so that whose
    it is can be seen later; its beginning, which people look at, is its own."""
    called = session_uuid(repr((project_id, teller, session)), f"{AGENT}/told")
    return called[:-_MARK] + _mark(teller)


def is_told_by(teller: str, checkpoint: Checkpoint) -> bool:
    """Say whether somebody told a checkpoint here themselves, whatever they are called."""
    draft = checkpoint.draft
    is_told_here = draft.agent == AGENT and draft.author and not checkpoint.machine
    return bool(is_told_here) and draft.session_id.endswith(_mark(teller))


def _mark(teller: str) -> str:
    return sha256(repr((AGENT, teller)).encode()).hexdigest()[:_MARK]


def tell(telling: Telling, ports: Ports) -> SaveResult:
    """Keep what was told, in one transaction.

    Raises:
        NotesInvalid: a field has the wrong type.
        NameTaken: the name belongs to another checkpoint.
        StoreBusy, StoreNewer, StoreDamaged, StoreNotFound: nothing was kept.
    """
    if not (telling.notes or telling.title or telling.name):
        return NothingToSave(_EMPTY)
    store = ports.open_store()
    draft = _draft(telling, ports)
    for target in ports.targets:
        store.outbox.follow(target)
    kept = store.put_unless_off(draft, ports.clock.now_ms())
    if kept is None:
        return NothingToSave(_OFF)
    if kept.outcome == "saved":
        ports.start_sync()
    return Saved(kept.outcome, "WORKING", kept.checkpoint)


def _draft(telling: Telling, ports: Ports) -> Draft:
    """Return the draft: each text passes the chokepoint as it came, so nothing that is
    made of it has to pass again. Its receipt is made with its brief: beforehand it would
    be a third of what a save costs."""
    project = telling.project.project_id
    session = session_told(telling.session, telling.teller, project)
    notes = parse_notes(ports.redactor.tree(dict(telling.notes)))
    title = ports.redactor.text(telling.title) or notes.title
    notes, now_ms = replace(notes, title=title), ports.clock.now_ms()
    within = Scope(project_id=project)
    last = ports.open_store().list(within, session=session, limit=1)
    content = content_told(notes, next(iter(last), None), session)
    if not title:
        content = replace(content, title=_title(content, telling))
    given = (*ports.redactor.tree(list(telling.tags)), *notes.tags)
    draft = Draft(
        key=_key(telling),
        session_id=session,
        agent=AGENT,
        agent_version="",
        type=telling.type,
        created_at=now_ms,
        working_directory="",
        hostname="",
        project_id=project,
        project_root=telling.project.root,
        project_remote=telling.project.remote,
        workspace="",
        name=telling.name,
        content=content,
        details=() if telling.summary_only else notes.details,
        tags=tags_of(session, now_ms, content.topics, given),
        given_title=bool(title),
        given_notes=True,
        extra_notes=dict(notes.unknown),
        author=telling.author,
    )
    return clipped(draft)


def _key(telling: Telling) -> str:
    """Return the key of a save: of one teller, one project and one session, so that
    nobody else's call is ever taken for a retry of it."""
    whose = (telling.teller, telling.project.project_id, telling.session)
    return sha256(repr((AGENT, *whose, telling.key)).encode()).hexdigest()


def _title(content: Content, telling: Telling) -> str:
    """Return what to call it where nobody said: how it begins."""
    said = (content.summary, *(note.text for note in content.notes))
    first = next(filter(None, said), telling.name or "")
    return one_line(first, _MOST_TITLE)
