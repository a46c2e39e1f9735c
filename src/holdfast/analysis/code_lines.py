"""How the code at hand fails: its own words for it, so that an error met later is known."""

from collections.abc import Sequence

from holdfast.analysis.files import base_name
from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Call

_MOST = 40


def code_lines_of(
    glimpses: Sequence[tuple[str, str]], calls: Sequence[Call]
) -> tuple[Item, ...]:
    """Return the failing lines of the files that were read last, the last file first."""
    by_id = {call.call_id: call for call in calls}
    found: dict[str, Item] = {}
    for call_id, text in reversed(glimpses):
        call = by_id.get(call_id)
        if call is None:  # rewound, or too long ago
            continue
        file = base_name(call.target)
        for line in text.split("\n"):
            found.setdefault(line, Item(f"{file}: {line}", "tool", (call.uuid,)))
    return tuple(found.values())[:_MOST]
