"""What blame costs on a file of 10,000 lines with 200 checkpoints, against `git blame`.

Each checkpoint is a commit, too, with the same version of the file, so both tell who made
the same lines from as many versions. Processes as a user starts them, wall time, median.
The share of lines that were given to the prompt that made them stands beside it.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import save
from holdfast.bootstrap import Container
from holdfast.kernel.clock import iso

_LINES = 10_000
_CHECKPOINTS = 200
_ROUNDS = 5
_SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"
_BEGAN = 1_768_749_000_000
_NAME = "src/engine.py"
_Call = tuple[str, dict[str, Any], dict[str, Any]]


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        _measure(Path(scratch).resolve())
    print(f"load average {os.getloadavg()[0]:.1f}")


def _measure(scratch: Path) -> None:
    project = scratch / "project"
    (project / "src").mkdir(parents=True)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(scratch),
        "HOLDFAST_HOME": str(scratch / "ours"),
        "CLAUDE_CONFIG_DIR": str(scratch / "claude"),
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.com",
    }
    subprocess.run(["git", "init", "-q"], cwd=project, env=environ, check=True)
    truth = _history(project, scratch / "claude", environ)
    ours = [sys.executable, "-m", "holdfast", "blame", _NAME, "--json"]
    git = ["git", "blame", "--porcelain", _NAME]
    bare = [sys.executable, "-m", "holdfast", "list", "--json", "--limit", "1"]
    commands = {"git blame": git, "holdfast list": bare, "holdfast blame": ours}
    costs: dict[str, list[float]] = {name: [] for name in commands}
    output = b""
    for _ in range(_ROUNDS):
        for name, words in commands.items():
            begun = perf_counter()
            output = subprocess.run(
                words, cwd=project, env=environ, check=True, capture_output=True
            ).stdout
            costs[name].append(perf_counter() - begun)
    floor = median(costs["git blame"])
    print(f"{_LINES:,} lines, {_CHECKPOINTS} checkpoints and commits")
    print(f"{'median of ' + str(_ROUNDS):20}{'ms':>10}{'× git':>10}")
    for name, taken in costs.items():
        print(f"{name:20}{median(taken) * 1000:10.0f}{median(taken) / floor:10.2f}")
    told = json.loads(output)["lines"]
    right = sum(a["prompt"] == b for a, b in zip(told, truth, strict=True))
    wrong = sum(
        a["by"] != "unknown" and a["prompt"] != b
        for a, b in zip(told, truth, strict=True)
    )
    print(f"lines found {right / len(truth):.3f}, wrong {wrong}")


def _history(project: Path, claude: Path, environ: dict[str, str]) -> list[str]:
    """Let an agent change the file 200 times; return the prompt of each line."""
    random = Random(1)  # noqa: S311  # the same history each time
    lines = [f"value_{n} = compute({n}, depth={n % 7})" for n in range(_LINES)]
    truth = ["prompt 0"] * _LINES
    place = project / _NAME
    slug = re.sub(r"[^a-zA-Z0-9]", "-", str(project))
    transcript = claude / "projects" / slug / f"{_SESSION}.jsonl"
    transcript.parent.mkdir(parents=True)
    for number in range(_CHECKPOINTS):
        prompt = f"prompt {number}"
        _say(transcript, number * 3, {"role": "user", "content": prompt}, str(project))
        if number == 0:
            _use(transcript, 0, _written(place, lines))
        else:
            at = random.randrange(len(lines) - 10)
            old = lines[at : at + 3]
            new = [f"step_{number}_{n} = change({number}, {n})" for n in range(4)]
            lines[at : at + 3], truth[at : at + 3] = new, [prompt] * 4
            _use(transcript, number * 3, _edited(place, old, new))
        place.write_text("".join(f"{line}\n" for line in lines))
        _keep(project, transcript, number, environ)
    return truth


def _written(place: Path, lines: list[str]) -> _Call:
    text = "".join(f"{line}\n" for line in lines)
    told = {"type": "create", "filePath": str(place), "content": text}
    return "Write", {"file_path": str(place), "content": text}, told


def _edited(place: Path, old: list[str], new: list[str]) -> _Call:
    change = {"old_string": "\n".join(old), "new_string": "\n".join(new)}
    told: dict[str, Any] = {"filePath": str(place), "originalFile": None}
    return "Edit", {"file_path": str(place), **change}, told


def _say(
    transcript: Path, number: int, message: dict[str, Any], cwd: str, **more: Any
) -> None:
    role = message["role"]
    line = {
        "type": role,
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "timestamp": iso(_BEGAN + number * 60_000),
        "sessionId": _SESSION,
        "cwd": cwd,
        "message": message,
        **more,
    }
    with transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _use(transcript: Path, number: int, call: _Call) -> None:
    name, given, told = call
    use = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
    back = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "done"}
    cwd = str(Path(given["file_path"]).parents[1])
    _say(transcript, number + 1, {"role": "assistant", "content": [use]}, cwd)
    answer = {"role": "user", "content": [back]}
    _say(transcript, number + 2, answer, cwd, toolUseResult=told)


def _keep(
    project: Path, transcript: Path, number: int, environ: dict[str, str]
) -> None:
    for words in (["add", "-A"], ["commit", "-q", "-m", f"step {number}"]):
        subprocess.run(["git", *words], cwd=project, env=environ, check=True)
    container = Container(environ=environ, project=str(project))
    request = SaveRequest(
        session_id=_SESSION,
        transcript=str(transcript),
        directory=str(project),
        key=f"key-{number}",
        title=f"step {number}",
    )
    save(request, container.ports(create=True))
    container.close()


if __name__ == "__main__":
    main()
