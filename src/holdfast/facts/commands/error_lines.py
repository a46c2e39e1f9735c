"""The lines in which failed commands said what was wrong, and which of them the work keeps
meeting. Source lines are none: a command that shows files does not fail by what it shows."""

from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Item
from holdfast.domain.event import SHELL
from holdfast.domain.session import Call
from holdfast.facts.commands.trouble_ledger import signature
from holdfast.kernel.lazy_patterns import pattern

_MOST = 40
_WORD = pattern(r"[^\W_]\w+")
_LOOK_BACK, _HALF_LIFE = 300, 40  # calls
_LONGEST_LINE = 120  # characters; a longer one is code around an error, or a dump
_FEW_WORDS = 3
_KNOWN = 0.3  # share of new words below which a line says nothing new


def error_lines_of(calls: Sequence[Call]) -> tuple[Item, ...]:
    """Return the error lines of failed commands that the work keeps meeting, each
    telling something that those before it do not: met often, met lately."""
    met: dict[str, tuple[float, str, tuple[str, ...]]] = {}
    for age, call in enumerate(reversed(calls)):
        if age > _LOOK_BACK:
            break
        if call.role not in SHELL or call.outcome != "failed":
            continue
        weight = 0.5 ** (age / _HALF_LIFE)
        for line in call.output.split("\n"):
            if len(line) > _LONGEST_LINE:
                continue
            known = met.get(key := signature(line), (0.0, line, call.evidence))
            met[key] = (known[0] + weight, *known[1:])
    ranked = sorted(met.values(), key=lambda seen: (-seen[0], seen[1]))
    return tuple(_telling_new(ranked))


def _telling_new(
    ranked: Sequence[tuple[float, str, tuple[str, ...]]],
) -> Iterator[Item]:
    told: set[str] = set()
    found = 0
    for _, line, evidence in ranked:
        words = set(_WORD.findall(line.lower()))
        if len(words) < _FEW_WORDS or len(words - told) <= _KNOWN * len(words):
            continue
        told |= words
        found += 1
        yield Item(line, "tool", evidence)
        if found == _MOST:
            return
