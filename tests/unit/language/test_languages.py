"""Every language hears what it must: one file in `language`, one fixture beside the others.

A fixture says of sentences what they are; each test asks that of every language.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.checkpoint import Content
from holdfast.facts.content import content_of
from holdfast.facts.requests.goal import is_small_talk
from holdfast.facts.requests.rules import is_rule
from holdfast.language.agent_messages import is_procedure, told_done
from holdfast.language.languages import every, languages_of
from holdfast.project_notes.memory.worth_keeping import repeated_mistakes
from holdfast.search.query import moment
from holdfast.start.resume_answers import answer_of
from tests.sessions import asks, edits, says, session

_FOLDER = Path(__file__).parents[2] / "fixtures" / "languages"
_FIXTURES: dict[str, dict[str, Any]] = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted(_FOLDER.glob("*.json"))
}
_OTHER_WORK = "write the migration for the harbour tables in src/db/harbour.py"
_LISTS = (
    "rule", "not_a_rule", "question", "taken_back", "decided", "found", "next", "announced", "done",
    "greets", "not_only_greets", "repeats", "repeats_nothing", "passes", "lasts",
    "courtesy", "refutes", "tell_me",
)  # fmt: skip


def _cases(*kinds: str) -> list[object]:
    return [
        pytest.param(sentence, id=f"{code} {kind} {number}")
        for code, spoken in _FIXTURES.items()
        for kind in kinds
        for number, sentence in enumerate(spoken[kind], 1)
    ]


def _instructions(*prompts: str) -> list[str]:
    steps = [step for prompt in prompts for step in (asks(prompt), says("Done."))]
    return [item.text for item in content_of(session(*steps)).instructions]


def _content(sentence: str) -> Content:
    return content_of(session(asks("x"), says(sentence)))


def test_every_language_has_a_fixture() -> None:
    """A language without one is believed, not proved."""
    assert {each.code for each in every()} == set(_FIXTURES)


@pytest.mark.parametrize("code", _FIXTURES)
def test_a_fixture_has_sentences_of_each_kind(code: str) -> None:
    """Fewer than twelve would prove nothing about a language's rules."""
    assert all(_FIXTURES[code][kind] for kind in _LISTS)
    assert len(_FIXTURES[code]["rule"]) >= 12
    assert len(_FIXTURES[code]["not_a_rule"]) >= 12


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        pytest.param(code, sentence, id=code)
        for code, spoken in _FIXTURES.items()
        for sentence in [" ".join(spoken["rule"])]
    ],
)
def test_a_text_shows_its_language_by_its_script(code: str, sentence: str) -> None:
    """What a hook does not load, it does not pay for, and does not hear."""
    assert code in {each.code for each in languages_of(sentence)}


@pytest.mark.parametrize("sentence", _cases("rule"))
def test_a_standing_instruction_is_carried_verbatim(sentence: str) -> None:
    """Rules, corrections and priorities are what the next session breaks first."""
    assert is_rule(sentence)
    assert _instructions(sentence) == [sentence]


@pytest.mark.parametrize("sentence", _cases("not_a_rule", "question"))
def test_what_passes_with_its_request_is_no_instruction(sentence: str) -> None:
    """A question, a one-off request, a quotation or code binds nobody."""
    assert not is_rule(sentence)
    assert _instructions(sentence) == []


@pytest.mark.parametrize("sentence", _cases("passes"))
def test_what_one_request_needs_ends_with_the_next(sentence: str) -> None:
    """A wish, "this must be mended" told as a rule is obeyed where nobody meant it."""
    assert _instructions(sentence) == [sentence]
    assert _instructions(sentence, _OTHER_WORK) == []


@pytest.mark.parametrize("sentence", _cases("lasts"))
def test_what_is_forbidden_or_speaks_of_every_case_outlasts_its_request(
    sentence: str,
) -> None:
    """Who says "never" or "each" does not mean this request alone."""
    assert _instructions(sentence, _OTHER_WORK) == [sentence]


@pytest.mark.parametrize("prompts", _cases("taken_back"))
def test_a_rule_is_taken_back_in_its_own_language(prompts: list[str]) -> None:
    """A rule that was revoked and is carried on is as bad as one that was lost."""
    assert _instructions(*prompts[:1]) == prompts[:1]
    assert _instructions(*prompts) == []


@pytest.mark.parametrize("sentence", _cases("decided"))
def test_what_the_agent_settled_is_kept_and_is_no_decision(sentence: str) -> None:
    """It must not be settled again; but who decides is the user."""
    content = _content(sentence)
    assert any(sentence.endswith(item.text) for item in content.discoveries)
    assert content.decisions == ()


@pytest.mark.parametrize("sentence", _cases("found"))
def test_a_finding_is_kept(sentence: str) -> None:
    """What was found out must not be looked for again."""
    assert [item.text for item in _content(sentence).discoveries] == [sentence]


@pytest.mark.parametrize("words", _cases("refutes"))
def test_what_the_user_says_is_not_so_was_not_found_out(words: str) -> None:
    """A theory that was refuted and is told as found leads the next session astray."""
    found = "The issue is that `retry()` swallows the timeout."
    said = (asks("why does it hang?"), says(found))

    assert content_of(session(*said)).discoveries
    assert content_of(session(*said, asks(words), says("I see."))).discoveries == ()


@pytest.mark.parametrize("question", _cases("courtesy"))
def test_nobody_waits_for_the_answer_to_a_courtesy(question: str) -> None:
    """It would keep finished work open for ever."""
    assert _content(f"The export is sorted by date. {question}").open_questions == ()


@pytest.mark.parametrize("sentence", _cases("tell_me"))
def test_who_asks_to_be_told_waits_for_an_answer(sentence: str) -> None:
    """Work that waits for a word of the user is not finished."""
    (question,) = _content(f"The export is sorted by date. {sentence}").open_questions

    assert question.text.endswith(sentence)


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


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        pytest.param(words, answer, id=f"{code} {words}")
        for code, spoken in _FIXTURES.items()
        for answer, said in spoken["answer"].items()
        for words in said
    ],
)
def test_a_word_answers_whether_to_resume(words: str, answer: str) -> None:
    """Who is asked answers in their own language."""
    assert answer_of(words) == answer


@pytest.mark.parametrize(
    ("day", "ago"),
    [
        pytest.param(day, ago, id=f"{code} {day}")
        for code, spoken in _FIXTURES.items()
        for day, ago in spoken["days_ago"].items()
    ],
)
def test_a_day_is_called_by_its_name(day: str, ago: int) -> None:
    """A search from yesterday on begins at midnight."""
    now = datetime(2026, 1, 18, 15, 30, tzinfo=UTC)
    midnight = now.replace(hour=0, minute=0) - timedelta(days=ago)

    assert moment(day, now) == midnight.timestamp() * 1000


@pytest.mark.parametrize("sentence", _cases("greets"))
def test_a_greeting_asks_for_nothing(sentence: str) -> None:
    """C11: a session that said no more is not worth a record."""
    state = session(asks(sentence), says("Hello!"))

    assert is_small_talk(state.live_turns())


@pytest.mark.parametrize("sentence", _cases("not_only_greets", "rule", "question"))
def test_who_asks_for_something_did_not_only_greet(sentence: str) -> None:
    """However politely it begins."""
    state = session(asks(sentence), says("Hello!"))

    assert not is_small_talk(state.live_turns())


@pytest.mark.parametrize("sentence", _cases("repeats"))
def test_a_mistake_made_again_is_heard(sentence: str) -> None:
    """S1: it becomes a lesson, in the user's own words."""
    state = session(asks("x"), edits("a.py"), asks(sentence))

    (mistake,) = repeated_mistakes(state)
    assert mistake.text.startswith(sentence)


@pytest.mark.parametrize("sentence", _cases("repeats_nothing", "not_a_rule", "rule"))
def test_doing_something_again_is_no_mistake(sentence: str) -> None:
    """A test that is run again taught nobody anything."""
    state = session(asks("x"), edits("a.py"), asks(sentence))

    assert repeated_mistakes(state) == ()
