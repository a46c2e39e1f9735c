"""`holdfast show`: show one checkpoint."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.app.branch_answers import lines_answer
from holdfast.app.checkpoints.find import find
from holdfast.app.sharing.mirroring import mirrored, mirrored_record
from holdfast.bootstrap import Container
from holdfast.brief.phrases import of_another_project
from holdfast.kernel.ids import reference
from holdfast.reports.blame import lines_view
from holdfast.reports.mirror_lines import mirror_names
from holdfast.reports.observations import detailed_observation, master_observation
from holdfast.reports.view import evidence_view, view
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.file_history import LinesOf
    from holdfast.domain.record_content import Json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="number, id, name, `latest` …")
    parser.add_argument(
        "--evidence", action="store_true", help="show where each statement came from"
    )
    parser.add_argument(
        "--observations",
        action="store_true",
        help="show its observations: one summary and the details",
    )
    parser.add_argument(
        "--lines",
        action="store_true",
        help="show which lines of the current files it made",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    store = container.ports().open_store()
    checkpoint = find(store, reference(args.ref), container.scope())
    lines = _lines(args, container, output) if args.lines else None
    if output.json:
        whole = mirrored_record(checkpoint, store)
        output.answer(_record(whole, checkpoint, lines, with_texts=args.observations))
        return 0
    here = container.scope().project_id
    if checkpoint.draft.project_id != here:
        output.print(of_another_project(checkpoint.draft.project_root))
    output.print(view(checkpoint, container.clock.now_ms(), here or ""))
    if args.evidence:
        output.print(evidence_view(checkpoint))
    for text in _observations(checkpoint) if args.observations else ():
        output.print(text)
    known = mirrored([checkpoint.checkpoint_id], store)
    for name in mirror_names(known.get(checkpoint.checkpoint_id, {})):
        output.print(name)
    for line in lines_view(lines) if lines else ():
        output.print(line)
    return 0


def _record(
    shown: Json, checkpoint: Checkpoint, lines: LinesOf | None, *, with_texts: bool
) -> Json:
    if with_texts:
        shown["observation_texts"] = list(_observations(checkpoint))
    if lines is not None:
        shown["lines"] = lines_answer(lines)
    return shown


def _observations(checkpoint: Checkpoint) -> Iterator[str]:
    yield master_observation(checkpoint)
    for detail in checkpoint.draft.details:
        yield detailed_observation(checkpoint, detail)


def _lines(args: argparse.Namespace, container: Container, output: Output) -> LinesOf:
    from holdfast.app.code.blame import (
        lines_of,
    )  # most looks at a checkpoint ask for none

    with spinner(output, "reading"):
        return lines_of(reference(args.ref), container.caller(), container.ports())
