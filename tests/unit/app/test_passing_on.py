"""A session without work of its own passes on what it was told of, and stands for nothing."""

from typing import Any

import pytest

from holdfast.app.checkpoints.passing_on import has_worked
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.hooks.end import end_request, try_carry_out
from holdfast.app.hooks.prompt import prompt
from holdfast.app.hooks.start import start
from holdfast.app.hooks.stop import stop
from holdfast.domain.checkpoint import Checkpoint, CommandRef
from holdfast.domain.code import CodeState
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel.lazy_values import replace
from tests.builders import a_draft, session_number
from tests.conversation import Conversation
from tests.fakes import Workbench

GOAL = "rewrite the date parser and keep the old one behind a flag"
RULE = "Never use sleep in tests."


@pytest.fixture
def bench() -> Workbench:
    return Workbench()


def told(bench: Workbench, number: int, words: str, source: str = "clear") -> str:
    """Start a session and type its first prompt; return all that the model is told."""
    session, context = session_number(number), bench.context()
    begun = start(bench.event("SessionStart", session, source=source), context)
    asked = prompt(bench.event("UserPromptSubmit", session, prompt=words), context)
    return begun.context + asked.context


def ended(bench: Workbench, number: int, talk: Conversation) -> Checkpoint:
    """Let a session be as written down and be cleared; return what was saved of it."""
    session, context = session_number(number), bench.context()
    bench.writes(session, talk)
    stop(bench.event("Stop", session), context)
    request = end_request(bench.event("SessionEnd", session, reason="clear"), context)
    assert request is not None
    assert try_carry_out(request, context)
    return bench.store.list(bench.scope(), limit=1)[0]


def the_work() -> Conversation:
    talk = Conversation()
    talk.asks(f"{GOAL}. {RULE}")
    talk.calls("Edit", "/code/shop/src/dates.py", outcome="ok")
    talk.calls(
        "Bash", "pytest -q", output="AssertionError: 200 != 401", outcome="failed"
    )
    talk.says("One test is still red.")
    return talk


def a_talk(*words: str) -> Conversation:
    talk = Conversation()
    for each in words:
        talk.asks(each)
        talk.says("TCP keeps order; UDP sends single datagrams.")
    return talk


def texts(items: Any) -> list[str]:
    return [item.text for item in items]


def test_an_unrelated_question_between_passes_the_work_on(bench: Workbench) -> None:
    told(bench, 1, GOAL, "startup")
    ended(bench, 1, the_work())
    told(bench, 2, "continue")
    question = ended(bench, 2, a_talk("what is the difference between TCP and UDP?"))

    said = told(bench, 3, "continue")

    assert "TCP" in texts(question.draft.content.goal)[0]
    assert "rewrite the date parser" in said
    heir = ended(bench, 3, a_talk("continue")).draft.content
    assert "rewrite the date parser" in texts(heir.goal)[0]
    assert RULE in texts(heir.instructions)
    assert any("200 != 401" in text for text in texts(heir.errors))


def test_five_clears_with_a_nod_each_lose_nothing(bench: Workbench) -> None:
    """Goal, notes, rules and failures are told to the sixth as to the second."""
    told(bench, 1, GOAL, "startup")
    notes = parse_notes(
        {"decisions": ["Keep the amber queue"], "next_steps": ["Rehearse"]}
    )
    bench.writes(session_number(1), the_work())
    assert isinstance(
        save(bench.request(session_number(1), notes=notes), bench.ports), Saved
    )
    first = ended(bench, 1, the_work())
    for number in range(2, 7):
        said = told(bench, number, "continue")
        assert "rewrite the date parser" in said
        assert "200 != 401" in said
        ended(bench, number, a_talk("continue"))

    newest = bench.store.list(bench.scope(), limit=1)[0]
    content = newest.draft.content
    assert newest.number > first.number
    assert "rewrite the date parser" in texts(content.goal)[0]
    assert texts(content.decisions) == ["Keep the amber queue"]
    assert "Rehearse" in texts(content.next_steps)
    assert RULE in texts(content.instructions)


def test_a_rule_laid_down_on_the_way_is_not_lost(bench: Workbench) -> None:
    """The session did nothing, but what it heard holds."""
    told(bench, 1, GOAL, "startup")
    ended(bench, 1, the_work())
    told(bench, 2, "continue")
    ended(bench, 2, a_talk("Always answer in Thai from now on."))
    told(bench, 3, "continue")

    heir = ended(bench, 3, a_talk("continue")).draft.content

    assert texts(heir.instructions)[-1] == "Always answer in Thai from now on."
    assert "rewrite the date parser" in texts(heir.goal)[0]


def test_what_a_session_got_and_did_not_use_is_there_for_the_next(
    bench: Workbench,
) -> None:
    """It ended without work: its brief is nobody's."""
    told(bench, 1, GOAL, "startup")
    work = ended(bench, 1, the_work())
    told(bench, 2, "continue")
    ended(bench, 2, a_talk("continue"))

    told(bench, 3, "continue")

    offered = bench.store.offered(session_number(3))
    assert offered is not None
    assert (offered.what, offered.checkpoint_id) == ("brief", work.checkpoint_id)
    assert offered.rule == "cleared-unfinished"


def left(bench: Workbench, number: int, talk: Conversation) -> Checkpoint:
    """Let a session be as written down and end; return what was saved of it."""
    session, context = session_number(number), bench.context()
    bench.writes(session, talk)
    stop(bench.event("Stop", session), context)
    event = bench.event("SessionEnd", session, reason="prompt_input_exit")
    request = end_request(event, context)
    assert request is not None
    assert try_carry_out(request, context)
    return bench.store.list(bench.scope(), limit=1)[0]


def test_who_changes_a_file_of_the_work_goes_on_with_it(bench: Workbench) -> None:
    """Nobody said "continue": what the session did shows it, and it inherits the rules."""
    told(bench, 1, GOAL, "startup")
    left(bench, 1, the_work())
    talk = Conversation()
    talk.asks("is it green yet?")
    talk.calls("Edit", "/code/shop/src/dates.py", outcome="ok")
    talk.says("It is now.")

    said = told(bench, 2, "is it green yet?", "startup")
    heir = left(bench, 2, talk)

    assert "# Unfinished work here: CHECKPOINT-00001" in said
    assert heir.draft.parent_session == session_number(1)
    assert "Never use sleep in tests" in texts(heir.draft.content.instructions)[0]


def test_an_unrelated_session_inherits_nothing_and_passes_the_work_on(
    bench: Workbench,
) -> None:
    """It was told in short, did something else, and the next one is told the same."""
    told(bench, 1, GOAL, "startup")
    left(bench, 1, the_work())
    told(bench, 2, "what is the difference between TCP and UDP?", "startup")
    other = left(bench, 2, a_talk("what is the difference between TCP and UDP?"))

    said = told(bench, 3, "so where were we?", "startup")

    assert other.draft.parent_session is None
    assert other.draft.content.instructions == ()
    assert "# Unfinished work here: CHECKPOINT-00001" in said


def test_what_only_the_snapshot_saw_is_work(bench: Workbench) -> None:
    """One command changed files that it does not name."""
    tree = CodeState(branch="main", head="3f2c1a9", tree="a" * 40, dirty=True)
    after = replace(tree, tree="b" * 40)
    first = bench.keep(a_draft(trigger="exit", code=tree, session_id=session_number(1)))
    ran: dict[str, Any] = {
        "code": after,
        "session_id": session_number(2),
        "trigger": "exit",
    }
    looked = bench.keep(a_draft(**ran))  # a command that only looks is not kept
    ran["session_id"] = session_number(3)
    worked = bench.keep(a_draft(commands=(CommandRef("./codemod.sh", 0),), **ran))

    found = [has_worked(bench.store.get(one), bench.store) for one in (looked, worked)]

    assert first
    assert found == [False, False]  # the tree before is the same: nothing changed here
    ran |= {"session_id": session_number(4), "code": replace(tree, tree="c" * 40)}
    changed = bench.keep(a_draft(commands=(CommandRef("./codemod.sh", 0),), **ran))
    assert has_worked(bench.store.get(changed), bench.store)
