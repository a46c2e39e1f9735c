"""Letters and signs that look plain to people and to a search, and are not.

Each stands for one plain sign, so a text read plainly has the same length: full width,
circled and mathematical letters; colons, equals signs and blanks of other scripts.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from holdfast.domain.text import odd_characters
from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction.scan import Window

_STRETCH = 1_024
_LETTERS = (
    (0xFF10, 0xFF1A), (0xFF21, 0xFF3B), (0xFF41, 0xFF5B), (0x24B6, 0x24EA),
    (0x1D400, 0x1D800),
)  # fmt: skip
_WIDE_SIGNS = (0xFF01, 0xFF5F)
_SEPARATORS = {"﹕": ":", "︓": ":", "꞉": ":", "∶": ":", "﹦": "="}
_BLANKS = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
_MORE_BLANKS = "\u202f\u205f\u3000"


def _range(first: int, end: int) -> str:
    return f"{chr(first)}-{chr(end - 1)}"


_IN_LETTERS = "".join(_range(*each) for each in _LETTERS)
_IN_JOINTS = f"{''.join(_SEPARATORS)}：＝{_BLANKS}{_MORE_BLANKS}"
_WORD = pattern(f"[{_IN_LETTERS}]{{4}}")
_JOINTS = frozenset(_IN_JOINTS)
# In Chinese such signs are everywhere: what matters is one behind a name, or its colon.
_TELLING_JOINT = f"[{_IN_JOINTS}](?:(?<=[A-Za-z\"'`)\\]*:=：＝].)|(?<=[A-Za-z\"'`)\\]*:=：＝][ \\t].))"
_TELLING = pattern(f"[{_IN_LETTERS}]|{_TELLING_JOINT}")
_TELLING_ALONE = pattern(_TELLING_JOINT)
_DISGUISE = pattern(f"[{_IN_LETTERS}{_IN_JOINTS}{_range(*_WIDE_SIGNS)}]")


def read_plainly(
    text: str, windows: Iterable[Window] | None = None
) -> tuple[str, list[Window]] | None:
    """Return a text as it looks, and where that matters; None if it nowhere does.

    With `windows`, only what stands there can matter.
    """
    odd = odd_characters(text)
    may_be_word = _WORD.search(odd) is not None
    if not may_be_word and _JOINTS.isdisjoint(odd):
        return None
    everywhere = list(_odd_stretches(text, [(0, len(text))]))
    is_word = may_be_word and any(_WORD.search(text, b, e + 3) for b, e in everywhere)
    telling = _TELLING if is_word else _TELLING_ALONE
    asked = everywhere if windows is None else _odd_stretches(text, windows)
    places = [hit.span() for b, e in asked for hit in telling.finditer(text, b, e)]
    return (_plain(text, everywhere), places) if places else None


def _odd_stretches(text: str, windows: Iterable[Window]) -> Iterator[Window]:
    """Yield what of the windows is not ASCII: most of a text is, and costs nothing."""
    for begin, end in windows:
        for at in range(begin, min(end, len(text)), _STRETCH):
            stop = min(at + _STRETCH, end)
            if not text[at:stop].isascii():
                yield at, stop


def _plain(text: str, stretches: list[Window]) -> str:
    parts: list[str] = []
    done = 0
    for begin, end in stretches:
        parts += (text[done:begin], _DISGUISE.sub(_plain_sign, text[begin:end]))
        done = end
    return "".join((*parts, text[done:]))


def _plain_sign(disguise: re.Match[str]) -> str:
    return _plain_signs().get(disguise[0], disguise[0])


@cache
def _plain_signs() -> dict[str, str]:
    wide = {
        chr(code): plain
        for first, end in (*_LETTERS, _WIDE_SIGNS)
        for code in range(first, end)
        if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1
    }
    return wide | _SEPARATORS | dict.fromkeys(_BLANKS + _MORE_BLANKS, " ")
