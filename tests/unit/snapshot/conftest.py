"""Fixtures of the tests that look at real repositories."""

from pathlib import Path

import pytest

from tests.unit.snapshot.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    root = tmp_path.resolve() / "world"
    root.mkdir()
    return World(root)
