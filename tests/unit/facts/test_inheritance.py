"""What one session leaves to the next, and how long it stays."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from holdfast.app.forgetting.inherited import inherits, without_inherited
from holdfast.domain.checkpoint import (
    Checkpoint,
    Content,
    FileRef,
    Item,
    fact_item,
    is_open,
)
from holdfast.domain.fact import Failure, text_of
from holdfast.domain.kinds import FORGOTTEN_AFTER, INHERITABLE, RULES_FORGOTTEN_AFTER
from holdfast.domain.session import Inherited, SessionState
from holdfast.facts.commands.failures import ended_since
from holdfast.facts.commands.runs import runs_of, shown_command
from holdfast.facts.content import content_of
from holdfast.facts.work.inheritance import (
    FILES,
    carry_on,
    inherited_from,
)
from holdfast.session.fold import begin, fold
from tests.conversation import Conversation
from tests.sessions import (
    HOME,
    Step,
    a_checkpoint,
    a_draft,
    asks,
    edits,
    lists,
    reads,
    runs,
    says,
    session,
    task,
    task_is,
)

RULE = Inherited("instructions", "Never use tabs in YAML files", "user", origin="ccp-1")
TODO = Inherited("pending", "Document the refund endpoint", "agent", origin="ccp-1")
ERROR = Inherited(
    "errors",
    "`pytest -q` → exit 1: assert 3 == 4",
    "tool",
    origin="ccp-1",
    fact=Failure("pytest -q", "assert 3 == 4", 1),
)
FILE = Inherited(FILES, "src/cart.py", "engine", excerpt="edited", origin="ccp-1")


def carried(
    inherited: Inherited, *steps: Step, own: tuple[Item, ...] = ()
) -> tuple[Item, ...]:
    """Return what a session's content has of the kind that it inherited."""
    state = session(*steps, inherited=(inherited,))
    return carry_on(state, {inherited.kind: own})[inherited.kind]


def test_a_checkpoint_leaves_its_open_items_with_their_origin() -> None:
    """B5: instructions, decisions, todos, questions, errors, dead ends and files."""
    items: dict[str, Any] = {
        kind: (Item(f"one of {kind}", "agent", ("u1",), "x"),) for kind in INHERITABLE
    }
    content = Content(title="t", files=(FileRef("a.py", "edited"),), **items)
    checkpoint = a_checkpoint(a_draft(content))

    left = inherited_from(checkpoint)

    assert [item.kind for item in left] == [*INHERITABLE, FILES]
    assert {item.origin for item in left} == {checkpoint.checkpoint_id}
    assert left[INHERITABLE.index("instructions")] == Inherited(
        "instructions",
        "one of instructions",
        "agent",
        ("u1",),
        "x",
        checkpoint.checkpoint_id,
    )
    assert (left[-1].text, left[-1].excerpt) == ("a.py", "edited")


def test_an_item_that_was_inherited_before_keeps_its_first_origin_and_age() -> None:
    """The third session must still be able to say where something came from."""
    old = Item("write the docs", "agent", origin="ccp-first", age=2)
    seen = FileRef("a.py", "read", origin="ccp-first", age=1)
    checkpoint = a_checkpoint(
        a_draft(Content(title="t", pending=(old,), files=(seen,)))
    )

    pending, file = inherited_from(checkpoint)

    assert (pending.origin, pending.age) == ("ccp-first", 2)
    assert (file.origin, file.age) == ("ccp-first", 1)


def test_what_is_settled_is_not_left_open() -> None:
    """A fixed error and a deleted file are history."""
    fixed = fact_item(Failure("make", exit_status=2, state="fixed"), "tool")
    gone = FileRef("old.py", "deleted")
    content = Content(title="t", errors=(fixed,), files=(gone,))

    assert inherited_from(a_checkpoint(a_draft(content))) == ()


def test_an_inherited_item_comes_before_the_session_s_own() -> None:
    """Older first, as they were said."""
    own = (Item("Write tests", "agent"),)

    first, second = carried(TODO, asks("go on"), own=own)

    assert first == Item(TODO.text, "agent", origin="ccp-1", age=1)
    assert second == own[0]


def test_an_item_the_session_has_itself_is_not_doubled() -> None:
    """The agent takes up the old list in a new one: it is its own from then on."""
    own = (Item("document the  refund endpoint.", "agent", ("u9",)),)

    (only,) = carried(TODO, asks("go on"), own=own)

    assert only == own[0]


def test_a_file_that_the_session_edited_itself_outlives_its_origin() -> None:
    """Forgetting where it came from must not take away what was done here."""
    state = replace(session(asks("Round it"), edits("src/cart.py")), inherited=(FILE,))

    draft = a_draft(content_of(state))

    assert [(file.path, file.origin) for file in draft.content.files] == [
        ("src/cart.py", None)
    ]
    assert not inherits(draft.content, {"ccp-1"})
    assert without_inherited(draft, {"ccp-1"}) == draft


def test_the_session_s_own_items_all_stay() -> None:
    """Merging may add, never take away: two files are two, however alike they sound."""
    own = (Item("src/a_b.py"), Item("src/a/b.py"), Item("src/a-b.py"))

    kept = carried(FILE, asks("go on"), own=own)

    assert kept[1:] == own
    assert carried(replace(FILE, text="src/a.b.py"), asks("x"), own=own)[1:] == own
    assert carried(RULE, asks("x"), own=(Item("Go!"), Item("go")))[1:] == (
        Item("Go!"),
        Item("go"),
    )


def test_kinds_that_nobody_inherited_stay_as_they_are() -> None:
    """Merging must not lose what is only the session's."""
    own = {"decisions": (Item("use UTC"),), "pending": ()}

    merged = carry_on(session(asks("x"), inherited=(RULE,)), own)

    assert merged["decisions"] == (Item("use UTC"),)
    assert merged["pending"] == ()
    assert [item.text for item in merged["instructions"]] == [RULE.text]


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(
            (asks("do it"), lists(("Document the refund endpoint", "completed"))),
            id="a list that has it as done",
        ),
        pytest.param(
            (
                asks("do it"),
                task("4", "Document the refund endpoint"),
                task_is("4", "completed"),
            ),
            id="a task that is done by its id",
        ),
        pytest.param(
            (
                asks("do it"),
                task("4", "document the refund endpoint"),
                task_is("4", "deleted"),
            ),
            id="a task that was deleted",
        ),
    ],
)
def test_a_todo_that_is_done_is_gone(steps: tuple[Step, ...]) -> None:
    """Done items are not work that is left."""
    assert carried(TODO, *steps) == ()


def test_a_todo_that_is_only_begun_stays() -> None:
    """In progress is not done."""
    begun = lists(("Document the refund endpoint", "in_progress"))

    assert len(carried(TODO, asks("do it"), begun)) == 1


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("pytest -q", id="the same command"),
        pytest.param(
            f"cd {HOME} && pytest -q 2>&1 | tail -5", id="with things around it"
        ),
        pytest.param("time pytest -q", id="with a word before it"),
    ],
)
def test_an_error_is_gone_when_its_command_went_well(command: str) -> None:
    """The agent fixed it without saying so."""
    assert carried(ERROR, asks("fix"), runs(command, "12 passed in 0.1s")) == ()


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(
            runs("pytest -q tests/unit", "3 passed"), id="only a part was run"
        ),
        pytest.param(runs("ls", "pytest.ini"), id="another command"),
        pytest.param(
            runs("cd api && pytest -q", "3 passed"), id="in another directory"
        ),
    ],
)
def test_an_error_stays_until_the_same_command_goes_well(step: Step) -> None:
    """Whatever is in doubt stays."""
    assert len(carried(ERROR, asks("fix"), step)) == 1


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(runs("pytest -q", fails="E assert 3 == 4"), id="it failed again"),
        pytest.param(
            runs("pytest -q | tail", "--- FAIL: x\n1 failed in 0.1s"),
            id="hidden by a pipe",
        ),
    ],
)
def test_an_error_that_is_met_again_is_told_once_as_it_is_now(step: Step) -> None:
    """What it said in the session before is old; that it fails is not over."""
    errors = content_of(session(asks("fix"), step, inherited=(ERROR,))).errors

    assert [(is_open(error), error.origin) for error in errors] == [(True, None)]


def test_an_error_of_a_tool_is_gone_when_the_tool_went_well_on_that_file() -> None:
    """Not only shell commands fail."""
    fact = Failure("Edit cart.py", "no match")
    failed = replace(ERROR, text=text_of(fact), fact=fact)

    assert carried(failed, asks("fix"), edits("src/cart.py")) == ()
    assert len(carried(failed, asks("fix"), edits("src/other.py"))) == 1


def test_an_error_with_a_long_command_is_known_by_its_beginning() -> None:
    """Long commands are cut where they are told."""
    command = "make deploy " + " ".join(f"TARGET_{n}=region-{n}" for n in range(20))
    fact = Failure(shown_command(command), exit_status=1)
    told = replace(ERROR, text=text_of(fact), fact=fact)

    assert told.text.endswith("…` → exit 1")
    assert carried(told, asks("go"), runs(command)) == ()


def test_an_error_of_several_commands_is_gone_when_all_of_them_went_well() -> None:
    """A check is often run in one line with the next."""
    one, both = runs("ruff check"), runs(f"cd {HOME}; ruff check && pytest -q")

    assert len(carried(ERROR, asks("fix"), one)) == 1
    assert carried(ERROR, asks("fix"), both) == ()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("Forget the rule to never use tabs in YAML files.", id="forget"),
        pytest.param("Fix it. Forget no tabs in YAML files", id="in mid-prompt"),
        pytest.param("ok, please ignore: never use tabs in yaml files", id="ignore"),
        pytest.param("Fix it.\nNever mind the tabs in YAML files!", id="never mind"),
        pytest.param(
            "tabs in YAML files are not needed to avoid anymore", id="any more"
        ),
        pytest.param("oublie la règle never use tabs in YAML files", id="French"),
        pytest.param("never use tabs in YAML files 규칙은 무시해", id="Korean"),
        pytest.param("ไม่ต้องสนใจ never use tabs in YAML files", id="Thai"),
        pytest.param("忽略 never use tabs in YAML files 这条规则", id="Chinese"),
        pytest.param("never use tabs in YAML files は無視してください", id="Japanese"),
    ],
)
def test_what_the_user_takes_back_is_gone(words: str) -> None:
    """Only the user can revoke, and only in so many words."""
    assert carried(RULE, asks(words)) == ()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("don't forget: never use tabs in YAML files", id="a reminder"),
        pytest.param("should we ignore tabs in YAML files?", id="a question"),
        pytest.param("tabs are no longer allowed in YAML files", id="said again"),
        pytest.param("I never want to see tabs in YAML files any more", id="and again"),
        pytest.param("don't ignore tabs in YAML files", id="do not ignore"),
        pytest.param("forget the login page", id="something else"),
        pytest.param("use tabs in YAML files", id="the opposite without a word for it"),
        pytest.param(
            "n'oublie pas: never use tabs in YAML files", id="French reminder"
        ),
        pytest.param("อย่าลืม never use tabs in YAML files", id="Thai reminder"),
        pytest.param("不要忘记 never use tabs in YAML files", id="Chinese reminder"),
    ],
)
def test_what_the_user_does_not_plainly_take_back_stays(words: str) -> None:
    """A lost instruction costs more than one too many."""
    assert len(carried(RULE, asks(words))) == 1


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("we no longer round prices half up", id="English"),
        pytest.param("don't round prices half up anymore", id="any more"),
        pytest.param("Preise round prices half up nicht mehr", id="German"),
        pytest.param("不再 round prices half up", id="Chinese"),
    ],
)
def test_what_is_no_longer_so_ends_what_was_wanted(words: str) -> None:
    """It would confirm a ban, so it ends only what is none."""
    wanted = replace(RULE, text="Round all prices half up")

    assert carried(wanted, asks(words)) == ()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("the cancel button in the dialog is red now", id="in the middle"),
        pytest.param("cancel button in the dialog: make it red", id="at the beginning"),
    ],
)
def test_a_word_that_an_item_has_itself_does_not_revoke_it(words: str) -> None:
    """To speak of the cancel button is not to cancel the button."""
    item = replace(TODO, text="Make the cancel button in the dialog red")

    assert len(carried(item, asks(words))) == 1


def test_a_rule_to_ignore_something_is_repeated_not_revoked() -> None:
    """The word that takes back may be the rule itself."""
    rule = replace(RULE, text="Ignore the lint warnings in generated code")

    (kept,) = carried(rule, asks("ignore the lint warnings in generated code, as ever"))

    assert kept.age == 0


@pytest.mark.parametrize(
    ("item", "step"),
    [
        pytest.param(TODO, asks("is the refund endpoint documented?"), id="most words"),
        pytest.param(TODO, asks("Document the refund endpoint"), id="its text"),
        pytest.param(FILE, reads("src/cart.py"), id="its file was read"),
        pytest.param(FILE, edits("src/cart.py"), id="its file was edited"),
        pytest.param(FILE, asks("what does cart.py do"), id="its file was named"),
        pytest.param(
            replace(TODO, text="split src/cart.py in two"),
            edits("src/cart.py"),
            id="a file that it names was edited",
        ),
        pytest.param(
            replace(TODO, text="เขียนเอกสารสำหรับการคืนเงิน"),
            asks("ช่วยเขียนเอกสารสำหรับการคืนเงินหน่อย"),
            id="Thai",
        ),
        pytest.param(
            replace(TODO, text="为退款接口编写文档"),
            asks("先为退款接口编写文档吧"),
            id="Chinese",
        ),
    ],
)
def test_what_the_session_touches_is_young_again(item: Inherited, step: Step) -> None:
    """Work on it goes on, so its age begins anew."""
    (kept,) = carried(replace(item, age=2), asks("good morning"), step)

    assert kept.age == 0


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(asks("add a login page"), id="other work"),
        pytest.param(asks("the endpoint is slow"), id="one word by chance"),
        pytest.param(edits("src/login.py"), id="another file"),
        pytest.param(asks("!!! ???"), id="no words at all"),
        pytest.param(says("Document the refund endpoint"), id="only the agent's words"),
    ],
)
def test_what_the_session_does_not_touch_grows_older(step: Step) -> None:
    """Ages are told with the item, and old ones end."""
    (kept,) = carried(TODO, asks("hello"), step)

    assert kept.age == 1


@pytest.mark.parametrize(
    ("item", "limit"),
    [
        pytest.param(TODO, FORGOTTEN_AFTER, id="a todo"),
        pytest.param(FILE, FORGOTTEN_AFTER, id="a file"),
        pytest.param(RULE, RULES_FORGOTTEN_AFTER, id="an instruction"),
    ],
)
def test_what_several_sessions_in_a_row_did_not_touch_is_forgotten(
    item: Inherited, limit: int
) -> None:
    """B5: three sessions, and ten for an instruction."""
    busy = (asks("add a login page"), asks("now style it"))

    survived = carried(replace(item, age=limit - 2), *busy)
    forgotten = carried(replace(item, age=limit - 1), *busy)

    assert [kept.age for kept in survived] == [limit - 1]
    assert forgotten == ()


def test_an_item_without_words_is_only_ever_old() -> None:
    """Nothing can be said to speak of it."""
    (kept,) = carried(replace(TODO, text="…"), asks("anything"), asks("…"))

    assert kept.age == 1


def test_steering_the_client_is_no_second_prompt() -> None:
    """`/exit` after the only prompt does not make a session that forgets."""
    steps = (asks("add a login page"), asks("/exit", "command"))

    assert len(carried(replace(TODO, age=9), *steps)) == 1


def test_what_is_touched_least_goes_when_there_is_no_room() -> None:
    """One-prompt sessions forget nothing, so there must be another end to it."""
    items = tuple(
        replace(TODO, text=f"chore number {n}", age=n % 7) for n in range(200)
    )
    state = session(asks("x"), inherited=items)

    kept = carry_on(state, {})["pending"]

    assert len(kept) == 60
    assert max(item.age for item in kept) <= 3
    assert [item.text for item in kept] == sorted(
        (item.text for item in kept), key=lambda text: int(text.split()[-1])
    )


def test_four_sessions_with_one_prompt_each_lose_nothing() -> None:
    """B5: the third `/clear` in a row loses no more than the first."""
    made: dict[str, Any] = {
        kind: (Item(f"{kind} from the very beginning"),) for kind in INHERITABLE
    }
    content = Content(title="0", files=(FileRef("src/cart.py", "edited", 3),), **made)
    checkpoint = a_checkpoint(a_draft(content))
    first = checkpoint.checkpoint_id

    for number in range(1, 5):
        state = one_prompt_session(number, inherited_from(checkpoint))
        own = {"instructions": (Item(f"rule {number}", "user"),)}
        checkpoint = checkpoint_after(number, state, own)

    content = checkpoint.draft.content
    for kind in INHERITABLE:
        oldest = getattr(content, kind)[0]
        assert oldest.text == f"{kind} from the very beginning"
        # The goal is what each of them worked for.
        assert (oldest.origin, oldest.age) == (first, 0 if kind == "goal" else 4)
    assert [item.text for item in content.instructions[1:]] == [
        "rule 1",
        "rule 2",
        "rule 3",
        "rule 4",
    ]
    assert content.files == (FileRef("src/cart.py", "edited", origin=first, age=4),)


def one_prompt_session(number: int, inherited: tuple[Inherited, ...]) -> SessionState:
    talk = Conversation()
    talk.asks(f"an errand, number {number}")
    talk.says("done")
    return fold(begin(f"session-{number}", "claude-code", inherited), talk.events)


def checkpoint_after(
    number: int, state: SessionState, own: Mapping[str, tuple[Item, ...]]
) -> Checkpoint:
    merged: dict[str, Any] = dict(carry_on(state, own))
    files = tuple(
        FileRef(item.text, "edited", origin=item.origin, age=item.age)
        for item in merged.pop(FILES)
    )
    content = Content(title=str(number), files=files, **merged)
    return a_checkpoint(a_draft(content), checkpoint_id=f"ccp-{number}")


def test_a_failure_in_a_directory_with_a_blank_ends_in_the_next_session() -> None:
    """Its place was read back without its quotation marks."""
    failing = Failure("npm test", "1 failed", 1, place="my app")
    state = session(asks("go on"), runs('cd "my app" && npm test', "all passed"))
    calls = tuple(state.live_calls())

    over = ended_since([failing], calls, runs_of(calls, state.cwd), state.cwd)

    assert over == {failing}


@pytest.mark.parametrize(
    ("prompt", "is_open"),
    [
        pytest.param(
            "a fixed coupon is applied after a percentage", False, id="answered"
        ),
        pytest.param("continue", True, id="a nod"),
        pytest.param(
            "now write the release notes for the shop", True, id="something else"
        ),
    ],
)
def test_a_question_is_open_until_somebody_speaks_of_it(
    prompt: str, *, is_open: bool
) -> None:
    """It was told as waiting though the next session had its answer."""
    asked = "Should a fixed coupon be applied before or after a percentage?"
    parent = session(asks("stack two coupons"), edits("a.py"), says(asked))
    inherited = inherited_from(a_checkpoint(a_draft(content_of(parent))))
    heir = replace(
        session(asks(prompt), edits("b.py"), says("Done so.")), inherited=inherited
    )

    questions = [item.text for item in content_of(heir).open_questions]

    assert (asked in questions) is is_open


@pytest.mark.parametrize(
    ("prompt", "left"),
    [
        pytest.param("go on", 2, id="the same work"),
        pytest.param("write the migration for the harbour tables", 1, id="other work"),
    ],
)
def test_what_only_the_goal_before_needed_ends_with_a_new_goal(
    prompt: str, left: int
) -> None:
    """A wish of last week is no rule for what is asked today."""
    wish = replace(RULE, text="The total must be rounded at the end.")
    goal = Inherited("goal", "sort the list of orders", "user", origin="ccp-1")
    state = session(asks(prompt), says("Done."), inherited=(RULE, wish, goal))
    assert len(content_of(state).instructions) == left
