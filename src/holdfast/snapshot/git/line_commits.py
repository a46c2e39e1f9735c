"""Which commit brought each line of a file, and what the file holds now.

git is asked over a git directory of ours, as everywhere: no driver, filter or list of
commits to pass over that a repository names has a say in it.
"""

import errno
import os
from collections.abc import Iterator

from holdfast.domain.file_history import LineCommit
from holdfast.domain.text import visible
from holdfast.kernel.errors import FileRefused
from holdfast.kernel.files import UnsuitableFile, read_file
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.snapshot.git.head import head_of
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import Repository, configuration, find
from holdfast.snapshot.git.worktree_files import directory, split

_SECONDS = 60.0  # somebody asked for just this, and a long history takes its time
_HEADER = pattern(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) \d+ \d+(?: \d+)?")
_TIME = b"committer-time "
_LOG = 50_000_000  # bytes of the log of a HEAD
_MADE, _AMENDED = (b"commit: ", b"commit (initial): "), b"commit (amend): "
_NONE_YET = frozenset("0")


def content_at(root: str, path: str, limit: int) -> bytes | None:
    """Return what a file of a worktree holds; None where nothing is there.

    Raises:
        FileRefused: it is no regular file of at most `limit` bytes, lies behind a link,
            or cannot be read.
    """
    above, name = split(path)
    try:
        with directory(root, above) as within:
            return read_file(name, within, limit=limit)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        raise FileRefused(
            f"`{visible(path)}` is {_why_not(problem)}", hint=_hint(problem)
        ) from None


def commits_of_lines(
    scratch: str, git: Git, root: str, path: str, content: bytes
) -> tuple[LineCommit | None, ...]:
    """Return the commit of each line; empty where git cannot tell."""
    repository = find(os.path.realpath(root))
    head = head_of(repository, git).commit if repository else None
    if repository is None or head is None:
        return ()
    question = ("blame", "--porcelain", "--contents", "-", "--", path)
    patient = replace(git, timeout=_SECONDS)
    try:
        with own_git_dir(scratch, configuration(repository), head=head) as git_dir:
            answer = patient.ask(git_dir, repository, question, stdin=content)
    except (OSError, ValueError):
        return ()
    if not answer or not answer.is_good:
        return ()
    return tuple(_commits(answer.output, _made_here(repository)))


def _made_here(repository: Repository) -> frozenset[str]:
    """Return the commits that were made of what lay in this worktree: by the log of its
    HEAD, in which a pull, a merge, a rebase and a picked commit are told as such."""
    made: set[str] = set()
    try:
        log = read_file(os.path.join(repository.git_dir, "logs", "HEAD"), limit=_LOG)
    except OSError:
        return frozenset()
    for line in log.split(b"\n"):
        entry, _, told = line.partition(b"\t")
        before, _, rest = entry.partition(b" ")
        is_amended = told.startswith(_AMENDED) and before.decode("latin-1") in made
        if told.startswith(_MADE) or is_amended:
            made.add(rest.partition(b" ")[0].decode("latin-1"))
    return frozenset(made)


def _commits(output: bytes, made_here: frozenset[str]) -> Iterator[LineCommit | None]:
    """Read git's account: a header, what is new about its commit, a tab and the line."""
    times: dict[str, int] = {}
    commit = ""
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            is_there = bool(set(commit) - _NONE_YET)
            told = LineCommit(commit, times.get(commit, 0), commit in made_here)
            yield told if is_there else None
        elif header := _HEADER.fullmatch(line):
            commit = header[1].decode()
        elif line.startswith(_TIME):
            times[commit] = int(line[len(_TIME) :]) * 1000


def _why_not(problem: Exception) -> str:
    if isinstance(problem, UnsuitableFile):
        is_large = problem.errno == errno.EFBIG
        return str(problem.strerror) if is_large else "not a regular file"
    if isinstance(problem, OSError) and problem.errno in (errno.ELOOP, errno.ENOTDIR):
        return "a symbolic link, or lies behind one"
    if isinstance(problem, OSError) and problem.strerror:
        return f"not readable: {problem.strerror}"
    return "not the name of a file"


def _hint(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.errno == errno.ELOOP:
        return "name the file that the link leads to"
    return "name a text file of the project"
