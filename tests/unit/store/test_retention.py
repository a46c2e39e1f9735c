"""What may go, as a table: only what nobody will miss."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from holdfast.domain.checkpoint import CHECKPOINT_TYPES, CheckpointType, Trigger
from holdfast.store.retention import RetentionRow, to_remove, trees_by_worth

_DAY = 86_400_000
_NOW = 1_800_000_000_000
_KEPT: tuple[Trigger, ...] = (
    "exit", "clear", "compact", "rescue", "restore", "backfill", "import",
)  # fmt: skip
_TRIGGERS: tuple[Trigger, ...] = (*_KEPT, "command", "threshold", "headless")


def row(
    sequence: int,
    *,
    session: str = "s",
    type: CheckpointType = "auto",  # noqa: A002  # the field's own name
    trigger: Trigger = "threshold",
    days_ago: float = 0,
    named: bool = False,
) -> RetentionRow:
    return RetentionRow(
        checkpoint_id=f"{session}{sequence}",
        session_id=session,
        sequence=sequence,
        type=type,
        trigger=trigger,
        created_at=_NOW - int(days_ago * _DAY),
        named=named,
    )


def removed(rows: list[RetentionRow], max_auto: int = 2, days: int = 30) -> list[str]:
    return list(to_remove(rows, max_auto=max_auto, after_days=days, now_ms=_NOW))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([row(1), row(2)], [], id="within the number and the age"),
        pytest.param(
            [row(1), row(2), row(3), row(4)],
            ["s1", "s2"],
            id="beyond the newest two of a session",
        ),
        pytest.param(
            [row(1), row(2), row(1, session="t"), row(2, session="t")],
            [],
            id="counted per session",
        ),
        pytest.param(
            [row(1, days_ago=31), row(2)], ["s1"], id="too old and superseded"
        ),
        pytest.param([row(1, days_ago=30), row(2)], [], id="exactly as old as allowed"),
        pytest.param([row(1, days_ago=400)], [], id="the last one, however old"),
        pytest.param(
            [row(1, days_ago=400), row(2, days_ago=300)],
            ["s1"],
            id="the last stays when all are old",
        ),
        pytest.param(
            [row(1, days_ago=1), row(2, days_ago=400)],
            [],
            id="the last is the highest sequence, not the newest time",
        ),
        pytest.param(
            [row(1), row(2), row(3), row(4, type="manual")],
            ["s1"],
            id="a manual one supersedes, too, and is not counted",
        ),
        pytest.param(
            [row(1, named=True, days_ago=400), row(2), row(3), row(4)],
            ["s2"],
            id="a named one stays and is not counted",
        ),
        pytest.param(
            [row(1, type="manual", days_ago=400), row(2)], [], id="manual stays"
        ),
        pytest.param(
            [row(1, type="before-clear", trigger="clear", days_ago=400), row(2)],
            [],
            id="before-clear stays",
        ),
        *[
            pytest.param(
                [row(1, trigger=trigger, days_ago=400), row(2), row(3), row(4)],
                ["s2"],
                id=f"automatic at {trigger} stays",
            )
            for trigger in _KEPT
        ],
        pytest.param(
            [row(1, trigger="headless", days_ago=8)], ["s1"], id="headless, even last"
        ),
        pytest.param(
            [row(1, trigger="headless", type="manual", days_ago=8, named=True)],
            ["s1"],
            id="headless, whatever it is",
        ),
        pytest.param(
            [row(n, trigger="headless", days_ago=7) for n in range(1, 5)],
            [],
            id="headless within its week",
        ),
        pytest.param(
            [row(1, days_ago=40), row(2, trigger="headless", days_ago=39)],
            ["s2"],
            id="what goes itself supersedes nothing",
        ),
        pytest.param(
            [row(1, days_ago=-3650), row(2, days_ago=-1), row(3)],
            ["s1"],
            id="a time in the future is not old, but still one too many",
        ),
        pytest.param(
            [row(1, trigger="headless", days_ago=-3650)], [], id="headless tomorrow"
        ),
    ],
)
def test_only_what_nobody_will_miss_goes(
    rows: list[RetentionRow], expected: list[str]
) -> None:
    """The rules of retention, one row each; the order of the rows says nothing."""
    shuffled = rows.copy()
    random.Random(11).shuffle(shuffled)  # noqa: S311  # an order, not a secret

    assert removed(rows) == expected
    assert removed(shuffled) == expected


def test_a_number_of_zero_leaves_only_the_last() -> None:
    """The smallest setting still keeps where the session ended."""
    assert removed([row(1), row(2), row(3)], max_auto=0) == ["s1", "s2"]


_ROWS = st.builds(
    row,
    st.integers(1, 12),
    session=st.sampled_from("st"),
    type=st.sampled_from(CHECKPOINT_TYPES),
    trigger=st.sampled_from(_TRIGGERS),
    days_ago=st.floats(-100, 100),
    named=st.booleans(),
)


@given(st.lists(_ROWS, unique_by=lambda r: r.checkpoint_id), st.integers(0, 4))
def test_what_must_stay_stays(rows: list[RetentionRow], max_auto: int) -> None:
    """Whatever the mixture: the last of each session, names, and protected moments."""
    gone = set(removed(rows, max_auto))

    ordinary = [r for r in rows if r.trigger != "headless"]
    assert not any(
        r.checkpoint_id in gone
        for r in ordinary
        if r.named or r.type != "auto" or r.trigger in _KEPT
    )
    left = [r for r in rows if r.checkpoint_id not in gone]
    for session in {r.session_id for r in ordinary}:
        staying = [r for r in rows if r.session_id == session]
        survivors = [
            r
            for r in staying
            if r.trigger != "headless" or r.created_at >= _NOW - 7 * _DAY
        ]
        assert max(survivors, key=lambda r: r.sequence) in left


@given(st.lists(_ROWS, unique_by=lambda r: r.checkpoint_id))
def test_removing_twice_removes_nothing_more(rows: list[RetentionRow]) -> None:
    """A second `prune` finds nothing to do."""
    gone = set(removed(rows))

    assert removed([r for r in rows if r.checkpoint_id not in gone]) == []


def test_time_passing_never_brings_one_back() -> None:
    """What is old today is old tomorrow."""
    rows = [row(1, days_ago=31), row(2)]
    later = [replace(r, created_at=r.created_at - _DAY) for r in rows]

    assert set(removed(rows)) <= set(removed(later))


def test_the_code_of_the_oldest_automatic_checkpoints_goes_first() -> None:
    """A tree that a person, a name or an undo relies on is never among them."""
    rows = [
        replace(row(1), tree="old"),
        replace(row(2), tree="shared"),
        replace(row(3, type="manual"), tree="shared"),
        replace(row(4, named=True), tree="named"),
        replace(row(5, trigger="restore"), tree="before a restore"),
        row(6),
        replace(row(7, trigger="exit"), tree="young"),
        replace(row(8), tree="old"),
    ]

    assert trees_by_worth(rows) == ("old", "young")
