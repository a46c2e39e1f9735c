"""Writing a tree: contents and names go to one git, which makes one pack of them.

`git fast-import` converts nothing, runs nothing and reads no worktree. What it is handed
is what was judged, byte for byte; the pack is flushed before the tree has a name.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.kernel.files import flush, remove_quietly
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git.head import is_object_id
from holdfast.snapshot.git.trees import NotTaken, Objects, TookTooLong

if TYPE_CHECKING:
    from subprocess import Popen

# Depth: looking for deltas costs more than it saves before the packs are put together.
_IMPORT = ("fast-import", "--quiet", "--force", "--done", "--depth=0")


@dataclass(frozen=True, slots=True)
class Named:
    """A path in the tree to be: what it holds, or nothing any more."""

    path: str
    mode: int = 0
    object_id: str = ""

    @property
    def is_gone(self) -> bool:
        return not self.object_id

    def __str__(self) -> str:
        return f"{self.mode:o} {self.object_id}"


@dataclass(frozen=True, slots=True)
class Written:
    commit: str
    tree: str


class TreeWriter:
    """One tree under way. A process that dies before the end leaves nothing behind."""

    def __init__(self, process: "Popen[bytes]") -> None:
        assert process.stdin is not None  # noqa: S101  # for the type checker: piped
        assert process.stdout is not None  # noqa: S101  # for the type checker: piped
        self._process = process
        self._write = process.stdin.write
        self._stdin = process.stdin
        self._stdout = process.stdout

    def add(self, content: bytes) -> None:
        """Write a content. Equal contents are kept once."""
        self._write(b"blob\ndata %d\n" % len(content))
        self._write(content)
        self._write(b"\n")

    def finish(self, ref: str, base: str | None, names: Iterable[Named]) -> Written:
        """Make the tree that differs from the tree `base` in `names`.

        Raises:
            NotTaken: git could not write it.
        """
        self._write(b"commit %s\nmark :1\n" % ref.encode())
        self._write(b"committer holdfast <holdfast> 0 +0000\ndata 0\n")
        if base is not None:
            self._write(b'M 040000 %s ""\n' % base.encode())
        for line in _lines(names):
            self._write(line)
        self._write(b'\nget-mark :1\nls :1 ""\ndone\n')
        self._stdin.close()
        answer = self._stdout.read().decode("ascii", "replace").split()
        good = self._process.wait() == 0 and len(answer) >= 4  # noqa: PLR2004  # commit, mode, `tree`, tree
        if not good or not (is_object_id(answer[0]) and is_object_id(answer[3])):
            raise NotTaken("git could not write it")
        return Written(commit=answer[0], tree=answer[3])


@contextmanager
def writer(objects: Objects, until: float) -> Iterator[TreeWriter]:
    """Lend a writer; what it finished is on the disk afterwards.

    Raises:
        NotTaken: git could not be started or could not write.
        TookTooLong: `until` (monotonic) came first.
        OSError: the directory cannot be flushed.
    """
    import threading  # noqa: PLC0415  # most looks find nothing to write

    _remove_marks(objects)
    process = objects.start(_IMPORT)
    timer = threading.Timer(max(until - monotonic(), 0.001), process.kill)
    timer.daemon = True
    timer.start()
    try:
        yield TreeWriter(process)
        flush(f"{objects.path}/objects/pack")
    except (BrokenPipeError, NotTaken):
        _remove_reports(objects)
        if monotonic() >= until:
            raise TookTooLong("it took too long") from None
        raise NotTaken("git could not write it") from None
    finally:
        timer.cancel()
        _end(process)


def _end(process: "Popen[bytes]") -> None:
    if process.poll() is None:
        process.kill()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            if stream is not None:
                stream.close()
    process.wait()


def _remove_marks(objects: Objects) -> None:
    """A killed import leaves the mark of its pack, and no other may write that pack again.

    Nobody needs them: packs are only put together while no import runs.
    """
    packs = f"{objects.path}/objects/pack"
    with suppress(OSError):
        for name in os.listdir(packs):
            if name.endswith(".keep"):
                remove_quietly(f"{packs}/{name}")


def _remove_reports(objects: Objects) -> None:
    """A failed import leaves a report with names of files in it."""
    with suppress(OSError):
        for name in os.listdir(objects.path):
            if name.startswith("fast_import_crash_"):
                os.unlink(f"{objects.path}/{name}")


def _lines(names: Iterable[Named]) -> Iterator[bytes]:
    """Yield what is gone first: a file may have become a directory."""
    kept = []
    for name in names:
        path = _quoted(name.path)
        if name.is_gone:
            yield b"D %s\n" % path
        else:
            kept.append(b"M %06o %s %s\n" % (name.mode, name.object_id.encode(), path))
    yield from kept


def _quoted(path: str) -> bytes:
    raw = path.encode("utf-8", "surrogateescape")
    for sign, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        raw = raw.replace(sign, escaped)
    return b'"%s"' % raw
