"""What fits a budget."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from holdfast.brief.fit import OWED, SCARCE, WORTH, fit
from holdfast.domain.brief import LEFT_OUT, BriefOption, Cost
from holdfast.domain.kinds import Worth

_ROOMY = Cost(100_000, 100_000)


def _candidate(
    kind: str, *octets: int, rank: int = 0, opens: tuple[str, ...] = ()
) -> BriefOption:
    return BriefOption(kind, rank, tuple(Cost(o, o) for o in octets), opens)


def test_everything_is_told_in_full_when_there_is_room() -> None:
    """Leaving something out of a brief that has room would be a loss for nothing."""
    candidates = [_candidate("goal", 50, 400), _candidate("read", 30)]

    assert fit(candidates, {}, _ROOMY) == (1, 0)


def test_the_request_is_told_before_anything_else() -> None:
    """A brief that has room for one thing says what the user wants."""
    candidates = [
        _candidate("read", 40),
        _candidate("edited", 40),
        _candidate("goal", 40),
    ]

    assert fit(candidates, {}, Cost(50, 50)) == (LEFT_OUT, LEFT_OUT, 0)


def test_a_long_text_gives_way_to_its_short_form_when_others_need_the_room() -> None:
    """One long prompt must not starve where the work stands."""
    candidates = [
        _candidate("goal", 100, 900),
        _candidate("error", 120),
        _candidate("todo", 60),
        _candidate("stands", 150, 700),
    ]

    assert fit(candidates, {}, Cost(500, 500)) == (0, 0, 0, 0)


@pytest.mark.parametrize("kind", ["goal", "asking"])
def test_what_the_user_said_or_must_answer_is_long_before_names_compete(
    kind: str,
) -> None:
    """A name is short and is worth much for its length; a wish is why it matters."""
    names = [_candidate("name", 12, rank=rank // 10) for rank in range(400)]
    long = _candidate(kind, 250, 400, 800, 4000)

    assert fit([*names, long], {}, Cost(3400, 3400))[-1] == 2


def test_room_that_is_left_goes_to_the_longer_form() -> None:
    """A short form is a way to make room, not an aim."""
    candidates = [_candidate("goal", 100, 300), _candidate("todo", 60)]

    assert fit(candidates, {}, Cost(400, 400)) == (1, 0)


def test_a_heading_is_paid_once_by_the_first_line_below_it() -> None:
    """Two lines of 10 under a heading of 20 need 40, not 60."""
    candidates = [
        _candidate("todo", 10, rank=rank, opens=("next",)) for rank in range(2)
    ]

    assert fit(candidates, {"next": Cost(20, 20)}, Cost(40, 40)) == (0, 0)
    assert fit(candidates, {"next": Cost(20, 20)}, Cost(39, 39)) == (0, LEFT_OUT)


def test_better_ranked_lines_of_a_kind_come_first() -> None:
    """The files most likely needed next are the ones to name."""
    candidates = [_candidate("file", 20, rank=rank) for rank in (2, 0, 1)]

    assert fit(candidates, {}, Cost(45, 45)) == (LEFT_OUT, 0, 0)


def test_the_clients_limit_counts_where_the_budget_does_not() -> None:
    """Hook output is cut by UTF-16 length, whatever the budget in tokens allows."""
    candidates = [
        BriefOption("goal", 0, (Cost(30, 30),)),
        BriefOption("todo", 0, (Cost(30, 30),)),
    ]

    assert fit(candidates, {}, Cost(1000, 40)) == (0, LEFT_OUT)


def test_an_unknown_kind_is_worth_little_but_not_nothing() -> None:
    """A kind that policy has not heard of yet is told when there is room."""
    candidates = [_candidate("novelty", 30), _candidate("todo", 30)]

    assert fit(candidates, {}, Cost(30, 30)) == (LEFT_OUT, 0)
    assert fit(candidates, {}, Cost(60, 60)) == (0, 0)


def test_what_another_says_in_the_form_that_is_told_is_not_told_again() -> None:
    """A rule that stands in the request that is told would be read twice."""
    request = _candidate("goal", 100, 300)
    rule = BriefOption("instruction", 0, (Cost(60, 60),), within=(0, 1))

    assert fit([request, rule], {}, Cost(400, 400)) == (1, LEFT_OUT)
    assert fit([request, rule], {}, Cost(200, 200)) == (0, 0)


_KINDS = st.sampled_from([*WORTH, "novelty"])
_FORMS = st.lists(st.integers(1, 400), min_size=1, max_size=3, unique=True).map(sorted)
_CANDIDATES = st.lists(
    st.builds(
        lambda kind, rank, octets, section: BriefOption(
            kind, rank, tuple(Cost(o, o) for o in octets), (section,)
        ),
        _KINDS,
        st.integers(0, 30),
        _FORMS,
        st.sampled_from(["wants", "stands", "knows"]),
    ),
    max_size=40,
)
_OPENINGS = {"wants": Cost(19, 19), "stands": Cost(21, 21), "knows": Cost(40, 40)}


@given(candidates=_CANDIDATES, octets=st.integers(0, 3000), units=st.integers(0, 3000))
def test_what_is_chosen_always_fits(
    candidates: list[BriefOption], octets: int, units: int
) -> None:
    """A brief over its budget would be cut by the client in mid-sentence."""
    chosen = fit(candidates, _OPENINGS, Cost(octets, units))

    told = [(c, form) for c, form in zip(candidates, chosen, strict=True) if form >= 0]
    opened = {name for candidate, _ in told for name in candidate.opens}
    spent = sum(c.costs[form].octets for c, form in told)
    spent += sum(_OPENINGS[name].octets for name in opened)
    assert spent <= min(octets, units)


@given(candidates=_CANDIDATES, octets=st.integers(0, 3000))
def test_the_same_question_has_the_same_answer(
    candidates: list[BriefOption], octets: int
) -> None:
    """Two saves of one state must tell the same."""
    room = Cost(octets, octets)

    assert fit(candidates, _OPENINGS, room) == fit(candidates, _OPENINGS, room)


@given(candidates=_CANDIDATES, octets=st.integers(0, 3000))
def test_no_section_goes_empty_while_another_has_second_helpings(
    candidates: list[BriefOption], octets: int
) -> None:
    """What a kind is owed comes before anyone's longer form, but for the length that
    some may have at once."""
    chosen = fit(candidates, _OPENINGS, Cost(octets, octets))

    owed = [
        c.costs[0].octets + _OPENINGS[c.opens[0]].octets
        for c, form in zip(candidates, chosen, strict=True)
        if form == LEFT_OUT and c.rank < dict(OWED).get(c.kind, 0)
    ]
    upgrades = sum(
        max(c.costs[form].octets - _at_once(c, octets), 0)
        for c, form in zip(candidates, chosen, strict=True)
        if form > 0
    )
    assert not upgrades or all(cost > upgrades for cost in owed)


def _at_once(candidate: BriefOption, room: int) -> int:
    """Return how long a candidate may be before the rest have got anything."""
    worth = WORTH.get(candidate.kind, Worth(0))
    most = worth.whole if room < SCARCE else int(worth.share * room)
    return max(
        candidate.costs[0].octets,
        *(cost.octets for cost in candidate.costs if cost.octets <= most),
        0,
    )


def test_where_room_is_scarce_the_users_words_are_told_whole_before_facts() -> None:
    """What the user typed can be had nowhere else; a file can be read again."""
    candidates = [
        _candidate("goal", 260, 470),
        _candidate("earlier", 100, 300),
        _candidate("earlier", 100, 300, rank=1),
        _candidate("stands", 90, 700),
        _candidate("found", 90),
    ]

    assert fit(candidates, {}, Cost(1_170, 1_170)) == (1, 1, 1, 0, LEFT_OUT)
    assert fit(candidates, {}, Cost(970, 970)) == (1, 1, 0, 0, LEFT_OUT)


def test_each_earlier_request_is_told_before_one_is_told_at_length() -> None:
    """Five requests in short say more than one in full."""
    candidates = [_candidate("earlier", 50, 400, rank=rank) for rank in range(5)]

    assert fit(candidates, {}, Cost(260, 260)) == (0, 0, 0, 0, 0)


def test_what_a_longer_form_says_gives_its_room_back() -> None:
    """A rule that the goal says in full is not told twice."""
    goal = _candidate("goal", 50, 300)
    rule = replace(_candidate("instruction", 90), within=(0, 1))
    more = _candidate("story", 80)
    assert fit([goal, replace(rule, within=None), more], {}, Cost(480, 480)) == (
        1,
        0,
        0,
    )

    assert fit([goal, rule, more], {}, Cost(480, 480)) == (1, LEFT_OUT, 0)
