"""What another store made, made ready for ours: proved, checked, and told apart. Pure.

A record comes from a file or a remote that anybody may have written. Its hash shows that
the text is what its store kept; that it was a store that did is nobody's promise, so each
field must be of its kind, and nothing in it is taken for work of this machine.
"""

import json
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.code import Project
from holdfast.domain.foreign import Foreign, RecordProof, elsewhere, is_machine_name
from holdfast.domain.record import checkpoint_from
from holdfast.domain.session import Mark
from holdfast.domain.text import beginning, visible
from holdfast.kernel.digests import canonical
from holdfast.kernel.errors import NameInvalid, RecordRefused
from holdfast.kernel.ids import is_checkpoint_id, name, session_uuid
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import field_names, replace
from holdfast.store.chain import link

_AGENT = pattern(r"[a-z0-9]+(?:-[a-z0-9]+){0,5}")
_WORD = pattern(r"[A-Za-z0-9._-]{1,64}")
_TREE = pattern(r"[0-9a-f]{40}")
_LONGEST_BRANCH = 255
_LARGEST = 1 << 53  # beyond it, not every reader of JSON has the same number
_DEEPEST = 40
_SESSION = pattern(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_MOST_NUMBER = 10**12
_LAST_MOMENT = 253_402_300_799_000  # the end of the year 9999, Unix ms
_SHOWN = 64
# What a hostile text can make of reading it.
_UNREADABLE = (
    TypeError, ValueError, LookupError, AttributeError, RecursionError, OverflowError,
)  # fmt: skip


def received(proof: RecordProof, project: Project) -> Checkpoint:
    """Return the checkpoint that a proof is of, as work of another machine on a project.

    Raises:
        RecordRefused: the text is not what the hash says, or not a record.
    """
    if not is_machine_name(proof.machine):
        raise _refused(f"`{_shown(proof.machine)}` is not the name of a machine")
    if link(proof.previous_hash, proof.text) != proof.hash:
        raise _refused("a record does not match its hash; it was changed on the way")
    theirs = _read(proof)
    draft = theirs.draft
    foreign = Foreign(
        machine=proof.machine,
        hash=proof.hash,
        project_id=draft.project_id,
        project_root=draft.project_root,
        name=_called(proof.name),
    )
    return replace(
        theirs, draft=_told_apart(draft, proof.machine, project), foreign=foreign
    )


def tree_named(proof: RecordProof) -> str | None:
    """Return the tree of the code that a proved record had where it was made."""
    tree = json.loads(proof.text).get("code", {}).get("tree")
    return tree if isinstance(tree, str) and _TREE.fullmatch(tree) else None


def _read(proof: RecordProof) -> Checkpoint:
    try:
        raw = json.loads(proof.text)
        is_plain = "foreign" not in raw and canonical(raw) == proof.text
        is_plain = is_plain and _is_flat(raw)
        found = checkpoint_from(
            raw, content_hash=proof.hash, name=None, next_checkpoint=None
        )
    except _UNREADABLE:
        raise _refused("a record cannot be read") from None
    if not is_plain or not is_of_kind(found, Checkpoint) or not _is_possible(found):
        raise _refused("a record has fields that no store writes")
    return found


def _is_possible(found: Checkpoint) -> bool:
    """Say whether a record could have been made by some store."""
    draft = found.draft
    uuid = session_uuid(draft.session_id, draft.agent)
    return (
        _AGENT.fullmatch(draft.agent) is not None
        and 0 < found.number < _MOST_NUMBER
        and 0 < found.sequence < _MOST_NUMBER
        and 0 <= draft.created_at <= _LAST_MOMENT
        and is_checkpoint_id(found.checkpoint_id)
        and found.checkpoint_id.startswith(f"ccp-{uuid}-")
        and all(
            _SESSION.fullmatch(session)
            for session in (draft.session_id, draft.parent_session, draft.root_session)
            if session
        )
    )


def _told_apart(draft: Draft, machine: str, project: Project) -> Draft:
    """Return a draft that is taken for nothing this machine did: its sessions are
    another machine's, it lies in no workspace, answers no retry, and names no file that
    could be opened here."""

    head, branch = draft.code.head, draft.code.branch or ""
    return replace(
        draft,
        key="",
        state_key="",
        trigger="import",
        session_id=elsewhere(draft.session_id, machine),
        parent_session=elsewhere(draft.parent_session or "", machine) or None,
        root_session=elsewhere(draft.root_session, machine),
        project_id=project.project_id,
        project_root=project.root,
        project_remote=project.remote,
        workspace="",
        name=None,
        replace_name=False,
        transcript="",
        read_to=Mark(),
        code=replace(
            draft.code,
            tree=None,
            head=head if head and _WORD.fullmatch(head) else None,
            branch=" ".join(visible(branch).split())[:_LONGEST_BRANCH] or None,
        ),
    )


def is_of_kind(value: object, kind: Any) -> bool:
    """Say whether a value is what an annotation says, down to its last field."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(is_of_kind(value, each) for each in arguments)
    if origin is Literal:
        return value in arguments
    if origin is tuple:
        return isinstance(value, tuple) and _are_of_kinds(value, arguments)
    if isinstance(origin, type):  # a mapping is all that is left
        return isinstance(value, Mapping) and all(
            _are_of_kinds(pair, arguments) for pair in value.items()
        )
    return _is_plain(value, kind)


def _is_plain(value: object, kind: Any) -> bool:
    if kind in (Any, object):
        return True
    if kind in (str, bool, NoneType):
        return isinstance(value, kind)
    if kind in (int, float):  # `True` is an int to Python, and to nobody else
        return isinstance(value, int | kind) and not isinstance(value, bool)
    if type(value) is not kind:
        return False
    hints = get_type_hints(kind)
    names = getattr(kind, "_fields", None) or field_names(kind)
    return all(is_of_kind(getattr(value, name), hints[name]) for name in names)


def _is_flat(raw: Any) -> bool:
    """Say whether nothing in a value is nested deeper than any record is, and no number
    larger than one that every reader can hold."""
    level = [raw]
    for _ in range(_DEEPEST):
        inside = [part for part in level if isinstance(part, dict | list)]
        if not inside:
            return True
        level = [
            part
            for value in inside
            for part in (value.values() if isinstance(value, dict) else value)
        ]
        if any(_is_beyond(part) for part in level):
            return False
    return False


def _is_beyond(value: object) -> bool:
    return isinstance(value, int | float) and not -_LARGEST < value < _LARGEST


def _are_of_kinds(values: tuple[object, ...], kinds: tuple[Any, ...]) -> bool:
    if kinds[-1:] == (...,):
        return all(is_of_kind(value, kinds[0]) for value in values)
    return len(values) == len(kinds) and all(map(is_of_kind, values, kinds))


def _called(text: str | None) -> str | None:
    """Return a name that a checkpoint may have; it is proved by nothing."""
    try:
        return text if text and name(text) == text else None
    except NameInvalid:
        return None


def _refused(why: str) -> RecordRefused:
    return RecordRefused(
        why, hint="nothing of it was kept; ask for it once more where it was made"
    )


def _shown(text: str) -> str:
    return beginning(visible(text), _SHOWN)
