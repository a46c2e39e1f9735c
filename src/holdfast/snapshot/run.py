"""Running git so that it runs nothing else, takes no lock and cannot hang.

Its environment is built from nothing: no `GIT_*` variable of the caller, no user or
machine configuration, no network, and no program from inside the project.
"""

import os
from collections.abc import Mapping, Sequence

from holdfast.snapshot.layout import Repository
from holdfast.values import dataclass

DEFAULT_TIMEOUT = 5.0
_KEPT = ("HOME", "XDG_CONFIG_HOME", "TMPDIR")  # where the user's ignore rules are
_FIXED = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_NO_SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What git said. Without an exit status it was stopped: it took too long."""

    exit_status: int | None
    output: bytes

    @property
    def is_good(self) -> bool:
        return self.exit_status == 0

    @property
    def is_late(self) -> bool:
        return self.exit_status is None

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """The git program, asked about one repository at a time."""

    environ: Mapping[str, str]
    timeout: float = DEFAULT_TIMEOUT

    def ask(
        self,
        git_dir: str,
        repository: Repository,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        with_user_settings: bool = False,
    ) -> Answer | None:
        """Return what git says, or None if there is no git that can be asked.

        `with_user_settings` is for reading them and nothing else: they may define
        programs.
        """
        import subprocess  # noqa: PLC0415  # 15 ms that most looks at a project save

        path = _trusted_path(self.environ.get("PATH", os.defpath), repository)
        program = _program_in(path)
        if program is None:
            return None
        try:
            done = subprocess.run(
                [program, *arguments],
                cwd=repository.top,
                env=self._environment(git_dir, repository, path)
                | ({} if with_user_settings else _NO_SETTINGS),
                input=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(None, b"")
        except (OSError, ValueError):
            return None
        return Answer(done.returncode, done.stdout)

    def _environment(
        self, git_dir: str, repository: Repository, path: Sequence[str]
    ) -> dict[str, str]:
        environ = {name: self.environ[name] for name in _KEPT if name in self.environ}
        environ |= _FIXED
        environ["PATH"] = os.pathsep.join(path)
        environ["GIT_DIR"] = git_dir
        environ["GIT_OBJECT_DIRECTORY"] = repository.objects
        if repository.worktree is not None:
            environ["GIT_WORK_TREE"] = repository.worktree
        return environ


def _trusted_path(path: str, repository: Repository) -> list[str]:
    """Return where programs may come from; a repository can set `PATH` for hooks."""
    roots = {repository.top, repository.main_root}
    return [
        entry
        for entry in path.split(os.pathsep)
        if os.path.isabs(entry) and not _is_inside(os.path.realpath(entry), roots)
    ]


def _is_inside(path: str, roots: set[str]) -> bool:
    return any(path == root or path.startswith(f"{root}/") for root in roots)


def _program_in(path: Sequence[str]) -> str | None:
    candidates = (os.path.join(entry, "git") for entry in path)
    return next((found for found in candidates if os.access(found, os.X_OK)), None)
