"""What reading a transcript costs: against the fastest parser, and in memory.

Goals: reading, redacting and folding together ≤ 2 × parsing each line with orjson; peak
memory ≤ 96 MB at any size. Taken in one run, the ways in turn, round after round: the
ratios mean something, the milliseconds do not. The transcript is made of the measuring
data beside the repository, else made up.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import median

import orjson

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.redaction.redactor import Redactor
from holdfast.session.fold import begin, fold

_ROOT = Path(__file__).parents[1]
_SHARED = _ROOT / ".." / "shared" / "data" / "transcripts"
_MEGABYTE = 1_000_000
_SIZES = (60, 300)
_ROUNDS = 9
_PROCESS = Path("/proc/self/status")
_SESSION = "0f0e0d0c-0b0a-4908-8706-050403020100"


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for size in _SIZES:
            path = Path(scratch) / f"{size}.jsonl"
            lines = _build(path, size * _MEGABYTE)
            print(f"{size} MB, {lines} lines")
            if size == _SIZES[0]:
                _compare(str(path))
            _print_peak(str(path))
    print(f"load average {os.getloadavg()[0]:.1f}")


def _compare(path: str) -> None:
    ways = _ways()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(_ROUNDS):
        for name, way in ways.items():
            began = time.perf_counter()
            way(path)
            times[name].append(time.perf_counter() - began)
    floor = times["orjson, line by line"]
    print(f"  {'':34}{'min ms':>9}{'× floor':>9}{'median ms':>11}{'× floor':>9}")
    for name, taken in times.items():
        least, middle = min(taken), median(taken)
        print(
            f"  {name:34}{least * 1e3:9.0f}{least / min(floor):9.2f}"
            f"{middle * 1e3:11.0f}{middle / median(floor):9.2f}"
        )


def _ways() -> dict[str, Callable[[str], object]]:
    redact = Redactor(b"benchmark").text
    plain = ClaudeCodeTranscripts("/nowhere", str, bulk=True)
    standard = ClaudeCodeTranscripts("/nowhere", str)
    redacting = ClaudeCodeTranscripts("/nowhere", redact, bulk=True)
    return {
        "a bare loop over the lines": _loop,
        "orjson, line by line": _parse,
        "reading, bulk": lambda path: _drain(plain.read(path)),
        "reading, standard library": lambda path: _drain(standard.read(path)),
        "reading + redacting": lambda path: _drain(redacting.read(path)),
        "reading + folding": lambda path: fold(begin("s", "a"), plain.read(path)),
        "reading + redacting + folding": lambda path: fold(
            begin("s", "a"), redacting.read(path)
        ),
    }


def _loop(path: str) -> None:
    with Path(path).open("rb") as file:
        for _ in file:
            pass


def _parse(path: str) -> None:
    with Path(path).open("rb") as file:
        for line in file:
            with suppress(orjson.JSONDecodeError):
                orjson.loads(line)


def _drain(events: object) -> None:
    deque(events, maxlen=0)  # type: ignore[call-overload]  # any iterable will do


def _print_peak(path: str) -> None:
    if not _PROCESS.exists():
        print("  only Linux tells a process's peak: memory left out")
        return
    for name, bulk in (("bulk", True), ("standard library", False)):
        code = (
            "from collections import deque;"
            "from holdfast.agents.claude_code.transcript.transcripts import ClaudeCodeTranscripts;"
            f"deque(ClaudeCodeTranscripts('/nowhere', str, bulk={bulk}).read({path!r}), maxlen=0);"
            f"print(open({str(_PROCESS)!r}).read())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        # ru_maxrss would count this process, too: a child inherits it.
        peak = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
        shown = int(peak[1]) / 1024 if peak else 0
        print(f"  peak of a process that reads it, {name:18}{shown:6.0f} MB")


def _build(path: Path, size: int) -> int:
    """Write a transcript of about `size` bytes; return how many lines it has."""
    lines = written = 0
    with path.open("wb") as file:
        while written < size:
            for line in _measured() if _SHARED.is_dir() else _made_up():
                file.write(line + b"\n")
                lines, written = lines + 1, written + len(line) + 1
                if written >= size:
                    break
    return lines


def _measured() -> Iterator[bytes]:
    for path in sorted(_SHARED.glob("*/*_full.jsonl")):
        yield from path.read_bytes().splitlines()


def _made_up() -> Iterator[bytes]:
    """A day's work, in the proportions of the measured sessions."""
    dice = random.Random(7)  # noqa: S311  # the same transcript every time
    kinds = ["thinking", "text", "call", "progress", "note"]
    for number in range(1, 20_000):
        kind = dice.choices(kinds, [33, 19, 84, 42, 12])[0]
        if kind == "call":
            tool = dice.choices(["Bash", "Read", "Edit", "Grep"], [31, 29, 24, 17])[0]
            yield _line("assistant", number, message=_message(_call(tool, number)))
            yield _line("user", number, **_answer(tool, number, dice))
        elif kind == "thinking":
            thought = {
                "type": "thinking",
                "thinking": _prose(dice, 60),
                "signature": "E" * 900,
            }
            yield _line("assistant", number, message=_message(thought))
        elif kind == "text":
            said = {"type": "text", "text": _prose(dice, 50)}
            yield _line("assistant", number, message=_message(said))
        elif kind == "progress":
            yield _line(
                "progress",
                number,
                data={"type": "bash_progress", "output": _prose(dice, 100)},
            )
        else:
            prompt = {"role": "user", "content": _prose(dice, 40)}
            yield _line("user", number, message=prompt)
            yield json.dumps(
                {"type": "file-history-snapshot", "snapshot": {"x": "y" * 700}}
            ).encode()


def _line(kind: str, number: int, **more: object) -> bytes:
    made = {
        "parentUuid": f"00000000-0000-4000-8000-{number - 1:012x}",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/code/here",
        "sessionId": _SESSION,
        "version": "2.1.39",
        "gitBranch": "main",
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{number:012x}",
        "timestamp": f"2026-11-15T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.123Z",
    }
    return json.dumps(made | more, separators=(",", ":")).encode()


def _message(block: Mapping[str, object]) -> dict[str, object]:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 90_000, "output_tokens": 200}
    return {
        "model": "claude-opus-4-6",
        "id": "msg_01",
        "content": [block],
        "usage": usage,
    }


def _call(tool: str, number: int) -> dict[str, object]:
    given: dict[str, dict[str, object]] = {
        "Bash": {
            "command": f"go test ./part{number}/...",
            "description": "Run the tests",
        },
        "Read": {"file_path": f"/code/here/part{number % 50}/main.go"},
        "Edit": {
            "file_path": f"/code/here/part{number % 50}/main.go",
            "old_string": "return nil\n" * 20,
            "new_string": "return err\n" * 25,
        },
        "Grep": {"pattern": "func .*Test", "path": "/code/here"},
    }
    return {
        "type": "tool_use",
        "id": f"toolu_{number}",
        "name": tool,
        "input": given[tool],
    }


def _answer(tool: str, number: int, dice: random.Random) -> dict[str, object]:
    file = _prose(dice, 700)
    printed = _prose(dice, 180)
    shown, result = {
        "Bash": (printed, {"stdout": printed, "stderr": "", "interrupted": False}),
        "Read": (file, {"type": "text", "file": {"content": file, "numLines": 90}}),
        "Edit": (
            "The file has been updated.",
            {
                "originalFile": file * 6,
                "structuredPatch": [
                    {"lines": ["-return nil"] * 20 + ["+return err"] * 25}
                ],
            },
        ),
        "Grep": (printed, {"mode": "content", "numFiles": 3, "content": printed}),
    }[tool]
    block = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": shown}
    return {"message": {"role": "user", "content": [block]}, "toolUseResult": result}


def _prose(dice: random.Random, words: int) -> str:
    known = (
        "func",
        "err",
        "return",
        "the",
        "checkpoint",
        "is",
        "not",
        "\n\t",
        '"kept"',
        "über",
    )
    return " ".join(dice.choices(known, k=words))
