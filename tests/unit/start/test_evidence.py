"""What speaks for the work at hand and what against it, one thing at a time."""

import pytest

from holdfast.domain.checkpoint import FileRef, Item
from holdfast.start.continues.continues import judged, weighed
from holdfast.start.continues.evidence import points
from holdfast.start.continues.work import Work, work_of
from tests.builders import a_draft
from tests.sessions import a_checkpoint


@pytest.fixture
def work() -> Work:
    return work_of(
        a_checkpoint(
            a_draft(
                "Slow ledger",
                requests=(Item("make the ledger faster", "user"),),
                pending=(Item("stream rows instead of loading them", "agent"),),
                last_words="The cursor is fetched in batches of 500 now.",
                files=(FileRef("ledger/fetch_rows.py", "edited"),),
            )
        )
    )


def test_a_word_of_how_the_work_stands_says_more_than_one_of_its_title(
    work: Work,
) -> None:
    """Whoever begins something else in the same product has the words of its titles."""
    of_state = weighed("the cursor looks odd", work)
    of_title = weighed("the ledger looks odd", work)

    assert (of_state.words, of_state.new) == (of_title.words, of_title.new)
    assert points(of_state) > points(of_title)


@pytest.mark.parametrize(
    ("prompt", "count"),
    [
        pytest.param("move the styles to Webpack", "new_tools", id="a tool"),
        pytest.param("send the figures to Braze", "new_things", id="a name"),
        pytest.param("parse_invoice returns nothing", "new_names", id="an identifier"),
        pytest.param("ย้าย styles ไป tailwind", "new_things", id="foreign words"),
    ],
)
def test_what_the_work_does_not_know_counts_against_it(
    prompt: str, count: str, work: Work
) -> None:
    """A prompt that brings its own things is about them."""
    found = weighed(prompt, work)

    assert getattr(found, count) > 0
    assert points(found) < points(found._replace(**{count: 0.0}))


def test_a_script_without_spaces_does_not_lengthen_a_name(work: Work) -> None:
    """In `fetch_rowsの結果` the name ends where the other script begins."""
    found = weighed("fetch_rowsの結果が空です", work)

    assert (found.names, found.new_names) == (1, 0)


def test_a_file_of_the_work_is_evidence_and_does_not_decide_alone(work: Work) -> None:
    """Something new can be asked for in a file that was open."""
    about_it = "fetch_rows is still slow"
    something_new = (
        "write a Sphinx chapter on onboarding, glossary, styles and review etiquette, "
        "formatted like the docstring of fetch_rows"
    )

    assert judged(about_it, work).sign == "name"
    assert judged(something_new, work).sign is None
