"""A history that happens in memory: trees are dictionaries, checkpoints a list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from holdfast.agents.claude_code.transcript.transcripts import ClaudeCodeTranscripts
from holdfast.app.code.blame import blame
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import (
    CodeState,
    FileChange,
    ProjectIdentity,
    Since,
    SnapshotBounds,
)
from holdfast.domain.file_history import Blame, LineCommit
from holdfast.domain.outline import Outline, outline_of
from holdfast.domain.query import Scope
from holdfast.domain.session import Mark, SessionRecord
from tests.builders import PROJECT, a_draft, a_session
from tests.fakes import FixedClock

Tree = dict[str, bytes]


@dataclass
class MemoryHistory:
    """Keeps what a history saves; the files themselves lie on disk."""

    root: Path
    transcripts: Path
    trees: dict[str, Tree] = field(default_factory=dict)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    records: dict[str, SessionRecord] = field(default_factory=dict)
    commits: list[tuple[LineCommit, set[bytes]]] = field(default_factory=list)
    head: str = "0" * 40
    last: int = 0

    def files(self) -> Tree:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {str(p.relative_to(self.root)): p.read_bytes() for p in found}

    def save(self, session: str, transcript: Path, at: int) -> None:
        tree = self._keep(self.files())
        own = [c for c in self.checkpoints if c.draft.session_id == session]
        self.last = at
        draft = a_draft(
            session_id=session,
            created_at=at,
            workspace=str(self.root),
            transcript=str(transcript),
            read_to=Mark(transcript.stat().st_size),
            code=CodeState(branch="main", head=self.head, tree=tree),
        )
        number = len(self.checkpoints) + 1
        self.checkpoints.append(
            Checkpoint(
                draft=draft,
                checkpoint_id=f"ccp-{number}",
                number=number,
                sequence=len(own) + 1,
                master_summary_id=1,
                previous_checkpoint=None,
                content_hash="",
            )
        )
        self.records[session] = a_session(
            session, transcript=str(transcript), started_at=at, workspace=str(self.root)
        )

    def commit(self, at: int, *, squash: bool) -> None:
        self.head = sha256(f"{self.head}{squash}".encode()).hexdigest()[:40]
        lines = {line for text in self.files().values() for line in text.split(b"\n")}
        self.commits.append((LineCommit(self.head, at), lines))

    def _keep(self, tree: Tree) -> str:
        name = sha256(repr(sorted(tree.items())).encode()).hexdigest()[:40]
        self.trees[name] = tree
        return name

    # What the verb asks of a store.

    def every(self, scope: Scope) -> Iterator[Checkpoint]:
        assert scope.project_id == PROJECT
        yield from self.checkpoints

    def outlines(self, scope: Scope) -> Iterator[Outline]:
        return map(outline_of, self.every(scope))

    def sessions(self, scope: Scope, limit: int) -> tuple[SessionRecord, ...]:
        del scope, limit
        return tuple(self.records.values())

    def ports(self) -> Ports:
        claude = self.transcripts.parents[1]
        return Ports(
            open_store=lambda: cast("Any", self),
            transcripts=ClaudeCodeTranscripts(str(claude), str),
            code=cast("Any", _Code(self)),
            snapshots=cast("Any", _Snapshots(self)),
            limits=SnapshotBounds(),
            ground=cast("Any", None),
            spool=cast("Any", None),
            redactor=cast("Any", _Plain()),
            clock=FixedClock(self.last + 3_600_000),
            hostname="desk",
        )

    def blame(self, name: str) -> Blame:
        caller = Caller(
            directory=str(self.root),
            scope=Scope(project_id=PROJECT, workspace=str(self.root)),
            key="k",
        )
        return blame(name, caller, self.ports())


class _Plain:
    def text(self, text: str) -> str:
        return text


@dataclass
class _Code:
    history: MemoryHistory

    def identity(self, directory: str) -> ProjectIdentity:
        return ProjectIdentity(path=directory, workspace=directory)

    def head(self, directory: str) -> CodeState:
        del directory
        return CodeState(head=self.history.head)

    def content(self, root: str, path: str, limit: int) -> bytes | None:
        del limit
        place = Path(root) / path
        return place.read_bytes() if place.is_file() else None

    def line_commits(
        self, root: str, path: str, content: bytes
    ) -> tuple[LineCommit | None, ...]:
        """What the last commit has, the first that had it brought."""
        del root, path
        commits = self.history.commits
        last = commits[-1][1] if commits else set()
        return tuple(
            next(one for one, had in commits if line in had) if line in last else None
            for line in content.split(b"\n")[:-1]
        )


@dataclass
class _Snapshots:
    history: MemoryHistory

    def objects_at(
        self, places: Sequence[tuple[str, str]]
    ) -> Mapping[tuple[str, str], str | None]:
        trees = self.history.trees
        return {
            (tree, path): _object(trees[tree][path]) if path in trees[tree] else None
            for tree, path in places
        }

    def contents(self, object_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        every = {_object(c): c for t in self.history.trees.values() for c in t.values()}
        yield from ((one, every[one]) for one in object_ids)

    def changes(self, older: str, newer: str) -> tuple[FileChange, ...]:
        return _renames(self.history.trees[older], self.history.trees[newer])

    def since(self, tree: str, directory: str, limits: SnapshotBounds) -> Since:
        del directory, limits
        return Since(changes=_renames(self.history.trees[tree], self.history.files()))


def _object(content: bytes) -> str:
    return sha256(b"blob" + content).hexdigest()[:40]


def _renames(older: Tree, newer: Tree) -> tuple[FileChange, ...]:
    """Half of the lines of a file that is gone are in one that is new."""
    found = [
        FileChange(path, "renamed", old_path=old)
        for path in newer.keys() - older.keys()
        for old in older.keys() - newer.keys()
        if _are_alike(older[old], newer[path])
    ]
    renamed = {change.old_path for change in found}
    gone = older.keys() - newer.keys() - renamed
    return (*found, *(FileChange(path, "deleted") for path in gone))


def _are_alike(one: bytes, other: bytes) -> bool:
    lines = set(other.split(b"\n"))
    return len(lines & set(one.split(b"\n"))) * 2 >= len(lines)
