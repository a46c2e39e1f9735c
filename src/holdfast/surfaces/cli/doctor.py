"""`holdfast doctor`: check that everything works, and repair what can be repaired."""

import argparse

from holdfast.app.administration.health import doctor, repair
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import WIRED
from holdfast.bootstrap.health import (
    check_data_directory,
    check_surroundings,
    repair_steps,
)
from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import DONE, FAILED, INTEGRITY_FAILED
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows, spinner

_WIRINGS = {"claude code", *(f"{name} hooks" for name in WIRED)}
_MARKS = {"ok": "✓", "warn": "!", "fail": "✗"}
_COLUMNS = (Column("bold"), Column("bold"), Column(), Column("dim"))
_ON_A_TERMINAL = (Column("bold"), Column("bold"), Column(folds=True))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repair",
        action="store_true",
        help="repair what can be repaired, and move what cannot be read to `quarantine/`",
    )
    parser.add_argument(
        "--scan",
        action="store_true",
        help="search everything stored with today's rules for secrets, and remove them",
    )
    parser.add_argument(
        "--bundle",
        metavar="FILE",
        help="write a bug report without personal data to a new file",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    repairs: tuple[HealthResult, ...] = ()
    if args.repair:
        with spinner(output, "repairing"):
            repairs = repair(repair_steps(container))
    scanned = _scan(container, output) if args.scan else ()
    with spinner(output, "checking every record"):
        around = (*check_data_directory(container), *check_surroundings(container))
        findings = (*scanned, *doctor(container.ports(), around))
    if args.bundle:
        from holdfast.bootstrap.bug_reports import write_bundle

        write_bundle(container, container.absolute(args.bundle), findings)
    _tell(findings, repairs, args, output)
    failed = {finding.name for finding in (*findings, *repairs) if _is_bad(finding)}
    return _status(failed)


def _tell(
    findings: tuple[HealthResult, ...],
    repairs: tuple[HealthResult, ...],
    args: argparse.Namespace,
    output: Output,
) -> None:
    if output.json:
        told = {"type": "doctor", "checks": [_raw(finding) for finding in findings]}
        if args.repair:
            told["repairs"] = [_raw(finding) for finding in repairs]
        if args.bundle:
            told["bundle"] = args.bundle
        output.answer(told)
        return
    if args.repair:
        nothing = HealthResult("repair", "ok", "nothing to do")
        _print(repairs or (nothing,), output)
        output.print("")
    _print(findings, output)
    if args.bundle:
        output.say(f"written to `{args.bundle}`: read it before you share it")


def _print(findings: tuple[HealthResult, ...], output: Output) -> None:
    """Print a row for each; on a terminal what to do stands below what is wrong."""
    rows = [_row(finding) for finding in findings]
    if not output.stdout.isatty():
        print_rows(output, _COLUMNS, rows)
        return
    lines = list[list[str]]()
    for *row, hint in rows:
        lines += [row, ["", "", hint]] if hint else [row]
    print_rows(output, _ON_A_TERMINAL, lines)


def _raw(finding: HealthResult) -> dict[str, str]:
    return {
        "name": finding.name,
        "state": finding.state,
        "message": finding.message,
        "hint": finding.hint,
    }


def _row(finding: HealthResult) -> list[str]:
    return [_MARKS[finding.state], finding.name, finding.message, finding.hint]


def _is_bad(finding: HealthResult) -> bool:
    return finding.state == "fail"


def _scan(container: Container, output: Output) -> tuple[HealthResult, ...]:
    from holdfast.app.forgetting.scan import scan
    from holdfast.bootstrap.forgetting import scan_means

    with spinner(output, "looking for secrets in every record"):
        return tuple(scan(container.ports(), scan_means(container)))


def _status(failed: set[str]) -> int:
    """Broken data is worse than broken wiring, which installing again repairs."""
    if failed <= _WIRINGS:
        return FAILED if failed else DONE
    return INTEGRITY_FAILED
