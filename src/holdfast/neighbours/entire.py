"""Entire: checkpoints in a repository, under `entire/checkpoints/v1` or one ref each, read
by git's plumbing. What a checkpoint says of its sessions is taken, no transcript."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from holdfast.kernel.errors import FileRefused
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
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
_ASK_TREE = ("ls-tree", "-r", "-z", "-l", "--full-tree")
_OBJECT = pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ID = pattern(r"[0-9a-f]{12}|[0-9A-HJKMNP-TV-Z]{26}")
# `ab/cdef012345/` stands before it on the branch, nothing in a ref of its own.
_PART = pattern(
    r"(?:([0-9a-f]{2})/([0-9a-f]{10})/)?(\d{1,4})/(metadata\.json|prompt\.txt)"
)
_MOST_REFS = 20_000
_MOST_SESSIONS = 50_000
_META, _PROMPTS = "metadata.json", "prompt.txt"
_PROMPT_BREAK = "\n\n---\n\n"


@dataclass(frozen=True, slots=True)
class _Session:
    """One session of one checkpoint: which blobs say what."""

    checkpoint: str
    index: int
    blobs: Mapping[str, str]


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
    found, unread = _sessions(place.git)
    yield from unread
    wanted = distinct(blob for session in found for blob in session.blobs.values())
    texts = dict(_texts(place.git, wanted))
    for session in found:
        said = {name: texts.get(blob, "") for name, blob in session.blobs.items()}
        where = f"{session.checkpoint}/{session.index}"
        yield parsed(where, said.get(_META, ""), said.get(_PROMPTS, ""), place.path)


def parsed(where: str, meta: str, prompts: str, path: str) -> NeighbourRecord | Unread:
    """Return what Entire says of one session of a checkpoint."""
    raw = parsed_json(meta)
    if not isinstance(raw, Mapping):
        return Unread(where, "its metadata is missing, too large, or no JSON")
    created_at = moment(raw.get("created_at"))
    if not created_at:
        return Unread(where, "its time is none")
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


def _sessions(git: AskGit) -> tuple[list[_Session], list[Unread]]:
    found: dict[tuple[str, int], dict[str, str]] = {}
    unread = list[Unread]()
    for commit, ref in _refs(git):
        own = ref.rpartition("/")[2] if ref.startswith(_REFS) else ""
        listed = git((*_ASK_TREE, commit), b"")
        if listed is None or (own and not _ID.fullmatch(own)):
            unread.append(Unread(ref, "git cannot read it"))
            continue
        for checkpoint, index, name, blob, size in _parts(listed, own):
            parts = found.setdefault((checkpoint, index), {})
            if size <= MOST_TEXT:
                parts.setdefault(name, blob)
    if len(found) > _MOST_SESSIONS:
        raise FileRefused(
            f"it holds more than {_MOST_SESSIONS:,} sessions",
            hint="nothing was imported; take in a copy of the repository with less in it",
        )
    return [_Session(*key, blobs) for key, blobs in sorted(found.items())], unread


def _refs(git: AskGit) -> Iterator[tuple[str, str]]:
    lines = (git(_ASK_REFS, b"") or b"").decode("utf-8", "replace").splitlines()
    for line in lines[:_MOST_REFS]:
        commit, _, ref = line.partition(" ")
        if _OBJECT.fullmatch(commit):
            yield commit, ref


def _parts(listed: bytes, own: str) -> Iterator[tuple[str, int, str, str, int]]:
    """Yield which blob is which part of which checkpoint, and how large it is."""
    for entry in listed.decode("utf-8", "replace").split("\x00"):
        head, _, path = entry.partition("\t")
        part = _PART.fullmatch(path)
        words = head.split()
        if part is None or len(words) != 4 or not words[3].isdecimal():  # noqa: PLR2004  # mode, kind, object, size
            continue
        checkpoint = own or f"{part[1] or ''}{part[2] or ''}"
        if checkpoint and bool(own) != bool(part[1]):
            yield checkpoint, int(part[3]), part[4], words[2], int(words[3])


def _texts(git: AskGit, blobs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the text of each blob, asked for a few at a time."""
    for start in range(0, len(blobs), 500):
        some = blobs[start : start + 500]
        answer = git(("cat-file", "--batch"), "".join(f"{b}\n" for b in some).encode())
        yield from _batch(answer or b"", some)


def _batch(answer: bytes, blobs: Iterable[str]) -> Iterator[tuple[str, str]]:
    at = 0
    for blob in blobs:
        end = answer.find(b"\n", at)
        words = answer[at:end].split() if end >= 0 else []
        if len(words) != 3 or words[1] != b"blob":  # noqa: PLR2004  # object, kind, size
            at = end + 1
            continue
        size = int(words[2])
        data, at = answer[end + 1 : end + 1 + size], end + 2 + size
        if (text := decoded(data)) is not None:
            yield blob, text
