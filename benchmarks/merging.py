"""What merging and comparing cost, as whole commands: the largest sessions there are, and a
family of many checkpoints.

    TRANSCRIPTS=directory python -m benchmarks merging

Without a directory, a session is made up. Each is saved at two thirds and whole, in between
a fork of it with an end of its own; then `merge` and `diff` are run on both. The floor,
taken in the same run, is `holdfast list --limit 1`. CPU time, ours and that of every git.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from holdfast.agents.claude_code.demo import Scene
from holdfast.store.sqlite.store import open_store
from tests.builders import a_full_draft, a_session, session_number

_LARGEST = 5
_ROUNDS = 3
_TURNS = 1_500  # of the session that is made up
_FAMILY = 1_000  # checkpoints, in as many sessions as that has tens
_FORK = "f0000000-0000-4000-8000-00000000000f"
_HOLDFAST = [sys.executable, "-m", "holdfast"]
_COMMANDS = (("merge", "2", "3", "--dry-run"), ("diff", "2", "3"), ("merge", "2", "3"))


def main() -> None:
    given = os.environ.get("TRANSCRIPTS")
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch).resolve()
        found = _largest(Path(given)) if given else [_made_up(place)]
        for number, transcript in enumerate(found):
            _measure(place / str(number), transcript)
        _measure_family(place / "family")
    print(f"load average {os.getloadavg()[0]:.1f}")


def _largest(root: Path) -> list[Path]:
    files = sorted(root.rglob("*.jsonl"), key=lambda path: -path.stat().st_size)
    return [path for path in files if _session_of(path)][:_LARGEST]


def _session_of(path: Path) -> str:
    """Return the session of a transcript, if it is one of a whole session."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                raw = json.loads(line)
            except ValueError:
                return ""
            if isinstance(raw, dict) and raw.get("sessionId"):
                return str(raw["sessionId"])
    return ""


def _made_up(place: Path) -> Path:
    scene = Scene("5eed0000-0000-4000-8000-000000000001", str(place), 1_768_749_000_000)
    for turn in range(_TURNS):
        scene.user(
            f"Change module {turn % 90}, and keep its tests green in round {turn}."
        )
        scene.tool("Read", {"file_path": f"{place}/m{turn % 90}.py"}, {"text": "code"})
        scene.tool(
            "Bash", {"command": f"pytest -q m{turn % 90}"}, {"text": f"{turn} passed"}
        )
        scene.agent(f"Module {turn % 90} is changed and round {turn} is green.")
    path = place / "made-up.jsonl"
    path.write_text("".join(f"{line}\n" for line in scene.lines), encoding="utf-8")
    return path


def _measure(place: Path, transcript: Path) -> None:
    place.mkdir()
    (place / "project").mkdir()
    session = _session_of(transcript)
    lines = transcript.read_text(encoding="utf-8", errors="replace").splitlines(
        keepends=True
    )
    before, most = lines[: len(lines) * 2 // 3], lines[: len(lines) * 5 // 6]
    forked = [*(line.replace(session, _FORK) for line in most), _own_end()]
    for number, (name, kept) in enumerate(
        ((session, before), (_FORK, forked), (session, lines))
    ):
        file = place / f"{number}.jsonl"
        file.write_text("".join(kept), encoding="utf-8")
        words = ("--transcript", str(file), "--session", name, "--title", f"t{number}")
        parent = {"CLAUDE_SESSION_PARENT": session} if name == _FORK else {}
        _run(place, "save", *words, **parent)
    size = sum(map(len, lines)) / 1e6
    print(f"\na session of {len(lines):,} lines, {size:.1f} MB")
    _table(place)


def _own_end() -> str:
    """Return what is asked in the fork alone."""
    line = {
        "type": "user",
        "uuid": "f1f1f1f1-0000-4000-8000-000000000001",
        "parentUuid": None,
        "sessionId": _FORK,
        "timestamp": "2026-11-01T12:00:00.000Z",
        "message": {"role": "user", "content": "Try it the other way round here."},
    }
    return json.dumps(line) + "\n"


def _measure_family(place: Path) -> None:
    """Merge and compare in a project where every tenth checkpoint parted from another."""
    (place / "project").mkdir(parents=True)
    project = str(place / "project")
    _run(place, "list")
    with open_store(str(place / "ours"), create=True, machine="desk") as store:
        for number in range(_FAMILY):
            session = session_number(number // 10 + 1)
            parent = session_number(max(1, number // 20)) if number >= 10 else None
            store.note_session(a_session(session, parent_session=parent))
            draft = a_full_draft(
                title=f"step {number}",
                session_id=session,
                parent_session=parent,
                project_id="p" * 16,
                project_root=project,
                workspace=project,
                created_at=1_768_749_000_000 + number * 1000,
            )
            store.put(draft)
    print(f"\na family of {_FAMILY:,} checkpoints")
    _table(place, str(_FAMILY), str(_FAMILY - 10))


def _table(place: Path, one: str = "2", other: str = "3") -> None:
    costs: dict[str, list[tuple[float, float]]] = {}
    for _ in range(_ROUNDS):
        for words in (("list", "--limit", "1"), *_COMMANDS):
            named = [one if w == "2" else other if w == "3" else w for w in words]
            costs.setdefault(" ".join(words), []).append(_run(place, *named))
    told = _told(place, "merge", one, other, "--dry-run", "--json")
    print(f"in conflict: {len(told['conflicts'])}; ", end="")
    told = _told(place, "diff", one, other, "--json")
    assert told["siblings"], "these have to part from one"
    changed = sum(map(len, told["items"].values()))
    print(f"statements that differ: {changed}")
    floor = median(cpu for _, cpu in costs["list --limit 1"])
    print(f"{'median of ' + str(_ROUNDS):28}{'ms':>8}{'ms CPU':>10}{'× list':>10}")
    for name, found in costs.items():
        wall, cpu = median(w for w, _ in found), median(c for _, c in found)
        print(f"{name:28}{wall * 1000:8.0f}{cpu * 1000:10.0f}{cpu / floor:10.2f}")


def _told(place: Path, *words: str) -> Any:
    return json.loads(_done(place, *words))


def _run(place: Path, *words: str, **more: str) -> tuple[float, float]:
    before, began = _cpu(), perf_counter()
    _done(place, *words, **more)
    return perf_counter() - began, _cpu() - before


def _done(place: Path, *words: str, **more: str) -> str:
    environ = {
        "PATH": os.environ["PATH"],
        "HOLDFAST_HOME": str(place / "ours"),
        "XDG_CONFIG_HOME": str(place / "config"),
        "CLAUDE_CONFIG_DIR": str(place / "claude"),
        **more,
    }
    done = subprocess.run(
        [*_HOLDFAST, *words, "--project", str(place / "project")],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 3, 10):
        raise SystemExit(f"{words}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return done.stdout


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
