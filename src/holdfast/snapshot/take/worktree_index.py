"""One worktree as our own git sees it: an index of ours that remembers file times.

The git directory has our configuration and nothing of the repository's but its ignore
rules; our attributes say that no file is ever converted.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from time import monotonic
from zlib import crc32

from holdfast.kernel.digests import sha1, sha256
from holdfast.kernel.directories import make_directory
from holdfast.kernel.files import remove_quietly
from holdfast.kernel.lazy_values import dataclass
from holdfast.redaction.files import SecretFiles
from holdfast.snapshot.git import files, gitconfig
from holdfast.snapshot.git.code import user_settings
from holdfast.snapshot.git.own_git_directory import (
    copy_worktree_files,
    odd_rule_below,
    odd_rule_in,
    own_git_dir,
    plain_rules,
    rules_of,
)
from holdfast.snapshot.git.program import Git
from holdfast.snapshot.git.repository import Repository
from holdfast.snapshot.git.trees import NotTaken, Objects, TookTooLong, asked, within
from holdfast.snapshot.take.file_memo import Memo, sign_of
from holdfast.snapshot.take.kept_trees import DRAFTS, PLACES
from holdfast.snapshot.take.tree_writer import Written

_ATTRIBUTES = b"* -text -ident -filter -working-tree-encoding\n"
_NO_COMMIT = "ref: refs/heads/none"
# Of the user's and the repository's settings, those that say what a name is.
_SETTINGS = ("core.excludesfile", "core.ignorecase", "core.precomposeunicode")
_OURS = """\
[core]
	repositoryFormatVersion = 0
	bare = false
	hooksPath = /dev/null
	fsmonitor = false
	fsync = none
	sharedRepository = 0600
	protectHFS = true
	protectNTFS = true
"""
_STATUS = (
    "status", "--porcelain", "-z", "--no-renames", "-uall", "--ignore-submodules=all",
)  # fmt: skip
_TRACKED = ("ls-files", "-z", "-c")
_IGNORED = (*_TRACKED, "-i", "--exclude-standard")
_CHECKSUM = 20  # bytes
_SUSPICIOUS = 10.0  # seconds; a look at a hundred thousand files takes one


class Unsound(Exception):
    """What we remember of a worktree contradicts itself; it can be made again."""


@dataclass(frozen=True, slots=True)
class WorktreeLook:
    """What differs from our index: paths in it, and paths that are not."""

    changed: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()  # a directory, with `/`: a repository of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class WorktreeIndex:
    """A worktree, or a directory without git, and our own git directory for it."""

    root: str
    repository: Repository | None
    values: gitconfig.Values  # the repository's own configuration
    git_dir: str
    objects: Objects
    git: Git
    secrets: SecretFiles

    @property
    def key(self) -> str:
        return os.path.basename(self.git_dir)

    @property
    def memo(self) -> str:
        return f"{self.git_dir}/memo"

    def prepare(self, memo: Memo, denied: str) -> str:
        """Make the git directory, or bring its rules up to date; return their digest.

        `denied` are the client's own, which belong to the digest and are not written.

        Raises:
            OSError: it cannot be written.
        """
        for part in ("refs", "info"):
            make_directory(f"{self.git_dir}/{part}")
        exclude = self._theirs("info/exclude")
        settings = self._settings(memo)
        config = _OURS + _written(settings)
        for name, content in (
            ("root", os.fsencode(self.root)),
            ("config", os.fsencode(config)),
            ("info/attributes", _ATTRIBUTES),
            (
                "info/exclude",
                rules_of(files.read(exclude, files.LARGE) or b"", self.secrets),
            ),
        ):
            _keep_equal(f"{self.git_dir}/{name}", content)
        if not os.path.exists(f"{self.git_dir}/HEAD"):
            self._write("HEAD", _NO_COMMIT.encode())
        # We hold the lock: a killed git left them, and the next would refuse to write.
        remove_quietly(f"{self.git_dir}/index.lock")
        remove_quietly(f"{self.objects.path}/{self.draft_ref()}.lock")
        rules = (exclude, *self._ignore_files(settings))
        return _digest([config, denied, *map(sign_of, rules)])

    def base(self, memo: Memo) -> str | None:
        """Return the commit of what our index holds, or None if it holds nothing.

        A power cut can leave half an index, and git would not notice. Its own checksum is
        asked once for each index: ours, noted then, takes a tenth of the time.

        Raises:
            Unsound: the index is damaged.
        """
        head = (files.read_text(f"{self.git_dir}/HEAD") or "").strip()
        if head == _NO_COMMIT:
            return None
        index = files.read(f"{self.git_dir}/index", files.LARGE * 8)
        if not index:
            raise Unsound
        quick = crc32(index)
        if quick != memo.index_sum:
            if not _matches_checksum(index):
                raise Unsound
            memo.index_sum = quick
        return head

    def look(self, until: float) -> WorktreeLook:
        """Compare the worktree with our index; git remembers the times it saw.

        Raises:
            Unsound: the index does not hold what it should.
            NotTaken: there is no git, it took too long, or rules cannot be read.
        """
        if odd := odd_rule_in(self.root):
            raise NotTaken(f"`{odd}` is not a plain file")
        if monotonic() >= until:  # a git that answers at once would come to nothing
            raise TookTooLong("it took too long")
        answer = self._status(until)
        changed, untracked = [], []
        for line in filter(None, answer.split(b"\0")):
            path = os.fsdecode(line[3:])
            if line.startswith(b"??"):
                untracked.append(path)
            elif line.startswith(b" "):
                changed.append(path)
            else:
                raise Unsound
        return WorktreeLook(tuple(changed), tuple(untracked))

    def _status(self, until: float) -> bytes:
        """Ask git; once it takes suspiciously long, look whether something holds it."""
        try:
            return self._ask(_STATUS, min(until, monotonic() + _SUSPICIOUS))
        except TookTooLong:
            if odd := odd_rule_below(self.root):
                raise NotTaken(f"`{odd}` is not a plain file") from None
        return self._ask(_STATUS, until)

    def paths(self, until: float) -> list[str]:
        """Return every path in our index."""
        return _split(self._ask(("ls-files", "-z"), until))

    def ignored(self, until: float) -> set[str]:
        """Return what is in our index though an ignore rule names it."""
        return set(_split(self._ask(_IGNORED, until)))

    def ignored_by_them(self, memo: Memo, until: float) -> set[str]:
        """Return what the repository tracks though an ignore rule names it.

        Raises:
            OSError: the scratch directory cannot be written.
        """
        return self._asked_of_theirs(_IGNORED, memo, until)

    def tracked_by_them(self, memo: Memo, until: float) -> set[str]:
        """Return what the repository tracks; nothing where there is none.

        Raises:
            OSError: the scratch directory cannot be written.
        """
        return self._asked_of_theirs(_TRACKED, memo, until)

    def _asked_of_theirs(
        self, question: Sequence[str], memo: Memo, until: float
    ) -> set[str]:
        """Ask a copy of the repository's own index."""
        theirs = self.repository
        if theirs is None:
            return set()
        scratch = os.path.dirname(os.path.dirname(self.git_dir))
        settings = self._settings(memo)
        with own_git_dir(scratch, self.values, settings=settings) as git_dir:
            copy_worktree_files(git_dir, theirs, self.secrets)
            answer = asked(within(self.git, until), git_dir, theirs, question)
        return set(_split(answer.output)) if answer.is_good else set()

    def their_index_sign(self) -> str:
        return sign_of(f"{self.repository.git_dir}/index") if self.repository else ""

    def sync(self, written: Written, until: float, *, refresh: bool) -> None:
        """Let our index hold a tree; times of files that stay the same are kept.

        Those of the others are noted now or, without `refresh`, by the next look.

        Raises:
            Unsound: git could not do it.
        """
        self._write("HEAD", written.commit.encode())
        make_directory(f"{self.objects.path}/{PLACES}")
        self._hold(f"{PLACES}/{self.key}", written.commit)
        self._ask(("read-tree", "-i", "-m", written.commit), until)
        if refresh:
            # What changed meanwhile makes git answer "no": the next look finds it. So
            # it does where there was no time to note anything.
            with suppress(TookTooLong):
                self._ask(("update-index", "-q", "--refresh"), until, no_is_fine=True)

    def forget(self) -> None:
        """Forget what our index holds; the next look begins anew."""
        for name in ("index", "index.lock", "memo", "HEAD"):
            remove_quietly(f"{self.git_dir}/{name}")

    def draft_ref(self) -> str:
        return f"{DRAFTS}/{self.key}"

    def _ask(
        self, question: Sequence[str], until: float, *, no_is_fine: bool = False
    ) -> bytes:
        top = self.repository.main_root if self.repository else self.root
        place = Repository(
            git_dir=self.git_dir,
            common_dir=self.objects.path,
            worktree=self.root,
            main_root=top,
        )
        answer = asked(within(self.git, until), self.git_dir, place, question)
        if not answer.is_good and not no_is_fine:
            raise Unsound
        return answer.output

    def _theirs(self, name: str) -> str:
        return f"{self.repository.common_dir}/{name}" if self.repository else os.devnull

    def _settings(self, memo: Memo) -> dict[str, str]:
        """Return settings that say what a name is; asked of git only when they change."""
        environ = self.git.environ
        home = environ.get("HOME", "")
        config_home = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
        places = (f"{home}/.gitconfig", f"{config_home}/git/config", "/etc/gitconfig")
        sign = "|".join(map(sign_of, places))
        if memo.settings_sign != sign:
            repository = self.repository or _bare(self.root)
            there = user_settings(self.git, repository) if sign.strip("|") else {}
            memo.settings = {name: there[name] for name in _SETTINGS if name in there}
            memo.settings_sign = sign
        own = {name: self.values[name][-1] for name in _SETTINGS if name in self.values}
        return plain_rules(memo.settings | own, environ, self.root)

    def _ignore_files(self, settings: dict[str, str]) -> Iterable[str]:
        home = self.git.environ.get("HOME", "")
        config_home = self.git.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
        yield f"{config_home}/git/ignore"
        if named := settings.get("core.excludesfile"):
            yield f"{home}{named[1:]}" if named.startswith("~/") else named

    def _write(self, name: str, content: bytes) -> None:
        files.replace(f"{self.git_dir}/{name}", content + b"\n")

    def _hold(self, ref: str, commit: str) -> None:
        files.replace(f"{self.objects.path}/{ref}", f"{commit}\n".encode())


def place_key(root: str) -> str:
    """Return the name of our directory for a worktree."""
    return sha256(os.fsencode(root)).hexdigest()[:24]


def _bare(root: str) -> Repository:
    return Repository(git_dir=root, common_dir=root, worktree=None, main_root=root)


def _written(settings: dict[str, str]) -> str:
    lines = []
    for name, value in sorted(settings.items()):
        key = name.removeprefix("core.")
        lines.append(f"\t{key} = {gitconfig.quoted(value)}\n")
    return "".join(lines)


def _matches_checksum(index: bytes) -> bool:
    digest = sha1(index[:-_CHECKSUM], usedforsecurity=False).digest()
    return digest == index[-_CHECKSUM:]


def _keep_equal(path: str, content: bytes) -> None:
    if files.read(path, files.LARGE) != content:
        files.replace(path, content)


def _digest(parts: Iterable[str]) -> str:
    text = "\n".join(parts).encode("utf-8", "surrogateescape")
    return sha256(text).hexdigest()


def _split(output: bytes) -> list[str]:
    return [os.fsdecode(path) for path in output.split(b"\0") if path]
