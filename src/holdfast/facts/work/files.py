"""Which files the session touched and how, those most likely needed next first; and those
that searches showed and nobody opened."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp2, sqrt

from holdfast.domain.checkpoint import Change, FileRef
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.session import Call, SessionState
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.session.agent_reports import files_named

_MOST = 400
_HALF_LIFE = 1  # calls after which a touch counts half as much: the last counts most
_EDIT_WEIGHT, _READ_WEIGHT = 1.0, 1.1  # who reads a file has not edited it yet
_NAMED_BONUS = 0.8  # an error, an open todo or the current request names the file
_HIDDEN = pattern(r"/\.[^/]+/")  # clients keep their files in such directories
_REMOVED = pattern(r"(?:^|[;&|]\s*)(?:git\s+)?rm\s+(?:-\w+\s+)*([^;&|<>*?$]+)")
_MOST_SEEN = 20
_SEEN_HALF_LIFE = 20  # calls after which a search counts half as much
# The request, an error, an open task or the agent's last words name what was seen.
_SEEN_NAMED_BONUS = 0.5


@dataclass(slots=True)
class _Touched:
    """What is known of one file while the calls are walked."""

    change: Change = "read"
    added: int = 0
    removed: int = 0
    score: float = 0.0
    last: int = 0  # place of the call that touched it last


def files_of(state: SessionState, named_in: Sequence[str]) -> tuple[FileRef, ...]:
    """Return the files touched; `named_in` are texts that make the files they name
    more likely to be needed."""
    touched: dict[str, _Touched] = {}
    calls = tuple(state.live_calls())
    for agent in state.agents:
        for call in agent.turn.calls:
            if call.role in EDITING:
                _note(touched, relative(call.target, state.cwd), call, 0.1)
    for place, call in enumerate(calls):
        freshness = 0.5 ** ((len(calls) - 1 - place) / _HALF_LIFE)
        for path in _walked(touched, call, freshness, state):
            touched[path].last = place
    _raise_named(touched, "\n".join(named_in))
    order = sorted(
        touched, key=lambda path: (-touched[path].score, -touched[path].last, path)
    )
    return tuple(_ref(path, touched[path]) for path in order[:_MOST])


def _walked(
    touched: dict[str, _Touched], call: Call, freshness: float, state: SessionState
) -> Iterator[str]:
    """Note what a call did to files; yield those that it was about."""
    if call.role in SHELL and call.outcome == "ok":
        _note_removed(touched, call.target, state)
    elif call.role == "agent" and call.outcome == "ok":
        for path in files_named(call.output, touched):
            touched[path].score += freshness * _READ_WEIGHT
            yield path
    else:
        path = relative(call.target, state.cwd)
        _note(touched, path, call, freshness)
        if path in touched:
            yield path


def relative(path: str, cwd: str) -> str:
    """Return a path as seen from the session's directory, if it lies inside it."""
    clean = path.replace("\\", "/")
    base = cwd.replace("\\", "/").rstrip("/") + "/"
    if len(base) > 1 and clean.lower().startswith(base.lower()):
        return clean[len(base) :] or clean
    return clean


def base_name(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def stem_of(path: str) -> str:
    """Return a file's name without its ending."""
    name = base_name(path)
    return name.rsplit(".", 1)[0] if "." in name[1:] else name


def modified(files: Iterable[FileRef]) -> tuple[FileRef, ...]:
    return tuple(file for file in files if file.change != "read")


def _note(
    touched: dict[str, _Touched], path: str, call: Call, freshness: float
) -> None:
    is_edit = call.role in EDITING
    if not (is_edit or call.role == "read") or call.outcome != "ok" or not path:
        return
    # A session that began in the client's directory, or right above it, works on that.
    if call.own and _HIDDEN.search(path):
        return
    file = touched.setdefault(path, _Touched())
    file.score += freshness * (_EDIT_WEIGHT if is_edit else _READ_WEIGHT)
    if not is_edit:
        return
    file.added += call.added
    file.removed += call.removed
    if call.created and file.change != "edited":
        file.change = "created"
    elif file.change != "created":
        file.change = "edited"


def _note_removed(
    touched: dict[str, _Touched], command: str, state: SessionState
) -> None:
    """A file we know that a shell command removed is gone."""
    for found in _REMOVED.finditer(command):
        for word in found[1].split():
            path = relative(word.strip("'\""), state.cwd)
            if path in touched:
                touched[path].change = "deleted"
                touched[path].score *= 0.3


def _raise_named(touched: dict[str, _Touched], text: str) -> None:
    for path, file in touched.items():
        if base_name(path) in text:
            file.score += _NAMED_BONUS


def _ref(path: str, file: _Touched) -> FileRef:
    return FileRef(path, file.change, file.added, file.removed)


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
