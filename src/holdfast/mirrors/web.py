"""Asking another program over HTTP, with bounds it cannot stretch.

The whole exchange has one deadline, however slowly it drips; an answer has a size; no
redirect is followed, no proxy asked. Plain HTTP stays on this machine, and there it goes
only to a program of this user.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import json
import os
import socket
import ssl
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from holdfast.kernel.connections import connections, is_anothers
from holdfast.kernel.errors import MirrorDown
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 20.0
MOST_OCTETS = 16 * 1024 * 1024
_VERSION = pattern(r"[0-9]{1,4}(?:\.[0-9]{1,4}){1,3}(?:[-+][0-9a-z.]{1,20})?")


class WebAddress(NamedTuple):
    """Where a mirror is reached."""

    is_secure: bool
    host: str
    port: int
    path: str = ""

    @property
    def shown(self) -> str:
        """Where on this machine; another's name is for nobody's report."""
        if not is_loopback(self.host):
            return "its address"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class WebAnswer(NamedTuple):
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    def json(self) -> Any:
        """Return what the answer says.

        Raises:
            MirrorDown: it is no JSON.
        """
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise MirrorDown("its answer is not JSON", hint=_HINT) from None


_HINT = "check that it runs, and that nothing else uses its address"


def web_address(url: str) -> WebAddress:
    """Return where a URL leads.

    Raises:
        MirrorDown: nothing may be sent there.
    """
    unusable = MirrorDown(
        "holdfast cannot use its address",
        hint="set a `url` such as `http://127.0.0.1:8000/mcp`, without a password",
    )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise unusable from None
    if not host or parts.scheme not in ("http", "https") or parts.username is not None:
        raise unusable
    is_secure = parts.scheme == "https"
    if not is_secure and not is_loopback(host):
        raise MirrorDown(
            "its address is on another machine, and not encrypted",
            hint="use `https://`, or a tunnel to 127.0.0.1",
        )
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return WebAddress(is_secure, host, port or (443 if is_secure else 80), path)


def is_loopback(host: str) -> bool:
    """Say whether a name or an address is this machine itself."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def version_in(told: object) -> str:
    """Return a version that somebody tells, or nothing if it is none."""
    return told if isinstance(told, str) and _VERSION.fullmatch(told) else ""


class Web:
    """One address, asked as often as needed; each exchange has its own deadline."""

    def __init__(self, address: WebAddress, seconds: float = SECONDS) -> None:
        self.address = address
        self._seconds = seconds

    def ask(
        self,
        method: str,
        path: str,
        given: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> WebAnswer:
        """Return the answer; its status may be an error of its own.

        Raises:
            MirrorDown: there is none within the bounds.
        """
        body = None if given is None else json.dumps(given).encode()
        sent = {"Content-Type": "application/json", **(headers or {})}
        try:
            return self._asked(method, path, body, sent)
        except TimeoutError:
            problem = f"no answer within {self._seconds:g} seconds"
        except ConnectionRefusedError:
            problem = "nobody answers"
        except (OSError, ssl.CertificateError) as error:
            problem = error.strerror or type(error).__name__
        except (http.client.HTTPException, ValueError):
            problem = "what answers does not speak HTTP"
        raise MirrorDown(f"{problem} at {self.address.shown}", hint=_HINT)

    def _asked(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> WebAnswer:
        until = monotonic() + self._seconds
        connection = http.client.HTTPConnection(self.address.host, self.address.port)
        with _connected(self.address, until) as opened:
            connection.sock = _TimedSocket(opened, until)
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            read = response.read(MOST_OCTETS + 1)
        if len(read) > MOST_OCTETS:
            raise MirrorDown(
                f"its answer is longer than {MOST_OCTETS:,} bytes", hint=_HINT
            )
        if 300 <= response.status < 400 or "content-encoding" in told:  # noqa: PLR2004  # redirects
            raise MirrorDown("its answer is not one that a mirror gives", hint=_HINT)
        return WebAnswer(response.status, told, read)


def _connected(address: WebAddress, until: float) -> socket.socket:
    opened = socket.create_connection((address.host, address.port), _left(until))
    if address.is_secure:
        opened.settimeout(_left(until))
        context = ssl.create_default_context()
        return context.wrap_socket(opened, server_hostname=address.host)
    peer = str(opened.getpeername()[0])
    if not is_loopback(peer) or is_anothers(address.port, connections(), os.getuid()):
        opened.close()
        raise MirrorDown("another user's program answers at its address", hint=_HINT)
    return opened


def _left(until: float) -> float:
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _TimedSocket:
    """What `http.client` asks of a socket; every wait ends at the deadline."""

    def __init__(self, opened: socket.socket, until: float) -> None:
        self._opened = opened
        self._until = until

    def sendall(self, data: bytes) -> None:
        self._opened.settimeout(_left(self._until))
        self._opened.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._opened, self._until))

    def close(self) -> None:
        """The caller closes it."""


class _TimedReader(io.RawIOBase):
    def __init__(self, opened: socket.socket, until: float) -> None:
        super().__init__()
        self._opened = opened
        self._until = until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._opened.settimeout(_left(self._until))
        return self._opened.recv_into(buffer)
