"""What each hook costs on a 5 MB and a 60 MB transcript, against a bare `python -c pass`.

Goals in bare starts: UserPromptSubmit ≤ 3 (early exit), Stop ≤ 6 of CPU, SessionStart ≤ 8,
PreCompact and a save by hand ≤ 8.5 and 18; SessionEnd under 1 s of wall time on 60 MB with a
warm fold. The fold is warm: a first Stop has read the transcript, and each round appends one
turn, so that nobody reads 5 or 60 MB. What grows with a session is its kept turns, 33 and 400
of them: a save decodes and judges all, and a Stop only those that are new. A turn is one
prompt, ten calls and 150 KB: what the twelve largest of 73 public transcripts have per prompt
(median). The hooks are started as the client starts them, by the launcher that `install`
writes.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from holdfast.agents.claude_code.wiring.plugin import (
    LAUNCHER,
    plugin_files,
)
from holdfast.kernel.clock import SystemClock, iso

_ROUNDS = 9
_SIZES = (5, 60)
_CALLS = 10  # in a turn
_BULK = "def rotate(token):\n    return token\n" * 380  # a result of 14 KB


class _Scene:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        self.project.mkdir()
        git = [
            "git",
            "-C",
            str(self.project),
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
        ]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "1"], check=True)
        (root / "claude" / "projects" / "-p").mkdir(parents=True)
        kept = {"PATH": os.environ["PATH"], "HOME": str(root / "user")}
        self.environ = kept | {
            "HOLDFAST_HOME": str(root / "home"),
            "CLAUDE_CONFIG_DIR": str(root / "claude"),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
        }
        self.serial = 0
        self.launcher = root / "launch"
        self.launcher.write_text(plugin_files(sys.executable, mcp=False)[LAUNCHER])
        self.launcher.chmod(0o755)

    def transcript(self, session: str) -> Path:
        return self.root / "claude" / "projects" / "-p" / f"{session}.jsonl"

    def grow(self, session: str, octets: int) -> None:
        """Append whole turns until this many bytes are new."""
        with self.transcript(session).open("a", encoding="utf-8") as file:
            written = 0
            while written < octets:
                written += sum(file.write(line) for line in self._turn(session))

    def _turn(self, session: str) -> list[str]:
        prompt = f"look at step {self.serial} and rotate its token"
        lines = [self._line(session, "user", {"content": prompt})]
        for tool, given in self._calls():
            lines += self._called(session, tool, given)
        said = {"type": "text", "text": "It reads the token and rotates it. " * 4}
        return [*lines, self._line(session, "assistant", {"content": [said]})]

    def _calls(self) -> list[tuple[str, dict[str, Any]]]:
        todo = {"content": "rotate the token", "status": "in_progress"}
        path = f"{self.project}/m{self.serial % 40}.py"
        edit = {"file_path": path, "old_string": "a", "new_string": "b"}
        return [
            ("TodoWrite", {"todos": [todo]}),
            ("Edit", edit),
            ("Bash", {"command": f"pytest -q tests/test_{self.serial % 40}.py"}),
            *[("Read", {"file_path": path})] * (_CALLS - 3),
        ]

    def _called(self, session: str, tool: str, given: dict[str, Any]) -> list[str]:
        name = f"t{self.serial}"
        use = {"type": "tool_use", "id": name, "name": tool, "input": given}
        result = {"type": "tool_result", "tool_use_id": name, "content": _BULK}
        return [
            self._line(session, "assistant", {"content": [use], "id": f"m{name}"}),
            self._line(session, "user", {"content": [result]}),
        ]

    def _line(self, session: str, kind: str, message: dict[str, Any]) -> str:
        before, self.serial = self.serial, self.serial + 1
        line = {
            "type": kind,
            "uuid": f"{self.serial:08x}-0000-4000-8000-000000000000",
            "parentUuid": f"{before:08x}-0000-4000-8000-000000000000"
            if before
            else None,
            "timestamp": iso(SystemClock().now_ms()),
            "sessionId": session,
            "cwd": str(self.project),
            "version": "2.1.197",
            "message": {"role": kind, "model": "gpt-9", **message},
        }
        return json.dumps(line) + "\n"

    def hook(self, event: str, session: str, **more: str) -> tuple[float, float]:
        given = {
            "session_id": session,
            "transcript_path": str(self.transcript(session)),
            "cwd": str(self.project),
            **more,
        }
        return _timed(
            [str(self.launcher), event], json.dumps(given).encode(), self.environ
        )

    def save(self, session: str) -> tuple[float, float]:
        """Save as somebody at a terminal does."""
        command = str(Path(sys.executable).parent / "holdfast")
        words = ["save", "--transcript", str(self.transcript(session))]
        return _timed([command, *words], b"", self.environ, self.project)


def _timed(
    call: list[str],
    stdin: bytes,
    environ: dict[str, str] | None,
    directory: Path | None = None,
) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(
        call,
        input=stdin,
        env=environ,
        cwd=directory,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def _session(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-{number:012x}"


def _round(scene: _Scene, old: str, new: str) -> dict[str, tuple[float, float]]:
    scene.grow(old, 1)
    return {
        "bare start": _timed([sys.executable, "-c", "pass"], b"", None),
        "UserPromptSubmit (idle)": scene.hook("UserPromptSubmit", old, prompt="hi"),
        "Stop": scene.hook("Stop", old, last_assistant_message="done"),
        "SessionEnd (clear)": scene.hook("SessionEnd", old, reason="clear"),
        "SessionStart (clear)": scene.hook("SessionStart", new, source="clear"),
        "UserPromptSubmit (first)": scene.hook(
            "UserPromptSubmit", new, prompt="continue"
        ),
        "PreCompact": scene.hook("PreCompact", old, trigger="manual"),
        "holdfast save": scene.save(old),
        "SessionStart (startup)": scene.hook(
            "SessionStart", f"{new[:-4]}ffff", source="startup"
        ),
    }


def _measure(size: int, root: Path) -> None:
    scene = _Scene(root)
    old = _session(1)
    scene.hook("SessionStart", old, source="startup")
    scene.grow(old, size * 1_000_000)
    cold = scene.hook("Stop", old)
    rounds = [_round(scene, old, _session(10 + n)) for n in range(_ROUNDS)]
    floor_wall = median(r["bare start"][0] for r in rounds)
    floor_cpu = median(r["bare start"][1] for r in rounds)
    print(f"\n{size} MB   first Stop (cold fold) {cold[0]:.2f} s")
    print(f"{'':26}{'wall ms':>9}{'CPU ms':>9}{'x bare wall':>13}{'x bare CPU':>12}")
    for name in rounds[0]:
        wall = median(r[name][0] for r in rounds)
        cpu = median(r[name][1] for r in rounds)
        ratios = f"{wall / floor_wall:13.1f}{cpu / floor_cpu:12.1f}"
        print(f"{name:26}{wall * 1e3:9.0f}{cpu * 1e3:9.0f}{ratios}", flush=True)


def main() -> None:
    for size in map(int, os.environ.get("HOOK_MB", "").split() or _SIZES):
        with tempfile.TemporaryDirectory() as root:
            _measure(size, Path(root))
    print(
        "SessionEnd's save runs in a process of its own: its CPU is not in the column"
    )
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
