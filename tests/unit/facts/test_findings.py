"""What was found out, and what was found out to be otherwise."""

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.checkpoint import context_of
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from tests.sessions import asks, says, session

_FIRST = "The issue is that `retry()` swallows the timeout."
_LAST = "The problem is that `lock()` is never released."


def _found(state: SessionState) -> list[str]:
    return [item.text for item in content_of(state).discoveries]


@pytest.mark.parametrize(
    "taken_back",
    [
        "Actually, that's not it.",
        "Hmm, that wasn't the cause.",
        "It isn't the root cause after all.",
        "I was wrong.",
        "I was wrong about `retry()`, it passes the timeout on.",
        "My earlier theory was wrong.",
        "That was a red herring.",
        "Scratch that, the log is from yesterday.",
        "这不是问题，我刚才判断错了。",
        "それは原因ではありませんでした。",
        "제가 틀렸습니다.",
        "Je me suis trompé.",
        "Me equivoqué con el tiempo de espera.",
        "Das war es nicht.",
        "Tôi đã nhầm.",
        "ไม่ใช่สาเหตุครับ",
    ],
)
def test_a_finding_that_was_taken_back_is_not_told(taken_back: str) -> None:
    """Who is told it begins where the last session was wrong."""
    state = session(
        asks("why does it hang?"), says(_FIRST), says(taken_back), says(_LAST)
    )

    assert _found(state) == [_LAST]


@pytest.mark.parametrize(
    "real_cause",
    [
        "The real cause is that `lock()` is never released.",
        "Looking closer, the actual problem is the `lock()` in the pool.",
        "真正的原因是 `lock()` 从未释放，所以会一直等待。",
        "本当の原因は `lock()` が解放されないことです。",
        "진짜 원인은 `lock()`이 해제되지 않는 것입니다.",
        "La vraie cause est que `lock()` n'est jamais libéré.",
        "La verdadera causa es que `lock()` nunca se libera.",
        "Die eigentliche Ursache ist, dass `lock()` nie freigegeben wird.",
    ],
)
def test_the_real_cause_is_told_in_place_of_what_was_taken_for_it(
    real_cause: str,
) -> None:
    """It says without saying so that the other one was none."""
    state = session(asks("why does it hang?"), says(_FIRST), says(real_cause))

    assert _found(state) == [real_cause]


@pytest.mark.parametrize(
    "later",
    [
        "I was wrong about `flush()`, it is called once.",
        "The real problem is that `retry()` has no limit.",
        "Is that not the cause?",
        "It is not clear what the log means.",
    ],
)
def test_what_speaks_of_something_else_takes_nothing_back(later: str) -> None:
    """A finding that is lost is looked for again."""
    state = session(asks("why does it hang?"), says(_FIRST), says(later))

    assert _found(state)[0] == _FIRST


def test_only_what_was_just_found_is_taken_back_without_a_name() -> None:
    """ "That's not it" means the last that was said, and nothing of an older request."""
    state = session(
        asks("why does it hang?"),
        says(_FIRST),
        asks("thanks, now the export"),
        says("The export is sorted by date."),
        asks("and the colours?"),
        says("That's not it, the palette is right."),
    )

    assert _found(state) == [_FIRST]


def test_a_guess_that_was_taken_back_takes_no_finding_with_it() -> None:
    """ "That" is the guess."""
    state = session(
        asks("why does it hang?"),
        says(_FIRST),
        says("The reason is probably the proxy. Actually, that's not it."),
    )

    assert _found(state) == [_FIRST]


def test_a_root_cause_is_told_before_what_was_found_on_the_way() -> None:
    """Where there is room for one finding, it is the one that ended the search."""
    root = "The root cause is that `lock()` is taken twice by the same thread."
    state = session(
        asks("why does it hang?"),
        says("The issue is that `pool.get()` waits."),
        says(root),
        says("The problem is that the linter does not know `lock()`."),
        says("Both are mended. The tests of the pool pass again, all 48 of them."),
    )
    subject = subject_of_session(state, content_of(state))

    told = brief(subject, budget=1000, now_ms=state.ended_at, fit=fit).text

    assert _found(state)[-1] == root
    assert told.index(f"Found: {root}") < told.index("Found: The problem")


def test_a_root_cause_of_an_older_request_comes_after_what_was_found_since() -> None:
    """What was found last is about the work at hand."""
    state = session(
        asks("why does it hang?"),
        says("The root cause is that `lock()` is taken twice."),
        asks("why is the export empty?"),
        says("The issue is that `rows()` is read twice."),
    )

    assert _found(state)[-1] == "The issue is that `rows()` is read twice."


def test_what_a_request_came_to_is_not_told_once_the_user_refuted_it() -> None:
    """The brief would tell it twice: as found, and as what the request came to."""
    told = "Fixed the page: `reset()` only updated one of the two journeys."
    state = session(
        asks("start with the list of journeys in the admin page"),
        says("The list is in `journeys.rb`."),
        asks("tell me why the page of recommendations still shows an error"),
        says(told),
        asks("there is only one journey, so that theory is wrong"),
        says("Then it is the calculator in `risk.rb`."),
    )
    requests = content_of(state).requests

    assert not any("two journeys" in request.about for request in requests)


@pytest.mark.parametrize(
    "complaint",
    [
        "the list is still empty on my side",
        "es kommt immer noch eine leere Liste",
        "ça ne marche toujours pas chez moi",
        "se sigue mostrando la lista vacía",
        "a lista ainda aparece vazia aqui",
        "danh sách vẫn không hiện ra gì cả",
        "список всё ещё пустой у меня",
        "รายการยังไม่ขึ้นเลยครับ",
        "목록이 여전히 비어 있어요",
        "一覧がまだ空のままです",
        "列表还是没有显示出来",
    ],
)
def test_what_a_request_came_to_is_not_told_where_it_is_still_as_before(
    complaint: str,
) -> None:
    """ "Fixed" behind an arrow would be believed."""
    state = session(
        asks("repair the list of the orders"),
        says("The list of the orders is repaired and shows all of them."),
        asks(complaint),
    )

    assert context_of(content_of(state).requests[0]).came_to == ""


def test_what_is_asked_again_in_the_same_words_was_not_done() -> None:
    state = session(
        asks("repair the list of the orders"),
        says("The list of the orders is repaired and shows all of them."),
        asks("Repair the list of the orders"),
        says("The list of the orders is repaired, now by its date."),
        asks("translate the titles to Thai"),
    )

    first, second, _ = content_of(state).requests
    assert context_of(first).came_to == ""
    assert context_of(second).came_to


@pytest.mark.parametrize(
    ("telling", "empty"),
    [
        (
            "問題は設定ファイルの読み込み順が逆なため起きていました。",
            "問題が完全にわかりました、ありがとうございます。",
        ),
        (
            "问题是缓存没有在更新之后清空，所以一直显示旧数据。",
            "问题已经完全找到了，我们来看一看吧。",
        ),
        (
            "문제는 캐시가 갱신 후에 비워지지 않는 것입니다.",
            "이제 문제를 전부 확인했습니다 여러분.",
        ),
        ("ปัญหาคือแคชไม่ถูกล้างหลังจากอัปเดตข้อมูล", "ปัญหาคือเรื่องที่เราเห็นกันเมื่อครู่นี้ครับ"),
    ],
)
def test_a_finding_names_something_or_gives_a_reason_in_any_script(
    telling: str, empty: str
) -> None:
    """ "I found the problem" is none: who reads it knows nothing more."""
    state = session(asks("why is the list old?"), says(empty), says(telling))

    assert _found(state) == [telling]
