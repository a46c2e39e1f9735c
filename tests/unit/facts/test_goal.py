"""The goal is the last request with content, and nothing else replaces it."""

from dataclasses import replace

import pytest

from holdfast.domain.asked import current_request, earlier_requests
from holdfast.domain.checkpoint import Item, context_of, goal_fact
from holdfast.domain.session import SessionState, Turn
from holdfast.facts.content import content_of
from holdfast.facts.work.inheritance import inherited_from
from tests.sessions import (
    BEGAN,
    SESSION,
    a_checkpoint,
    a_draft,
    asks,
    edits,
    reads,
    runs,
    says,
    session,
)

# A request with content, a nod, a chore and a few words more, in each language.
_LANGUAGES = [
    ("add refresh tokens to the login", "continue", "commit this", "the tests too"),
    ("ajoute l'export des commandes", "vas-y, continue", "commite les changements", "et la doc"),
    ("schreib den Parser um", "ja, mach weiter", "committe die Änderungen", "die Tests auch"),
    ("reescribe el analizador de fechas", "sí, sigue", "haz commit de los cambios", "y las pruebas"),
    ("reescreva o analisador de datas", "sim, pode continuar", "commita as alterações", "os testes também"),
    ("viết lại trình phân tích cú pháp", "tiếp tục đi", "commit và push", "thêm test nữa"),
    ("перепиши парсер дат", "да, продолжай", "закоммить изменения", "и тесты"),
    ("날짜 파서를 다시 작성해줘", "계속해줘", "커밋하고 푸시해줘", "테스트도 추가해줘"),
    ("日付のパーサーを書き直してください", "続けてください", "コミットしてプッシュして", "テストもお願いします"),
    ("重写日期解析器并处理时区", "继续", "提交代码并推送", "测试也要"),
    ("เขียนตัวแยกวันที่ใหม่ทั้งหมด", "ทำต่อเลยครับ", "คอมมิตแล้วพุช", "เทสต์ด้วยครับ"),
]  # fmt: skip


def role(words: str, *before: str) -> str:
    steps = [asks("rewrite the date parser")]
    steps += [says(text) for text in before]
    return context_of(content_of(session(*steps, asks(words))).requests[-1]).role


def the_goal(state: SessionState) -> Item:
    (goal,) = content_of(state).goal
    return goal


@pytest.mark.parametrize(("request_", "nod", "chore", "more"), _LANGUAGES)
def test_a_goal_stands_through_nods_chores_and_additions(
    request_: str, nod: str, chore: str, more: str
) -> None:
    """What the work is for does not change because the user says "go on"."""
    state = session(
        asks(request_), edits("a.py"), says("Done so far."),
        asks(nod), edits("a.py"), says("More is done."),
        asks(more), edits("b.py"), says("That, too."),
        asks(chore), runs("git commit -m x"), says("Committed."),
        asks(nod),
    )  # fmt: skip

    content = content_of(state)

    assert [goal.text for goal in content.goal] == [request_]
    assert [context_of(each).role for each in content.requests[:4]] == [
        "request", "nod", "addition", "chore",
    ]  # fmt: skip
    assert goal_fact(content.goal[0]).added == (more,)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2", "nod"),
        ("yes", "nod"),
        ("pick up where we left off", "nod"),
        ("let's continue with the next task", "nod"),
        ("fix it", "aside"),
        ("what is it testing?", "aside"),
        ("/review", "command"),
        ("/fix-issue the login page ignores expired tokens", "request"),
        ("open a PR", "chore"),
        ("also run the linter", "addition"),
        ("never use sleep in tests", "aside"),
        ("add dark mode", "request"),
        ("start the training", "request"),
        ("npm --version", "nod"),
        ("https://example.org/issues/12", "addition"),
    ],
)
def test_what_a_prompt_is_to_the_work(words: str, expected: str) -> None:
    """Only a request with content is a goal; a rule is kept as a rule."""
    assert role(words) == expected


def test_a_short_answer_is_told_with_its_question_and_leaves_the_goal() -> None:
    """ "postgres" is no goal; the question makes it understood."""
    state = session(
        asks("add a database to the shop"),
        says("There are two ways. Which database should I use?"),
        asks("use postgres with asyncpg"),
    )
    content = content_of(state)

    assert the_goal(state).text == "add a database to the shop"
    current = current_request(content)
    assert current is not None
    assert current.text == "use postgres with asyncpg"
    assert context_of(current).role == "answer"
    assert "Which database" in context_of(current).answering


def test_an_answer_with_content_is_a_goal_and_keeps_its_question() -> None:
    """Work is also given by an answer: "which one?" – "the second: rewrite …"."""
    words = (
        "the second: rewrite the parser by hand so that nested quotes and escapes work,"
        " and keep the old one behind a flag"
    )
    state = session(
        asks("look at the parser"),
        says("Two ways. Which one do you want?"),
        asks(words),
    )

    assert the_goal(state).text == words
    assert current_request(content_of(state)) is None


def test_a_question_in_passing_leaves_the_goal() -> None:
    """It was answered in a sentence and nothing was done; the work is what it was."""
    state = session(
        asks("rewrite the date parser"),
        edits("a.py"),
        says("The parser is rewritten."),
        asks("what does ISO 8601 say about week numbers?"),
        says("Week 1 is the one with the first Thursday."),
    )
    content = content_of(state)
    current = current_request(content)

    assert the_goal(state).text == "rewrite the date parser"
    assert current is not None
    assert context_of(current).role == "remark"


@pytest.mark.parametrize(
    "question",
    [
        "why does the parser keep the offset of the zone, and is it used anywhere?",
        "warum behält der Parser den Versatz der Zone?",
        "pourquoi l'analyseur garde-t-il le décalage du fuseau ?",
        "¿por qué el analizador conserva el desfase de la zona?",
        "por que o analisador guarda o deslocamento do fuso?",
        "tại sao trình phân tích giữ lại độ lệch múi giờ vậy?",
        "почему парсер хранит смещение часового пояса?",
        "ทำไมตัวแยกถึงเก็บออฟเซ็ตของโซนเวลาไว้",
        "파서가 시간대 오프셋을 왜 보관하는 거야?",
        "パーサーはなぜタイムゾーンのオフセットを保持しているのですか？",
        "解析器为什么要保留时区偏移？",
    ],
)
def test_a_question_that_changed_nothing_is_no_goal_however_long_its_answer(
    question: str,
) -> None:
    """To answer it the agent looked at files; the work is what it was."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks(question), reads("a.py"), runs("git log -3"), says("The zone is kept. " * 90),
    )  # fmt: skip
    content = content_of(state)

    assert the_goal(state).text == "rewrite the date parser"
    assert context_of(content.requests[-1]).role == "remark"


def test_the_work_that_follows_from_a_question_makes_it_the_goal() -> None:
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks("is the zone of each order kept in the export?"), reads("b.py"),
        says("No. I could add a column for it."),
        asks("ok"), edits("b.py"), says("Added."),
    )  # fmt: skip

    assert the_goal(state).text == "is the zone of each order kept in the export?"


def test_questions_in_a_row_are_what_the_session_turned_to() -> None:
    """One or two are asked in passing; whoever asks five has another subject."""
    asked = [f"how does region {n} of the cluster fail over today?" for n in range(5)]
    talk = says("It does so by moving the address. " * 40)
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        *(step for words in asked for step in (asks(words), reads("c.tf"), talk)),
    )  # fmt: skip

    assert the_goal(state).text == asked[-1]


@pytest.mark.parametrize(
    "wish",
    [
        "could you sort the list of orders by date?",
        "kannst du die Liste der Bestellungen nach Datum sortieren?",
        "peux-tu trier la liste des commandes par date ?",
        "¿puedes ordenar la lista de pedidos por fecha?",
        "você pode ordenar a lista de pedidos por data?",
        "bạn có thể sắp xếp danh sách đơn hàng theo ngày không?",
        "можешь отсортировать список заказов по дате?",
        "ช่วยเรียงรายการคำสั่งซื้อตามวันที่ได้ไหม",
        "주문 목록을 날짜순으로 정렬해 줄래?",
        "注文の一覧を日付順に並べてもらえますか？",
        "能不能把订单列表按日期排序？",
    ],
)
def test_who_asks_kindly_for_work_wants_it_done(wish: str) -> None:
    """It is a question by its form only."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks(wish), reads("a.py"), says("I looked at how the list is built. " * 40),
    )  # fmt: skip

    assert the_goal(state).text == wish


def test_a_turn_that_was_cut_off_while_it_looked_around_is_at_its_goal() -> None:
    """Nothing is changed yet: the agent was about to."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks("sort the orders by date"), says("I look at the list first."), reads("b.py"),
    )  # fmt: skip

    assert the_goal(state).text == "sort the orders by date"


def test_a_remark_for_which_the_agent_only_looked_at_a_file_is_no_goal() -> None:
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks("the zone was always stored beside the date"), reads("a.py"),
        says("Right, it is in the next column."),
    )  # fmt: skip

    assert the_goal(state).text == "rewrite the date parser"


@pytest.mark.parametrize(
    "words",
    [
        "sorry, I didn't mean to interrupt you, continue",
        "interrupted by mistake, go on",
        "Entschuldigung, ich wollte dich nicht unterbrechen, mach weiter",
        "aus Versehen abgebrochen, weiter bitte",
        "je ne voulais pas t'interrompre, continue",
        "no quería interrumpirte, sigue",
        "não queria interromper, pode continuar",
        "không cố ý ngắt bạn, tiếp tục đi",
        "я не хотел тебя прерывать, продолжай",
        "ไม่ได้ตั้งใจจะหยุด ทำต่อเลยครับ",
        "실수로 중단했어, 계속해줘",
        "間違えて中断しました、続けてください",
        "不小心打断了，继续",
    ],
)
def test_who_stopped_the_agent_by_mistake_wants_it_to_go_on(words: str) -> None:
    assert role(words, "The parser is half done.") == "nod"


@pytest.mark.parametrize(
    "printed",
    [
        "KeyError: 'zone'\nTraceback:\nFile 'board.py', line 138, in <module>\n  make(df)",
        "TypeError: cannot read properties of undefined (reading 'zone')",
        "--- FAIL: TestZone (0.02s)\n    zone_test.go:65: got 1, want 2\nFAIL\n",
        "\\KeyError: 'zone'\nTraceback:\nFile 'board.py', line 138, in <module>\n  make(df)",
        "box:~/board> make\ncc board.c\nthe linker was not found\nmake: *** [all] Error 1",
        "> board@0.1.0 build\n> next build\n\n   Creating a build ...\n\nFailed to compile.\n\n./src/board.ts:5:4\nType error: Parameter 'zone' has no type.\n  4 |\n> 5 | (zone) => {",
        "🚀 Starting the board...\n=========================\n✅ Port 9999 is free\n❌ Failed to start the board\n   Look into it: cat logs/board.log\nbash-3.2$",
        "<<<<<<< HEAD\nzone = 1\n=======\nzone = 2\n>>>>>>> other",
        "Starting the server on port 5000...\nFeatures enabled: Health, Metrics\n"
        + "2026-03-01 10:00:00 - root - INFO - ready\n" * 5
        + "AttributeError: 'Zone' object has no attribute 'name'",
    ],
)
def test_what_only_shows_an_output_is_no_goal(
    printed: str,
) -> None:
    """Whoever pastes a trace says: that is not done yet."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks(printed), edits("a.py"), says("Mended."),
    )  # fmt: skip

    current = current_request(content_of(state))
    assert the_goal(state).text == "rewrite the date parser"
    assert current is not None
    assert context_of(current).role == "remark"


@pytest.mark.parametrize(
    "words",
    [
        "Error: the zone is missing\n    at load (zone.js:4)\nplease say so in the log, too",
        "❯ /plan , write a page about zones\n1) what they are\n2) who needs them",
        "🎯 Build a page about zones\n✅ with a map\n✅ with a search",
        "ERROR: could not open the requirements file of the backend　設定ファイルの位置を確認してください",
        "let's write a page about zones (and one about dates)",
    ],
)
def test_words_beside_an_output_are_a_request(words: str) -> None:
    """What somebody says is never taken for what a program printed."""
    assert role(words, "It is rewritten.") == "request"


def test_an_output_is_told_by_the_line_that_says_what_is_wrong() -> None:
    """And what the request before it was said to have come to is not so."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("The parser works now."),
        asks("🚀 Starting...\n============\n✅ Port is free\n❌ Failed to read the dates\n   cat a.log\n$"),
    )  # fmt: skip

    asked, shown = content_of(state).requests
    assert context_of(shown).pasted == "❌ Failed to read the dates"
    assert context_of(asked).came_to == ""


# What is to be done once more, and what only ends what runs, in each language.
_AGAIN = [
    ("try again, this time with the zone of the server", "kill it"),
    ("versuch es nochmal, diesmal mit der Zone des Servers", "stopp das"),
    ("réessaie, cette fois avec la zone du serveur", "arrête tout"),
    ("inténtalo de nuevo, esta vez con la zona del servidor", "cancela todo"),
    ("tenta de novo, desta vez com a zona do servidor", "cancela isso"),
    ("thử lại với múi giờ của máy chủ", "dừng lại"),
    ("попробуй ещё раз с зоной сервера", "останови процесс"),
    ("다시 시도해, 이번에는 서버 시간대로 실행해줘", "중단해줘"),
    ("もう一度、今度はサーバーのゾーンで実行してください", "停止してください"),
    ("再试一次，这次用服务器的时区", "停止训练"),
    ("ลองอีกครั้งด้วยเขตเวลาของเซิร์ฟเวอร์", "หยุดก่อน"),
]


@pytest.mark.parametrize(("again", "stop"), _AGAIN)
def test_once_more_and_stop_leave_the_goal(again: str, stop: str) -> None:
    """What is to be done again is what was asked before; who stops it wants nothing new."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks(again), runs("make dates"), says("It runs."),
        asks(stop), runs("pkill dates"), says("It is stopped."),
    )  # fmt: skip

    goal = the_goal(state)
    assert goal.text == "rewrite the date parser"
    assert goal_fact(goal).added[:1] == (again,)


def test_who_asks_how_much_and_stops_the_work_has_the_goal_of_before() -> None:
    """An order to stop does not go on with a question that was answered."""
    state = session(
        asks("train the model on all dates"), edits("train.py"), runs("python train.py"),
        says("It is training."),
        asks("HOW MANY DATES ARE THERE"), says("About four thousand."),
        asks("KILL"), runs("pkill train"), says("It is stopped."),
    )  # fmt: skip

    assert the_goal(state).text == "train the model on all dates"


def test_what_was_answered_on_the_way_adds_to_the_goal() -> None:
    """Between the goal and the last words stands what the user wanted of it."""
    state = session(
        asks("rebuild the slides from the other repository"), edits("a.yml"),
        says("By a hook or by hand?"),
        asks("by cron, once a day"), edits("b.yml"), says("It is written. Shall I go on?"),
        asks("yes"),
    )  # fmt: skip

    assert goal_fact(the_goal(state)).added == ("by cron, once a day",)


def test_who_is_asked_what_is_wanted_asks_for_it() -> None:
    """The choice of everything is no choice."""
    state = session(
        asks("which folder are you in?"), says("In `/home/board`. Is there something you'd like me to do here?"),
        asks("list the agents"), reads("agents.md"),
    )  # fmt: skip

    assert the_goal(state).text == "list the agents"


@pytest.mark.parametrize(
    "words",
    [
        "src/zone.py:12 rename this to offset and update its callers",
        "<Button> should have the colour of the brand on every page",
    ],
)
def test_a_request_that_begins_with_a_place_is_one(words: str) -> None:
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks(words), edits("b.py"), says("Done."),
    )  # fmt: skip

    assert the_goal(state).text == words


def test_a_corrected_address_is_told_with_the_goal() -> None:
    """It says too little to be one, and it must not be lost."""
    words = "sorry, https://git.example.org/ada/orders.git instead"
    state = session(
        asks("clone the shop and set up the linter"), runs("git clone x"), says("Done."),
        asks(words), runs("git remote set-url origin y"), says("Changed."),
    )  # fmt: skip

    assert goal_fact(the_goal(state)).added == (words,)


def test_what_the_agent_asks_back_about_is_a_goal() -> None:
    """Nothing was done yet; it is in the next turn."""
    state = session(
        asks("rewrite the date parser"),
        edits("a.py"),
        says("The parser is rewritten."),
        asks("then we need to review where the build went wrong"),
        says("Can you run it and share the output?"),
        asks("just do it yourself"),
        runs("make build", fails="error: no rule"),
    )

    assert the_goal(state).text == "then we need to review where the build went wrong"


def test_an_address_that_was_asked_for_is_an_answer() -> None:
    """ "ada@example.com" says nothing of what is wanted."""
    state = session(
        asks("deploy the shop to the new server"),
        runs("ssh-keygen -t ed25519"),
        says("Which address should the key have?"),
        asks("ada@example.com"),
    )

    assert the_goal(state).text == "deploy the shop to the new server"


def test_a_remark_typed_while_the_agent_works_adds_to_the_goal() -> None:
    """It was said on the way, and the work it was said in goes on."""
    state = session(
        asks("rewrite the date parser"),
        edits("a.py"),
        asks("use the zone of the server"),
    )
    last = replace(state.turns[-1], midway=True)
    state = replace(state, turns=(*state.turns[:-1], last))

    assert the_goal(state).text == "rewrite the date parser"
    assert goal_fact(the_goal(state)).added == ("use the zone of the server",)


def test_a_goal_says_where_and_when_it_was_asked() -> None:
    goal = the_goal(session(asks("rewrite the date parser")))

    fact = goal_fact(goal)
    assert (fact.how, fact.session, fact.number) == ("typed", SESSION, 0)
    assert fact.at == BEGAN + 1000
    assert goal.origin is None


def test_an_accepted_plan_is_the_goal_by_its_title() -> None:
    """The client hands it over as a prompt; the agent wrote it."""
    steps = "\n".join(f"{n}. step {n}" for n in range(1, 20))
    words = f"Implement the following plan:\n\n# Plan: Rotate the tokens\n\n{steps}"
    fact = goal_fact(the_goal(session(asks(words))))

    assert (fact.how, fact.title) == ("plan", "Rotate the tokens")


def test_a_goal_is_inherited_with_its_origin_through_five_sessions_of_a_nod() -> None:
    """After five clears with one "continue" each it stands where it stood."""
    content = content_of(session(asks("rewrite the date parser"), edits("a.py")))
    first = a_checkpoint(a_draft(content))
    checkpoint = first
    for number in range(5):
        state = session(
            asks("continue"), says("Going on."), asks("ok"), says("Yes."), asks("yes"),
            says("Still at it."), session_id=f"heir-{number}",
            inherited=inherited_from(checkpoint),
        )  # fmt: skip
        checkpoint = a_checkpoint(a_draft(content_of(state)))

    (goal,) = checkpoint.draft.content.goal
    assert goal.text == "rewrite the date parser"
    assert (goal.origin, goal.age) == (first.checkpoint_id, 0)
    assert (goal_fact(goal).session, goal_fact(goal).number) == (SESSION, first.number)


def test_another_request_replaces_an_inherited_goal() -> None:
    content = content_of(session(asks("rewrite the date parser")))
    left = inherited_from(a_checkpoint(a_draft(content)))

    state = session(asks("translate the error messages to Thai"), inherited=left)

    assert the_goal(state).text == "translate the error messages to Thai"
    assert the_goal(state).origin is None


def test_an_addition_in_a_later_session_joins_the_inherited_goal() -> None:
    content = content_of(session(asks("rewrite the date parser"), asks("and the docs")))
    left = inherited_from(a_checkpoint(a_draft(content)))

    state = session(
        asks("continue"), says("On it."), asks("the tests too"), inherited=left
    )

    assert goal_fact(the_goal(state)).added == ("and the docs", "the tests too")


def test_requests_before_the_goal_are_those_with_content() -> None:
    state = session(
        asks("rewrite the date parser"), says("Done."), asks("ok"), says("Fine."),
        asks("translate the error messages to Thai"), asks("commit this"),
    )  # fmt: skip
    content = content_of(state)

    earlier = [each.text for each in earlier_requests(content)]
    assert earlier == ["rewrite the date parser"]
    current = current_request(content)
    assert current is not None
    assert current.text == "commit this"


def test_a_session_without_a_request_has_no_goal() -> None:
    assert content_of(SessionState(turns=(Turn(),))).goal == ()


@pytest.mark.parametrize(
    ("words", "is_to_the_work"),
    [
        ("They were all added today or yesterday", "addition"),
        ("It's not enabled yet in production", "addition"),
        ("yeah, he said that the flag is off", "addition"),
        ("it must be sorted by the date of the order", "request"),
        ("It would be nice if you could please sort the list of orders", "request"),
        ("Is it sorted by the date of the order?", "request"),
    ],
)
def test_what_is_told_of_something_named_before_adds_to_the_goal(
    words: str, is_to_the_work: str
) -> None:
    """A remark is not what the work is for; it is told beside it."""
    assert role(words, "Check when those two records were written.") == is_to_the_work


def test_what_must_be_so_is_asked_for_not_laid_down() -> None:
    """A prompt of one wish is what the work is for; only what lasts is nothing but a rule."""
    wish = "el archivo correcto debe tener la fecha del 1 de julio"
    rule = "nunca uses sleep en las pruebas de este proyecto"

    assert role(wish, "He cambiado la configuración.") == "request"
    assert role(rule, "He cambiado la configuración.") != "request"


def test_a_word_on_the_way_adds_nothing_to_the_goal() -> None:
    """ "restart" was done; told with the goal it is done again."""
    state = session(
        asks("rewrite the date parser"), edits("a.py"), says("It is rewritten."),
        asks("restart"), runs("make restart"), says("It runs again."),
        asks("does it read the zone?"), says("Yes."),
    )  # fmt: skip

    assert goal_fact(the_goal(state)).added == ()


@pytest.mark.parametrize(
    "shown",
    [
        "~ ✗ sudo cp rules.d/50-lamp.rules\ncp: missing destination file operand\n\n~ ✗",
        "~/shop ❯ make dates\nmake: *** No rule to make target 'dates'.  Stop.\n~/shop ❯",
    ],
)
def test_what_a_terminal_shows_is_no_goal_and_adds_nothing_to_it(shown: str) -> None:
    """The user shows what came of the request before."""
    state = session(
        asks("set up the build of the shop"), edits("a.json"), says("Run it."),
        asks(shown), edits("a.json"), says("Mended. Run it again."),
        asks("ok"), says("Good."),
    )  # fmt: skip

    goal = the_goal(state)
    assert goal.text == "set up the build of the shop"
    assert goal_fact(goal).added == ()
