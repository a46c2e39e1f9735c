"""What of the way is told: what says something alone and still holds."""

import pytest

from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from tests.sessions import asks, edits, runs, says, session

_LAST = "The cache is keyed by `session_id`, so two windows share it."


def _story(state: SessionState) -> list[str]:
    return [item.text for item in content_of(state).story]


@pytest.mark.parametrize(
    "sentence",
    [
        "It exists in the same package already.",
        "That's a much better approach to this.",
        "The issue is becoming clearer to me now.",
        "You're right to ask about this at all.",
        "There are quite a few files to update.",
        "...does not make much sense for a `cli`.",
        "Since we are on `main`, let me look at the diff.",
        "C'est bien ce qui se passe dans les deux cas.",
    ],
)
def test_what_only_points_back_is_no_story(sentence: str) -> None:
    """Without what was said before it a reader learns nothing."""
    assert _story(session(asks("go"), says(f"{_LAST} {sentence}"))) == [_LAST]


@pytest.mark.parametrize(
    "sentence",
    [
        "It exists in `shop/cart.py` under another name.",
        "That loses 120 rows of the import each night.",
        "The mail is sent from the queue only.",
        "Each window gets a branch of its own whose name ends in the id of the window.",
    ],
)
def test_what_names_something_is_told(sentence: str) -> None:
    """A name, a number or a reason is what the next session looks for."""
    assert _story(session(asks("go"), says(sentence))) == [sentence]


def test_what_a_file_needed_is_not_told_once_it_was_edited() -> None:
    """The next session would do it again."""
    state = session(
        asks("what is left?"),
        says("One remaining reference stands in `shop/cart.py` at line 12."),
        asks("do it"),
        edits("shop/cart.py", added=1, removed=1),
        says(_LAST),
    )

    assert _story(state) == [_LAST]


def test_what_another_file_needs_is_told() -> None:
    """Nobody has done it yet."""
    needs = "One remaining reference stands in `shop/order.py` at line 12."
    state = session(
        asks("what is left?"),
        says(needs),
        asks("do the cart"),
        edits("shop/cart.py", added=1, removed=1),
        says(_LAST),
    )

    assert _story(state) == [_LAST, needs]


def test_what_was_to_be_done_in_the_middle_of_a_turn_is_not_told_when_it_went_on() -> (
    None
):
    """An agent that says what is needed and edits has done it."""
    state = session(
        asks("fix the import"),
        says("The comparison of `rows` at line 192 should ignore case."),
        edits("shop/load.py", added=1),
        says(_LAST),
    )

    assert _story(state) == [_LAST]


def test_options_are_no_story() -> None:
    """Read alone, one that was not chosen is a plan."""
    state = session(
        asks("how?"),
        says(
            f"{_LAST}\n\n1. Put `session_id` into a table of its own and join it.\n"
            "2. Drop the cache and ask `sqlite` each time it is needed.\n\n"
            "Which of them do you prefer?"
        ),
        asks("2"),
        says("Dropped."),
    )

    assert _story(state) == [_LAST]


def test_what_was_counted_but_not_offered_is_told() -> None:
    """A list of findings ends in an offer, too."""
    found = "The lexer of `shop/parse.py` never sees the second quote."
    state = session(asks("review"), says(f"1. {found}\n\nShall I mend that?"))

    assert _story(state) == [found]


def test_what_a_message_quotes_is_no_story() -> None:
    """It is what somebody else says."""
    quoted = "> Another session holds `main` with changes that nobody committed."

    assert _story(session(asks("go"), says(f"{_LAST}\n{quoted}"))) == [_LAST]


def test_of_earlier_turns_what_they_closed_with_comes_first() -> None:
    """On the way an agent supposes; at the end of a turn it knows."""
    middle = "The parser of `a.py` seems to read the quotes one after another."
    closing = [
        f"The reader of `file_{n}.py` keeps quotes in name_{'x' * n}."
        for n in range(1, 14)
    ]
    turns = [
        step
        for told in closing
        for step in (asks("next"), says(middle), says("Now on to it."), says(told))
    ]
    told = _story(session(*turns, asks("and now?"), says(_LAST)))

    assert told == [_LAST, *reversed(closing)]
    trouble = "The runner of `b.py` hangs if the quotes are nested."
    (hard,) = _story(session(asks("go"), says(trouble), says("On to it.")))
    assert hard == trouble
    assert trouble in _story(
        session(asks("go"), says(trouble), says("On to it."), *turns, says(_LAST))
    )
    few = session(asks("go"), says(middle), says(closing[0]), asks("?"), says(_LAST))
    assert _story(few) == [_LAST, closing[0], middle]


def test_what_was_offered_and_not_taken_is_no_story() -> None:
    """A list below a question is what could be done, not what is so."""
    offer = (
        "The project has a plan and no code.\n\nWhat shall we do next? Some options:\n"
        "1. **Scaffold the project** — set up `src/` and a server in `app.py`\n"
        "2. **Begin with the page** — set up `index.html` and its styles"
    )
    state = session(asks("look around"), says(offer), asks("go"), says(_LAST))

    assert not any("set up" in sentence for sentence in _story(state))


@pytest.mark.parametrize(
    "leads_on",
    [
        "Trying `parse_fast` first, it is much shorter.",
        "Нужно ещё проверить `Calendar.first` в этом файле.",
        "CHANGELOG에서 `dates.py` 항목을 먼저 정리합니다.",
        "`dates.csv` を一覧に追加します。",
        "Abrindo primeiro o `calendar.py` do projeto.",
        "现在先看 `dates.py`，再看日历的部分。",
    ],
)
def test_what_leads_on_to_a_call_is_no_story(leads_on: str) -> None:
    """What an agent says right before a call is what it is about to do, in whatever
    language; what stands before that is what it found."""
    state = session(asks("go"), says(f"{_LAST} {leads_on}"), runs("make"), asks("and?"))

    assert _story(state) == [_LAST]
    assert leads_on in _story(session(asks("go"), says(leads_on), asks("and?")))


def test_trouble_and_what_is_told_at_length_stay_before_a_call() -> None:
    """Some findings stand right before the call that goes on from them."""
    trouble = "The runner of `b.py` hangs if the quotes are nested."
    long = f"The parser of `a.py` reads the quotes {'and the quotes ' * 8}in one go."
    state = session(
        asks("go"), says(trouble), runs("make"), says(long), runs("make"), says("Done.")
    )

    assert {*_story(state)} == {trouble, long}


def test_an_entry_that_only_names_things_is_no_story() -> None:
    """Without the line above its list nobody knows what is said of them."""
    names = (
        "`miniconda3/`, `.pyenv-3.11/`, `.vscode-server/` and `.cache/` (large tools)"
    )
    explained = "`.cache/` — 12 GB that each start of `build.sh` makes anew by itself"
    message = f"{_LAST}\n\nLeft out:\n- {names}\n- {explained}"

    assert _story(session(asks("go"), says(message))) == [_LAST, explained]


@pytest.mark.parametrize(
    "message",
    [
        "`ogp.ts` is left out (an order of imports. It is another matter of `biome` here)",
        "`ogp.ts` は除外しました（import 順の問題。別の `biome` の件なので今回は触りません）",
    ],
)
def test_the_end_of_a_bracket_is_no_sentence(message: str) -> None:
    """What it belongs to stands before it."""
    state = session(asks("commit it"), says(message), asks("go on"), says("Done."))

    told = [item.text for item in content_of(state).story]

    assert not any(text.endswith((" here)", "触りません）")) for text in told)
