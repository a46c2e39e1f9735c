"""A server for as long as the terminal: its socket, its end, and the browser it opens."""

from __future__ import annotations

import ipaddress
import signal
import socket
import webbrowser
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from holdfast.domain.text import plain
from holdfast.kernel.errors import MachineFailed, UsageWrong
from holdfast.surfaces.web.site import application, site_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from holdfast.bootstrap import Container

USUAL_PORT = 4653  # HOLD on the keys of a telephone
_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE = 2  # seconds for answers that are under way
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


class _Server(uvicorn.Server):
    """Ends when it is told to, and calls that a good end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {each: signal.signal(each, self.handle_exit) for each in _ENDS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def serve(
    container: Container,
    *,
    host: str,
    port: int | None,
    tell: Callable[[str], None],
    opens: bool,
) -> None:
    """Answer browsers of this machine until a signal comes; `tell` hears the address.

    Raises:
        UsageWrong: others could reach that host.
        MachineFailed: the port cannot be had.
        StoreNotFound, StoreDamaged, StoreBusy
    """
    with bound(loopback(host), port) as listening:
        number = listening.getsockname()[1]
        site = site_at(container, number)
        address = f"http://{_written(listening)}:{number}{site.access.path}"
        server = _Server(
            uvicorn.Config(
                application(site),
                log_config=None,
                log_level="critical",  # what goes wrong is told to the page
                access_log=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=_PATIENCE,
            )
        )
        tell(address)
        if opens:
            webbrowser.open(address)  # whoever connects now waits for an answer
        server.run(sockets=[listening])


def loopback(host: str) -> str:
    """Return an address that only this machine reaches.

    Raises:
        UsageWrong: it is none.
    """
    given = {"localhost": "127.0.0.1"}.get(host, host)
    try:
        if ipaddress.ip_address(given).is_loopback:
            return given
    except ValueError:
        pass
    raise UsageWrong(
        f"`{plain(host)[:80]}` is not this machine alone, and this page is for its user only",
        hint="leave out `--host`; from elsewhere, `ssh -L 4653:127.0.0.1:4653` leads here",
    )


@contextmanager
def bound(host: str, port: int | None) -> Iterator[socket.socket]:
    """Listen on a port: the usual one, or another if that is taken and none was asked for.

    Raises:
        MachineFailed: the port cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (USUAL_PORT, 0) if port is None else (port,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen()
        except (OSError, OverflowError) as problem:
            listening.close()
            if number != USUAL_PORT or port is not None:
                why = getattr(problem, "strerror", None) or "there is no such port"
                raise MachineFailed(
                    f"port {number} of `{host}` cannot be used: {why}",
                    hint="give another one with `--port`, or none",
                ) from None
            continue
        with listening:
            yield listening
        return


def can_open(environ: Mapping[str, str], platform: str) -> bool:
    """Say whether there is a screen on which a browser could open."""
    return platform == "darwin" or any(environ.get(name) for name in _DISPLAYS)


def _written(listening: socket.socket) -> str:
    host = str(listening.getsockname()[0])
    return f"[{host}]" if ":" in host else host
