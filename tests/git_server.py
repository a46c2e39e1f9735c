"""A git server, as a team has one: git's own `http-backend` behind a real port."""

import os
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.remote_hosts import Certificate


class _Handler(BaseHTTPRequestHandler):
    bare: Path
    status: int

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class calls it so
        """Keep quiet."""

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _answer(self, body: bytes) -> None:
        if self.status:
            self.send_response(self.status)
            self.send_header("WWW-Authenticate", 'Basic realm="team"')
            self.end_headers()
            return
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            env=self._environ(len(body)),
            capture_output=True,
            check=False,
        )
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        told = dict(line.split(": ", 1) for line in head.decode().splitlines() if line)
        self.send_response(int(told.pop("Status", "200")[:3]))
        for name, value in told.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest)

    def _environ(self, length: int) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.bare.parent),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(length),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_ADDR": "127.0.0.1",
        }


@contextmanager
def serving(
    bare: Path,
    *,
    status: int = 0,
    host: str = "127.0.0.1",
    certificate: Certificate | None = None,
) -> Iterator[str]:
    """Serve the directory of a bare repository; with a status, answer nothing else."""
    handler = type("_Of", (_Handler,), {"bare": bare, "status": status})
    server = ThreadingHTTPServer((host, 0), handler)
    server.daemon_threads = True
    if certificate:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate.certificate, certificate.key)
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        scheme = "https" if certificate else "http"
        yield f"{scheme}://{host}:{server.server_address[1]}/{bare.name}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
