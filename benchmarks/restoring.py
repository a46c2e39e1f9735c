"""What bringing code back costs, on 5,000 and 50,000 files: preview, restore, undo, drift.

The floor, taken in the same run, is `git status` of the same worktree in the same state.
CPU time, ours and that of every git we start. Drift looks only at files that a brief
names, so it must cost the same at any size.
"""

import os
import resource
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.resume import drift_of
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.code.restore import RestoreRequest, carry_out, preview
from holdfast.app.code.undo import undo
from holdfast.bootstrap import Container
from holdfast.domain.checkpoint import Checkpoint, FileRef
from holdfast.kernel.ids import Number

_SIZES = (5_000, 50_000)
_PER_DIRECTORY = 50
_ROUNDS = 7
_EDITS = 20
_NAMED = 40  # files in a full brief
_SAMPLE = Path(__file__).parents[1] / "tests/fixtures/transcripts"
_TRANSCRIPT = str(_SAMPLE / "full-session-part1.jsonl")
_SESSION = "d92c4ceb-7c85-49c8-b575-b0efc7e52ba9"
_GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]


def main() -> None:
    drifts = []
    for size in _SIZES:
        with tempfile.TemporaryDirectory() as scratch:
            drifts.append(_measure(Path(scratch).resolve(), size))
    print(f"\ndrift at {_SIZES[1]:,} files against {_SIZES[0]:,}: ", end="")
    print(f"{drifts[1] / drifts[0]:.2f} ×")
    print(f"load average {os.getloadavg()[0]:.1f}")


def _measure(scratch: Path, size: int) -> float:
    project = scratch / "project"
    paths = _fill(project, size)
    environ = {"PATH": os.environ["PATH"], "HOLDFAST_HOME": str(scratch / "ours")}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        _git(project, *words)
    container = Container(environ=environ, project=str(project))
    checkpoint = _saved(container, paths, project)
    costs: dict[str, list[float]] = {}
    for number in range(_ROUNDS):
        for path in paths[number :: len(paths) // _EDITS][:_EDITS]:
            path.write_text(f"edited in round {number}\n{path.read_text()}")
        for name, cost in _round(container, project, checkpoint):
            costs.setdefault(name, []).append(cost)
    container.close()
    medians = {name: median(all_) for name, all_ in costs.items()}
    floor = medians["git status"]
    print(f"\n{size:,} files, {_EDITS} of them edited")
    print(f"{'median of ' + str(_ROUNDS):34}{'ms CPU':>10}{'× status':>10}")
    for name, cpu in medians.items():
        print(f"{name:34}{cpu * 1000:10.1f}{cpu / floor:10.2f}")
    return medians[f"drift of {_NAMED} files"]


def _round(
    container: Container, project: Path, checkpoint: Checkpoint
) -> list[tuple[str, float]]:
    ports, hand, caller = container.ports(), container.restoring, container.caller()
    request = RestoreRequest(reference=Number(1), exact=True)
    status = _cost(lambda: _git(project, "status", "--porcelain"))
    drift = _cost(lambda: drift_of(checkpoint, str(project), ports))
    shown = preview(request, caller, ports, hand)
    looked = _cost(lambda: preview(request, caller, ports, hand))
    done = _cost(lambda: carry_out(shown, caller, ports, hand))
    undone = _cost(lambda: undo(container.caller(), ports, hand))
    return [
        ("git status", status),
        (f"drift of {_NAMED} files", drift),
        ("preview", looked),
        ("restore, the present saved first", done),
        ("undo, the present saved first", undone),
    ]


def _saved(container: Container, paths: list[Path], project: Path) -> Checkpoint:
    """Return a checkpoint whose brief would name files from all over the project."""
    request = SaveRequest(
        session_id=_SESSION,
        transcript=_TRANSCRIPT,
        directory=container.directory,
        directory_given=True,
        key="first",
    )
    saved = save(request, container.ports(create=True))
    assert isinstance(saved, Saved)
    draft = saved.checkpoint.draft
    named = paths[:: len(paths) // _NAMED][:_NAMED]
    files = tuple(FileRef(str(p.relative_to(project)), "edited") for p in named)
    content = replace(draft.content, files=files)
    return replace(saved.checkpoint, draft=replace(draft, content=content))


def _cost(work: Callable[[], object]) -> float:
    before = _cpu()
    work()
    return _cpu() - before


def _cpu() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _git(project: Path, *words: str) -> None:
    subprocess.run([*_GIT, *words], cwd=project, stdout=subprocess.DEVNULL, check=True)


def _fill(project: Path, size: int) -> list[Path]:
    paths = []
    for number in range(size):
        folder = project / f"part{number // 2000}" / f"room{number // _PER_DIRECTORY}"
        if number % _PER_DIRECTORY == 0:
            folder.mkdir(parents=True)
        path = folder / f"module{number}.py"
        lines = (f"name_{number}_{line} = {line}" for line in range(number % 90))
        path.write_text("\n".join(lines))
        paths.append(path)
    return paths


if __name__ == "__main__":
    main()
