"""Real git in a world of its own: no user, no machine configuration, fixed dates."""

import hashlib
import os
import subprocess
from pathlib import Path

from holdfast.snapshot.git import GitCode

_AUTHOR = {
    "GIT_AUTHOR_NAME": "A U Thor",
    "GIT_AUTHOR_EMAIL": "author@example.com",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "A U Thor",
    "GIT_COMMITTER_EMAIL": "author@example.com",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


class World:
    """A scratch directory with repositories, and git as a user would run it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        self._commits = 0

    def git(self, where: Path, *words: str, fails: bool = False) -> str:
        """Run git as the user; return what it prints."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words],
            cwd=where,
            env={**self.environ, **_AUTHOR, "GIT_CONFIG_NOSYSTEM": "1"},
            capture_output=True,
            check=not fails,
        )
        return done.stdout.decode().strip()

    def repository(self, name: str, *options: str) -> Path:
        """Make a repository without commits."""
        place = self.root / name
        self.git(self.root, "init", "-q", "-b", "main", *options, str(place))
        return place

    def commit(self, where: Path, file: str = "a.txt", text: str | None = None) -> str:
        """Commit a file; each call makes a commit unlike any other."""
        self._commits += 1
        (where / file).write_text(text or f"{str(where)!a} {self._commits}\n")
        self.git(where, "add", "--", file)
        self.git(where, "commit", "-q", "-m", f"{where.name!a} {self._commits}")
        return self.git(where, "rev-parse", "HEAD")

    def code(self, **extra: str) -> GitCode:
        """Return what we test, with its environment and a scratch directory."""
        return GitCode(str(self.root / "scratch"), {**self.environ, **extra})


def fingerprint(directory: Path) -> dict[str, str]:
    """Return every file's content, mode and time: what "untouched" means."""
    found = {}
    for path in sorted(directory.rglob("*")):
        state = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        facts = f"{state.st_mode} {state.st_mtime_ns} {state.st_ino}".encode()
        found[str(path)] = hashlib.sha256(facts + content).hexdigest()
    return found
