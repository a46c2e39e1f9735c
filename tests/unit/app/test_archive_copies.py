"""Which of several copies of a session the archive goes by."""

from collections.abc import Iterator, Sequence

import pytest

from holdfast.agents.past_port import PastSession, PastTranscript
from holdfast.app.past.archive import dying

_OLDER = PastTranscript("/a/one.jsonl", 900, "1", dies_at=5)
_NEWER = PastTranscript("/b/one.jsonl", 400, "2")


class _Copies:
    """A session that its client copied, and went on with in one of the two."""

    def __init__(self, *transcripts: PastTranscript) -> None:
        self._transcripts = transcripts

    def every(self, directory: str | None = None) -> Iterator[PastTranscript]:
        del directory
        return iter(self._transcripts)

    def glance(self, transcript: PastTranscript) -> PastSession:
        last_at = 20 if transcript is _NEWER else 10
        return PastSession(transcript, "one", 1, last_at, "/project")


class _NothingKept:
    def session(self, session_id: str) -> None:
        del session_id


@pytest.mark.parametrize("order", [(_OLDER, _NEWER), (_NEWER, _OLDER)])
def test_an_old_copy_that_dies_takes_nothing_with_it(
    order: Sequence[PastTranscript],
) -> None:
    """All that it says is in the other one, whichever is seen first."""
    assert _dying(*order) == ()
    assert _dying(_OLDER) == (_OLDER,)


def _dying(*transcripts: PastTranscript) -> tuple[PastTranscript, ...]:
    copies, kept = _Copies(*transcripts), _NothingKept()
    return dying(copies, kept, "codex", 10)  # type: ignore[arg-type]  # no more is asked
