"""What of the user's rules is taken back; in each language: tests/unit/language."""

import pytest

from holdfast.facts.content import content_of
from tests.sessions import asks, says, session


def _instructions(*prompts: str) -> list[str]:
    steps = [step for prompt in prompts for step in (asks(prompt), says("Done."))]
    return [item.text for item in content_of(session(*steps)).instructions]


@pytest.mark.parametrize(
    ("prompts", "left"),
    [
        pytest.param(("Never use sleep in tests.", "forget that"), [], id="forget that"),
        pytest.param(
            ("Never use sleep in tests.", "never mind, go on"), [], id="never mind"
        ),
        pytest.param(
            ("Never use sleep in tests.", "fix the parser", "forget that"),
            ["Never use sleep in tests."],
            id="it means what was said just before",
        ),
        pytest.param(
            ("Never use sleep in tests.", "ok", "forget the rule about sleep"),
            [],
            id="named",
        ),
        pytest.param(
            ("Never use sleep in tests.", "go", "forget the tests for now"),
            ["Never use sleep in tests."],
            id="another thing is dropped",
        ),
        pytest.param(
            ("Never use sleep in tests.", "go", "actually, you can use sleep in tests"),
            [],
            id="allowed after all",
        ),
        pytest.param(
            ("Always run the linter.", "Please don't run the linter, it is slow"),
            ["Please don't run the linter, it is slow"],
            id="turned around",
        ),
        pytest.param(
            ("Never use sleep in tests.", "Never use sleep in slow tests either"),
            ["Never use sleep in tests.", "Never use sleep in slow tests either"],
            id="said again is not taken back",
        ),
        pytest.param(
            ("Never use sleep in tests.", "should I forget that?"),
            ["Never use sleep in tests."],
            id="a question takes nothing back",
        ),
        pytest.param(
            ("Use spaces.", "Actually, use tabs instead of spaces."),
            ["Actually, use tabs instead of spaces."],
            id="a correction stands",
        ),
    ],
)  # fmt: skip
def test_the_user_can_take_a_rule_back(
    prompts: tuple[str, ...], left: list[str]
) -> None:
    """A rule that was revoked and is carried on is as bad as one that was lost."""
    assert _instructions(*prompts) == left


def test_what_must_be_so_in_a_long_request_is_what_it_asks_for() -> None:
    """The goal tells it; told again as rules it would crowd out what lasts."""
    pages = [f"The page of region {n} shows its harbours on a map." for n in range(25)]
    request = " ".join(
        [
            "Build the harbour site.",
            *pages,
            "The map must be drawn as a picture.",
            "Never store the position of a ship.",
        ]
    )

    assert _instructions(request) == ["Never store the position of a ship."]
    assert _instructions("The map must be drawn as a picture.")


def test_a_rule_that_heads_a_list_is_told_with_its_entries() -> None:
    listed = "Never touch these without asking:\n- the ledger\n- the tariff tables"

    (told,) = _instructions(f"Sort the orders by date.\n\n{listed}")

    assert told == "Never touch these without asking: the ledger; the tariff tables"


def test_a_document_with_headings_is_shown_to_its_end() -> None:
    """Its last paragraph reads like a remark below it; nobody typed that here."""
    parts = [f"## Part {n}\n\nWhat part {n} of the harbour does.\n" for n in range(8)]
    document = "\n".join(["# Harbour guide", "", *parts, "## End", ""])
    closing = "Never answer a ship in another language.\nAlways log the answer."

    assert _instructions(f"{document}\n{closing}") == []
