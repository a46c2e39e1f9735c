"""What the files at hand say: how code that was read fails, names in what was written.

Pure. Looked at only for the last files of a reading.
"""

import re
from collections.abc import Mapping

from holdfast.agents.clean import MARGIN, Cleaner
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.prose import identifiers

_WINDOW = 20_000  # characters of a file that are looked at
_MOST = 10
_WRITTEN = 3_000  # characters of what was written that names are looked for in
_MOST_NAMES = 40
_SHORTEST, _LONGEST = 15, 140
_MOST_FILES = 30
_FILE = pattern(r"[^\s\"'<>|(){}]{1,200}\.\w{1,8}")
_NUMBER = pattern(r"\s*\d+(?:→|\t)\s*")  # the client numbers the lines it reads
_FAILING = pattern(
    r"(?:error|exception|\b(?:failed|fatal|panic|cannot|undefined|not found|traceback))\b",
    re.IGNORECASE,
)

# Most lines have none of these, and plain words are found eight times as fast.
_SIGNS = (
    "error", "exception", "failed", "fatal", "panic", "cannot", "undefined", "not found",
    "traceback",
)  # fmt: skip


def failing_lines(text: str) -> str:
    """Return the first lines that tell how the code fails, each once."""
    found: dict[str, None] = {}
    for line in text[:_WINDOW].split("\n"):
        if _has_sign(line.lower()) and _FAILING.search(line):
            said = _NUMBER.sub("", line, count=1).strip()
            if _SHORTEST <= len(said) <= _LONGEST:
                found[said] = None
                if len(found) == _MOST:
                    break
    return "\n".join(found)


def files_listed(text: str) -> str:
    """Return the files that a search found, each once: it names them line by line,
    alone or before what it found in them."""
    found: dict[str, None] = {}
    for line in text[:_WINDOW].split("\n"):
        path = line.partition(":")[0].strip().removeprefix("./")
        if "/" in path and _FILE.fullmatch(path):
            found[path] = None
            if len(found) == _MOST_FILES:
                break
    return "\n".join(found)


def _has_sign(lowered: str) -> bool:
    for sign in _SIGNS:  # noqa: SIM110  # any() costs as much as all of it
        if sign in lowered:
            return True
    return False


def written(fields: object) -> str:
    """Return the beginning of what a call writes into a file, as far as it is used."""
    if not isinstance(fields, Mapping):
        return ""
    edits = fields.get("edits")
    steps = [fields, *(edits if isinstance(edits, list) else ())]
    texts = (
        step.get(key)
        for step in steps
        if isinstance(step, Mapping)
        for key in ("new_string", "content", "new_source")
    )
    kept = [text[: _WRITTEN + MARGIN + 1] for text in texts if isinstance(text, str)]
    return "\n".join(kept)[: _WRITTEN + MARGIN + 1]


def names_written(text: str, clean: Cleaner) -> str:
    """Return the names in what was written, redacted first: a secret can look like one."""
    return " ".join(identifiers(clean.text(text, _WRITTEN))[:_MOST_NAMES])
