"""Which files a session touched, one call after the other: read, edited, moved, removed,
committed, put back; by the agent's tools and by the shell.

What is not committed is told as the transcript shows it, for where git cannot be asked.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache

from holdfast.domain.checkpoint import Change
from holdfast.domain.code import SHELL_WORK, ShellChange
from holdfast.domain.event import EDITING
from holdfast.domain.session import Call, SessionState
from holdfast.facts.commands.file_changes import changes_by
from holdfast.facts.commands.file_words import has_ending
from holdfast.facts.commands.lines import without_drive
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, field

_HIDDEN = pattern(r"/\.[^/]+/")  # clients keep their files in such directories
_OUTSIDE = pattern(r"/|~|\.\.(?:/|$)|[A-Za-z]:/")
_NO_WORK = pattern(
    r"(?:^|/)(?:\.git|node_modules|__pycache__|\.venv)/"
    r"|(?:^|/)\.[^/]+/(?:plans|projects|todos|tasks|teams|file-history)/"  # a client's
)
_ALL_COMMITTED = "working tree clean"
_Kept = tuple[Change, int, int]
_Edited = tuple[str, int, int]  # what was there, and lines added and removed since


@dataclass(slots=True)
class TouchedFile:
    """What is known of one file while the calls are walked."""

    change: Change = "read"
    added: int = 0
    removed: int = 0
    reads: list[int] = field(default_factory=list)  # places of the calls that did
    edits: list[int] = field(default_factory=list)
    is_own: bool = False  # it was made here
    is_uncommitted: bool = False
    is_staged: bool = False
    is_stashed: bool = False
    committed: _Kept = ("read", 0, 0)  # as the last commit left it
    stands: dict[str, _Edited] = field(
        default_factory=dict
    )  # since, by what is there now
    is_known: bool = True  # all that was done to it since is in there

    @property
    def last(self) -> int:
        """The place of the call that touched it last."""
        return max((*self.reads[-1:], *self.edits[-1:]), default=-1)

    def take_back(self) -> None:
        """Forget what no commit has."""
        if self.is_uncommitted:
            self.change, self.added, self.removed = self.committed
            self.settle()

    def settle(self) -> None:
        """Take what it holds now for what was there before."""
        self.is_uncommitted = self.is_staged = False
        self.stands, self.is_known = {}, True

    def replaced(self, call: Call) -> None:
        """Take note of what an edit put in place of what; one that puts back what an
        earlier one replaced leaves nothing of either."""
        if not (call.before and call.after):
            self.is_known = False
            return
        was, added, removed = self.stands.pop(call.before, (call.before, 0, 0))
        if was != call.after:
            self.is_known &= call.after not in self.stands  # it stands in two places
            edited = (was, added + call.added, removed + call.removed)
            self.stands[call.after] = edited
            return
        self.added -= added + call.added
        self.removed -= removed + call.removed
        if self.is_known and not self.stands and self.change == "edited":
            self.take_back()


def touched_files(state: SessionState) -> dict[str, TouchedFile]:
    """Return the files of a session by path, as they are after its last call."""
    walk = _Walk(state.cwd)
    for place, call in _calls(state):
        walk.take(call, place)
    return walk.files


def uncommitted_of(files: Mapping[str, TouchedFile]) -> tuple[str, ...]:
    """Return the project's files that hold work no commit has, the one worked on last
    first, as far as the session tells."""
    waiting = [
        path
        for path, file in files.items()
        if file.is_uncommitted and is_projects(path)
    ]
    return tuple(sorted(waiting, key=lambda path: -files[path].last))


def changed_by(call: Call, cwd: str) -> tuple[str, ...]:
    """Return the files of the project that a call left work in, or removed."""
    if call.role in EDITING:
        is_done = call.outcome == "ok" and call.target
        return (relative(call.target, cwd),) if is_done else ()
    # As with most calls, and every pass asks about all of them.
    if call.role != "run" or not (changes := changes_by(call, cwd)):
        return ()
    return tuple(
        dict.fromkeys(
            change.path
            for change in changes
            if is_projects(change.path) and _leaves_work(change)
        )
    )


def _leaves_work(change: ShellChange) -> bool:
    if change.deed == "removed" or change.source:
        return has_ending(change.path)
    return change.deed in SHELL_WORK


@lru_cache(maxsize=4096)  # every pass asks
def relative(path: str, cwd: str) -> str:
    """Return a path as seen from the session's directory, if it lies inside it."""
    clean = path.replace("\\", "/")
    full, base = without_drive(clean), without_drive(cwd).rstrip("/") + "/"
    if len(base) > 1 and full.lower().startswith(base.lower()):
        return full[len(base) :] or clean
    return clean


def is_projects(path: str) -> bool:
    """Say whether what a command wrote is work on the project."""
    return not (_OUTSIDE.match(path) or _NO_WORK.search(path))


def _calls(state: SessionState) -> Iterator[tuple[int, Call]]:
    """Yield the calls with their places; a sub-agent's stand where it was at work."""
    calls = [*enumerate(state.live_calls())]
    if not state.agents:
        yield from calls
        return
    began = [call.at for _, call in calls]
    helped = (
        (max(0, bisect_right(began, call.at) - 1), call)
        for agent in state.agents
        for call in agent.turn.calls
        if call.role in EDITING or call.role == "run"
    )
    yield from sorted([*calls, *helped], key=lambda one: one[0])


class _Walk:
    """The files while the calls are walked."""

    def __init__(self, cwd: str) -> None:
        self.files: dict[str, TouchedFile] = {}
        self._cwd = cwd
        self._all_staged = self._are_staged = False  # since the last commit

    def take(self, call: Call, place: int) -> None:
        if call.role in EDITING or call.role == "read":
            self._take_tool(call, place)
        elif call.role == "run":
            for change in changes_by(call, self._cwd):
                self._take_shell(change, place)
            if _ALL_COMMITTED in call.output and "git" in call.target:
                self._commit(self.files.values())

    def _take_tool(self, call: Call, place: int) -> None:
        path = relative(call.target, self._cwd)
        if call.outcome != "ok" or not path:
            return
        # A session that began in the client's directory, or right above it, works on it.
        if call.own and (_HIDDEN.search(path) or _OUTSIDE.match(path)):
            return
        file = self.files.setdefault(path, TouchedFile())
        if call.role == "read":
            file.reads.append(place)
        else:
            file.is_own = file.is_own or call.created
            if call.created and file.change == "read":
                file.change = "created"
            self._edit(file, place, call.added, call.removed)
            file.replaced(call)

    def _edit(self, file: TouchedFile, place: int, added: int, removed: int) -> None:
        file.edits.append(place)
        file.added += added
        file.removed += removed
        file.is_uncommitted, file.is_staged = True, False
        if file.change != "created":
            file.change = "edited"

    def _take_shell(self, change: ShellChange, place: int) -> None:
        if change.deed == "moved":
            self._move(change, place)
        elif change.deed in SHELL_WORK:
            for path in self._matching(change.path) or self._new(change):
                file = self.files.setdefault(path, TouchedFile(is_own=True))
                self._edit(file, place, change.added, change.removed)
                file.is_known = False
        elif change.deed == "removed":
            self._remove(change.path, place)
        else:
            self._follow_git(change)

    def _follow_git(self, change: ShellChange) -> None:
        named = [self.files[path] for path in self._matching(change.path)]
        if change.deed == "staged":
            self._are_staged = True
            self._all_staged = self._all_staged or not change.path
        elif change.deed == "committed":
            # Where nothing was staged here, somebody else staged it.
            is_all = self._all_staged or not self._are_staged
            self._commit(named if is_all else [one for one in named if one.is_staged])
        for file in named:
            if change.deed == "staged":
                file.is_staged = True
            elif change.deed == "stashed":
                file.is_stashed, file.is_uncommitted = file.is_uncommitted, False
            elif change.deed == "unstashed":
                file.is_uncommitted |= file.is_stashed
                file.is_stashed = False
            elif change.deed == "restored":
                file.take_back()

    def _commit(self, files: Iterable[TouchedFile]) -> None:
        for file in files:
            if file.is_uncommitted:
                file.committed = file.change, file.added, file.removed
                file.settle()
                file.is_own = False
        self._all_staged = self._are_staged = False

    def _move(self, change: ShellChange, place: int) -> None:
        """A file goes by its new name; what a directory held goes with it."""
        below = self._matching(change.source)
        for source in below:
            path = change.path + source[len(change.source) :]
            file = self.files[source]
            added, removed, is_own = file.added, file.removed, file.is_own
            self._remove(source, place)
            if is_projects(path):
                moved = TouchedFile("created", reads=[*file.reads], is_own=is_own)
                self.files[path] = moved
                self._edit(moved, place, added, removed)
        if not below:
            self._remove(change.source, place)
            for path in self._new(change):
                self._edit(self.files.setdefault(path, TouchedFile()), place, 0, 0)

    def _remove(self, path: str, place: int) -> None:
        known = self._matching(path)
        for name in known:
            file = self.files[name]
            if file.is_own and file.is_uncommitted:
                del self.files[name]  # it was made and removed: nothing is left of it
            else:
                self._edit(file, place, 0, 0)
                file.change = "deleted"
        if not known and _is_new_file(path) and has_ending(path):
            gone = TouchedFile("deleted", edits=[place], is_uncommitted=True)
            self.files[path] = gone

    def _matching(self, path: str) -> list[str]:
        """Return the known files that a path, a directory or a pattern means."""
        if path in self.files:
            return [path]
        is_meant: Callable[[str], bool] = lambda name: name.startswith(f"{path}/")  # noqa: E731  # one of three
        if not path or path == ".":
            is_meant = lambda _: True  # noqa: E731  # all of them
        elif "*" in path or "?" in path:
            is_meant = lambda name: fnmatchcase(name, path)  # noqa: E731  # the last one
        return [name for name in self.files if is_meant(name)]

    def _new(self, change: ShellChange) -> list[str]:
        """Return a file that was not known, if it is one of the project. What is moved
        or copied may be a directory."""
        path = change.path
        may_be = not change.source or has_ending(path) or "/." in f"/{path}"
        return [path] if may_be and _is_new_file(path) else []


def _is_new_file(path: str) -> bool:
    return bool(path) and not {"*", "?"} & {*path} and is_projects(path)
