"""Each test has a machine of its own."""

from pathlib import Path

import pytest

from tests.e2e.mcp.world import World, a_world


@pytest.fixture
def world(tmp_path: Path) -> World:
    return a_world(tmp_path)
