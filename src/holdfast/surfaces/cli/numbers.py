"""Whole numbers on the command line, within reason."""

import argparse

from holdfast.domain.text import beginning

_MOST = 1_000_000


def tokens(text: str) -> int:
    """A budget: below 100 tokens nothing can be told, as in the settings."""
    return _whole(text, 100, _MOST)


def limit(text: str) -> int:
    return _whole(text, 1, _MOST)


def _whole(text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        wanted = f"a whole number from {least} to {most:,}"
        raise argparse.ArgumentTypeError(f"`{beginning(text, 40)}` is not {wanted}")
    return number
