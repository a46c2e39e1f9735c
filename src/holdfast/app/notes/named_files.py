"""The files of named checkpoints in the client's memory, and the index that follows them.

A file goes or is replaced only once the store has what it says. What a person or another
tool wrote into one becomes a checkpoint of its own: that stands above what the record
under the name said, and the whole text is kept beside it.
"""

from holdfast.agents.port import ClientMemory
from holdfast.app.ports import Ports
from holdfast.brief.brief import brief, subject_of_draft
from holdfast.brief.fit import fit
from holdfast.domain.checkpoint import Checkpoint, Content, Draft, FileRef, Item
from holdfast.domain.code import CodeState, Project
from holdfast.domain.query import Scope
from holdfast.domain.text import one_line, visible
from holdfast.facts.content import tags_of
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import (
    CheckpointNotFound,
    FileOutOfReach,
    FileRefused,
    ReferenceAmbiguous,
    StoreDamaged,
)
from holdfast.kernel.ids import MAX_NAME, NamePrefix, session_uuid
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.named_file import (
    NO_BRANCH,
    NamedFile,
    file_name,
    name_of,
    named_file,
    read_named,
    says_the_same,
)
from holdfast.project_notes.named_index import MEMORY, named_in, with_index
from holdfast.store.port import Finding

AGENT = "file"  # whose session it is: nobody's; a file has been written
KEPT_TEXT = "named_file"  # where the record keeps the text
_MOST_TEXT = 500_000  # characters
_MOST_TITLE = 100
_RECENT = 50  # checkpoints in which the one before is looked for
_BUDGET = 1000  # of the brief that the record's receipt is about


@dataclass(frozen=True, slots=True)
class Naming:
    """A name, where its file is, and the checkpoint that has it."""

    name: str
    workspace: str
    memory: ClientMemory
    owner: Checkpoint | None


def is_known(naming: Naming, text: str, ports: Ports) -> bool:
    """Say whether a record of this name already holds what its file says."""
    owner = naming.owner
    if owner is None:
        return False
    if says_the_same(text, named_file(naming.name, owner.draft)):
        return True
    kept = owner.draft.extra_notes.get(KEPT_TEXT)
    if isinstance(kept, str) and ports.redactor.text(text) == kept:
        return True
    return _is_from_before(naming.name, text, owner, ports)


def _is_from_before(name: str, text: str, owner: Checkpoint, ports: Ports) -> bool:
    """A save that died before it wrote its file left the one of an earlier record."""
    scope = Scope(project_id=owner.draft.project_id)
    try:
        recent = ports.open_store().list(scope, limit=_RECENT)
    except StoreDamaged:
        return False
    return any(
        says_the_same(text, named_file(name, before.draft))
        for before in recent
        if before.draft.name == name
    )


def owner_of(name: str, project_id: str | None, store: Finding) -> Checkpoint | None:
    """Return the checkpoint that has exactly this name, also if it was consumed."""
    try:
        found = store.find(NamePrefix(name), Scope(project_id=project_id))
    except (CheckpointNotFound, ReferenceAmbiguous):
        return None
    return found if found.name == name else None


def adopt(naming: Naming, text: str, ports: Ports, *, takes_name: bool) -> Checkpoint:
    """Keep a file's text as a checkpoint; the same text again is the same checkpoint.

    Without the name it is a copy for the record: it belongs to the place of the file, so
    that no session here is offered it as the latest work.

    Raises:
        FileRefused: it has not our header, or its text cannot be kept.
    """
    name = naming.name
    _refuse_unkeepable(name, text)
    clean = ports.redactor.text(text)
    said = read_named(name, clean)
    if said is None:
        raise FileRefused(
            f"`{file_name(name)}` was not written by holdfast and stays as it is",
            hint="move it away, or choose another name",
        )
    store = ports.open_store()
    identity = ports.code.identity(naming.workspace)
    project = store.project(
        identity, lambda commit: ports.code.has_commit(identity.workspace, commit)
    )
    draft = replace(
        _draft(said, clean, naming.owner, project, ports),
        project_remote=identity.remote,
        workspace=identity.workspace if takes_name else naming.memory.directory,
        key=_key(naming, clean, project, takes_name=takes_name),
        name=name if takes_name else None,
        replace_name=takes_name,
    )
    return store.put(draft).checkpoint


def _refuse_unkeepable(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        problem = "has bytes that are not UTF-8"
    else:
        if len(text) <= _MOST_TEXT and "\0" not in text:
            return
        problem = f"is longer than {_MOST_TEXT:,} characters, or no text"
    raise FileRefused(
        f"`{file_name(name)}` {problem}: it was not saved and was not changed",
        hint="move it away, or make it plain text",
    )


def _draft(
    said: NamedFile,
    text: str,
    owner: Checkpoint | None,
    project: Project,
    ports: Ports,
) -> Draft:
    before = owner.draft if owner else None
    content = _content(said, before.content if before else None)
    now = ports.clock.now_ms()
    session = f"{AGENT}-{_digest(project.project_id, said.name)[:16]}"
    draft = Draft(
        key="",
        session_id=session,
        agent=AGENT,
        agent_version="",
        type="manual",
        trigger="import",
        created_at=now,
        working_directory=before.working_directory if before else project.root,
        hostname=ports.hostname,
        project_id=project.project_id,
        project_root=project.root,
        workspace="",
        content=content,
        code=before.code if before else CodeState(branch=_branch(said)),
        parent_session=_session_before(before, session),
        root_session=before.root_session if before else "",
        merged_from=(owner.checkpoint_id,) if owner else (),
        tags=tags_of(session_uuid(session, AGENT), now, content.topics, ()),
        given_title=before.given_title if before else False,
        given_notes=True,
        extra_notes={KEPT_TEXT: text},
    )
    told = brief(subject_of_draft(draft), budget=_BUDGET, now_ms=now, fit=fit)
    return replace(draft, receipt=told.receipt)


def _session_before(before: Draft | None, session: str) -> str | None:
    """A file that is edited again goes on in its own session, which is no parent."""
    if before is None or before.session_id == session:
        return before.parent_session if before else None
    return before.session_id


def _key(naming: Naming, text: str, project: Project, *, takes_name: bool) -> str:
    """A copy is kept once; under the name, once for each record it was made from."""
    made_from = naming.owner.checkpoint_id if naming.owner and takes_name else ""
    use = "name" if takes_name else "copy"
    return f"{AGENT}:{_digest(use, made_from, project.project_id, naming.name, text)}"


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()


def _branch(said: NamedFile) -> str | None:
    return said.branch if said.branch != NO_BRANCH else None


def _content(said: NamedFile, before: Content | None) -> Content:
    """The file is right where it speaks; what it does not speak of stays."""
    summary = "\n".join(said.left_off)
    base = before or Content(title=one_line(summary or said.name, _MOST_TITLE))
    known_files = {file.path: file for file in base.files}
    read = tuple(file for file in base.files if file.change == "read")
    changed = tuple(known_files.get(p) or FileRef(p, "edited") for p in said.files)
    return replace(
        base,
        summary=summary,
        summary_doubt="",
        last_words="",
        key_outcomes=_items(said.done, base.key_outcomes),
        dead_ends=_items(said.failed, base.dead_ends),
        discoveries=(*base.discoveries, *_items(said.other, ())),
        files=(*changed, *read),
        plan=said.plan or base.plan,
    )


def _items(texts: tuple[str, ...], known: tuple[Item, ...]) -> tuple[Item, ...]:
    """A statement that was there before keeps its evidence."""
    before = {item.text: item for item in known}
    return tuple(before.get(text) or Item(text, "agent") for text in texts)


def remove(naming: Naming, ports: Ports) -> None:
    def may_go(text: str) -> bool:
        secure(naming, text, ports)
        return True

    file = file_name(naming.name)
    if not naming.memory.remove(file, may_go) and naming.memory.read(file) is not None:
        raise FileRefused(
            f"`{file}` was changed while it was being removed, and stays",
            hint="try again",
        )


def secure(naming: Naming, text: str, ports: Ports) -> None:
    """Make sure that the store has what a file says.

    Raises:
        FileRefused: it is not ours, or its text cannot be kept.
    """
    if not is_known(naming, text, ports):
        adopt(naming, text, ports, takes_name=False)


def reindex(memory: ClientMemory, fresh: str = "") -> None:
    """Bring the section in line with the files; under the lock, so none is missed."""
    if memory.is_indexed:
        memory.change(MEMORY, lambda text: with_index(text, files_in(memory), fresh))


def heal(memory: ClientMemory, name: str) -> bool:
    """Remove the bullet of a file that is gone; say whether there was one."""
    if not memory.is_indexed or name not in _bullets(memory):
        return False
    reindex(memory)
    return True


def files_in(memory: ClientMemory) -> tuple[NamedFile, ...]:
    found = []
    for file in memory.names():
        name = name_of(file)
        try:
            text = memory.read(file) if name else None
        except FileOutOfReach:
            raise  # it is there: the index must not forget it
        except FileRefused:
            continue
        if name and text and _is_tellable(name) and (said := read_named(name, text)):
            found.append(said)
    return tuple(sorted(found, key=lambda f: (f.saved, f.name), reverse=True))


def names_in(memory: ClientMemory) -> list[str]:
    """Return every name that has a file or a bullet here."""
    files = [name for file in memory.names() if (name := name_of(file))]
    return list(dict.fromkeys([*files, *_bullets(memory)]))


def text_in(memory: ClientMemory, name: str) -> str | None:
    """Return a name's file, by the name as the directory has it: no path leads out."""
    file = file_name(name)
    return memory.read(file) if file in memory.names() else None


def _is_tellable(name: str) -> bool:
    """A name that would break a line of the index is not put there."""
    is_plain = visible(name) == name and not set(name) & set("*`\n")
    return is_plain and len(name) <= MAX_NAME


def _bullets(memory: ClientMemory) -> tuple[str, ...]:
    try:
        return named_in(memory.read(MEMORY))
    except FileRefused:
        return ()  # whoever changes it is told why that cannot be done
