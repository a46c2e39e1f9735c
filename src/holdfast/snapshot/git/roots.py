"""The root commits of a history, remembered.

A walk over 50,000 commits takes 0.2 s, so the roots of a commit are kept beside it (they
never change) and those of a descendant are found by walking only what is new.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from holdfast.kernel.digests import sha1
from holdfast.kernel.files import replace_file
from holdfast.kernel.lazy_values import dataclass
from holdfast.snapshot.git import files
from holdfast.snapshot.git.layout import Repository
from holdfast.snapshot.git.own import drafts_in
from holdfast.snapshot.git.refs import is_object_id
from holdfast.snapshot.git.run import Answer

_MOST_KEPT = 16
_BASES_TRIED = 2
_UNKNOWN = "?"
Ask = Callable[[Sequence[str]], Answer | None]


@dataclass(frozen=True, slots=True)
class Known:
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

    def read(self) -> list[Known]:
        """Return what is known, the latest last."""
        text = files.read_text(self._path) or ""
        lines = (line.split(" ") for line in text.splitlines())
        return [
            Known(words[0], None if words[1:] == [_UNKNOWN] else tuple(words[1:]))
            for words in lines
            if is_object_id(words[0])
            and all(is_object_id(word) or word == _UNKNOWN for word in words[1:])
        ]

    def write(self, known: list[Known]) -> None:
        """Remember the latest; a failure costs only time."""
        lines = (
            f"{k.commit} {' '.join(k.roots if k.roots is not None else (_UNKNOWN,))}\n"
            for k in known[-_MOST_KEPT:]
        )
        with suppress(OSError):
            draft = f"{drafts_in(self._scratch)}/roots-{os.getpid()}"
            replace_file(self._path, "".join(lines).encode(), half=draft, durable=False)


def known_roots(commit: str, known: list[Known], ask: Ask) -> Known | None:
    """Return the roots `commit` descends from, or None if git could not be asked."""
    for base in reversed(known):
        if base.commit == commit:
            return base
    for base in reversed(known[-_BASES_TRIED:]):
        answer = ask(("merge-base", "--is-ancestor", base.commit, commit))
        if answer is not None and answer.is_good:
            return _continued(base, commit, ask)
    return _walked(commit, ask(("rev-list", "--max-parents=0", commit, "--")))


def _continued(base: Known, commit: str, ask: Ask) -> Known | None:
    if base.roots is None:
        return Known(commit, None)
    exclude = f"^{base.commit}"
    new = _walked(commit, ask(("rev-list", "--max-parents=0", commit, exclude, "--")))
    if new is None or new.roots is None:
        return new
    return Known(commit, tuple(sorted({*base.roots, *new.roots})))


def _walked(commit: str, answer: Answer | None) -> Known | None:
    if answer is not None and answer.is_late:
        return Known(commit, None)
    if answer is None or not answer.is_good:
        return None
    return Known(commit, tuple(sorted(filter(is_object_id, answer.text.split()))))
