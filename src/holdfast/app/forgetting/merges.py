"""What becomes of a merge when one of its checkpoints is forgotten: it is made anew of the
others, so that nothing of the forgotten one is left in it, in whatever words."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from holdfast.app.checkpoints.kinship import parting_of
from holdfast.app.checkpoints.merge import merged_title, sides_of
from holdfast.branches.merging import merged
from holdfast.domain.checkpoint import Checkpoint, Content, Draft, Item
from holdfast.domain.kinds import ITEM_FIELDS
from holdfast.facts.content import tags_of
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.ids import session_uuid
from holdfast.kernel.lazy_values import replace
from holdfast.store.port import Checkpoints, Store


def is_merge(draft: Draft) -> bool:
    return draft.trigger == "merge"


def is_made_of(draft: Draft, ids: Collection[str]) -> bool:
    """Say whether a merge has something of one of these."""
    return is_merge(draft) and any(one in ids for one in draft.merged_from)


def has_others(draft: Draft, gone: Collection[str], store: Checkpoints) -> bool:
    """Say whether something of a merge is left when these go."""
    left = [one for one in draft.merged_from if one not in gone]
    return any(_there(left, store))


def remade(draft: Draft, gone: Collection[str], store: Store) -> Draft:
    """Return a merge as if these had never been part of it."""
    left = tuple(one for one in draft.merged_from if one not in gone)
    there = tuple(_there(left, store))
    if len(there) < len(left) or not there:
        return replace(_without_words(draft, gone), merged_from=left)
    parting = parting_of(there, store)
    home = parting.checkpoints[0]
    base = parting.ancestor.checkpoint
    is_own = home.draft.session_id == draft.session_id
    sides = sides_of(parting.checkpoints, into_session=is_own)
    content = merged(base.draft.content if base else None, sides).content
    title = draft.content.title if draft.given_title else merged_title(parting)
    return replace(
        draft,
        content=replace(content, title=title),
        code=home.draft.code,
        facts=home.draft.facts,
        details=tuple(d for one in parting.checkpoints for d in one.draft.details),
        merged_from=left,
        tags=_tags(draft, content, there),
        extra_notes={},
    )


def _there(ids: Iterable[str], store: Checkpoints) -> Iterable[Checkpoint]:
    for checkpoint_id in ids:
        try:
            yield store.get(checkpoint_id)
        except HoldfastError:  # removed or damaged: nothing can be made of it
            continue


def _tags(
    draft: Draft, content: Content, there: Sequence[Checkpoint]
) -> tuple[str, ...]:
    uuid = session_uuid(draft.session_id, draft.agent)
    known = {tag for one in there for tag in one.draft.tags}
    given = [tag for tag in draft.tags if tag in known]
    return tags_of(uuid, draft.created_at, content.topics, given)


def _without_words(draft: Draft, gone: Collection[str]) -> Draft:
    """Return a merge, of which not all that is left can be read, with nothing but
    statements that say where they are from: whose the rest was, nobody knows."""
    content = draft.content
    lists: dict[str, Any] = {
        kind: tuple(item for item in getattr(content, kind) if _is_others(item, gone))
        for kind in ITEM_FIELDS
    }
    files = tuple(f for f in content.files if f.origin and f.origin not in gone)
    bare = Content(title=f"Merge of {len(draft.merged_from)} checkpoints", **lists)
    return replace(draft, content=replace(bare, files=files), details=(), tags=())


def _is_others(item: Item, gone: Collection[str]) -> bool:
    return item.origin is not None and item.origin not in gone
