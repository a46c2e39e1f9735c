"""How the code at hand fails: its own words for it, so that an error met later is known."""

from collections.abc import Sequence

from holdfast.domain.checkpoint import FileRef, Item, fact_item
from holdfast.domain.fact import CodeLine
from holdfast.domain.session import Call
from holdfast.facts.work.files import base_name

_MOST = 40
_AT_ONCE = 3  # lines of a file before the next one has its say


def code_lines_of(
    glimpses: Sequence[tuple[str, str, str]],
    calls: Sequence[Call],
    files: Sequence[FileRef],
) -> tuple[Item, ...]:
    """Return failing lines of the files that were read last, a few of each by turns.

    The file likeliest needed next begins; `files` are in that order.
    """
    by_id = {call.call_id: call for call in calls}
    places = {base_name(f.path): place for place, f in reversed([*enumerate(files)])}
    found: dict[str, Item] = {}
    order: dict[str, tuple[int, int]] = {}
    for call_id, text, read in reversed(glimpses):
        call = by_id.get(call_id)
        if call is None:  # rewound, or too long ago
            continue
        name = base_name(call.target)
        lines = tuple(filter(None, (read, call.uuid)))
        for number, line in enumerate(text.split("\n")):
            if line not in found:
                found[line] = fact_item(CodeLine(name, line), "tool", lines)
                order[line] = (number // _AT_ONCE, places.get(name, len(files)))
    return tuple(found[line] for line in sorted(found, key=order.__getitem__))[:_MOST]
