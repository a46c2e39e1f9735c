"""A tool that is not on this machine: a test without it is skipped, in CI it fails."""

import os
from typing import NoReturn

import pytest


def without(reason: str) -> NoReturn:
    """Leave a test out, saying why; where nothing may be left out, fail."""
    if os.environ.get("HOLDFAST_NOTHING_SKIPPED"):
        pytest.fail(reason)
    pytest.skip(reason)
