"""What an agent says in eight other languages: what holds, what is next, what is talk."""

import json
from pathlib import Path

import pytest

from holdfast.domain.checkpoint import Content
from holdfast.facts.content import content_of
from holdfast.language.speech import is_procedure, told_done
from tests.sessions import asks, says, session

_FILE = Path(__file__).parents[2] / "fixtures" / "statements.json"
_SENTENCES: dict[str, dict[str, list[str]]] = json.loads(_FILE.read_text("utf-8"))


def _cases(*kinds: str) -> list[object]:
    return [
        pytest.param(sentence, id=f"{language} {kind} {number}")
        for language, spoken in _SENTENCES.items()
        for kind in kinds
        for number, sentence in enumerate(spoken[kind], 1)
    ]


def _content(sentence: str) -> Content:
    return content_of(session(asks("x"), says(sentence)))


@pytest.mark.parametrize("sentence", _cases("decided"))
def test_a_decision_is_kept(sentence: str) -> None:
    """What was settled must not be settled again."""
    (decision,) = _content(sentence).decisions
    assert sentence.endswith(decision.text)


@pytest.mark.parametrize("sentence", _cases("found"))
def test_a_finding_is_kept(sentence: str) -> None:
    """What was found out must not be looked for again."""
    assert [item.text for item in _content(sentence).discoveries] == [sentence]


@pytest.mark.parametrize("sentence", _cases("next"))
def test_what_is_next_is_kept(sentence: str) -> None:
    """The next session begins with it."""
    assert [item.text for item in _content(sentence).next_steps] == [sentence]


@pytest.mark.parametrize("sentence", _cases("announced"))
def test_an_announcement_tells_nothing(sentence: str) -> None:
    """What an agent is about to do says nothing once it is done."""
    assert is_procedure(sentence)
    assert not _content(sentence).story


@pytest.mark.parametrize("sentence", _cases("done", "decided", "found"))
def test_what_was_done_is_no_announcement(sentence: str) -> None:
    """It is the answer to what became of a request."""
    assert not is_procedure(sentence)


@pytest.mark.parametrize("sentence", _cases("done"))
def test_what_a_request_came_to_is_told(sentence: str) -> None:
    """A request without its end would be done again."""
    assert told_done(sentence) == sentence
