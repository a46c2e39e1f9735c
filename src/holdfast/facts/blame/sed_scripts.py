"""What `sed -i` and `perl -pi -e` make of a text, for the scripts that are plain enough.

Nothing is run: a script is read, and one that is not understood to the letter is refused,
so that whoever asks never gets a text that the program would not have made. Expressions
are a small part of those that sed knows: none of them can take long, whatever the text.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

LineEdit = Callable[[list[str]], list[str]]

_ADDRESS = pattern(r"(?:(\d+|\$)(?:,(\d+|\$))?)?")
_OPTIONS = pattern(r"-(?:[nEri]|-expression|-in-place|-regexp-extended)*")
_LONGEST = 400  # characters of a line that an expression with repeats is tried on
_MOST_REPEATS = 2
_CLASSES = {"[:space:]": r"\s", "[:digit:]": r"\d", "[:alpha:]": "a-zA-Z",
            "[:alnum:]": "a-zA-Z0-9", "[:upper:]": "A-Z", "[:lower:]": "a-z"}  # fmt: skip
_SPECIAL = frozenset(".*^$")
_OF_EXTENDED = frozenset("+?|(){}")


class _NotUnderstood(Exception):
    """A script that may mean anything."""


class _Substitution(NamedTuple):
    expression: str  # in Python's words
    template: tuple[str | int, ...]  # texts, and the groups that stand between them
    everywhere: bool
    has_repeats: bool


def sed_edit(script: str, *, is_extended: bool) -> LineEdit | None:
    """Return what a script of sed does to the lines of a file; None: not understood."""
    try:
        edits = [_command(part, is_extended=is_extended) for part in _parts(script)]
    except (_NotUnderstood, re.error, IndexError):
        return None
    return (lambda lines: _all_of(edits, lines)) if edits else None


def perl_edit(script: str) -> LineEdit | None:
    """Return what `perl -pi -e` does with a script that is one substitution."""
    bare = script.strip().rstrip(";")
    if re.search(r"[$@\\]", bare):
        return None  # variables, and escapes that mean something else there
    return sed_edit(bare, is_extended=True)


def _all_of(edits: Sequence[LineEdit], lines: list[str]) -> list[str]:
    for edit in edits:
        lines = edit(lines)
    return lines


def _parts(script: str) -> Iterator[str]:
    """Yield the commands of a script; what stands behind the last must be blank."""
    at = 0
    while at < len(script):
        if script[at] in " \t\n;":
            at += 1
            continue
        end = _end_of(script, at)
        yield script[at:end]
        at = end


def _end_of(script: str, at: int) -> int:
    body = _ADDRESS.match(script, at)
    start = body.end() if body else at
    letter = script[start]
    if letter == "d":
        end = start + 1
    elif letter == "s":
        end = _fields(script, start)[3]
    else:
        raise _NotUnderstood
    if script[end : end + 1] not in ("", ";", "\n", " "):
        raise _NotUnderstood
    return end


def _fields(script: str, at: int) -> tuple[str, str, str, int]:
    """Return the expression, the replacement and the flags of `s/…/…/g`, and where it
    ends."""
    sign = script[at + 1]
    if sign.isalnum() or sign in "\\\n":
        raise _NotUnderstood
    fields: list[str] = []
    field, place = "", at + 2
    while len(fields) < 2:  # noqa: PLR2004  # an expression and a replacement
        letter = script[place]
        if letter == "\\":
            escaped = script[place + 1]
            field += escaped if escaped == sign and sign != "&" else letter + escaped
            place += 2
            continue
        if letter == sign:
            fields.append(field)
            field = ""
        elif letter == "\n":
            raise _NotUnderstood
        else:
            field += letter
        place += 1
    end = place
    while script[end : end + 1].isalpha():
        end += 1
    return fields[0], fields[1], script[place:end], end


def _command(part: str, *, is_extended: bool) -> LineEdit:
    address = _ADDRESS.match(part)
    rest = part[address.end() :] if address else part
    first, last = (address[1], address[2]) if address else (None, None)
    if rest == "d":
        if first is None:
            raise _NotUnderstood
        return lambda lines: _deleted(lines, first, last)
    expression, replacement, flags, end = _fields(rest, 0)
    if not set(flags) <= {"g"} or end != len(rest):
        raise _NotUnderstood
    change = _substitution(expression, replacement, flags, is_extended=is_extended)
    return lambda lines: _substituted(lines, change, first, last)


def _span(lines: Sequence[str], first: str | None, last: str | None) -> tuple[int, int]:
    """Return which lines an address names; a file's last line may be without an end."""
    count = len(lines) - (1 if lines and not lines[-1] else 0)
    if first is None:
        return 0, count
    start = count if first == "$" else int(first)
    end = start if last is None else count if last == "$" else int(last)
    return start - 1, min(max(end, start), count)


def _deleted(lines: list[str], first: str | None, last: str | None) -> list[str]:
    start, end = _span(lines, first, last)
    if not 0 <= start < end:
        return lines
    return lines[:start] + (lines[end:] or [""])  # the line before keeps its end


def _substituted(
    lines: list[str], change: _Substitution, first: str | None, last: str | None
) -> list[str]:
    start, end = _span(lines, first, last)
    found = list(lines[: max(start, 0)])
    for line in lines[max(start, 0) : end]:
        if change.has_repeats and len(line) > _LONGEST:
            found.append(line)  # not tried: what became of it is not known
            continue
        most = 0 if change.everywhere else 1
        new = re.sub(
            change.expression,
            lambda match: _filled(change.template, match),
            line,
            count=most,
        )
        found += new.split("\n")
    return found + list(lines[max(start, end) if start >= 0 else end :])


def _filled(template: Sequence[str | int], match: "re.Match[str]") -> str:
    return "".join(
        part if isinstance(part, str) else match[part] or "" for part in template
    )


def _substitution(
    expression: str, replacement: str, flags: str, *, is_extended: bool
) -> _Substitution:
    translated, repeats = _translated(expression, is_extended=is_extended)
    re.search(translated, "")  # one that is none is refused here
    template = tuple(_template(replacement))
    wanted = [part for part in template if isinstance(part, int)]
    groups = translated.replace("\\(", "").count("(")
    if any(group > groups for group in wanted):
        raise _NotUnderstood
    return _Substitution(translated, template, "g" in flags, repeats > 0)


def _template(replacement: str) -> Iterator[str | int]:
    place = 0
    while place < len(replacement):
        letter = replacement[place]
        if letter == "&":
            yield 0
        elif letter == "\\":
            place += 1
            letter = replacement[place]
            if letter.isdigit():
                yield int(letter)
            elif letter in "nt":
                yield "\n" if letter == "n" else "\t"
            elif letter.isalpha():
                raise _NotUnderstood  # \U, \L and their like
            else:
                yield letter
        else:
            yield letter
        place += 1


def _translated(expression: str, *, is_extended: bool) -> tuple[str, int]:
    """Return an expression in Python's words, and how often it repeats something."""
    out, place, repeats, before = "", 0, 0, ""
    while place < len(expression):
        letter = expression[place]
        if letter == "[":
            word, place = _bracket(expression, place)
        elif letter == "\\":
            word, place = _escaped(expression[place + 1], is_extended), place + 2
        elif letter in _OF_EXTENDED:
            word, place = letter if is_extended else re.escape(letter), place + 1
        else:
            word = letter if letter in _SPECIAL else re.escape(letter)
            place += 1
        if word in ("*", "+", "?", "{", "}"):
            # What repeats a group, or a repeat, can take for ever.
            if before in ("", ")", "^", "|", "(", "*", "+", "?") or word in "{}":
                raise _NotUnderstood
            repeats += 1
        out, before = out + word, word
    if repeats > _MOST_REPEATS:
        raise _NotUnderstood
    return out, repeats


def _escaped(letter: str, is_extended: bool) -> str:  # noqa: FBT001  # one of two dialects
    if letter in _OF_EXTENDED:
        return re.escape(letter) if is_extended else letter
    if letter in "swSWb":
        return f"\\{letter}"
    if letter in "nt":
        return f"\\{letter}"
    if letter.isalnum():
        raise _NotUnderstood
    return re.escape(letter)


def _bracket(expression: str, place: int) -> tuple[str, int]:
    start = place + 1
    if expression[start : start + 1] == "^":
        start += 1
    if expression[start : start + 1] == "]":
        raise _NotUnderstood
    end = expression.index("]", start) if "]" in expression[start:] else -1
    for name in _CLASSES:
        if name in expression[start:]:
            end = expression.find("]", expression.index(name, start) + len(name))
    if end < 0:
        raise _NotUnderstood
    inside = expression[place + 1 : end]
    for name, meaning in _CLASSES.items():
        inside = inside.replace(name, meaning)
    if "[" in inside or "\\\\" in inside:
        raise _NotUnderstood
    return f"[{inside}]", end + 1
