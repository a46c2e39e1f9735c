"""What can still be read of a line that was cut: its open strings and brackets closed.

So a prompt of 20 MB still counts as a prompt. Pure.
"""

from collections.abc import Iterator

from holdfast.kernel.lazy_patterns import pattern

_STRUCTURE = pattern(rb'["\[\]{}]')
_CUT_ESCAPE = pattern(rb"\\u[0-9a-fA-F]{0,3}\Z")
_CLOSERS = {ord("{"): b"}", ord("["): b"]"}


def repaired(beginning: bytes) -> Iterator[bytes]:
    """Yield what the line may have been, the likelier first.

    Where the cut fell into a string, that may have been a value or a name.
    """
    open_brackets, is_inside_string = _open_at_end(beginning)
    closers = b"".join(_CLOSERS[bracket] for bracket in reversed(open_brackets))
    if is_inside_string:
        beginning = _without_cut_escape(beginning)
        yield beginning + b'"' + closers
        yield beginning + b'":null' + closers
    else:
        yield beginning + closers
        yield beginning.rstrip(b", \t\r\n") + closers


def _open_at_end(text: bytes) -> tuple[bytearray, bool]:
    """Return the brackets that are open at the end, and whether a string is."""
    brackets = bytearray()
    found = _STRUCTURE.search(text)
    while found is not None:
        position = found.end()
        mark = text[found.start()]
        if mark == ord('"'):
            position = _string_end(text, position)
            if position < 0:
                return brackets, True
        elif mark in _CLOSERS:
            brackets.append(mark)
        elif brackets:
            brackets.pop()
        found = _STRUCTURE.search(text, position)
    return brackets, False


def _string_end(text: bytes, start: int) -> int:
    """Return the position after a string's closing quote, or -1."""
    quote = text.find(b'"', start)
    while quote >= 0 and _backslashes_before(text, quote, start) % 2:
        quote = text.find(b'"', quote + 1)
    return quote + 1 if quote >= 0 else -1


def _backslashes_before(text: bytes, end: int, start: int) -> int:
    position = end
    while position > start and text[position - 1] == ord("\\"):
        position -= 1
    return end - position


def _without_cut_escape(text: bytes) -> bytes:
    if cut := _CUT_ESCAPE.search(text, max(0, len(text) - 6)):
        slashes = _backslashes_before(text, cut.start() + 1, 0)
        return text[: cut.start()] if slashes % 2 else text
    return text[:-1] if _backslashes_before(text, len(text), 0) % 2 else text
