"""What an agent said last says where the work stands."""

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.facts.content import content_of
from holdfast.language.agent_messages import told_in
from holdfast.language.sentences import plain, with_rows_told
from tests.sessions import Step, asks, edits, interrupts, runs, says, session

_LONG = "`rotate()` is written and the middleware calls it at each request."


def test_what_closes_a_turn_is_told_before_what_says_more() -> None:
    """Without "Committed and pushed." the work reads as undone."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        runs("git push"),
        says("Committed and pushed."),
    )

    assert content_of(state).last_words == f"Committed and pushed.\n{_LONG}"


def test_what_closes_the_last_turn_is_not_said_before_it_was_asked() -> None:
    """Only what it stands before is."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        asks("push it"),
        runs("git push"),
        says("Done."),
    )
    content = content_of(state)

    told = brief(
        subject_of_session(state, content), budget=1000, now_ms=state.ended_at, fit=fit
    ).text

    assert f"Last said: Done.\n  Said before this was asked: {_LONG}" in told
    assert "said last" not in content.summary


def test_an_announcement_closes_nothing() -> None:
    """The agent was about to do something when the session ended."""
    state = session(asks("add tokens"), says(_LONG), says("Now let me run the tests."))

    assert content_of(state).last_words == _LONG


def test_few_words_on_the_way_are_not_where_it_stands() -> None:
    """Words such as "the file is cut off" tells nobody what came of the work."""
    state = session(
        asks("add tokens"),
        says(_LONG),
        asks("compare the two directories"),
        says("I see that it is cut off."),
        runs("ls"),
    )

    assert content_of(state).said_before == _LONG


_FOUND = (
    "The plugin finds the loop; the gate of the simulator does not filter, so the log has"
    " every instruction. Against the simulator two issues are to be filed."
)


def _brief(*steps: Step) -> str:
    state = session(*steps)
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=1000, now_ms=state.ended_at, fit=fit).text


def test_before_few_last_words_stands_what_was_said_before_them() -> None:
    """ "Written to the file" does not say what was found."""
    told = _brief(
        asks("verify both tools on the kernels"),
        says(_FOUND),
        asks("write it into a file"),
        edits("tmp.md"),
        says("Written to `tmp.md`."),
    )

    assert "Last said: Written to `tmp.md`.\n" in told
    assert "  Said before this was asked: The plugin finds the loop" in told


def test_an_answer_is_told_with_its_question_and_not_with_what_was_before_it() -> None:
    """The same twice is the same."""
    told = _brief(
        asks("plan the work on the kernels"),
        says(f"{_FOUND} Shall I file the two issues in one ticket?"),
        asks("yes, in one"),
        says("Filed as `SIM-12`."),
    )

    assert "Said before" not in told


def test_what_is_told_at_length_needs_nothing_before_it() -> None:
    """It says itself what it came to."""
    told = _brief(
        asks("verify both tools on the kernels"),
        says(_FOUND),
        asks("and the third kernel?"),
        says(f"{_LONG} The third kernel runs as the first one does, in 40 ms each."),
    )

    assert "Said before" not in told


def test_the_point_of_an_answer_is_no_question() -> None:
    """Who answers often says first what was asked."""
    answer = (
        "A good question: can `fp4` and `mxfp8` be mixed? In short: no, the blocks are of"
        " 16 and of 32. Each of the two goes its own way. Both are fast in all of that."
    )
    more = "\n\n".join(
        f"The part {n} of it reads {n} blocks at once." for n in range(140)
    )
    told = _brief(asks("can I mix them?"), says(f"{answer}\n\n{more}"))

    assert "Last said: In short: no, the blocks are of 16 and of 32." in told


def _told(*steps: Step, budget: int = 400) -> str:
    state = session(*steps)
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=budget, now_ms=state.ended_at, fit=fit).text


def test_behind_a_word_on_a_task_that_ended_stands_what_was_said_before() -> None:
    """Who is told that a background task is over answers with a word."""
    report = (
        "The table is written: `data/rates.csv` has 200,000 rows in 25 files. Eight"
        " workers made it in three minutes, and nothing was dropped on the way."
    )
    done = says("All background tasks are done.")
    apart = session(asks("make it"), says(report), asks("it is over", via=None), done)
    within = session(asks("make it"), runs("make"), says(report), done)

    assert report in content_of(apart).last_words
    assert report in content_of(within).last_words


def test_where_a_turn_was_cut_off_is_told_with_what_led_there() -> None:
    """The last sentence announces a call; the one before it says why."""
    told = _told(
        asks("is it up?"),
        says("`api` runs: the port is open, and all nine of its services were loaded."),
        runs("curl localhost:80", fails="refused"),
        says("The server has stopped. Let me start it again:"),
        runs("python main.py", outcome="interrupted"),
        interrupts(),
    )

    assert 'at: "The server has stopped. Let me start it again"' in told


def test_what_the_last_words_tell_is_not_told_again_where_the_turn_ended() -> None:
    """One of the two is enough."""
    told = _told(
        asks("go on"),
        says("Task 4 of `plan.md` is done. Task 5: the page."),
        edits("page.html"),
    )

    assert told.count("Task 5: the page") == 1


def test_a_cell_of_a_table_holds_the_bars_of_its_code() -> None:
    """`nc … || exit 1` would end in the middle."""
    table = "| name | check |\n|---|---|\n| `db` | `nc -z db 5432 || exit 1` |\n"

    assert "- db: `nc -z db 5432 || exit 1`" in with_rows_told(table).replace(
        "`db`", "db"
    )


def test_an_address_in_bold_type_loses_its_marks() -> None:
    """The stars behind its last stroke belong to those before it."""
    assert (
        plain("**Live at http://localhost:5174/**") == "Live at http://localhost:5174/"
    )
    assert plain("all of src/** and **/*.go") == "all of src/** and **/*.go"


def test_what_is_numbered_in_bold_type_is_a_list() -> None:
    """Its number alone would end a sentence."""
    message = (
        "**The plan is done. Two ways:**\n\n**1. Alone** — one `worker` each\n\n"
        "**2. Here** — in this session\n"
    )

    assert told_in(message) == (
        "The plan is done. Two ways:\n- Alone — one `worker` each\n- Here — in this session"
    )


def test_where_a_long_message_was_cut_is_not_said() -> None:
    """The mark stands alone in a line."""
    assert told_in("`a` is done.\n…\n`b` is next.") == "`a` is done.\n`b` is next."


def test_where_something_was_read_is_not_what_was_said() -> None:
    """A list of links stands under many an answer."""
    message = (
        "Blocks of 32 share a scale.\n\nSources:\n- [Scaling](https://docs.test/s)\n"
    )

    assert told_in(message) == "Blocks of 32 share a scale."


@pytest.mark.parametrize(
    ("nod", "told"),
    [
        ("承知いたしました！", "`rates.csv` に全ての国が入っています。"),
        ("완료했습니다!", "`rates.csv`에 모든 나라가 들어 있습니다."),
        ("好的，", "`rates.csv` 里有所有国家。"),
        ("¡Listo! ", "`rates.csv` tiene todos los países."),
        ("Pronto! ", "`rates.csv` tem todos os países."),
        ("Parfait ! ", "`rates.csv` contient tous les pays."),
        ("Erledigt. ", "`rates.csv` enthält alle Länder."),
        ("Готово. ", "`rates.csv` содержит все страны."),
        ("Tuyệt vời! ", "`rates.csv` có tất cả các nước."),
        ("เรียบร้อยแล้วครับ! ", "`rates.csv` มีทุกประเทศแล้ว"),
    ],
)
def test_a_nod_is_not_what_was_said_in_any_language(nod: str, told: str) -> None:
    """What comes behind it is."""
    assert told_in(f"{nod}{told}") == told


@pytest.mark.parametrize(
    "courtesy",
    [
        "ご要望がございましたら、いつでもお声がけください。",
        "추가로 필요한 것이 있으면 말씀해 주세요.",
        "如果需要调整，请告诉我。",
        "Si necesitas algo más, avísame.",
        "Se precisar de mais alguma coisa, é só avisar.",
        "N'hésite pas si tu as des questions.",
        "Sag Bescheid, wenn noch etwas fehlt.",
        "Если нужно что-то ещё, дайте знать.",
        "Nếu cần gì thêm, hãy cho tôi biết.",
        "หากต้องการอะไรเพิ่มเติม บอกได้เลยครับ",
    ],
)
def test_an_offer_is_not_what_was_said_in_any_language(courtesy: str) -> None:
    """It could stand below any message."""
    assert told_in(f"`rates.csv` 200\n\n{courtesy}") == "`rates.csv` 200"
