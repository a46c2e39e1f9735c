"""What it costs to start: each entry point against a bare `python -c pass`.

Goals: an idle `holdfast-hook` ≤ 2 bare starts, `holdfast --version` ≤ 4.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

_BIN = Path(sys.executable).parent
_ROUNDS = 25
_CALLS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "holdfast-hook (idle)": [str(_BIN / "holdfast-hook"), "SessionStart"],
    "holdfast --version": [str(_BIN / "holdfast"), "--version"],
    "holdfast --help": [str(_BIN / "holdfast"), "--help"],
}


def _seconds(call: list[str]) -> float:
    before = time.perf_counter()
    subprocess.run(
        call, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
    )
    return time.perf_counter() - before


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in _CALLS}
    for _ in range(_ROUNDS):
        for name, call in _CALLS.items():  # interleaved: these machines are noisy
            times[name].append(_seconds(call))
    floor = times["python -c pass"]
    print(f"{'':24}{'min ms':>8}{'x bare (min)':>14}{'x bare (median)':>17}")
    for name, taken in times.items():
        by_min = min(taken) / min(floor)
        by_median = median(taken) / median(floor)
        print(f"{name:24}{min(taken) * 1e3:8.1f}{by_min:14.2f}{by_median:17.2f}")
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
