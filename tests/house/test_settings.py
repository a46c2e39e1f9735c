"""A setting changes something: each is read by a room other than the one that keeps it."""

import re
from pathlib import Path

import pytest

from holdfast.config import KEYS

_PACKAGE = Path(__file__).parents[2] / "src" / "holdfast"
_READERS = "\n".join(
    path.read_text(encoding="utf-8")
    for path in _PACKAGE.rglob("*.py")
    if path.relative_to(_PACKAGE).parts[0] != "config"
)
_SAID_TO_CHANGE_NOTHING = {"checkpoint.auto_summary_enabled"}  # contextd has it


@pytest.mark.parametrize("key", [key.key for key in KEYS])
def test_every_setting_has_somebody_who_reads_it(key: str) -> None:
    """What can be set and does nothing is a promise that is broken."""
    name = key.rpartition(".")[2]

    assert bool(re.search(rf"\b{name}\b", _READERS)) != (key in _SAID_TO_CHANGE_NOTHING)
