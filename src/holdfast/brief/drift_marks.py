"""What a brief marks: what became of the code since, where it speaks of a file, and notes
that the transcript contradicts, which are told as they are."""

import re
from collections.abc import Mapping
from typing import Any

from holdfast.domain.amounts import counted
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import Content, Item, is_open, marked
from holdfast.domain.code import SHORT_HASH, Drift, FileDrift
from holdfast.domain.kinds import CLAIMS
from holdfast.kernel.lazy_values import replace

UNVERIFIED = " (then; unverified now)"

# Statements about the code; the user's own words are not ours to mark.
_CLAIMS = ("errors", "key_outcomes", "decisions", "discoveries", "next_steps")


def marks(drift: Drift | None) -> dict[str, str]:
    """Return what stands behind each file that is not as it was."""
    return {file.path: f" ({_since(file)})" for file in drift.drifted} if drift else {}


def ground_truth(drift: Drift | None) -> str:
    """Return one line about all files named; empty: none could be compared."""
    if drift is None or not drift.files:
        return ""
    files = counted(len(drift.files), "file")
    if not drift.drifted:
        moved = " though HEAD moved" if drift.head_moved else ""
        return (
            f"Checked now: {files} named here unchanged since the checkpoint{moved} ✓"
        )
    changed = sum(1 for file in drift.drifted if file.state == "changed")
    gone = len(drift.drifted) - changed
    parts = [f"{changed} changed"] if changed else []
    parts += [f"{gone} gone"] if gone else []
    rest = ", the rest unchanged ✓" if len(drift.drifted) < len(drift.files) else ""
    return f"Checked now: of {files} named here {', '.join(parts)}{rest}"


def with_drift(subject: BriefSubject) -> BriefSubject:
    """Return a brief's subject in which claims about changed files say so."""
    if subject.drift is None or not subject.drift.drifted:
        return subject
    names = {_name(file.path): file for file in subject.drift.drifted}
    lists: dict[str, Any] = {
        kind: tuple(_drifted(item, names) for item in getattr(subject.content, kind))
        for kind in _CLAIMS
    }
    return replace(subject, content=replace(subject.content, **lists))


def _drifted(item: Item, names: Mapping[str, FileDrift]) -> Item:
    if item.source == "user" or not is_open(item):
        return item
    for name, file in names.items():
        if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", item.text):
            return marked(item, f" ({name}: {_since(file)})")
    return item


def _since(file: FileDrift) -> str:
    if file.state == "gone":
        by = f", removed by {file.commit[:SHORT_HASH]}" if file.commit else ""
        return f"gone{by}"
    by = f": commit {file.commit[:SHORT_HASH]}" if file.commit else ""
    return f"changed since{by}"


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def with_doubts(subject: BriefSubject) -> BriefSubject:
    """Return a brief's subject in which doubtful notes say so."""
    content = subject.content
    lists: dict[str, Any] = {
        kind: tuple(_doubted(item) for item in getattr(content, kind))
        for kind in CLAIMS
    }
    told = replace(content, summary=summary_told(content), **lists)
    return replace(subject, content=told)


def doubt_mark(doubt: str) -> str:
    return f" (doubtful: {doubt})" if doubt else ""


def summary_told(content: Content) -> str:
    """Return the summary; what is wrong with it comes first, where nobody misses it."""
    if not (content.summary and content.summary_doubt):
        return content.summary
    return f"(Doubtful: {content.summary_doubt}.) {content.summary}"


def _doubted(item: Item) -> Item:
    return marked(item, doubt_mark(item.doubt)) if item.doubt else item
