"""A row and a hit as a person sees them: what, why, when, where, how to open."""

from typing import Any

import pytest
from inline_snapshot import snapshot

from holdfast.domain.checkpoint import Checkpoint, Content, FileRef
from holdfast.domain.code import CodeState
from holdfast.domain.query import Passage
from holdfast.domain.terminal_width import width
from holdfast.kernel.clock import local_time
from holdfast.reports.listing import ShownLine, Viewer, hit_lines, row, suggestion_lines
from tests.builders import a_foreign
from tests.sessions import BEGAN, a_checkpoint, a_draft

_HOUR = 3_600_000
_LONG = (
    "We looked at the lexer first. It turned out that escapes were handled twice, and "
    "so the parser now owns nested quotes and the lexer hands them over untouched, "
    "which also made the error messages better than before."
)


def a_hit(title: str = "JWT refresh works", **fields: Any) -> Checkpoint:
    return a_checkpoint(a_draft(Content(title=title), **fields))


def viewer(word: str = "", width: int = 80, project: str = "p1") -> Viewer:
    def marks(text: str) -> tuple[tuple[int, int], ...]:
        at = text.find(word) if word else -1
        return ((at, at + len(word)),) if at >= 0 else ()

    return Viewer(BEGAN + 2 * _HOUR, width, project, marks)


def shown(lines: list[ShownLine]) -> str:
    """Return lines as a terminal would, with brackets for marks."""
    told = []
    for line in lines:
        text = line.text
        for start, end in reversed(line.marks):
            text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
        told.append(" " * line.indent + text)
    return "\n".join(told)


def test_a_hit_says_what_why_when_where_and_how_to_open_it() -> None:
    """Number, title, the passage around the words, age, branch, session, command."""
    lines = list(
        hit_lines(a_hit(), Passage("decisions", _LONG), viewer("nested quotes"))
    )

    assert shown(lines) == snapshot("""\
00042  JWT refresh works
       decision: …and so the parser now owns [nested quotes] and the lexer hands
       them over untouched, which also made the error messages better than…
       1 h ago · main@3f2c1a9 + · session 7670db3a · holdfast show 42\
""")


def test_a_title_that_answered_is_not_quoted_again() -> None:
    """It is there already, and marked."""
    lines = list(
        hit_lines(a_hit(), Passage("title", "JWT refresh works"), viewer("JWT"))
    )

    assert shown(lines).splitlines()[0] == "00042  [JWT] refresh works"
    assert len(lines) == 2


def test_a_hit_of_another_project_is_opened_by_its_id() -> None:
    """Numbers belong to a project; an id is found from everywhere."""
    lines = list(hit_lines(a_hit(), None, viewer(project="p2")))

    assert f"holdfast show ccp-{a_hit().draft.session_id}" in lines[-1].text
    assert a_hit().draft.project_root.rpartition("/")[2] in lines[-2].text
    assert all(width(line.text) + line.indent <= 80 for line in lines)


@pytest.mark.parametrize("columns", [40, 80, 100])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("修复会话恢复的错误并重新建立索引" * 12, id="Chinese"),
        pytest.param("ตรวจสอบรหัสผ่านก่อนบันทึกทุกครั้ง" * 8, id="Thai"),
        pytest.param("x" * 500, id="one endless word"),
        pytest.param("a\tb\nc " * 80, id="white space"),
    ],
)
def test_no_line_is_wider_than_the_terminal(text: str, columns: int) -> None:
    """Wide characters take two cells, marks none."""
    hit = a_hit(text)
    passage = Passage("requests", text)

    for lines in (
        list(hit_lines(hit, passage, viewer(text[5:9], columns))),
        list(suggestion_lines(hit, (text,), viewer(width=columns))),
    ):
        own = [line for line in lines if line.role != "about"]
        assert len(own) >= 2
        assert all(width(line.text) + line.indent <= columns for line in own)
        assert all(line.text.isprintable() for line in own)


def test_nothing_a_terminal_obeys_is_left() -> None:
    """A transcript may contain escapes, bells and text that runs backwards."""
    evil = "a\x1b[31mred\x07 \u202etxt.exe\x9b2J\rdone"
    lines = list(hit_lines(a_hit(evil), Passage("errors", evil), viewer("red")))

    told = shown(lines)
    assert not any(sign in told for sign in ("\x1b", "\x07", "\u202e", "\x9b", "\r"))
    assert "[red]" in told


def test_a_suggestion_says_why() -> None:
    """Each reason on a line of its own."""
    why = ("changed refresh.py too", "met the same error: 200 != 401")

    assert shown(list(suggestion_lines(a_hit(), why, viewer()))) == snapshot("""\
00042  JWT refresh works
       changed refresh.py too
       met the same error: 200 != 401
       1 h ago · main@3f2c1a9 + · session 7670db3a · holdfast show 42\
""")


def test_a_row_says_what_when_and_where() -> None:
    """Number, age, type, title with its name, branch, files changed."""
    content = Content(title="JWT\nrefresh", files=(FileRef("a.py", "edited", 3, 1),))
    code = CodeState(branch="feature/" + "x" * 40, head="3f2c1a9", tree="2" * 40)
    kept = CodeState(branch="main", head="3f2c1a9", dirty=True, tree="1" * 40)
    first = a_draft(content, code=kept)
    second = a_draft(Content(title="Auth"), code=code)
    now = first.created_at + 2 * _HOUR
    clock = local_time(first.created_at)[-5:]

    assert row(a_checkpoint(first, 42, name="api"), now) == (
        "00042", f"{clock} 2 h ago", "manual", "JWT refresh (api)", "main +", "1 file",
    )  # fmt: skip
    assert row(a_checkpoint(second, 9, foreign=a_foreign("reef")), now) == (
        "00009@reef", f"{clock} 2 h ago", "manual", "Auth", "feature/xxxxxxxxxxx…", "",
    )  # fmt: skip


def test_a_row_marks_the_latest_and_what_nobody_sat_at() -> None:
    """And how many files are not committed; the count is never what is cut."""
    listed = tuple(f"{n}.py" for n in range(13))
    code = CodeState(branch="b" * 40, head="3f", dirty=True, uncommitted=listed)
    draft = a_draft(Content(title="A"), code=code, type="auto", trigger="headless")

    number, _, kind, _, branch, _ = row(a_checkpoint(draft, 7), 0, is_latest=True)

    assert (number, kind) == ("00007*", "auto, headless")
    assert branch == "b" * 15 + "… +13"


def test_a_row_says_that_there_is_no_code_to_restore() -> None:
    """Who looks for code to bring back should not open one checkpoint after another."""
    kept = CodeState(branch="main", tree="1" * 40)
    content = Content(title="t", files=(FileRef("a.py", "edited", 3, 1),))

    with_code = row(a_checkpoint(a_draft(content, code=kept)), BEGAN)
    without = row(a_checkpoint(a_draft(content, code=CodeState())), BEGAN)

    assert (with_code[-1], without[-1]) == ("1 file", "1 file, without code")
