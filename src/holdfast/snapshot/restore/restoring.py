"""Files of a tree into a directory: back into a worktree, or into one that is tried and gone.

The ports `Restoring`, with the notes that undo it, and `Trials`.
"""

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import (
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic

from holdfast.domain.code import LeftOut, TreeEntry
from holdfast.domain.restore import (
    BeforeRestore,
    FoundOnDisk,
    RestoreNote,
    RestorePlace,
    Step,
    Write,
)
from holdfast.kernel.directories import InTheWay, make_directory
from holdfast.kernel.errors import (
    BisectFailed,
    RestoreInterrupted,
    RestoreRefused,
    RestoreStopped,
)
from holdfast.kernel.files import create_file
from holdfast.snapshot.git.files import locked
from holdfast.snapshot.git.head import head_of
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import Repository, find
from holdfast.snapshot.git.worktree_files import (
    above_all,
    directory,
    found_at,
    is_as,
    mode_at,
    split,
)
from holdfast.snapshot.port import Contents
from holdfast.snapshot.restore.file_writer import FileWriter, remove_halves
from holdfast.snapshot.restore.notes import (
    clear_half,
    notes_path,
    read_notes,
    write_notes,
)

# What git leaves in its directory while an operation is not finished.
_UNDERWAY = {
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "sequencer": "a cherry-pick or revert",
    "BISECT_LOG": "a bisect",
}
_UNDO = "`holdfast undo` brings back what was there"

_ASK = ("check-ignore", "--no-index", "-z", "--stdin")
_SOME, _NONE = 0, 1

_STDERR = 2


class FileRestoring:
    """Restores on a POSIX file system; its notes are kept in `home`."""

    def __init__(self, home: str, git: Git) -> None:
        self._home = home
        self._git = git

    def place(self, directory: str) -> RestorePlace:
        real = os.path.realpath(directory)
        repository = find(real)
        if repository is None:
            return RestorePlace(root=real)
        head = head_of(repository, self._git)
        signs = (
            what
            for sign, what in _UNDERWAY.items()
            if os.path.lexists(f"{repository.git_dir}/{sign}")
        )
        return RestorePlace(
            root=repository.top,
            head=head.commit,
            branch=head.branch,
            underway=next(signs, ""),
            is_bare=repository.worktree is None,
        )

    def look(self, root: str, paths: Iterable[str]) -> Mapping[str, FoundOnDisk]:
        looks = ((path, found_at(root, path)) for path in paths)
        return {path: found for path, found in looks if found is not None}

    def still_there(
        self, root: str, entries: Iterable[TreeEntry]
    ) -> tuple[TreeEntry, ...]:
        return tuple(entry for entry in entries if _is_there(root, entry))

    def ignored(
        self, rules: Mapping[str, bytes], paths: Sequence[str]
    ) -> tuple[str, ...]:
        """Where git cannot be asked, all of them: what is ignored is left alone."""
        if not rules or not paths:
            return ()
        try:
            with own_git_dir(self._home, {}) as git_dir:
                os.mkdir(f"{git_dir}/objects", 0o700)
                answer = self._git.ask(
                    git_dir,
                    _with_rules(f"{git_dir}/rules", git_dir, rules),
                    _ASK,
                    stdin=b"".join(os.fsencode(path) + b"\0" for path in paths),
                )
        except OSError:
            return tuple(paths)
        if answer is None or answer.exit_status not in (_SOME, _NONE):
            return tuple(paths)
        return tuple(os.fsdecode(path) for path in answer.output.split(b"\0") if path)

    def closed(self, root: str, paths: Iterable[str]) -> tuple[LeftOut, ...]:
        seen: dict[str, bool] = {}
        closed = []
        for path in paths:
            above = split(path)[0]
            if above not in seen:
                seen[above] = _is_closed(root, above)
            if seen[above]:
                closed.append(LeftOut(path, "its directory may not be written to"))
        return tuple(closed)

    def before(self, root: str, paths: Iterable[str]) -> BeforeRestore:
        permissions: dict[str, int] = {}
        directories: dict[str, int | None] = {}
        for path in paths:
            mode = mode_at(root, path)
            if mode is not None and stat.S_ISREG(mode):
                permissions[path] = stat.S_IMODE(mode)
            elif mode is not None and stat.S_ISDIR(
                mode
            ):  # empty, and in a file's place
                directories[path] = stat.S_IMODE(mode)
            for above in above_all(path):
                if above not in directories:
                    mode = mode_at(root, above)
                    is_there = mode is not None and stat.S_ISDIR(mode)
                    directories[above] = stat.S_IMODE(mode or 0) if is_there else None
        return BeforeRestore(permissions=permissions, directories=directories)

    def carry_out(
        self,
        root: str,
        steps: Sequence[Step],
        contents: Contents,
        token: str,
        keep: AbstractSet[str] = frozenset(),
    ) -> None:
        writer = FileWriter(root, token, keep=keep)
        _do(writer, steps, contents, hint=_UNDO)
        writer.finish()

    def gone_directories(self, root: str, note: RestoreNote) -> tuple[str, ...]:
        return tuple(
            path
            for path in sorted(note.before.there)
            if not stat.S_ISDIR(mode_at(root, path) or 0)
        )

    def settle(self, root: str, note: RestoreNote) -> None:
        were = note.before.directories
        for path in sorted(were, reverse=True):
            above, name = split(path)
            if were[path] is None:
                with suppress(OSError), directory(root, above) as within:
                    os.rmdir(name, dir_fd=within)
        for path in sorted(note.remake):
            with suppress(OSError), directory(root, path, make=True) as there:
                os.fchmod(there, were.get(path) or 0o700)

    def fill(
        self, directory: str, entries: Sequence[TreeEntry], contents: Contents
    ) -> None:
        target = os.path.abspath(directory)
        _refuse_full(target)
        # Beside the target, so that the last step is one rename.
        half = f"{target.rstrip('/')}.holdfast-{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.mkdir(half)
        except OSError as problem:
            raise _stopped(directory, problem, "choose another directory") from None
        try:
            _fill_new(half, entries, contents)
            os.rename(half, target)
        except BaseException as problem:
            shutil.rmtree(half, ignore_errors=True)
            if isinstance(problem, OSError):
                raise _stopped(directory, problem, "choose another directory") from None
            raise

    def notes(self, root: str) -> tuple[RestoreNote, ...]:
        notes = read_notes(notes_path(self._home, root))
        for note in notes:
            if not note.is_done:
                remove_halves(root, note.token, note.paths)
        return notes

    def keep_notes(self, root: str, notes: Sequence[RestoreNote]) -> None:
        try:
            write_notes(notes_path(self._home, root), root, notes)
        except OSError as problem:
            raise _stopped(
                self._home, problem, "make the data directory writable"
            ) from None

    @contextmanager
    def alone(self, root: str) -> Iterator[None]:
        path = notes_path(self._home, root)
        with ExitStack() as stack:
            try:
                make_directory(self._home)
                stack.enter_context(
                    locked(f"{path}.lock", alone=True, until=monotonic())
                )
                clear_half(path)
            except TimeoutError:
                raise RestoreRefused(
                    "another restore is running in this worktree",
                    hint="wait until it is done",
                ) from None
            except OSError as problem:
                raise _stopped(
                    self._home, problem, "make the data directory writable"
                ) from None
            yield


class ScratchTrials:
    """Trials in the machine's directory for temporary files."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def run(
        self, entries: Sequence[TreeEntry], contents: Contents, command: Sequence[str]
    ) -> int:
        """Run a command in a directory with just these files."""
        parent = self._environ.get("TMPDIR") or None
        scratch = os.path.realpath(tempfile.mkdtemp(prefix="holdfast-", dir=parent))
        try:
            _fill_new(scratch, entries, contents)
            return self._run(command, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _run(self, command: Sequence[str], scratch: str) -> int:
        try:
            done = subprocess.run(
                list(command),
                cwd=scratch,
                env={**self._environ, "PWD": scratch},
                stdin=subprocess.DEVNULL,
                stdout=_STDERR,  # our own stdout is data
                check=False,
            )
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise BisectFailed(
                f"`{command[0]}` cannot be run: {reason}",
                hint="after `--` write a program and its arguments; no shell is used",
            ) from None
        return done.returncode


def _fill_new(root: str, entries: Sequence[TreeEntry], contents: Contents) -> None:
    """Write files into an empty directory of ours; for speed nothing is flushed.

    Raises:
        RestoreStopped: one cannot be written.
    """
    writer = FileWriter(root, "new", durable=False)
    steps = tuple(Write(entry) for entry in entries)
    _do(writer, steps, contents, hint="make room or choose another directory")


def _do(
    writer: FileWriter, steps: Sequence[Step], contents: Contents, hint: str
) -> None:
    """Do the steps; the contents come in the order in which they are written."""
    needed = [step.entry.object_id for step in steps if isinstance(step, Write)]
    stream = contents(needed)
    for done, step in enumerate(steps):
        content = next(stream)[1] if isinstance(step, Write) else b""
        where = f"`{step.path}` after {done} of {len(steps)} files"
        try:
            writer.do(step, content)
        except KeyboardInterrupt:
            raise RestoreInterrupted(f"interrupted at {where}", hint=hint) from None
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise RestoreStopped(f"stopped at {where}: {reason}", hint=hint) from None


def _stopped(path: str, problem: OSError, hint: str) -> RestoreStopped:
    reason = problem.strerror or str(problem)
    return RestoreStopped(f"`{path}` cannot be written: {reason}", hint=hint)


def _refuse_full(target: str) -> None:
    """Refuse a directory that holds something, or that is part of a repository's own."""
    real = os.path.realpath(target)
    if ".git" in real.lower().split("/"):
        raise RestoreRefused(
            f"`{target}` lies in a git directory",
            hint="name a directory outside of `.git`",
        )
    if os.path.islink(target) or (
        os.path.lexists(target) and not os.path.isdir(target)
    ):
        raise RestoreRefused(
            f"`{target}` is not a directory", hint="name one that does not exist yet"
        )
    if os.path.isdir(target) and os.listdir(target):
        raise RestoreRefused(
            f"`{target}` is not empty", hint="name one that does not exist yet"
        )


def _is_there(root: str, entry: TreeEntry) -> bool:
    above, name = split(entry.path)
    try:
        with directory(root, above) as within:
            return is_as(entry, within, name)
    except OSError:
        return False


def _is_closed(root: str, path: str) -> bool:
    """Say whether a directory, or the one it would be made in, refuses new names."""
    try:
        with directory(root, path) as within:
            return not os.access(
                ".", os.W_OK | os.X_OK, dir_fd=within, effective_ids=True
            )
    except InTheWay:
        return False  # what is in the way is removed first, and judged by itself
    except FileNotFoundError:
        return _is_closed(root, split(path)[0]) if path else True
    except PermissionError:
        return True


def _with_rules(root: str, git_dir: str, rules: Mapping[str, bytes]) -> Repository:
    for path, text in rules.items():
        place = f"{root}/{path}"
        make_directory(os.path.dirname(place))
        create_file(place, text)
    return Repository(
        git_dir=git_dir, common_dir=git_dir, worktree=root, main_root=root
    )
