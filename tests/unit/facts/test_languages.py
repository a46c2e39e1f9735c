"""Standing instructions in nine languages: what holds on, what passes, what is taken back."""

import json
from pathlib import Path

import pytest

from holdfast.facts.content import content_of
from holdfast.facts.requests.rules import is_rule
from tests.sessions import asks, says, session

_FILE = Path(__file__).parents[2] / "fixtures" / "instructions.json"
_SENTENCES: dict[str, dict[str, list[str]]] = json.loads(_FILE.read_text("utf-8"))


def _cases(kind: str) -> list[object]:
    return [
        pytest.param(sentence, id=f"{language} {number}")
        for language, kinds in _SENTENCES.items()
        for number, sentence in enumerate(kinds[kind], 1)
    ]


def _instructions(*prompts: str) -> list[str]:
    steps = [step for prompt in prompts for step in (asks(prompt), says("Done."))]
    return [item.text for item in content_of(session(*steps)).instructions]


def test_nine_languages_have_twelve_sentences_of_each_kind() -> None:
    """Fewer would prove nothing about a language."""
    assert len(_SENTENCES) == 9
    assert all(len(k["standing"]) >= 12 for k in _SENTENCES.values())
    assert all(len(k["passing"]) >= 12 for k in _SENTENCES.values())


@pytest.mark.parametrize("sentence", _cases("standing"))
def test_a_standing_instruction_is_carried_verbatim(sentence: str) -> None:
    """Rules, corrections and priorities are what the next session breaks first."""
    assert is_rule(sentence)
    assert _instructions(sentence) == [sentence]


@pytest.mark.parametrize("sentence", _cases("passing"))
def test_what_passes_with_its_request_is_no_instruction(sentence: str) -> None:
    """A question, a one-off request, a quotation or code binds nobody."""
    assert not is_rule(sentence)
    assert _instructions(sentence) == []


@pytest.mark.parametrize(
    ("prompts", "left"),
    [
        pytest.param(("Never use sleep in tests.", "forget that"), [], id="forget that"),
        pytest.param(
            ("Never use sleep in tests.", "never mind, go on"), [], id="never mind"
        ),
        pytest.param(("必须先写测试", "算了"), [], id="Chinese"),
        pytest.param(("Il faut tester d'abord.", "oublie ça"), [], id="French"),
        pytest.param(("Verwende niemals sleep.", "vergiss das"), [], id="German"),
        pytest.param(("Nunca uses sleep.", "olvida eso"), [], id="Spanish"),
        pytest.param(
            ("Never use sleep in tests.", "fix the parser", "forget that"),
            ["Never use sleep in tests."],
            id="it means what was said just before",
        ),
        pytest.param(
            ("Never use sleep in tests.", "ok", "forget the rule about sleep"),
            [],
            id="named",
        ),
        pytest.param(
            ("Never use sleep in tests.", "go", "forget the tests for now"),
            ["Never use sleep in tests."],
            id="another thing is dropped",
        ),
        pytest.param(
            ("Never use sleep in tests.", "go", "actually, you can use sleep in tests"),
            [],
            id="allowed after all",
        ),
        pytest.param(
            ("Always run the linter.", "Please don't run the linter, it is slow"),
            ["Please don't run the linter, it is slow"],
            id="turned around",
        ),
        pytest.param(
            ("Never use sleep in tests.", "Never use sleep in slow tests either"),
            ["Never use sleep in tests.", "Never use sleep in slow tests either"],
            id="said again is not taken back",
        ),
        pytest.param(
            ("Never use sleep in tests.", "should I forget that?"),
            ["Never use sleep in tests."],
            id="a question takes nothing back",
        ),
        pytest.param(
            ("Use spaces.", "Actually, use tabs instead of spaces."),
            ["Actually, use tabs instead of spaces."],
            id="a correction stands",
        ),
    ],
)  # fmt: skip
def test_the_user_can_take_a_rule_back(
    prompts: tuple[str, ...], left: list[str]
) -> None:
    """A rule that was revoked and is carried on is as bad as one that was lost."""
    assert _instructions(*prompts) == left
