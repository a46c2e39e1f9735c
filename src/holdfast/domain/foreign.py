"""Work of other machines and other programs: where a record came from, what proves it
there, and what its sessions are called here."""

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

_MACHINE = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ODD = pattern(r"[^A-Za-z0-9._-]+")
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """Where another program has a record that was taken in from there."""

    record: str  # its id there
    path: str  # the file, database or repository it was read from


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """Where a record that another store made came from.

    Its number belongs to that store: in ours it has only a place, so that it never
    takes a number of the project. Its sessions are `ID@MACHINE` here, so that they are
    never taken for sessions of this machine. What another program made has the program's
    name for its machine, and says where that has it.
    """

    machine: str
    hash: str  # what it had there; what proved it was looked at when it came
    project_id: str
    project_root: str
    name: str | None = None  # what it was called there
    place: int = 0  # in the column of numbers; the store gives it
    origin: ForeignSource | None = None  # set on a record that another program made


def elsewhere(session_id: str, machine: str) -> str:
    """Return what a session of another machine is called here."""
    return f"{session_id}@{machine}" if session_id else ""


def is_elsewhere(session_id: str) -> bool:
    """Say whether a session ran on another machine: no agent's own id has the sign."""
    return "@" in session_id


@dataclass(frozen=True, slots=True)
class RecordProof:
    """A record as its store hashed it: whoever has both hashes can see that the text is
    what was kept there."""

    machine: str
    previous_hash: str
    text: str
    hash: str
    name: str | None = None


def machine_name(text: str) -> str:
    """Return what a machine is called where others read it, in references and lists."""
    return _ODD.sub("-", text).strip("-._")[:_LONGEST] or "machine"


def is_machine_name(text: str) -> bool:
    """Say whether a machine may be called so: a word that needs no quoting anywhere."""
    return _MACHINE.fullmatch(text) is not None
