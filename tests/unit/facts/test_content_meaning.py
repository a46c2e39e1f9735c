"""What it means: statements, title, summary, topics, facts, details, inheritance."""

import pytest

from holdfast.domain.event import Tokens
from holdfast.domain.fact import AcceptedPlan
from holdfast.domain.session import AgentWork, Inherited, SessionState, Turn
from holdfast.facts.content import content_of, details_of, facts_of, tags_of
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel.lazy_values import replace
from holdfast.language.agent_messages import told_in
from holdfast.session.fold import begin, fold
from tests.conversation import Conversation
from tests.sessions import (
    HOME,
    SESSION,
    Step,
    asks,
    creates,
    edits,
    lists,
    reads,
    refused,
    runs,
    says,
    session,
    uses,
)


def test_a_choice_the_user_made_is_a_decision() -> None:
    """An answer to the agent's question settles something."""
    state = session(
        asks("go"),
        uses("AskUserQuestion", "Which lifetime?", output="7 days"),
        says("I decided to store the hash because the raw token must not leak."),
        asks("let's go with sqlite instead of redis"),
    )

    told = [(item.text, item.source) for item in content_of(state).decisions]

    assert told == [
        ("Which lifetime? → 7 days", "user"),
        ("let's go with sqlite instead of redis", "user"),
    ]


@pytest.mark.parametrize(
    ("questions", "answer", "told"),
    [
        pytest.param(
            "Which lifetime?",
            '"Which lifetime?"="7 days"',
            ["Which lifetime? → 7 days"],
            id="one",
        ),
        pytest.param(
            'Which?\nCall it "a", "b" or c?\nAnd now?',
            '"Which?"="SQLite, in memory", "Call it "a", "b" or c?"="b", "And now?"="go on"',
            ["Which? → SQLite, in memory", 'Call it "a", "b" or c? → b', "And now? → go on"],
            id="several",
        ),
        pytest.param(
            "Which layout?\nWhere?",
            '"Which layout?"="Two columns" selected preview:\n+--+--+, '
            '"Where?"="Here" user notes: not in "old/", please',
            ["Which layout? → Two columns", 'Where? → Here (not in "old/", please)'],
            id="with a preview and notes",
        ),
    ],
)  # fmt: skip
def test_an_answer_is_told_without_the_clients_packaging(
    questions: str, answer: str, told: list[str]
) -> None:
    """Each question is one decision, however long all of them are together."""
    talk = Conversation()
    talk.asks("go")
    output = f"User has answered your questions: {answer}. You can now continue with"
    output += " the user's answers in mind."
    line = talk.starts("AskUserQuestion", questions)
    talk.returns(line, output=output)

    decisions = content_of(fold(begin("s", "claude-code"), talk.events)).decisions

    assert [item.text for item in decisions] == told
    assert {item.source for item in decisions} == {"user"}


def test_an_answer_that_was_cut_before_it_was_told_is_no_decision() -> None:
    """States of older programs keep the first words of the client only."""
    cut = 'User has answered your questions: "Which of the lifetimes that…'
    state = session(asks("go"), uses("AskUserQuestion", "Which?", output=cut))

    assert content_of(state).decisions == ()


@pytest.mark.parametrize(
    ("plan", "result", "title"),
    [
        ("# Plan: rotate tokens\n\n1. Store", "", "Plan: rotate tokens"),
        ("Rotate tokens on use\n- store", "", "Rotate tokens on use"),
        ("", "Approved.\n## Approved Plan:\n# Rotate tokens\n1. x", "Rotate tokens"),
    ],
)
def test_a_plan_that_was_accepted_is_a_decision(
    plan: str, result: str, title: str
) -> None:
    """It was put to the user, who agreed; newer clients tell it in their answer."""
    talk = Conversation()
    talk.asks("go")
    talk.returns(talk.starts("ExitPlanMode", plan), output=result)

    (decision,) = content_of(fold(begin("s", "claude-code"), talk.events)).decisions

    assert decision.fact == AcceptedPlan(title)


def test_a_plan_that_was_refused_is_none() -> None:
    """It waits, or was given up."""
    state = session(asks("go"), refused("ExitPlanMode", "# Rotate"), asks("no, wait"))

    assert content_of(state).decisions == ()


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        (
            "Two ways:\n1. Redis\n2. SQLite\n\nWhich one do you prefer?",
            "2",
            ["Which one do you prefer? → 2) SQLite"],
        ),
        (
            "Shall I keep it in Redis or in SQLite?",
            "sqlite",
            ["Shall I keep it in Redis or in SQLite? → sqlite"],
        ),
        ("用 Redis 还是 SQLite？", "SQLite", ["用 Redis 还是 SQLite？ → SQLite"]),
        ("Shall I go on?", "yes", []),
        ("Redis is in. Shall I commit it?", "yes, go on", []),
        ("The spec is written. All good so far?", "all good so far", []),
        ("A spec está pronta. Tudo certo?", "tudo certo", []),
    ],
)
def test_a_choice_typed_in_answer_to_a_question_is_a_decision(
    asked: str, answer: str, told: list[str]
) -> None:
    """It names what the question offered; a nod names nothing."""
    state = session(asks("add a store"), says(asked), asks(answer))

    assert [item.text for item in content_of(state).decisions] == told


def test_a_request_that_prefers_something_is_no_decision() -> None:
    """Nothing was asked; it is what is to be done."""
    state = session(asks("Update the check so that it uses wget instead of curl."))

    assert content_of(state).decisions == ()


def test_a_finding_names_its_cause() -> None:
    """`I see the issue` is no finding; what it is, is."""
    state = session(
        asks("why is it red?"),
        says("I see the problem is clearer now. Let me look."),
        says("The root cause is that `rotate()` runs outside the transaction."),
    )

    assert [item.text for item in content_of(state).discoveries] == [
        "The root cause is that `rotate()` runs outside the transaction."
    ]


def test_the_question_a_session_ends_with_is_open() -> None:
    """The user's next word is the answer to it."""
    state = session(
        asks("add tokens"), says("Done: rotate() works. Keep 30 days or 7 days?")
    )

    (question,) = content_of(state).open_questions

    assert question.text == "Keep 30 days or 7 days?"
    assert question.source == "agent"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (
            "Three are out of date.\n\nI would drop them all from the index. What do you think?",
            "I would drop them all from the index. What do you think?",
        ),
        (
            "Drei sind alt. Ich würde sie alle aus dem Index nehmen. Soll ich?",
            "Ich würde sie alle aus dem Index nehmen. Soll ich?",
        ),
        (
            "I would drop them all. Shall I remove `index.lock` as well?",
            "Shall I remove `index.lock` as well?",
        ),
        ("Next:\n\nShall I?", "Shall I?"),
        (
            "Two ways are left:\n- keep what we have in the index\n- drop it all at once\n\nShall I?",
            "Shall I?",
        ),
    ],
)
def test_a_question_that_says_little_is_told_with_what_it_leans_on(
    said: str, asked: str
) -> None:
    """Who reads "What do you think?" on a Monday cannot answer it."""
    state = session(asks("look at the submodules"), says(said))

    (question,) = content_of(state).open_questions

    assert question.text == asked


@pytest.mark.parametrize("heading", ["Question: which first:", "Pregunta:", "質問："])
def test_a_question_put_as_a_list_is_open(heading: str) -> None:
    """It has no question mark, and waits for an answer all the same."""
    state = session(
        asks("go"), says(f"Both work.\n\n**{heading}**\n1. the cart\n2. the mail\n")
    )

    (question,) = content_of(state).open_questions

    assert question.text == f"{heading} 1. the cart 2. the mail"


def test_a_list_of_what_was_done_asks_nothing() -> None:
    """A heading above a list is mostly no question."""
    state = session(asks("go"), says("Changes:\n1. the cart\n2. the mail"))

    assert content_of(state).open_questions == ()


def test_a_question_the_agent_did_not_wait_for_is_not_open() -> None:
    """It went on by itself, so nobody owes an answer."""
    state = session(asks("go"), says("Should I check the tests?"), runs("pytest"))

    assert content_of(state).open_questions == ()


def test_a_question_tool_without_an_answer_is_open() -> None:
    """The client was closed while it waited."""
    state = session(
        asks("go"), uses("AskUserQuestion", "Which lifetime?", outcome="pending")
    )

    assert [item.text for item in content_of(state).open_questions] == [
        "Which lifetime?"
    ]
    assert content_of(state).in_flight == ()  # it waits; nobody cut it off


def test_next_steps_are_tasks_first_then_what_the_agent_names() -> None:
    """A list the agent keeps is worth more than a sentence at the end."""
    state = session(
        asks("go"),
        lists(("test reuse", "pending"), ("write docs", "in_progress")),
        says(
            "Rotation works.\n\n## Next steps\n- measure it\n- ship it\n\nThat is all."
        ),
    )

    assert [item.text for item in content_of(state).next_steps] == [
        "write docs", "test reuse", "measure it", "ship it",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param("Perfect! Rotation works.", "Rotation works.", id="filler"),
        pytest.param("Works.\n\nShall I commit?", "Works.", id="closing question"),
        pytest.param("It works. Shall I commit?", "It works.", id="question in line"),
        pytest.param(
            "Start it with:\n```bash\n# once\nmake all\nmake run  # serves\n```\nB works.",
            "Start it with: `make all`; `make run`\nB works.",
            id="commands that a sentence leads to",
        ),
        pytest.param(
            "**Ask for them:**\n```ruby\nOrder.late.each do |o|\n  puts o\nend\n```\nB works.",
            "Ask for them: `Order.late.each do |o|` …\nB works.",
            id="the line that other code begins with",
        ),
        pytest.param(
            "Files:\n```\nsrc/\n├── a.py\n└── b.py\n```\nB works.",
            "B works.",
            id="a drawing",
        ),
        pytest.param(
            "## Done\n| file | change | seen |\n|---|:-:|--|\n| `a.py` | fixed | - |\n"
            "| b | a \\| b | x |\n\nB works.",
            "- `a.py`: fixed\n- b: a | b · x\nB works.",
            id="a table, row by row",
        ),
        pytest.param(
            "It works: it reads\n| and | no table\nB works.",
            "It works: it reads\nB works.",
            id="a line that begins like a table",
        ),
        pytest.param(
            "**Structure**\n```\na.py\n```\nTo run it, type `make`.",
            "To run it, type `make`.",
            id="a title of code that is not told",
        ),
        pytest.param(
            "**0 errors.**\nThe output is in `out/`.",
            "0 errors.\nThe output is in `out/`.",
            id="a sentence in bold is no title",
        ),
        pytest.param(
            "All eight countries of `geo.csv` load:\n```json\n{}\n```\nB works.",
            "All eight countries of `geo.csv` load: `{}`\nB works.",
            id="what leads to other code",
        ),
        pytest.param(
            "The server on port 8080 runs and answers:\n\n**Urls**\n\nOpen it.",
            "The server on port 8080 runs and answers\nUrls: Open it.",
            id="what announces something else and says something itself",
        ),
        pytest.param(
            "It works. Look here:\n\n**Urls**\n\nOpen it.",
            "It works.\nUrls: Open it.",
            id="only the sentence that announces is left out",
        ),
        pytest.param(
            "It works.\n```python\nx = 1\n```\nB works.",
            "It works.\nB works.",
            id="code that nothing leads to",
        ),
        pytest.param(
            "It runs:\n```sh\nmake all\n```\nfor every build.",
            "It runs: `make all` for every build.",
            id="a line of code in a sentence",
        ),
        pytest.param(
            "更新するっす。\n\n```bash\ncurl -L    example.org/a.ttf  # new\n```\nOpen it.",
            "更新するっす: `curl -L example.org/a.ttf`\nOpen it.",
            id="commands that a whole sentence leads to",
        ),
        pytest.param(
            "It prints what it did.\n```\n3 passed\n```\nB works.",
            "It prints what it did.\nB works.",
            id="output behind a whole sentence",
        ),
        pytest.param(
            "Good question. It reads the log.", "It reads the log.", id="a nod"
        ),
        pytest.param("> as the page says\n\nIt works.", "It works.", id="quotation"),
        pytest.param("## Changes\n\n- a\n- b", "- a\n- b", id="empty heading"),
        pytest.param("## Option 2\nTyped ids.", "Option 2: Typed ids.", id="heading"),
        pytest.param("Let me look at it.", "", id="announcement"),
        pytest.param(
            "Good. I'll change two things:\n- a\n\n- b",
            "I'll change two things:\n- a\n- b",
            id="what leads a list",
        ),
    ],
)
def test_last_words_are_told_without_packaging(said: str, told: str) -> None:
    """Every line of a brief costs."""
    assert told_in(said) == told


def test_last_words_are_those_that_say_something() -> None:
    """`Now let me run the tests:` is not where the work stands."""
    state = session(
        asks("go"),
        says("rotate() is written."),
        says("Now let me run the tests:"),
        runs("pytest"),
    )

    assert content_of(state).last_words == "rotate() is written."


@pytest.mark.parametrize(
    ("steps", "title"),
    [
        pytest.param(
            (asks("can you sort the branches by date?"),),
            "Sort the branches by date",
            id="the request, as a phrase",
        ),
        pytest.param(
            (asks("fix it"), says("Done! The parser now accepts nested quotes.")),
            "The parser now accepts nested quotes",
            id="what the agent says is done",
        ),
        pytest.param(
            (
                asks("go on"),
                edits("a.py"),
                runs('git commit -m "Accept nested quotes"'),
            ),
            "Accept nested quotes",
            id="the last commit",
        ),
        pytest.param(
            (
                asks("make the parser accept nested quotes"),
                runs("pytest", fails="error: x"),
            ),
            "Make the parser accept nested quotes; 1 open error",
            id="with what is broken",
        ),
        pytest.param(
            (
                asks("make the parser accept nested quotes"),
                runs('git commit -m "Accept nested quotes"'),
                says("The parser now accepts nested quotes."),
                asks("how would a user get at the token?"),
                says("Under Settings, Tokens; there are two ways."),
            ),
            "Accept nested quotes",
            id="a question in passing is not what the work is for",
        ),
        pytest.param(
            (
                asks("make the parser accept nested quotes"),
                says("Two ways are open. Shall I take the first one?"),
                asks("yes please"),
                reads("parser.py"),
            ),
            "Make the parser accept nested quotes",
            id="an answer is about what was asked before",
        ),
        pytest.param(
            (
                asks("how do I get a token?"),
                says("Three steps:\n- The page shows a button now\n- Press it"),
            ),
            "How do I get a token",
            id="an entry of a list is not what was done",
        ),
        pytest.param(
            (
                asks("review the move into a package"),
                says("A good idea. However, it currently uses types of `cli`."),
            ),
            "Review the move into a package",
            id="what qualifies a sentence is not what was done",
        ),
    ],
)
def test_a_title_says_what_stands(steps: tuple[Step, ...], title: str) -> None:
    """It is the one line people choose a checkpoint by."""
    assert content_of(session(*steps)).title == title


def test_a_title_is_short_and_on_one_line() -> None:
    """Lists have seventy columns for it."""
    state = session(asks("please " + "make it better and " * 30 + "\nreally"))

    title = content_of(state).title

    assert len(title) <= 70
    assert "\n" not in title


def test_a_summary_tells_goal_work_state_and_next() -> None:
    """Three to five sentences that a person can read aloud."""
    state = session(
        asks("add refresh tokens"),
        creates("src/refresh.py", added=96),
        lists(("test reuse", "in_progress")),
        runs("pytest", fails="AssertionError: 200 != 401"),
        says("rotate() is written and called from the middleware."),
    )

    assert content_of(state).summary == (
        'The user asked: "add refresh tokens". Changed src/refresh.py (+96 −0).'
        ' The agent said last: "rotate() is written and called from the middleware."'
        " Open: `pytest` → exit 1: AssertionError: 200 != 401; not committed:"
        " src/refresh.py. Next: test reuse."
    )


def test_a_summary_of_a_quiet_session_still_tells_where_it_stands() -> None:
    """Three sentences at least: asked, done, next, and nothing that is not so."""
    state = session(
        asks("how does the parser read a nested quote?"), reads("parser.py")
    )

    assert content_of(state).summary == (
        'The user asked: "how does the parser read a nested quote?".'
        " No file was changed; 1 file was read. No next step was named."
    )


def test_a_summary_names_finished_tasks_as_finished() -> None:
    """A task is worded as an order: bare, it reads as something still to do."""
    state = session(
        asks("add refresh tokens"),
        lists(("write rotate()", "completed"), ("test reuse", "completed")),
        says("Both are done."),
    )

    assert 'Finished "write rotate()", "test reuse".' in content_of(state).summary


def test_every_outcome_names_the_lines_that_show_it() -> None:
    """H2: a file that was made and the sum of all changes, too."""
    state = session(
        asks("add refresh tokens"), creates("src/refresh.py"), edits("src/login.py")
    )

    outcomes = content_of(state).key_outcomes

    assert len(outcomes) == 2
    assert all(outcome.evidence for outcome in outcomes)


def test_a_summary_ends_each_sentence_once() -> None:
    """An error and an entry of a list often bring their own stop."""
    state = session(
        asks("add refresh tokens"),
        lists(("test reuse.", "in_progress")),
        runs("pytest", fails="error: no such table."),
    )

    assert content_of(state).summary.endswith(
        "Open: `pytest` → exit 1: error: no such table. Next: test reuse."
    )


def test_a_summary_tells_the_last_request_as_the_present_one() -> None:
    """Who reads that an earlier request stands does it a second time."""
    state = session(
        asks("review the parser and its tests"),
        says("The parser drops nested quotes, and I could mend that. Shall I?"),
        asks("explain how the parser reads a nested quote first"),
        says("It counts them. Shall I mend it now?"),
        asks("yes, please do"),
        says("I looked at parser.py only."),
    )

    assert content_of(state).summary.startswith(
        'The user asked: "explain how the parser reads a nested quote first";'
        ' the last request was "yes, please do" (to: Shall I mend it now?).'
    )


def test_a_summary_tells_what_is_gone_as_gone() -> None:
    """A file that was deleted again cannot be opened."""
    state = session(
        asks("split the parser"),
        creates("src/lexer.py", added=40),
        edits("src/parser.py", added=2),
        runs("rm src/lexer.py"),
    )

    told = content_of(state)

    assert "Changed src/parser.py (+2 −0)" in told.summary
    assert "created src/lexer.py" not in " ".join(i.text for i in told.key_outcomes)
    assert "changed src/lexer.py" not in told.summary.lower()


def test_what_may_be_so_was_not_found_out() -> None:
    """A guess that is told as a finding is built upon."""
    state = session(
        asks("why is it slow?"),
        says("The cause is probably the `index` cache."),
        says("The root cause is that `rebuild()` runs at each call."),
    )

    assert [item.text for item in content_of(state).discoveries] == [
        "The root cause is that `rebuild()` runs at each call."
    ]


def test_of_a_number_that_was_found_again_the_last_is_told() -> None:
    """A figure that was corrected is wrong."""
    state = session(
        asks("how many rows are lost?"),
        says("I found that `import.csv` loses 120 rows."),
        asks("count again"),
        says("I found that `import.csv` loses 87 rows."),
    )

    content = content_of(state)

    last = ["I found that `import.csv` loses 87 rows."]
    assert [item.text for item in content.discoveries] == last
    assert [item.text for item in content.story] == last


def test_what_differs_in_a_name_is_no_correction() -> None:
    """Two tests that fail for one reason are two findings."""
    found = [
        "I found that `test_1` is red because the index is stale.",
        "I found that `test_2` is red because the index is stale.",
    ]
    content = content_of(session(asks("what is red?"), *map(says, found)))

    assert [item.text for item in content.discoveries] == found
    assert sorted(item.text for item in content.story) == found


def test_the_story_is_told_in_sentences() -> None:
    """A heading and an entry of three words say nothing alone."""
    state = session(
        asks("review the parser"),
        says(
            "## The audit of the parser is complete\n\n"
            "The parser drops nested quotes in two places.\n"
            "- Start offset handling for both of them\n"
            "- The lexer never sees the second quote, so it cannot count.\n"
        ),
    )

    assert [item.text for item in content_of(state).story] == [
        "The parser drops nested quotes in two places.",
        "The lexer never sees the second quote, so it cannot count.",
    ]


def test_a_commit_in_a_repository_made_to_try_something_is_no_outcome() -> None:
    """It is not in the project."""
    state = session(
        asks("does git restore keep the mode?"),
        runs('cd /tmp && git init x && cd x && git commit -m "initial"'),
        runs('git commit -m "Say how to git init"'),
    )

    assert [i.text for i in content_of(state).key_outcomes] == [
        'committed "Say how to git init"'
    ]


@pytest.mark.parametrize(
    ("failed", "green", "is_over"),
    [
        ("go test -v -run TestAuth_Expiry ./auth", "go test -run TestAuth ./auth", True),
        ("pytest tests/auth/test_a.py::test_x", "pytest tests/auth/test_a.py -k x", False),
        ("pytest tests/auth/test_a.py::test_x", "pytest -v tests/auth/test_a.py", True),
        ("go test -run TestAuth ./auth", "go test -run TestAuth_Expiry ./auth", False),
        ("go test -run TestAuth ./auth", "go test -run TestAuth ./audit", False),
        ("go test -run TestA ./auth/ids", "go test -run TestA ./auth/...", True),
        ("go test -run TestA ./auth_old", "go test -run TestA ./auth", False),
    ],
)  # fmt: skip
def test_what_failed_within_a_part_that_went_well_since_is_mended(
    failed: str, green: str, *, is_over: bool
) -> None:
    """A test that passes is not told as broken."""
    state = session(asks("go"), runs(failed, fails="assert 1 == 2"), runs(green, "ok"))

    (error,) = content_of(state).errors

    assert error.text.endswith("(fixed since)") is is_over


def test_topics_are_words_that_people_came_back_to() -> None:
    """Tags made of noise are worse than none."""
    state = session(
        asks("the refresh token rotation is broken"),
        edits("src/auth/rotation.py"),
        asks("rotation again: detect token reuse"),
        edits("src/auth/rotation.py"),
    )

    assert content_of(state).topics[:2] == ("rotation", "token")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("los pedidos no pasan antes del login, los pedidos", id="Spanish"),
        pytest.param("das login ist auf der Seite, das login ist rot", id="German"),
        pytest.param("pas avant le login, et pas dans le login", id="French"),
        pytest.param("sau khi login thi trong login cho toi", id="Vietnamese"),
    ],
)
def test_topics_are_no_small_words_in_any_language(words: str) -> None:
    """A tag `los` or `ist` finds everything."""
    content = content_of(session(asks(words), asks(words)))

    small = {"los", "antes", "del", "das", "ist", "auf", "der", "pas", "avant", "dans"}
    small |= {"sau", "khi", "trong", "cho", "toi", "thi"}
    assert "login" in content.topics
    assert small.isdisjoint(content.topics)


@pytest.mark.parametrize(
    ("steps", "kind", "field"),
    [
        pytest.param(
            (asks("fix the crash"), edits("a.go")), "debugging", "backend", id="bug"
        ),
        pytest.param(
            (asks("go"), edits("docs/a.md")), "documentation", "docs", id="docs"
        ),
        pytest.param(
            (asks("add tests"), edits("test_a.py")), "testing", "backend", id="tests"
        ),
        pytest.param(
            (asks("explain the cache"), reads("a.tsx")),
            "research",
            "frontend",
            id="reading",
        ),
        pytest.param(
            (asks("rename x"), edits("Dockerfile")), "refactoring", "devops", id="ops"
        ),
        pytest.param(
            (asks("plot sales"), edits("sales.ipynb"), edits("a.py")),
            "development",
            "data",
            id="a notebook",
        ),
        pytest.param(
            (asks("count orders"), edits("q.sql"), edits("a.py"), reads("b.py")),
            "development",
            "data",
            id="a query",
        ),
        pytest.param(
            (asks("rebase and tag it"), edits("CHANGELOG.md"), runs("git rebase main")),
            "development",
            "general",
            id="git",
        ),
        pytest.param((asks("add a page"),), "research", "general", id="nothing done"),
    ],
)
def test_work_has_a_kind_and_a_field(
    steps: tuple[Step, ...], kind: str, field: str
) -> None:
    """Search and lists filter by them."""
    content = content_of(session(*steps))

    assert (content.work_type, content.domain) == (kind, field)


def test_outcomes_are_commits_tests_gone_green_tasks_and_files() -> None:
    """Three to seven things a person would name, none of them invented."""
    state = session(
        asks("go"),
        creates("src/refresh.py", added=9),
        runs("pytest", fails="1 failed"),
        runs("pytest", "1 passed"),
        lists(("write rotate()", "completed")),
        runs('git commit -m "Rotate tokens"', "[main 1a2b3c4] Rotate tokens"),
    )

    assert [item.text for item in content_of(state).key_outcomes] == [
        'committed "Rotate tokens"',
        "`pytest` passes again",
        "write rotate()",
        "created src/refresh.py (+9)",
    ]


def test_facts_count_the_session() -> None:
    """Numbers come from the state alone."""
    state = session(
        asks("go"), edits("a.py"), edits("a.py"), runs("ls"), says("Done."),
        context_tokens=1234,
    )  # fmt: skip

    facts = facts_of(state)

    assert facts.message_count == 5
    assert facts.duration_seconds == 5
    assert facts.files_modified == 1
    assert facts.commands_executed == 1
    assert facts.context_tokens == 1234
    assert {(tool.tool, tool.count) for tool in facts.tools} == {
        ("Edit", 2),
        ("Bash", 1),
    }


def test_what_a_session_cost_counts_everything_that_was_paid() -> None:
    """Sub-agents and what a rewind left are on the bill, too."""
    paid = Turn(via="typed", messages=2, spent=(1, 2, 3, 4, 0))
    helper = AgentWork("a1", replace(paid, via=None, spent=(10, 0, 0, 0, 5)))
    silent = Turn(via="typed", messages=1)
    state = SessionState(
        turns=(paid, paid, silent), abandoned=((1, 2),), agents=(helper,)
    )

    facts = facts_of(state)

    assert facts.spent == Tokens(12, 4, 6, 8, 5)
    assert facts.spent_exactly
    assert (facts.prompts, facts.last_turn, facts.abandoned) == (3, 2, ((1, 2),))
    untold = replace(state, turns=(paid, replace(paid, spent=())))
    assert facts_of(untold).spent_exactly is False
    assert facts_of(replace(state, costs_partly=True)).spent_exactly is False
    assert facts_of(SessionState(turns=(silent,))).spent is None


def test_tags_are_ours_then_topics_then_the_users() -> None:
    """Searches by tag rely on the first three."""
    tags = tags_of(SESSION, 1_768_749_825_000, ("auth", "tokens"), ("mine", "auth"))

    assert tags == (
        "checkpoint", f"session-{SESSION}", "session-20260118", "auth", "tokens", "mine",
    )  # fmt: skip


def test_a_small_session_keeps_its_steps_in_detail() -> None:
    """Under twenty messages there is room for what was done."""
    state = session(
        asks("add tokens"),
        edits("src/refresh.py"),
        runs("pytest", "3 passed"),
        says("Tokens rotate. The old one is revoked. Reuse is detected."),
        asks("thanks"),
        says("You're welcome."),
    )

    (detail,) = details_of(state, content_of(state))

    assert detail.topic == "add tokens"
    assert detail.text == "Tokens rotate.\nThe old one is revoked.\nReuse is detected."
    assert detail.files == ("src/refresh.py",)
    assert detail.commands == ("pytest → ok: 3 passed",)


def test_a_large_session_is_grouped_by_topic() -> None:
    """Over a hundred messages outcomes count, not steps."""
    steps = []
    for n in range(30):
        word = "rotation" if n % 2 else "parser"
        steps += [
            asks(f"improve the {word} please, part {n}"),
            edits(f"src/{word}.py"),
            says(f"The {word} is better now. Much has been done."),
        ]
    state = session(*steps, *(says("More.") for _ in range(20)))

    details = details_of(state, content_of(state))

    assert {detail.topic for detail in details} == {"rotation", "parser"}
    assert all(len(detail.text.splitlines()) <= 12 for detail in details)


def test_a_session_that_only_talked_has_no_details() -> None:
    """An observation without content helps nobody."""
    state = session(asks("hello"), says("Hello."))

    assert details_of(state, content_of(state)) == ()


def test_the_agents_own_details_come_first() -> None:
    """Who did the work describes it best."""
    notes = parse_notes({"details": [{"topic": "tokens", "text": "How they rotate"}]})
    state = session(
        asks("add tokens"), edits("a.py"), says("Tokens rotate on use now.")
    )

    details = details_of(state, content_of(state, notes), notes.details)

    assert [detail.topic for detail in details] == ["tokens", "add tokens"]


def test_what_the_parent_left_open_is_still_there() -> None:
    """The third `/clear` in a row must not lose more than the first."""
    origin = f"ccp-{SESSION}-01-1768749825000"
    state = session(
        asks("now the docs"),
        edits("docs/a.md"),
        inherited=(
            Inherited(
                "instructions", "never use sleep in tests", "user", origin=origin
            ),
            Inherited("pending", "test reuse", "agent", origin=origin),
            Inherited(
                "files", "src/refresh.py", "engine", excerpt="edited", origin=origin
            ),
        ),
    )

    content = content_of(state)

    assert [(i.text, i.source, i.origin) for i in content.instructions] == [
        ("never use sleep in tests", "user", origin)
    ]
    assert [item.text for item in content.pending] == ["test reuse"]
    assert [(f.path, f.change, f.origin) for f in content.files] == [
        ("docs/a.md", "edited", None),
        ("src/refresh.py", "edited", origin),
    ]
    assert HOME not in content.summary


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("All tests pass and linting is clean.", id="green as ever"),
        pytest.param(
            "I now have all the results I was waiting for.", id="about itself"
        ),
        pytest.param("This is a great challenge to work on today.", id="praise"),
        pytest.param("The tests and the linter all pass.", id="green, said otherwise"),
    ],
)
def test_what_is_said_of_any_work_is_no_story(sentence: str) -> None:
    """Room in a brief goes to what only this session can tell."""
    told = "The cache is keyed by `session_id`, so two windows share it."
    state = session(asks("go"), says(f"{sentence} {told}"), says("Now on to the rest."))

    assert [item.text for item in content_of(state).story] == [told]


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("The mail is sent from the queue only.", id="English"),
        pytest.param("邮件只从队列发送，旧的调用已经删除。", id="Chinese"),
        pytest.param("메일은 이제 대기열에서만 보냅니다.", id="Korean"),
        pytest.param("Le courriel ne part que de la file.", id="French"),
    ],
)
def test_a_sentence_tells_something_in_any_language(told: str) -> None:
    """Languages that write densely say as much in a third of the characters."""
    state = session(asks("go"), says(told), says("Now on to the rest."))

    assert [item.text for item in content_of(state).story] == [told]
