"""The real memory systems that holdfast mirrors to, installed once into a cache.

    with claude_mem(tmp_path) as worker: …   # its worker, from npm, run by bun
    with memora(tmp_path) as server: …       # memora-server, in an environment of its own

The cache is the one of the real clients (`HOLDFAST_CLIENT_CACHE`), never the repository.
Neither calls a model: nothing is given to claude-mem that would need one, and Memora
compares words.
"""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from holdfast.kernel.errors import MirrorDown
from holdfast.mirrors.claude_mem import ClaudeMem
from holdfast.mirrors.memora import Memora
from holdfast.mirrors.web import Web, WebAddress

CLAUDE_MEM, BUN, MEMORA = "13.25.3", "1.4.4", "0.3.3"
_PATIENCE = 500.0  # seconds for a download
_MOST_POLLS, _POLL = 6_000, 0.05
_MOST_STARTS = 3


class PeerMissing(Exception):
    """It cannot be had on this machine; the message says why."""


@dataclass
class Peer:
    """A program that runs, and how to begin it again after it was stopped."""

    port: int
    home: Path
    begin: Callable[[int], "subprocess.Popen[bytes]"]
    ready: Callable[[int], object]
    running: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        self.running = self.begin(self.port)
        polling = threading.Event()
        reason = ""
        for _ in range(_MOST_POLLS):
            try:
                self.ready(self.port)
            except MirrorDown as down:
                reason = down.message
                if self.running.poll() is not None:
                    break
                polling.wait(_POLL)
            else:
                return
        self.stop()
        raise PeerMissing(f"it does not start: {reason}")

    def stop(self) -> None:
        """End it as a power cut would."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def claude_mem(place: Path) -> Iterator[Peer]:
    """Run claude-mem's worker with a home of its own in `place`."""
    package, bun = _claude_mem_parts()
    home = place / "claude-mem-home"
    data = home / ".claude-mem"
    data.mkdir(parents=True)

    def begin(port: int) -> "subprocess.Popen[bytes]":
        settings = {
            "CLAUDE_MEM_WORKER_PORT": str(port),
            "CLAUDE_MEM_DATA_DIR": str(data),
        }
        (data / "settings.json").write_text(
            json.dumps({**settings, "CLAUDE_MEM_CHROMA_ENABLED": "false"})
        )
        script = package / "plugin" / "scripts" / "worker-service.cjs"
        return _begun(
            [str(bun), str(script), "--daemon"],
            home,
            {
                **settings,
                "DO_NOT_TRACK": "1",
                "CLAUDE_MEM_CHROMA_ENABLED": "false",
                "CLAUDE_MEM_TELEMETRY_ENABLED": "false",
            },
        )

    def ready(port: int) -> str:
        return ClaudeMem(_web(port)).check()

    yield from _running(home, begin, ready)


@contextmanager
def memora(place: Path, *, takes_any_tag: bool = True) -> Iterator[Peer]:
    """Run Memora's server with a database of its own in `place`."""
    program = _memora_program()
    home = place / "memora-home"
    home.mkdir(parents=True)

    def begin(port: int) -> "subprocess.Popen[bytes]":
        options = ("--transport", "streamable-http", "--host", "127.0.0.1")
        return _begun(
            [str(program), *options, "--port", str(port), "--no-graph"],
            home,
            {
                "MEMORA_DB_PATH": str(home / "memories.db"),
                "MEMORA_EMBEDDING_MODEL": "tfidf",
                "MEMORA_LLM_ENABLED": "false",
                **({"MEMORA_ALLOW_ANY_TAG": "1"} if takes_any_tag else {}),
            },
        )

    def ready(port: int) -> str:
        return Memora(_web(port, "/mcp")).check()

    yield from _running(home, begin, ready)


def _running(
    home: Path,
    begin: Callable[[int], "subprocess.Popen[bytes]"],
    ready: Callable[[int], object],
) -> Iterator[Peer]:
    peer = Peer(_free_port(), home, begin, ready)
    for _ in range(_MOST_STARTS):
        try:
            peer.start()
        except PeerMissing:  # somebody may have taken the port meanwhile
            peer.port = _free_port()
        else:
            break
    else:
        peer.start()
    try:
        yield peer
    finally:
        peer.stop()


def _begun(
    command: list[str], home: Path, environ: dict[str, str]
) -> "subprocess.Popen[bytes]":
    with (home / "log").open("ab") as log:
        return subprocess.Popen(
            command,
            cwd=home,
            env={"PATH": os.defpath, "HOME": str(home), **environ},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _web(port: int, path: str = "") -> Web:
    return Web(WebAddress(is_secure=False, host="127.0.0.1", port=port, path=path))


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _claude_mem_parts() -> tuple[Path, Path]:
    with _cached(f"claude-mem-{CLAUDE_MEM}") as place:
        package = place / "package"
        bun = place / "bun" / "node_modules" / "bun" / "bin" / "bun.exe"
        if not (place / "whole").exists():
            npm, node = shutil.which("npm"), shutil.which("node")
            if not npm or not node:
                raise PeerMissing("npm is not installed")
            _run(place, npm, "pack", f"claude-mem@{CLAUDE_MEM}")
            with tarfile.open(place / f"claude-mem-{CLAUDE_MEM}.tgz") as packed:
                packed.extractall(place, filter="data")
            quiet = ("--no-audit", "--no-fund")
            folder = str(place / "bun")
            _run(place, npm, "install", *quiet, "--prefix", folder, f"bun@{BUN}")
            # npm may leave install scripts out; this one puts the program in its place.
            _run(place / "bun" / "node_modules" / "bun", node, "install.js")
            (place / "whole").touch()
    return package, bun


def _memora_program() -> Path:
    with _cached(f"memora-{MEMORA}") as place:
        program = place / "bin" / "memora-server"
        if not (place / "whole").exists():
            _run(place, sys.executable, "-m", "venv", str(place))
            pip = str(place / "bin" / "pip")
            _run(place, pip, "install", "-q", f"memora-mcp=={MEMORA}")
            (place / "whole").touch()
    return program


@contextmanager
def _cached(name: str) -> Iterator[Path]:
    """Lend a directory of the cache; one process at a time fills it."""
    given = os.environ.get("HOLDFAST_CLIENT_CACHE")
    cache = Path(given or f"{tempfile.gettempdir()}/holdfast-clients-{os.getuid()}")
    place = cache / name
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield place


def _run(where: Path, *command: str) -> None:
    try:
        subprocess.run(
            command, cwd=where, capture_output=True, check=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.SubprocessError) as problem:
        said = getattr(problem, "stderr", None) or b""
        lines = said.decode(errors="replace").strip().splitlines()
        name = Path(command[0]).name
        raise PeerMissing(
            f"`{name}` failed: {lines[-1] if lines else problem}"
        ) from None
