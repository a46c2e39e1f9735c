"""Where in a text a secret can be, who looks there, and where to look again.

Speed is what shapes this file: it sees every kept string. Each rule hangs on a mark: a
rare character (the separator in a token's prefix, or `:` and `=` after a name) or a few
letters. A text without one costs a few memory scans. What must hold where a mark stands
asks only whether a long enough run follows and the right prefix precedes; rules look at
the whole text around a hit, a bounded distance back and ahead.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import (
    Look,
    Span,
    blocks,
    by_field,
    by_name,
    by_position,
    by_word,
    pairs,
    prose,
    tokens,
)
from holdfast.redaction.blocks import BLOCKS, ENCODED
from holdfast.redaction.formats import CAPITAL_STARTS, DASH, DOT, LITERAL, STOPS

Window = tuple[int, int]  # where hits may begin: from, to
_Lettered = tuple[str, re.Pattern[str], Look]
_Marked = tuple[str, re.Pattern[str] | None, Look]
# What hangs on one letter is found by its expression, the rest by its mark. A gate is
# what marks have in common: a text without it has none of them.
_Scans = tuple[list[_Lettered], dict[str, list[_Marked]]]
_SHARED = ("/", " ", "&")
_READ_AHEAD = 320  # more than any scan reads to know a hit
_LONGEST_MARK = 16
_BEFORE_OPTION = (" ", "\t", '"', "'")
_BEFORE_EQUALS = ("from-literal", "X-Amz-Signature", "session")
# How far a rule looks back, and how far ahead if it goes on behind the end of its line.
_MOST_BACK = 1_200
_MOST_AHEAD = 2_000


def spans(text: str, windows: Iterable[Window] | None = None) -> list[Span]:
    """Return where secrets stand in a text; spans may overlap.

    With `windows`, only those whose marks stand there.
    """
    found: list[Span] = []
    if windows is None:
        _look(found, text, text, (0, len(text)))
    else:
        for begin, end in windows:
            piece = text[begin : end + _LONGEST_MARK]
            _look(found, text, piece, (begin, end))
    return found


def around(text: str, changes: Iterable[Window]) -> list[Window] | None:
    """Return where to look at a text again that only changed there; None is everywhere.

    Nothing that is found goes over the end of a line, and no rule reads further than to
    the end of a line or the limits above: but for keys of many lines.
    """
    if any(block in text for block in BLOCKS):
        return None
    windows: list[Window] = []
    for start, stop in changes:
        end = stop + _MOST_BACK
        if windows and start - _MOST_AHEAD <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(end, windows[-1][1]))
            continue
        begin = text.rfind("\n", 0, max(0, start - _MOST_AHEAD)) + 1
        if windows and begin <= windows[-1][1]:
            begin, _ = windows.pop()
        windows.append((begin, end))
    return windows


def scans() -> Iterator[tuple[str, str, Look]]:
    """Yield a mark, what must hold where it stands, and who looks there."""
    word, run = r"[A-Za-z0-9_\-]", tokens.RUN
    dashed = (rule for rule in DASH if not tokens.is_one_run(rule[2]))
    dash = (
        rf"-(?:{word}{{{run}}}(?<=[A-Za-z]-.{{{run}}})(?:(?<=-[A-Za-z0-9]{{{run}}})"
        rf"|{tokens.prefix_before(dashed)})|----BEGIN "
        r"|-(?:[a-z]{2,12}-)?(?:pass|token|secret|key|auth|api|access|private|user)"
        r"|[pPNawkuUAX](?<=[ \t\"']-.)(?=[ \t=\"'\\,]{0,12}[^\s\"']{4}|ass)"
        rf"|Lines: |S(?<=sudo -S)|(?<=htpasswd -)|{STOPS['-']})"
    )
    dot = (
        rf"\.(?:{word}{{{run}}}(?:{tokens.prefix_before(DOT)}|(?<=\.eyJ.{{{run - 3}}})"
        rf"|(?<=\.{word}{{6}}\..{{{run}}})"
        rf"|(?<=\.{word}{{16}}\..{{{run}}})|(?<=\.{word}{{22}}\..{{{run}}}))|com/(?:services|workflows|triggers|api)/"
        rf"|{STOPS['.']})"
    )
    colon = (
        rf":(?://[^\s/@:\"'<>]{{0,255}}[:@]|{word}{{35}}(?<=[0-9]{{8}}:.{{35}})"
        rf"|(?<=[0-9a-f]{{8}}:)[0-9a-f]{{64}}|(?:5432|\*):|(?<=\]:)[ \t]\S|{by_name.operator_scan(':')})"
    )
    yield "-", dash, _look_at_dash
    underscore = rf"_(?:[A-Za-z0-9+/]{{{run}}}|{STOPS['_']})"
    yield "_", underscore, tokens.after_underscore
    yield ".", dot, tokens.after_dot
    yield "A", CAPITAL_STARTS, _look_at_capital
    yield "dapi", r"dapi[0-9a-f]{32}", tokens.after_small
    yield ":", colon, _look_at_colon
    equals = (
        rf"=(?:(?<=from-literal=)|{STOPS['=']}|{by_position.SESSION}"
        rf"|{by_name.operator_scan('=')})"
    )
    yield "=", equals, _look_at_equals
    for letter in "~ZK":
        yield letter, f"{letter}(?:{STOPS[letter]})", tokens.inside
    yield "@", r"@(?:tcp|unix)\(|@(?<=[\w$#]@)", by_position.look_at_host
    yield ENCODED, ENCODED, blocks.encoded_key
    for kind, mark, whole in LITERAL:
        yield mark, mark, tokens.literal(kind, whole)
    for rules in (tokens, by_word, by_field, prose, pairs, by_position):
        yield from rules.SCANS


def _look(found: list[Span], text: str, piece: str, window: Window) -> None:
    """Add what hangs on marks in a window; `piece` is the text there."""
    begin, end = window
    by_letter, gates = _scans()
    for letter, expression, look in by_letter:
        if letter in piece:
            hit = expression.search(text, begin, end + _READ_AHEAD)
            while hit and hit.start() < end:
                begin_again = _add(found, look, text, hit.start())
                hit = expression.search(text, begin_again, end + _READ_AHEAD)
    for gate, marked in gates.items():
        if gate in piece:
            _look_at_marks(found, marked, text, window)
    if not piece.isascii():
        found += prose.foreign(text, begin, end)


def _look_at_marks(
    found: list[Span], marked: list[_Marked], text: str, window: Window
) -> None:
    """Add what stands at marks; an expression would look at each letter for them."""
    for mark, expression, look in marked:
        last = window[1] + len(mark) - 1
        at = text.find(mark, window[0], last)
        while at >= 0:
            is_hit = expression is None or expression.match(text, at)
            at = text.find(
                mark, _add(found, look, text, at) if is_hit else at + 1, last
            )


def _add(found: list[Span], look: Look, text: str, index: int) -> int:
    """Add what stands at a hit; return where to go on."""
    reached = index + 1
    for span in look(text, index):
        found.append(span)
        reached = max(reached, span[1])
    return reached


@cache  # whole or not at all: a server redacts in several threads
def _scans() -> _Scans:
    """Put the scans together at first need; at import every process would pay for it."""
    made: _Scans = [], {}
    for mark, whole, look in scans():
        gate = next((part for part in _SHARED if part in mark), mark)
        if len(mark) == 1:
            made[0].append((mark, pattern(whole), look))
        else:
            expression = None if whole == mark else pattern(whole)
            made[1].setdefault(gate, []).append((mark, expression, look))
    return made


def _look_at_dash(text: str, index: int) -> Iterable[Span]:
    if text.startswith("-----BEGIN ", index):
        return blocks.private_key(text, index)
    if text.startswith("--", index):
        return by_position.look_at_flag(text, index)
    if text.startswith("-Lines: ", index):
        return blocks.putty_key(text, index)
    if text[index - 1 : index] in _BEFORE_OPTION:
        return by_position.look_at_option(text, index)
    return tokens.after_dash(text, index)


def _look_at_equals(text: str, index: int) -> Iterable[Span]:
    if not text.endswith(_BEFORE_EQUALS, 0, index):
        return by_name.look_at_operator(text, index)
    return (
        *by_position.look_at_taken(text, index + 1),
        *by_position.look_at_session(text, index),
        *tokens.inside(text, index),
    )


def _look_at_capital(text: str, index: int) -> Iterator[Span]:
    for span in tokens.after_capital(text, index):
        yield span
        yield from pairs.beside_id(text, span)
    if text.startswith("AUTH ", index):
        yield from by_position.look_at_taken(text, index + len("AUTH "))


def _look_at_colon(text: str, index: int) -> Iterable[Span]:
    if text.startswith("//", index + 1):
        return by_position.look_at_address(text, index + 1)
    if found := tokens.around_colon(text, index):
        return found
    named = by_name.look_at_operator(text, index)
    if text.startswith((":5432:", ":*:"), index):
        return (*by_position.look_at_port(text, index), *named)
    return named
