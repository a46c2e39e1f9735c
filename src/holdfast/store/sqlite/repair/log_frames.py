"""Read a write-ahead log frame by frame: one damaged frame costs no other. Pure.

The engine's checksum of a frame goes on from the one before, so it stops at the first frame
that does not match and takes all after it for no frames. But each frame keeps its checksum:
from the one that the frame before has *kept*, every frame is proved by itself. The checksum
is linear, so it also tells which single bit of a frame was turned, but for the highest bits
of words, of which several would explain it: those stay as they are.
"""

import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate, repeat

from holdfast.kernel.lazy_tuples import NamedTuple

PAGE_BYTES = 4096
_HEADER, _FRAME_HEADER = 32, 24
_FRAME = _FRAME_HEADER + PAGE_BYTES
_WORD = 1 << 32
_COVERED = 8  # bytes of a frame's header that its checksum covers
_BIG_ENDIAN_SUMS = 1  # the last bit of the log's first word
_HEADER_COVERED = 24

Sums = tuple[int, int]


class LogFrame(NamedTuple):
    """One page as it was written; `commits` is the size in pages after a commit, or 0."""

    page: int
    commits: int
    data: bytes


class LogReading(NamedTuple):
    """Every frame of the log's present round, damaged ones set right where that is sure."""

    frames: tuple[LogFrame, ...]
    read_by_engine: int  # so many frames, and none after

    @property
    def hidden_commits(self) -> int:
        """How many transactions lie behind damage, out of the engine's sight."""
        return sum(1 for frame in self.frames[self.read_by_engine :] if frame.commits)


def read_log(log: bytes) -> LogReading:
    """Return what a log holds, whatever a few flipped bits would hide."""
    parts = [
        log[start : start + _FRAME]
        for start in range(_HEADER, len(log) - _FRAME + 1, _FRAME)
    ]
    salt = _salt(log, parts)
    last = max((at for at, part in enumerate(parts) if part[8:16] == salt), default=-1)
    order = ">" if _is_big_endian(log, parts) else "<"
    before = _kept(log, _HEADER_COVERED)
    if parts and not _goes_on(parts[0], order, before):
        before = _sums(log[:_HEADER_COVERED], order, (0, 0))
    frames, good, is_unbroken = list[LogFrame](), 0, _is_whole_header(log, order, salt)
    for at, part in enumerate(parts[: last + 1]):
        kept = _kept(part, 16)
        covered = _covered(part)
        made = _sums(covered, order, before)
        is_unbroken = is_unbroken and made == kept and part[8:16] == salt
        good += is_unbroken
        if made != kept:
            following = parts[at + 1] if at < last else None
            if following and _goes_on(following, order, made):
                kept = made  # what is damaged is the checksum
            else:
                covered = _mended(covered, order, made, kept)
        page, commits = struct.unpack_from(">II", covered)
        frames.append(LogFrame(page, commits, covered[_COVERED:]))
        before = kept
    return LogReading(tuple(frames), good)


def overlaid(database: bytes, frames: Sequence[LogFrame]) -> bytes:
    """Return the database as it is with every committed frame brought in."""
    ends = [at for at, frame in enumerate(frames) if frame.commits]
    if not ends:
        return database
    pages = frames[ends[-1]].commits
    most = max(pages, len(database) // PAGE_BYTES)
    whole = bytearray(database)
    for page, _, data in frames[: ends[-1] + 1]:
        if 0 < page <= most:  # or its number is damaged beyond mending
            end = page * PAGE_BYTES
            whole.extend(bytes(max(0, end - len(whole))))
            whole[end - PAGE_BYTES : end] = data
    return bytes(whole)


def _salt(log: bytes, parts: Sequence[bytes]) -> bytes:
    """Return the mark of the present round: two of the first three have it."""
    found = [log[16:24], *(part[8:16] for part in parts[:2])]
    return max(found, key=found.count)


def _kept(data: bytes, at: int) -> Sums:
    first, second = struct.unpack_from(">II", data.ljust(at + 8, b"\0"), at)
    return first, second


def _is_big_endian(log: bytes, parts: Sequence[bytes]) -> bool:
    """Say how words are summed; if the log's own word for it is wrong, by trying."""
    told = bool(log[3] & _BIG_ENDIAN_SUMS) if log else False
    if len(parts) > 1:
        other = "<" if told else ">"
        return told != _goes_on(parts[1], other, _kept(parts[0], 16))
    return told


def _covered(part: bytes) -> bytes:
    return part[:_COVERED] + part[_FRAME_HEADER:]


def _goes_on(part: bytes, order: str, before: Sums) -> bool:
    """Say whether a frame was written after one with this checksum."""
    return _sums(_covered(part), order, before) == _kept(part, 16)


def _is_whole_header(log: bytes, order: str, salt: bytes) -> bool:
    covered = log[:_HEADER_COVERED]
    return (
        len(log) >= _HEADER
        and covered[16:24] == salt
        and _sums(covered, order, (0, 0)) == _kept(log, _HEADER_COVERED)
    )


def _sums(data: bytes, order: str, before: Sums) -> Sums:
    """Return the engine's checksum of some bytes, going on from the one before."""
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    first, second = before
    for at in range(0, len(words), 2):
        first = (first + words[at] + second) % _WORD
        second = (second + words[at + 1] + first) % _WORD
    return first, second


def _mended(covered: bytes, order: str, made: Sums, kept: Sums) -> bytes:
    """Turn back the one bit whose turning explains the kept checksum, if there is one."""
    off = ((kept[0] - made[0]) % _WORD, (kept[1] - made[1]) % _WORD)
    words = [*struct.unpack(f"{order}{len(covered) // 4}I", covered)]
    found = [
        (at, bit)
        for at, bit, change in _single_bits(len(words), off)
        if (words[at] ^ bit) - words[at] == change
    ]
    if len(found) != 1:
        return covered
    at, bit = found[0]
    words[at] ^= bit
    return struct.pack(f"{order}{len(words)}I", *words)


def _single_bits(count: int, off: Sums) -> Iterator[tuple[int, int, int]]:
    """Yield where a bit, turned on or off, changes the checksum by so much."""
    for at, (first, second) in enumerate(_weights(count)):
        for place in range(32):
            bit = 1 << place
            for change in (bit, -bit):
                if (first * change) % _WORD == off[0] and (
                    (second * change) % _WORD == off[1]
                ):
                    yield at, bit, change


def _weights(count: int) -> list[Sums]:
    """Return how often each word is counted in the two sums, the first word first.

    A word of the first sum goes into both of its pair, one of the second into that; each
    pair that follows adds the second sum to the first, and then the first to the second.
    """

    def later(sums: Sums, _: object) -> Sums:
        first = (sums[0] + sums[1]) % _WORD
        return first, (sums[1] + first) % _WORD

    pairs = count // 2
    even = [*accumulate(repeat(None, pairs - 1), later, initial=(1, 1))]
    odd = [*accumulate(repeat(None, pairs - 1), later, initial=(0, 1))]
    return [
        each
        for both in zip(reversed(even), reversed(odd), strict=True)
        for each in both
    ]
