"""A user who may not do everything, as root may: what is closed is closed to nobody."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[Path]:
    """Lend a directory as a user who may not write everywhere."""
    with tempfile.TemporaryDirectory() as scratch:
        is_root = os.geteuid() == 0
        place = Path(scratch).resolve()
        if is_root:
            os.chown(place, _NOBODY, _NOBODY)
            os.seteuid(_NOBODY)
        try:
            yield place
        finally:
            if is_root:
                os.seteuid(0)
