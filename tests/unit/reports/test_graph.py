"""The graph and the log around it: what a terminal shows of a history."""

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from holdfast.reports.graph import ASCII, UNICODE, Signs, drawn
from holdfast.reports.lanes import LaneRow, rows_of
from holdfast.reports.log_lines import LogViewer, kind_of, log_lines
from tests.builders import NOON
from tests.unit.reports.histories import Told, a_week, histories

_NOW = NOON + 3 * 3_600_000

_WEEK = """\
  ●      00015  2 h ago     manual        Limits done
  │   ○  00014  2 h ago     compaction    Reuse is detected 🎉
  │   ○  00013  2 h ago     before-clear  Lifetime is 7 days
  │   ●  00012  2 h ago     manual        Looked at refresh again
✗ │   │  00011  2 h ago     crash         Docs half written
│ ●   │  00010  2 h ago     merge         What Redis taught, brought home
│ ├─╮ │  merges 00008, 00004
● │ │ │  00009  2 h ago     manual        Docs for the limits               main
  │ │ │
  ● │ │  00008  2 h ago     manual        速率限制存入数据表
● │ │ │  00007  2 h ago     manual        ตัวนับในหน่วยความจำ แบบผิดทาง (taken back)
├─╯ │ │  rewound to here
●   │ │  00006  2 h ago     manual        Rate limits by user
├───│─╯  taken up again: session a0000000
○   │    00005  2 h ago     before-clear  JWT refresh works
│ ╭─╯    merged into 00010
│ ○      00004  2 h ago     exit          Redis deadlocks
○ │      00003  2 h ago     auto 71 %     Auth middleware reads the new token
│ ●      00002  2 h ago     manual        Tried Redis for rate lim…  spike/redis
├─╯      fork: session f0000000
●        00001  2 h ago     manual        API design agreed: tokens rotat…  main
"""
_IN_ASCII = str.maketrans("●○✗│─├╭╮╰╯", "*ox|-|,.`'")
_FLAT = """\
00012  2 h ago     manual        Looked at refresh again        sibling of 00006
00011  2 h ago     crash         Docs half written
00010  2 h ago     merge         What Redis taught, brough…  merges 00008, 00004
00009  2 h ago     manual        Docs for the limits                        main
00008  2 h ago     manual        速率限制存入数据表             rewound to 00006
"""


def rows(told: Told) -> tuple[LaneRow, ...]:
    return tuple(rows_of(told.outlines, told.parents))


def shown(told: Told, width: int = 80, signs: Signs = UNICODE, **more: bool) -> str:
    viewer = LogViewer(_NOW, width, signs, **more)
    lines = (
        "".join(text for text, _ in line) for line in log_lines(rows(told), viewer)
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def test_a_week_at_a_glance() -> None:
    """A fork, a clear, a rewind, a merge, a crash and a session that is taken up again."""
    assert shown(a_week()) == _WEEK


def test_the_same_week_without_unicode() -> None:
    """The same lines in characters that every terminal has; words stay what they are."""
    assert shown(a_week(), signs=ASCII) == _WEEK.translate(_IN_ASCII).replace(
        "rate lim…", "rate l..."
    ).replace("rotat…", "rot...")


def test_without_a_graph_a_row_says_how_it_came_about() -> None:
    """Forks, rewinds, merges and siblings are told in words."""
    assert _FLAT in shown(a_week(), with_graph=False)


def test_a_wide_screen_tells_branch_and_files_of_each() -> None:
    """There is room for it."""
    lines = shown(a_week(), 120).splitlines()

    assert lines[1].endswith("main  9 files")
    assert lines[3].endswith("main +2")
    assert {cell_len(line) for line in lines if "  main" in line} == {120}


def test_a_page_that_ends_early_lets_lines_run_off() -> None:
    """What is below is still there: nothing is cut loose."""
    told = a_week()
    viewer = LogViewer(_NOW, 80)
    lines = ["".join(t for t, _ in x) for x in log_lines(rows(told), viewer, since=9)]

    assert [line.rstrip() for line in lines] == _WEEK.splitlines()[:7]


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("graph", [True, False])
@given(told=histories(), width=st.integers(80, 140))
def test_no_line_is_wider_than_the_screen(
    told: Told, width: int, *, signs: Signs, graph: bool
) -> None:
    """A line that wraps tears the graph apart."""
    lines = shown(told, width, signs, with_graph=graph).splitlines()

    assert all(cell_len(line) <= width for line in lines)


@given(histories())
def test_every_checkpoint_is_drawn_once_newest_first(told: Told) -> None:
    """The graph adds lines and loses none."""
    found = [line.row for line in drawn(reversed(rows(told))) if line.row]

    assert found == list(reversed(rows(told)))


@given(histories())
def test_a_line_is_drawn_from_its_child_down_to_its_parent(told: Told) -> None:
    """Between the two there is something in its column in every line of the graph."""
    whole = rows(told)
    lines = list(drawn(reversed(whole)))
    at = {line.row.place: n for n, line in enumerate(lines) if line.row}

    for row in whole:
        for parent in row.parents:
            between = lines[at[row.place] + 1 : at[parent.place]]
            assert all(
                line.text[2 * parent.via : 2 * parent.via + 1].strip()
                for line in between
            )
            assert all(len(line.colours) >= len(line.text) for line in between)


def test_what_made_a_checkpoint_is_a_word() -> None:
    """`auto` alone does not tell a crash from a full context."""
    told = Told()
    told.keeps("a")
    told.keeps("a", trigger="threshold", context_percent=70.6)
    told.keeps("a", trigger="threshold")
    told.keeps("a", trigger="rescue")
    told.keeps("a", trigger="compact")
    told.keeps("a", trigger="clear")

    words = [kind_of(outline) for outline in told.outlines]
    assert words == [
        "manual",
        "auto 71 %",
        "auto",
        "crash",
        "compaction",
        "before-clear",
    ]


def test_a_damaged_record_says_what_to_do() -> None:
    """Its place is known, and nothing else can be trusted."""
    told = Told()
    told.keeps("a", is_whole=False, title="")

    assert "!  00001  2 h ago" in shown(told)
    assert "damaged: run `holdfast doctor --repair`" in shown(told)


def test_a_title_cannot_draw() -> None:
    """Whatever somebody calls their work, the terminal is shown words."""
    told = Told()
    told.keeps("a", title="one\x1b[2J\ntwo\u202e", branch="\x1b]0;x")

    line = shown(told, 0)
    assert line.count("\n") == 1
    assert "\x1b" not in line
    assert "\u202e" not in line
