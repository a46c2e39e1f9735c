"""The file that carries checkpoints to another machine: a zip that anybody can look into.

    README.md            what this is and how to take it in
    checkpoints/00042.md a checkpoint to read
    manifest.json        which form the file has, and who made it
    records.jsonl        a record on each line, as its store hashed it
    code.pack            the trees that records name, if asked for, as git packs them
    transcripts/ID.jsonl what was said in a session, if asked for, redacted

Pure: bytes to values and back. What comes in may have been made by anybody, so each part
is read up to a limit, whatever its own header promises.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from holdfast.domain.foreign import RecordProof
from holdfast.domain.text import visible
from holdfast.kernel.errors import RecordRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, field

FORMAT = "holdfast-share"
VERSION = 1
MOST_BYTES = 200_000_000  # of a file
_MOST_RECORDS = 100_000_000  # bytes of all records together, unpacked
_MOST_RECORD = 20_000_000
_MOST_MANIFEST = 100_000
_MOST_CODE = 150_000_000
_MOST_TRANSCRIPT = 100_000_000
_MOST_TRANSCRIPTS = 1_000
_MOST_PARTS = 50_000
_PART = b"PK\x01\x02"  # how the list of parts tells each
_MANIFEST, _RECORDS, _CODE = "manifest.json", "records.jsonl", "code.pack"
_TRANSCRIPT = pattern(r"transcripts/([A-Za-z0-9][A-Za-z0-9._-]{0,127})\.jsonl")
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same records are the same bytes
_FIELDS = ("machine", "previous_hash", "record", "hash")
_README = """# {title}

{count} of coding sessions, shared by `{machine}` with holdfast.

Each is in `checkpoints/`, to read. To find, compare and continue them in your own copy of
the project:

    holdfast import FILE
    holdfast list

Nothing of it is told to an agent unless you resume it.
"""
_UNREADABLE = (
    zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, KeyError, ValueError,
    EOFError, OSError, RuntimeError, RecursionError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SharedPage:
    """A record, and how it reads."""

    proof: RecordProof
    number: int
    markdown: str


@dataclass(frozen=True, slots=True)
class SharedFile:
    """What a file brings, none of it proved yet."""

    proofs: tuple[RecordProof, ...]
    code: bytes = b""  # a pack; empty: none came
    transcripts: Mapping[str, bytes] = field(default_factory=dict)  # by session


def is_packed(data: bytes) -> bool:
    """Say whether bytes begin as such a file does."""
    return data.startswith(b"PK")


def packed(
    pages: Sequence[SharedPage],
    machine: str,
    code: bytes = b"",
    transcripts: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return the file of some records, and of what goes with them."""
    records = (record_line(page.proof) for page in pages)
    many = "1 checkpoint" if len(pages) == 1 else f"{len(pages):,} checkpoints"
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "machine": machine,
        "records": len(pages),
    }
    readme = _README.format(title=many, count=many, machine=machine)
    told = (transcripts or {}).items()
    parts = {
        "README.md": readme.encode(),
        _MANIFEST: json.dumps(manifest, indent=1).encode() + b"\n",
        **{f"checkpoints/{p.number:05d}.md": p.markdown.encode() for p in pages},
        _RECORDS: "".join(records).encode(),
        **({_CODE: code} if code else {}),
        **{f"transcripts/{session}.jsonl": lines for session, lines in told},
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(_entry(name), data)
    return buffer.getvalue()


def unpacked(data: bytes) -> SharedFile:
    """Return what a file brings, none of it proved yet.

    Raises:
        RecordRefused: it is not such a file, or of a newer form, or damaged.
    """
    # Each part that is listed costs memory, before the first is looked at.
    if data.count(_PART) > _MOST_PARTS:
        raise _not_ours()
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            _check_form(_read(archive, _MANIFEST, _MOST_MANIFEST))
            names = archive.namelist()
            return SharedFile(
                tuple(proofs_in(_read(archive, _RECORDS, _MOST_RECORDS))),
                _read(archive, _CODE, _MOST_CODE) if _CODE in names else b"",
                dict(_transcripts(archive, names)),
            )
    except RecordRefused:
        raise
    except _UNREADABLE:
        raise _not_ours() from None


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _MOMENT)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


def record_line(proof: RecordProof) -> str:
    """Return the line that a record is shared as."""
    values = (proof.machine, proof.previous_hash, proof.text, proof.hash)
    told = dict(zip(_FIELDS, values, strict=True))
    return json.dumps({**told, "name": proof.name}) + "\n"


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as part:
        data = part.read(most + 1)
    if len(data) > most:
        raise RecordRefused(
            f"`{name}` in it is larger than {most:,} bytes",
            hint="share fewer checkpoints at a time",
        )
    return data


def _transcripts(
    archive: zipfile.ZipFile, names: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield what was said in each session; all of it together is bounded."""
    left = _MOST_TRANSCRIPT
    found = [match for match in map(_TRANSCRIPT.fullmatch, names) if match]
    for match in found[:_MOST_TRANSCRIPTS]:
        data = _read(archive, match[0], left)
        left -= len(data)
        yield match[1], data


def _check_form(data: bytes) -> None:
    manifest = json.loads(data)
    if not isinstance(manifest, Mapping) or manifest.get("format") != FORMAT:
        raise _not_ours()
    version = manifest.get("version")
    if version != VERSION:
        raise RecordRefused(
            f"it was made by a newer holdfast (format {visible(str(version))[:20]})",
            hint="upgrade holdfast, then import it again",
        )


def proofs_in(data: bytes) -> Iterator[RecordProof]:
    """Yield the record of each line.

    Raises:
        RecordRefused, ValueError, KeyError, RecursionError: it is not such a line.
    """
    for line in BytesIO(data):
        if len(line) > _MOST_RECORD:
            raise _not_ours()  # what it would unfold to is many times as large
        raw: Any = json.loads(line)
        values = [raw[name] for name in _FIELDS] if isinstance(raw, Mapping) else []
        name = raw.get("name") if values else None
        if not values or not all(isinstance(value, str) for value in values):
            raise _not_ours()
        machine, previous_hash, text, digest = values
        called = name if isinstance(name, str) else None
        yield RecordProof(machine, previous_hash, text, digest, called)


def _not_ours() -> RecordRefused:
    return RecordRefused(
        "it is not a file that `holdfast export` made, or it is damaged",
        hint="ask whoever made it to export it again",
    )
