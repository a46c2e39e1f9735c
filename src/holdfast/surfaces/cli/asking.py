"""A question to whoever sits at the terminal; where nobody does, there is no answer."""

import sys

from holdfast.domain.text import visible
from holdfast.surfaces.cli.output import Output


def can_ask(output: Output) -> bool:
    return not output.json and sys.stdin.isatty() and output.stderr.isatty()


def ask(question: str, output: Output) -> str | None:
    """Return the answer to a question, or None if there is nobody to ask."""
    if not can_ask(output):
        return None
    output.talk(visible(question))
    output.stderr.flush()
    answer = sys.stdin.readline()
    return answer.strip() if answer else None
