"""A title is about the work, not about what was said beside it."""

import pytest

from holdfast.facts.content import content_of
from holdfast.facts.work.inheritance import inherited_from
from tests.sessions import a_checkpoint, a_draft, asks, edits, runs, says, session

_ASIDES = [
    pytest.param("add an export of orders", "never use sleep in tests", id="English"),
    pytest.param(
        "Füge einen Export der Bestellungen hinzu",
        "Ich finde die Klasse OrderStore nicht schön, aber egal",
        id="German",
    ),
    pytest.param(
        "Ajoute un export des commandes",
        "Ne touche jamais au fichier legacy.php",
        id="French",
    ),
    pytest.param(
        "Añade una exportación de pedidos", "Prefiero que no uses lodash", id="Spanish"
    ),
    pytest.param(
        "Thêm chức năng xuất đơn hàng", "Đừng sửa file cấu hình", id="Vietnamese"
    ),
    pytest.param("给订单页面加一个导出按钮", "以后不要用 any 类型", id="Chinese"),
    pytest.param(
        "注文のエクスポート画面を作る",
        "あとコミットメッセージは必ず日本語で書いてください",
        id="Japanese",
    ),
    pytest.param("주문 내보내기 기능을 추가", "잠깐, 린트는 내가 할게", id="Korean"),
    pytest.param("เพิ่มหน้าส่งออกคำสั่งซื้อ", "โอเค แต่ห้ามใช้ CASCADE", id="Thai"),
]


@pytest.mark.parametrize(("work", "aside"), _ASIDES)
def test_a_rule_or_an_aside_is_no_title(work: str, aside: str) -> None:
    """The edits behind it belong to the request before it."""
    state = session(
        asks(work), edits("a.py"), says("Ok."), asks(aside), edits("a.py"), runs("make")
    )

    assert content_of(state).title == work[0].upper() + work[1:]


@pytest.mark.parametrize(("work", "aside"), _ASIDES)
def test_what_stands_beside_the_work_in_one_message_is_no_title(
    work: str, aside: str
) -> None:
    """Some say the rule first."""
    content = content_of(session(asks(f"{aside}\n{work}"), edits("a.py")))

    assert content.title == work[0].upper() + work[1:]


def test_a_rule_behind_a_request_is_a_part_of_it() -> None:
    """What is to be done stands before the comma."""
    words = "Write the plan to a file, don't commit"

    assert content_of(session(asks("go"), says("Ok."), asks(words))).title == words


def test_a_session_of_one_aside_is_called_by_it() -> None:
    """There is nothing else to call it by."""
    content = content_of(session(asks("never use sleep in tests")))

    assert content.title == "Never use sleep in tests"


def test_a_title_counts_the_errors_that_a_brief_tells() -> None:
    """Two numbers for one thing make a reader doubt both."""
    content = content_of(
        session(
            asks("load all orders"),
            runs("pytest -q", fails="AssertionError: 200 != 401"),
            runs("./load.sh orders", fails="error: no such table: orders"),
        )
    )

    assert len(content.errors) == 2
    assert content.title == "Load all orders; 2 open errors"


def test_a_session_of_a_nod_has_the_title_of_the_goal_it_inherited() -> None:
    """ "Continue" says nothing in a list."""
    first = content_of(session(asks("add an export of orders"), edits("a.py")))
    state = session(
        asks("continue"),
        edits("a.py"),
        inherited=inherited_from(a_checkpoint(a_draft(first))),
    )
    content = content_of(state)

    assert content.title == "Add an export of orders"
    assert content.summary.startswith(
        'The user still wants: "add an export of orders".'
    )


def test_a_title_does_not_tell_what_was_done_before_the_goal() -> None:
    """What was committed for another request is not where this one stands."""
    state = session(
        asks("add an export of orders"),
        runs('git commit -m "Export orders"'),
        says("Committed."),
        asks("translate the error messages to Thai"),
        edits("a.py"),
        says("ok"),
    )

    assert content_of(state).title == "Translate the error messages to Thai"
