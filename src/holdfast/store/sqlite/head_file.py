"""The head file: the chain's newest entry, kept once more outside the database.

A chain alone cannot show that its newest entries were cut off. The file is written after
each commit, not synced: behind the database is fine, ahead of it is not.
"""

import os
from binascii import crc32
from collections.abc import Callable

from holdfast.kernel.files import open_ours, read_beginning
from holdfast.store.chain import ChainHead

NAME = "head"
_FORMAT = "holdfast-head 1 {position:019d} {hash} {records:019d} "
SIZE = len(_FORMAT.format(position=0, hash="0" * 64, records=0)) + len("00000000\n")


def encode(head: ChainHead) -> bytes:
    """Return the file's bytes: always as many, so that a rewrite never changes its size."""
    text = _FORMAT.format(
        position=head.position, hash=head.hash, records=head.records
    ).encode()
    return text + b"%08x\n" % crc32(text)


def decode(data: bytes) -> ChainHead | None:
    """Return the head the bytes say, or None if they were cut or changed."""
    text, checksum = data[:-9], data[-9:]
    if len(data) != SIZE or checksum != b"%08x\n" % crc32(text):
        return None
    try:
        _, _, position, digest, records = text.decode("ascii").split()
        return ChainHead(int(position), digest, int(records))
    except ValueError:
        return None


def read(directory: int) -> ChainHead | None:
    """Return the kept head, or None if there is none that can be trusted."""
    try:
        return decode(read_beginning(NAME, SIZE + 1, directory))
    except OSError:
        return None


def move(
    directory: int, head: ChainHead, is_known: Callable[[ChainHead], bool]
) -> None:
    """Keep the head, unless the one before is not known: then that one is evidence.

    A failure is no one's loss: the next move makes up for it.
    """
    try:
        descriptor = open_ours(NAME, os.O_RDWR | os.O_CREAT, directory)
    except OSError:
        return
    try:
        before = decode(os.pread(descriptor, SIZE + 1, 0))
        if before is None or is_known(before):
            os.pwrite(descriptor, encode(head), 0)
            os.ftruncate(descriptor, SIZE)
    except OSError:
        return
    finally:
        os.close(descriptor)
