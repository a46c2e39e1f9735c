"""What a file says about failing: the lines that raise, return or report an error. Pure."""

import re

from holdfast.patterns import pattern

_WINDOW = 20_000  # characters of a file that are looked at
_MOST = 10
_SHORTEST, _LONGEST = 15, 140
_NUMBER = pattern(r"\s*\d+(?:→|\t)\s*")  # the client numbers the lines it reads
_FAILING = pattern(
    r"\b(?:error|exception|failed|fatal|panic|cannot|undefined|not found|traceback)\b",
    re.IGNORECASE,
)


def failing_lines(text: str) -> str:
    """Return the first lines that tell how the code fails, each once."""
    found: dict[str, None] = {}
    for line in text[:_WINDOW].split("\n"):
        if _FAILING.search(line):
            said = _NUMBER.sub("", line, count=1).strip()
            if _SHORTEST <= len(said) <= _LONGEST:
                found[said] = None
                if len(found) == _MOST:
                    break
    return "\n".join(found)
