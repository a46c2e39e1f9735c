"""Words that say alone whether earlier work is meant, in every language there is."""

import json
from pathlib import Path

import pytest

from holdfast.language.explicit_words import EXPLICIT_WORDS
from holdfast.language.languages import BY_LETTERS, LATIN
from holdfast.start.explicit import agrees, asked_for

_FIXTURES = Path(__file__).parents[2] / "fixtures"


def meant(prompt: str) -> tuple[str, str] | None:
    asked = asked_for(prompt)
    return (asked.meant, asked.reference) if asked else None


def test_every_language_has_such_words() -> None:
    assert EXPLICIT_WORDS.keys() == {*LATIN, *BY_LETTERS}


@pytest.mark.parametrize(
    ("going_on", "named", "new"),
    [
        pytest.param("Let's continue, please.", "continue 42", "New task!", id="en"),
        pytest.param("mach bitte weiter", "weiter mit 42", "neue Aufgabe", id="de"),
        pytest.param("on reprend s'il te plaît", "reprends 42", "nouvelle tâche", id="fr"),
        pytest.param("continúa, por favor", "sigue con 42", "otra cosa", id="es"),
        pytest.param("vamos continuar", "retome 42", "nova tarefa", id="pt"),
        pytest.param("tiếp tục đi nhé", "tiếp tục 42", "việc khác", id="vi"),
        pytest.param("давайте продолжим", "продолжай 42", "новая задача", id="ru"),
        pytest.param("ทำต่อเลยครับ", "ทำต่อ 42", "งานใหม่ครับ", id="th"),
        pytest.param("이어서 해줘", "42번 이어서 해주세요", "새 작업", id="ko"),
        pytest.param("続けてください", "42を続けて", "別の作業", id="ja"),
        pytest.param("好的，继续吧", "继续42", "换个话题吧", id="zh"),
    ],
)  # fmt: skip
def test_a_language_says_go_on_this_one_and_something_new(
    going_on: str, named: str, new: str
) -> None:
    assert meant(going_on) == ("going on", "")
    assert meant(named) == ("going on", "42")
    assert meant(new) == ("new", "")


@pytest.mark.parametrize(
    ("prompt", "reference", "is_sure"),
    [
        pytest.param("continue api-design", "api-design", True, id="a name"),
        pytest.param("resume with the checkpoint api-design", "api-design", True, id="around it"),
        pytest.param("continue api", "api", False, id="a plain word may be the work"),
        pytest.param("continue #42", "42", True, id="a hash"),
        pytest.param("00042", "00042", True, id="as the screen shows it"),
        pytest.param("take 00042 please", "00042", True, id="politely"),
        pytest.param("CHECKPOINT-00042", "checkpoint-00042", True, id="a label"),
        pytest.param("api-design", "api-design", False, id="a name alone"),
        pytest.param("ทำต่อ ออกแบบ-api", "ออกแบบ-api", True, id="a name in another script"),
    ],
)  # fmt: skip
def test_a_name_or_number_may_stand_beside_them(
    prompt: str,
    reference: str,
    is_sure: bool,  # noqa: FBT001  # a column of the table
) -> None:
    asked = asked_for(prompt)

    assert asked is not None
    assert (asked.reference, asked.is_sure) == (reference, is_sure)


def test_a_number_alone_may_be_an_answer() -> None:
    """`2` picks an option nearly everywhere in a session."""
    asked = asked_for("2")

    assert asked is not None
    assert asked.may_be_answer


@pytest.mark.parametrize(
    "prompt",
    [
        "continue with the refresh tokens",
        "please continue and then write the docs",
        "new task: write a haiku about kelp",
        "why does `continue` not leave the loop?",
        "/continue",
        "ok",
        "yes please",
        "where were we?",
        "continue\nthen commit",
        "",
        "???",
        "ทำต่อจากตรงที่เราหยุดแล้วเขียนเอกสารด้วย",
        "继续修复登录页面的错误",
        "続けてテストも書いて",
        "계속 테스트를 고쳐줘",
    ],
)
def test_whatever_says_more_is_left_to_the_model(prompt: str) -> None:
    """A word inside a request is part of the request."""
    assert asked_for(prompt) is None


def test_no_request_of_everyday_work_is_taken_for_one() -> None:
    """Of a list of everyday prompts only the bare words are, and plain names at most."""
    works = json.loads((_FIXTURES / "first_prompts.json").read_text("utf-8"))["works"]

    assert not [p for work in works for p in work["unrelated"] if asked_for(p)]


@pytest.mark.parametrize(
    "prompt",
    [
        "ok", "Ok.", "yes, go ahead", "sure please", "sounds good!", "ja klar", "oui",
        "d'accord", "vale", "sim", "được", "да", "давай", "โอเค", "네", "はい", "好的",
    ],
)  # fmt: skip
def test_who_only_agrees_is_heard(prompt: str) -> None:
    """At a first prompt there is nothing to agree to but what the start told of."""
    assert agrees(prompt)
    assert asked_for(prompt) is None


@pytest.mark.parametrize(
    "prompt",
    ["hi", "hello there", "thanks", "no", "ok now write a poem", "yes but first a test", "2", ""],
)  # fmt: skip
def test_who_says_more_or_greets_does_not_agree(prompt: str) -> None:
    """A greeting asks for nothing, and whoever says more is judged by the model."""
    assert not agrees(prompt)
