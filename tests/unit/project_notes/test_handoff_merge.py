"""Merging the handoff: a person's words stay, what is done goes, nobody is clobbered."""

from hypothesis import example, given, settings, strategies as st

from holdfast.project_notes.handoff.document import (
    HEADINGS,
    NEW_FILE,
    OpenItem,
    SectionKey,
    ident,
    line_count,
    parse,
    print_document,
)
from holdfast.project_notes.handoff.merge import Update, merge
from holdfast.project_notes.lines import newline_of

ME, OTHER = "7670db3a", "91e0cc11"
SECTIONS: tuple[SectionKey, ...] = tuple(HEADINGS)


def item(text: str, section: SectionKey = "next") -> OpenItem:
    return OpenItem(section, ident("todo", text), text)


def written(
    text: str, *items: OpenItem, owner: str = ME, done: tuple[str, ...] = ()
) -> str:
    """Return the file after one session's write."""
    finished = frozenset(ident("todo", each) for each in done)
    update = Update(owner=owner, items=items, finished=finished)
    return print_document(merge(parse(text), update, line_count))


def test_a_new_file_has_its_sections_in_order() -> None:
    """F1: the six sections; work in progress is left out where there is none."""
    text = written(NEW_FILE, item("fix the parser"))

    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings == [title for key, title in HEADINGS.items() if key != "work"]
    assert "1. fix the parser <!-- hf " in text


def test_writing_twice_changes_nothing() -> None:
    """A retry, or a second skill call, must not make noise in the file."""
    items = (item("a"), item("b"), item("why?", "decisions"))

    once = written(NEW_FILE, *items)

    assert written(once, *items) == once


def test_a_persons_words_are_kept() -> None:
    """Who rewords an item knows better."""
    before = written(NEW_FILE, item("fix the parser"))
    edited = before.replace("1. fix the parser", "1. fix the parser, Anna waits for it")

    after = written(edited, item("fix the parser"))

    assert after == edited


def test_new_words_replace_ours() -> None:
    """An item whose state changed is told as it is now."""
    first = OpenItem("work", ident("file", "a.py"), "`a.py`: changed, last at `f`")
    second = OpenItem("work", ident("file", "a.py"), "`a.py`: changed, last at `g`")

    after = written(written(NEW_FILE, first), second)

    assert "last at `g`" in after
    assert "last at `f`" not in after


def _focus(name: str) -> OpenItem:
    return OpenItem("focus", ident("top", ME), f"Top priority: {name}")


def _actions(text: str) -> list[str]:
    return [
        line.text
        for b in parse(text).blocks
        if b.section == "next"
        for line in b.kept()
    ]


def test_a_new_top_priority_moves_before_the_other_actions() -> None:
    """Focus and first action are read as one; they must not part as the work goes on."""
    before = written(NEW_FILE, item("a"), item("b"), _focus("a"))

    after = written(before, item("b"), item("a"), _focus("b"))

    assert _actions(after) == ["b", "a"]
    assert written(after, item("b"), item("a"), _focus("b")) == after


def test_a_persons_order_stays_while_the_top_priority_is_the_same() -> None:
    """Who put another action first knows why."""
    before = written(NEW_FILE, item("a"), item("b"), _focus("a"))
    first, second = (line for line in before.splitlines() if line[:2] in ("1.", "2."))
    turned = before.replace(f"{first}\n{second}", f"{second}\n{first}")

    after = written(turned, item("a"), item("b"), item("c"), _focus("a"))

    assert _actions(after)[:2] == ["b", "a"]


def test_a_finished_item_disappears_whoever_wrote_it_and_whoever_edited_it() -> None:
    """Completed items are deleted, not kept for reference."""
    before = written(NEW_FILE, item("a"), item("b"), owner=OTHER)
    edited = before.replace("1. a <", "1. a, quickly <")

    after = written(edited, done=("a",))

    assert "quickly" not in after
    assert "1. b <!--" in after


def test_an_item_the_session_no_longer_has_disappears() -> None:
    """A question that was answered is no open decision."""
    before = written(NEW_FILE, item("a"), item("b"))

    after = written(before, item("b"))

    assert "a <!--" not in after
    assert "1. b <!--" in after


def test_an_edited_item_that_is_open_nowhere_becomes_the_persons_own() -> None:
    """Their words are not ours to delete without knowing that it is done."""
    before = written(NEW_FILE, item("a"))
    edited = before.replace("1. a <", "1. a, but later <")

    after = written(edited)

    assert "1. a, but later\n" in after
    assert written(after) == after


def test_another_sessions_items_survive() -> None:
    """Two sessions in one project never clobber each other."""
    both = written(written(NEW_FILE, item("mine")), item("theirs"), owner=OTHER)

    after = written(both, item("mine, too"))

    assert "theirs <!--" in after
    assert "mine, too <!--" in after
    assert "mine <!--" not in after


def test_an_item_that_two_sessions_have_stays_until_both_are_done_with_it() -> None:
    """One of them forgetting it does not make it done."""
    both = written(written(NEW_FILE, item("a")), item("a"), owner=OTHER)

    one = written(both)
    none = written(one, owner=OTHER)

    assert f" {ME},{OTHER} -->" in both
    assert f" {OTHER} -->" in one
    assert "a <!--" not in none


def test_a_persons_words_stay_when_another_session_joins() -> None:
    """Only the hidden list of sessions changes; the words are still known as edited."""
    before = written(NEW_FILE, item("a"))
    edited = before.replace("1. a <", "1. a, quickly <")

    joined = written(edited, item("a"), owner=OTHER)

    assert joined == edited.replace(f" {ME} -->", f" {ME},{OTHER} -->")


def test_an_item_a_person_took_out_is_not_put_back() -> None:
    """Deleting a line is an edit, too."""
    before = written(NEW_FILE, item("a"), item("b"))
    without = "".join(
        line for line in before.splitlines(keepends=True) if "1. a <" not in line
    )

    after = written(without, item("a"), item("b"))

    assert "a <!--" not in after
    assert written(after, item("a"), item("b")) == after


def test_a_ticked_item_goes_and_stays_away() -> None:
    """Ticking is how people say that something is done."""
    before = written(NEW_FILE, item("a", "issues"))
    ticked = before.replace("- a <", "- [x] a <")

    after = written(ticked, item("a", "issues"))

    assert "a <!--" not in after
    assert written(after, item("a", "issues")) == after


def test_a_persons_order_is_kept_and_new_items_find_their_place() -> None:
    """Priority is the person's; a new item goes next to the one it follows."""
    before = written(NEW_FILE, item("a"), item("b"))
    first, second = (
        line
        for line in before.splitlines(keepends=True)
        if line.startswith(("1.", "2."))
    )
    turned = before.replace(first + second, second + first)

    after = written(turned, item("a"), item("c"), item("b"))

    order = [line[3:4] for line in after.splitlines() if line[:1].isdigit()]
    assert order == ["b", "a", "c"]


def test_500_open_items_fit_into_200_lines_and_the_rest_is_told() -> None:
    """The next session must be able to read the whole file; it learns what is missing."""
    many = tuple(item(f"todo {n}") for n in range(500))
    few = (item("which one?", "decisions"), item("it fails", "issues"))

    text = written(NEW_FILE, *many, *few)

    shown = sum(1 for n in range(500) if f" todo {n} <" in text)
    assert text.count("\n") == 200
    assert "which one?" in text
    assert "it fails" in text
    assert f"{500 - shown} more open items did not fit into 200 lines" in text
    assert written(text, *many, *few) == text


def test_a_persons_long_file_is_never_cut() -> None:
    """Only our own lines make room."""
    own = "".join(f"thought {n}\n" for n in range(250))

    text = written(own, item("a"))

    assert text.startswith(own)
    assert "1 more open items did not fit" in text


def test_crlf_and_a_missing_last_newline_are_kept() -> None:
    """A file from another system stays one of its kind."""
    own = "# Notes\r\n\r\nthought"

    text = written(own, item("a"))

    assert text.startswith(own)
    assert "\n" not in text.replace("\r\n", "")


PERSON = st.lists(
    st.sampled_from(
        [
            "my own line", "## My heading", "- my bullet", "", "## Remaining Issues",
            "## Next Actions", "```", "# Title", "ข้อความ 日本語", "  - nested", "3. third",
        ]
    ),
    max_size=15,
)  # fmt: skip
ITEMS = st.lists(
    st.builds(item, st.sampled_from("abcdefgh"), st.sampled_from(SECTIONS)),
    unique_by=lambda each: each.ident,
    max_size=8,
)


@example(
    lines=["## Next Actions"],
    newline="\n",
    ends=False,
    mine=[],
    theirs=[item("a", "next"), item("f", "work")],
    done={"f"},
)  # a section that is left out stood apart from what was before it
@settings(max_examples=200, deadline=None)
@given(
    lines=PERSON,
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
    mine=ITEMS,
    theirs=ITEMS,
    done=st.sets(st.sampled_from("abcdefgh")),
)
def test_whatever_a_person_wrote_survives_any_merge(
    *,
    lines: list[str],
    newline: str,
    ends: bool,
    mine: list[OpenItem],
    theirs: list[OpenItem],
    done: set[str],
) -> None:
    """Byte for byte and in order, and merging again changes nothing."""
    own = newline.join(lines) + (newline if ends else "")
    finished = tuple(sorted(done - {each.text for each in mine}))

    first = written(own, *theirs, owner=OTHER)
    after = written(first, *mine, done=finished)

    rest = iter(after.split("\n"))
    ended = own if ends else own + newline_of(own)  # another line follows
    assert all(line in rest for line in _own_lines(ended))
    assert written(after, *mine, done=finished) == after


def _own_lines(text: str) -> list[str]:
    """Return a person's lines with their endings, without blank ones at the end."""
    return [line for line in text.split("\n") if line.strip()]
