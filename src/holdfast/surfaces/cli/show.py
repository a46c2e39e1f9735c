"""`holdfast show`: show one checkpoint."""

import argparse

from holdfast.app.checkpoints.find import find
from holdfast.bootstrap import Container
from holdfast.brief.phrases import of_another_project
from holdfast.domain.record import record
from holdfast.kernel.ids import reference
from holdfast.reports.view import (
    detailed_observation,
    evidence_view,
    master_observation,
    view,
)
from holdfast.surfaces.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="number, id, name, `latest` …")
    parser.add_argument(
        "--evidence", action="store_true", help="show where each statement came from"
    )
    parser.add_argument(
        "--observations",
        action="store_true",
        help="show the master and the detailed observations",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    store = container.ports().open_store()
    checkpoint = find(store, reference(args.ref), container.scope())
    if output.json:
        shown = record(checkpoint)
        if args.observations:
            texts = [master_observation(checkpoint)]
            texts += [
                detailed_observation(checkpoint, d) for d in checkpoint.draft.details
            ]
            shown["observation_texts"] = texts
        output.answer(shown)
        return 0
    if checkpoint.draft.project_id != container.scope().project_id:
        output.print(of_another_project(checkpoint.draft.project_root))
    output.print(view(checkpoint, container.clock.now_ms()))
    if args.evidence:
        output.print(evidence_view(checkpoint))
    if args.observations:
        output.print(master_observation(checkpoint))
        for detail in checkpoint.draft.details:
            output.print(detailed_observation(checkpoint, detail))
    return 0
