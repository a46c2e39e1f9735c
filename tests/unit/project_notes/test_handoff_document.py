"""The handoff's lines: what is read comes back, what is ours is known."""

import pytest
from hypothesis import given, strategies as st

from holdfast.project_notes.handoff.document import (
    OwnedLine,
    digest,
    line_count,
    parse,
    print_document,
)
from holdfast.project_notes.lines import as_item

LINE = st.sampled_from(
    [
        "", "text", "- item", "1. first", "# Title", "## Next Actions (priority order)",
        "## My own", "## open decisions", "```", "~~~", "  indented", "ไทย 한국어", "\x0b\x85",
        "- mine <!-- hf 0a0b0c0d 112233 7670db3a -->", "<!-- hf broken -->", "\ud800",
    ]
)  # fmt: skip
TEXTS = st.builds(
    lambda lines, newline, last: newline.join(lines) + last,
    st.lists(LINE, max_size=12).filter(lambda lines: not _has_empty_section(lines)),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\r\n"]),
)


def _has_empty_section(lines: list[str]) -> bool:
    """A section of ours that says nothing gets a line that says so."""
    said = True
    for line in [*lines, "# end"]:
        if line.startswith("#"):
            if not said:
                return True
            said = not line.lower().startswith(("## next", "## open"))
        said = said or bool(line.strip() and not line.startswith("#"))
    return False


@given(text=TEXTS)
def test_what_is_read_is_written_back_byte_for_byte(text: str) -> None:
    """A person's file is not ours to reformat."""
    assert print_document(parse(text)) == text


def test_a_line_of_ours_is_known_by_its_comment() -> None:
    """The id is hidden from who reads the page and plain to who merges it."""
    text = "Fix the flaky test"
    line = f"2. {text} <!-- hf 3f2c1a9b {digest(text)} 7670db3a,91e0cc11 -->"

    (block,) = parse(f"## Next Actions\n{line}\n").blocks
    (kept,) = block.kept()

    assert (kept.ident, kept.text, kept.mark) == ("3f2c1a9b", text, "2. ")
    assert kept.owners == ("7670db3a", "91e0cc11")
    assert not kept.is_edited


@pytest.mark.parametrize(
    ("line", "is_edited", "is_ticked"),
    [
        pytest.param("- fix it", False, False, id="as we wrote it"),
        pytest.param("*   fix it", False, False, id="another bullet"),
        pytest.param("- fix it tomorrow", True, False, id="other words"),
        pytest.param("- [x] fix it", False, True, id="ticked"),
        pytest.param("- [ ] fix it", False, False, id="made a task"),
        pytest.param("- ~~fix it~~", True, True, id="struck out"),
    ],
)
def test_a_persons_hand_is_recognised(
    *, line: str, is_edited: bool, is_ticked: bool
) -> None:
    """Edited words are kept, ticked items are done."""
    text = f"{line} <!-- hf 3f2c1a9b {digest('fix it')} 7670db3a -->\n"

    (kept,) = parse(text).kept().values()

    assert (kept.is_edited, kept.is_ticked) == (is_edited, is_ticked)


def test_a_copied_line_is_the_persons_own() -> None:
    """Two lines with one id would both be changed, or both be taken out."""
    line = f"- a <!-- hf 3f2c1a9b {digest('a')} 7670db3a -->\n"

    document = parse(line + line)

    assert len(document.kept()) == 1
    assert print_document(document) == line + line


def test_a_heading_inside_a_code_block_is_none() -> None:
    """People paste Markdown into Markdown."""
    document = parse("```\n## Next Actions\n```\n## Open Decisions\n- x\n")

    assert [block.section for block in document.blocks] == [None, "decisions"]


def test_a_section_is_known_whatever_its_case_and_note() -> None:
    """People retype headings; the second of one name is theirs."""
    document = parse("## next actions\n- a\n## Next Actions (today)\n- b\n")

    assert [block.section for block in document.blocks] == ["next", None]


def test_what_an_item_says_cannot_close_its_comment() -> None:
    """Text from a transcript must not become structure of the file."""
    hostile = "a --> <!-- hf 00000000 000000 00000000 -->\nb\u202e"

    assert as_item(hostile) == "a --› ‹!-- hf 00000000 000000 00000000 --› b"


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    """The limit is about what a person scrolls through."""
    assert line_count(parse("# a\n\n- b\n")) == 3


def test_a_kept_line_can_be_compared() -> None:
    """Values are equal when they say the same."""
    assert OwnedLine("1", "a", ("b",)) == OwnedLine("1", "a", ("b",))
