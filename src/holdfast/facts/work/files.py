"""Which files the session touched and how, those most likely needed next first; and those
that searches showed and nobody opened."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp2, sqrt

from holdfast.domain.checkpoint import FileRef
from holdfast.domain.session import SessionState
from holdfast.facts.work.touched_files import TouchedFile, relative
from holdfast.session.agent_reports import files_named

__all__ = [
    "base_name", "files_of", "files_seen_of", "modified", "relative", "stem_of",
]  # fmt: skip

_MOST = 400
_HALF_LIFE = 1  # calls after which a touch counts half as much: the last counts most
_EDIT_WEIGHT, _READ_WEIGHT = 1.0, 1.1  # who reads a file has not edited it yet
_GONE = 0.3  # how much less what was removed counts
_NAMED_BONUS = 0.8  # an error, an open todo or the current request names the file
_MOST_SEEN = 20
_SEEN_HALF_LIFE = 20  # calls after which a search counts half as much
# The request, an error, an open task or the agent's last words name what was seen.
_SEEN_NAMED_BONUS = 0.5


def files_of(
    state: SessionState, touched: Mapping[str, TouchedFile], named_in: Sequence[str]
) -> tuple[FileRef, ...]:
    """Return the files touched; `named_in` are texts that make the files they name
    more likely to be needed."""
    calls = tuple(state.live_calls())
    score = {path: _score(file, len(calls) - 1) for path, file in touched.items()}
    for place, call in enumerate(calls):
        if call.role == "agent" and call.outcome == "ok":
            for path in files_named(call.output, touched):
                score[path] += _freshness(len(calls) - 1 - place) * _READ_WEIGHT
    text = "\n".join(named_in)
    for path in touched:
        score[path] += _NAMED_BONUS if base_name(path) in text else 0
    order = sorted(touched, key=lambda path: (-score[path], -touched[path].last, path))
    return tuple(
        FileRef(path, file.change, file.added, file.removed)
        for path in order[:_MOST]
        for file in [touched[path]]
    )


def _score(file: TouchedFile, last: int) -> float:
    """Return how likely a file is needed next, by when it was read and edited."""
    return sum(
        _freshness(last - place) * weight
        for places, weight in ((file.reads, _READ_WEIGHT), (file.edits, _EDIT_WEIGHT))
        for place in places
    ) * (_GONE if file.change == "deleted" else 1)


def _freshness(age: int) -> float:
    return exp2(-age / _HALF_LIFE)


def base_name(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def stem_of(path: str) -> str:
    """Return a file's name without its ending."""
    name = base_name(path)
    return name.rsplit(".", 1)[0] if "." in name[1:] else name


def modified(files: Iterable[FileRef]) -> tuple[FileRef, ...]:
    return tuple(file for file in files if file.change != "read")


def files_seen_of(
    state: SessionState, files: Sequence[FileRef], named_in: Sequence[str]
) -> tuple[str, ...]:
    """Return the files that were found and not opened, those of late searches that
    found few first."""
    ages = _ages(state)
    score: defaultdict[str, float] = defaultdict(float)
    for call_id, listed in state.listed:
        paths = [relative(path, state.cwd) for path in listed.split("\n")]
        weight = exp2(-ages.get(call_id, len(ages)) / _SEEN_HALF_LIFE) / sqrt(
            len(paths)
        )
        for path in paths:
            score[path] += weight
    named = "\n".join(named_in)
    for path in score:
        score[path] += _SEEN_NAMED_BONUS if base_name(path) in named else 0
    for file in files:
        score.pop(file.path, None)
    return tuple(sorted(score, key=lambda path: (-score[path], path))[:_MOST_SEEN])


def _ages(state: SessionState) -> Mapping[str, int]:
    """Return how many calls ago each call was made."""
    calls = [call.call_id for call in state.live_calls()]
    return {call_id: age for age, call_id in enumerate(reversed(calls))}
