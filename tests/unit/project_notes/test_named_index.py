"""Our section in the client's `MEMORY.md`: kept in line with the files, and nothing else."""

import pytest
from hypothesis import example, given, strategies as st

from holdfast.project_notes.named_file import NamedFile
from holdfast.project_notes.named_index import (
    HEADING,
    RESUME,
    bullet,
    named_in,
    with_index,
)

_HAND_MADE = [
    pytest.param("# My memory\n\n- [Taste](taste.md): small files\n", id="a list"),
    pytest.param("# T\nno empty line\n\n## Build\nmake\n", id="text at the heading"),
    pytest.param("# T\r\n\r\n## Über\r\nสวัสดี 안녕\r\n", id="CRLF and scripts"),
    pytest.param("no heading at all\n\nmore\n", id="no heading"),
    pytest.param("---\nname: x\n# not a heading\n---\n# T\n\nfoo\n", id="front matter"),
    pytest.param(f"# T\n\n```\n{HEADING}\n- **x** (a, b) — c\n```\n", id="in a fence"),
    pytest.param("## Second level\n- **bold** text\n", id="no first level"),
    pytest.param("# T\n\nbad bytes \udcff\udcfe\n", id="not UTF-8"),
]
_LINE = st.text(st.characters(exclude_characters="\n\r"), max_size=20)
_FILES_OF_PEOPLE = st.lists(
    st.one_of(_LINE, st.sampled_from(["", "# T", "## U", "```", "---", "- x"])),
    max_size=12,
).map(lambda lines: "".join(f"{line}\n" for line in lines))


def _file(name: str, saved: str = "2026-01-18 15:10", about: str = "red") -> NamedFile:
    return NamedFile(name=name, branch="main", saved=saved, left_off=(about,))


def _written(text: str | None, *files: NamedFile, fresh: str = "") -> str:
    after = with_index(text, files, fresh)
    assert after is not None
    return after


def test_a_new_memory_has_a_heading_a_bullet_and_how_to_resume() -> None:
    """The whole file, as it is made where the client has none yet."""
    after = _written(
        None, _file("api-design", about="rotate() is written; one test red")
    )

    assert after == (
        "# Project Memory\n"
        "\n"
        "## Active Checkpoints\n"
        "\n"
        "- **api-design** (main, Jan 18) — rotate() is written; one test red\n"
        "\n"
        "Resume any: `continue` or `continue {name}`\n"
    )


@pytest.mark.parametrize("text", _HAND_MADE)
def test_what_people_wrote_survives_byte_for_byte(text: str) -> None:
    """The file is theirs: taking our section out again gives back what was there."""
    after = _written(text, _file("api"), _file("ui"))

    assert named_in(after) == ("api", "ui") or named_in(after) == ("ui", "api")
    assert with_index(after, ()) == text


@given(_FILES_OF_PEOPLE.filter(lambda text: HEADING not in text and bool(text.strip())))
@example("# T\n# U\n")
@example("---\n---\n")
@example("---\n```\n---\n```\n")
@example("\n\n# T\n\n\n")
def test_any_file_comes_back_as_it_was(text: str) -> None:
    """In, and out again: no line of a person moves, is added or is lost."""
    after = _written(text, _file("api"))

    assert with_index(after, ()) == text


@pytest.mark.parametrize("text", _HAND_MADE)
def test_writing_twice_changes_nothing(text: str) -> None:
    """A second save with the same outcome leaves the file alone."""
    after = _written(text, _file("api"), fresh="api")

    assert with_index(after, (_file("api"),), fresh="api") is None


def test_the_section_stands_after_the_first_heading() -> None:
    """The client reads the first 200 lines only."""
    lines = _written("# T\n\nfoo\n\n## Build\nmake\n", _file("api")).splitlines()

    assert lines[:3] == ["# T", "", HEADING]
    assert lines[-4:] == ["foo", "", "## Build", "make"]


def test_a_last_line_without_an_end_is_ended_before_ours() -> None:
    """Or our heading would become part of it."""
    after = _written("# T", _file("api"))

    assert after.startswith(f"# T\n\n{HEADING}\n")


def test_a_name_that_is_there_gets_its_line_anew_in_its_place() -> None:
    """Others, also those that a person reworded, stay as they are."""
    before = _written(None, _file("a"), _file("b"))
    before = before.replace(
        "- **a** (main, Jan 18) — red", "- **a** (main, today) — my own"
    )

    after = _written(before, _file("a"), _file("b", about="green"), fresh="b")

    assert "- **a** (main, today) — my own\n- **b** (main, Jan 18) — green\n" in after


def test_a_persons_line_in_our_section_stays() -> None:
    """Also when the last bullet goes: then the heading stays with it."""
    before = _written("# T\n", _file("a"))
    before = before.replace("- **a**", "Mind the lock!\n\n- **a**")

    more = _written(before, _file("a"), _file("b"), fresh="b")
    none = _written(before)

    assert "Mind the lock!\n\n- **a**" in more
    assert f"{HEADING}\n\nMind the lock!\n" in none
    assert RESUME not in none


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"# T\n\n{HEADING}\n\n## Next\nmine\n", id="heading only"),
        pytest.param(f"# T\n\n{HEADING}\n- **a** (main, x) — y\n", id="no last line"),
        pytest.param(f"{HEADING}\n- **a** (main, x) — y", id="no end of line"),
        pytest.param(f"# T\n{HEADING}\n\n{RESUME}\n", id="no bullet"),
        pytest.param(f"---\nx\n# T\n{HEADING}", id="open front matter"),
    ],
)
def test_a_section_that_people_took_apart_is_made_whole(text: str) -> None:
    """Each line of theirs is still there, and ours are there once."""
    after = _written(text, _file("a"), _file("b"))

    theirs = [line for line in text.splitlines() if line and "**a**" not in line]
    lines = after.splitlines()
    assert [line for line in lines if line in theirs] == theirs
    assert set(named_in(after)) == {"a", "b"}
    assert (lines.count(HEADING), lines.count(RESUME)) == (1, 1)
    assert with_index(after, (_file("a"), _file("b"))) is None


def test_a_bullet_without_a_file_goes() -> None:
    """Somebody removed the file by hand; a stale entry sends a session after nothing."""
    before = _written(None, _file("gone"), _file("here"))

    after = _written(before, _file("here"))

    assert named_in(after) == ("here",)


def test_the_newest_five_have_bullets_and_the_rest_is_named() -> None:
    """The client puts this into every session: few lines, and yet nobody is missing."""
    files = [_file(f"n{day}", f"2026-01-{day} 10:00") for day in range(10, 18)]

    after = _written(None, *files, fresh="n10")

    assert named_in(after) == ("n14", "n15", "n16", "n17", "n10")
    assert "More: `n11`, `n12`, `n13`\n" in after


def test_a_name_comes_back_when_there_is_room_for_it() -> None:
    """Consuming one makes room for one that had none."""
    files = [_file(f"n{day}", f"2026-01-{day} 10:00") for day in range(10, 16)]
    before = _written(None, *files)

    after = _written(before, *files[:-1])

    assert set(named_in(after)) == {"n10", "n11", "n12", "n13", "n14"}
    assert "More:" not in after


@example(name="api", branch="main", about="\x1b \x08")  # nothing but what is not seen
@given(
    name=st.text("abcเก", min_size=1, max_size=64),
    branch=st.text(max_size=80),
    about=st.text(max_size=300).map(lambda text: " ".join(text.split())),
)
def test_a_line_is_at_most_100_characters(name: str, branch: str, about: str) -> None:
    """It costs tokens in every session of the project."""
    file = NamedFile(
        name=name, branch=branch, saved="2026-12-31 23:59", left_off=(about,)
    )

    line = bullet(file)

    assert len(line) <= 100
    assert line.startswith(f"- **{name}** (")
    assert named_in(f"{HEADING}\n{line}\n") == (name,)


def test_many_names_without_a_bullet_fit_in_one_line() -> None:
    """A hundred forgotten names must not fill the client's memory."""
    files = [_file(f"some-rather-long-name-{n:03d}") for n in range(100)]

    after = _written(None, *files)

    more = next(line for line in after.splitlines() if line.startswith("More:"))
    assert len(more) <= 100
    assert more.endswith("more")
    assert len(after.splitlines()) <= 12


def test_ten_megabytes_of_somebody_elses_notes_are_no_hindrance() -> None:
    """The file is large because of others; our section is put in all the same."""
    text = "# T\n\n" + "a line of notes with ```ticks``` in it\n" * 260_000

    after = _written(text, _file("api"))

    assert len(text) > 10_000_000
    assert with_index(after, ()) == text
