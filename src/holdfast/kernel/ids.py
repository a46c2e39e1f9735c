"""Session ids, checkpoint ids, numbers, names, and the one grammar of references.

Nothing here mints a session id: it is the agent's own (A1).
"""

import re

from holdfast.kernel.digests import sha1
from holdfast.kernel.errors import NameInvalid, SessionUnknown
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

MAX_NAME = 64
_UUID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHECKPOINT_ID = pattern(rf"ccp-({_UUID.pattern})-(\d{{2,}})-(\d+)")
_LABEL = pattern(r"(?:checkpoint-)?0*(\d{1,15})(?:@(\S{1,64}))?", re.IGNORECASE)
_LATEST = pattern(r"latest(?:~(\d{1,9}))?", re.IGNORECASE)
_FOREIGN_ID = pattern(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
# The namespace of agents whose ids are not UUIDs; changing it would orphan their records.
_AGENT_NAMESPACE = bytes.fromhex("8f1d6f0c52a95e0b9d4b6a7c3e1f2d40")
_DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in range(1, 10)]
)


def session_id(text: str | None, *, agent: str = "claude-code") -> str:
    """Return the agent's session id in its canonical form.

    Raises:
        SessionUnknown: it is missing or malformed.
    """
    wanted = (text or "").strip()
    if not wanted:
        raise SessionUnknown(
            "no session id",
            hint="pass `--session ID`, or its transcript to take it from there",
        )
    if _UUID.fullmatch(wanted.lower()):
        return wanted.lower()
    if agent != "claude-code" and _FOREIGN_ID.fullmatch(wanted):
        return wanted
    raise SessionUnknown(
        f"`{_shown(wanted)}` is not a session id",
        hint="a session id looks like `7670db3a-2057-406a-a109-afcedef1cb97`",
    )


def is_session_id(text: str) -> bool:
    return _UUID.fullmatch(text.lower()) is not None


def session_uuid(session: str, agent: str) -> str:
    """Return the UUID that stands for a session inside checkpoint ids."""
    if _UUID.fullmatch(session):
        return session
    digest = bytearray(
        sha1(
            _AGENT_NAMESPACE + f"{agent}:{session}".encode(), usedforsecurity=False
        ).digest()[:16]
    )
    digest[6] = digest[6] & 0x0F | 0x50  # version 5
    digest[8] = digest[8] & 0x3F | 0x80  # RFC 4122 variant
    text = digest.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def random_uuid(random: bytes) -> str:
    """Return the UUID that 16 random bytes make: the id of a session that begins."""
    number = int.from_bytes(random, "big")
    number = number & ~(0xF << 76) | (4 << 76)  # version 4
    number = number & ~(0x3 << 62) | (2 << 62)  # its variant
    text = f"{number:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def checkpoint_id(uuid: str, sequence: int, unix_ms: int) -> str:
    return f"ccp-{uuid}-{sequence:02d}-{unix_ms}"


def is_checkpoint_id(text: str) -> bool:
    return _CHECKPOINT_ID.fullmatch(text) is not None


def checkpoint_place(text: str) -> tuple[int, int]:
    """Return a checkpoint's sequence in its session and its moment, as its id has them."""
    found = _CHECKPOINT_ID.fullmatch(text)
    return (int(found[2]), int(found[3])) if found else (0, 0)


def label(number: int) -> str:
    """Return the form people see: `CHECKPOINT-00042`."""
    return f"CHECKPOINT-{number:05d}"


def name(text: str) -> str:
    """Return a checkpoint's name as A4 allows it.

    Raises:
        NameInvalid: nothing usable is left, or the name means something else.
    """
    folded = _composed(text).strip().lower()
    dashed = re.sub(r"[\s/]+", "-", folded)
    kept = "".join(c for c in dashed if c in "-._" or c.isalnum() or _is_mark(c))
    clean = kept.lstrip("-.")[:MAX_NAME].rstrip("-.")
    if not clean:
        raise NameInvalid(
            f"`{_shown(text)}` leaves nothing to name a checkpoint by",
            hint="use letters or digits of any script, such as `api-design`",
        )
    if _is_reserved(clean):
        raise NameInvalid(
            f"`{clean}` already means something else",
            hint=f"use another name, such as `{clean}-work`",
        )
    return clean


def _is_mark(character: str) -> bool:
    """Thai vowels and accents are marks, not letters, and belong to their word."""
    from unicodedata import category  # noqa: PLC0415  # a hook names nothing by hand

    return category(character) in ("Mn", "Mc")


def _composed(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize  # noqa: PLC0415  # see `_is_mark`

    return normalize("NFC", text)


def _is_reserved(clean: str) -> bool:
    return (
        clean.split(".", maxsplit=1)[0] in _DEVICE_NAMES
        or _LATEST.fullmatch(clean) is not None
        or _LABEL.fullmatch(clean) is not None
        or clean.startswith("ccp-")
    )


@dataclass(frozen=True, slots=True)
class Latest:
    """`latest`, `latest~2`: counted back from the highest number."""

    back: int = 0


@dataclass(frozen=True, slots=True)
class Number:
    """`42`, `CHECKPOINT-00042`, `42@laptop`."""

    number: int
    machine: str | None = None


@dataclass(frozen=True, slots=True)
class IdPrefix:
    """A full `ccp-…` id or the beginning of one."""

    prefix: str


@dataclass(frozen=True, slots=True)
class SessionPrefix:
    """`session:<uuid or prefix>`: that session's newest."""

    prefix: str


@dataclass(frozen=True, slots=True)
class NamePrefix:
    """A name, or the beginning of one. An exact name wins."""

    prefix: str


Reference = Latest | Number | IdPrefix | SessionPrefix | NamePrefix


def reference(text: str) -> Reference:
    """Read a reference; every string is one, though it may find nothing."""
    wanted = text.strip()
    lowered = wanted.lower()
    if found := _LATEST.fullmatch(lowered):
        return Latest(int(found[1] or 0))
    if found := _LABEL.fullmatch(wanted):
        return Number(int(found[1]), found[2])
    if lowered.startswith("ccp-"):
        return IdPrefix(lowered)
    if lowered.startswith("session:"):
        return SessionPrefix(wanted[len("session:") :].strip().lower())
    return NamePrefix(_composed(lowered))


def _shown(text: str) -> str:
    """Return text safe to put inside a message."""
    printable = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return printable if len(printable) <= MAX_NAME else "…"  # half says too much
