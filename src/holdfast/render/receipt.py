"""The account of what a brief carried and what it left out, counted kind by kind."""

from collections.abc import Iterable

from holdfast.domain.brief import is_open
from holdfast.domain.checkpoint import RECEIPT_KINDS, Content, Receipt

# The words people read, where they differ from the record's.
_SHOWN = {"files_edited": "edits", "files_read": "reads"}


def present_in(content: Content) -> dict[str, int]:
    """Return how much of each kind there is to carry."""
    edited = sum(1 for file in content.files if file.change != "read")
    return {
        "instructions": len(content.instructions),
        "files_edited": edited,
        "files_read": len(content.files) - edited,
        "commands": len(content.commands),
        "errors": sum(map(is_open, content.errors)),  # what was mended is no loss
        "todos": len(content.pending),
        "decisions": len(content.decisions),
    }


def receipt_of(content: Content, carried: Iterable[str]) -> Receipt:
    """Return the receipt of a brief that carried these kinds, one entry per thing."""
    told = list(carried)
    present = present_in(content)
    return {
        kind: (min(told.count(kind), present[kind]), present[kind])
        for kind in RECEIPT_KINDS
    }


def receipt_text(receipt: Receipt, between: str = " · ") -> str:
    """Return the receipt as one line; a kind of which there is nothing is not told."""
    pairs = [
        f"{_SHOWN.get(kind, kind)} {receipt[kind][0]}/{receipt[kind][1]}"
        for kind in RECEIPT_KINDS
        if kind in receipt and receipt[kind][1]
    ]
    return f"Carried: {between.join(pairs)}." if pairs else "Carried: all there was."


def receipt_json(receipt: Receipt) -> dict[str, list[int]]:
    """Return the receipt as the record has it."""
    return {kind: list(pair) for kind, pair in receipt.items()}


def left_out(receipt: Receipt) -> tuple[str, ...]:
    """Return what a user should hear of: instructions, edits or errors not carried."""
    return tuple(
        f"{present - carried} {_SHOWN.get(kind, kind)}"
        for kind in ("instructions", "files_edited", "errors")
        for carried, present in (receipt.get(kind, (0, 0)),)
        if carried < present
    )
