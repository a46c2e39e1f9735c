"""A team's remote, reached through a git directory of ours that is thrown away (`TeamRemote`).

The address is read from the user's repository, everything else about reaching it from the
user's own settings: programs that a repository's configuration names are not started.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from holdfast.domain.text import one_line, visible
from holdfast.kernel.errors import RemoteFailed
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.snapshot.git import gitconfig
from holdfast.snapshot.git.head import is_object_id
from holdfast.snapshot.git.own_git_directory import own_git_dir
from holdfast.snapshot.git.program import Git, GitAnswer, without_programs_in
from holdfast.snapshot.git.repository import (
    Repository,
    configuration,
    find,
    project_directories,
    real,
)
from holdfast.snapshot.remote_port import FetchedRef, RefChange

PREFIX = "refs/holdfast/"
_SECONDS = 120.0  # of one question
_AT_ONCE = 100  # refs
_MOST_TRIES = 300  # of sending halves, in all
_MOST_BYTES = 20_000_000  # of one record
_SHOWN = 200
_LONGEST = 1000  # characters of an address
_NAME = "team"
_HOMES = frozenset(["HOME", "XDG_CONFIG_HOME"])
_SSH = "ssh -oBatchMode=yes"
_CREDENTIALS = pattern(r"(?<=://)[^/\s]*@")
# Unencrypted, records and a password would be everybody's on the way.
_THIS_MACHINE = r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])"
# What stands before the path is where it leads and nothing else: a web client ends it at
# `?` and `#`, too, and git decodes an address of ssh before it looks for its end.
_OVER_NETWORK = pattern(
    r"(?:https://[^-/?#\\][^/?#\\]*|ssh://[^-/?#\\%][^/?#\\%]*|http://"
    rf"(?:[^/?#\\@]*@)?{_THIS_MACHINE}(?::\d{{1,5}})?)(?:/|\Z)",
    re.IGNORECASE,
)
_FILE = pattern(r"file://(?=/)", re.IGNORECASE)
_NO_ADDRESS = pattern(r"-|[A-Za-z0-9+.-]+::")  # an option, or a program of git's
_HOST_AND_PATH = pattern(r"[^-/:][^/:]*:(?!:|//)")
_WHO = b"holdfast <holdfast@invalid>"
_SETTINGS = {
    "transfer.fsckobjects": "true",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "fetch.prune": "false",
    "fetch.recursesubmodules": "no",
    "fetch.writecommitgraph": "false",
    "push.recursesubmodules": "no",
    "push.followtags": "false",
    "push.gpgsign": "false",
    "push.pushoption": "",
    f"remote.{_NAME}.tagopt": "--no-tags",
}
_FETCH = (
    "fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", _NAME,
)  # fmt: skip
_PUSH = ("push", "--porcelain", "--no-verify", "--no-force", _NAME)
_SIZES = ("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)")
_ACCEPTED = frozenset(" *-=")


@contextmanager
def team_remote(
    scratch: str, environ: Mapping[str, str], directory: str, remote: str
) -> Iterator["GitTeamRemote"]:
    """Lend the remote of a name in the repository of a directory.

    Raises:
        RemoteFailed: there is no such remote, or none that may be asked.
        OSError: the scratch directory cannot be written.
    """
    place = real(directory)
    repository = find(place)
    if repository is None:
        raise RemoteFailed(
            "there is no git repository here",
            hint="share through a file instead: `holdfast export latest -o FILE`",
        )
    projects = project_directories(place)
    values = configuration(repository)
    address = _address(values, remote, repository, projects)
    settings = {**_SETTINGS, f"remote.{_NAME}.url": address}
    with own_git_dir(scratch, values, settings=settings) as path:
        for part in ("objects", "objects/pack", "objects/info"):
            os.mkdir(f"{path}/{part}", 0o700)
        outside = without_programs_in(_settled_outside(environ, projects), projects)
        yield GitTeamRemote(path, Git(environ=outside, timeout=_SECONDS), address)


def _settled_outside(
    environ: Mapping[str, str], projects: Sequence[str]
) -> dict[str, str]:
    """Return an environment in which no settings of the user's lie in a project: they
    may name programs, and a project can set the environment."""
    return {
        name: value
        for name, value in environ.items()
        if name not in _HOMES or not _is_inside(real(value), projects)
    }


def _is_inside(path: str, projects: Sequence[str]) -> bool:
    return any(path == root or path.startswith(f"{root}/") for root in projects)


def _address(
    values: gitconfig.Values,
    remote: str,
    repository: Repository,
    projects: Sequence[str],
) -> str:
    """Return where a remote is; a path from the repository's root on."""
    named = (f"remote.{remote}.pushurl", f"remote.{remote}.url")
    found = next((values[name][0] for name in named if values.get(name)), "")
    if not found:
        raise RemoteFailed(
            f"this repository has no remote `{visible(remote)}`",
            hint="see `git remote -v`, and name one of them in the setting `share`",
        )
    if not _is_plain(found):
        raise _no_address(found)
    file = _FILE.match(found)
    if _OVER_NETWORK.match(found) or (not file and _HOST_AND_PATH.match(found)):
        return found
    path = real(os.path.join(repository.top, found[file.end() if file else 0 :]))
    if _is_inside(path, projects):
        raise _no_address(found)  # it may bring hooks of its own
    return path


def _is_plain(found: str) -> bool:
    """Say whether an address names no program, and is what is seen of it."""
    is_seen = found.isprintable() and visible(found) == found
    return is_seen and len(found) <= _LONGEST and not _NO_ADDRESS.match(found)


def _no_address(found: str) -> RemoteFailed:
    return RemoteFailed(
        f"`{_shown_address(found)}` is not an address that can be shared with",
        hint="it must be `https://…`, `ssh://…`, `host:path`, or a path outside the"
        " project",
    )


def _shown_address(address: str) -> str:
    """Return all of it but a password: the user agrees to what is shown."""
    return one_line(visible(_CREDENTIALS.sub("", address)), _LONGEST)


class GitTeamRemote:
    """Each method does what `remote_port.TeamRemote` says of it."""

    def __init__(self, path: str, git: Git, address: str) -> None:
        self._path = path
        self._address = address
        self._here = Repository(
            git_dir=path, common_dir=path, worktree=None, main_root=path
        )
        self._git = replace(git, ssh=_ssh_of(git, self._here))
        self._tries = 0
        self._refusals: dict[str, str] = {}

    @property
    def address(self) -> str:
        return _shown_address(self._address)

    @property
    def refusals(self) -> Mapping[str, str]:
        return self._refusals

    def listed(self) -> dict[str, str]:
        answer = self._reach(("ls-remote", "--refs", _NAME, f"{PREFIX}*"))
        if not answer.is_good:
            raise self._down(answer)
        told = (line.partition("\t") for line in answer.text.split("\n"))
        return {
            name: commit
            for commit, _, name in told
            if name.startswith(PREFIX) and is_object_id(commit)
        }

    def fetched(self, names: Sequence[str], file: str) -> Iterator[FetchedRef]:
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            failed = self._in_halves(some, self._fetch)
            for name in failed:
                yield FetchedRef(
                    name, "", None, f"it cannot be fetched: {failed[name]}"
                )
            yield from self._read([n for n in some if n not in failed], file)

    def sent(self, changes: Sequence[RefChange]) -> dict[str, str]:
        by_name = {change.name: change for change in changes}
        self._write([change for change in changes if change.files is not None])
        wanted = list(by_name)
        for start in range(0, len(wanted), _AT_ONCE):
            self._refusals |= self._in_halves(
                wanted[start : start + _AT_ONCE],
                lambda some: self._push([by_name[name] for name in some]),
            )
        made = [name for name in wanted if name not in self._refusals]
        lines = "".join(f"{name}\n" for name in made if by_name[name].files is not None)
        here = self._asked(_SIZES, lines.encode()).split("\n")
        commits = iter([line.partition(" ")[0] for line in here])
        return {
            name: next(commits) if by_name[name].files is not None else ""
            for name in made
        }

    def _in_halves(
        self,
        names: Sequence[str],
        attempt: Callable[[Sequence[str]], Mapping[str, str]],
    ) -> dict[str, str]:
        """Return what did not go, and why; what failed with others is tried in halves."""
        failed = dict(attempt(names)) if names else {}
        self._tries += 1
        if len(names) <= 1 or not failed or self._tries > _MOST_TRIES:
            return failed
        self.listed()  # who is not there refuses halves, too
        again = list(failed)
        half = (len(again) + 1) // 2
        return {
            **self._in_halves(again[:half], attempt),
            **self._in_halves(again[half:], attempt),
        }

    def _fetch(self, names: Sequence[str]) -> dict[str, str]:
        answer = self._reach((*_FETCH, *(f"+{name}:{name}" for name in names)))
        return {} if answer.is_good else dict.fromkeys(names, self._said(answer))

    def _push(self, changes: Sequence[RefChange]) -> dict[str, str]:
        refspecs = [
            f"{c.name if c.files is not None else ''}:{c.name}" for c in changes
        ]
        answer = self._reach((*_PUSH, *refspecs))
        outcomes = dict(_outcomes(answer.text))
        unsaid = self._said(answer)
        told = {change.name: outcomes.get(change.name, unsaid) for change in changes}
        return {name: why for name, why in told.items() if why}

    def _write(self, changes: Sequence[RefChange]) -> None:
        """Write the commits of changes, by one git."""
        if changes:
            stream = b"".join(map(_commit, changes))
            # By force only here, where a ref may hold what was fetched to be replaced.
            self._asked(("fast-import", "--quiet", "--force"), stream)

    def _read(self, names: Sequence[str], file: str) -> Iterator[FetchedRef]:
        lines = "".join(f"{name}\n{name}:{file}\n" for name in names)
        told = self._asked(_SIZES, lines.encode()).split("\n") if names else []
        found: list[tuple[FetchedRef, int]] = []
        for name, commit, blob in zip(names, told[::2], told[1::2], strict=False):
            one = FetchedRef(name, commit.partition(" ")[0], None)
            kind, size = (*blob.split(), "", "")[1:3]
            if kind != "blob":
                yield one._replace(refused=f"it holds no `{file}`")
            elif int(size) > _MOST_BYTES:
                yield one._replace(refused=f"it is larger than {_MOST_BYTES:,} bytes")
            else:
                found.append((one, int(size)))
        yield from self._with_contents(found, file)

    def _with_contents(
        self, found: Sequence[tuple[FetchedRef, int]], file: str
    ) -> Iterator[FetchedRef]:
        """Yield refs with what their files hold; a few megabytes are read at once."""
        waiting: list[tuple[FetchedRef, int]] = []
        for place, (one, size) in enumerate(found, 1):
            waiting.append((one, size))
            if place < len(found) and sum(each for _, each in waiting) < _MOST_BYTES:
                continue
            lines = "".join(f"{each.name}:{file}\n" for each, _ in waiting)
            data = self._answer(("cat-file", "--batch"), lines.encode()).output
            for each, long in waiting:
                begin = data.index(b"\n") + 1
                yield each._replace(content=data[begin : begin + long])
                data = data[begin + long + 1 :]
            waiting = []

    def _asked(self, question: Sequence[str], stdin: bytes) -> str:
        return self._answer(question, stdin).text

    def _answer(self, question: Sequence[str], stdin: bytes = b"") -> GitAnswer:
        """Return git's answer about what is here; no remote is asked."""
        answer = replace(self._git, ssh=None).ask(
            self._path, self._here, question, stdin=stdin
        )
        if answer is None or not answer.is_good:
            raise self._down(answer)
        return answer

    def _reach(self, question: Sequence[str]) -> GitAnswer:
        answer = self._git.ask(
            self._path, self._here, question, with_user_settings=True
        )
        if answer is None:
            raise self._down(answer)
        return answer

    def _down(self, answer: GitAnswer | None) -> RemoteFailed:
        return RemoteFailed(
            f"`{self.address}` cannot be shared with: {self._said(answer)}",
            hint="nothing is lost; the next `holdfast sync git` continues",
        )

    def _said(self, answer: GitAnswer | None) -> str:
        """Return the line in which git says what is wrong."""
        if answer is None:
            return "git was not found"
        if answer.is_late:
            return "it took too long"
        text = answer.complaint.decode("utf-8", "replace")
        text = text.replace(self._address, self.address)
        lines = [line for line in text.splitlines() if line.strip()]
        telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
        said = (telling or lines or ["git did not say why"])[0]
        return one_line(visible(_CREDENTIALS.sub("", said)), _SHOWN)


def _ssh_of(git: Git, here: Repository) -> str:
    """Return the user's own way to reach a host; one that nobody set asks nothing."""
    question = ("config", "--global", "--get", "core.sshcommand")
    answer = git.ask(here.git_dir, here, question, with_user_settings=True)
    own = answer.text.strip() if answer is not None and answer.is_good else ""
    return own or _SSH


def _outcomes(text: str) -> Iterator[tuple[str, str]]:
    """Yield each ref that git says something of, and why it was refused, if it was."""
    for line in text.splitlines():
        flag, _, rest = line.partition("\t")
        refspec, _, summary = rest.partition("\t")
        if len(flag) == 1 and PREFIX in refspec:
            why = "" if flag in _ACCEPTED else one_line(visible(summary), _SHOWN)
            yield refspec.rpartition(":")[2], why


def _commit(change: RefChange) -> bytes:
    """Return what makes git write a commit: by nobody, at the record's own moment, so
    that the same files are the same commit."""
    parts = [f"commit {change.name}\n".encode()]
    parts.append(b"committer %s %d +0000\n" % (_WHO, change.moment))
    parts.append(b"data 10\ncheckpoint\n")
    if change.before is not None:
        parts.append(f"from {change.before}\n".encode())
    parts.append(b"deleteall\n")
    for name, content in sorted((change.files or {}).items()):
        parts.append(f"M 100644 inline {name}\ndata {len(content)}\n".encode())
        parts += [content, b"\n"]
    return b"".join(parts)
