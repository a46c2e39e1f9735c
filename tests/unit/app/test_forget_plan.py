"""What forgetting takes along, and what it leaves alone."""

from typing import Any

import pytest

from holdfast.app.forgetting.forget import says
from holdfast.app.forgetting.inherited import without_inherited
from holdfast.domain.checkpoint import Content, FileRef, Item
from holdfast.facts.work.headline import summary_of
from holdfast.kernel.lazy_values import replace
from tests.builders import a_draft
from tests.sessions import a_checkpoint

_GONE = {"ccp-gone"}


@pytest.mark.parametrize("word", ["engine", "claude-code", "manual", "general", "user"])
def test_a_word_of_our_own_matches_no_record(word: str) -> None:
    """`--match engine` would forget everything: each statement says who made it."""
    kept = a_checkpoint(a_draft("Fix the parser", decisions=(Item("one", "engine"),)))

    assert not says(kept, word)


@pytest.mark.parametrize("text", ["the PARSER", "keep quotes", "src/parser.py"])
def test_what_a_record_tells_is_matched_whatever_the_case(text: str) -> None:
    """Titles, statements and files are what people remember."""
    kept = a_checkpoint(
        a_draft(
            "Fix the parser",
            decisions=(Item("Keep quotes", "agent"),),
            files=(FileRef("src/parser.py", "edited"),),
        )
    )

    assert says(kept, text)


def test_only_inherited_statements_and_our_sums_of_them_change() -> None:
    """A later session's own words, its directory and its project are its own."""
    draft = a_draft(
        "Fix bin/mytool.py and keep the secret plan",
        requests=(Item("make mytool faster", "user"),),
        decisions=(
            Item("keep the secret plan", "user", origin="ccp-gone"),
            Item("use edited files only", "agent"),
        ),
        files=(
            FileRef("bin/mytool.py", "edited", origin="ccp-gone"),
            FileRef("src/own.py", "edited"),
        ),
        working_directory="/home/u/mytool",
        project_root="/home/u/mytool",
    )

    left = without_inherited(draft, _GONE)

    assert left.content.title == "Fix [forgotten] and [forgotten]"
    assert [item.text for item in left.content.decisions] == ["use edited files only"]
    assert [file.path for file in left.content.files] == ["src/own.py"]
    assert left.content.requests == draft.content.requests
    assert left.working_directory == left.project_root == "/home/u/mytool"
    assert left.code == draft.code


@pytest.mark.parametrize(
    "lost",
    [
        Content(
            title="",
            summary="",
            errors=(Item("`make` → Kowalski " + "owes a lot " * 40, "tool"),),
        ),
        Content(
            title="",
            summary="",
            open_questions=(Item("Shall Kowalski,\n" + "and his son, " * 40, "agent"),),
        ),
        Content(
            title="",
            summary="",
            open_questions=(Item("Shall\n  Kowalski pay?", "agent"),),
        ),
    ],
)
def test_a_summary_that_cut_what_it_repeats_says_no_part_of_it(lost: Content) -> None:
    """The whole statement is not in there; how it begins would stay for good."""
    inherited: dict[str, Any] = {
        name: tuple(replace(item, origin="ccp-gone") for item in getattr(lost, name))
        for name in ("errors", "open_questions")
    }
    draft = a_draft(summary=f"Own. {summary_of(lost)} Own….", **inherited)
    assert "Kowalski" in draft.content.summary

    left = without_inherited(draft, _GONE).content.summary

    assert "Kowalski" not in left
    assert left.startswith("Own. ")
    assert left.endswith(" Own….")
