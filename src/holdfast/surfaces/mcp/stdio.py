"""The server on stdin and stdout, robust against what a client may send."""

import io
import os
import sys
from collections.abc import Mapping

from holdfast.surfaces.mcp.calls import calls_from
from holdfast.surfaces.mcp.server import Offer, server
from holdfast.surfaces.mcp.wire import (
    AnswerStream,
    OpenRequests,
    RequestStream,
    hung_up,
)


def serve(
    environ: Mapping[str, str], *, offer: Offer, project: str | None, store: str | None
) -> None:
    """Answer the client that started this process, until it closes stdin."""
    ours = server(calls_from(environ, project=project, store=store), offer)
    unanswered = OpenRequests()
    asking, answering = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _keep_children_off_the_wire()
    answered = AnswerStream(answering, unanswered, hung_up(asking))
    asked = RequestStream(asking, unanswered, answered.say)
    sys.stdin = io.TextIOWrapper(
        io.BufferedReader(asked), encoding="utf-8", errors="replace"
    )
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(answered), encoding="utf-8")
    try:
        ours.run("stdio")
    except* (BrokenPipeError, ConnectionResetError):
        pass  # the client is gone
    finally:
        sys.stdin, sys.stdout = sys.__stdin__, sys.__stdout__


def _keep_children_off_the_wire() -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
