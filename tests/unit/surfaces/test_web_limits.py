"""Whoever asks slowly, too much or in riddles: a real server on loopback. T21."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from holdfast.bootstrap import Container
from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.web import limits, serving
from holdfast.surfaces.web.exposure import Exposure
from holdfast.surfaces.web.site import application, site_at
from tests.builders import a_draft, identity

_PATIENCE = 60  # seconds: a busy machine, never waited for where all is well


class _Served:
    def __init__(self, port: int, cookie: str, log: Path) -> None:
        self.port = port
        self.log = log
        self._cookie = cookie
        self.host = f"Host: 127.0.0.1:{port}\r\n"

    @property
    def known(self) -> str:
        return f"{self.host}Cookie: {self._cookie}\r\n"

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), _PATIENCE)

    def told(self, text: str | bytes) -> bytes:
        """Send this, and return all that comes until the server closes."""
        with self.connected() as connection:
            connection.sendall(text.encode() if isinstance(text, str) else text)
            return _everything(connection)


def _everything(connection: socket.socket) -> bytes:
    found = b""
    try:
        while part := connection.recv(65_536):
            found += part
    except ConnectionError:
        return found
    return found


def _replied(connection: socket.socket) -> bytes:
    """Return one answer of a connection that stays."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += connection.recv(65_536)
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
    while len(body) < length:
        body += connection.recv(65_536)
    return head


@contextmanager
def _serving(tmp_path: Path) -> Iterator[_Served]:
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    with open_store(str(home), create=True) as store:
        known = store.project(identity(str(project))).project_id
        store.put(a_draft("first", project_id=known))
    container = Container(
        environ={"HOLDFAST_HOME": str(home), "HOME": str(tmp_path / "user")},
        project=str(project),
    )
    with serving.bound("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        site = site_at(container, Exposure(port=port))
        cookie = site.access.enter(site.access.path.rpartition("/")[2])
        # Its signals are those of the thread that may have none.
        server = uvicorn.Server(serving._server(application(site)).config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield _Served(port, f"holdfast-{port}={cookie}", home / "log")
        finally:
            server.should_exit = True
            thread.join(_PATIENCE)
            container.close()
    assert not thread.is_alive()


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Served]:
    """A server with little patience."""
    monkeypatch.setattr(limits, "WHOLE_REQUEST", 0.3)
    with _serving(tmp_path) as served:
        yield served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[_Served]:
    with _serving(tmp_path) as one:
        yield one


_BEGUN: dict[str, Callable[[_Served], str]] = {
    "nothing": lambda _: "",
    "half a line": lambda _: "GET /api/proj",
    "half of the headers": lambda s: f"GET / HTTP/1.1\r\n{s.known}X-",
    "half of a body, to be let in": lambda s: (
        f"POST /api/merge HTTP/1.1\r\n{s.known}Content-Length: 9\r\n\r\n{{"
    ),
    "half of a body, unknown": lambda s: (
        f"POST /api/merge HTTP/1.1\r\n{s.host}Content-Length: 9\r\n\r\n{{"
    ),
    "a chunk of many": lambda s: (
        f"POST / HTTP/1.1\r\n{s.host}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n"
    ),
    "a second one behind the first": lambda s: (
        f"GET /api/projects HTTP/1.1\r\n{s.known}\r\nGET /api/pro"
    ),
}


@pytest.mark.parametrize("begun", _BEGUN)
def test_a_request_that_never_comes_whole_is_hung_up_on(
    hasty: _Served, begun: str
) -> None:
    """Headers, bodies, and what is sent on after an answer; nobody writes a bug report."""
    with hasty.connected() as connection:
        connection.sendall(_BEGUN[begun](hasty).encode())
        _everything(connection)  # ends because the server ends it

    assert not hasty.log.exists()


def test_dripping_does_not_help(hasty: _Served) -> None:
    """The time is that of the whole request, not of each byte."""
    with hasty.connected() as connection:
        connection.settimeout(0.05)
        closed = False
        for _ in range(_PATIENCE * 20):
            try:
                connection.sendall(b"G")
                closed = connection.recv(1) == b""
            except TimeoutError:
                continue
            except ConnectionError:
                closed = True
            break

        assert closed


def test_an_answer_that_nobody_takes_is_not_kept_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes nobody: who asks and never reads would hold a place of all there are."""
    monkeypatch.setattr(limits, "UNTAKEN", 0.2)
    with _serving(tmp_path) as served, served.connected() as connection:
        asked = f"GET /assets/style.css HTTP/1.1\r\n{served.known}\r\n".encode()
        # Until nothing more is taken, and then it is hung up on.
        with pytest.raises(ConnectionError):
            connection.sendall(asked * 100_000)


class _Line:
    """A transport to somebody who takes as much as they like."""

    def __init__(self) -> None:
        self.waiting = 0

    def write(self, data: bytes) -> None:
        self.waiting += len(data)

    def get_write_buffer_size(self) -> int:
        return self.waiting


def test_a_slow_line_is_nobodys_fault() -> None:
    """As long as something goes through it; an idle one waits for nothing."""
    line = _Line()
    transport = limits.TakenTransport(line)
    looks = [transport.is_stuck()]
    transport.write(b"x" * 100_000)
    looks.append(transport.is_stuck())
    line.waiting -= 10_000
    looks.append(transport.is_stuck())
    line.waiting -= 10_000
    transport.write(b"x" * 50_000)
    looks.append(transport.is_stuck())

    assert looks == [False, False, False, False]
    assert transport.is_stuck()

    line.waiting = 0
    assert not transport.is_stuck()


def test_a_quick_request_is_answered_however_often(hasty: _Served) -> None:
    with hasty.connected() as connection:
        for _ in range(3):
            connection.sendall(
                f"GET /api/projects HTTP/1.1\r\n{hasty.known}\r\n".encode()
            )
            assert b" 200 " in _replied(connection)


def test_more_connections_than_there_may_be_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are there are served; when they go, others come."""
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 4)
    with _serving(tmp_path) as one:
        request = f"GET /api/projects HTTP/1.1\r\n{one.known}\r\n".encode()
        held = [one.connected() for _ in range(4)]
        for each in held:
            each.sendall(request)
            assert b" 200 " in _replied(each)

        assert one.told(b"") == b""
        held[0].sendall(request)
        assert b" 200 " in _replied(held[0])
        for each in held:
            each.close()
        answers = (
            one.told(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            for _ in range(1_000)
        )
        assert any(b" 200 " in answer for answer in answers)


@pytest.mark.parametrize(
    ("request_line", "headers", "expected"),
    [
        pytest.param("GET / HTTP/1.1", "Host: {host}\r\nHost: evil.example\r\n", b" 400 ", id="two hosts"),
        pytest.param("GET / HTTP/1.1", "", b" 400 ", id="no host"),
        pytest.param("GET / HTTP/1.1", "Host: {host}\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n", b" 400 ", id="two tokens"),
        pytest.param("POST /mcp HTTP/1.1", "Host: {host}\r\nAuthorization: Bearer a\r\nauthorization: Bearer a\r\n", b" 400 ", id="two tokens for programs"),
        pytest.param("GET / HTTP/1.0", "", b" 421 ", id="an old client without one"),
        pytest.param("GET http://evil.example/ HTTP/1.1", "Host: evil.example\r\n", b" 421 ", id="another host in its line"),
        pytest.param("POST / HTTP/1.1", "Host: {host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n", b" 400 ", id="two lengths"),
        pytest.param("POST / HTTP/1.1", "Host: {host}\r\nContent-Length: -1\r\n", b" 400 ", id="a length below zero"),
        pytest.param("POST / HTTP/1.1", "Host: {host}\r\nTransfer-Encoding: identity, chunked\r\n", b" 400 ", id="an odd encoding"),
        pytest.param("GET / HTTP/1.1", "Host: {host}\r\nX : y\r\n", b" 400 ", id="a blank before a colon"),
        pytest.param("GET / HTTP/1.1", "Host: {host}\r\nX: " + "y" * 400_000 + "\r\n", b" 400 ", id="long headers"),
        pytest.param("GET /" + "y" * 400_000 + " HTTP/1.1", "Host: {host}\r\n", b" 400 ", id="a long address"),
        pytest.param("\x16\x03\x01\x02", "", b" 400 ", id="TLS"),
    ],
)  # fmt: skip
def test_what_two_programs_could_read_in_two_ways_is_refused(
    served: _Served, request_line: str, headers: str, expected: bytes
) -> None:
    told = headers.replace("{host}", f"127.0.0.1:{served.port}")

    answer = served.told(f"{request_line}\r\n{told}Connection: close\r\n\r\n")

    assert expected in answer.partition(b"\r\n")[0] + b" "
    assert b"first" not in answer


def test_a_length_and_chunks_together_are_read_as_chunks_and_nothing_follows(
    served: _Served,
) -> None:
    """Else what is behind would be a request that a proxy never saw."""
    inner = f"GET /api/projects HTTP/1.1\r\n{served.known}\r\n"
    answer = served.told(
        f"POST /api/merge HTTP/1.1\r\n{served.host}Content-Length: {len(inner) + 5}\r\n"
        f"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n{inner}"
    )

    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"projects"' not in answer


@pytest.mark.parametrize(
    "told", ["Content-Length: 9999999999999999999\r\n", "Content-Length: 65537\r\n"]
)
def test_a_body_that_says_it_is_too_long_is_not_waited_for(
    served: _Served, told: str
) -> None:
    page = served.told(
        f"GET / HTTP/1.1\r\n{served.known}Connection: close\r\n\r\n"
    ).decode()
    token = page.partition('name="holdfast-token" content="')[2].partition('"')[0]

    answer = served.told(
        f"POST /api/merge HTTP/1.1\r\n{served.known}x-holdfast-token: {token}\r\n"
        f"{told}Connection: close\r\n\r\n"
    )

    assert b" 413 " in answer


def test_a_socket_of_another_kind_is_none_here(served: _Served) -> None:
    answer = served.told(
        f"GET /api/events HTTP/1.1\r\n{served.host}Connection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n"
    )

    assert b" 401 " in answer
