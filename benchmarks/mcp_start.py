"""What the MCP server costs: CPU to its first `tools/list` and its end, and its memory.

Each against a bare start of the same interpreter, interleaved in one run. Paid once per
session, in the background; `holdfast install claude --no-mcp` leaves it out.
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
_ROUNDS = 7
_BARE = (
    "import sys; sys.stdin.readline(); print('{}', flush=True); sys.stdin.readline()"
)
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
_LINES: list[dict[str, object]] = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
]
_SDK = (
    "from mcp.server.mcpserver import MCPServer\n"
    "server = MCPServer('bare', log_level='CRITICAL')\n"
    "@server.tool()\n"
    "def nothing() -> str: return ''\n"
    "server.run('stdio')\n"
)
_CALLS = {
    "bare python": [sys.executable, "-c", _BARE],
    "the SDK, one tool": [sys.executable, "-c", _SDK],
    "holdfast mcp": [str(_BIN / "holdfast"), "mcp"],
    "holdfast mcp --tools all": [str(_BIN / "holdfast"), "mcp", "--tools", "all"],
}


def _measured(call: list[str], home: str) -> tuple[float, float]:
    """Return seconds of CPU, and resident megabytes after the last answer."""
    lines = _LINES[:1] if _BARE in call else _LINES
    environ = {"HOME": home, "PATH": os.defpath}
    before = _cpu()
    with subprocess.Popen(
        call,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environ,
        cwd=home,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in lines:
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            if "id" in line:
                process.stdout.readline()
        memory = _resident(process.pid)
        process.stdin.close()
        process.wait()
    return _cpu() - before, memory


def _cpu() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in _CALLS}
    memory: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as home:
        for _ in range(_ROUNDS):
            for name, call in _CALLS.items():  # interleaved: these machines are noisy
                seconds, memory[name] = _measured(call, home)
                times[name].append(seconds)
    floor = times["bare python"]
    print(f"{'CPU':26}{'min ms':>8}{'x bare (min)':>14}{'x (median)':>12}{'RSS MB':>8}")
    for name, taken in times.items():
        by_min = min(taken) / min(floor)
        by_median = median(taken) / median(floor)
        print(
            f"{name:26}{min(taken) * 1e3:8.1f}{by_min:14.1f}{by_median:12.1f}"
            f"{memory[name]:8.1f}"
        )
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
