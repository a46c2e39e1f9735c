"""Which process is which: its start time tells it from a later one with the same id."""

import os

_BOOT = "/proc/sys/kernel/random/boot_id"
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
