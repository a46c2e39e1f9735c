"""Prompts that are nothing but what a program printed: they show what happened, and say
nothing. A trace, a screen, a log, the marks of a conflict."""

from collections.abc import Sequence
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.quotations import is_printed, own_words
from holdfast.language.sentences import UNSPACED, is_typed_below

_FEWEST_WORDS = 3  # of a line that says something
_FAILURE = pattern(
    r"^[\s\\]*(?:Uncaught\s+|\d{1,2}:\d\d\S*\s+)?(?:Traceback\b|Caused by:|Exception in thread|panic:|npm ERR|[\w.]*(?:Exception|Error)(?:\s\w+)?:\s\S"
    r"|(?:ERROR|FATAL)\b|(?:INFO|WARN(?:ING)?|DEBUG|CRITICAL):[\w.]+:)"
)
_FEWEST_PRINTED = 3  # lines
# What a script's runner prints first, what says what it is at, and a shell's sign
# behind a place.
_BEGINS_SCREEN = pattern(
    r"^(?:>\s@?[\w/.-]+@\d+\.|[A-Z]\w+ing\s[^?!:]{1,100}\.\.\.$"
    r"|[\w.-]+:[~/][^\s$#%>]{0,120}[$#%>]\s\S)"
)
_CONFLICT = pattern(r"^(?:<{7}|>{7})\s")
_PICTURE = pattern(r"^\s*[\u2600-\u276e\u2770-\u27bf\U0001f300-\U0001faff\ufffd]")
# Words in a script without spaces, behind a line of output that has none.
_TYPED_BEHIND = pattern(
    r"^([\x20-\x7e]{30,}[\s\u3000])\S{0,12}?[\u0e00-\u9fff\uac00-\ud7a3]{4}"
)


@lru_cache(maxsize=512)  # every pass asks
def is_only_printed(prompt: str) -> bool:
    """Say whether a prompt is nothing but what programs wrote: it shows what happened,
    and says nothing. One line alone must begin as only a failure does."""
    lines = [line for line in prompt.splitlines() if line.strip()]
    if not lines or _ends_typed(lines):
        return False
    own = own_words(prompt)
    if _BEGINS_SCREEN.match(lines[0]) or any(map(_CONFLICT.match, lines)):
        return not (own.endswith(lines[-1].strip()) and _is_said(lines[-1]))
    is_said = own != prompt.strip() and any(map(_is_said, own.splitlines()))
    if is_said or _FAILURE.match(lines[0]):
        return not is_said
    printed = sum(map(is_printed, lines))
    if printed * 5 >= len(lines):
        # Scripts begin their lines with pictures; so do lists of wishes, and only those.
        printed = sum(bool(_PICTURE.match(line) or is_printed(line)) for line in lines)
    return len(lines) >= _FEWEST_PRINTED and printed * 3 >= len(lines) * 2


def _ends_typed(lines: Sequence[str]) -> bool:
    """Say whether the user typed below what a program wrote, or right behind it."""
    *above, last = lines
    if behind := _TYPED_BEHIND.match(last):
        return not any(max(line) >= UNSPACED for line in (*above, behind[1].rstrip()))
    return bool(above) and is_typed_below(last, above)


def _is_said(line: str) -> bool:
    """Say whether a line has some words, and does not begin as only a program's does."""
    is_short = len(line.split()) < _FEWEST_WORDS and max(line, default="") < UNSPACED
    return not (
        is_short or _FAILURE.match(line) or _PICTURE.match(line) or is_printed(line)
    )
