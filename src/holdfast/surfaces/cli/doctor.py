"""`holdfast doctor`."""

import argparse

from holdfast.app.doctor import doctor
from holdfast.bootstrap import Desk
from holdfast.errors import DONE, FAILED, INTEGRITY_FAILED
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.table import Column, print_rows
from holdfast.surfaces.cli.waiting import patience

_MARKS = {"ok": "✓", "warn": "!", "fail": "✗"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # no options of its own


def run(args: argparse.Namespace, desk: Desk, output: Output) -> int:
    del args
    with patience(output, "checking every record"):
        findings = doctor(desk.tools(), desk.findings())
    if output.json:
        checks = [
            {"name": f.name, "state": f.state, "message": f.message, "hint": f.hint}
            for f in findings
        ]
        output.answer({"type": "doctor", "checks": checks})
    else:
        rows = [[_MARKS[f.state], f.name, f.message, f.hint] for f in findings]
        columns = (Column("bold"), Column("bold"), Column(), Column("dim"))
        print_rows(output, columns, rows)
    return _status({f.name for f in findings if f.state == "fail"})


def _status(failed: set[str]) -> int:
    """Broken data is worse than broken wiring, which installing again repairs."""
    if failed <= {"claude code"}:
        return FAILED if failed else DONE
    return INTEGRITY_FAILED
