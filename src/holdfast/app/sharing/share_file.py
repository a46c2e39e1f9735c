"""The file that carries checkpoints to another machine: a zip that anybody can look into.

    README.md            what this is and how to take it in
    checkpoints/00042.md a checkpoint to read
    manifest.json        which form the file has, and who made it
    records.jsonl        a record on each line, as its store hashed it

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
from holdfast.kernel.lazy_values import dataclass

FORMAT = "holdfast-share"
VERSION = 1
MOST_BYTES = 200_000_000  # of a file
_MOST_RECORDS = 100_000_000  # bytes of all records together, unpacked
_MOST_MANIFEST = 100_000
_MANIFEST, _RECORDS = "manifest.json", "records.jsonl"
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


def is_packed(data: bytes) -> bool:
    """Say whether bytes begin as such a file does."""
    return data.startswith(b"PK")


def packed(pages: Sequence[SharedPage], machine: str) -> bytes:
    """Return the file of some records."""
    records = (record_line(page.proof) for page in pages)
    many = "1 checkpoint" if len(pages) == 1 else f"{len(pages):,} checkpoints"
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "machine": machine,
        "records": len(pages),
    }
    readme = _README.format(title=many, count=many, machine=machine)
    parts = {
        "README.md": readme,
        _MANIFEST: json.dumps(manifest, indent=1) + "\n",
        **{f"checkpoints/{page.number:05d}.md": page.markdown for page in pages},
        _RECORDS: "".join(records),
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(_entry(name), text.encode())
    return buffer.getvalue()


def unpacked(data: bytes) -> tuple[RecordProof, ...]:
    """Return the records of a file, none of them proved yet.

    Raises:
        RecordRefused: it is not such a file, or of a newer form, or damaged.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            _check_form(_read(archive, _MANIFEST, _MOST_MANIFEST))
            return tuple(proofs_in(_read(archive, _RECORDS, _MOST_RECORDS)))
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


def _check_form(data: bytes) -> None:
    manifest = json.loads(data)
    if not isinstance(manifest, Mapping) or manifest.get("format") != FORMAT:
        raise _not_ours()
    version = manifest.get("version")
    if version != VERSION:
        raise RecordRefused(
            f"it was made by a newer holdfast (form {visible(str(version))[:20]})",
            hint="bring holdfast up to date, then import it again",
        )


def proofs_in(data: bytes) -> Iterator[RecordProof]:
    """Yield the record of each line.

    Raises:
        RecordRefused, ValueError, KeyError, RecursionError: it is not such a line.
    """
    for line in data.splitlines():
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
        hint="ask for it once more where it was made",
    )
