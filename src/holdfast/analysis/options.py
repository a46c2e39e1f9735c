"""Which of the agent's options a short answer picks: `2`, `b)`, "the second one"."""

import re
from collections.abc import Iterator

from holdfast.analysis.prose import plain, without_code
from holdfast.patterns import pattern

_MOST_PICKED = 3
_LABEL = r"(?:[a-h]|\d{1,2})"
_CHOICE = (
    r"(?:option|choice|variant|approach|opción|opcion|variante|方案|选项|옵션|ตัวเลือก)"
)
# `B) …`, `**2.** …`, `Option C: …`, `### Option 1 – …`
_OFFERED = pattern(
    rf"^\s*(?:[-*•+]\s+|#+\s+)?(?:\*\*|__)?\(?(?:{_CHOICE}\s*)?({_LABEL})\s*[.):：–—-]+\s*(?:\*\*|__)?\s*(?=\S)",
    re.IGNORECASE,
)
_PICKED_ALONE = pattern(
    rf"\W*(?:(?:i(?:'d| would)? (?:think|prefer|choose|pick|say|go (?:with|for))|let'?s (?:do|go with|try|use|take)"
    rf"|go (?:with|for)|do|use|take|yes|ok|please|the|number|no\.?|nr\.?)\W+)*(?:{_CHOICE}\s*)?({_LABEL})"
    rf"(?:\s*(?:,|and|\+|&|und|et|y|和)\s*({_LABEL}))?\W*(?:please|then|it is|one)?\W*",
    re.IGNORECASE,
)
_PICKED_BY_MARK = pattern(
    rf"\b{_CHOICE}\s*({_LABEL})\b|(?<![\w(])([A-Ha-h]|\d)\)(?!\w)", re.IGNORECASE
)
_ORDINAL = pattern(
    r"\b(?:(first)|(second)|(third)|(fourth))\b(?: (?:one|option|approach|choice)\b|\W*$)",
    re.IGNORECASE,
)


def picked_option(words: str, offer: str) -> str:
    """Return the options of a message that an answer picks by their labels, or nothing."""
    offered = _offered(offer)
    picked = (offered.get(label, "") for label in _labels(words))
    return " · ".join([text for text in picked if text][:_MOST_PICKED])


def _labels(words: str) -> Iterator[str]:
    alone = _PICKED_ALONE.fullmatch(words)
    found = [alone] if alone else _PICKED_BY_MARK.finditer(words)
    for match in found:
        yield from (label.lower() for label in match.groups() if label)
    for match in _ORDINAL.finditer(words):
        yield from (str(n) for n, word in enumerate(match.groups(), 1) if word)


def _offered(message: str) -> dict[str, str]:
    """Return the options by their labels; of a label given twice, the last."""
    found: dict[str, str] = {}
    for line in without_code(message):
        if label := _OFFERED.match(line):
            text = plain(line[label.end() :].replace("**", "")).strip()
            found[label[1].lower()] = f"{label[1]}) {text}"
    return found
