"""Under which host names a server answers.

A name that somebody else leads here is refused (DNS rebinding): a browser would believe that
our answers belong to that name's page. Pure.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from holdfast.domain.text import beginning, plain
from holdfast.kernel.errors import UsageWrong
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from starlette.requests import Request

_LOOPBACKS = ("127.0.0.1", "localhost", "[::1]")
_PUBLIC = pattern(
    r"((https?)://(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?)/?"
)
_MOST_PORT = 65_535
_SCHEME_PORTS = {"http": 80, "https": 443}
_NETWORK_BITS = 64  # of an IPv6 address; the rest its owner chooses


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """Where a server listens, and who else is meant to reach it."""

    port: int
    is_open: bool = False  # others than this machine's user may ask
    has_loopback: bool = True  # it can be asked from here
    names: tuple[str, ...] = ()  # what others call this machine
    public: str = ""  # `https://name`: what a proxy in front is called

    @property
    def is_secret(self) -> bool:
        """Say whether nobody on the way reads along."""
        return not self.is_open or self.public.startswith("https://")

    def cookie(self, host: str) -> str:
        """Return how a cookie is called; it knows no port: two servers, two names."""
        is_secure = self.is_secure(host)
        return "__Host-holdfast" if is_secure else f"holdfast-{self.port}"

    def is_secure(self, host: str) -> bool:
        """Say whether a browser that asks for this host came by TLS."""
        return self.public.startswith("https://") and host in _written(self.public)

    def answers_to(self, host: str, local: str) -> bool:
        """Say whether a `Host` means this server; `local` is the address of this machine
        that a connection came in at."""
        if self.is_from_here(host) or host in _written(self.public):
            return True
        hosts = (*self.names, _as_host(local)) if self.is_open else ()
        return any(host in _with_port(name, "http", self.port) for name in hosts)

    def is_from_here(self, host: str) -> bool:
        hosts = _LOOPBACKS if self.has_loopback else ()
        return any(host == f"{name}:{self.port}" for name in hosts)

    def is_own_page(self, origin: str, host: str) -> bool:
        """Say whether a request comes from a page of this server."""
        if self.is_from_here(origin.removeprefix("http://")):
            return origin.startswith("http://")
        is_public = host in _written(self.public)
        scheme = urlsplit(self.public).scheme if is_public else "http"
        return origin == f"{scheme}://{host}"

    def peer(self, request: Request) -> str:
        """Return who asks, as far as it can be told: behind a proxy, what that says."""
        address = request.client.host if request.client else ""
        if self.public and _is_loopback(address):
            told = request.headers.get("x-forwarded-for", "")
            address = told.rpartition(",")[2].strip() or address
        return _network(address)


def is_loopback_request(request: Request) -> bool:
    """Say whether a program of this machine asks, and no proxy for somebody else."""
    passed_on = {"x-forwarded-for", "x-forwarded-host", "forwarded", "via"}
    address = request.client.host if request.client else ""
    return _is_loopback(address) and not passed_on & set(request.headers)


def public_address(text: str) -> str:
    """Return the address of a proxy as browsers write it.

    Raises:
        UsageWrong: it is none.
    """
    found = _PUBLIC.fullmatch(text.strip().lower())
    port = int(found[3] or 1) if found else 0
    if found is None or not 0 < port <= _MOST_PORT:
        raise UsageWrong(
            f"`{plain(beginning(text, 80))}` is not an address of a server",
            hint="write it as browsers do, such as `--public https://checkpoints.example.com`",
        )
    return found[1]


def _written(public: str) -> tuple[str, ...]:
    """Return how a browser or a program writes the host of an address."""
    if not public:
        return ()
    parts = urlsplit(public)
    name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = parts.port or _SCHEME_PORTS[parts.scheme]
    return _with_port(name or "", parts.scheme, port)


def _with_port(name: str, scheme: str, port: int) -> tuple[str, ...]:
    usual = _SCHEME_PORTS[scheme] == port
    return (f"{name}:{port}", name) if usual else (f"{name}:{port}",)


def _as_host(address: str) -> str:
    """Return an address of this machine as it stands in an address of a page."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else f"[{found}]"
    return str(found)


def _is_loopback(address: str) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback


def _network(address: str) -> str:
    """Return what one attacker does not choose anew for each try."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address) or found.ipv4_mapped:
        return _as_host(address)
    return str(int(found) >> _NETWORK_BITS)
