"""Remove from later records what they inherited from forgotten ones.

    their files → what they say → what their receipts count

The file first: one that says more than its record would be taken for a person's edit, and
kept as one.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from holdfast.app.checkpoints.drafting import with_receipt
from holdfast.app.forgetting.merges import is_made_of, remade
from holdfast.app.notes.named_files import KEPT_TEXT, reindex
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Content, Draft, FileRef, Item
from holdfast.domain.forgetting import FileOf, Order
from holdfast.domain.text import visible
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import CheckpointNotFound, HoldfastError
from holdfast.kernel.lazy_values import field_names, replace
from holdfast.project_notes.named_file import file_name, named_file
from holdfast.store.port import Store

_REASON = "what it inherited was forgotten"
_TELLING = 5  # characters: shorter texts are in everything
_GONE = "[forgotten]"
_CUT = "…"  # of `one_line`
_SUMS = ("title", "summary")  # what we make of the statements


def forget_inherited(
    order: Order, ports: Ports, store: Store, budget: int
) -> Iterator[str]:
    """Take out of later records what came from those that go; yield what has to stay.

    `budget` is that of the brief which their receipts are about.
    """
    gone = set(order.checkpoint_ids)
    files = {(file.workspace, file.name): file for file in order.carriers_files}
    for checkpoint_id in order.carriers:
        with suppress(CheckpointNotFound):  # removed meanwhile
            heir = store.get(checkpoint_id)
            left = with_receipt(_without_forgotten(heir.draft, order, store), budget)
            file = files.get((heir.draft.workspace, heir.name or ""))
            if file is not None:
                yield from _file_of(file, left, _lost(heir.draft.content, gone), ports)
            store.rewrite(checkpoint_id, left, _REASON)


def _without_forgotten(draft: Draft, order: Order, store: Store) -> Draft:
    """Return a later record without what is forgotten, a merge made anew."""
    touched = {*order.checkpoint_ids, *order.carriers}
    if is_made_of(draft, touched):
        return remade(draft, order.checkpoint_ids, store)
    return without_inherited(draft, set(order.checkpoint_ids))


def _file_of(
    file: FileOf, left: Draft, lost: Sequence[str], ports: Ports
) -> Iterator[str]:
    """Let a named file say what its record says now; an edited one is a person's."""
    kept = left.extra_notes.get(KEPT_TEXT)
    text = kept if isinstance(kept, str) else named_file(file.name, left)
    name = file_name(file.name)
    try:
        memory = ports.memory_of(file.workspace)
        if memory is None or (there := memory.read(name)) in (None, text):
            return
        memory.change(
            name, lambda said: text if text_digest(said or "") == file.digest else None
        )
        reindex(memory, file.name)
    except (HoldfastError, OSError) as trouble:
        yield f"`{visible(name)}`: {trouble}"
        return
    is_edited = text_digest(there or "") != file.digest
    # Without texts to look for this is a retry, and nobody can tell any more.
    if is_edited and (not lost or any(each in (there or "") for each in lost)):
        yield (
            f"`{memory.directory}/{name}` was edited by hand and may repeat it: it is"
            " yours, look at it yourself"
        )


def text_digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def inherits(content: Content, ids: set[str]) -> bool:
    """Say whether a record carries a statement that came from one of these."""
    return bool(ids) and any(
        part.origin in ids
        for name in field_names(Content)
        for part in _parts(content, name)
    )


def without_inherited(draft: Draft, ids: set[str]) -> Draft:
    """Return a record without the statements that came from these.

    A sum of ours, such as the summary, may repeat them: there a mark stands instead.
    """
    content, gone = draft.content, _lost(draft.content, ids)
    changed: dict[str, Any] = {
        name: tuple(part for part in parts if part.origin not in ids)
        for name in field_names(Content)
        if (parts := _parts(content, name))
    }
    changed |= {name: _without(getattr(content, name), gone) for name in _SUMS}
    changed["topics"] = tuple(_without(topic, gone) for topic in content.topics)
    details = tuple(
        replace(each, topic=_without(each.topic, gone), text=_without(each.text, gone))
        for each in draft.details
    )
    extra = dict(draft.extra_notes)
    if isinstance(kept := extra.get(KEPT_TEXT), str):
        extra[KEPT_TEXT] = _without(kept, gone)
    return replace(
        draft,
        content=replace(content, **changed),
        details=details,
        extra_notes=extra,
    )


def _lost(content: Content, ids: set[str]) -> list[str]:
    """Return what only those said whose statements go, the longest first."""
    every = [part for name in field_names(Content) for part in _parts(content, name)]
    own = {text for part in every if part.origin not in ids for text in _said(part)}
    lost = {text for part in every if part.origin in ids for text in _said(part)} - own
    return sorted(lost, key=len, reverse=True)


def _said(part: Item | FileRef) -> tuple[str, ...]:
    """Return what a statement could be recognised by elsewhere."""
    if isinstance(part, Item):
        told: tuple[str, ...] = (part.text, part.excerpt, part.about)
    else:
        pieces = part.path.split("/")
        ends = ("/".join(pieces[at:]) for at in range(len(pieces)))
        told = tuple(end for end in ends if "/" in end or "." in end)
    return tuple(text for text in told if len(text) >= _TELLING)


def _without(text: str, lost: Sequence[str]) -> str:
    for each in lost:
        on_one_line = " ".join(each.split())
        text = text.replace(each, _GONE).replace(on_one_line, _GONE)
        text = _without_beginning(text, on_one_line)
    return text


def _without_beginning(text: str, lost: str) -> str:
    """A sum of ours may have cut what it repeats: how that begins is as telling."""
    end = text.find(_CUT)
    while end >= 0:
        longest = range(min(end, len(lost)), _TELLING - 1, -1)
        size = next((n for n in longest if text.startswith(lost[:n], end - n)), 0)
        if size:
            text = f"{text[: end - size]}{_GONE}{text[end + len(_CUT) :]}"
            end += len(_GONE) - size - len(_CUT)
        end = text.find(_CUT, end + 1)
    return text


def _parts(content: Content, name: str) -> tuple[Item | FileRef, ...]:
    value = getattr(content, name)
    if isinstance(value, tuple) and value and isinstance(value[0], Item | FileRef):
        return value
    return ()
