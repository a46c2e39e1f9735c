"""A project under git, as a user has it, with everything in it that can be told apart."""

import os
import stat
import subprocess
from pathlib import Path

_ENVIRON = {
    "GIT_AUTHOR_NAME": "A U Thor",
    "GIT_AUTHOR_EMAIL": "author@example.com",
    "GIT_COMMITTER_NAME": "A U Thor",
    "GIT_COMMITTER_EMAIL": "author@example.com",
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ["PATH"],
}


def git(where: Path, *words: str) -> str:
    """Run git as the user; return what it prints."""
    done = subprocess.run(
        ["git", *words], cwd=where, env=_ENVIRON, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def commit_all(where: Path, message: str = "work") -> str:
    git(where, "add", "-A")
    git(where, "commit", "-q", "--allow-empty", "-m", message)
    return git(where, "rev-parse", "HEAD")


def write(where: Path, **files: str) -> None:
    """Write files; in their names `__` is a `/` and a last `_` is a dot."""
    for name, text in files.items():
        place = where / name.replace("__", "/").replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def state_of(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file and directory: mode and content, links as links."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(root.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            content = b"-> " + os.fsencode(path.readlink())
        else:
            content = path.read_bytes() if stat.S_ISREG(mode) else b""
        found[path.relative_to(root).as_posix()] = (mode, content)
    return found


def worktree_of(root: Path) -> dict[str, tuple[int, bytes]]:
    """Return the state of a project without its `.git`."""
    return {
        path: state
        for path, state in state_of(root).items()
        if path != ".git" and not path.startswith(".git/")
    }
