"""What it costs to start: each entry point against a bare `python -c pass`.

CPU time of the whole process, interleaved in one run: these machines are noisy.
Goals: an idle `holdfast-hook` ≤ 2 bare starts, `holdfast --version` ≤ 4, and the status
line, which the agent asks for at every turn, ≤ 6 when there is nothing new to count.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

_BIN = Path(sys.executable).parent
_ROUNDS = 25
_SAMPLES = Path(__file__).parents[1] / "tests" / "fixtures" / "transcripts"
_SESSION = "a2523e9a-5b5d-4506-ae8b-d2f616a916b5"
_TRANSCRIPT = _SAMPLES / "interactive-edit-filehistory.jsonl"
_CALLS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "holdfast-hook (idle)": [str(_BIN / "holdfast-hook"), "SessionStart"],
    "holdfast --version": [str(_BIN / "holdfast"), "--version"],
    "holdfast --help": [str(_BIN / "holdfast"), "--help"],
    "statusline, all saved": [str(_BIN / "holdfast"), "statusline"],
    "statusline, work to count": [str(_BIN / "holdfast"), "statusline"],
}


def _given(name: str, home: Path) -> str:
    """Return what the agent would say on stdin; only the status line is told anything."""
    if not name.startswith("statusline"):
        return ""
    window = {"context_window_size": 200_000, "total_input_tokens": 83_500}
    file = _TRANSCRIPT if name.endswith("saved") else home / "longer.jsonl"
    return json.dumps(
        {
            "session_id": _SESSION,
            "transcript_path": str(file),
            "context_window": window,
        }
    )


def _seconds(call: list[str], given: str, home: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(call, given, home)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _run(call: list[str], given: str, home: Path) -> None:
    subprocess.run(
        call,
        input=given,
        text=True,
        stdout=subprocess.DEVNULL,
        env={"HOME": str(home), "PATH": os.defpath},
        cwd=home,
        check=True,
    )


def _prepare(home: Path) -> None:
    """Save a session, and keep a copy of its transcript that has grown since."""
    _run([str(_BIN / "holdfast"), "save", "--transcript", str(_TRANSCRIPT)], "", home)
    text = _TRANSCRIPT.read_text(encoding="utf-8")
    (home / "longer.jsonl").write_text(text + text, encoding="utf-8")


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in _CALLS}
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        _prepare(home)
        for _ in range(_ROUNDS):
            for name, call in _CALLS.items():
                times[name].append(_seconds(call, _given(name, home), home))
    floor = times["python -c pass"]
    print(f"{'CPU':28}{'min ms':>8}{'x bare (min)':>14}{'x bare (median)':>17}")
    for name, taken in times.items():
        by_min = min(taken) / min(floor)
        by_median = median(taken) / median(floor)
        print(f"{name:28}{min(taken) * 1e3:8.1f}{by_min:14.2f}{by_median:17.2f}")
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
