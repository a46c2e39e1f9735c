"""The handoff file: written from a session, merged with what is there, and checked.

    transcript → what is open ──merge──► the file ──► memory files ──► read back, check

Only explicit commands come here. Compaction is advised only when every check passes.
"""

from collections.abc import Callable

from holdfast.app.notes.memory import (
    Memory,
    MemoryPorts,
    RememberedEntry,
    is_kept,
    keep_entries,
    memory_of,
)
from holdfast.app.notes.session_notes import SessionNotes
from holdfast.app.ports import Redacts
from holdfast.brief.phrases import told_name
from holdfast.kernel.errors import FileOutOfReach, FileRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.kernel.shared_files import HALF_WRITTEN, Changed
from holdfast.project_notes.handoff.check import (
    Check,
    CheckInput,
    Status,
    checks_of,
    status_of,
)
from holdfast.project_notes.handoff.document import (
    HANDOFF,
    NEW_FILE,
    Document,
    OpenItem,
    line_count,
    parse,
    print_document,
)
from holdfast.project_notes.handoff.items import (
    OpenWork,
    finished_ids,
    items_of,
    question_ident,
    request_ident,
)
from holdfast.project_notes.handoff.merge import Update, merge
from holdfast.project_notes.lines import as_item
from holdfast.project_notes.memory import facts
from holdfast.project_notes.memory.entries import (
    FACTS,
    LESSON_ARCHIVE,
    LESSONS,
    LOG,
    STATE_FILE,
)
from holdfast.project_notes.memory.facts import done_entries, without_entries
from holdfast.project_notes.memory.workflows import workflows_of, worth_remembering
from holdfast.project_notes.memory.worth_keeping import entries_of, feedback_of
from holdfast.project_notes.port import ProjectFiles

GUIDANCE = f"Checkpoint complete. Run /compact to compress context. Handoff: {HANDOFF}"
# Said whatever the check says: what it misses, compaction cannot write down any more.
NO_TOOLS = (
    "⚠ NO_TOOLS: compaction disables all tools while it compresses: nothing is read or"
    " written then, so what the next session needs must be in files before"
)
OUR_FILES = (HANDOFF, FACTS, LOG, LESSONS, LESSON_ARCHIVE)
_OPEN_WORK = frozenset(["next", "work", "decisions", "issues"])
_OTHER_HANDOFF = pattern(r"^session-handoff-(?!LATEST\.md$).+\.md$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """What became of the handoff. `reason` says why where there is no file."""

    status: Status
    checks: tuple[Check, ...] = ()
    reason: str = ""
    hint: str = ""
    file: Changed | None = None
    open_items: int = 0
    left_out: int = 0
    kept: tuple[RememberedEntry, ...] = ()
    why_save: str = ""
    state_entries: tuple[str, ...] = ()  # taken out of STATE.md, being done

    @property
    def guidance(self) -> str:
        return GUIDANCE if self.status == "WORKING" and self.checks else ""

    @property
    def warning(self) -> str:
        return NO_TOOLS if self.checks else ""


def write(gathered: SessionNotes, ports: MemoryPorts) -> Handoff:
    """Write what is open into the handoff, what stays true into memory; then check.

    Where nothing is open and there is no file, none is made.
    """
    try:
        work = _work(gathered, ports.files)
        items = _redacted(items_of(work), ports.redactor)
        file = ports.files.change(HANDOFF, lambda text: _merged(text, work, items))
    except FileRefused as refused:
        return Handoff(status="BROKEN", reason=refused.message, hint=refused.hint)
    kept, entries, trouble = _keep_the_rest(gathered, ports)
    done = check(gathered, ports.files, ports.redactor)
    done = replace(done, file=file, kept=kept, state_entries=entries)
    if trouble is None:
        return done
    status: Status = "PARTIAL" if done.status == "WORKING" else done.status
    return replace(done, status=status, reason=trouble.message, hint=trouble.hint)


def check(gathered: SessionNotes, files: ProjectFiles, redactor: Redacts) -> Handoff:
    """Compare the files with what the transcript and git say; nothing is written."""
    try:
        work = _work(gathered, files)
        text = files.read(HANDOFF)
        if text is None:
            return _without_file(_redacted(items_of(work), redactor))
        document = parse(text)
        seen = _evidence(gathered, work, document, files)
        checks = checks_of(seen, _is_there(gathered, files))
    except FileRefused as refused:
        return Handoff(status="BROKEN", reason=refused.message, hint=refused.hint)
    return Handoff(
        status=status_of(checks),
        checks=checks,
        open_items=len(document.kept()),
        left_out=document.left_out,
        why_save=gathered.why_save,
    )


def _without_file(items: tuple[OpenItem, ...]) -> Handoff:
    if _has_open_work(items):
        return Handoff(
            status="BROKEN",
            reason=f"there is no `{HANDOFF}`, and some work is still open",
            hint="write it with `holdfast handoff write`",
        )
    return Handoff(status="WORKING", reason="no work is open, so no handoff is needed")


def _has_open_work(items: tuple[OpenItem, ...]) -> bool:
    return any(item.section in _OPEN_WORK for item in items)


def _work(gathered: SessionNotes, files: ProjectFiles) -> OpenWork:
    left = gathered.handover
    return OpenWork(
        owner=gathered.owner,
        content=gathered.content,
        request=left.request,
        why_open=left.why_open,
        start=left.start or _place_to_start(gathered, files),
        red=left.red,
        changed=left.changed,
        done=left.done,
        mended=left.mended,
        uncommitted=_of_others(gathered.uncommitted, files),
        ancestors=gathered.ancestors,
    )


def _place_to_start(gathered: SessionNotes, files: ProjectFiles) -> str:
    """Return a file to begin with that is there, else what always tells something."""
    touched = (file.path for file in gathered.content.files)
    changed = (path for path, _ in gathered.handover.changed)
    there = (path for path in (*changed, *touched) if files.exists(path))
    return next(there, "" if gathered.uncommitted is None else "git status")


def _of_others(
    paths: tuple[str, ...] | None, files: ProjectFiles
) -> tuple[str, ...] | None:
    """The files that these very commands write are no work in progress."""
    if paths is None:
        return None
    return tuple(path for path in paths if not _is_ours(path, files))


def _is_ours(path: str, files: ProjectFiles) -> bool:
    if not path.endswith("/"):
        return path in OUR_FILES or path.endswith(HALF_WRITTEN)
    held = [f"{path}{seen.name}" for seen in files.files_in(path.rstrip("/"))]
    return bool(held) and all(_is_ours(each, files) for each in held)


def _redacted(items: tuple[OpenItem, ...], redactor: Redacts) -> tuple[OpenItem, ...]:
    """The chokepoint: nothing reaches the file that did not pass it."""
    return tuple(
        replace(item, text=as_item(redactor.text(item.text))) for item in items
    )


def _merged(
    text: str | None, work: OpenWork, items: tuple[OpenItem, ...]
) -> str | None:
    if text is None and not _has_open_work(items):
        return None
    document = parse(NEW_FILE if text is None else text)
    update = Update(
        owner=work.owner, items=items, finished=finished_ids(work, document)
    )
    return print_document(merge(document, update, line_count))


def _keep_the_rest(
    gathered: SessionNotes, ports: MemoryPorts
) -> tuple[tuple[RememberedEntry, ...], tuple[str, ...], FileRefused | None]:
    """Keep what stays true; a handoff that is written is worth having without it."""
    try:
        kept = _keep_memory(gathered, ports)
        return kept, _tidy_state(gathered, ports.files), None
    except FileRefused as refused:
        return (), (), refused


def _keep_memory(
    gathered: SessionNotes, ports: MemoryPorts
) -> tuple[RememberedEntry, ...]:
    entries = entries_of(gathered.state, gathered.content)
    flows = tuple(flow for flow, _ in workflows_of(gathered.state))
    kept = keep_entries(ports, entries, worth_remembering(flows), gathered.owner)
    ports.files.change(FACTS, facts.unified)
    return kept


def _tidy_state(gathered: SessionNotes, files: ProjectFiles) -> tuple[str, ...]:
    """Take out of STATE.md what is over; no such file is ever made."""
    done, mended = gathered.handover.done, gathered.handover.mended
    gone = done_entries(_readable(files, STATE_FILE), done, mended)
    if gone:
        files.change(STATE_FILE, lambda text: without_entries(text, done, mended))
    return gone


def _evidence(
    gathered: SessionNotes, work: OpenWork, document: Document, files: ProjectFiles
) -> CheckInput:
    memory = _readable_memory(files)
    feedback = [item.text for item in feedback_of(gathered.content)]
    state = _readable(files, STATE_FILE)
    left = gathered.handover
    return CheckInput(
        document=document,
        lines=line_count(document),
        questions=tuple(
            (question_ident(question), question.text)
            for question in gathered.content.open_questions
        ),
        feedback=len(feedback),
        unsaved_feedback=tuple(text for text in feedback if not is_kept(text, memory)),
        request=(request_ident(gathered.owner), left.request.text)
        if left.request and left.why_open
        else None,
        was_asked=left.request is not None,
        finished=finished_ids(work, document),
        uncommitted=None
        if work.uncommitted is None
        else tuple(map(told_name, work.uncommitted)),
        stale_state=None
        if state is None
        else done_entries(state, left.done, left.mended),
        has_state_change=bool(left.done or left.mended),
        other_handoffs=tuple(
            seen.name
            for seen in files.files_in(HANDOFF.rpartition("/")[0])
            if _OTHER_HANDOFF.match(seen.name)
        ),
    )


def _readable_memory(files: ProjectFiles) -> Memory:
    """A memory that is no plain file holds nothing: its lines of the check say so."""
    try:
        return memory_of(files)
    except FileOutOfReach:
        raise
    except FileRefused:
        return Memory((), (), ())


def _readable(files: ProjectFiles, path: str) -> str | None:
    try:
        return files.read(path)
    except FileOutOfReach:
        raise
    except FileRefused:
        return None


def _is_there(gathered: SessionNotes, files: ProjectFiles) -> Callable[[str], bool]:
    def is_there(word: str) -> bool:
        command = word.strip()
        ran = any(
            command == known or known.startswith(f"{command} ")
            for known in gathered.handover.commands
        )
        is_path = not command.startswith("/") and files.exists(command)
        has_git = gathered.uncommitted is not None
        return ran or is_path or (has_git and command == "git status")

    return is_there
