"""Branches for people: what a merge brought, what it leaves to choose, what would
conflict in the code."""

from collections import Counter
from collections.abc import Iterator, Sequence

from holdfast.branches.code_merge import CodeClash
from holdfast.branches.conflicts import Conflict, ConflictOption
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Content
from holdfast.domain.kinds import COMPARED, KIND_OF
from holdfast.domain.text import one_line, plain
from holdfast.facts.comparing import compare

_SHOWN = 200
_GONE = "(no longer holds: taken back there)"
CLASHES: dict[CodeClash, str] = {
    "lines": "both changed the same lines",
    "created": "both made it, and not alike",
    "deleted": "changed on one side, deleted on the other",
    "binary": "both changed it, and it is no text",
    "large": "both changed it, and it is too large to compare",
    "mode": "both changed it, and not to the same permissions",
    "unknown": "both changed it; too many files to compare lines",
}
WHYS = {
    "differ": "they say different things",
    "done": "done on one side, open on the other",
    "taken-back": "taken back on one side",
}


def brought(home: Content, together: Content) -> str:
    """Return what a merge added to home: `2 decisions, 1 dead end`; empty: nothing."""
    added = Counter(known.kind for known in compare(home, together).added)
    told = (
        counted(added[kind], KIND_OF[kind].word) for kind in COMPARED if added[kind]
    )
    return ", ".join(told)


def option_text(option: ConflictOption) -> str:
    """Return what one side of a conflict says, on one line."""
    if option.item is None:
        return _GONE
    words = one_line(plain(option.item.text), _SHOWN)
    return f"{words} (done)" if option.kind == "key_outcomes" else words


def conflict_rows(conflicts: Sequence[Conflict]) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row per side: the conflict's number, its kind, the side, what it says."""
    for conflict in conflicts:
        number, kind = str(conflict.number), KIND_OF[conflict.kind].word
        for option in conflict.options:
            yield number, kind, f"{option.number:05d}", option_text(option)
            number = kind = ""
