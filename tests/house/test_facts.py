"""A fact stays a value until it is told: nobody reads one out of the words that tell it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast

_SOURCE = Path(holdfast.__file__).parent
# Those that word facts, and the one that reads what was written without them.
_WORDING = {"domain/fact.py", "domain/checkpoint.py", "domain/record_legacy.py"}
_PHRASES = (
    "(fixed since)",
    "mended in: ",
    "refusing: ",
    "answering: ",
    "proposed: ",
    "pasted: ",
    "paste says: ",
    "stopped or refused by the user",
    "times and was left",
    "an edit was taken back",
    "went back before asking",
    "The plan is not accepted yet",
    "The agent was cut off",
    "was about to change",
    'the sub-agent "',
    "(said before this was asked)",
    "Command without a result",
    "Started in the background, no end seen",
    "Sub-agent without a result",
    "Still running",
    "Ended since, nobody saw how",
    "plan accepted: ",
    '" reported: ',
    'committed "',
)
_TAKES_APART = {"startswith", "endswith", "removeprefix", "removesuffix", "partition"}
_ROOMS = ("facts", "brief", "search", "start", "reports", "app", "project_notes")


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _sources() -> list[Path]:
    return sorted(_SOURCE.rglob("*.py"))


@pytest.mark.parametrize("phrase", _PHRASES)
def test_the_words_of_a_fact_stand_in_one_place(phrase: str) -> None:
    """Who has the same words elsewhere compares them, and a user may type them."""
    holders = {
        str(path.relative_to(_SOURCE))
        for path in _sources()
        if phrase in path.read_text("utf-8")
        and any(phrase in text for text in _texts(ast.parse(path.read_text("utf-8"))))
    }

    assert holders <= _WORDING


def test_no_room_asks_an_item_s_text_how_it_begins_or_ends() -> None:
    """`error.text.endswith(…)` is how an output that says so closed an open error."""
    found = [
        f"{path.relative_to(_SOURCE)}:{node.lineno}"
        for path in _sources()
        if path.relative_to(_SOURCE).parts[0] in _ROOMS
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in _TAKES_APART
        and isinstance(node.value, ast.Attribute)
        and node.value.attr in ("text", "about")
    ]

    assert found == []
