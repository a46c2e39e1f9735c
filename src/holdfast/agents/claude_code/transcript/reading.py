"""One pass over what is new in a transcript: its main file, then each sub-agent's.

Of a line that was cut, as much is read as can be: its open strings and brackets are
closed, so that a prompt of 20 MB still counts as a prompt.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import chain

from holdfast.agents.claude_code.transcript import locations
from holdfast.agents.claude_code.transcript.events import Interpreter
from holdfast.agents.claude_code.transcript.lines import (
    Bytes,
    Decoder,
    Line,
    is_whole,
    objects,
)
from holdfast.agents.growing_files import (
    Oversized,
    Tail,
    mark_at,
    open_file,
    unreadable,
)
from holdfast.agents.redact_events import Cleaner
from holdfast.domain.event import Clipped, Event, Unrecognised
from holdfast.domain.session import Cursor, Mark
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

# What a line that concerns the queue of prompts contains.
_QUEUE_SIGNS = (b'"queue-operation"', b'"queued_command"', b'"queued"')
_LOOK_BACK = 4 * 1024 * 1024

_STRUCTURE = pattern(rb'["\[\]{}]')
_CUT_ESCAPE = pattern(rb"\\u[0-9a-fA-F]{0,3}\Z")
_CLOSERS = {ord("{"): b"}", ord("["): b"]"}


class Source(NamedTuple):
    """The files of one transcript."""

    path: str
    agent_paths: tuple[str, ...] = ()


class ClaudeCodeReading:
    """What is new in a transcript (`Reading`)."""

    def __init__(
        self,
        source: Source,
        since: Cursor,
        decoder: Decoder,
        clean: Cleaner,
        *,
        restarted: bool,
    ) -> None:
        self._source = source
        self._since = since
        self._decoder = decoder
        self._clean = clean
        self._restarted = restarted
        self._cursor = since
        self._half_written = 0
        self._events = chain.from_iterable(self._sequences())

    @property
    def restarted(self) -> bool:
        return self._restarted

    @property
    def cursor(self) -> Cursor:
        return self._cursor

    @property
    def half_written(self) -> int:
        return self._half_written

    def __iter__(self) -> Iterator[Event]:
        return self._events

    def _sequences(self) -> Iterator[Sequence[Event]]:
        path, start = self._source.path, self._since.main
        agents = dict(self._since.agents)
        descriptor = open_file(path, locations.MISSING)
        try:
            tail = Tail(descriptor, start.offset)
            earlier = (
                (lambda: _before(descriptor, start.offset)) if start.offset else None
            )
            interpreter = Interpreter(self._clean, earlier=earlier)
            yield from self._read(tail, interpreter)
            yield interpreter.at_hand()
            main = mark_at(descriptor, tail.offset)
            self._half_written = tail.half_written
        except OSError as problem:
            raise unreadable(path, problem) from problem
        finally:
            os.close(descriptor)
        for agent_path in self._source.agent_paths:
            name = os.path.basename(agent_path)
            yield from self._agent(agent_path, name, agents)
        self._cursor = Cursor(main, tuple(sorted(agents.items())))

    def _agent(
        self, path: str, name: str, marks: dict[str, Mark]
    ) -> Iterator[Sequence[Event]]:
        """Read a sub-agent's file; one that cannot be read costs no more than itself."""
        start = marks.get(name, Mark())
        agent = self._clean.identifier(locations.sub_agent_of(path))
        try:
            if os.stat(path).st_size == start.offset:
                return
            descriptor = open_file(path, locations.MISSING)
        except (OSError, SaveFailed):
            yield (Unrecognised("unreadable-file"),)
            return
        try:
            tail = Tail(descriptor, start.offset)
            yield from self._read(tail, Interpreter(self._clean, agent=agent))
            marks[name] = mark_at(descriptor, tail.offset)
        finally:
            os.close(descriptor)

    def _read(self, tail: Tail, interpreter: Interpreter) -> Iterator[Sequence[Event]]:
        decode, failures = self._decoder
        events = interpreter.events
        for raw in tail.lines():
            if isinstance(raw, Oversized):
                yield (Clipped(raw.dropped),)
                found = self._salvaged(raw)
                yield events(found) if found else (Unrecognised("oversized"),)
                continue
            try:
                line = decode(raw)
            except failures:
                yield from _slowly(raw, interpreter)
            else:
                yield events(line)
                del line  # it may be 8 MB: not to be held while the next is read
        # Some transcripts lack the final newline; a whole object cannot grow any more.
        if is_whole(tail.rest):
            yield from _slowly(tail.rest, interpreter)
            tail.offset += len(tail.rest)
            tail.half_written = 0

    def _salvaged(self, oversized: Oversized) -> Line | None:
        for candidate in repaired(oversized.beginning):
            try:
                return self._decoder.decode(candidate)
            except self._decoder.failures:
                continue
        return None


def _slowly(raw: Bytes, interpreter: Interpreter) -> Iterator[Sequence[Event]]:
    for found in objects(raw):
        yield (found,) if isinstance(found, Unrecognised) else interpreter.events(found)


def _before(descriptor: int, end: int) -> Iterator[Line]:
    """Yield the earlier lines about the queue of prompts, then the last line's id.

    Looking back is bounded: a prompt waits for a step of the agent, not for megabytes.
    """
    start = max(0, end - _LOOK_BACK)
    raws = os.pread(descriptor, end - start, start).split(b"\n")
    if start:
        del raws[0]  # cut in two
    for raw in raws:
        if any(sign in raw for sign in _QUEUE_SIGNS):
            yield from _lines(raw)
    for line in (line for raw in reversed(raws) for line in reversed(_lines(raw))):
        if line.uuid is not None and line.is_side is not True:
            yield Line(uuid=line.uuid)
            return


def _lines(raw: bytes) -> list[Line]:
    return [found for found in objects(raw) if isinstance(found, Line)]


def repaired(beginning: bytes) -> Iterator[bytes]:
    """Yield what the line may have been, the likelier first.

    Where the cut fell into a string, that may have been a value or a name.
    """
    open_brackets, is_inside_string = _open_at_end(beginning)
    closers = b"".join(_CLOSERS[bracket] for bracket in reversed(open_brackets))
    if is_inside_string:
        beginning = _without_cut_escape(beginning)
        yield beginning + b'"' + closers
        yield beginning + b'":null' + closers
    else:
        yield beginning + closers
        yield beginning.rstrip(b", \t\r\n") + closers


def _open_at_end(text: bytes) -> tuple[bytearray, bool]:
    """Return the brackets that are open at the end, and whether a string is."""
    brackets = bytearray()
    found = _STRUCTURE.search(text)
    while found is not None:
        position = found.end()
        mark = text[found.start()]
        if mark == ord('"'):
            position = _string_end(text, position)
            if position < 0:
                return brackets, True
        elif mark in _CLOSERS:
            brackets.append(mark)
        elif brackets:
            brackets.pop()
        found = _STRUCTURE.search(text, position)
    return brackets, False


def _string_end(text: bytes, start: int) -> int:
    """Return the position after a string's closing quote, or -1."""
    quote = text.find(b'"', start)
    while quote >= 0 and _backslashes_before(text, quote, start) % 2:
        quote = text.find(b'"', quote + 1)
    return quote + 1 if quote >= 0 else -1


def _backslashes_before(text: bytes, end: int, start: int) -> int:
    position = end
    while position > start and text[position - 1] == ord("\\"):
        position -= 1
    return end - position


def _without_cut_escape(text: bytes) -> bytes:
    if cut := _CUT_ESCAPE.search(text, max(0, len(text) - 6)):
        slashes = _backslashes_before(text, cut.start() + 1, 0)
        return text[: cut.start()] if slashes % 2 else text
    return text[:-1] if _backslashes_before(text, len(text), 0) % 2 else text
