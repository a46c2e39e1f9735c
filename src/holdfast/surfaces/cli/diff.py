"""`holdfast diff`: compare two checkpoints: what they know, and their code."""

import argparse
from collections.abc import Sequence
from shutil import get_terminal_size

from holdfast.app.checkpoints.compare import (
    NOW,
    Comparison,
    Siblings,
    compare,
    patch_of,
)
from holdfast.app.json_answers import diff_answer
from holdfast.bootstrap import Container
from holdfast.branches.ancestors import Ancestor
from holdfast.brief.phrases import of_another_project
from holdfast.domain.kinds import COMPARED
from holdfast.facts.comparing import KnownItem, Reworded
from holdfast.kernel.ids import reference
from holdfast.reports.branches import side_by_side
from holdfast.reports.changes import (
    file_rows,
    item_text,
    kind_word,
    patch_lines,
    preview_title,
    total,
)
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.pager import write_lines
from holdfast.surfaces.cli.terminal import Column, print_rows, spinner

_WIDE, _NARROWEST = 80, 60  # columns of branches side by side
_FILES = (Column("bold"), Column(), Column("green"), Column("red"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("older", metavar="A", help="number, id, name, `latest` …")
    parser.add_argument(
        "newer",
        nargs="?",
        default=NOW,
        metavar="B",
        help="the same (default: `now`, your current code)",
    )
    parser.add_argument(
        "--patch", action="store_true", help="also print the code changes as a patch"
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    newer = None if args.newer == NOW else reference(args.newer)
    ports = container.ports()
    with spinner(output, "comparing"):
        found = compare(reference(args.older), newer, container.caller(), ports)
        patch = patch_of(found, ports) if args.patch else b""
    if output.json:
        text = {"patch": patch.decode("utf-8", "replace")} if args.patch else {}
        output.answer(diff_answer(found) | text)
        return 0
    _print(found, container, output)
    if patch:
        _print_patch(patch, container, output)
    return 0


def _print_patch(patch: bytes, container: Container, output: Output) -> None:
    """Print a patch: to be read on a terminal, to be applied everywhere else."""
    output.print("")
    raw = getattr(output.stdout, "buffer", None)
    if raw is None or output.stdout.isatty():
        output.stdout.flush()
        write_lines(patch_lines(patch), output, container)
        return
    output.stdout.flush()
    raw.write(patch)
    raw.flush()


def _print(found: Comparison, container: Container, output: Output) -> None:
    now = container.clock.now_ms()
    output.print(f"from  {preview_title(found.older, now)}")
    there = preview_title(found.newer, now) if found.newer else "your current files"
    output.print(f"to    {there}")
    for line in _from_elsewhere(found, container.scope().project_id):
        output.print(line)
    if found.siblings is not None:
        _print_siblings(found.siblings, now, output)
    if found.newer is not None:
        _print_items(found, output)
    output.print("")
    if found.reason:
        output.print(f"code: nothing to compare: {found.reason}")
        return
    output.print(f"code: {total(found.files)}")
    print_rows(output, _FILES, file_rows(found.files))


def _print_siblings(siblings: Siblings, now_ms: int, output: Output) -> None:
    base = siblings.ancestor.checkpoint
    known = preview_title(base, now_ms) if base else _unknown(siblings.ancestor)
    output.print(f"siblings: both come from {known}")
    output.print("")
    seen = get_terminal_size().columns if output.stdout.isatty() else _WIDE
    for line in side_by_side(*siblings.branches, max(_NARROWEST, seen)):
        output.print(line)


def _unknown(ancestor: Ancestor) -> str:
    is_gone = ancestor.is_gone
    return "one that is gone" if is_gone else "a session that had no checkpoint then"


def _from_elsewhere(found: Comparison, project_id: str | None) -> tuple[str, ...]:
    sides = (side for side in (found.older, found.newer) if side is not None)
    roots = (s.draft.project_root for s in sides if s.draft.project_id != project_id)
    return tuple(map(of_another_project, dict.fromkeys(roots)))


def _print_items(found: Comparison, output: Output) -> None:
    items = found.items
    output.print("")
    if not (items.added or items.removed or items.changed):
        output.print("what they know: the same")
        return
    output.print("what they know:")
    _print_group(output, "green", "+", _rows(items.added))
    _print_group(output, "yellow", "~", [_changed_row(pair) for pair in items.changed])
    _print_group(output, "red", "−", _rows(items.removed))


def _print_group(
    output: Output, style: str, mark: str, rows: Sequence[tuple[str, str]]
) -> None:
    """Print one kind of change; the words for kinds are as wide in every group."""
    width = max(len(kind_word(kind)) for kind in COMPARED)
    columns = (Column(style), Column("dim"), Column(stretch=True))
    print_rows(
        output, columns, [[mark, kind.ljust(width), text] for kind, text in rows]
    )


def _rows(known: Sequence[KnownItem]) -> list[tuple[str, str]]:
    return [(kind_word(each.kind), item_text(each.item.text)) for each in known]


def _changed_row(pair: Reworded) -> tuple[str, str]:
    before, after = item_text(pair.before.item.text), item_text(pair.after.item.text)
    if pair.before.kind == pair.after.kind:
        return kind_word(pair.after.kind), f"{before} → {after}"
    return kind_word(pair.after.kind), f"{after} (was: {kind_word(pair.before.kind)})"
