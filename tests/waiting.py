"""Waiting for what nobody announces, however busy the machine is."""

import threading
from pathlib import Path

_MOST_POLLS = 600
_SECONDS = 0.05


def until_carried_out(home: Path) -> None:
    """Wait until what was asked for at an end is carried out."""
    polling = threading.Event()
    for _ in range(_MOST_POLLS):
        if not list((home / "requests").glob("*.json")):
            return
        polling.wait(_SECONDS)
