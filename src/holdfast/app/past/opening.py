"""Continue a checkpoint's session in its own client, or begin another one from it.

A session that lies where its client does not look any more, because the project moved or
the transcript was archived, is brought to where it does. What begins anew, at a checkpoint
or before a compaction, is a new file under a new id; the old one stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.agents.past_port import BranchCut
from holdfast.app.checkpoints.approval import refuse_unapproved
from holdfast.app.checkpoints.resume import resume
from holdfast.app.checkpoints.which_session import link
from holdfast.domain.session import Mark
from holdfast.domain.text import plain
from holdfast.kernel.errors import CheckpointNotFound, NativeRefused
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from holdfast.agents.past_port import NativeSessions
    from holdfast.app.checkpoints.resume import Resumed
    from holdfast.app.ports import Ports
    from holdfast.domain.checkpoint import Draft
    from holdfast.domain.query import Scope
    from holdfast.kernel.ids import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """Which checkpoint, and how its session goes on."""

    reference: Reference
    native: bool = False  # in its own conversation or not at all
    before_compact: bool = False
    fork: bool = False
    new_id: str = ""  # of the session that begins
    budget: int = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What to run, and where."""

    directory: str
    session_id: str = (
        ""  # the conversation that goes on; none: a new one with the brief
    )
    written: str = ""  # the file that was made for it
    brief: str = ""
    command: tuple[str, ...] = ()  # of another agent's client, which goes on with it


@dataclass(frozen=True, slots=True)
class OtherClient:
    """How another agent's client goes on with a session that it has."""

    words: tuple[str, ...]
    directory: str  # where the session began: from there it is found


@dataclass(frozen=True, slots=True)
class OpeningMeans:
    """Who writes what a client needs."""

    sessions: NativeSessions
    unarchive: Callable[[str, str], str | None]  # to a directory; returns its path
    # Asked before anything is written, of our own client or of the words that start
    # another one; may raise.
    has_client: Callable[..., bool]
    other: Callable[[str, str], OtherClient | None]  # of an agent and a session
    # Lends what was said in a session of another machine, by its agent.
    shared: Callable[[str, str], AbstractContextManager[str | None]]


def opening(
    request: OpenRequest, scope: Scope, ports: Ports, means: OpeningMeans
) -> Opening:
    """Make sure that the client finds what is to be opened; say what that is.

    Raises:
        CheckpointNotFound: nothing answers, or the directory is not there.
        NativeRefused: it cannot be opened that way; nothing that was there was changed.
    """
    told = resume(request.reference, scope, ports, budget=request.budget)
    draft = told.checkpoint.draft
    if told.checkpoint.author:
        return _of_somebody_else(request, told, scope, means)
    if draft.agent != ports.transcripts.agent:
        return _of_another_agent(request, told, scope, ports, means)
    return _of_our_agent(request, told, scope, ports, means)


def _of_our_agent(
    request: OpenRequest, told: Resumed, scope: Scope, ports: Ports, means: OpeningMeans
) -> Opening:
    draft = told.checkpoint.draft
    directory = _directory(draft, scope, ports, told.checkpoint.number)
    session = draft.session_id
    known = ports.transcripts.find(session)
    sessions = means.sessions
    transcript = known or means.unarchive(session, directory)
    if transcript is None:
        if request.native or request.fork or request.before_compact:
            raise NativeRefused(
                f"the transcript of session `{session}` is gone, and not in the archive",
                hint=f"`holdfast open {told.checkpoint.reference}` begins with its brief",
            )
        return Opening(directory=directory, brief=told.brief)
    means.has_client()
    if request.fork or request.before_compact:
        return _branched(request, draft, transcript, directory, ports, sessions)
    found_in = _found_from(transcript, draft, directory, sessions, ports)
    if found_in:
        brought = "" if known else transcript
        return Opening(directory=found_in, session_id=session, written=brought)
    written = sessions.bring(transcript, session, directory)
    return Opening(directory=directory, session_id=session, written=written)


def _of_another_agent(
    request: OpenRequest, told: Resumed, scope: Scope, ports: Ports, means: OpeningMeans
) -> Opening:
    """Go on with another agent's session in its own client; what it has no more begins
    with its brief. Nothing is written in its format."""
    draft, called = told.checkpoint.draft, told.checkpoint.reference
    session = f"session `{draft.session_id}`"
    if request.fork or request.before_compact:
        raise NativeRefused(
            f"{session} is one of {draft.agent}, and no new one is written from it",
            hint=f"`holdfast open {called}` goes on with it in {draft.agent}",
        )
    found = means.other(draft.agent, draft.session_id)
    # A session file says where it began; half a way would be one from where we stand.
    is_whole = found is not None and found.directory.startswith("/")
    if found is not None and is_whole and ports.code.exists(found.directory):
        means.has_client(found.words)
        return Opening(
            directory=found.directory,
            session_id=draft.session_id,
            command=found.words,
        )
    if request.native:
        why = (
            f"began in `{plain(found.directory)}`, which is "
            + ("not there" if is_whole else "no whole path")
            if found
            else f"is gone: {draft.agent} has it no more"
        )
        raise NativeRefused(
            f"{session} {why}", hint=f"`holdfast open {called}` begins with its brief"
        )
    directory = _directory(draft, scope, ports, told.checkpoint.number)
    return Opening(directory=directory, brief=told.brief)


def _of_somebody_else(
    request: OpenRequest,
    told: Resumed,
    scope: Scope,
    means: OpeningMeans,
) -> Opening:
    """Begin a session of ours with what was said in another's; nothing is inherited.

    A directory that another machine names is none to start a client in.
    """
    draft, here = told.checkpoint.draft, scope.workspace or ""
    if not request.native:
        refuse_unapproved(told)
    if not (request.native or request.fork or request.before_compact):
        return Opening(directory=here, brief=told.brief)
    called = told.checkpoint.reference
    if request.native:
        raise NativeRefused(
            f"the session of {told.checkpoint.label} is somebody else's",
            hint=f"`holdfast open {called} --fork` begins one of yours with it",
        )
    with means.shared(draft.session_id, draft.agent) as transcript:
        if transcript is None:
            raise NativeRefused(
                f"{told.checkpoint.label} came without its transcript",
                hint=f"`holdfast open {called}` begins with its brief; with it, it is"
                " shared by `holdfast export --transcript`",
            )
        means.has_client()
        cut = BranchCut(draft.created_at, Mark(), request.before_compact)
        written = means.sessions.branch(transcript, here, request.new_id, cut)
    return Opening(directory=here, session_id=request.new_id, written=written)


def _directory(draft: Draft, scope: Scope, ports: Ports, number: int) -> str:
    """Return where the work is now: where it was, or the same place in the project that
    somebody moved and stands in."""
    worked = draft.working_directory
    if ports.code.exists(worked):
        return worked
    below = worked.removeprefix(draft.workspace.rstrip("/"))
    is_moved = scope.project_id == draft.project_id and below != worked
    if is_moved and scope.workspace:
        place = scope.workspace + below
        return place if ports.code.exists(place) else scope.workspace
    raise CheckpointNotFound(
        f"`{worked}`, where it worked, is not there",
        hint="run it in the project, wherever that is now, or read its brief with"
        f" `holdfast resume {number}`",
    )


def _found_from(
    transcript: str,
    draft: Draft,
    directory: str,
    sessions: NativeSessions,
    ports: Ports,
) -> str | None:
    """Return the directory from which the client finds a transcript where it lies."""
    for place in dict.fromkeys((directory, draft.workspace, draft.project_root)):
        is_there = place == directory or ports.code.exists(place)
        if is_there and sessions.place(draft.session_id, place) == transcript:
            return place
    return None


def _branched(  # a conversation, its cut, and where it goes
    request: OpenRequest,
    draft: Draft,
    transcript: str,
    directory: str,
    ports: Ports,
    sessions: NativeSessions,
) -> Opening:
    cut = BranchCut(draft.created_at, draft.read_to, request.before_compact)
    written = sessions.branch(transcript, directory, request.new_id, cut)
    link(request.new_id, draft.session_id, ports, ports.open_store())
    return Opening(directory=directory, session_id=request.new_id, written=written)
