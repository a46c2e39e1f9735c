"""Run the server while the terminal is open: its socket, its end, the browser it opens."""

from __future__ import annotations

import os
import signal
import socket
import webbrowser
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

import uvicorn

from holdfast.bootstrap.serving import good_tokens
from holdfast.domain.text import plain
from holdfast.kernel.errors import MachineFailed, UsageWrong
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.surfaces.web.exposure import Exposure, public_address
from holdfast.surfaces.web.limits import MOST_HEADERS, BoundedRequests
from holdfast.surfaces.web.site import application, site_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from starlette.applications import Starlette

    from holdfast.bootstrap import Container
    from holdfast.surfaces.web.programs import Programs

USUAL_PORT = 4653  # HOLD on the keys of a telephone
_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE = 10  # seconds for answers that are under way
_IDLE = 5  # seconds that a connection may wait for its next request
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


class Serving(NamedTuple):
    """What is told when a server begins to answer."""

    once: str  # the address that lets the user of this machine in; empty: none
    others: str  # the address that others use; empty: nobody else may ask
    tokens: int  # of those that are good
    is_secret: bool  # nobody on the way reads along


class ServeRequest(NamedTuple):
    host: str = "127.0.0.1"
    port: int | None = None
    public: str = ""  # of a proxy in front
    opens: bool = False  # a browser


def serve(
    container: Container,
    wanted: ServeRequest,
    tell: Callable[[Serving], None],
    log: Callable[[str], None],
    programs: Programs | None = None,
) -> None:
    """Answer browsers, and programs by `programs`, until a signal comes.

    `tell` hears where, `log` a line for each request where others ask.

    Raises:
        UsageWrong: others would reach that host, and nobody has a token.
        TokensUnreadable
        MachineFailed: the port cannot be had.
        StoreNotFound, StoreDamaged, StoreBusy
    """
    public = public_address(wanted.public) if wanted.public else ""
    # Nobody is asked for the address of a name before there is somebody to let in.
    is_open = bool(public) or not _is_here(wanted.host)
    tokens = good_tokens(container) if is_open else 0
    if is_open and not tokens:
        raise UsageWrong(
            "this server would be open to others, but no token exists that lets anybody in",
            hint="make one with `holdfast token create`, or leave out `--host` and"
            " `--public` to keep the page to yourself",
        )
    host = address_of(wanted.host)
    with bound(host, wanted.port) as listening:
        exposure = _exposed(listening, wanted.host, is_open=is_open, public=public)
        site = site_at(container, exposure)
        server = _server(application(site, log if is_open else None, programs))
        once = ""
        if exposure.has_loopback:
            here = host if ip_address(host).is_loopback else "127.0.0.1"
            once = f"http://{_in_address(here)}:{exposure.port}{site.access.path}"
        others = (public or _elsewhere(host, exposure)) if is_open else ""
        tell(Serving(once, others, tokens, exposure.is_secret))
        if wanted.opens and once:
            webbrowser.open(once)  # whoever connects now waits for an answer
        server.run(sockets=[listening])


def _server(app: Starlette) -> _Server:
    return _Server(
        uvicorn.Config(
            app,
            http=BoundedRequests,
            ws="none",
            h11_max_incomplete_event_size=MOST_HEADERS,
            timeout_keep_alive=_IDLE,
            # What a header says of who asks is nobody's word but the sender's.
            proxy_headers=False,
            log_config=None,
            log_level="critical",  # what goes wrong is told to the page
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
    )


def _exposed(
    listening: socket.socket, host: str, *, is_open: bool, public: str
) -> Exposure:
    address, port = listening.getsockname()[:2]
    found = ip_address(address)
    machine = os.uname().nodename.lower()
    called = () if _is_address(host) else (host.lower(),)
    return Exposure(
        port=port,
        is_open=is_open,
        has_loopback=found.is_loopback or found.is_unspecified,
        names=(*called, machine, f"{machine}.local") if is_open else (),
        public=public,
    )


def address_of(host: str) -> str:
    """Return the address that a host is listened at.

    Raises:
        UsageWrong: it is none of this machine.
    """
    if _is_address(host):
        return host
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return str(found[0][4][0])
    except (OSError, UnicodeError, IndexError):
        raise UsageWrong(
            f"`{plain(host)[:80]}` is not an address of this machine",
            hint="give `--host` an address such as `192.168.1.5`, or `0.0.0.0` for all",
        ) from None


def _is_here(host: str) -> bool:
    """Say whether a host is this machine alone."""
    if _is_address(host):
        return ip_address(host).is_loopback
    return host == "localhost"


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@contextmanager
def bound(host: str, port: int | None) -> Iterator[socket.socket]:
    """Listen on a port: the usual one, or another if that is taken and none was asked for.

    Raises:
        MachineFailed: the port cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (USUAL_PORT, 0) if port is None else (port,):
        # Named, asyncio sends at once: else each answer waits 40 ms for a sign of life.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
                    hint="choose another one with `--port`, or leave it out",
                ) from None
            continue
        with listening:
            yield listening
        return


def can_open(environ: Mapping[str, str], platform: str) -> bool:
    """Say whether there is a screen on which a browser could open."""
    return platform == "darwin" or any(environ.get(name) for name in _DISPLAYS)


def _elsewhere(host: str, exposure: Exposure) -> str:
    """Return what others call a server without a proxy: no machine is called `0.0.0.0`."""
    name = exposure.names[0] if ip_address(host).is_unspecified else _in_address(host)
    return f"http://{name}:{exposure.port}"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
