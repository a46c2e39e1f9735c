"""The one line of an output that says how a command went.

Of a failure: what went wrong, not that something did. Lines that only announce
(`error during build:`), count, name a test or a place are passed over for the one that
has the message; a test's name is told with it where the message alone says little.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from holdfast.domain.text import one_line
from holdfast.kernel.lazy_patterns import pattern
from holdfast.session.key_line_words import COUNTS_FAILURES

_LONGEST = 160  # characters
_RESULT = pattern(
    r"(?<![:.,\d/-])\d+\s+(?:passed|failed|passing|failing|tests?|errors?|warnings?|issues?"
    r"|problems?|skipped|examples?|offenses?|files?\s+changed|to add)\b"
    r"|^(?:(?:ok|FAIL|PASS|BUILD|Tests?|Found)\b|(?:Apply|Destroy) complete!|https://\S+$)",
    re.IGNORECASE,
)
# How much a line says of what went wrong, the most first.
(
    _TELLS_TEST, _TELLS_WHAT, _COMPARES, _TELLS, _HINTS, _NAMES, _HAS_PLACE,
    _ONLY_SAYS_THAT,
) = range(8)  # fmt: skip
_PREFIX = pattern(
    r"^(?:\[[\w:.-]+\] +|E +|[✖✕×✗] +)+"
)  # of a task runner, pytest, a list
_PLACE = pattern(
    r"^\S+\.\w+(?::(?P<line>\d+)(?P<column>:\d+)?:?|:?[\[(]\d+,\d+[\])]:?)(?=\s|$)\s*(?:- )?"
)
_MESSAGE = pattern(
    r"^(?:[\w.$]*(?:Error|Exception|Exit|Failure)|\w+(?:::\w+)+|(?i:fatal|panic|error\[\w+\]))"
    r"(?:\s\[?\w+\]?)?: +\S|(?i:(?:^|\s|: )(?:fatal )?error(?: ts\d+)?: +\S)"
)
_TEST_WITH_MESSAGE = pattern(r"^(?:FAILED|ERROR) \S+ - \S")
_SPEAKS_OF_TROUBLE = pattern(
    r"error|exception|fail|fatal|panic|cannot|can't|undefined|not found|denied|refused"
    r"|traceback|assert|mismatch|conflict|deadlock|data race|overflow|timed out",
    re.IGNORECASE,
)
_MAY_SPEAK_OF_TROUBLE = pattern(
    r"unexpected|invalid|missing|expected|unable|timed? ?out|\bwant\b|\bgot\b|should|must"
    r"|incorrect|wrong",
    re.IGNORECASE,
)
_SIDE = pattern(
    r"^(?:(?P<one>expected|left|want(?:ed)?)|received|got|right|actual|but was)\b *: *\S",
    re.IGNORECASE,
)
_NAME = pattern(
    r"^(?:● |\d+\) |--- FAIL|FAIL(?:ED)?\b(?!\s+\S+\s+[\d.[])|\[ +FAILED +\]|ERROR \S+$|Failure/Error:|_{3,}|test .* \.\.\. )"
)
# That something went wrong, and how it ended.
_ANNOUNCES = pattern(
    r":$|^(?:traceback|\w*make(?:\[\d+\])?: \*\*\*)|traceback \(most recent|aborted!$"
    r"|fail(?:ed|ures?)?(?: in [\d.]+ ?m?s| with [\w ]{1,30})?[.!]*$|npm (?:ERR!|error) code \S+$"
    r"|exit(?:ed)?(?: with)? (?:code|status):? \d+\W*$|^error command failed|ERROR task failed$"
    r"|returned \d+ exit status$|^FAIL\s+\S+\s+(?:[\d.]+s|\[)"
    r"|^\W*\w*$|^failed to compile|to rerun pass|^error in \S+ [\d:-]+$|ImportError while importing",
    re.IGNORECASE,
)
_SYSTEM_SAYS = pattern(r"no such file|permission denied|EACCES|ENOENT", re.IGNORECASE)
# What a compiler says around an error, or in place of one.
_BESIDE_ERROR = pattern(
    r"(?:recursively )?required (?:from|by)\b|(?:note|warning|remark): |In (?:instantiation|substitution|\w* ?function)\b"
)
_NO_MESSAGE = pattern(r":$|^\W*[\w.]*$|^in \S+$|^in `")  # behind a place
_CODE = pattern(r"^[\w.]+\(.*[);{]$|^(?:func|def|return|if|raise|throw|import) |[{;]$")


def failure_line(output: str) -> str:
    """Return the line that says most of what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    lines = list(_with_both_sides(lines))
    if not lines:
        return ""
    ranks = [_rank(line) for line in lines]
    best = min(ranks)
    if best >= _ONLY_SAYS_THAT:
        telling = [line for line in lines if not _ANNOUNCES.search(line)]
        return one_line(telling[-1] if telling else lines[0], _LONGEST)
    return one_line(_with_name(lines, ranks, ranks.index(best)), _LONGEST)


def says_what(output: str) -> bool:
    """Say whether an output tells what went wrong, and not only that something did."""
    lines = (line.strip() for line in output.splitlines())
    return any(
        _rank(line) <= _TELLS or _SYSTEM_SAYS.search(line) for line in lines if line
    )


def success_line(output: str) -> str:
    """Return the last line that tells a result, or nothing."""
    lines = (line.strip() for line in reversed(output.splitlines()))
    return one_line(next(filter(_RESULT.search, lines), ""), _LONGEST)


def _rank(line: str) -> int:
    if _TEST_WITH_MESSAGE.match(line):
        return _TELLS_TEST
    bare = _PREFIX.sub("", line)
    if _NAME.match(bare):
        return _NAMES
    if place := _PLACE.match(bare):
        return _rank_of_place(place, bare[place.end() :])
    if _ANNOUNCES.search(bare) or _CODE.search(bare):
        return _ONLY_SAYS_THAT
    return _rank_of_words(bare, is_marked=bare != line)


def _rank_of_place(place: re.Match[str], message: str) -> int:
    """A compiler names the column; a log line names a place, too, and all may be well."""
    if not message or _NO_MESSAGE.search(message):
        return _ONLY_SAYS_THAT
    if _BESIDE_ERROR.match(message):
        return _HAS_PLACE
    is_found = place["column"] or not place["line"]
    signs = (_SPEAKS_OF_TROUBLE, _MAY_SPEAK_OF_TROUBLE)
    is_trouble = is_found or any(sign.search(message) for sign in signs)
    return _TELLS_WHAT if is_trouble else _HAS_PLACE


def _rank_of_words(message: str, *, is_marked: bool) -> int:
    signs = (
        (_MESSAGE, _TELLS_WHAT),
        (_SIDE, _COMPARES),
        (COUNTS_FAILURES, _ONLY_SAYS_THAT),
        (_SPEAKS_OF_TROUBLE, _TELLS),
        (_MAY_SPEAK_OF_TROUBLE, _HINTS),
    )
    otherwise = _HINTS if is_marked else _ONLY_SAYS_THAT
    return next((rank for sign, rank in signs if sign.search(message)), otherwise)


def _with_both_sides(lines: Sequence[str]) -> list[str]:
    """Return the lines, `expected: 4` and `got: 3` as one."""
    found: list[str] = []
    joined = False
    for before, line in pairwise(("", *lines)):
        one, other = _SIDE.match(before), _SIDE.match(line)
        joined = bool(one and one["one"] and other and not other["one"] and not joined)
        if joined:
            found[-1] = f"{before}, {line}"
        else:
            found.append(line)
    return found


def _with_name(lines: Sequence[str], ranks: Sequence[int], best: int) -> str:
    """Return a line with the test it belongs to, unless it says enough by itself."""
    line = lines[best]
    if ranks[best] in (_TELLS_TEST, _TELLS_WHAT, _NAMES):
        return line
    above = [lines[at] for at in range(best) if ranks[at] == _NAMES]
    named = next((name for name in reversed(above) if name[0] in "●123456789"), "")
    if not named and ranks[best] == _COMPARES and ranks[best - 1 : best] == [_TELLS]:
        named = lines[best - 1]
    return f"{named}: {line}" if named else line
