"""Secrets that say where they were put, and a search for them in everything we wrote."""

import json
import subprocess
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

# What the format uses to hold a transcript together: a canary there breaks the line.
_STRUCTURE = frozenset(
    [
        "type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "leafUuid",
        "timestamp", "sessionId", "session_id", "id", "tool_use_id", "toolUseID",
        "parentToolUseID", "role", "name", "cwd", "isSidechain", "messageId",
        "requestId", "level", "status", "sourceToolAssistantUUID", "promptId",
    ]
)  # fmt: skip
_LETTERS = "bcdfghjklmnpqrstvwxz"


OWN_RULE = "ACM-*-own"


class Canaries:
    """Makes one secret per field, and remembers which field has which."""

    def __init__(self, form: str = "ghp_{}A1b2C3d4E5f6G7h8J9k0L1m2") -> None:
        self.made: dict[str, str] = {}
        self._form = form

    @classmethod
    def of_own_rule(cls) -> "Canaries":
        """Secrets that nobody but the user's own rule knows."""
        return cls(OWN_RULE.replace("*", "{}"))

    def __call__(self, field: str) -> str:
        """Return the secret of a field: a token that no rule could take for a word."""
        if field not in self.made:
            digest = sha256(field.encode()).digest()
            letters = "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:12])
            self.made[field] = self._form.format(letters)
        return self.made[field]

    def spoil(self, value: Any, field: str) -> Any:
        """Return a JSON value with a canary in every text that is not structure."""
        if isinstance(value, str):
            return f"{value} {self(field)}"
        if isinstance(value, list):
            return [self.spoil(item, f"{field}[]") for item in value]
        if isinstance(value, dict):
            return {
                key: item if key in _STRUCTURE and isinstance(item, str) else self.spoil(item, f"{field}.{key}")
                for key, item in value.items()
            }  # fmt: skip
        return value

    def in_text(self, text: str) -> list[str]:
        """Return the fields whose canary is in a text, whatever became of its case."""
        lowered = text.lower()
        return [f for f, secret in self.made.items() if _core(secret) in lowered]

    def in_files(self, *roots: Path) -> list[str]:
        """Return each field whose canary a file holds, or the name of one."""
        found = []
        for root in roots:
            for path, data in _contents(root):
                text = data.decode("utf-8", "replace") + data.decode(
                    "utf-16-le", "replace"
                )
                found += [
                    f"{field} in {path}" for field in self.in_text(f"{path}\n{text}")
                ]
        return found


def spoiled_transcript(sample: Path, canaries: Canaries) -> str:
    """Return a transcript with a canary in every text field of every line."""
    lines = []
    for row in sample.read_text(encoding="utf-8").splitlines():
        line = json.loads(row)
        kind = str(line.get("type"))
        lines.append(json.dumps(canaries.spoil(line, f"transcript:{kind}")))
    return "\n".join(lines) + "\n"


def _core(secret: str) -> str:
    return secret[4:16]  # the letters, which no analysis of words takes apart


def _contents(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            yield str(path.relative_to(root)), data
            if "objects" in path.parts:
                yield f"{path.name} (inflated)", _inflated(data)
            if path.suffix == ".pack":
                yield f"{path.name} (unpacked)", _unpacked(path)


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error:
        return b""


def _unpacked(pack: Path) -> bytes:
    """Return every object of a pack, as git reads it."""
    directory = pack.parents[2]
    asked = ["git", "cat-file", "--batch", "--batch-all-objects"]
    call = [asked[0], f"--git-dir={directory}", *asked[1:]]
    return subprocess.run(call, capture_output=True, check=False).stdout
