"""The page on redaction tells of every rule."""

from pathlib import Path

import pytest

from holdfast.redaction import formats

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "redaction.md"
TABLES = (
    formats.UNDERSCORE, formats.DASH, formats.DOT, formats.CAPITAL, formats.SMALL,
    formats.LITERAL, *formats.INSIDE.values(),
)  # fmt: skip
KINDS = sorted({rule[0] for table in TABLES for rule in table})


@pytest.mark.parametrize("kind", KINDS)
def test_every_issuer_is_listed(kind: str) -> None:
    """Who asks whether their token is known finds it there."""
    assert f"`{kind}`" in PAGE.read_text(encoding="utf-8")


def test_the_table_lists_at_least_120_formats() -> None:
    """By prefix or form; several of an issuer count each."""
    assert sum(len(table) for table in TABLES) >= 120
