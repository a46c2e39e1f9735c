"""`holdfast serve` as a command: what it prints, how it ends, what it refuses."""

import json
import signal
import socket
import subprocess

import pytest

from tests.e2e.web.conftest import Served

pytestmark = pytest.mark.process


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_with_its_terminal(served: Served, end: signal.Signals) -> None:
    """Ctrl+C is how it is meant to end: no trace, and a good status."""
    words = served.command("serve", "--port", "0", "--no-browser")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, env=served.environ, stdout=pipe, stderr=pipe, text=True
    ) as server:
        assert server.stdout
        told = server.stdout.readline()
        # Whoever was answered is answered by a server that hears signals.
        _asked(told.rpartition("//")[2].strip())
        server.send_signal(end)
        _, said = server.communicate(timeout=60)

    assert told.startswith("open once: http://127.0.0.1:")
    assert server.returncode == 0
    assert said == "it ends with Ctrl+C, or when this terminal is closed\n"


def _asked(address: str) -> None:
    where, _, path = address.partition("/")
    host, _, port = where.partition(":")
    with socket.create_connection((host, int(port)), 60) as connection:
        connection.sendall(f"GET /{path} HTTP/1.1\r\nHost: {where}\r\n\r\n".encode())
        assert b" 303 " in connection.recv(100)


def test_a_port_that_is_taken_is_told(served: Served) -> None:
    """With what to do instead."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            served.command("serve", "--port", port, "--no-browser", "--json"),
            env=served.environ, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert done.returncode == 1
    assert json.loads(done.stdout)["code"] == "MACH_001"
    assert "--port" in json.loads(done.stdout)["hint"]
