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
from holdfast.domain.session import Mark
from holdfast.domain.text import plain
from holdfast.kernel.errors import CheckpointNotFound, NativeRefused
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from holdfast.agents.past_port import NativeSessions
    from holdfast.agents.port import Transcripts
    from holdfast.app.checkpoints.resume import Resumed
    from holdfast.app.ports import Ports
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
    command: tuple[str, ...] = ()  # that goes on with it in its client


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningClient:
    """The client of one agent, and what can be done with its sessions."""

    title: str
    transcripts: Transcripts
    sessions: NativeSessions | None  # none: its format is not written
    words: Callable[[str], tuple[str, ...]]  # that go on with a session
    began_in: Callable[[str], str]  # where the session of a transcript began
    unarchive: Callable[[str, str], str | None]  # to a directory; returns its path
    link: Callable[[str, str], None]  # a new session to the one it came from


@dataclass(frozen=True, slots=True)
class OpeningMeans:
    """Who writes what a client needs."""

    client: Callable[[str], OpeningClient | None]  # of an agent that this version knows
    # Asked before anything is written, of the words that start a client; may raise.
    has_client: Callable[[tuple[str, ...]], bool]
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
    asked = _Asked(request, told, scope, ports, means)
    agent = told.checkpoint.draft.agent
    client = means.client(agent)
    if told.checkpoint.author:
        return _of_somebody_else(asked, client)
    if client is None:
        return _with_its_brief(asked, f"this version knows no agent `{plain(agent)}`")
    if client.sessions is None:
        return _only_gone_on_with(asked, client)
    return _in_its_client(asked, client, client.sessions)


class _Asked(NamedTuple):
    """What is wanted of which checkpoint, and what there is for it."""

    request: OpenRequest
    told: Resumed
    scope: Scope
    ports: Ports
    means: OpeningMeans

    @property
    def is_branch(self) -> bool:
        return self.request.fork or self.request.before_compact


def _in_its_client(
    asked: _Asked, client: OpeningClient, sessions: NativeSessions
) -> Opening:
    request, ports, draft = asked.request, asked.ports, asked.told.checkpoint.draft
    session, directory = draft.session_id, _directory(asked)
    known = client.transcripts.find(session)
    transcript = known or client.unarchive(session, directory)
    if transcript is None:
        why = f"the transcript of session `{session}` is gone, and not in the archive"
        return _with_its_brief(asked, why)
    asked.means.has_client(client.words(session))
    if asked.is_branch:
        cut = BranchCut(draft.created_at, draft.read_to, request.before_compact)
        written = sessions.branch(transcript, directory, request.new_id, cut)
        client.link(request.new_id, session)
        return _opening(client, directory, request.new_id, written)
    began = client.began_in(transcript)
    for place in (directory, began, draft.workspace, draft.project_root):
        is_there = place == directory or _is_there(place, ports)
        if is_there and sessions.is_found(transcript, session, place):
            return _opening(client, place, session, "" if known else transcript)
    written = sessions.bring(transcript, session, directory)
    return _opening(client, directory, session, written)


def _opening(
    client: OpeningClient, directory: str, session: str, written: str
) -> Opening:
    return Opening(
        directory=directory,
        session_id=session,
        written=written,
        command=client.words(session),
    )


def _only_gone_on_with(asked: _Asked, client: OpeningClient) -> Opening:
    """Go on with a session in a client that keeps it in a form that is not written here."""
    called = asked.told.checkpoint.reference
    session = asked.told.checkpoint.draft.session_id
    if asked.is_branch:
        raise NativeRefused(
            f"session `{session}` belongs to {client.title}, whose format holdfast cannot write",
            hint=f"`holdfast open {called}` continues it in {client.title};"
            f" `holdfast resume {called}` prints its brief for a new one",
        )
    known = client.transcripts.find(session)
    if known is None:
        why = f"session `{session}` is gone: {client.title} no longer has it"
        return _with_its_brief(asked, why)
    began = client.began_in(known)
    if not _is_there(began, asked.ports):
        what = "does not exist" if began.startswith("/") else "is not an absolute path"
        why = f"session `{session}` began in `{plain(began)}`, which {what}"
        return _with_its_brief(asked, why)
    asked.means.has_client(client.words(session))
    return _opening(client, began, session, "")


def _with_its_brief(asked: _Asked, why: str) -> Opening:
    """Begin a session of ours with the brief, if that is what was asked for."""
    if asked.request.native or asked.is_branch:
        called = asked.told.checkpoint.reference
        raise NativeRefused(why, hint=f"`holdfast open {called}` starts with its brief")
    return Opening(directory=_directory(asked), brief=asked.told.brief)


def _of_somebody_else(asked: _Asked, client: OpeningClient | None) -> Opening:
    """Begin a session of ours with what was said in another's; nothing is inherited.

    A directory that another machine names is none to start a client in.
    """
    request, told, means = asked.request, asked.told, asked.means
    draft, here = told.checkpoint.draft, asked.scope.workspace or ""
    if not request.native:
        refuse_unapproved(told)
    if not (request.native or asked.is_branch):
        return Opening(directory=here, brief=told.brief)
    called = told.checkpoint.reference
    if request.native:
        raise NativeRefused(
            f"the session of {told.checkpoint.label} is somebody else's",
            hint=f"`holdfast open {called} --fork` starts a session of your own with it",
        )
    with means.shared(draft.session_id, draft.agent) as transcript:
        if transcript is None or client is None or client.sessions is None:
            raise NativeRefused(
                f"{told.checkpoint.label} came without its transcript",
                hint=f"`holdfast open {called}` starts with its brief; `holdfast export"
                " --transcript` shares a checkpoint with its transcript",
            )
        means.has_client(client.words(request.new_id))
        cut = BranchCut(draft.created_at, Mark(), request.before_compact)
        written = client.sessions.branch(transcript, here, request.new_id, cut)
    return _opening(client, here, request.new_id, written)


def _directory(asked: _Asked) -> str:
    """Return where the work is now: where it was, or the same place in the project that
    somebody moved and stands in."""
    draft, scope, ports = asked.told.checkpoint.draft, asked.scope, asked.ports
    worked = draft.working_directory
    if _is_there(worked, ports):
        return worked
    below = worked.removeprefix(draft.workspace.rstrip("/"))
    is_moved = scope.project_id == draft.project_id and below != worked
    if is_moved and scope.workspace:
        place = scope.workspace + below
        return place if ports.code.exists(place) else scope.workspace
    raise CheckpointNotFound(
        f"`{worked}`, where it worked, does not exist",
        hint="run it in the project, wherever that is now, or read its brief with"
        f" `holdfast resume {asked.told.checkpoint.number}`",
    )


def _is_there(place: str, ports: Ports) -> bool:
    """Say whether a directory that a session names is one: half a way would lead from
    where we stand."""
    return place.startswith("/") and ports.code.exists(place)
