"""What changed between two versions of a file, line by line."""

from hypothesis import given, strategies as st

from holdfast.facts.blame.line_changes import Hunk, changes, sliding

_LINES = st.lists(st.sampled_from(["", "}", "a", "b", "total = count(rows)", "x"]))


@given(older=_LINES, newer=_LINES)
def test_what_is_not_told_as_changed_is_the_same(
    older: list[str], newer: list[str]
) -> None:
    """Whoever goes through the hunks gets the newer version out of the older one."""
    made: list[str] = []
    i = j = 0
    for hunk in changes(older, newer):
        assert older[i : hunk.i1] == newer[j : hunk.j1]
        made += older[i : hunk.i1] + newer[hunk.j1 : hunk.j2]
        i, j = hunk.i2, hunk.j2

    assert made + older[i:] == newer


@given(older=_LINES, newer=_LINES)
def test_a_hunk_that_slides_says_the_same(older: list[str], newer: list[str]) -> None:
    """Further up or down, as far as is told, the same two versions come out."""
    for hunk in changes(older, newer):
        i1, i2, j1, j2 = hunk
        up, down = sliding(older, newer, hunk)
        for by in range(-up, down + 1):
            head = older[i1 - up : i1 + by]
            tail = older[i2 + by : i2 + down]
            slid = [*head, *newer[j1 + by : j2 + by], *tail]
            assert slid == newer[j1 - up : j2 + down]


def test_a_statement_is_found_again_before_a_brace() -> None:
    """Where they changed places, the brace is the one that moved."""
    older = ["value = compute(total)", "}"]
    newer = ["}", "other = compute(total)", "value = compute(total)"]

    assert changes(older, newer) == [Hunk(0, 0, 0, 2), Hunk(1, 2, 3, 3)]


def test_a_large_file_costs_what_differs() -> None:
    """Ten thousand lines, of which one is new: one hunk."""
    older = [f"line {n} of the file" for n in range(10_000)]
    newer = [*older[:5_000], "one more of them", *older[5_000:]]

    assert changes(older, newer) == [Hunk(5_000, 5_000, 5_000, 5_001)]


def test_a_blank_line_more_may_be_any_of_them() -> None:
    """Two blank lines, and then three: each may be the new one."""
    older, newer = ["a", "", "", "b"], ["a", "", "", "", "b"]

    (hunk,) = changes(older, newer)

    assert sum(sliding(older, newer, hunk)) == 2
