"""A fold that was kept: session state with the place in the transcript it stands for."""

from holdfast.domain.session import SessionState
from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """How far one file was read, and how to recognise that it is still the same.

    `head` is a digest of the file's first bytes (at most 4096, never past `offset`),
    `tail` of the last bytes before `offset`.
    """

    offset: int = 0
    head: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a transcript was read: its main file and each sub-agent's file."""

    main: Mark = Mark()
    agents: tuple[tuple[str, Mark], ...] = ()  # by file name


@dataclass(frozen=True, slots=True)
class KeptFold:
    transcript: str
    cursor: Cursor
    state: SessionState
