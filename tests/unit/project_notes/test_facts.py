"""`MEMORY.md`: one fact changes one line."""

import pytest
from hypothesis import given, strategies as st

from holdfast.project_notes.memory.entries import Outcome
from holdfast.project_notes.memory.facts import facts_in, unified, with_fact

HAND_MADE = """\
Intro by hand
# My project

## Build & run
* port is 8080
* uses make

```
## Rules
- not a fact
```

### ข้อกำหนด
- ห้ามใช้ sleep"""


def added(
    text: str | None, fact: str, section: str | None = None, *, over_people: bool = True
) -> tuple[str | None, Outcome]:
    return with_fact(text, fact, section, over_people=over_people)


def test_the_first_fact_makes_the_file() -> None:
    """A project without a memory gets one with a title and a section."""
    text, outcome = added(None, "the API lives in src/api", "Places")

    assert text == (
        "# Project memory\n\n## Places\n\n- the API lives in src/api <!-- hf 58212b -->\n"
    )
    assert outcome == Outcome("added", "the API lives in src/api")


def test_facts_of_a_hand_made_file_are_read() -> None:
    """Any bullet under any heading; not what stands in a code block."""
    found = [(fact.section, fact.text, fact.is_ours) for fact in facts_in(HAND_MADE)]

    assert found == [
        ("Build & run", "port is 8080", False),
        ("Build & run", "uses make", False),
        ("ข้อกำหนด", "ห้ามใช้ sleep", False),
    ]


@pytest.mark.parametrize(
    "again",
    [
        pytest.param("the refund API lives beside billing in src/api", id="the same"),
        pytest.param(
            "The refund API lives beside billing in `src/api`.", id="other marks"
        ),
        pytest.param(
            "our refund API lives beside billing in src/api", id="nearly the same"
        ),
    ],
)
def test_what_is_known_is_not_added(again: str) -> None:
    """No duplicates, also near ones."""
    text, _ = added(None, "the refund API lives beside billing in src/api")

    after, outcome = added(text, again)

    assert (after, outcome.did) == (None, "known")


def test_a_contradicted_fact_is_fixed_and_the_old_one_shown() -> None:
    """S1: stale items are fixed at once; bullet, place and the rest stay."""
    after, outcome = added(HAND_MADE, "port is 9090")

    assert outcome == Outcome("replaced", "port is 9090", "port is 8080")
    assert after == HAND_MADE.replace(
        "* port is 8080", "* port is 9090 <!-- hf c4184a -->"
    )


def test_a_persons_fact_is_not_overruled_by_a_transcript() -> None:
    """Only an explicit word replaces what a person wrote."""
    after, outcome = added(HAND_MADE, "port is 9090", over_people=False)

    assert (after, outcome.did, outcome.old) == (None, "conflict", "port is 8080")


def test_a_fact_of_ours_is_overruled_until_a_person_edits_it() -> None:
    """The digest tells whose words they are."""
    ours, _ = added(None, "port is 8080")
    assert ours
    edited = ours.replace("port is 8080", "port is 8081")

    assert added(ours, "port is 9090", over_people=False)[1].did == "replaced"
    assert added(edited, "port is 9090", over_people=False)[1].did == "conflict"


def test_a_fact_goes_where_its_words_are() -> None:
    """The section is rewritten, nothing is appended raw at the end."""
    after, _ = added(HAND_MADE, "make run is how to build and run")

    assert after == HAND_MADE.replace(
        "* uses make\n",
        "* uses make\n- make run is how to build and run <!-- hf fd4a4d -->\n",
    )


def test_a_section_is_found_whatever_its_case() -> None:
    """People write headings as they like."""
    after, _ = added("## places\n\ntext\n", "a is in b", "Places")

    assert after is not None
    assert after.startswith("## places\n\n- a is in b <!--")
    assert after.endswith("-->\ntext\n")


LINES = st.lists(
    st.sampled_from(
        [
            "# T",
            "## Facts",
            "## Own",
            "- a fact",
            "* port is 1",
            "text",
            "",
            "```",
            "ไทย\x85",
        ]
    ),
    max_size=10,
)


@given(lines=LINES, newline=st.sampled_from(["\n", "\r\n"]), ends=st.booleans())
def test_every_other_line_survives_byte_for_byte(
    *, lines: list[str], newline: str, ends: bool
) -> None:
    """One line is new; taking it out gives the file as it was, up to what must stand
    before it."""
    text = newline.join(lines) + (newline if ends else "")

    after, outcome = added(text, "the moon is far away", "Facts")

    assert after is not None
    assert outcome.did == "added"
    assert "\n" not in after.replace("\r\n", "") or "\r\n" not in text
    rest = iter(after.split("\n"))
    assert all(
        any(line.rstrip("\r") == other.rstrip("\r") for other in rest)
        for line in text.split("\n")
        if line.strip()
    )
    assert added(after, "the moon is far away", "Facts")[0] is None


def test_a_missing_last_newline_stays_missing_when_nothing_follows() -> None:
    """A line in the middle is no reason to touch the end."""
    text = "## Facts\n- one fact here\n## End\nlast"

    after, _ = added(text, "another thing", "Facts")

    assert after is not None
    assert after.endswith("## End\nlast")


def test_old_handoff_names_become_the_one_there_is() -> None:
    """S1: references are unified to LATEST; what is then said twice is said once."""
    text = (
        "- start: memory/session-handoff-v2.md\n"
        "- see session-handoff-2026-01-01.md\n"
        "- see session-handoff-v3.md\n"
        "- keep session-handoff-LATEST.md\n"
    )

    assert unified(text) == (
        "- start: memory/session-handoff-LATEST.md\n"
        "- see session-handoff-LATEST.md\n"
        "- keep session-handoff-LATEST.md\n"
    )
    assert unified(unified(text)) is None
    assert unified(None) is None
