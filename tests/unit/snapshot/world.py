"""Real git in a world of its own: no user, no machine configuration, fixed dates."""

import hashlib
import os
import subprocess
from pathlib import Path

from holdfast.agents.claude_code.agent import ClaudeCode
from holdfast.domain.code import EXECUTABLE, REGULAR, SYMLINK, SnapshotBounds, Taken
from holdfast.redaction.files import SecretFiles
from holdfast.snapshot.git.code import GitCode
from holdfast.snapshot.take.snapshots import GitSnapshots

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
        return done.stdout.decode("utf-8", "surrogateescape").strip()

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

    def trap(self, where: Path) -> Path:
        """Let a repository name programs of every kind; return what they would make."""
        ran, program = self.root / "ran", self.root / "trap.sh"
        program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
        program.chmod(0o755)
        for name in (
            "core.fsmonitor", "core.pager", "core.sshCommand", "diff.external",
            "diff.trap.command", "diff.trap.textconv", "filter.trap.clean",
            "filter.trap.smudge", "filter.trap.process", "credential.helper",
        ):  # fmt: skip
            self.git(where, "config", name, str(program))
        (where / ".gitattributes").write_text("* filter=trap diff=trap\n")
        hooks = where / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        for hook in ("post-index-change", "reference-transaction", "post-checkout"):
            (hooks / hook).symlink_to(program)
        return ran

    def code(self, **extra: str) -> GitCode:
        """Return what we test, with its environment and a scratch directory."""
        return GitCode(str(self.root / "scratch"), {**self.environ, **extra})

    def snapshots(
        self,
        secrets: SecretFiles | None = None,
        *,
        scratch: str = "scratch",
        **extra: str,
    ) -> GitSnapshots:
        """Return what we test, with its environment and a scratch directory."""
        return GitSnapshots(
            str(self.root / scratch),
            {**self.environ, **extra},
            denied_in=ClaudeCode(str(self.home / ".claude"), self.environ).denied_files,
            secrets=secrets,
        )

    def take(self, where: Path, limits: SnapshotBounds | None = None) -> Taken:
        """Take a snapshot that must succeed."""
        taken = self.snapshots().take(str(where), limits or SnapshotBounds())
        assert taken.tree is not None, taken
        return taken

    def kept(self, taken: Taken) -> dict[str, tuple[int, bytes]]:
        """Return a snapshot's files: path to mode and content."""
        assert taken.tree is not None, taken
        snapshots = self.snapshots()
        entries = snapshots.entries(taken.tree)
        contents = dict(snapshots.contents([entry.object_id for entry in entries]))
        return {e.path: (e.mode, contents[e.object_id]) for e in entries}


def fingerprint(directory: Path) -> dict[str, str]:
    """Return every file's content, mode and time: what "untouched" means."""
    found = {}
    for path in sorted(directory.rglob("*")):
        state = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        facts = f"{state.st_mode} {state.st_mtime_ns} {state.st_ino}".encode()
        found[str(path)] = hashlib.sha256(facts + content).hexdigest()
    return found


def on_disk(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Return the files that lie in a directory as a snapshot would name them."""
    found = {}
    for path in directory.rglob("*"):
        name = str(path.relative_to(directory))
        if path.relative_to(directory).parts[0] == ".git":
            continue
        if path.is_symlink():
            found[name] = (SYMLINK, os.fsencode(path.readlink()))
        elif not path.is_dir():
            mode = EXECUTABLE if path.stat().st_mode & 0o100 else REGULAR
            found[name] = (mode, path.read_bytes())
    return found
