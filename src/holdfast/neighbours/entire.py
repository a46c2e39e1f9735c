"""Entire: checkpoints in a repository, under `entire/checkpoints/v1` or one ref each, read
by git's plumbing. What a checkpoint says of its sessions is taken, no transcript."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any

from holdfast.kernel.errors import FileRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.neighbours.place import MOST_TEXT, AskGit, SourcePlace
from holdfast.neighbours.record import Found, NeighbourRecord, Remark, Unread
from holdfast.neighbours.texts import (
    decoded,
    distinct,
    field_text,
    field_texts,
    first_line,
    moment,
    parsed_json,
)

KIND = "entire"
_BRANCH = "entire/checkpoints/v1"
_REFS = "refs/entire/checkpoints/"
_ASK_REFS = (
    "for-each-ref", "--format=%(objectname) %(refname)", f"refs/heads/{_BRANCH}",
    f"refs/remotes/*/{_BRANCH}", _REFS,
)  # fmt: skip
_OBJECT = pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ID = pattern(r"[0-9a-f]{12}|[0-9A-HJKMNP-TV-Z]{26}")
# On the branch a checkpoint is the tree `ab/cdef012345`; in a ref of its own, the whole.
_SHARD, _REST = pattern(r"[0-9a-f]{2}"), pattern(r"[0-9a-f]{10}")
_INDEX = pattern(r"\d{1,4}")
_PARTS = pattern(r"metadata\.json|prompt\.txt")
_MOST_TREE = 5_000_000  # bytes
_MOST_BYTES = 300_000_000  # of all objects together
_MOST_FOUND = 50_000  # of refs, checkpoints and sessions
_TOGETHER = 30_000_000  # bytes of objects that are asked for at once
_TREE, _BLOB = b"tree", b"blob"
_META, _PROMPTS = "metadata.json", "prompt.txt"
_PROMPT_BREAK = "\n\n---\n\n"


def recognises(place: SourcePlace) -> bool:
    """Say whether the repository there has such a branch or such refs."""
    if not place.is_directory or place.git is None:
        return False
    return bool((place.git(_ASK_REFS, b"") or b"").strip())


def read(place: SourcePlace) -> Found:
    """Yield each session of each checkpoint; what two refs have comes once."""
    if place.git is None or not place.is_directory:
        raise FileRefused(
            f"`{place.name}` is not a repository",
            hint="give the directory of the repository that Entire works in",
        )
    refs = list(_refs(place.git))
    objects = _Objects(place.git, len(refs[0][0]) // 2 if refs else 0)
    checkpoints, unread = _checkpoints(refs, objects)
    yield from unread
    sessions = objects.below(checkpoints, _INDEX)
    parts = objects.below(sessions, _PARTS)
    texts = objects.read(parts.values(), _BLOB, MOST_TEXT)
    for where in sessions:
        meta, prompts = (
            decoded(texts.get(parts.get(f"{where}/{name}", ""), b"")) or ""
            for name in (_META, _PROMPTS)
        )
        yield parsed(where, meta, prompts, place.path)


def parsed(where: str, meta: str, prompts: str, path: str) -> NeighbourRecord | Unread:
    """Return what Entire says of one session of a checkpoint."""
    raw = parsed_json(meta)
    if not isinstance(raw, Mapping):
        return Unread(where, "its metadata is missing, too large, or no JSON")
    created_at = moment(raw.get("created_at"))
    if not created_at:
        return Unread(where, "it has no valid time")
    summary = raw.get("summary")
    told = summary if isinstance(summary, Mapping) else {}
    intent, outcome = field_text(told, "intent"), field_text(told, "outcome")
    asked = prompts.strip()
    title = intent or first_line(asked) or f"Checkpoint {where}"
    return NeighbourRecord(
        record=where,
        path=path,
        title=title,
        summary=outcome or intent,
        created_at=created_at,
        version=2 if told else 1,  # Entire may add its summary later
        session=field_text(raw, "session_id"),
        branch=field_text(raw, "branch"),
        commit=field_text(raw, "commit_sha"),
        files=field_texts(raw, "files_touched"),
        tags=distinct((field_text(raw, "agent"), field_text(raw, "strategy"))),
        discoveries=_learned(told.get("learnings")),
        dead_ends=field_texts(told, "friction"),
        next_steps=field_texts(told, "open_items"),
        remarks=(Remark("what was asked", _spaced(asked)),) if asked else (),
    )


def _spaced(prompts: str) -> str:
    return "\n\n".join(part.strip() for part in prompts.split(_PROMPT_BREAK))


def _learned(learnings: Any) -> tuple[str, ...]:
    if not isinstance(learnings, Mapping):
        return ()
    code = learnings.get("code")
    found = [each for each in code if isinstance(each, Mapping)] if code else []
    about_code = (
        f"{field_text(each, 'path')}: {field_text(each, 'finding')}" for each in found
    )
    return distinct(
        (
            *field_texts(learnings, "repo"),
            *about_code,
            *field_texts(learnings, "workflow"),
        )
    )


def _checkpoints(
    refs: Sequence[tuple[str, str]], objects: "_Objects"
) -> tuple[dict[str, str], list[Unread]]:
    """Return the tree of each checkpoint by its id: of the branches, and of the refs."""
    trees, unread = dict[str, str](), list[Unread]()
    for number, (commit, ref) in enumerate(refs):
        own = ref.rpartition("/")[2] if ref.startswith(_REFS) else ""
        if own and not _ID.fullmatch(own):
            unread.append(Unread(ref, "it does not have a checkpoint's name"))
        elif own:
            trees.setdefault(own, f"{commit}^{{tree}}")
        else:
            root = {f"{number}": f"{commit}^{{tree}}"}
            shards = objects.below(root, _SHARD)
            for path, tree in objects.below(shards, _REST).items():
                trees.setdefault("".join(path.split("/")[1:]), tree)
    return trees, unread


def _refs(git: AskGit) -> Iterator[tuple[str, str]]:
    lines = (git(_ASK_REFS, b"") or b"").decode("utf-8", "replace").splitlines()
    _refuse_more_than(_MOST_FOUND, lines)
    for line in lines:
        commit, _, ref = line.partition(" ")
        if _OBJECT.fullmatch(commit):
            yield commit, ref


class _Objects:
    """What a repository holds, a few objects at a time. A tree may name another many
    times over: each is read once, and how much is found has an end."""

    def __init__(self, git: AskGit, width: int) -> None:
        self._git = git
        self._width = width  # bytes of an object's name in a tree
        self._left = _MOST_BYTES

    def below(self, trees: Mapping[str, str], named: re.Pattern[str]) -> dict[str, str]:
        """Return what of such names stands in some trees, by its path."""
        read = self.read(trees.values(), _TREE, _MOST_TREE)
        found = dict[str, str]()
        for path, tree in sorted(trees.items()):
            for name, inner in _entries(read.get(tree, b""), self._width):
                if named.fullmatch(name):
                    found[f"{path}/{name}"] = inner
            _refuse_more_than(_MOST_FOUND * 2, found)
        return found

    def read(self, names: Iterable[str], kind: bytes, most: int) -> dict[str, bytes]:
        """Return the objects of a kind that are not larger, by the names asked for."""
        wanted = [
            (name, size)
            for name, its_kind, size in self._looked_at(distinct(names))
            if its_kind == kind and size <= most
        ]
        self._left -= sum(size for _, size in wanted)
        if self._left < 0:
            raise _too_much()
        return {
            name: content
            for some in _at_once(wanted)
            for name, content in self._contents(some)
        }

    def _looked_at(self, names: Sequence[str]) -> Iterator[tuple[str, bytes, int]]:
        answer = self._ask("--batch-check", names)
        for name, line in zip(names, answer.split(b"\n"), strict=False):
            words = line.split()
            if len(words) == len(("object", "kind", "size")) and words[2].isdigit():
                yield name, words[1], int(words[2])

    def _contents(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        answer, at = self._ask("--batch", names), 0
        for name in names:
            end = answer.find(b"\n", at)
            size = answer[at:end].rpartition(b" ")[2] if end >= 0 else b""
            if not size.isdigit():
                return
            start, at = end + 1, end + 2 + int(size)
            yield name, answer[start : at - 1]

    def _ask(self, how: str, names: Sequence[str]) -> bytes:
        lines = "".join(f"{name}\n" for name in names).encode()
        return (self._git(("cat-file", how), lines) or b"") if names else b""


def _at_once(wanted: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
    some, size = list[str](), 0
    for name, octets in wanted:
        if some and size + octets > _TOGETHER:
            yield some
            some, size = [], 0
        some.append(name)
        size += octets
    yield some


def _entries(tree: bytes, width: int) -> Iterator[tuple[str, str]]:
    """Yield the names of a tree with what they name, but for links and submodules."""
    at = 0
    while (zero := tree.find(b"\0", at)) >= 0:
        mode, _, name = tree[at:zero].partition(b" ")
        inner, at = tree[zero + 1 : zero + 1 + width], zero + 1 + width
        if mode in (b"40000", b"100644", b"100755"):
            yield name.decode("utf-8", "replace"), inner.hex()


def _refuse_more_than(most: int, found: Sized) -> None:
    if len(found) > most:
        raise _too_much()


def _too_much() -> FileRefused:
    return FileRefused(
        f"it holds more than {_MOST_FOUND:,} checkpoints or {_MOST_BYTES:,} bytes",
        hint="nothing was imported; import a copy of the repository with less in it",
    )
