"""Less of a record in the same shape: its head, what is no bulk, or the parts asked for.

For readers who pay per token.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.record_content import Json
from holdfast.domain.text import one_line
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label

_HEAD = (
    "id", "number", "label", "name", "session_id", "sequence", "type", "created_at",
)  # fmt: skip
_WHOSE = ("machine", "author")

# Kept for search and for briefs; half of a record's size and seldom what is asked for.
_BULK = ("error_lines", "names", "story")
_MOST_SUMMARY = 400


def record_head(checkpoint: Checkpoint) -> Json:
    """Return what tells one checkpoint from another: same keys, same nesting."""
    draft, content = checkpoint.draft, checkpoint.draft.content
    head = {
        "id": checkpoint.checkpoint_id,
        "number": checkpoint.number,
        "label": label(checkpoint.number),
        "name": checkpoint.name,
        "session_id": draft.session_id,
        "sequence": checkpoint.sequence,
        "type": draft.type,
        "created_at": iso(draft.created_at),
    }
    whose = {"machine": checkpoint.machine, "author": draft.author}
    return {
        **head,
        **{key: name for key, name in whose.items() if name},
        "content": {
            "title": content.title,
            "summary": one_line(content.summary, _MOST_SUMMARY),
        },
        "code": {"branch": draft.code.branch},
    }


def _head_of(whole: Mapping[str, Any]) -> Json:
    """Return who it is; of another machine or program also whose number it has, and who
    said it where that was told over HTTP."""
    whose = {key: whole[key] for key in _WHOSE if whole.get(key)}
    return {key: whole[key] for key in _HEAD} | whose


def lean(whole: Mapping[str, Any]) -> Json:
    """Return a record without its bulk, and in `left_out` what can be asked for."""
    content = whole["content"]
    kept = {name: part for name, part in content.items() if name not in _BULK}
    left_out = [name for name in _BULK if content.get(name)]
    return {**whole, "content": kept, "left_out": left_out}


def parts(whole: Mapping[str, Any], names: Iterable[str]) -> tuple[Json, list[str]]:
    """Return the named parts of a record, and the names it has no part for.

    A part is a key of the record or of its `content`; identity is always there.
    """
    content = whole["content"]
    chosen = _head_of(whole)
    told: Json = {"title": content["title"]}
    unknown = []
    for name in names:
        if name in content:
            told[name] = content[name]
        elif name in whole and name != "content":
            chosen[name] = whole[name]
        else:
            unknown.append(name)
    return {**chosen, "content": told}, unknown


def part_names(whole: Mapping[str, Any]) -> list[str]:
    """Return every name that `parts` knows."""
    return sorted({*whole, *whole["content"]} - {"content", *_HEAD})
