"""`holdfast open`: continue a checkpoint's session in its agent."""

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial

from holdfast.agents.past_port import PastTranscript
from holdfast.app.checkpoints.which_session import link
from holdfast.app.past.opening import (
    Opening,
    OpeningClient,
    OpeningMeans,
    OpenRequest,
    opening,
)
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import AGENTS
from holdfast.bootstrap.archive import shared_transcript, unarchive
from holdfast.bootstrap.projects import is_of_project
from holdfast.kernel import ids
from holdfast.kernel.errors import SaveFailed
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reference", metavar="REF", help="the checkpoint to continue")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--native",
        action="store_true",
        help="only if the original conversation can be continued; restores an archived one",
    )
    how.add_argument(
        "--before-compact",
        action="store_true",
        help="start a new session with the conversation from before it was compacted",
    )
    how.add_argument(
        "--fork",
        action="store_true",
        help="start a new session with the conversation up to the checkpoint",
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

    def has_client(words: tuple[str, ...]) -> bool:
        """A script may run the command elsewhere; who is here needs the client."""
        return output.json or bool(_client(words, container))

    means = OpeningMeans(
        partial(_client_of, container, has_client),
        has_client,
        partial(shared_transcript, container),
    )
    found = opening(request, container.scope(), container.ports(), means)
    words = found.command
    if not words:
        held = "FILE" if output.json else _held(found.brief)
        words = container.agent().beginning_with(held)
    if output.json:
        output.answer(_answer(found, words))
        return 0
    return _run(words, found, container, output)


def _client_of(
    container: Container, may_write: Callable[[tuple[str, ...]], bool], name: str
) -> OpeningClient | None:
    """Return what can be done with the sessions of an agent; None if it is unknown."""
    if name not in AGENTS:
        return None
    agent, ports = container.agent(name), container.ports(agent=name)
    past = agent.past()

    def began_in(path: str) -> str:
        found = past.glance(PastTranscript(path, 0, ""))
        return found.directory if found else ""

    return OpeningClient(
        title=agent.title,
        transcripts=ports.transcripts,
        sessions=agent.native(),
        words=agent.going_on,
        began_in=began_in,
        unarchive=unarchive(container, name, lambda: may_write(agent.going_on(""))),
        link=lambda new, old: link(new, old, ports, ports.open_store()),
    )


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
            f"`{words[0]}` would be `{container.tilde(program)}`, which is a program inside"
            " the project",
            hint="put the directory of the one you installed first on your PATH, then run this again",
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
