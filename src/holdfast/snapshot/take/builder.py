"""From a worktree to a tree: look, judge what differs, write what is new.

What was judged once is not read again, and a tree that is there is not written again: a
look at an unchanged worktree costs one git, a look at one with few changes two.
"""

from contextlib import ExitStack
from time import monotonic

from holdfast.domain.code import LeftOut
from holdfast.kernel.lazy_values import dataclass, field, replace
from holdfast.snapshot.git.files import blob_id
from holdfast.snapshot.git.trees import TookTooLong
from holdfast.snapshot.take import file_memo as memos
from holdfast.snapshot.take.file_memo import Memo
from holdfast.snapshot.take.include_rules import (
    DENIED,
    NO_TIME,
    SECRET,
    FoundFile,
    Judge,
    fewest_beside_first,
    in_order,
    is_many,
    is_much,
    mode_of,
    what_fits,
)
from holdfast.snapshot.take.tree_writer import Named, TreeWriter, Written, writer
from holdfast.snapshot.take.worktree_index import Unsound, WorktreeIndex, WorktreeLook

_MOST_NAMES = 32  # that differ from our index before it is brought up to date
_READING_SHARE = 0.6  # of the time; the rest is for writing down what was read


@dataclass(frozen=True, slots=True)
class Built:
    tree: str
    left_out: tuple[LeftOut, ...]


@dataclass(slots=True)
class _Draft:
    """What is known so far of the tree to be."""

    names: dict[str, Named] = field(default_factory=dict)  # what differs from the base
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    in_index: set[str] = field(default_factory=set)
    added: set[str] = field(default_factory=set)  # ignored, and tracked all the same
    later: set[str] = field(default_factory=set)  # new: there may be a tree without
    is_short: bool = False  # there was no time for some file
    waiting: int = 0  # files without which there is no tree, and no time for them

    def leave_out(self, left: LeftOut) -> None:
        self.left_out[left.path] = left
        self.remove(left.path)

    def remove(self, path: str) -> None:
        if path in self.in_index:
            self.names[path] = Named(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    place: WorktreeIndex
    judge: Judge
    until: float  # monotonic
    now_ns: int  # the file system's own time

    def build(self) -> Built:
        """Return the tree of the worktree as it is; its objects are durable.

        Raises:
            Unsound: what we remember contradicts itself.
            NotTaken: the tree could not be made.
            OSError: something of ours cannot be written.
        """
        memo = memos.read(self.place.memo, self.judge.secrets)
        rules = self.place.prepare(memo, self.judge.denied.source)
        base = self.place.base(memo)
        if (base or "") != memo.base:
            raise Unsound
        seen = self.place.look(self.until)
        draft = _Draft(in_index=set(seen.changed))
        is_new_rule = self._apply_rules(memo, rules, seen, draft)
        pending = self._sorted(memo, seen, draft)
        with ExitStack() as stack:
            out = _LazyWriter(stack, self.place, self.until)
            self._read(pending, memo, draft, out)
            tree = self._finish(memo, draft, out, moves=is_new_rule or base is None)
        if draft.waiting:
            raise TookTooLong(
                f"there was no time for {draft.waiting:,} files; the next save continues"
            )
        left_out = sorted(draft.left_out.values(), key=lambda left: left.path)
        return Built(tree, tuple(left_out))

    def _apply_rules(
        self, memo: Memo, rules: str, seen: WorktreeLook, draft: _Draft
    ) -> bool:
        """Judge again what is in our index, if a rule is new; say whether one is."""
        theirs = self.place.their_index_sign()
        ignoring = any(
            path.rpartition("/")[2] == ".gitignore"
            for path in (*seen.changed, *seen.untracked)
        )
        is_new = ignoring or memo.rules != rules
        if not is_new and memo.theirs == theirs:
            return False
        ours = self.place.ignored(self.until)
        tracked = self.place.ignored_by_them(memo, self.until)
        for path in ours - tracked:
            draft.in_index.add(path)
            draft.remove(path)
        # A file may be ignored, and tracked all the same: it belongs to the code.
        draft.added = tracked - ours
        if memo.rules != rules and self.judge.denied.source:
            self._leave_denied(draft)
        memo.rules, memo.theirs = rules, theirs
        return bool(is_new or draft.added)

    def _leave_denied(self, draft: _Draft) -> None:
        root = self.place.root
        for path in self.place.paths(self.until):
            if self.judge.denied.covers(f"{root}/{path}"):
                draft.in_index.add(path)
                draft.leave_out(LeftOut(path, DENIED))

    def _sorted(self, memo: Memo, seen: WorktreeLook, draft: _Draft) -> list[FoundFile]:
        """Settle what needs no reading, and return the rest in the order to read it."""
        limits = self.judge.limits
        is_large = is_many(len(seen.untracked))
        tracked = self._tracked(memo) if is_large else set()
        untracked, later = fewest_beside_first(
            seen.untracked, tracked, limits.max_untracked
        )
        pending = []
        for path in (*seen.changed, *untracked, *sorted(draft.added)):
            if path in draft.names:
                continue  # a new rule removed it
            found = self.judge.found(path)
            if not self._settle(found, memo, draft):
                pending.append(found)
        if not is_large and is_much(pending, limits):
            is_large, tracked = True, self._tracked(memo)
        draft.later = set(untracked) - tracked if is_large else set()
        fitting, waiting = what_fits(in_order(pending, draft.later), limits)
        for left in (*later, *waiting):
            draft.leave_out(left)
        return fitting

    def _tracked(self, memo: Memo) -> set[str]:
        return self.place.tracked_by_them(memo, self.until)

    def _settle(self, found: FoundFile, memo: Memo, draft: _Draft) -> bool:
        """Put a file in its place without reading it; False where it must be read."""
        path = found.path
        left = self.judge.at_sight(found)
        if left is not None:
            draft.leave_out(left)
            return True
        if found.stat is None:
            draft.remove(path)
            return True
        sign = memos.sign(found.stat)
        if memo.secret.get(path) == sign:
            draft.leave_out(LeftOut(path, SECRET))
            return True
        known = memo.kept.get(path)
        if known is not None and known[0] == sign:
            draft.names[path] = Named(path, int(known[1]), known[2])
            return True
        return False

    def _read(
        self, pending: list[FoundFile], memo: Memo, draft: _Draft, out: "_LazyWriter"
    ) -> None:
        judge = replace(self.judge, many=is_many(len(pending)))
        reading_ends = monotonic() + (self.until - monotonic()) * _READING_SHARE
        for place, found in enumerate(pending):
            if monotonic() > reading_ends:
                _wait(pending[place:], draft)
                return
            read = judge.read(found)
            if isinstance(read, LeftOut):
                draft.leave_out(read)
                continue
            object_id = blob_id(read)
            is_new = not memo.has_kept(found.path, object_id)
            if is_new and judge.is_secret(found.path, read):
                draft.leave_out(LeftOut(found.path, SECRET))
                memo.secret[found.path] = self._sign(found)
                continue
            if is_new:
                out.get().add(read)
            self._keep(found, object_id, memo, draft)

    def _keep(
        self, found: FoundFile, object_id: str, memo: Memo, draft: _Draft
    ) -> None:
        if found.stat is None:
            return
        mode = mode_of(found.stat)
        draft.names[found.path] = Named(found.path, mode, object_id)
        memo.kept[found.path] = [self._sign(found), str(mode), object_id]

    def _sign(self, found: FoundFile) -> str:
        """Return a sign by which a file is known again, or one that never matches."""
        if found.stat is None or not memos.is_settled(found.stat, self.now_ns):
            return "?"
        return memos.sign(found.stat)

    def _finish(
        self, memo: Memo, draft: _Draft, out: "_LazyWriter", *, moves: bool
    ) -> str:
        """Write the tree, unless it is there, and remember what was found."""
        names = {path: str(name) for path, name in draft.names.items()}
        moves = moves or len(names) > _MOST_NAMES or draft.is_short
        _forget_settled(memo, draft)
        if names == memo.names and memo.tree and not out.is_used and not moves:
            memos.write(self.place.memo, memo, self.judge.secrets)
            return memo.tree
        base, known = memo.base_tree or None, {}
        if memo.tree and memo.names.keys() <= names.keys():
            base, known = memo.tree, memo.names  # only what is new since
        new = (draft.names[path] for path in names if known.get(path) != names[path])
        written = out.get().finish(self.place.draft_ref(), base, new)
        out.close()
        self._remember(memo, written, names, moves=moves)
        return written.tree

    def _remember(
        self, memo: Memo, written: Written, names: dict[str, str], *, moves: bool
    ) -> None:
        memo.names, memo.tree = names, written.tree
        if moves:
            try:
                self.place.sync(written, self.until, refresh=is_many(len(names)))
            except (Unsound, TookTooLong):
                # The tree is whole all the same; the next look begins anew.
                self.place.forget()
                return
            memo.base, memo.base_tree = written.commit, written.tree
            memo.names, memo.kept = {}, {}
        memos.write(self.place.memo, memo, self.judge.secrets)


class _LazyWriter:
    """A writer that is started when it is first needed."""

    def __init__(self, stack: ExitStack, place: WorktreeIndex, until: float) -> None:
        self._stack = stack
        self._place = place
        self._until = until
        self._writer: TreeWriter | None = None

    @property
    def is_used(self) -> bool:
        return self._writer is not None

    def get(self) -> TreeWriter:
        if self._writer is None:
            started = writer(self._place.objects, self._until)
            self._writer = self._stack.enter_context(started)
        return self._writer

    def close(self) -> None:
        self._stack.close()


def _wait(late: list[FoundFile], draft: _Draft) -> None:
    """Leave out what there was no time to read."""
    draft.is_short = True
    draft.waiting = sum(found.path not in draft.later for found in late)
    for found in late:
        draft.leave_out(LeftOut(found.path, NO_TIME))


def _forget_settled(memo: Memo, draft: _Draft) -> None:
    """Forget files that differ no more, and secrets that went."""
    memo.kept = {
        path: known for path, known in memo.kept.items() if path in draft.names
    }
    memo.secret = {
        path: sign for path, sign in memo.secret.items() if path in draft.left_out
    }
