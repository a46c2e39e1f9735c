"""What will a restore write, remove, leave alone or refuse?

Pure: two trees and what lies on disk in, steps out. Nothing that the present snapshot
does not hold is ever touched, so whatever is done can be undone.
"""

import unicodedata
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)

from holdfast.domain.code import LeftOut, TreeEntry, is_safe_path
from holdfast.domain.restore import (
    NEWER,
    FoundOnDisk,
    Remove,
    Respell,
    RestorePlan,
    Step,
    Write,
)
from holdfast.kernel.lazy_values import dataclass, replace

NOT_HELD = "no snapshot holds it"
IGNORED_THEN = "ignored by the rules of then"
_IN_THE_WAY = "a file that no snapshot holds is in the way"
_FULL = "a directory with files that no snapshot holds is in the way"
_UNSAFE = "such a path is never written"


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedCode:
    """The code that is asked for, as far as it is not the present."""

    entries: tuple[TreeEntry, ...]
    left_out: tuple[LeftOut, ...] = ()  # there at the time, though not in the tree
    paths: tuple[str, ...] | None = None  # only these and what is below them; None: all
    exact: bool = False  # also remove what is newer

    def chosen(self) -> Callable[[str], bool]:
        """Return whether a path is asked for, as a function of it."""
        if self.paths is None:
            return lambda _: True
        only = dict.fromkeys(self.paths, "")
        return lambda path: _covering(path, only) is not None


@dataclass(frozen=True, slots=True)
class PresentCode:
    """The code as it was just saved, as far as it is not what is wanted."""

    by_path: Mapping[str, TreeEntry]
    left_out: tuple[LeftOut, ...] = ()

    @classmethod
    def of(
        cls, entries: Iterable[TreeEntry], left_out: tuple[LeftOut, ...] = ()
    ) -> "PresentCode":
        return cls({entry.path: entry for entry in entries}, left_out)

    def and_also(self, entries: Iterable[TreeEntry]) -> "PresentCode":
        """Return the present with files that another snapshot holds."""
        more = {e.path: e for e in entries if e.path not in self.by_path}
        return replace(self, by_path={**self.by_path, **more}) if more else self


def to_look_at(wanted: WantedCode, present: PresentCode) -> tuple[str, ...]:
    """Return the paths that a plan must know more of than two trees tell."""
    fresh = [
        entry.path
        for entry in _differing(wanted, present)
        if entry.path not in present.by_path and is_safe_path(entry.path)
    ]
    if not fresh:
        return ()
    folded = {_folded(path) for path in fresh}
    alike = [path for path in present.by_path if _folded(path) in folded]
    return tuple(sorted({*fresh, *alike}))


def plan(
    wanted: WantedCode, present: PresentCode, found: Mapping[str, FoundOnDisk]
) -> RestorePlan:
    """Return what to do; `found` tells what lies at each path of `to_look_at`."""
    return _Planner(wanted, present, found).plan()


def undoing(paths: Iterable[str], before: Iterable[TreeEntry]) -> WantedCode:
    """Return what undoing wants: these paths exactly as they were."""
    touched = tuple(sorted(paths))
    held = set(touched)
    entries = tuple(entry for entry in before if entry.path in held)
    return WantedCode(entries=entries, paths=touched, exact=True)


def rules_differ(wanted: WantedCode, present: PresentCode) -> bool:
    """Say whether the ignore rules of then are not those of now."""
    return bool(rules_of(wanted.entries)) or bool(rules_of(present.by_path.values()))


def rules_of(entries: Iterable[TreeEntry]) -> tuple[TreeEntry, ...]:
    """Return the files that hold ignore rules."""
    return tuple(e for e in entries if e.path.rpartition("/")[2] == ".gitignore")


def newer_paths(wanted: WantedCode, present: PresentCode) -> tuple[str, ...]:
    """Return what is in the present and not in the tree that is wanted."""
    then = {entry.path for entry in wanted.entries}
    return tuple(path for path in present.by_path if path not in then)


def with_ignored(wanted: WantedCode, ignored: Sequence[str]) -> WantedCode:
    """Return what is wanted, knowing which files were ignored then: not newer."""
    left = tuple(LeftOut(path, IGNORED_THEN) for path in ignored)
    return replace(wanted, left_out=(*wanted.left_out, *left))


def with_permissions(made: RestorePlan, permissions: Mapping[str, int]) -> RestorePlan:
    """Return the plan with each file's permissions as they are known to have been."""
    steps = tuple(
        replace(step, permissions=permissions.get(step.path))
        if isinstance(step, Write)
        else step
        for step in made.steps
    )
    return replace(made, steps=steps)


class _Planner:
    def __init__(
        self, wanted: WantedCode, present: PresentCode, found: Mapping[str, FoundOnDisk]
    ) -> None:
        self._wanted = wanted
        self._then = {entry.path for entry in wanted.entries}
        self._present = present
        self._found = found
        self._not_held = _reasons(present.left_out)
        self._writes: list[Write] = []
        self._respells: list[Respell] = []
        self._kept: dict[str, str] = {}
        self._refused: dict[str, str] = {}
        self._in_the_way: set[str] = set()

    def plan(self) -> RestorePlan:
        for entry in _differing(self._wanted, self._present):
            self._place(entry)
        gone = {step.entry.path for step in self._respells} | self._in_the_way
        newer = [path for path in self._newer(gone) if path not in self._kept]
        steps: list[Step] = [*self._respells, *self._removals(self._in_the_way)]
        steps += sorted(self._writes, key=lambda write: write.path)
        if self._wanted.exact:
            steps += self._removals(newer)
        else:
            self._kept |= dict.fromkeys(newer, NEWER)
        return RestorePlan(
            steps=tuple(steps), kept=_told(self._kept), refused=_told(self._refused)
        )

    def _place(self, entry: TreeEntry) -> None:
        """Decide about one file that is not as it was."""
        path, left_out = entry.path, _covering(entry.path, self._not_held)
        before = self._present.by_path.get(path)
        found = self._found.get(path)
        if not is_safe_path(path):
            self._refused[path] = _UNSAFE
        elif left_out is not None:
            self._kept[path] = left_out
        elif before is not None or found is None:
            self._writes.append(Write(entry, before))
        elif found.kind == "directory":
            self._replace_directory(entry, found)
        elif found.kind == "behind":
            self._replace_blocker(entry, found)
        else:
            self._replace_file(entry, found)

    def _replace_directory(self, entry: TreeEntry, found: FoundOnDisk) -> None:
        strangers = [p for p in found.inside if p not in self._present.by_path]
        if strangers:
            self._refused[entry.path] = f"{_FULL}: {strangers[0]}"
            return
        self._in_the_way.update(found.inside)
        self._writes.append(Write(entry))

    def _replace_blocker(self, entry: TreeEntry, found: FoundOnDisk) -> None:
        if found.blocker not in self._present.by_path:
            self._refused[entry.path] = f"{_IN_THE_WAY}: {found.blocker}"
            return
        self._in_the_way.add(found.blocker)
        self._writes.append(Write(entry))

    def _replace_file(self, entry: TreeEntry, found: FoundOnDisk) -> None:
        """A file lies there that the tree does not name: another spelling, or not ours."""
        old = self._same_file(entry.path, found)
        if old is None:
            self._kept[entry.path] = NOT_HELD
            return
        self._respells.append(Respell(old, entry.path))
        if not _is_same(old, entry):
            self._writes.append(Write(entry, replace(old, path=entry.path)))

    def _same_file(self, path: str, found: FoundOnDisk) -> TreeEntry | None:
        for other, there in self._found.items():
            if other in self._then or _folded(other) != _folded(path):
                continue
            if there.identity == found.identity and other in self._present.by_path:
                return self._present.by_path[other]
        return None

    def _newer(self, gone: AbstractSet[str]) -> Iterator[str]:
        """Yield what is here now and is not in the tree of then.

        What was there all the same, though no snapshot held it, is kept.
        """
        is_chosen = self._wanted.chosen()
        not_held_then = _reasons(self._wanted.left_out)
        for path in self._present.by_path:
            is_asked_for = is_chosen(path) and is_safe_path(path)
            if path in self._then or path in gone or not is_asked_for:
                continue
            if reason := _covering(path, not_held_then):
                self._kept[path] = reason
            yield path

    def _removals(self, paths: Iterable[str]) -> list[Step]:
        deepest_first = sorted(paths, reverse=True)
        return [Remove(self._present.by_path[path]) for path in deepest_first]


def _differing(wanted: WantedCode, present: PresentCode) -> Iterator[TreeEntry]:
    is_chosen = wanted.chosen()
    for entry in wanted.entries:
        now = present.by_path.get(entry.path)
        if is_chosen(entry.path) and not (now and _is_same(now, entry)):
            yield entry


def _is_same(one: TreeEntry, other: TreeEntry) -> bool:
    return one.object_id == other.object_id and one.mode == other.mode


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _covering(path: str, reasons: Mapping[str, str]) -> str | None:
    """Return the reason that holds for a path or for a directory above it."""
    if not reasons:
        return None
    parts = path.split("/")
    for end in range(len(parts), 0, -1):
        reason = reasons.get("/".join(parts[:end]))
        if reason is not None:
            return reason
    return None


def _reasons(left_out: Iterable[LeftOut]) -> dict[str, str]:
    return {left.path.rstrip("/"): left.reason for left in left_out}


def _told(reasons: Mapping[str, str]) -> tuple[LeftOut, ...]:
    return tuple(LeftOut(path, reasons[path]) for path in sorted(reasons))
