"""Running git so that it runs nothing else, takes no lock and cannot hang.

Its environment is built from nothing: no `GIT_*` variable of the caller, no user or
machine configuration, no network, and no program from inside the project.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git.repository import Repository

if TYPE_CHECKING:
    from subprocess import Popen

DEFAULT_TIMEOUT = 5.0
_FOR_EVER = float("inf")
# One that nobody may enter stays out, and one that went meanwhile is gone.
# A name can hold anything, so what is wrong with it is what stands behind the last quote.
_PASSED_OVER = pattern(
    rb"could not open directory '[^\n]*': (?!Permission denied|No such file|Not a dir)"
    rb"[^'\n]*$",
    re.MULTILINE,
)
_KEPT = ("HOME", "XDG_CONFIG_HOME", "TMPDIR")  # where the user's ignore rules are
_FIXED = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
    # git compresses each object with new buffers: without this, the C library would give
    # them back to the system each time, a tenth of what writing a few objects costs.
    "MALLOC_TRIM_THRESHOLD_": "67108864",
}
# For a remote of the user's: their settings say how to get there, and nobody is asked.
_REMOTE = {
    "GIT_ALLOW_PROTOCOL": "file:http:https:ssh",
    "GIT_ASKPASS": "/bin/false",
    "SSH_ASKPASS": "/bin/false",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}
_KEPT_FOR_REMOTES = (
    "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy",
    "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
)  # fmt: skip
_NO_SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """What git said. Without an exit status it was stopped: it took too long."""

    exit_status: int | None
    output: bytes
    complaint: bytes = b""

    @property
    def is_good(self) -> bool:
        """Say whether it did what it was asked, with nothing passed over.

        A directory that it could not open is to git one without files, and no error.
        """
        said = self.complaint
        return self.exit_status == 0 and not (said and _PASSED_OVER.search(said))

    @property
    def is_late(self) -> bool:
        return self.exit_status is None

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "surrogateescape")


class Deadline:
    """How long somebody waits for git, whatever is asked.

    A pipe among a repository's objects holds every question up, not just one: who gives
    `each` so long is in a hurry, and asks nothing more after a question that took longer.
    """

    def __init__(self, seconds: float = _FOR_EVER, each: float = _FOR_EVER) -> None:
        self._left = seconds
        self._each = each
        self._was_late = False

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Meanwhile a question may take as long as there is time."""
        each, self._each = self._each, _FOR_EVER
        try:
            yield
        finally:
            self._each = each

    def spend(self, seconds: float, *, is_late: bool) -> None:
        self._left -= seconds
        self._was_late = self._was_late or is_late

    def at_most(self, seconds: float) -> float:
        """Return how long one question may take that would get so long by itself."""
        return min(seconds, self._each, self._left)

    @property
    def is_over(self) -> bool:
        """Nothing more is asked."""
        is_given_up = self._was_late and self._each < _FOR_EVER
        return self._left <= 0 or is_given_up

    @property
    def was_lost(self) -> bool:
        """Something was not answered in time, or not asked for want of it."""
        return self._was_late or self.is_over


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """The git program, asked about one repository at a time."""

    environ: Mapping[str, str]
    timeout: float = DEFAULT_TIMEOUT  # of one question, if so much is left
    may_lock: bool = False  # only over an index of ours
    deadline: Deadline | None = None  # with all of them
    ssh: str | None = None  # what reaches a remote; without it, none is reached

    def ask(
        self,
        git_dir: str,
        repository: Repository,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        with_user_settings: bool = False,
    ) -> GitAnswer | None:
        """Return what git says, or None if there is no git that can be asked, or no
        time to ask it.

        `with_user_settings` is for reading them and nothing else: they may define
        programs.
        """
        from holdfast.kernel.programs import run_program  # noqa: PLC0415  # most looks at a project ask nothing

        program, environment = self._invocation(git_dir, repository)
        deadline = self.deadline or Deadline()
        if program is None or deadline.is_over or not _may_enter(repository.top):
            return None
        environment |= {} if with_user_settings else _NO_SETTINGS
        begun, is_late = monotonic(), False
        try:
            done = run_program(
                (program, "-C", repository.top, *arguments),
                environment,
                stdin=stdin,
                seconds=deadline.at_most(self.timeout),
            )
            is_late = done.status is None
        except (OSError, ValueError):
            return None
        finally:
            deadline.spend(monotonic() - begun, is_late=is_late)
        return GitAnswer(*done)

    def start(
        self, git_dir: str, repository: Repository, arguments: Sequence[str]
    ) -> "Popen[bytes] | None":
        """Start a git that is talked to, or None if there is none.

        Raises:
            OSError: it could not be started.
        """
        import subprocess  # noqa: PLC0415  # 4 ms, and only where something is written

        program, environment = self._invocation(git_dir, repository)
        if program is None:
            return None
        return subprocess.Popen(
            [program, *arguments],
            cwd=repository.top,
            env=environment | _NO_SETTINGS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _invocation(
        self, git_dir: str, repository: Repository
    ) -> tuple[str | None, dict[str, str]]:
        """Return which program to run, if there is one, and all it may know."""
        path = _trusted_path(self.environ.get("PATH", os.defpath), repository)
        return _program_in(path), self._environment(git_dir, repository, path)

    def _environment(
        self, git_dir: str, repository: Repository, path: Sequence[str]
    ) -> dict[str, str]:
        kept = _KEPT if self.ssh is None else (*_KEPT, *_KEPT_FOR_REMOTES)
        environ = {name: self.environ[name] for name in kept if name in self.environ}
        environ |= _FIXED
        if self.ssh is not None:
            environ |= {**_REMOTE, "GIT_SSH_COMMAND": self.ssh}
        environ["GIT_OPTIONAL_LOCKS"] = "1" if self.may_lock else "0"
        environ["PATH"] = os.pathsep.join(path)
        environ["GIT_DIR"] = git_dir
        environ["GIT_OBJECT_DIRECTORY"] = repository.objects
        if repository.worktree is not None:
            environ["GIT_WORK_TREE"] = repository.worktree
        return environ


def without_programs_in(
    environ: Mapping[str, str], projects: Sequence[str]
) -> dict[str, str]:
    """Return an environment whose `PATH` leads into none of some projects."""
    path = _outside(environ.get("PATH", os.defpath), frozenset(projects))
    return {**environ, "PATH": os.pathsep.join(path)}


def _trusted_path(path: str, repository: Repository) -> tuple[str, ...]:
    """Return where programs may come from; a repository can set `PATH` for hooks."""
    return _outside(path, frozenset([repository.top, repository.main_root]))


@lru_cache(maxsize=16)  # a snapshot asks up to four times, and links cost much
def _outside(path: str, roots: frozenset[str]) -> tuple[str, ...]:
    return tuple(
        entry
        for entry in path.split(os.pathsep)
        if os.path.isabs(entry) and not _is_inside(os.path.realpath(entry), roots)
    )


def _is_inside(path: str, roots: frozenset[str]) -> bool:
    return any(path == root or path.startswith(f"{root}/") for root in roots)


def _may_enter(directory: str) -> bool:
    return os.path.isdir(directory) and os.access(directory, os.X_OK)


def _program_in(path: Sequence[str]) -> str | None:
    candidates = (os.path.join(entry, "git") for entry in path)
    return next((found for found in candidates if os.access(found, os.X_OK)), None)
