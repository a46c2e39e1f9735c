"""Turn a session's state into a draft or a brief: analysed, redacted, validated.

A draft is pure but for the two looks at the code that the caller passes in as values.
What people and agents type about a checkpoint is made fit to keep here, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.session import read_session
from holdfast.app.checkpoints.uncommitted import as_git_says
from holdfast.app.checkpoints.which_session import LocatedSession
from holdfast.app.ports import Ports, Redacts
from holdfast.brief.brief import brief, subject_of_draft, subject_of_session
from holdfast.brief.drift_marks import with_doubts
from holdfast.brief.fit import fit
from holdfast.domain.brief import Brief, BriefSubject
from holdfast.domain.checkpoint import (
    Checkpoint,
    CheckpointType,
    Content,
    Detail,
    Draft,
    Trigger,
)
from holdfast.domain.code import CodeState, ProjectIdentity
from holdfast.domain.fact import step_in_hand
from holdfast.domain.record import draft_from, draft_record
from holdfast.domain.session import Inherited, Mark, SessionState
from holdfast.domain.text import MOST_GIVEN, one_line, visible
from holdfast.facts.content import content_of, facts_of, tags_of
from holdfast.facts.work.details import FILE_CHANGES, details_of, noted_details
from holdfast.facts.work.tasks import plan_steps
from holdfast.kernel import ids
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import NameInvalid, SaveFailed
from holdfast.kernel.ids import MAX_NAME, checkpoint_id, is_checkpoint_id, session_uuid
from holdfast.kernel.lazy_values import dataclass, field, replace
from holdfast.session.state_codec import state_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.facts.statements.notes import Notes

# Parts of the record that carry text from outside and pass the chokepoint once more:
# title, notes and tags never went through a transcript reader.
_OUTSIDE_TEXT = ("content", "observations", "tags", "extra_notes", "working_directory")
_MOST_TITLE = 200
_MOST_WORD = 40
_CODE_TEXT = ("branch", "uncommitted", "left_out", "reason")
_JOINERS = str.maketrans("", "", "\u200c\u200d")  # scripts need them, secrets do not


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveRequest:
    """What someone asked to be saved. `key` makes a retry the same save."""

    session_id: str
    transcript: str
    directory: str  # where the command runs, or the project someone named
    key: str
    directory_given: bool = False
    type: CheckpointType = "manual"
    trigger: Trigger = "command"
    title: str | None = None
    name: str | None = None
    replace_name: bool = False
    tags: tuple[str, ...] = ()
    notes: Notes | None = None
    summary_only: bool = False
    include_files: bool = False
    parent_session: str | None = None
    budget: int = 1000
    last_message: str = ""  # of the agent, where it may not be in the transcript yet
    code_seconds: float | None = None  # how long keeping the code may take
    is_at_work: bool = True  # or ends right now: the code is its own
    only_in: ProjectIdentity | None = None  # an agent may write nowhere else


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is true around the session at the moment of saving."""

    agent: str
    hostname: str
    now_ms: int
    code: CodeState
    identity: ProjectIdentity
    read_to: Mark = field(default_factory=Mark)
    before: Checkpoint | None = None  # the session's last one: its notes stay
    merged: tuple[Inherited, ...] = ()  # what merges brought to the session


def draft_of(
    request: SaveRequest, state: SessionState, around: Surroundings, redactor: Redacts
) -> Draft:
    """Return the draft of a checkpoint, its project still to be looked up.

    Raises:
        SaveFailed: the record would not be valid.
    """
    notes = request.notes
    if request.title:
        from holdfast.facts.statements.notes import Notes  # noqa: PLC0415  # few give one

        notes = replace(notes or Notes(), title=request.title)
    known = replace(state, inherited=(*state.inherited, *around.merged))
    content = content_of(
        known, notes, around.before, lambda told: _as_git_says(told, state, around)
    )
    draft = _assembled(request, state, content, around)
    draft = replace(draft, details=_details(request, state, content, around.before))
    return finished(draft, redactor, request.budget)


def finished(draft: Draft, redactor: Redacts, budget: int) -> Draft:
    """Return a draft that may be kept: redacted, clipped, with its receipt.

    Raises:
        SaveFailed: the record would not be valid.
    """
    draft = with_receipt(clipped(redacted(draft, redactor)), budget)
    _validate(draft)
    return draft


def with_plan_step(draft: Draft, ports: Ports) -> Draft:
    """Return the draft with the step that its plan ticks off; that beats any count."""
    plan = draft.content.plan
    memory = ports.memory_of(draft.workspace) if plan else None
    if plan is None or memory is None:
        return draft
    steps = plan_steps(memory.plan(plan.path) or "")
    if not steps:
        return draft
    step, is_counted = step_in_hand(steps), plan.of == len(steps)
    known = replace(plan, step=step or (plan.step if is_counted else None))
    known = replace(known, of=len(steps) if step or not plan.of else plan.of)
    return replace(draft, content=replace(draft.content, plan=known))


def _as_git_says(
    content: Content, state: SessionState, around: Surroundings
) -> Content:
    """Return content that tells as not committed what git does, where that is known."""
    if not around.identity.is_git:
        return replace(content, uncommitted=())
    listed, workspace = around.code.uncommitted, around.identity.workspace
    if listed is None:
        return content
    return as_git_says(content, listed, began=state.cwd, workspace=workspace)


def with_receipt(draft: Draft, budget: int) -> Draft:
    """Return a draft that knows what of it a brief of this budget carries."""
    subject = with_doubts(subject_of_draft(draft))
    told = brief(subject, budget=budget, now_ms=draft.created_at, fit=fit)
    return replace(draft, receipt=told.receipt)


def _assembled(
    request: SaveRequest, state: SessionState, content: Content, around: Surroundings
) -> Draft:
    notes = request.notes
    uuid = session_uuid(request.session_id, around.agent)
    given_tags = (*request.tags, *(notes.tags if notes else ()))
    return Draft(
        key=request.key,
        session_id=request.session_id,
        agent=around.agent,
        agent_version=state.version,
        type=request.type,
        trigger=request.trigger,
        created_at=around.now_ms,
        working_directory=state.last_cwd or state.cwd or request.directory,
        hostname=around.hostname,
        project_id="",
        project_root=around.identity.path,
        project_remote=around.identity.remote,
        workspace=around.identity.workspace,
        name=request.name,
        replace_name=request.replace_name,
        content=content,
        facts=facts_of(state),
        code=around.code,
        tags=tags_of(uuid, around.now_ms, content.topics, given_tags),
        state_key=state_digest(state),
        given_title=bool(request.title or (notes and notes.title)),
        given_notes=notes is not None,
        transcript=request.transcript,
        read_to=around.read_to,
        extra_notes=dict(notes.unknown) if notes else {},
    )


def _details(
    request: SaveRequest,
    state: SessionState,
    content: Content,
    before: Checkpoint | None,
) -> tuple[Detail, ...]:
    noted = request.notes.details if request.notes else ()
    if not noted and before:
        noted = noted_details(before.draft.details)
    details = () if request.summary_only else details_of(state, content, noted)
    changed = [file for file in content.files if file.change != "read"]
    if not (request.include_files and changed):
        return details
    lines = (
        f"{f.change} {f.path} +{f.lines_added} -{f.lines_removed}" for f in changed
    )
    paths = tuple(file.path for file in changed)
    return (*details, Detail(FILE_CHANGES, "\n".join(lines), paths))


def redacted(draft: Draft, redactor: Redacts) -> Draft:
    """Return a draft whose every text from outside has passed the chokepoint."""
    raw = draft_record(draft)
    for part in _OUTSIDE_TEXT:
        raw[part] = redactor.tree(raw[part])
    code = raw["code"]
    code |= {part: redactor.tree(code[part]) for part in _CODE_TEXT if part in code}
    return replace(draft_from(raw), key=_safe_key(draft.key, redactor))


def clipped(draft: Draft) -> Draft:
    """Return a draft whose labels have the length of labels.

    Only now: half a secret is one that no rule knows.
    """
    content = replace(
        draft.content,
        title=one_line(draft.content.title, _MOST_TITLE),
        work_type=one_line(draft.content.work_type, _MOST_WORD),
        domain=one_line(draft.content.domain, _MOST_WORD),
    )
    tags = dict.fromkeys(one_line(tag, MAX_NAME) for tag in draft.tags)
    return replace(draft, content=content, tags=tuple(tags))


def _safe_key(key: str, redactor: Redacts) -> str:
    """A key is only ever compared: one that looks like a secret is kept as its hash."""
    if redactor.text(key) == key:
        return key
    return sha256(key.encode("utf-8", "backslashreplace")).hexdigest()


def _validate(draft: Draft) -> None:
    """Refuse a record that could not be found or read again (C9)."""
    uuid = session_uuid(draft.session_id, draft.agent)
    checks = (
        ("session_id", bool(draft.session_id)),
        ("title", bool(draft.content.title.strip())),
        ("created_at", draft.created_at > 0),
        ("workspace", bool(draft.workspace)),
        ("id", is_checkpoint_id(checkpoint_id(uuid, 1, draft.created_at))),
    )
    wrong = [name for name, is_right in checks if not is_right]
    if wrong:
        raise SaveFailed(
            f"the checkpoint would not be valid: {', '.join(wrong)}",
            hint="nothing was stored; run `holdfast doctor` and report what it says",
        )


def clean_title(text: str | None) -> str | None:
    """Return the title that was asked for, or None if none is left of it."""
    return one_line(visible(text), MOST_GIVEN) or None if text else None


def clean_name(text: str, redactor: Redacts) -> str:
    """Return the name that was asked for, in its one spelling.

    Raises:
        NameInvalid: it cannot be a name, or it looks like a secret. A name is shown and
            typed everywhere, so it is refused rather than redacted.
    """
    name = ids.name(text)
    for form in (text, visible(text).translate(_JOINERS), name):
        if redactor.text(form) != form:
            raise NameInvalid(
                "this name looks like a secret",
                hint="choose a name that may be seen, such as `api-design`",
            )
    return name


def clean_tags(parts: Iterable[str]) -> tuple[str, ...]:
    """Return each tag once, in order."""
    tags = (one_line(visible(part), MOST_GIVEN) for part in parts)
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def session_brief(found: LocatedSession, ports: Ports, *, budget: int) -> Brief:
    """Return what the next session would be told of this one.

    Raises:
        SaveFailed: the transcript is missing or unreadable.
    """
    state = read_session(
        found.session_id, found.transcript, ports.transcripts, None
    ).state
    subject = _as_it_lies_there(
        subject_of_session(state, content_of(state)), state, ports
    )
    return brief(subject, budget=budget, now_ms=ports.clock.now_ms(), fit=fit)


def _as_it_lies_there(
    subject: BriefSubject, state: SessionState, ports: Ports
) -> BriefSubject:
    """Return what a brief is about with what git says of it, if its project is here."""
    if not state.cwd or not ports.code.exists(state.cwd):
        return subject
    identity = ports.code.identity(state.cwd)
    code = ports.code.state(state.cwd) if identity.is_git else CodeState()
    if code.uncommitted is None:
        return subject
    content = as_git_says(
        subject.content,
        code.uncommitted,
        began=state.cwd,
        workspace=identity.workspace,
    )
    return replace(subject, content=content, code=code)
