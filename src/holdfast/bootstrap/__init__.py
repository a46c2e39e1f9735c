"""The composition root: wires ports to adapters and decides nothing.

An adapter is imported inside the function that needs it, so a command pays only for what
it uses.
"""

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.bootstrap.agents import AGENTS, agent_at, refuse_unknown, tool_word
from holdfast.config import Config, Places, Setting, default_places, load, set_values
from holdfast.kernel.clock import Clock, SystemClock
from holdfast.kernel.errors import HoldfastError, SaveFailed, StoreNotFound
from holdfast.kernel.kept_code import use_kept_code
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import late

if TYPE_CHECKING:
    from datetime import tzinfo

    from holdfast.agents.port import ClientMemory, CodingAgent, Wiring
    from holdfast.app.ports import Caller, Ports
    from holdfast.domain.checkpoint import Checkpoint, Draft, PutResult
    from holdfast.domain.code import Project, ProjectIdentity, SnapshotBounds
    from holdfast.domain.query import Scope
    from holdfast.domain.session import Turn
    from holdfast.redaction.redactor import Redactor
    from holdfast.snapshot.git.code import GitCode
    from holdfast.snapshot.git.present_state import GitGround
    from holdfast.snapshot.git.program import Deadline
    from holdfast.snapshot.restore.restoring import FileRestoring, ScratchTrials
    from holdfast.snapshot.take.snapshots import GitSnapshots
    from holdfast.store.port import Store

_SQLITE = "sqlite://"
# No name without any of this is found by a built-in rule: nothing assigned, and neither
# long nor mixed enough for a token.
_MAY_HIDE = pattern(r"[=:@\s]|(?=.{12})[^A-Z0-9]*[A-Z0-9]|[^\x00-\x7f]")
_MB = 1_000_000
_GROUND_SECONDS = 1.0  # whoever resumes waits; which commit it was is worth no more


class Container:
    """What one command works at: a project, its settings, and ports made on demand."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        project: str | None = None,
        store: str | None = None,
        clock: Clock | None = None,
        tolerant: bool = False,
        git_seconds: tuple[float, ...] = (),
    ) -> None:
        """`tolerant` turns wrong settings into warnings: a save must not fail for one.

        `git_seconds` is what a `Deadline` for git is made of.
        """
        use_kept_code()
        self.environ = environ
        self.agent_name = AGENTS[0]  # whose sessions are meant where nobody says
        self.clock = clock or SystemClock()
        self.project_given = project is not None
        self.directory = _existing(project or os.curdir)
        self._flags = {"store": store} if store else {}
        self._tolerant = tolerant
        self._git_seconds = git_seconds
        self._store: Store | None = None
        self.sync_patience = 0.0  # seconds that a save waits to see what mirrors say
        self._key = b""  # of the store's placeholders, once it was opened

    @cached_property
    def code(self) -> "GitCode":
        from holdfast.snapshot.git.code import GitCode

        return GitCode(
            f"{self.places.home}/git",
            self.environ,
            deadline=self.deadline,
            redact=self.redact_name,
        )

    @cached_property
    def deadline(self) -> "Deadline":
        from holdfast.snapshot.git.program import Deadline

        return Deadline(*self._git_seconds)

    @cached_property
    def snapshots(self) -> "GitSnapshots":
        """The trees that this store's records name lie beside it."""
        from holdfast.bootstrap.redacting import secret_files
        from holdfast.snapshot.git.repository import project_directories
        from holdfast.snapshot.take.snapshots import GitSnapshots

        return GitSnapshots(
            f"{self.home}/git",
            self.environ,
            denied_in=self.agent(AGENTS[0]).denied_files,
            projects=project_directories(self.directory),
            secrets=secret_files(self.config),
        )

    @cached_property
    def ground(self) -> "GitGround":
        from holdfast.snapshot.git.present_state import GitGround
        from holdfast.snapshot.git.program import Git

        git = Git(environ=self.environ, timeout=_GROUND_SECONDS, deadline=self.deadline)
        return GitGround(f"{self.places.home}/git", git, self.redact_name)

    @cached_property
    def restoring(self) -> "FileRestoring":
        from holdfast.snapshot.git.program import Git, without_programs_in
        from holdfast.snapshot.git.repository import project_directories
        from holdfast.snapshot.restore.restoring import FileRestoring

        projects = project_directories(self.directory)
        git = Git(environ=without_programs_in(self.environ, projects))
        return FileRestoring(f"{self.home}/restores", git)

    @cached_property
    def trials(self) -> "ScratchTrials":
        from holdfast.snapshot.restore.restoring import ScratchTrials

        return ScratchTrials(self.environ)

    def caller(self) -> "Caller":
        """Return who asks for something to be done to the code here."""
        from holdfast.app.checkpoints.which_session import known_session
        from holdfast.app.ports import Caller

        return Caller(
            directory=self.directory,
            scope=self.scope(),
            key=self.new_key(),
            session_id=known_session(self.environ, AGENTS[0]),
            budget=self.budget(None),
        )

    @cached_property
    def zone(self) -> "tzinfo":
        """The zone in which the user reads a clock."""
        from holdfast.kernel.zone import LocalZone

        return LocalZone()

    @cached_property
    def identity(self) -> "ProjectIdentity":
        return self.code.identity(self.directory)

    @cached_property
    def places(self) -> Places:
        from holdfast.snapshot.git.repository import project_directories

        return default_places(
            self.environ, projects=project_directories(self.directory)
        )

    @cached_property
    def config(self) -> Config:
        return load(
            self.places,
            self.environ,
            project=self.workspace(),
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
        from holdfast.redaction.redactor import Redactor

        own = self.config.redaction
        return Redactor(self._redaction_key, rules=own.rules, allow=own.allow)

    def _redaction_key(self) -> bytes:
        if not self._key and self._store:
            self._key = self._store.redaction_key
        return self._key

    def ports(
        self, *, agent: str = "", create: bool = False, bulk: bool = True
    ) -> "Ports":
        """Return what the verbs need, each made and imported when a verb asks for it."""
        from holdfast.app.ports import Ports
        from holdfast.data_directory.spool import DirectorySpool

        agent = agent or self.agent_name
        refuse_unknown(agent)
        return Ports(
            open_store=lambda: self.store(create=create),
            transcripts=late(
                lambda: self.agent(agent).transcripts(self._redact, bulk=bulk)
            ),
            code=late(lambda: self.code),
            snapshots=late(lambda: self.snapshots),
            limits=late(self._limits),
            ground=late(lambda: self.ground),
            spool=DirectorySpool(f"{self.home}/spool"),
            redactor=late(lambda: self.redactor),
            clock=self.clock,
            hostname=os.uname().nodename,
            memory_of=self.client_memory,
            tool_word=lambda by, tool: tool_word(by, tool, agent),
            agent=agent,
            put_named=_put_named,
            is_approved=self._is_approved,
            targets=self.config.targets,
            start_sync=self.start_sync,
        )

    def _is_approved(self, checkpoint: "Checkpoint") -> bool:
        from holdfast.data_directory.approvals import ApprovalFile

        return not checkpoint.author or ApprovalFile(self.home).has(
            checkpoint.content_hash
        )

    def start_sync(self) -> None:
        """Have what waits for others sent by a process that nobody waits for."""
        if self.config.targets:
            from holdfast.bootstrap.sync_process import start_sync

            start_sync(self)

    def agent(self, name: str = "") -> "CodingAgent":
        return agent_at(name or self.agent_name, self.places, self.environ)

    def client_memory(self, workspace: str) -> "ClientMemory | None":
        """Return where the client remembers the project of a worktree, if it is here."""
        return self.agent().memory(self.code.identity(workspace).path, workspace)

    def log_hook(self, name: str, problem: BaseException | str) -> None:
        """Write down why a hook could not do its work."""
        from holdfast.bootstrap.redacting import redactor_for_words
        from holdfast.data_directory.plain_files import log

        redact = redactor_for_words(self.environ).text
        log(self.places.home, name, problem, redact)

    def _limits(self) -> "SnapshotBounds":
        from holdfast.domain.code import SnapshotBounds

        limits = self.config.snapshot
        return SnapshotBounds(
            max_file_bytes=limits.max_file_mb * _MB,
            max_total_bytes=limits.max_total_mb * _MB,
        )

    def store(self, *, create: bool = False) -> "Store":
        """Return the store, opened once per command."""
        if self._store is None:
            from holdfast.store.sqlite.store import open_store

            self._store = open_store(self.home, create=create, upgrade=self._upgraded)
        return self._store

    def _upgraded(self, turn: "Turn") -> "Turn":
        """Return a turn that was kept when there was one agent, as of today."""
        return self.agent(AGENTS[0]).upgraded(turn)

    def scope(self) -> "Scope":
        """Return this workspace in its project; an unknown project contains nothing."""
        from holdfast.domain.query import Scope

        project = self._project()
        return Scope(
            project_id=project.project_id if project else "",
            workspace=self.identity.workspace,
        )

    def _project(self) -> "Project | None":
        """Return the stored project, its new aliases noted if that can be done."""
        identity, store = self.identity, self.store()

        def has_commit(commit: str) -> bool:
            return self.code.has_commit(identity.workspace, commit)

        project = store.known_project(identity, has_commit)
        if project is None or project.knows(identity):
            return project
        try:  # a first commit or a remote may be all that finds it after a move
            return store.project(identity, has_commit)
        except HoldfastError:
            return project

    def workspace(self) -> str:
        from holdfast.snapshot.git.repository import workspace_of

        return workspace_of(self.directory)

    def budget(self, given: int | None) -> int:
        return self.config.brief.budget_tokens if given is None else given

    def new_key(self) -> str:
        """Return a key for a request that came without one."""
        return os.urandom(16).hex()

    def absolute(self, path: str) -> str:
        return os.path.abspath(path)

    def parent_session(self) -> str | None:
        """Return the session this one was begun from, if the environment says so."""
        from holdfast.kernel.ids import is_session_id

        parent = self.environ.get("CLAUDE_SESSION_PARENT", "").strip().lower()
        return parent if is_session_id(parent) else None

    def client_session(self, client_pid: int) -> str | None:
        """Return the session a running client is in right now, if that can be told."""
        from holdfast.app.checkpoints.which_session import current_session
        from holdfast.data_directory.processes import SystemProcesses

        own_note = self.agent().live_session
        return current_session(client_pid, SystemProcesses(), self.store, own_note)

    def is_at_work(self, session_id: str, agent: str) -> bool:
        """Say whether this process, or a running client, is in a session."""
        from holdfast.app.checkpoints.which_session import is_open, known_session
        from holdfast.data_directory.processes import SystemProcesses

        if known_session(self.environ, agent) == session_id:
            return True
        return is_open(session_id, SystemProcesses(), self.store)

    def set_values(self, values: Mapping[str, str]) -> tuple[Setting, ...]:
        """Change settings in the user's file: all of them, or none if one is wrong."""
        settings = set_values(self.places, values)
        self.__dict__.pop("config", None)  # the next look reads the file again
        return settings

    def wiring(self, agent: str = "") -> "Wiring":
        """Return the wiring of this installation into an agent."""
        import sys

        return self.agent(agent).wiring(
            home=self.places.home, workspace=self.workspace(), python=sys.executable
        )

    def tilde(self, path: str) -> str:
        """Return a path as people write it: `~/…` inside their home directory."""
        home = self.environ.get("HOME", "").rstrip("/")
        return f"~{path[len(home) :]}" if home and path.startswith(f"{home}/") else path

    def disk_octets(self) -> int:
        """Return how much room everything takes that holdfast keeps."""
        from holdfast.kernel.directories import octets_below

        return octets_below(self.home)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _redact(self, text: str) -> str:
        return self.redactor.text(text)

    def redact_name(self, name: str) -> str:
        """Hooks look at a branch, too: what no built-in rule can match costs no import."""
        has_own = self.config.redaction.rules
        return self._redact(name) if has_own or _MAY_HIDE.search(name) else name


def _put_named(
    draft: "Draft", ports: "Ports", store: "Store"
) -> "tuple[PutResult, tuple[str, ...]]":
    from holdfast.app.notes.save_named import put_named

    return put_named(draft, ports, store)


def _existing(directory: str) -> str:
    try:
        real = os.path.realpath(directory)
    except (OSError, ValueError):
        real = ""  # a directory that was removed under us, or a name that cannot be one
    if not os.path.isdir(real):
        raise SaveFailed(
            f"`{directory}` is not a directory", hint="give `--project` a directory"
        )
    return real
