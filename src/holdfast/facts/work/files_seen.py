"""Files that searches showed and nobody opened: some of them are opened next."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp2, sqrt

from holdfast.domain.checkpoint import FileRef
from holdfast.domain.session import SessionState
from holdfast.facts.work.files import base_name, relative

_MOST = 20
_HALF_LIFE = 20  # calls after which a search counts half as much
_NAMED_BONUS = (
    0.5  # the request, an error, an open task or the agent's last words name it
)


def files_seen_of(
    state: SessionState, files: Sequence[FileRef], named_in: Sequence[str]
) -> tuple[str, ...]:
    """Return the files that were found and not opened, those of late searches that
    found few first."""
    ages = _ages(state)
    score: defaultdict[str, float] = defaultdict(float)
    for call_id, listed in state.listed:
        paths = [relative(path, state.cwd) for path in listed.split("\n")]
        weight = exp2(-ages.get(call_id, len(ages)) / _HALF_LIFE) / sqrt(len(paths))
        for path in paths:
            score[path] += weight
    named = "\n".join(named_in)
    for path in score:
        score[path] += _NAMED_BONUS if base_name(path) in named else 0
    for file in files:
        score.pop(file.path, None)
    return tuple(sorted(score, key=lambda path: (-score[path], path))[:_MOST])


def _ages(state: SessionState) -> Mapping[str, int]:
    """Return how many calls ago each call was made."""
    calls = [call.call_id for call in state.live_calls()]
    return {call_id: age for age, call_id in enumerate(reversed(calls))}
