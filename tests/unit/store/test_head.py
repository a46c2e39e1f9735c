"""The head file: small, of one size, and it knows when it was changed."""

import os
from binascii import crc32
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.store.chain import ChainHead, link
from holdfast.store.sqlite import head_file

HEAD = ChainHead(position=1904, hash=link("", "x"), records=1877)


@pytest.fixture
def within(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


def known(_: ChainHead) -> bool:
    return True


def test_a_head_survives_being_written_and_read(within: int) -> None:
    """Whatever was there before."""
    head_file.move(within, ChainHead(), known)
    head_file.move(within, HEAD, known)

    assert head_file.read(within) == HEAD


def test_a_head_that_nobody_knows_is_left_alone(within: int) -> None:
    """It is the only thing that still knows what was lost."""
    head_file.move(within, HEAD, known)

    head_file.move(within, ChainHead(), lambda _: False)

    assert head_file.read(within) == HEAD


def test_every_head_has_the_same_size() -> None:
    """A rewrite in place must never leave a tail of the one before."""
    huge = ChainHead(10**18, "f" * 64, 10**18)

    sizes = {len(head_file.encode(head)) for head in (ChainHead(), HEAD, huge)}

    assert sizes == {head_file.SIZE}


def test_every_changed_byte_is_noticed() -> None:
    """A damaged head must not be believed."""
    whole = head_file.encode(HEAD)
    damaged = (
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        for place in range(len(whole))
    )

    assert all(head_file.decode(data) is None for data in damaged)


@pytest.mark.parametrize("size", [0, 1, head_file.SIZE - 1])
def test_a_truncated_head_is_noticed(size: int) -> None:
    """A head that was cut says nothing."""
    assert head_file.decode(head_file.encode(HEAD)[:size]) is None


def test_a_head_that_says_something_else_is_none() -> None:
    """Its checksum fits, but it is no head of ours."""
    text = b"x" * (head_file.SIZE - 9)

    assert head_file.decode(text + b"%08x\n" % crc32(text)) is None


def test_a_missing_head_is_none(within: int) -> None:
    """And so is one that is a link to somewhere else."""
    assert head_file.read(within) is None


def test_a_head_that_cannot_be_written_is_no_ones_loss(
    tmp_path: Path, within: int
) -> None:
    """The save is committed already; the next one moves the head."""
    (tmp_path / "victim").write_bytes(b"theirs")
    (tmp_path / "head").symlink_to(tmp_path / "victim")

    head_file.move(within, HEAD, known)

    assert (tmp_path / "victim").read_bytes() == b"theirs"
    assert head_file.read(within) is None
