"""By what a repository is known again: its address, and the root commits of its history.

An address has one form, however it was cloned: `host/owner/name`. A walk over 50,000
commits takes 0.2 s, so the roots of a commit are kept beside it (they never change) and
those of a descendant are found by walking only what is new.
"""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from holdfast.kernel.digests import sha1
from holdfast.kernel.files import replace_file
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git import files, gitconfig
from holdfast.snapshot.git.head import is_object_id
from holdfast.snapshot.git.own_git_directory import drafts_in
from holdfast.snapshot.git.program import GitAnswer
from holdfast.snapshot.git.repository import Repository

_URL = pattern(r"([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)", re.IGNORECASE)
_SCP = pattern(r"(?:[^@/\[]*@)?(\[[^\]/]+\]|[^:/\[\]]+):(?!:)(.*)", re.DOTALL)
_HOST = pattern(r"(?:.*@)?(\[[^\]]*\]|[^:]*)(?::\d*)?")
_NETWORK = frozenset(
    ["ssh", "git", "http", "https", "ftp", "ftps", "git+ssh", "ssh+git", "git+https"]
)
_ORIGIN = "origin"

_MOST_KEPT = 16
_BASES_TRIED = 2
_UNKNOWN = "?"
Ask = Callable[[Sequence[str]], GitAnswer | None]


def normalised_address(url: str) -> str | None:
    """Return `host/owner/name`, without credentials; None for a path or a helper."""
    host, path = _parts(url.strip())
    name = "/".join(part for part in path.split("/") if part)
    name = name.removesuffix(".git").rstrip("/")
    if not host or not name or not f"{host}{name}".isprintable():
        return None
    return f"{host.lower()}/{name}"


def remote_address(values: gitconfig.Values, branch: str | None) -> str | None:
    """Return the normalised address of the remote that stands for the repository.

    That is `origin`; without it the one the branch follows; without that the only one.
    """
    urls = {
        name.removeprefix("remote.").removesuffix(".url"): found[0]
        for name, found in values.items()
        if name.startswith("remote.") and name.endswith(".url") and found[0]
    }
    upstream = gitconfig.last(values, f"branch.{branch}.remote") if branch else None
    if _ORIGIN in urls:
        return normalised_address(urls[_ORIGIN])
    if upstream in urls:
        return normalised_address(urls[upstream])
    return normalised_address(next(iter(urls.values()))) if len(urls) == 1 else None


@dataclass(frozen=True, slots=True)
class KnownRoots:
    """A commit with the roots it descends from; None: the walk was too long."""

    commit: str
    roots: tuple[str, ...] | None


class RootMemory:
    """What is known of one repository's roots, in a file of ours."""

    def __init__(self, scratch: str, repository: Repository) -> None:
        # With a commit-graph the walk is ten times faster, so a history that was too
        # long without one is tried again.
        graph = os.path.join(repository.objects, "info", "commit-graph")
        has_graph = os.path.exists(graph) or os.path.exists(f"{graph}s")
        named = f"{repository.common_dir}\n{has_graph}".encode(
            "utf-8", "surrogateescape"
        )
        digest = sha1(named, usedforsecurity=False).hexdigest()
        self._scratch = scratch
        self._path = f"{scratch}/roots-{digest}"

    def read(self) -> list[KnownRoots]:
        """Return what is known, the latest last."""
        text = files.read_text(self._path) or ""
        lines = (line.split(" ") for line in text.splitlines())
        return [
            KnownRoots(words[0], None if words[1:] == [_UNKNOWN] else tuple(words[1:]))
            for words in lines
            if is_object_id(words[0])
            and all(is_object_id(word) or word == _UNKNOWN for word in words[1:])
        ]

    def write(self, known: list[KnownRoots]) -> None:
        """Remember the latest; a failure costs only time."""
        lines = (
            f"{k.commit} {' '.join(k.roots if k.roots is not None else (_UNKNOWN,))}\n"
            for k in known[-_MOST_KEPT:]
        )
        with suppress(OSError):
            draft = f"{drafts_in(self._scratch)}/roots-{os.getpid()}"
            replace_file(self._path, "".join(lines).encode(), half=draft, durable=False)


def known_roots(commit: str, known: list[KnownRoots], ask: Ask) -> KnownRoots | None:
    """Return the roots `commit` descends from, or None if git could not be asked."""
    for base in reversed(known):
        if base.commit == commit:
            return base
    for base in reversed(known[-_BASES_TRIED:]):
        answer = ask(("merge-base", "--is-ancestor", base.commit, commit))
        if answer is not None and answer.is_good:
            return _continued(base, commit, ask)
    return _walked(commit, ask(("rev-list", "--max-parents=0", commit, "--")))


def _parts(url: str) -> tuple[str, str]:
    """Return host and path, or two empty texts."""
    if found := _URL.match(url):
        host = _HOST.fullmatch(found[2])
        known = found[1].lower() in _NETWORK and host is not None
        return (_bare(host[1]), found[3]) if known and host else ("", "")
    # `C:\work` is a path on a drive, and one letter is nobody's host.
    if (found := _SCP.fullmatch(url)) and len(found[1]) > 1:
        return _scp_host(found[1]), found[2]
    return "", ""


def _scp_host(text: str) -> str:
    """Return the host of `host`, `[host:port]` or `[::1]`."""
    inner = _bare(text)
    if inner is text or inner.count(":") != 1:
        return inner
    return inner.split(":")[0].rpartition("@")[2]


def _bare(host: str) -> str:
    return host[1:-1] if host.startswith("[") else host


def _continued(base: KnownRoots, commit: str, ask: Ask) -> KnownRoots | None:
    if base.roots is None:
        return KnownRoots(commit, None)
    exclude = f"^{base.commit}"
    new = _walked(commit, ask(("rev-list", "--max-parents=0", commit, exclude, "--")))
    if new is None or new.roots is None:
        return new
    return KnownRoots(commit, tuple(sorted({*base.roots, *new.roots})))


def _walked(commit: str, answer: GitAnswer | None) -> KnownRoots | None:
    if answer is not None and answer.is_late:
        return KnownRoots(commit, None)
    if answer is None or not answer.is_good:
        return None
    return KnownRoots(commit, tuple(sorted(filter(is_object_id, answer.text.split()))))
