"""The guard that keeps tests away from the real home directory works."""

import os
from pathlib import Path

import pytest


def test_looking_at_the_home_directory_fails() -> None:
    """A careless test must not touch a real store."""
    with pytest.raises(AssertionError):
        Path.home()  # noqa: TID251  # the ban under test


def test_the_home_variable_points_nowhere() -> None:
    """Child processes inherit it, so it must not be the real one either."""
    home = Path(os.environ["HOME"])

    assert not home.exists()
