"""How much of what a session needs next survives in a brief, measured from outside.

Runs the measuring tools beside the repository through `holdfast brief`, then prints the
means with 95 % intervals (bootstrap over sessions), for all authors and for each. The
sessions with reference summaries are another author's and are told apart.
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

_SHARED = Path(__file__).parents[1] / ".." / "shared"
_TOOLS, _DATA = _SHARED / "tools", _SHARED / "data" / "transcripts"
_BUDGETS = "300,1000,2000"
_METRICS = (
    "FIDELITY", "FUTURE", "RETAIN", "files", "file_prec", "next_mrr", "cmds", "ids_F2",
    "errors", "last_req", "prev_reqs", "constraints", "silver_user", "grounded",
)  # fmt: skip
_ROUNDS = 1_000
Row = dict[str, Any]


def main() -> None:
    if not (_TOOLS / "fidelity_bench.py").exists() or not _DATA.exists():
        print("no measuring data beside the repository: fidelity left out")
        return
    index = ("--index", str(_DATA / "index.tsv"), "--root", str(_DATA))
    for name, sessions in (("", index), (" (with references)", _with_references())):
        with tempfile.TemporaryDirectory() as scratch:
            rows = _rows(Path(scratch) / "rows.jsonl", sessions)
        for budget in map(int, _BUDGETS.split(",")):
            _table(budget, name, [row for row in rows if row["budget"] == budget])
    _run("silver_bench.py", str(_DATA / "_silver"), "--budgets", "1000")


def _with_references() -> tuple[str, ...]:
    found = sorted((_DATA / "_silver").glob("*.jsonl"))
    return tuple(str(path) for path in found if path.name != "summaries.jsonl")


def _rows(kept: Path, sessions: tuple[str, ...]) -> list[Row]:
    _run(
        "fidelity_bench.py", *sessions, "--budgets", _BUDGETS, "--systems", "combo",
        "--json", str(kept),
    )  # fmt: skip
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    return [row for row in rows if row["system"] == "ours"]


def _run(tool: str, *arguments: str) -> None:
    product = f"""ours=sh -c 'exec {sys.executable} -m holdfast brief "$1" --budget "$2"' brief"""
    subprocess.run(  # our own arguments, no shell
        [
            sys.executable,
            str(_TOOLS / tool),
            *arguments,
            "--split",
            "dev",
            "--cmd",
            product,
        ],
        check=True,
    )


def _authors() -> dict[str, str]:
    with (_DATA / "index.tsv").open(encoding="utf-8") as lines:
        index = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {str(_DATA / row["file"]): row["author"] for row in index}


def _table(budget: int, name: str, rows: list[Row]) -> None:
    authors = _authors()
    by_author: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_author[authors.get(row["file"], "another")].append(row)
    print(f"\n{budget} tokens{name}: mean (95 % interval over sessions)")
    for metric in _METRICS:
        told = [f"{metric:12} all {_mean(rows, metric)} {_interval(rows, metric)}"]
        told += [
            f"{name} {_mean(by_author[name], metric)}" for name in sorted(by_author)
        ]
        print(" · ".join(told))


def _values(rows: list[Row], metric: str) -> dict[str, list[float]]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row[metric] is not None:
            values[row["file"]].append(row[metric])
    return values


def _mean(rows: list[Row], metric: str) -> str:
    flat = [value for values in _values(rows, metric).values() for value in values]
    return f"{sum(flat) / len(flat):.3f}" if flat else "–"


def _interval(rows: list[Row], metric: str) -> str:
    sessions = list(_values(rows, metric).values())
    if not sessions:
        return ""
    chance = random.Random(1)  # noqa: S311  # repeatable, no secret
    means = []
    for _ in range(_ROUNDS):
        drawn = [v for _ in sessions for v in chance.choice(sessions)]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return f"({means[_ROUNDS // 40]:.3f}–{means[-_ROUNDS // 40]:.3f})"


if __name__ == "__main__":
    main()
