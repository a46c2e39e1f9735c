"""The code's part of a checkpoint record, to and from JSON."""

from collections.abc import Mapping
from typing import Any

from holdfast.domain.project import CodeState
from holdfast.domain.snapshot import LeftOut


def code_json(code: CodeState) -> dict[str, Any]:
    """Return the code's state; what was left out only where something was."""
    shown: dict[str, Any] = {
        "branch": code.branch,
        "head": code.head,
        "tree": code.tree,
        "dirty": code.dirty,
    }
    if code.left_out:
        shown["left_out"] = [
            {"path": left.path, "reason": left.reason} for left in code.left_out
        ]
    if code.reason:
        shown["reason"] = code.reason
    return shown


def code_from(raw: Mapping[str, Any]) -> CodeState:
    return CodeState(
        branch=raw.get("branch"),
        head=raw.get("head"),
        tree=raw.get("tree"),
        dirty=bool(raw.get("dirty", False)),
        left_out=tuple(
            LeftOut(str(left["path"]), str(left["reason"]))
            for left in raw.get("left_out", ())
        ),
        reason=str(raw.get("reason", "")),
    )
