"""Conversations in an agent's own format, for agents whose sessions are files of JSON lines.

What comes back is written to where its client looks, what begins anew is a new file under
a new id. No file that is there is ever opened for writing.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any

from holdfast.agents.growing_files import continues
from holdfast.agents.json_lines import is_compressed
from holdfast.agents.linked_lines import Links, cleaned, linked
from holdfast.domain.text import visible
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import NativeRefused, SaveFailed
from holdfast.kernel.files import copy_file, open_to_read
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.new_files import (
    create_whole,
    half_beside,
    put_where_nothing_is,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from holdfast.agents.past_port import BranchCut
    from holdfast.domain.session import Mark


class NativeLine(NamedTuple):
    """A line of a conversation."""

    offset: int  # where it begins in the session's own file; -1: in one before it
    at: int  # Unix ms: when it was written, or the one before it that says so
    raw: bytes
    said: dict[str, Any]


class NativeFiles(ABC):
    """Does what `NativeSessions` says; what differs between agents is abstract."""

    def __init__(self, directory: str) -> None:
        self._directory = directory  # of the client

    @property
    @abstractmethod
    def _links(self) -> Links: ...

    @abstractmethod
    def is_found(self, transcript: str, session_id: str, directory: str) -> bool: ...

    @abstractmethod
    def bring(self, transcript: str, session_id: str, directory: str) -> str: ...

    @abstractmethod
    def _lines(self, transcript: str) -> Iterator[NativeLine]:
        """Yield the lines of a conversation, whichever files they are in.

        Raises:
            OSError, SaveFailed: it cannot be read.
        """

    @abstractmethod
    def _is_said(self, said: Mapping[str, Any]) -> bool:
        """Say whether a line is a message of the conversation."""

    @abstractmethod
    def _compactions(self, lines: Sequence[NativeLine]) -> Iterator[int]:
        """Yield the places of the lines that stand for what was before them."""

    @abstractmethod
    def _target(self, new_id: str, at: int, directory: str) -> str:
        """Return where a session that begins at a moment is found from a directory."""

    @abstractmethod
    def _anew(
        self, lines: Sequence[NativeLine], new_id: str, transcript: str, directory: str
    ) -> Iterator[bytes]:
        """Yield the lines of a new session that begins with some of another's."""

    @abstractmethod
    def _placed(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> Iterator[tuple[str, bytes]]:
        """Yield where each archived file belongs and what it says there, the transcript
        first.

        Raises:
            NativeRefused: a name is none that the client would give.
        """

    def is_lines(self, name: str) -> bool:
        del name
        return True

    def cleaned(self, line: bytes, redact: Callable[[Any], Any]) -> bytes:
        return cleaned(line, redact, partial(linked, self._links))

    def unpack(
        self, session_id: str, directory: str, files: Sequence[tuple[str, bytes]]
    ) -> str:
        try:
            placed = [*self._placed(session_id, directory, files)]
            target = placed[0][0]
            if os.path.lexists(target):
                raise NativeRefused(
                    f"`{visible(target)}` already exists",
                    hint="nothing was written; look at that file first",
                )
            for path, data in reversed(placed):  # the transcript last: then it is whole
                make_own_directory(os.path.dirname(path))
                if not os.path.lexists(path):
                    created(path, data)
        except OSError as problem:
            raise refused(self._directory, problem) from problem
        return target

    def branch(
        self, transcript: str, directory: str, new_id: str, cut: BranchCut
    ) -> str:
        try:
            lines = [*self._lines(transcript)]
        except OSError as problem:
            raise refused(transcript, problem) from problem
        except SaveFailed as problem:
            raise NativeRefused(problem.message, hint=problem.hint) from problem
        kept = lines[: self._end(lines, transcript, cut)]
        if not any(self._is_said(line.said) for line in kept):
            raise nothing_before()
        try:
            target = self._target(new_id, kept[-1].at, directory)
            make_own_directory(os.path.dirname(target))
            made = self._anew(kept, new_id, transcript, directory)
            data = b"".join(line.rstrip(b"\n") + b"\n" for line in made)
            created(target, data)
        except OSError as problem:
            raise refused(self._directory, problem) from problem
        return target

    def _end(self, lines: Sequence[NativeLine], transcript: str, cut: BranchCut) -> int:
        """Return how many lines of a conversation are before a cut."""
        if cut.before_compaction:
            found = [*self._compactions(lines)]
            if not found:
                raise never_compacted()
            return next((n for n in found if lines[n].at >= cut.at), found[-1])
        if is_read_to(transcript, cut.read_to):
            if is_compressed(transcript):  # it does not grow
                return len(lines)
            return sum(line.offset < cut.read_to.offset for line in lines)
        ends = (n for n, line in enumerate(lines, 1) if line.at <= cut.at)
        return max(ends, default=0)


def is_read_to(transcript: str, mark: Mark) -> bool:
    """Say whether the file is the one that was read when the checkpoint was made."""
    if mark.offset <= 0:
        return False
    try:
        descriptor = open_to_read(transcript)
        try:
            return continues(descriptor, mark)
        finally:
            os.close(descriptor)
    except OSError as problem:
        raise refused(transcript, problem) from problem


def copied(source: str, target: str) -> None:
    """Copy a file; one that is there stays as it is."""
    if not os.path.lexists(target):
        half = half_beside(target)
        copy_file(source, half, durable=True)
        put_where_nothing_is(half, target)


def created(target: str, data: bytes) -> None:
    """Write a file whole or not at all: half a conversation looks like a whole one."""
    create_whole(target, data)


def refused(path: str, problem: OSError) -> NativeRefused:
    return NativeRefused(
        f"`{visible(path)}` cannot be used: {problem.strerror}",
        hint="check free space and permissions; no existing file was changed",
    )


def never_compacted() -> NativeRefused:
    return NativeRefused(
        "this conversation was never compacted",
        hint="`holdfast open REF --fork` starts a new session at the checkpoint",
    )


def nothing_before() -> NativeRefused:
    return NativeRefused(
        "there is no conversation before that",
        hint="`holdfast open REF` continues the session where it ended",
    )


def no_such_name(name: str) -> NativeRefused:
    return NativeRefused(
        f"`{visible(name)}` is not a name that its client gives to a file",
        hint="nothing was written; if the client still has it, run `holdfast archive` again",
    )
