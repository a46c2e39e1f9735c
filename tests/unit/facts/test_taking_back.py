"""What takes a rule back, whether it was laid down in this session or in an earlier one."""

import pytest

from holdfast.domain.session import Inherited
from holdfast.facts.content import content_of
from tests.sessions import asks, says, session

_SLEEP = "Never use sleep in tests."
_SIGN = "Always sign commits with my key."


def _own(rule: str, words: str) -> list[str]:
    steps = (asks(rule), says("Ok."), asks("go on"), says("Ok."), asks(words))
    return [item.text for item in content_of(session(*steps)).instructions]


def _inherited(rule: str, words: str) -> list[str]:
    left = Inherited("instructions", rule, "user", origin="ccp-1")
    state = session(asks("go on"), says("Ok."), asks(words), inherited=(left,))
    return [item.text for item in content_of(state).instructions]


@pytest.mark.parametrize("kept", [_own, _inherited])
@pytest.mark.parametrize(
    ("rule", "words"),
    [
        pytest.param(_SLEEP, "You may use sleep in tests again", id="allowed again"),
        pytest.param(_SLEEP, "sleep in tests is fine again", id="fine again"),
        pytest.param(_SLEEP, "The rule about sleep in tests no longer applies.", id="no longer applies"),
        pytest.param(_SLEEP, "forget the rule about sleep", id="named by a word"),
        pytest.param(_SIGN, "forget the rule about signing commits with my key", id="in another form"),
        pytest.param("N'utilise jamais sleep dans les tests.", "Tu peux de nouveau utiliser sleep dans les tests", id="French"),
        pytest.param("Nunca uses sleep en los tests.", "Ya puedes usar sleep en los tests", id="Spanish"),
        pytest.param("Verwende niemals sleep in Tests.", "sleep in Tests ist wieder erlaubt", id="German"),
        pytest.param("Verwende niemals sleep in Tests.", "Die Regel zu sleep in Tests gilt nicht mehr.", id="a German rule"),
        pytest.param("テストで sleep は使わないでください。", "テストで sleep を使ってもいいです", id="Japanese"),
        pytest.param("테스트에서 sleep 쓰지 마세요", "이제 테스트에서 sleep 써도 돼요", id="Korean"),
        pytest.param("测试里千万别用 sleep", "现在测试里可以用 sleep 了", id="Chinese"),
        pytest.param("测试里千万别用 sleep", "取消测试里别用 sleep 的规则", id="a Chinese rule"),
        pytest.param("ห้ามใช้ sleep ในเทสต์", "ตอนนี้ใช้ sleep ในเทสต์ได้แล้ว", id="Thai"),
        pytest.param("ห้ามใช้ sleep ในเทสต์", "ยกเลิกกฎห้ามใช้ sleep ในเทสต์", id="a Thai rule"),
        pytest.param("Đừng dùng sleep trong test", "Giờ bạn có thể dùng sleep trong test", id="Vietnamese"),
    ],
)  # fmt: skip
def test_a_rule_that_is_taken_back_is_gone_and_leaves_none(
    kept: object, rule: str, words: str
) -> None:
    """A session later, the same words must mean the same; to end a rule lays down none."""
    assert callable(kept)
    assert kept(rule, "fix the parser") == [rule]
    assert kept(rule, words) == []


@pytest.mark.parametrize("kept", [_own, _inherited])
@pytest.mark.parametrize(
    ("rule", "words"),
    [
        pytest.param(_SLEEP, "forget the tests for now", id="another thing"),
        pytest.param(_SLEEP, "the tests are fine again", id="praise"),
        pytest.param(_SLEEP, "may I use sleep in tests again?", id="a question"),
        pytest.param(_SLEEP, "you can run the tests now", id="allows something else"),
        pytest.param(_SIGN, "you can sign in with my account", id="a word by chance"),
        pytest.param("测试里千万别用 sleep", "可以，继续", id="a yes in Chinese"),
        pytest.param("测试里千万别用 sleep", "现在可以跑测试了", id="allows another in Chinese"),
        pytest.param("ห้ามใช้ sleep ในเทสต์", "รันเทสต์ได้แล้ว", id="allows another in Thai"),
        pytest.param("Verwende niemals sleep in Tests.", "die Tests sind wieder grün", id="a report in German"),
    ],
)  # fmt: skip
def test_whatever_is_in_doubt_stays(kept: object, rule: str, words: str) -> None:
    """A lost rule costs more than one too many."""
    assert callable(kept)
    assert kept(rule, words) == [rule]


def test_a_rule_taken_back_without_a_name_is_the_one_just_said() -> None:
    """`that rule` points at what was said last."""
    steps = (asks(_SLEEP), says("Ok."), asks("that rule no longer applies"))

    assert content_of(session(*steps)).instructions == ()
