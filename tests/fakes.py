"""The ports of the verbs, kept by plain values: no process, no file, a clock that stands.

    bench = Workbench()
    bench.writes(SESSION, talk)  # a transcript
    save(bench.request(), bench.ports)
    start(bench.event("SessionStart", source="startup"), bench.context())

Each fake does as much of its port as hooks and saves ask for; the store is the contract's
own engine in memory.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, cast

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.hooks.event import HookContext, HookEvent, HookSettings
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Draft
from holdfast.domain.client import EndRequest
from holdfast.domain.code import CodeState, ProjectIdentity, SnapshotBounds, Taken
from holdfast.domain.event import Event, Located
from holdfast.domain.file_history import LineCommit
from holdfast.domain.query import Scope
from holdfast.domain.session import Cursor, Mark
from holdfast.kernel.errors import HoldfastError, SaveFailed
from holdfast.redaction.redactor import Redactor
from holdfast.snapshot.port import BranchFate, Change
from tests.builders import NOON, SESSION, WORKSPACE
from tests.conversation import Conversation
from tests.memory_store.store import MemoryStore

CLIENT = 4711  # the process that hooks are started by


@dataclass
class FixedClock:
    now: int = NOON

    def now_ms(self) -> int:
        return self.now


@dataclass
class FakeReading:
    """The events of a transcript from a place on; a line is an event."""

    events: Sequence[Event]
    cursor: Cursor
    half_written: int = 0
    restarted: bool = False

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)


@dataclass
class FakeTranscripts:
    files: dict[str, list[Event]] = field(default_factory=dict)
    agent: str = "claude-code"

    def session_of(self, path: str) -> str | None:
        return path.rpartition("/")[2].removesuffix(".jsonl") or None

    def find(self, session_id: str) -> str | None:
        path = transcript_of(session_id)
        return path if path in self.files else None

    def beginning_with(self, prefix: str) -> tuple[str, ...]:
        known = (self.session_of(path) or "" for path in self.files)
        return tuple(sorted(one for one in known if one.startswith(prefix)))

    def newest(self, cwd: str | None = None) -> str | None:
        del cwd
        return next(reversed(self.files), None)

    def origin(self, path: str) -> str | None:
        del path
        return None

    def last_message_at(self, path: str) -> int:
        del path
        return 0

    def begun_in(self, cwd: str) -> tuple[str, ...]:
        del cwd
        return tuple(reversed(self.files))

    def steps(self, path: str, naming: Collection[str]) -> None:
        """Events hold no text of a file."""
        del path, naming

    def read(self, path: str, since: Cursor | None = None) -> FakeReading:
        if path not in self.files:
            raise SaveFailed(f"`{path}` is not there", hint="")
        events = self.files[path]
        begun = since.main.offset if since else 0
        return FakeReading(events[begun:], Cursor(main=Mark(len(events))))


@dataclass
class FakeCode:
    """One repository per directory, on one branch."""

    branch: str = "main"
    fate: BranchFate = "there"  # of every other branch
    missing: set[str] = field(default_factory=set)
    changes: tuple[tuple[str, Change], ...] = ()
    listed: tuple[str, ...] | None = ()  # what git says is uncommitted

    def identity(self, directory: str) -> ProjectIdentity:
        return ProjectIdentity(path=directory, workspace=directory, is_git=True)

    def exists(self, directory: str) -> bool:
        return directory not in self.missing

    def state(self, directory: str) -> CodeState:
        del directory
        return CodeState(
            branch=self.branch, head="3f2c1a9", dirty=True, uncommitted=self.listed
        )

    def head(self, directory: str) -> CodeState:
        del directory
        return CodeState(branch=self.branch, head="3f2c1a9")

    def uncommitted(self, directory: str) -> tuple[str, ...] | None:
        del directory
        return self.listed

    def has_commit(self, directory: str, commit: str) -> bool:
        del directory, commit
        return False

    def branch_fate(self, directory: str, branch: str) -> BranchFate:
        del directory, branch
        return self.fate

    def changed(
        self, directory: str, paths: Iterable[str], since_ms: int
    ) -> tuple[tuple[str, Change], ...]:
        del directory, paths, since_ms
        return self.changes

    def content(self, root: str, path: str, limit: int) -> bytes | None:
        del root, path, limit
        return None

    def line_commits(
        self, root: str, path: str, content: bytes
    ) -> tuple[LineCommit | None, ...]:
        del root, path, content
        return ()


@dataclass
class FakeSnapshots:
    tree: str | None = "a" * 40
    reason: str = ""

    def take(
        self, directory: str, limits: SnapshotBounds, seconds: float | None = None
    ) -> Taken:
        del directory, limits, seconds
        return Taken(tree=self.tree, reason=self.reason)


@dataclass
class FakeSpool:
    drafts: list[Draft] = field(default_factory=list)

    def prepare(self) -> None:
        """There is always room."""

    def add(self, draft: Draft, reason: str) -> None:
        del reason
        self.drafts.append(draft)

    def try_writing(self) -> bool:
        return True

    def waiting(self) -> int:
        return len(self.drafts)

    def set_aside(self) -> int:
        return 0

    def give_up_unreadable(self) -> int:
        return 0

    def drain(self, put: Callable[[Draft], object]) -> int:
        went = 0
        while self.drafts:
            try:
                put(self.drafts[0])
            except HoldfastError:
                break
            del self.drafts[0]
            went += 1
        return went


@dataclass
class FakeRequests:
    """Counts how often somebody looked at what waits."""

    kept: dict[str, EndRequest] = field(default_factory=dict)
    looks: int = 0

    def add(self, request: EndRequest) -> None:
        self.kept[request.key] = request

    def waiting(self) -> tuple[EndRequest, ...]:
        self.looks += 1
        return tuple(self.kept.values())

    def done(self, request: EndRequest) -> None:
        self.kept.pop(request.key, None)

    @contextmanager
    def working(self, patience: float) -> Iterator[bool]:
        del patience
        yield True


@dataclass
class FakeMarkers:
    marks: dict[str, str] = field(default_factory=dict)
    notices: set[str] = field(default_factory=set)

    def set(self, session_id: str, text: str = "") -> None:
        self.marks[session_id] = text

    def text(self, session_id: str) -> str | None:
        return self.marks.get(session_id)

    def drop(self, session_id: str) -> None:
        self.marks.pop(session_id, None)

    def claim_notice(self, notice: str) -> bool:
        is_new = notice not in self.notices
        self.notices.add(notice)
        return is_new

    def forget_notice(self, notice: str) -> None:
        self.notices.discard(notice)


@dataclass
class FakeProcesses:
    running: dict[int, str] = field(default_factory=lambda: {CLIENT: "noon"})

    def started(self, pid: int) -> str | None:
        return self.running.get(pid)


class CountingStore(MemoryStore):
    """Counts how often a record is looked up, by whatever way."""

    def __init__(self) -> None:
        super().__init__()
        self.lookups = 0

    def find(self, *given: Any) -> Any:
        self.lookups += 1
        return super().find(*given)

    def get(self, *given: Any) -> Any:
        self.lookups += 1
        return super().get(*given)


class NoGround:
    """Nothing is known of the ground: who asks in a test is mistaken."""


def transcript_of(session_id: str) -> str:
    return f"/transcripts/{session_id}.jsonl"


class Workbench:
    """One user's machine, as far as the verbs ask about it."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.store = store or MemoryStore()
        self.store_trouble: HoldfastError | None = None
        self.clock = FixedClock()
        self.transcripts = FakeTranscripts()
        self.code = FakeCode()
        self.snapshots = FakeSnapshots()
        self.spool = FakeSpool()
        self.requests = FakeRequests()
        self.markers = FakeMarkers()
        self.processes = FakeProcesses()
        self.logged: list[BaseException] = []
        self.audited: list[str] = []

    @property
    def ports(self) -> Ports:
        return Ports(
            open_store=self._open_store,
            transcripts=self.transcripts,
            code=self.code,
            snapshots=cast("Any", self.snapshots),
            limits=SnapshotBounds(),
            ground=cast("Any", NoGround()),
            spool=self.spool,
            redactor=Redactor(lambda: b"key"),
            clock=self.clock,
            hostname="desk",
        )

    def context(self, **settings: Any) -> HookContext:
        """Return what a hook of the one client works with."""
        wanted = {"is_headless": False, "client_pid": CLIENT, "workspace": WORKSPACE}
        own = {name: settings.pop(name) for name in wanted if name in settings}
        return HookContext(
            ports=self.ports,
            markers=self.markers,
            processes=self.processes,
            requests=self.requests,
            settings=HookSettings(**settings),
            scope=self.scope,
            may_lose_lines=lambda: False,
            close_store=lambda: None,
            write_variables=lambda _session: None,
            audit=self.audited.append,
            log=self.logged.append,
            tidy=lambda: None,
            unhurried=cast("Callable[[], AbstractContextManager[None]]", nullcontext),
            **cast("Any", {**wanted, **own}),
        )

    def scope(self) -> Scope:
        project = self.store.known_project(self.code.identity(WORKSPACE))
        return Scope(
            project_id=project.project_id if project else "", workspace=WORKSPACE
        )

    def writes(self, session_id: str, talk: Conversation) -> str:
        """Let a client write a conversation; return where."""
        path = transcript_of(session_id)
        place = Located(session_id, WORKSPACE, "main", "2.1.197", "cli")
        self.transcripts.files[path] = [place, *talk.events]
        return path

    def request(self, session_id: str = SESSION, **more: Any) -> SaveRequest:
        values: dict[str, Any] = {
            "session_id": session_id,
            "transcript": transcript_of(session_id),
            "directory": WORKSPACE,
            "key": "a key",
        }
        return SaveRequest(**{**values, **more})

    def event(self, name: str, session_id: str = SESSION, **more: str) -> HookEvent:
        values: dict[str, Any] = {
            "name": name,
            "session_id": session_id,
            "transcript": transcript_of(session_id),
            "directory": WORKSPACE,
        }
        return HookEvent(**{**values, **more})

    def keep(self, draft: Draft) -> str:
        """Keep a draft in the workspace's own project; return its id."""
        project = self.store.project(self.code.identity(WORKSPACE))
        placed = replace(draft, project_id=project.project_id)
        return self.store.put(placed).checkpoint.checkpoint_id

    def _open_store(self) -> MemoryStore:
        if self.store_trouble is not None:
            raise self.store_trouble
        return self.store
