"""git's configuration syntax, read without git: no includes, no programs, no surprises."""

import re
from collections.abc import Mapping

from holdfast.kernel.lazy_patterns import pattern

# `section.subsection.key` -> its values in order; section and key in lower case.
Values = Mapping[str, tuple[str, ...]]

_SECTION = pattern(r'\[[ \t]*([\w.-]+)[ \t]*(?:"((?:[^"\\\n]|\\.)*)"[ \t]*)?\]')
_KEY = pattern(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)")
_GAP = pattern(r"(?:\s|[#;][^\n]*)+")
_PIECE = pattern(r'\\(.|\n)|["#;\n]|[ \t\r\v\f]+|[^\\"#;\s]+|.')
_ESCAPED = {"n": "\n", "t": "\t", "b": "\b", "\n": "", '"': '"', "\\": "\\"}
_TRUE = frozenset(["true", "yes", "on", "1"])


def parse(text: str) -> Values:
    """Return what a configuration file says, as far as it can be understood."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    values: dict[str, list[str]] = {}
    section = ""
    at = 0
    while at < len(text):
        if gap := _GAP.match(text, at):
            at = gap.end()
        elif header := _SECTION.match(text, at):
            section = _section_name(header[1], header[2])
            at = header.end()
        elif key := _KEY.match(text, at):
            value, at = _value(text, key.end()) if key[2] else ("true", key.end())
            values.setdefault(f"{section}.{key[1].lower()}", []).append(value)
        else:
            break  # git refuses the file here; what came before is still true
    return {name: tuple(found) for name, found in values.items()}


def last(values: Values, name: str) -> str | None:
    """Return the value that counts: the last."""
    found = values.get(name)
    return found[-1] if found else None


def is_true(values: Values, name: str) -> bool:
    return (last(values, name) or "false").lower() in _TRUE


def quoted(value: str) -> str:
    """Return a value as it can be written into a configuration file."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'


def _section_name(section: str, subsection: str | None) -> str:
    if subsection is None:
        return section.lower()
    return section.lower() + "." + re.sub(r"\\(.)", r"\1", subsection)


def _value(text: str, at: int) -> tuple[str, int]:
    """Read a value up to the end of its line; return it and where the rest begins."""
    parts: list[str] = []
    spaces = ""
    in_quotes = False
    while found := _PIECE.match(text, at):
        piece = found[0]
        if piece == "\n" or (piece in ("#", ";") and not in_quotes):
            break
        at = found.end()
        if piece == '"':
            in_quotes = not in_quotes
            parts.append(spaces)
        elif piece.isspace() and not in_quotes:
            spaces = piece if parts else ""
            continue
        else:
            escaped = _ESCAPED.get(found[1], "") if found[1] else piece
            parts.append(spaces + escaped)
        spaces = ""
    return "".join(parts), at
