"""The page on troubles quotes what holdfast says, and nothing else."""

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "guides" / "troubleshooting.md").read_text(encoding="utf-8")
_SOURCE = "\n".join(
    path.read_text(encoding="utf-8") for path in (_ROOT / "src").rglob("*.py")
)
_QUOTED = re.findall(r"^\| (?:a record )?`([^`]+)` \|", _PAGE, re.MULTILINE)


@pytest.mark.parametrize("quoted", _QUOTED)
def test_every_quoted_message_is_one_of_ours(quoted: str) -> None:
    """Who searches the page for what they were told finds it."""
    parts = [part.strip() for part in re.split("[…:]", quoted)]

    assert not [part for part in parts if part not in _SOURCE]


def test_the_rows_of_the_page_are_read() -> None:
    """A table written another way must not be checked by nobody."""
    assert len(_QUOTED) == _PAGE.count("\n| ") - 1
