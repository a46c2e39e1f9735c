"""The quick run starts no process: `pytest -p tests.quick`, as `make quick` does.

What needs one carries the mark `process`, and is left to `make test`.
"""

import os
import subprocess
from collections.abc import Iterator
from typing import NoReturn

import pytest


class ProcessIsForbidden(AssertionError):
    """A quick test started a process; mark it `process`, or put a fake behind the port."""


def _refuse(*_given: object, **_more: object) -> NoReturn:
    raise ProcessIsForbidden


@pytest.fixture(scope="session", autouse=True)
def _no_process() -> Iterator[None]:
    """Of the whole session: a fixture of a module must not start one either."""
    with pytest.MonkeyPatch.context() as patch:
        # The class stays: types of other packages are made from it.
        patch.setattr(subprocess.Popen, "__init__", _refuse)
        for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system"):
            patch.setattr(os, name, _refuse)
        yield
