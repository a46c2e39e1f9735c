"""The account of what a brief carried and left out."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from holdfast.brief.brief import brief
from holdfast.brief.fit import fit
from holdfast.brief.receipt import (
    foot,
    is_cut,
    left_out,
    receipt_of,
    receipt_text,
    things_in,
)
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import (
    CommandRef,
    Content,
    FileRef,
    Item,
    fact_item,
)
from holdfast.domain.fact import (
    Commit,
    CreatedFile,
    Failure,
    PassingCommand,
    RequestContext,
)
from holdfast.domain.kinds import RECEIPT_KINDS
from holdfast.kernel.lazy_values import replace

_CONTENT = Content(
    title="t",
    instructions=(Item("never use sleep"), Item("keep it in one file")),
    files=(FileRef("x.py", "edited"), FileRef("y.py", "read"), FileRef("z.py", "read")),
    errors=tuple(
        fact_item(fact)
        for fact in (Failure("make", "", 1), Failure("make", "", 1, "fixed"))
    ),
    pending=(Item("c"),),
)
_PASTED = Item("look at [pasted 40 lines]", fact=RequestContext(pasted="Traceback"))
_PART = receipt_of(
    _CONTENT, (_CONTENT.instructions[0], _CONTENT.files[1], *_CONTENT.pending), ()
)


def _counted(receipt: Any) -> dict[str, tuple[int, int]]:
    return {kind: pair for kind, pair in receipt.items() if pair[1]}


def test_each_kind_is_counted_against_what_there_is() -> None:
    """An error that was mended is no loss, so only open ones count."""
    assert tuple(_PART) == RECEIPT_KINDS
    assert _counted(_PART) == {
        "instructions": (1, 2),
        "files_edited": (0, 1),
        "files_read": (1, 2),
        "errors": (0, 1),
        "todos": (1, 1),
    }


def test_what_stands_in_something_else_is_carried_with_it() -> None:
    """A receipt that misses what the reader can see is not believed in the rest."""
    body = '▸ "add tokens,\n  but never use sleep"'

    assert receipt_of(_CONTENT, (), [body])["instructions"] == (1, 2)


def test_a_rule_that_somebody_else_says_is_not_carried() -> None:
    """As a finding of the agent's it binds nobody, whatever the receipt says."""
    said = ["Found: never use sleep", '▸ "go on"']

    assert receipt_of(_CONTENT, (), said)["instructions"] == (0, 2)


def test_a_rule_that_a_tool_prints_is_not_carried() -> None:
    """Told as evidence, not instructions, it is lost, and the user is to hear of it."""
    rules = tuple(
        Item(f"Never deploy service {n} on a Friday, nobody is there", "user")
        for n in range(60)
    )
    printed = "\n".join(["boom", *(rule.text for rule in rules)])
    content = Content(
        title="t",
        instructions=rules,
        errors=(fact_item(Failure("make", "boom", 2), "tool", ("e",), printed),),
    )
    for budget in (600, 1200, 2400):
        subject = BriefSubject(reference="r", content=content, at=0, fetch="All: show")
        told = brief(subject, budget=budget, now_ms=0, fit=fit)
        assert told.receipt["instructions"][0] == told.text.count('▸ "Never')
        assert "boom" in told.text


def test_of_two_equal_things_the_one_that_is_told_counts() -> None:
    """Who says "yes" twice said it to two questions."""
    yes = (Item("yes"), Item("yes"))

    assert receipt_of(Content(title="t", requests=yes), yes[:1], ["yes"])[
        "requests"
    ] == (
        1,
        2,
    )


def test_an_outcome_that_files_and_commands_tell_is_no_loss() -> None:
    """`make` → ok says that it passes again."""
    made = fact_item(CreatedFile("a.py", 3))
    again = fact_item(PassingCommand("make", again=True))
    others = (fact_item(PassingCommand("tox")), fact_item(Commit("x")))
    content = Content(
        title="t",
        key_outcomes=(made, again, *others),
        commands=(CommandRef("make", 0), CommandRef("tox", 1)),
    )

    assert tuple(things_in(content)["outcomes"]) == others


def test_the_text_names_only_what_there_was() -> None:
    """`commands 0/0` tells nothing."""
    assert (
        receipt_text(_PART)
        == "Carried: instructions 1/2 · edits 0/1 · reads 1/2 · errors 0/1 · todos 1/1."
    )
    assert receipt_text({}) == "Carried: all there was."


def test_what_was_left_out_is_named_with_the_command_that_shows_it() -> None:
    """Who misses something must not look for where it is."""
    show = "All: holdfast show 42"
    lost = "Left out: 1/2 instructions, 1/1 edits, 1/2 reads, 1/1 errors. "

    told = foot(_PART, show, 0, is_short=False)
    assert told == f"Carried: all 1 todo.\n{lost}{show}"
    assert (
        foot(_PART, show, 0, is_short=True)
        == f"Left out: 1 rule, 1 edit, 1 read, 1 error. {show}"
    )
    assert foot({}, show, 0, is_short=False) == f"Left out: nothing. {show}"


@pytest.mark.parametrize("is_short", [True, False])
def test_texts_that_were_cut_are_no_nothing(*, is_short: bool) -> None:
    """ "Left out: nothing" over a text that ends in "[…]" is not so."""
    assert foot({}, "", 2, is_short=is_short) == "Left out: the rest of 2 texts."


@pytest.mark.parametrize(
    ("text", "tells", "cut"),
    [
        ("all of it", (), False),
        ("some of it […] (to: that?)", (), True),
        ("`pytest tests/a.py tests/…`", (), True),
        ("look at [pasted 40 lines]", (_PASTED,), True),
    ],
)
def test_a_text_is_cut_where_words_or_a_paste_are_missing(
    text: str, tells: tuple[Item, ...], *, cut: bool
) -> None:
    """What was pasted and is not told is left out, too."""
    assert is_cut(text, tells) is cut


def test_a_person_hears_of_instructions_edits_and_errors_only() -> None:
    """A line says what was left out when it matters, and is silent otherwise."""
    told = things_in(_CONTENT).values()
    everything = [thing for things in told for thing in things]

    assert left_out(_PART) == ("1 instruction", "1 edit", "1 error")
    assert left_out(receipt_of(_CONTENT, everything, ())) == ()


_SENTENCE = "It goes on for a while, so that not all of it has room. "


def _items(
    kind: str, begins: str = "", ends: str = "", most: int = 8
) -> st.SearchStrategy[tuple[Item, ...]]:
    """Items that each begin with a word that nothing else in the record has."""
    return st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from(["user", "agent", "tool"])),
        max_size=most,
    ).map(
        lambda drawn: tuple(
            Item(f"{begins}{kind}{n}q stands. {_SENTENCE * long}{ends}".strip(), source)  # type: ignore[arg-type]  # sampled
            for n, (long, source) in enumerate(drawn)
        )
    )


_RECORDS = st.builds(
    Content,
    title=st.just("t"),
    requests=_items("asked", most=30),
    last_words=st.sampled_from(["", _SENTENCE * 20]),
    instructions=_items("rule"),
    errors=_items("broke", begins="`make` → exit 1: "),
    dead_ends=_items("wrong"),
    pending=_items("todo"),
    next_steps=_items("then"),
    open_questions=_items("which"),
    decisions=_items("chose"),
    discoveries=_items("saw"),
    key_outcomes=_items("did"),
    in_flight=_items("flies"),
    story=_items("told"),
    files=st.lists(st.sampled_from(["edited", "read"]), max_size=50).map(
        lambda drawn: tuple(
            FileRef(f"src/file{n}q.py", change)  # type: ignore[arg-type]  # sampled
            for n, change in enumerate(drawn)
        )
    ),
    commands=st.integers(0, 40).map(
        lambda many: tuple(CommandRef(f"make ran{n}q", 0) for n in range(many))
    ),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    content=_RECORDS,
    quoted=st.booleans(),
    budget=st.sampled_from([150, 300, 500, 1000, 2000, 5000]),
)
def test_any_receipt_counts_what_the_reader_can_see(
    content: Content, *, quoted: bool, budget: int
) -> None:
    """For every kind: what there is, and how much of it stands in the brief."""
    if quoted and content.requests:  # a rule that was typed in a request
        first, *others = content.requests
        rule = Item("Never drop the ruleXq table.", "user")
        asked = replace(first, text=f"{first.text} {rule.text}")
        content = replace(
            content,
            requests=(asked, *others),
            instructions=(rule, *content.instructions),
        )
    subject = BriefSubject(reference="r", content=content, at=0, fetch="All: show")

    told = brief(subject, budget=budget, now_ms=0, fit=fit)

    assert told.receipt == {
        kind: (sum(_word(thing) in told.text for thing in things), len(things))
        for kind, things in things_in(content).items()
    }


def _word(thing: Any) -> str:
    """Return the word of a thing that nothing else has."""
    text = getattr(thing, "text", "") or getattr(thing, "path", "") or thing.command
    return next(part for part in text.replace("/", " ").split() if "q" in part[-4:])
