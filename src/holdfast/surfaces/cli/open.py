"""`holdfast open`: continue a checkpoint's session in its agent."""

import argparse
import os
import shutil
import tempfile
from functools import partial

from holdfast.agents.past_port import NativeSessions, PastTranscript
from holdfast.app.past.opening import (
    Opening,
    OpeningMeans,
    OpenRequest,
    OtherClient,
    opening,
)
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import AGENTS
from holdfast.bootstrap.archive import shared_transcript, unarchive
from holdfast.bootstrap.projects import is_of_project
from holdfast.kernel import ids
from holdfast.kernel.errors import NativeRefused, SaveFailed
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reference", metavar="REF", help="the checkpoint to continue")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--native",
        action="store_true",
        help="in its own conversation or not at all; brings back an archived one",
    )
    how.add_argument(
        "--before-compact",
        action="store_true",
        help="a new session with the conversation as it was before a compaction",
    )
    how.add_argument(
        "--fork",
        action="store_true",
        help="a new session that begins at the checkpoint",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    request = OpenRequest(
        reference=ids.reference(args.reference),
        native=args.native,
        before_compact=args.before_compact,
        fork=args.fork,
        new_id=ids.random_uuid(os.urandom(16)),
        budget=container.budget(None),
    )
    sessions = _sessions(container)

    own = sessions.command("")

    def has_client(words: tuple[str, ...] = own) -> bool:
        """A script may run the command elsewhere; who is here needs the client."""
        return output.json or bool(_client(words, container))

    means = OpeningMeans(
        sessions,
        unarchive(container, has_client),
        has_client,
        partial(_other_client, container),
        partial(shared_transcript, container),
    )
    found = opening(request, container.scope(), container.ports(), means)
    if found.session_id:
        words = found.command or sessions.command(found.session_id)
    else:
        held = "FILE" if output.json else _held(found.brief)
        words = sessions.command_with(held)
    if output.json:
        output.answer(_answer(found, words))
        return 0
    return _run(words, found, container, output)


def _sessions(container: Container) -> NativeSessions:
    agent = container.agent()
    sessions = agent.native()
    if sessions is None:
        raise NativeRefused(
            f"this version cannot open sessions of {agent.name}",
            hint="`holdfast resume` prints the brief of a checkpoint",
        )
    return sessions


def _other_client(container: Container, agent: str, session: str) -> OtherClient | None:
    """Return how an agent's own client goes on with a session; None if it has it not."""
    if agent not in AGENTS:
        return None
    other = container.agent(agent)
    path = other.transcripts(str, bulk=False).find(session)
    found = other.past().glance(PastTranscript(path, 0, "")) if path else None
    if found is None:
        return None
    return OtherClient(other.going_on(session), found.directory)


def _answer(found: Opening, words: tuple[str, ...]) -> dict[str, object]:
    has_chat = bool(found.session_id)
    return {
        "type": "open",
        "command": list(words),
        "directory": found.directory,
        "transcript": has_chat,
        "session_id": found.session_id or None,
        "written": found.written or None,
        "brief": None if has_chat else found.brief,  # what belongs into FILE
    }


def _held(brief: str) -> str:
    """Return a path at which the client, and nobody else, reads the brief.

    The words of a command are shown to every user of a machine, so the brief is in a
    file without a name that goes with the client.
    """
    with tempfile.TemporaryFile() as file:
        file.write(brief.encode("utf-8", "replace"))
        file.flush()
        held = os.dup(file.fileno())
    os.lseek(held, 0, os.SEEK_SET)
    os.set_inheritable(held, True)  # noqa: FBT003  # its own signature
    return f"/dev/fd/{held}"


def _client(words: tuple[str, ...], container: Container) -> str:
    """Return the program to become.

    Raises:
        SaveFailed: it is not there, or lies in the project.
    """
    program = shutil.which(words[0])
    if program is None:
        raise SaveFailed(
            f"`{words[0]}` was not found",
            hint="put it on your PATH, then run this again",
        )
    program = os.path.abspath(program)  # the directory is another one in a moment
    if is_of_project(container, program):
        raise SaveFailed(
            f"`{words[0]}` would be `{container.tilde(program)}`, which is a program of"
            " the project",
            hint="put the one you installed first on your PATH, then run this again",
        )
    return program


def _run(
    words: tuple[str, ...], found: Opening, container: Container, output: Output
) -> int:
    program = _client(words, container)
    if found.written:
        output.say(f"written {container.tilde(found.written)}")
    output.say(f"continuing in {found.directory}")
    container.close()
    os.chdir(found.directory)
    os.execv(program, words)  # noqa: S606  # the agent takes our place
