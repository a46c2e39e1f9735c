"""How many secrets are found, and how little else: the figures in docs hold."""

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.redaction.redactor import Redactor
from tests.secret_lines import Line, is_gone, is_hidden, lines, vectors

LISTED = vectors("listed.txt")
CLEAN = [line for name in ("lines-dev.txt", "lines-unseen.txt") for line in lines(name)]
CLEAN = [line for line in CLEAN if not line.is_secret]


@pytest.mark.parametrize(
    "line", [pytest.param(x, id=f"{x.group} {n}") for n, x in enumerate(LISTED)]
)
def test_every_listed_format_is_found(line: Line) -> None:
    """A format in the table that is not found is a promise that is not kept."""
    assert is_gone(line)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        pytest.param("unseen.txt", 0.93, id="learned from since"),
        pytest.param("fresh.txt", 0.90, id="never learned from"),
    ],
)
def test_formats_the_rules_were_not_written_from_are_found(
    name: str, least: float
) -> None:
    """Tomorrow's issuers have formats that no table of today has."""
    held_apart = vectors(name)

    found = sum(is_gone(line) for line in held_apart)

    assert found / len(held_apart) >= least


@pytest.mark.parametrize(
    ("name", "least"),
    [
        pytest.param("lines-dev.txt", 0.95, id="tuned on"),
        pytest.param("lines-unseen.txt", 0.90, id="held apart"),
    ],
)
def test_most_secrets_in_lines_are_found_and_hardly_anything_else(
    name: str, least: float
) -> None:
    """Goal: recall 0.60 at a rate of false positives of 0.12."""
    labelled = lines(name)
    true = [line for line in labelled if line.is_secret]
    false = [line for line in labelled if not line.is_secret]

    assert sum(map(is_hidden, true)) / len(true) >= least
    assert sum(map(is_hidden, false)) / len(false) <= 0.01


def test_the_labelled_lines_are_enough_to_say_something() -> None:
    """At least 2,000, no line twice too often, both labels in every set."""
    labelled = [*lines("lines-dev.txt"), *lines("lines-unseen.txt")]

    assert len(labelled) >= 2_000
    assert 0.3 < sum(line.is_secret for line in labelled) / len(labelled) < 0.7


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(CLEAN), max_size=12), st.sampled_from("\n \t"))
def test_a_clean_text_is_returned_itself_however_it_is_put_together(
    parts: list[Line], between: str
) -> None:
    """Code, configuration and logs without secrets must not lose a byte."""
    text = ("\n" + between).join(line.text for line in parts)

    assert Redactor(b"key").text(text) is text


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*LISTED, *vectors("unseen.txt"), *CLEAN]), max_size=6))
def test_what_was_redacted_is_left_alone(parts: list[Line]) -> None:
    """Idempotent on every format there is, beside every line there is."""
    redactor = Redactor(b"key")

    once = redactor.text("\n".join(line.text for line in parts))

    assert redactor.text(once) == once
