"""The identifiers in play: what was written, searched and spoken of last comes first."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from holdfast.analysis.commands import SHELL_TOOLS
from holdfast.analysis.files import stem_of
from holdfast.analysis.turns import EDITORS
from holdfast.domain.checkpoint import FileRef
from holdfast.domain.session import Call, Turn
from holdfast.patterns import pattern

_MOST = 80
_SHORTEST, _LONGEST = 6, 50
_HALF_LIFE = 15  # calls after which a mention counts half as much
_IDENTIFIER = pattern(
    r"\b(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+"
    r"|(?:[A-Z][a-z0-9]+){2,}|[A-Z][a-z0-9]+\w*_\w+)\b"
)
_COUNTS_FOR = 10  # half-lives; older mentions change nothing
_SPOKEN = 0.7  # what was said counts less than what was done
_CUT = 350  # characters; a longer text may end in half a name
_SEARCHES = frozenset(["Grep", "Glob", "grep_search", "search_file_content"])


def names_of(turns: Sequence[Turn], files: Sequence[FileRef]) -> tuple[str, ...]:
    """Return identifiers by how often and how lately they were used."""
    score: defaultdict[str, float] = defaultdict(float)
    for text, weight in _texts(turns):
        for name in set(_IDENTIFIER.findall(text)):
            score[name] += weight
    known = {stem_of(file.path) for file in files}
    ranked = sorted(score.items(), key=lambda pair: (-pair[1], pair[0]))
    fitting = (name for name, _ in ranked if _SHORTEST <= len(name) <= _LONGEST)
    return tuple(name for name in fitting if name not in known)[:_MOST]


def _texts(turns: Sequence[Turn]) -> Iterator[tuple[str, float]]:
    """Yield what names stand in, with its weight, from the end as far as it counts."""
    age = 0
    for turn in reversed(turns):
        freshest = 0.5 ** (age / _HALF_LIFE)
        for call in reversed(turn.calls):
            yield _text(call), 0.5 ** (age / _HALF_LIFE)
            age += 1
        for said in turn.said:
            yield said.text, _SPOKEN * freshest
        yield turn.prompt[:4000], freshest
        if age > _HALF_LIFE * _COUNTS_FOR:
            return


def _text(call: Call) -> str:
    """Return the part of a call in which names stand for code."""
    if call.tool in EDITORS:
        is_cut = len(call.detail) >= _CUT
        return call.detail.rpartition(" ")[0] if is_cut else call.detail
    if call.tool in _SEARCHES:
        return call.target.replace("\\b", " ")  # a pattern's word boundary
    return call.target if call.tool in SHELL_TOOLS else ""
