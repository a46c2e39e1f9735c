"""The port `Trials`: a scratch directory, a tree in it, a command over it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from holdfast.domain.code import TreeEntry
from holdfast.kernel.errors import BisectFailed
from holdfast.snapshot.port import Contents
from holdfast.snapshot.restore.restoring import fill_new

_STDERR = 2


class ScratchTrials:
    """Trials in the machine's directory for temporary files."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def run(
        self, entries: Sequence[TreeEntry], contents: Contents, command: Sequence[str]
    ) -> int:
        """Run a command in a directory with just these files."""
        parent = self._environ.get("TMPDIR") or None
        scratch = os.path.realpath(tempfile.mkdtemp(prefix="holdfast-", dir=parent))
        try:
            fill_new(scratch, entries, contents)
            return self._run(command, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _run(self, command: Sequence[str], scratch: str) -> int:
        try:
            done = subprocess.run(
                list(command),
                cwd=scratch,
                env={**self._environ, "PWD": scratch},
                stdin=subprocess.DEVNULL,
                stdout=_STDERR,  # our own stdout is data
                check=False,
            )
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise BisectFailed(
                f"`{command[0]}` cannot be run: {reason}",
                hint="the words after `--` are a program and its arguments, no shell",
            ) from None
        return done.returncode
