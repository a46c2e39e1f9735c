"""Which process is which: its start time tells it from a later one with the same id."""

import os

_BOOT = "/proc/sys/kernel/random/boot_id"
_MOST_ABOVE = 64
_RUNNERS = (b"node", b"nodejs", b"bun", b"deno")
_START_TIME = 19  # fields after the name in /proc/PID/stat


class SystemProcesses:
    """Does what `port.Processes` says."""

    def started(self, pid: int) -> str | None:
        if pid <= 1:
            return None  # no client is the first process; an orphan's parent is
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                stat = file.read(4096)
        except OSError:
            return None if os.path.isdir("/proc/self") else _asked(pid)
        # The name stands in brackets and may hold anything, brackets too.
        fields = stat.rpartition(b")")[2].split()
        if len(fields) <= _START_TIME or fields[0] == b"Z":
            return None
        return f"{_boot()}-{int(fields[_START_TIME])}"


def programs_above(pid: int) -> frozenset[str]:
    """Return what the processes are called that a process comes from, the nearest ones;
    nothing where there is no /proc.

    A client that Node runs is called by its script, too.
    """
    found: set[str] = set()
    for _ in range(_MOST_ABOVE):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                before, _, after = file.read(4096).rpartition(b")")
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read(4096).split(b"\0")
        except OSError:
            break
        named = filter(None, (before.partition(b"(")[2], words[0], _script(words)))
        found |= {os.path.basename(os.fsdecode(name)) for name in named}
        pid = int(after.split()[1])
        if pid <= 1:
            break
    return frozenset(found)


def _script(words: list[bytes]) -> bytes:
    """Return what an interpreter was given; another program's words are not its name."""
    given = (word for word in words[1:] if not word.startswith(b"-"))
    return next(given, b"") if os.path.basename(words[0]) in _RUNNERS else b""


def _boot() -> str:
    try:
        with open(_BOOT, encoding="ascii") as file:
            return file.read(8)
    except OSError:
        return ""


def _asked(pid: int) -> str | None:
    """Ask `ps` where there is no /proc."""
    import subprocess  # noqa: PLC0415  # 8 ms, and only on such machines

    call = ["ps", "-o", "lstart=", "-p", str(int(pid))]
    try:
        done = subprocess.run(call, capture_output=True, timeout=2, check=False)  # noqa: S603  # fixed words and a number
    except (OSError, subprocess.SubprocessError):
        return None
    return " ".join(done.stdout.decode("ascii", "replace").split()) or None
