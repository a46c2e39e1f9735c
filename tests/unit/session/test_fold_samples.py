"""The fold on transcripts that the real client wrote."""

from pathlib import Path

import pytest

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.domain.session import SessionState
from holdfast.session.fold import begin, fold

_HERE = Path(__file__)
_SAMPLES = _HERE.parents[2] / "fixtures" / "transcripts"
_SHARED = _HERE.parents[3] / ".." / "shared" / "data" / "transcripts"


def folded(path: Path) -> SessionState:
    reader = ClaudeCodeTranscripts(str(path.parent), str)
    return fold(begin("", reader.agent), reader.read(str(path)))


def test_a_rewind_and_a_prompt_taken_back_are_left_behind() -> None:
    """The client's own `/rewind`, and escape before the first answer."""
    state = folded(_SAMPLES / "interactive-rewind-skill-bashmode.jsonl")

    left = [
        turn.prompt for first, end in state.abandoned for turn in state.turns[first:end]
    ]
    live = [turn.prompt for turn in state.live_turns()]
    assert len(left) == 2
    assert left[0] == "resume-test two"
    assert left[1].startswith("slow ")
    assert live[:3] == ["resume-test one", "rewound branch", "echo SHELLMODE"]


def test_two_compactions_leave_nothing_behind() -> None:
    """Each boundary begins a chain of its own, and the work before it stays."""
    state = folded(_SAMPLES / "interactive-two-compactions.jsonl")

    assert len(state.compactions) == 2
    assert all(compaction.summary for compaction in state.compactions)
    assert state.abandoned == ()
    assert state.turns[0].calls[0].output == "one"


def test_a_whole_session_is_understood() -> None:
    """Tools, a sub-agent, tasks, a skill, a compaction and a failed request."""
    state = folded(_SAMPLES / "full-session-part1.jsonl")

    calls = {call.tool: call for call in state.live_calls()}
    assert calls["Write"].created
    assert calls["Bash"].exit_status == 3
    assert calls["TaskCreate"].todos[0].todo_id == "1"
    assert all(call.outcome != "pending" for call in calls.values())
    assert state.turns[-1].request_errors
    assert state.abandoned == ()
    assert state.counts.unmatched == 0


@pytest.mark.shared
@pytest.mark.skipif(not _SHARED.is_dir(), reason="the measuring data is not here")
def test_real_sessions_show_no_rewind_that_never_was() -> None:
    """None of them has a typed prompt whose parent lies in an earlier turn."""
    transcripts = sorted(_SHARED.glob("entireio+cli/*.jsonl"))

    rewound = [path.name for path in transcripts if folded(path).abandoned]

    assert len(transcripts) > 50
    assert rewound == []
