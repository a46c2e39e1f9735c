"""The composition root: wires ports to adapters and decides nothing.

An adapter is imported inside the function that needs it, so a command pays only for what
it uses.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.clock import Clock, SystemClock
from holdfast.config import Config, Places, Setting, default_places, load, set_value
from holdfast.errors import HoldfastError, SaveFailed, StoreNotFound, UsageWrong

if TYPE_CHECKING:
    from holdfast.analysis.redaction import Redactor
    from holdfast.app.tools import Tools
    from holdfast.domain.project import Project, ProjectSigns
    from holdfast.domain.query import Finding, Scope
    from holdfast.ports.store import Store
    from holdfast.snapshot.git import GitCode

AGENTS = ("claude-code",)
_SQLITE = "sqlite://"
_LOW_SPACE_MB = 200


class Desk:
    """What one command works at: a project, its settings, and tools made on demand."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        project: str | None = None,
        store: str | None = None,
        clock: Clock | None = None,
        tolerant: bool = False,
    ) -> None:
        """`tolerant` turns wrong settings into warnings: a save must not fail for one."""
        self.environ = environ
        self.clock = clock or SystemClock()
        self.project_given = project is not None
        self.directory = _existing(project or os.curdir)
        self._flags = {"store": store} if store else {}
        self._tolerant = tolerant
        self._store: Store | None = None

    @cached_property
    def code(self) -> "GitCode":
        from holdfast.snapshot.git import GitCode

        return GitCode(f"{self.places.home}/git", self.environ)

    @cached_property
    def signs(self) -> "ProjectSigns":
        return self.code.signs(self.directory)

    @cached_property
    def places(self) -> Places:
        from holdfast.snapshot.git import project_directories

        return default_places(
            self.environ, projects=project_directories(self.directory)
        )

    @cached_property
    def config(self) -> Config:
        return load(
            self.places,
            self.environ,
            project=self.signs.workspace,
            flags=self._flags,
            tolerant=self._tolerant,
        )

    @cached_property
    def home(self) -> str:
        """The data directory: where the store, the spool and our own files are."""
        address = self.config.store
        if address == "sqlite":
            return self.places.home
        if address.startswith(_SQLITE):
            return address.removeprefix(_SQLITE)
        raise StoreNotFound(
            f"this version has no store for `{address.partition(':')[0]}`",
            hint="use `sqlite`, or `sqlite:///DIR` for another directory",
        )

    @cached_property
    def redactor(self) -> "Redactor":
        """The chokepoint, keyed by the store if there is one: same secret, same tag."""
        from holdfast.analysis.redaction import Redactor

        return Redactor(self._store.redaction_key if self._store else b"")

    def tools(self, *, agent: str = AGENTS[0], create: bool = False) -> "Tools":
        """Return what the verbs need; the store is opened when a verb asks for it."""
        import socket

        from holdfast.app.tools import Tools
        from holdfast.storage.spool import DirectorySpool
        from holdfast.transcripts.claude_code import ClaudeCode

        if agent not in AGENTS:
            raise UsageWrong(
                f"`{agent[:40]}` is not an agent this version can read",
                hint=f"use one of: {', '.join(AGENTS)}",
            )
        return Tools(
            open_store=lambda: self.store(create=create),
            transcripts=ClaudeCode(self.places.claude_dir, self._redact, bulk=True),
            code=self.code,
            spool=DirectorySpool(f"{self.home}/spool"),
            redactor=_LateRedactor(self),
            clock=self.clock,
            hostname=socket.gethostname(),
        )

    def store(self, *, create: bool = False) -> "Store":
        """Return the store, opened once per command."""
        if self._store is None:
            from holdfast.storage.sqlite.store import open_store

            self._store = open_store(self.home, create=create)
        return self._store

    def scope(self) -> "Scope":
        """Return this workspace in its project; an unknown project contains nothing."""
        from holdfast.domain.query import Scope

        project = self._project()
        return Scope(
            project_id=project.project_id if project else "",
            workspace=self.signs.workspace,
        )

    def _project(self) -> "Project | None":
        """Return the stored project, its new aliases noted if that can be done."""
        signs, store = self.signs, self.store()

        def has_commit(commit: str) -> bool:
            return self.code.has_commit(signs.workspace, commit)

        project = store.known_project(signs, has_commit)
        if project is None or project.knows(signs):
            return project
        try:  # a first commit or a remote may be all that finds it after a move
            return store.project(signs, has_commit)
        except HoldfastError:
            return project

    def workspace(self) -> str:
        return self.signs.workspace

    def budget(self, given: int | None) -> int:
        return self.config.brief.budget_tokens if given is None else given

    def new_key(self) -> str:
        """Return a key for a request that came without one."""
        return os.urandom(16).hex()

    def absolute(self, path: str) -> str:
        return os.path.abspath(path)

    def parent_session(self) -> str | None:
        """Return the session this one was begun from, if the environment says so."""
        from holdfast.ids import is_session_id

        parent = self.environ.get("CLAUDE_SESSION_PARENT", "").strip().lower()
        return parent if is_session_id(parent) else None

    def set_value(self, key: str, value: str) -> Setting:
        setting = set_value(self.places, key, value)
        self.__dict__.pop("config", None)  # the next look reads the file again
        return setting

    def findings(self) -> Iterator["Finding"]:
        """Yield what can be said of the surroundings: settings, disk, transcripts."""
        from holdfast.domain.query import Finding

        for warning in self.config.warnings:
            yield Finding("settings", "warn", warning, "see `holdfast config list`")
        if not self.config.warnings:
            yield Finding("settings", "ok", "all understood")
        yield _space(self.home)
        yield _transcripts(self.places.claude_dir)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _redact(self, text: str) -> str:
        return self.redactor.text(text)


class _LateRedactor:
    """A redactor that is made at its first use, when the store's key is known."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def text(self, text: str) -> str:
        return self._desk.redactor.text(text)

    def tree(self, value: Any) -> Any:
        return self._desk.redactor.tree(value)


def write_bug_report(text: str, environ: Mapping[str, str]) -> str:
    """Keep a report of a bug, its text redacted, and return where.

    Raises:
        OSError: it cannot be written.
    """
    from holdfast.analysis.redaction import Redactor
    from holdfast.domain.text import storable

    directory = f"{default_places(environ).home}/log"
    os.makedirs(directory, mode=0o700, exist_ok=True)
    path = f"{directory}/bug-{SystemClock().now_ms()}.md"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(Redactor().text(storable(text)))
    return path


def _existing(directory: str) -> str:
    real = os.path.realpath(directory)
    if not os.path.isdir(real):
        raise SaveFailed(
            f"`{directory}` is not a directory", hint="give `--project` a directory"
        )
    return real


def _space(home: str) -> "Finding":
    from holdfast.domain.query import Finding

    place = home
    while not os.path.isdir(place):
        place = os.path.dirname(place)
    disk = os.statvfs(place)
    free_mb = disk.f_bavail * disk.f_frsize // 1_000_000
    if free_mb < _LOW_SPACE_MB:
        return Finding("disk", "warn", f"{free_mb:,} MB left", "make room soon")
    return Finding("disk", "ok", f"{free_mb:,} MB free")


def _transcripts(claude_dir: str) -> "Finding":
    from holdfast.domain.query import Finding

    if os.path.isdir(f"{claude_dir}/projects"):
        return Finding("transcripts", "ok", f"found in `{claude_dir}`")
    return Finding(
        "transcripts",
        "warn",
        f"none of Claude Code's in `{claude_dir}`",
        "set `CLAUDE_CONFIG_DIR` if they are elsewhere",
    )
