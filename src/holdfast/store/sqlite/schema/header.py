"""The first hundred bytes of a store file, read without the engine.

A file that is not ours, or newer than we are, is refused before anything is opened, so
that not one of its bytes changes.
"""

from holdfast.kernel.lazy_values import dataclass

APPLICATION_ID = 0x484F4C44  # "HOLD"
HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
_WAL = 2


@dataclass(frozen=True, slots=True)
class Header:
    version: int
    application_id: int
    is_wal: bool

    @property
    def is_blank(self) -> bool:
        """A file whose making was cut short: nothing of ours, nothing of others."""
        return self.version == 0 and self.application_id == 0


BLANK = Header(0, 0, is_wal=False)


def header(data: bytes) -> Header | None:
    """Return what the bytes say, or None if they are no database's."""
    if not data:
        return BLANK
    if len(data) < HEADER_BYTES or not data.startswith(_MAGIC):
        return None
    return Header(
        version=int.from_bytes(data[60:64], "big"),
        application_id=int.from_bytes(data[68:72], "big"),
        is_wal=data[18] == data[19] == _WAL,
    )
