"""Hits for people: marked on a terminal that wants colour, plain everywhere else."""

from collections.abc import Iterable, Sequence

from holdfast.domain.query import Hit, Query, Scope
from holdfast.reports.listing import ShownLine, Viewer, hit_lines
from holdfast.search.highlights import spans
from holdfast.surfaces.cli.output import Output, columns

_NARROWEST, _USUAL, _WIDEST = 40, 80, 100
_STYLES = {"title": "", "passage": "", "about": "dim"}


def print_hits(hits: Sequence[Hit], viewer: Viewer, output: Output) -> None:
    print_blocks(
        (hit_lines(hit.checkpoint, hit.passage, viewer) for hit in hits), output
    )


def viewer_of(query: Query, here: Scope, now_ms: int, output: Output) -> Viewer:
    """Return who is looking: the present moment, this project, that much width."""
    return Viewer(
        now_ms=now_ms,
        width=_width(output),
        project_id=here.project_id,
        marks=lambda text: spans(text, query),
    )


def print_blocks(blocks: Iterable[Iterable[ShownLine]], output: Output) -> None:
    """Print blocks of lines with an empty line between them."""
    printed = False
    for block in blocks:
        if printed:
            output.print("")
        _print_lines(block, output)
        printed = True


def _print_lines(lines: Iterable[ShownLine], output: Output) -> None:
    if not output.is_terminal:
        for line in lines:
            output.print(" " * line.indent + line.text)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=output.stdout, highlight=False)
    for line in lines:
        text = Text(" " * line.indent + line.text, style=_STYLES[line.role])
        if line.role == "title":
            text.stylize("bold", 0, line.text.find("  "))
        for mark in line.marks:
            text.stylize(
                "bold yellow", line.indent + mark.start, line.indent + mark.end
            )
        console.print(text, soft_wrap=True)


def _width(output: Output) -> int:
    if not output.stdout.isatty():
        return _USUAL
    return max(_NARROWEST, min(_WIDEST, columns()))
