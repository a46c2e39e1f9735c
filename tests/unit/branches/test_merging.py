"""What a merge says of single statements, and what it leaves to choose."""

import pytest

from holdfast.branches.identity import Side
from holdfast.branches.merging import MergedContent, merged
from holdfast.domain.checkpoint import CommandRef, Content, FileRef, Item, fact_item
from holdfast.domain.fact import ChosenAnswer, Failure, Goal, Note, PassingCommand

_BROKEN = Failure("pytest", "1 failed", 1)


def _content(**parts: object) -> Content:
    return Content(title="Work", **parts)  # type: ignore[arg-type]  # a test names only what it is about


def _merge(
    base: Content | None, one: Content, other: Content, **choices: str
) -> MergedContent:
    """Merge two sides: `a` is home, its own session's; `b` is another."""
    sides = (
        Side(checkpoint_id="a", number=41, content=one, is_own=True, tree="t1"),
        Side(checkpoint_id="b", number=45, content=other, tree="t2"),
    )
    return merged(base, sides, {int(n[1:]): side for n, side in choices.items()})


def _todos(*texts: str) -> Content:
    return _content(pending=tuple(Item(text, "agent") for text in texts))


def test_done_beats_open_where_it_is_later_on_its_own_side() -> None:
    """Open where both came from, done in one, still on the other's list: done."""
    done = _content(key_outcomes=(Item("write it", "agent"),))

    found = _merge(_todos("write it"), _todos("write it"), done)

    assert found.content.pending == ()
    assert [item.text for item in found.content.key_outcomes] == ["write it"]
    assert found.conflicts == ()


def test_what_was_opened_again_stays_open() -> None:
    """Done where both came from, and open on one side since: open, and no conflict."""
    done = _content(key_outcomes=(Item("write it", "agent"),))

    found = _merge(done, done, _todos("write it"))

    assert [item.text for item in found.content.pending] == ["write it"]
    assert found.conflicts == ()


def test_done_and_open_since_they_parted_is_to_be_chosen() -> None:
    """Nobody knows which is newer."""
    done = _content(key_outcomes=(Item("write it", "agent"),))

    found = _merge(None, _todos("write it"), done)
    chosen = _merge(None, _todos("write it"), done, n1="b")

    (conflict,) = found.conflicts
    assert (conflict.why, conflict.kind) == ("done", "pending")
    assert found.content.pending[0].doubt == "done in CHECKPOINT-00045"
    assert found.content.key_outcomes[0].doubt == "open in CHECKPOINT-00041"
    assert chosen.content.pending == ()
    assert chosen.undecided == ()


def test_a_mended_error_is_not_open() -> None:
    """Mended on one side, untouched on the other since both parted."""
    open_, fixed = (
        fact_item(_BROKEN),
        fact_item(Failure("pytest", "1 failed", 1, "fixed")),
    )

    found = _merge(
        _content(errors=(open_,)), _content(errors=(open_,)), _content(errors=(fixed,))
    )
    gone = _merge(_content(errors=(open_,)), _content(errors=(open_,)), _content())

    assert [item.fact for item in found.content.errors] == [fixed.fact]
    assert gone.content.errors == ()


def test_an_error_met_again_is_open() -> None:
    """Whatever the other side mended was other code."""
    open_ = fact_item(_BROKEN, "tool", ("line-1",))
    again = fact_item(_BROKEN, "tool", ("line-9",))

    found = _merge(_content(errors=(open_,)), _content(errors=(again,)), _content())

    assert [item.evidence for item in found.content.errors] == [("line-9",)]


_CONTRADICT = [
    pytest.param(
        "use Redis for rate limits", "use Postgres for rate limits", id="thing"
    ),
    pytest.param("keep tokens 30 days", "keep tokens 7 days", id="figure"),
    pytest.param(
        "log every request body", "do not log every request body", id="denied"
    ),
    pytest.param(
        "errors are told in Thai", "errors are told in English", id="language"
    ),
    pytest.param(
        "レート制限はRedisを使う", "レート制限はPostgresを使う", id="japanese"
    ),
]
_AGREE = [
    pytest.param(
        "use Redis", "use Redis for rate limits in the gateway", id="more of it"
    ),
    pytest.param("rotate instead of renewing", "one file per rule", id="other things"),
    pytest.param("Use Redis.", "use redis", id="the same"),
    pytest.param("tests run on every push", "deploy from main only", id="unrelated"),
]


@pytest.mark.parametrize(("one", "other"), _CONTRADICT)
@pytest.mark.parametrize("kind", ["decisions", "pending", "instructions"])
def test_statements_that_contradict_are_shown(kind: str, one: str, other: str) -> None:
    """Both stay, and a choice leaves one."""
    mine = _content(**{kind: (Item(one, "user"),)})
    theirs = _content(**{kind: (Item(other, "user"),)})

    found = _merge(None, mine, theirs)
    chosen = _merge(None, mine, theirs, n1="a")

    assert [conflict.kind for conflict in found.conflicts] == [kind]
    assert len(getattr(found.content, kind)) == 2
    assert [item.text for item in getattr(chosen.content, kind)] == [one]


@pytest.mark.parametrize(("one", "other"), _AGREE)
def test_statements_that_go_together_are_not(one: str, other: str) -> None:
    """A question too many is one that nobody reads."""
    found = _merge(
        None,
        _content(decisions=(Item(one, "agent"),)),
        _content(decisions=(Item(other, "agent"),)),
    )

    assert found.conflicts == ()


def test_two_answers_to_one_question_contradict() -> None:
    """By the question, whatever the answers have in common."""
    seven, thirty = (
        ChosenAnswer("How long?", "a week"),
        ChosenAnswer("How long?", "a month"),
    )

    found = _merge(
        None,
        _content(decisions=(fact_item(seven, "user"),)),
        _content(decisions=(fact_item(thirty, "user"),)),
    )

    assert len(found.conflicts) == 1


def test_a_rule_taken_back_in_a_fork_stands_until_somebody_chooses() -> None:
    """For the experiment, or for good? Only the user knows."""
    rule = Item("Never touch the session table.", "user", ("line-1",))
    base = _content(instructions=(rule,))
    fork = _content(
        requests=(
            Item("Forget the rule about the session table.", "user", ("line-5",)),
        )
    )

    found = _merge(base, base, fork)
    dropped = _merge(base, base, fork, n1="b")

    (conflict,) = found.conflicts
    assert conflict.why == "taken-back"
    assert found.content.instructions[0].doubt == "taken back in CHECKPOINT-00045"
    assert dropped.content.instructions == ()


def test_the_users_words_and_an_agents_note_of_them_are_the_users_once() -> None:
    """With the lines in which the user typed them, and no other."""
    typed = Item("never use sleep", "user", ("line-1",))
    noted = Item("Never use sleep.", "agent", ("line-8",))

    (rule,) = _merge(
        None, _content(instructions=(noted,)), _content(instructions=(typed,))
    ).content.instructions

    assert (rule.source, rule.evidence) == ("user", ("line-1",))


def test_homes_goal_goes_on_and_the_others_is_a_request() -> None:
    """Nothing that was asked is lost, and one thing is wanted now."""
    mine = Item("add tokens", "user", ("line-1",), fact=Goal())
    theirs = Item("try Redis", "user", ("line-5",), fact=Goal())

    found = _merge(None, _content(goal=(mine,)), _content(goal=(theirs,))).content

    assert [item.text for item in found.goal] == ["add tokens"]
    assert [(item.text, item.source) for item in found.requests] == [
        ("try Redis", "user")
    ]


def test_what_ran_on_other_code_says_so() -> None:
    """A test that passes in a fork says nothing of the code at home."""
    passes = fact_item(PassingCommand("pytest"), "tool")
    ran = CommandRef("pytest", 0, "12 passed")

    found = _merge(None, _content(), _content(key_outcomes=(passes,), commands=(ran,)))
    (outcome,), (command,) = found.content.key_outcomes, found.content.commands

    assert outcome.doubt == "seen with the code of CHECKPOINT-00045"
    assert command == CommandRef("pytest", 0, "12 passed", ran_in="CHECKPOINT-00045")


def test_each_file_is_told_once_and_changed_rather_than_read() -> None:
    """Home's own first."""
    mine = _content(files=(FileRef("a", "read"), FileRef("b", "edited", 3, 1)))
    theirs = _content(
        files=(FileRef("a", "edited", 9, 0), FileRef("b", "edited", 7, 7))
    )

    found = _merge(None, mine, theirs).content.files

    assert [(f.path, f.change, f.lines_added, f.origin) for f in found] == [
        ("a", "edited", 9, "b"),
        ("b", "edited", 3, None),
    ]


def test_notes_say_which_checkpoint_they_were_written_for() -> None:
    """They are not the merge's own."""
    note = Item("how it fits", "agent", fact=Note("mental_model", session="s"))

    found = _merge(None, _content(notes=(note,)), _content(notes=(note,))).content

    assert [note.fact for note in found.notes] == [
        Note("mental_model", session="s", number=41)
    ]
