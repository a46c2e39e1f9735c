"""What an answer to the agent's question settles, and for how long."""

import pytest

from holdfast.facts.content import content_of
from tests.sessions import asks, edits, says, session, uses

_PLACE = "Where is your vault?"


def _decided(answer: str, *, is_built: bool = False) -> list[str]:
    steps = [
        asks("make the vault searchable"),
        uses("AskUserQuestion", _PLACE, choices=((_PLACE, answer),)),
    ]
    steps += [edits("search.py")] if is_built else []
    state = session(*steps, says("So be it."))
    return [item.text for item in content_of(state).decisions]


@pytest.mark.parametrize(
    "answer",
    [
        "I'll tell you the path", "Tell me the path", "Ich nenne dir den Pfad",
        "Je te donne le chemin", "Te lo digo", "Vou informar o caminho",
        "Tôi sẽ cho bạn biết", "Я укажу путь", "ผมจะบอกให้", "직접 입력할게요",
        "パスを入力する", "告诉我路径",
    ],
)  # fmt: skip
def test_an_answer_that_only_promises_one_decides_nothing(answer: str) -> None:
    """What was meant comes with the next prompt."""
    assert _decided(answer) == []
    assert _decided("~/notes/vault") == [f"{_PLACE} → ~/notes/vault"]


@pytest.mark.parametrize(
    "answer",
    [
        "no need to code yet, just plan", "planning stage only.",
        "noch kein Code, nur planen", "pas encore de code, juste un plan",
        "sin código todavía, solo planificar", "sem código ainda, só planejar",
        "chưa cần viết code, chỉ lên kế hoạch", "пока без кода, только план",
        "ยังไม่ต้องเขียนโค้ด", "아직 코드는 필요 없어요", "まだ実装は不要", "先不写代码，只做规划",
    ],
)  # fmt: skip
def test_that_only_a_plan_is_wanted_ends_when_the_work_begins(answer: str) -> None:
    assert _decided(answer) == [f"{_PLACE} → {answer}"]
    assert _decided(answer, is_built=True) == []


def test_a_note_that_repeats_its_answer_is_told_once() -> None:
    assert _decided("all of it (all of it)") == [f"{_PLACE} → all of it"]
    assert _decided("all of it (the drafts too)") == [
        f"{_PLACE} → all of it (the drafts too)"
    ]
