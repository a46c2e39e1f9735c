"""Pull requests that a session opened and left open: somebody must merge or close them."""

import re
from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Item
from holdfast.domain.event import SHELL
from holdfast.domain.session import Call, Turn
from holdfast.kernel.lazy_patterns import pattern

_TALKS = ("gh pr ", "glab mr ", "pull_request", "merge_request")  # cheap to look for
_OPENS = pattern(
    r"\b(?:gh\s+pr|glab\s+mr)\s+create\b(?!.*--(?:dry-run|web)\b)|create_(?:pull|merge)_request"
)
_ENDS = pattern(
    r"\b(?:gh\s+pr|glab\s+mr)\s+(?:merge|close)\b\s*(.*)|(?:merge_pull|accept_merge)_request"
)
_ADDRESS = pattern(r"https://[\w.-]+/[\w./~-]+/(?:pull|merge_requests)/(\d{1,9})")
_NUMBER = pattern(r"(?<![\w.#-])#?(\d{1,9})(?![\w.-])")
_IS_OVER = pattern(r"\b(?:MERGED|CLOSED|(?:already\s)?(?:merged|closed))\b")
_SAYS_MERGED = pattern(r"\b(?:merged|gemergt|mergead[oa])\b", re.IGNORECASE)


def open_pull_requests(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return what is left to do of each pull request that was opened here, oldest first:
    nobody was seen to merge or close it, and the user did not say so."""
    opened: dict[str, tuple[str, Call]] = {}  # by number
    for turn in turns:
        if opened and _SAYS_MERGED.search(turn.prompt):
            opened.clear()
        for call in turn.calls:
            for number in _ended(call, opened):
                opened.pop(number, None)
            if found := _opened(call):
                opened[found[0]] = (found[1], call)
    return tuple(
        Item(f"merge or close {address}, opened here", "tool", call.evidence, address)
        for address, call in opened.values()
    )


def _opened(call: Call) -> tuple[str, str] | None:
    """Return the number and the address of what a call opened."""
    told = _told(call)
    if call.outcome != "ok" or not told or not _OPENS.search(told):
        return None
    found = _ADDRESS.search(call.output)
    return (found[1], found[0]) if found else None


def _ended(call: Call, opened: dict[str, tuple[str, Call]]) -> Iterator[str]:
    """Yield the numbers of what a call merged or closed, or found to be so."""
    told = _told(call) if opened and call.outcome == "ok" else ""
    if not told:
        return
    if ends := _ENDS.search(told):
        named = _ADDRESS.search(told) or _NUMBER.search(ends[1] or call.detail)
        yield named[1] if named else next(reversed(opened))
    elif _IS_OVER.search(call.output):
        yield from [number for number in opened if number in f"{told} {call.output}"]


def _told(call: Call) -> str:
    """Return what a call speaks to a forge with, or nothing."""
    told = call.target if call.role in SHELL else call.tool
    return told if any(sign in told for sign in _TALKS) else ""
