"""Statistics: every number is somebody's, once, and what nobody said is not known."""

from typing import Any

import pytest
from rich.cells import cell_len

from holdfast.domain.amounts import short, size
from holdfast.domain.checkpoint import SessionFacts, ToolRef
from holdfast.domain.client import Delivery, HookCost
from holdfast.domain.event import Tokens
from holdfast.domain.outline import Tally
from holdfast.reports.statistics import OwnCost, Statistics, own_cost, statistics
from holdfast.reports.statistics_lines import (
    ASCII_CHART,
    UNICODE_CHART,
    StatisticsViewer,
    statistics_lines,
)
from tests.builders import NOON

_DAY = 86_400_000


def a_tally(session: str = "a", at: int = NOON, **facts: Any) -> Tally:
    more = {name: facts.pop(name) for name in Tally._fields if name in facts}
    return Tally(
        session, "p", "/code/tokens", "claude-code", "manual", "command", at, 900,
        SessionFacts(**{"started_at": 1, **facts}),
    )._replace(**more)  # fmt: skip


def counted(*tallies: Tally, **parents: str) -> Statistics:
    return statistics(tallies, parents, OwnCost())


def test_a_checkpoint_counts_for_what_is_new_since_the_one_before() -> None:
    """A session's numbers grow; adding them up would count the first prompt thrice."""
    bash = ToolRef("Bash", 3, 0, 0)
    found = counted(
        a_tally(prompts=2, message_count=5, tools=(bash,), errors=1, dead_ends=1),
        a_tally(
            at=NOON + _DAY,
            prompts=6,
            message_count=15,
            tools=(bash, ToolRef("Read", 4, 0, 0)),
            errors=3,
            dead_ends=1,
        ),
    )

    work = found.totals
    assert (work.checkpoints, len(work.sessions)) == (2, 1)
    assert (work.prompts, work.messages, work.tool_calls) == (6, 15, 7)
    assert (work.errors, work.dead_ends) == (3, 1)
    assert [day.prompts for day in found.days.values()] == [2, 4]
    assert found.tools == {"Read": 4, "Bash": 3}


def test_errors_are_calls_that_failed_whether_they_were_mended_or_not() -> None:
    """A record leaves out what was mended: a session that was kept at its end only would
    have met none. One that does not say tells what it has."""
    mended = a_tally("a", failed_calls=7, errors=0)
    more = a_tally("a", at=NOON + _DAY, failed_calls=9, errors=1)
    old = a_tally("b", errors=2)

    found = counted(mended, more, old)

    assert found.totals.errors == 11
    assert [day.errors for day in found.days.values()] == [9, 2]


def test_a_fork_counts_its_own_work_only() -> None:
    """Its transcript begins with every line of the other's."""
    found = counted(
        a_tally("a", message_count=100, spent=Tokens(0, 0, 0, 500)),
        a_tally("f", message_count=120, spent=Tokens(0, 0, 0, 530)),
        a_tally("later", started_at=7, message_count=10),
        f="a",
        later="a",
    )

    assert found.totals.messages == 130
    assert found.totals.spent.out == 530


def test_a_rewind_takes_no_work_back() -> None:
    """What was said and paid was said and paid."""
    found = counted(a_tally(message_count=50), a_tally(message_count=20))

    assert found.totals.messages == 50


def test_what_a_record_does_not_say_is_not_known() -> None:
    """Older records have no tokens, and most transcripts no cost."""
    found = counted(
        a_tally("a"),
        a_tally("b", prompts=3, spent=Tokens(1, 2, 3, 4), spent_exactly=False),
        a_tally("c", spent=Tokens(1, 2, 3, 4, 250_000)),
    )

    work = found.totals
    assert work.telling_prompts == {"b"}
    assert work.telling_tokens == {"b", "c"}
    assert work.telling_cost == {"c"}
    assert work.incomplete == {"b"}
    assert work.spent == Tokens(2, 4, 6, 8, 250_000)


def test_every_day_project_and_agent_has_its_share() -> None:
    """The shares add up to the whole."""
    found = counted(
        a_tally("a", message_count=1),
        a_tally("b", NOON + _DAY, message_count=2, project_root="/code/kelp"),
        a_tally("c", NOON + _DAY, message_count=4, agent="codex"),
    )

    assert [work.messages for work in found.days.values()] == [1, 6]
    assert {root: w.messages for root, w in found.projects.items()} == {
        "/code/tokens": 5,
        "/code/kelp": 2,
    }
    assert {name: w.messages for name, w in found.agents.items()} == {
        "claude-code": 3,
        "codex": 4,
    }


def test_what_holdfast_itself_cost_is_one_sum() -> None:
    """Hooks, and what models were told; an offer that nobody took is none."""
    told = Delivery(session_id="a", what="card", rule="x", tokens=60, delivered="card")
    offer = Delivery(session_id="b", what="card", rule="x", tokens=60)

    own = own_cost({"a": HookCost(1, 2, 3, 4), "b": HookCost(1)}, (told, offer), 77)

    assert own.hooks == HookCost(2, 2, 3, 4)
    assert (dict(own.told), own.told_tokens, own.on_disk) == ({"card": 1}, 60, 77)
    assert statistics([a_tally()], {}, own).own.octets == 900


def shown(found: Statistics, columns: int = 0, **more: Any) -> str:
    lines = statistics_lines(found, StatisticsViewer(columns, **more))
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def test_what_is_not_known_is_said() -> None:
    """A zero would be a lie."""
    text = shown(counted(a_tally()))

    assert "prompts     unknown: these records do not hold them" in text
    assert "tokens      unknown: neither the transcripts nor these records say" in text
    assert "cost        unknown: the transcripts do not say" in text
    assert "context     unknown" in text


def test_a_number_of_some_sessions_says_so() -> None:
    """Half of the bill must not look like the whole."""
    text = shown(
        counted(
            a_tally("a"),
            a_tally("b", prompts=3, spent=Tokens(1_000, 0, 0, 4, 1_250_000)),
        )
    )

    assert "prompts     3 (1 of 2 sessions say it)" in text
    assert "1.0 k in · 0 from cache, 0 into it · 4 out (1 of 2 sessions say it)" in text
    assert "cost        $1.25 (1 of 2 sessions say it)" in text


def many() -> Statistics:
    tallies = [
        a_tally(f"s{n}", NOON + n * _DAY, message_count=n * n % 17, prompts=n,
                project_root=f"/code/{'長い名前の' * 9 if n % 2 else 'kelp'}")
        for n in range(40)
    ]  # fmt: skip
    return counted(*tallies)


@pytest.mark.parametrize("columns", [80, 120])
def test_lines_fit_the_screen(columns: int) -> None:
    """Wide names are cut, long lists go on below."""
    lines = shown(many(), columns).splitlines()

    assert all(cell_len(line) <= columns for line in lines), lines
    assert any("the last 40 days with work" in line for line in lines)


def test_charts_need_no_unicode() -> None:
    """Where the locale has none."""
    days = (
        shown(many(), chart=ASCII_CHART).partition("per day")[2].partition("per p")[0]
    )

    assert days.isascii()
    assert "####" in days


def test_a_bar_shows_anything_that_is_there() -> None:
    """One message beside a thousand is still a day of work."""
    for chart in (UNICODE_CHART, ASCII_CHART):
        assert chart.bar(0, 1_000, 20) == ""
        assert len(chart.bar(1, 1_000, 20)) == 1
        assert chart.bar(1_000, 1_000, 20) == chart.full * 20
        assert chart.spark([0, 1, 50, 100])[0] == " "
        assert len(set(chart.spark([1, 50, 100]))) == 3
        assert chart.spark([0, 0]) == ""


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1.0 k"),
        (12_420, "12.4 k"),
        (3 * 10**9, "3.0 G"),
    ],
)
def test_large_numbers_are_short(number: int, told: str) -> None:
    """Nobody counts digits."""
    assert short(number) == told
    assert size(number).startswith(told)
