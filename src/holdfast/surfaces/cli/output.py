"""Output: stdout is for data, stderr for messages.

With `--json` there is exactly one JSON object on stdout. What people read is coloured
only on a terminal that wants it, and nothing invisible ever reaches one.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO

from holdfast.domain.text import visible
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

# Valid in JSON, yet a terminal may obey them: C1 controls, bidi, zero-width, tags.
_UNSAFE_IN_JSON = pattern(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
MARKS = {"✓": "\x1b[32m", "!": "\x1b[33m", "✗": "\x1b[31m"}
_MARK = pattern(r"^[✓!✗](?= )", re.MULTILINE)
_USUAL = 80  # columns, where nobody knows
_NARROWEST = 20  # columns: below that, breaking lines helps nobody
_DELETE = "\x7f"
_BMP_END = 0x10000


@dataclass(frozen=True, slots=True)
class Output:
    json: bool
    quiet: bool
    colour: bool
    stdout: TextIO
    stderr: TextIO

    def answer(self, value: Mapping[str, Any]) -> None:
        """Print the command's one JSON object."""
        self.stdout.write(json_text(value) + "\n")

    def print(self, text: str) -> None:
        """Print data for people; never an escape that is not ours."""
        shown = visible(text)
        if self.stdout.isatty():
            from holdfast.domain.terminal_width import folded

            shown = folded(shown, max(_NARROWEST, columns()))
        if self.is_terminal:  # a mark says it already; its colour is for the eye
            shown = _MARK.sub(lambda mark: f"{MARKS[mark[0]]}{mark[0]}\x1b[0m", shown)
        self.stdout.write(shown + "\n")

    def say(self, text: str) -> None:
        """Tell the user something; silent with `--quiet` and with `--json`."""
        if not (self.quiet or self.json):
            self.tell(text)

    def warn(self, text: str) -> None:
        """Tell the user something that must not be missed."""
        self.tell(f"warning: {text}")

    def tell(self, text: str) -> None:
        """Write a sentence to stderr, no wider than the terminal; a command in it can
        still be pasted."""
        shown = visible(text)
        if self.stderr.isatty():
            from holdfast.domain.terminal_width import folded

            shown = folded(shown, max(_NARROWEST, columns()), keeps_spans=True)
        self.talk(shown + "\n")

    def talk(self, text: str) -> None:
        """Write to stderr, after all that stdout has: both may be one screen."""
        with suppress(OSError):  # told when the command ends
            self.stdout.flush()
        self.stderr.write(text)

    @property
    def is_terminal(self) -> bool:
        return self.colour and self.stdout.isatty()


def standard_output(
    *, as_json: bool, quiet: bool, environ: Mapping[str, str]
) -> Output:
    for stream in (sys.stdout, sys.stderr):
        # A C locale must not turn a Thai title into an exception.
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # replaced by plain buffers only in tests
    wants_colour = "NO_COLOR" not in environ and environ.get("TERM") != "dumb"
    return Output(as_json, quiet, wants_colour, sys.stdout, sys.stderr)


def columns() -> int:
    """Return how wide the terminal is, as `shutil` does, which every command would
    import to know how wide its help could be."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        shown = sys.__stdout__.fileno() if sys.__stdout__ else -1
        return os.get_terminal_size(shown).columns or _USUAL
    except (ValueError, OSError):  # closed, or no terminal
        return _USUAL


def json_text(value: Mapping[str, Any]) -> str:
    """Return JSON that is safe to show in a terminal and lossless to parse."""
    text = json.dumps(value, ensure_ascii=False)
    is_plain = text.isascii() and _DELETE not in text
    return text if is_plain else _UNSAFE_IN_JSON.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < _BMP_END:
        return f"\\u{code:04x}"
    high, low = divmod(code - _BMP_END, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
