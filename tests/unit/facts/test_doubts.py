"""Notes against the transcript: the wording stays, and what contradicts it is told."""

import pytest

from holdfast.brief.brief import brief, subject_of_draft
from holdfast.brief.drift_marks import with_doubts
from holdfast.brief.fit import fit
from holdfast.domain.checkpoint import Content
from holdfast.domain.record_content import item_json
from holdfast.facts.content import content_of
from holdfast.facts.statements.notes import parse_notes
from holdfast.reports.view import evidence_view, view
from tests.sessions import (
    BEGAN,
    Step,
    a_checkpoint,
    a_draft,
    asks,
    edits,
    reads,
    runs,
    session,
)

_RED = (asks("go"), edits("src/refresh.py"), runs("pytest -q", fails="E  200 != 401"))
_GREEN = (asks("go"), edits("src/refresh.py"), runs("pytest -q", "3 passed"))
_COMMITTED = (*_GREEN, runs('git commit -m "Rotate"', "[main 1a2b3c4] Rotate"))
_READ = (asks("go"), reads("src/cache.py"), edits("src/refresh.py"))
_SED = (asks("go"), runs("python tools/gen.py --out src/made.py"))


def _noted(steps: tuple[Step, ...], claim: str) -> Content:
    return content_of(session(*steps), parse_notes({"key_outcomes": [claim]}))


@pytest.mark.parametrize(
    ("steps", "claim", "doubt"),
    [
        pytest.param(_RED, "All tests pass.", "the last run of `pytest -q` failed", id="red"),
        pytest.param(_RED, "所有测试都通过了", "the last run of `pytest -q` failed", id="Chinese"),
        pytest.param(_RED, "테스트가 모두 통과했습니다", "the last run of `pytest -q` failed", id="Korean"),
        pytest.param(_RED, "Everything is green", "the last run of `pytest -q` failed", id="green"),
        pytest.param(_GREEN, "All tests pass.", "", id="it is so"),
        pytest.param(_RED, "Not all tests pass yet.", "", id="it says so itself"),
        pytest.param(_RED, "Wrote a test for reuse", "", id="no claim about passing"),
        pytest.param(_GREEN, "Committed the rotation.", "no commit is in the transcript", id="no commit"),
        pytest.param(_COMMITTED, "Committed the rotation.", "", id="a commit"),
        pytest.param(_GREEN, "The work is uncommitted", "", id="says it is not"),
        pytest.param(_GREEN, "Updated src/router.py", "src/router.py was never touched in the transcript", id="untouched"),
        pytest.param(_READ, "Updated `src/cache.py`", "src/cache.py was only read in the transcript", id="only read"),
        pytest.param(_GREEN, "Updated refresh.py and src/refresh.py", "", id="edited"),
        pytest.param(_SED, "Created src/made.py", "", id="a command may have made it"),
        pytest.param(_GREEN, "Read src/router.py for its names", "", id="no claim of a change"),
        pytest.param(_GREEN, "Upgraded to Node.js 22", "", id="no path"),
        pytest.param(_GREEN, "Updated Next.js and express.js", "", id="a product"),
        pytest.param(_GREEN, "router.py was edited", "router.py was never touched in the transcript", id="a bare name"),
        pytest.param(_GREEN, "refresh.py was edited", "", id="a bare name that was"),
        pytest.param(_GREEN, "deleted refresh.py", "refresh.py was edited, not deleted, in the transcript", id="not deleted"),
        pytest.param(_GREEN, "`src/refresh.py` was removed", "src/refresh.py was edited, not deleted, in the transcript", id="not removed"),
        pytest.param(_GREEN, "Removed the dead code from refresh.py", "", id="only a part of it"),
        pytest.param((*_GREEN, runs("git rm src/refresh.py")), "deleted refresh.py", "", id="a command deleted it"),
    ],
)  # fmt: skip
def test_a_note_that_the_transcript_contradicts_is_kept_and_marked(
    steps: tuple[Step, ...], claim: str, doubt: str
) -> None:
    """Notes win for wording, the transcript wins for facts."""
    noted = _noted(steps, claim).key_outcomes[0]

    assert noted.text == claim
    assert noted.doubt == doubt


def test_only_notes_are_doubted() -> None:
    """What was extracted points at its lines; it cannot contradict them."""
    content = content_of(session(*_RED), parse_notes({"summary": "Tokens rotate."}))

    items = (*content.key_outcomes, *content.decisions, *content.discoveries)
    assert [item.doubt for item in items if item.doubt] == []
    assert content.summary_doubt == ""


def test_what_is_still_to_do_is_not_doubted() -> None:
    """`make the tests pass` is a plan, not a claim."""
    notes = parse_notes({"pending": ["all tests pass"], "next_steps": ["committed"]})

    content = content_of(session(*_RED), notes)

    assert [i.doubt for i in (*content.pending, *content.next_steps)] == ["", ""]


def test_a_doubt_is_shown_wherever_the_note_is() -> None:
    """A mark that the next session does not see is none."""
    notes = parse_notes({"summary": "All tests pass.", "key_outcomes": ["Committed."]})
    content = content_of(session(*_RED), notes)
    draft = a_draft(content, given_notes=True)
    checkpoint = a_checkpoint(draft)

    subject = with_doubts(subject_of_draft(draft))
    told = brief(subject, budget=2000, now_ms=BEGAN, fit=fit).text

    mark = "(doubtful: no commit is in the transcript)"
    assert f"Committed. {mark}" in told
    assert "(Doubtful: the last run of `pytest -q` failed.) All tests pass." in told
    assert f"- Committed. {mark}" in view(checkpoint, BEGAN)
    assert "(Doubtful: the last run" in view(checkpoint, BEGAN)
    assert mark in evidence_view(checkpoint)
    shown = item_json(content.key_outcomes[0])
    assert shown["doubt"] == "no commit is in the transcript"


def test_a_record_without_doubt_says_nothing_of_it() -> None:
    """Records grow only by what there is to say."""
    content = _noted(_GREEN, "All tests pass.")

    assert "doubt" not in item_json(content.key_outcomes[0])
