"""Transcripts that are kept: compressed pieces, each once, and a list of them per session.

    archive/sessions/<id>.json     which files, and their pieces in order
    archive/pieces/ab/<sha256>.zst some 256 KB of whole lines

A transcript only grows, so of one that is kept again all pieces but the last are there
already. A piece is named by what it says: one that was changed or cut is known. The list
is written last; killed before, nothing of it counts. What comes in is redacted by whoever
brings it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from holdfast.domain.forgetting import Order
from holdfast.domain.text import visible
from holdfast.kernel.digests import sha256
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import ArchiveDamaged
from holdfast.kernel.files import read_file, replace_unlocked
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass
from holdfast.kernel.locks import Lock

NAME = "archive"
_PIECE = 256 * 1024
_LEVEL = 9
_PATIENCE = 60.0  # seconds: as long as keeping one session may take
_MOST_IN_A_PIECE = 1 << 30  # bytes: what claims to hold more is no piece of ours


class ArchivedFile(NamedTuple):
    """A file by the name that its agent gives it, and the pieces it is made of."""

    name: str
    size: int
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSession:
    session_id: str
    agent: str
    stamp: str  # of the transcript when it was kept
    archived_at: int  # Unix ms
    files: tuple[ArchivedFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


class TranscriptArchive:
    """The archive of one data directory.

    A session goes by the UUID that stands for it inside checkpoint ids.
    """

    def __init__(self, home: str) -> None:
        self._home = os.path.join(home, NAME)
        self._sessions = os.path.join(self._home, "sessions")
        self._pieces = os.path.join(self._home, "pieces")
        # A piece that no list names may be one that somebody is about to name.
        self._lock = Lock(os.path.join(self._home, "lock"), None, _PATIENCE)

    def session(self, session_id: str) -> ArchivedSession | None:
        """Return what is kept of a session, if anything is.

        Raises:
            ArchiveDamaged: its list cannot be read.
        """
        try:
            raw = json.loads(read_file(self._list_of(session_id)))
            return _session_from(raw)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as problem:
            raise ArchiveDamaged(
                f"what is archived of session `{visible(session_id)}` cannot be read:"
                f" {problem}",
                hint="`holdfast archive` stores it again if the client still has it",
            ) from problem

    def keep(
        self,
        session_id: str,
        files: Iterable[tuple[str, Iterable[bytes]]],
        *,
        agent: str,
        stamp: str,
        now_ms: int,
    ) -> ArchivedSession:
        """Keep the files of a session, line by line, instead of what was kept before.

        Raises:
            OSError: it could not be written; what was kept before stays.
        """
        make_own_directory(self._sessions)
        with self._lock.held(shared=True):
            kept = ArchivedSession(
                session_id=session_id,
                agent=agent,
                stamp=stamp,
                archived_at=now_ms,
                files=tuple(self._kept(name, lines) for name, lines in files),
            )
            replace_unlocked(self._list_of(session_id), _session_json(kept))
        return kept

    def lines(self, file: ArchivedFile) -> bytes:
        """Return a file as it was kept.

        Raises:
            ArchiveDamaged: a piece is gone, was cut, or says something else.
        """
        return b"".join(map(self._piece, file.pieces))

    def ids(self) -> tuple[str, ...]:
        """Return the sessions that something is kept of."""
        names = _names(self._sessions)
        return tuple(n.removesuffix(".json") for n in names if n.endswith(".json"))

    def size(self) -> int:
        """Return how many bytes it takes on disk."""
        return sum(os.stat(path).st_size for path in self._every_piece())

    def forget(self, order: Order) -> tuple[str, ...]:
        """Let go of sessions, and of those of which a record goes: their lines say it."""
        # An id tells its session; one of another machine tells none of ours.
        records = "\n".join(set(order.checkpoint_ids) - set(order.foreign))
        foreign = "\n".join(order.foreign)
        left: list[str] = []
        gone = 0
        for name in self.ids():
            own, at, _ = name.partition("@")
            is_said = f"ccp-{own}-" in (foreign if at else records)
            if name not in order.sessions and not is_said:
                continue
            path = os.path.join(self._sessions, f"{name}.json")
            try:
                os.unlink(path)
                gone += 1
            except OSError as problem:
                left.append(f"`{path}`: {problem.strerror}")
        return (*left, *self.swept()) if gone else tuple(left)

    def saying(self, text: str) -> tuple[str, ...]:
        """Say which sessions some text is archived of, or may be, whatever the case."""
        forms = (text, *(json.dumps(text, ensure_ascii=a)[1:-1] for a in (True, False)))
        wanted = {form.casefold() for form in forms}
        return tuple(
            f"the archive of session `{name}` may still say it; `holdfast forget"
            f" session:{name}` lets it go"
            for name in self.ids()
            if self._may_say(name, wanted)
        )

    def _may_say(self, name: str, wanted: Iterable[str]) -> bool:
        try:
            known = self.session(name)
            files = known.files if known else ()
            texts = [self.lines(file).decode("utf-8", "replace") for file in files]
        except ArchiveDamaged:
            return True
        return any(each in text.casefold() for text in texts for each in wanted)

    def swept(self) -> Iterator[str]:
        """Remove the pieces that no list names; yield what could not be."""
        if not os.path.isdir(self._home):
            return
        try:
            with self._lock.held():
                yield from self._sweep()
        except OSError as problem:
            yield f"the archive cannot be tidied: {problem}"

    def _sweep(self) -> Iterator[str]:
        try:
            known = filter(None, map(self.session, self.ids()))
            named = {p for s in known for file in s.files for p in file.pieces}
        except ArchiveDamaged as trouble:
            yield trouble.message
            return
        for path in self._every_piece():
            if os.path.basename(path).removesuffix(".zst") not in named:
                try:
                    os.unlink(path)
                except OSError as problem:
                    yield f"`{path}`: {problem.strerror}"

    def _kept(self, name: str, lines: Iterable[bytes]) -> ArchivedFile:
        digests, size = list[str](), 0
        for piece in _pieces(lines):
            size += len(piece)
            digests.append(self._keep_piece(piece))
        return ArchivedFile(name, size, tuple(digests))

    def _keep_piece(self, piece: bytes) -> str:
        digest = sha256(piece).hexdigest()
        path = self._path(digest)
        if not os.path.exists(path):
            from zstandard import ZstdCompressor  # noqa: PLC0415  # no hook pays for it

            make_own_directory(os.path.dirname(path))
            replace_unlocked(path, ZstdCompressor(level=_LEVEL).compress(piece))
        return digest

    def _piece(self, digest: str) -> bytes:
        from zstandard import ZstdError  # noqa: PLC0415  # the same

        try:
            piece = _unpacked(read_file(self._path(digest)))
        except (OSError, ZstdError, ValueError) as problem:
            raise _damaged(digest, str(problem)) from problem
        if sha256(piece).hexdigest() != digest:
            raise _damaged(digest, "it says something else")
        return piece

    def _list_of(self, session_id: str) -> str:
        return os.path.join(self._sessions, f"{session_id}.json")

    def _path(self, digest: str) -> str:
        return os.path.join(self._pieces, digest[:2], f"{digest}.zst")

    def _every_piece(self) -> Iterator[str]:
        for folder in _names(self._pieces):
            for name in _names(os.path.join(self._pieces, folder)):
                if name.endswith(".zst"):
                    yield os.path.join(self._pieces, folder, name)


def _pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield whole lines together until they are enough."""
    held, size = list[bytes](), 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _unpacked(packed: bytes) -> bytes:
    """Return what a piece says, if it does not claim to be larger than one can be."""
    from zstandard import ZstdDecompressor, frame_content_size  # noqa: PLC0415  # the same

    if not 0 <= frame_content_size(packed) <= _MOST_IN_A_PIECE:
        raise ValueError("it claims a size that no piece has")
    return ZstdDecompressor().decompress(packed)


def _names(directory: str) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(directory))
    return []


def _session_json(session: ArchivedSession) -> bytes:
    raw = {
        "session_id": session.session_id,
        "agent": session.agent,
        "stamp": session.stamp,
        "archived_at": session.archived_at,
        "files": [[f.name, f.size, list(f.pieces)] for f in session.files],
    }
    return json.dumps(raw).encode()


def _session_from(raw: Any) -> ArchivedSession:
    files = tuple(
        ArchivedFile(str(name), int(size), tuple(map(str, pieces)))
        for name, size, pieces in raw["files"]
    )
    return ArchivedSession(
        session_id=str(raw["session_id"]),
        agent=str(raw["agent"]),
        stamp=str(raw["stamp"]),
        archived_at=int(raw["archived_at"]),
        files=files,
    )


def _damaged(digest: str, why: str) -> ArchiveDamaged:
    return ArchiveDamaged(
        f"a piece of an archived transcript is damaged: `{digest[:12]}…`: {why}",
        hint="nothing was written; `holdfast archive` keeps it anew while the client"
        " still has it",
    )
