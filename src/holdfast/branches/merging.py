"""Several checkpoints to one: what each knows, together, and where they contradict. Pure.

    what all came from + what each says ──► one content, and the conflicts to choose from

No statement of any side is lost, but for what stood in the ancestor, has not been touched
since, and was settled on another side: that is done, mended or answered. Who said it, and
in which lines, stays with it; words of an agent never become the user's.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.branches.conflicts import Conflict, conflicts_of, without_refused
from holdfast.branches.identity import Key, Side, is_same_state, key_of, words_of
from holdfast.domain.checkpoint import (
    Content,
    FileRef,
    Item,
    Source,
    is_open,
    note_fact,
)
from holdfast.domain.fact import (
    ChangedFiles,
    CreatedFile,
    Failure,
    Goal,
    ItemFact,
    Note,
    PassingCommand,
    RequestContext,
    text_of,
)
from holdfast.domain.kinds import ITEM_FIELDS, PASSING
from holdfast.facts.work.files import modified
from holdfast.facts.work.headline import summary_of
from holdfast.facts.work.outcomes import is_task
from holdfast.facts.work.technologies import blockers_of
from holdfast.kernel.lazy_values import dataclass, field, replace

_APART = ("goal", "requests", "blockers")
_TRUST: tuple[Source, ...] = ("user", "tool", "engine", "agent")


Choices = Mapping[int, str]  # of a conflict, the id of the side that is right


@dataclass(frozen=True, slots=True)
class MergedContent:
    content: Content
    conflicts: tuple[Conflict, ...] = ()
    chosen: Choices = field(default_factory=dict)

    @property
    def undecided(self) -> tuple[Conflict, ...]:
        """Conflicts of which both sides stay."""
        return tuple(c for c in self.conflicts if c.number not in self.chosen)


def merged(
    base: Content | None, sides: Sequence[Side], choices: Choices | None = None
) -> MergedContent:
    """Return what all sides know together; the first is home, whose goal goes on.

    Conflicts are numbered in an order that does not depend on the order of the sides.
    """
    marked = [_with_origins(side, sides[0]) for side in sides]
    before = _known(base) if base else {}
    found = [_known(side.content) for side in marked]
    lists = _lists(before, found)
    conflicts = conflicts_of(before, marked, lists)
    lists = without_refused(lists, conflicts, choices or {})
    home = marked[0].content
    parts: dict[str, Any] = {**lists, **_rest(marked, home)}
    content = replace(home, **parts)
    held_up = blockers_of(content.errors, content.open_questions)
    content = replace(
        content, blockers=held_up, key_outcomes=_outcomes(content, before)
    )
    content = replace(content, summary=_summary(marked, content))
    return MergedContent(content, conflicts, choices or {})


def _with_origins(side: Side, home: Side) -> Side:
    """Return a side whose statements say which checkpoint they are from."""
    content = side.content
    other = "" if side.tree == home.tree else side.label
    lists: dict[str, Any] = {
        kind: tuple(_placed(item, side, other) for item in getattr(content, kind))
        for kind in ITEM_FIELDS
    }
    if not side.is_own:
        lists["files"] = tuple(
            replace(file, origin=file.origin or side.checkpoint_id)
            for file in content.files
        )
    if other:
        # What a command came to is so with the code that it ran on, and no other.
        lists["commands"] = tuple(
            replace(one, ran_in=one.ran_in or other) for one in content.commands
        )
    return replace(side, content=replace(content, **lists))


def _placed(item: Item, side: Side, other: str) -> Item:
    if other:
        item = _with_place(item, other)
    if isinstance(item.fact, Note | Goal) and not item.fact.number:
        item = replace(item, fact=replace(item.fact, number=side.number))
    if side.is_own or item.origin:
        return item
    return replace(item, origin=side.checkpoint_id)


def _with_place(item: Item, other: str) -> Item:
    """What passes or fails with the code of another side says nothing of home's."""
    fact = item.fact
    if isinstance(fact, PassingCommand) and not item.doubt:
        return replace(item, doubt=f"seen with the code of {other}")
    if isinstance(fact, Failure) and fact.state == "open" and not fact.ran_in:
        there = replace(fact, ran_in=other)
        return replace(item, fact=there, text=text_of(there))
    return item


def _known(content: Content) -> dict[Key, Item]:
    """Return each statement by what it is known by, in order."""
    known: dict[Key, Item] = {}
    for kind in ITEM_FIELDS:
        for item in getattr(content, kind):
            key = key_of(kind, item)
            known[key] = _joined([known[key], item]) if key in known else item
    return known


def _lists(
    before: Mapping[Key, Item], sides: Sequence[Mapping[Key, Item]]
) -> dict[str, tuple[Item, ...]]:
    """Return the statements of each kind: those of other sides, then those of home."""
    found: dict[str, list[Item]] = {kind: [] for kind in ITEM_FIELDS}
    for key in dict.fromkeys(key for side in (*sides[1:], sides[0]) for key in side):
        item = _settled(key, before.get(key), sides)
        if item is not None:
            found[str(key[0])].append(item)
    lists = {kind: tuple(items) for kind, items in found.items() if kind not in _APART}
    goals = _goals(sides)
    wanted = [key for key in goals if key in sides[0]]
    if not wanted and not any(key[0] == "requests" for key in sides[0]):
        wanted = [*goals]  # home wants nothing of its own
    lists["goal"] = tuple(goals[key] for key in wanted[:1])
    others = [goal for key, goal in goals.items() if key not in wanted[:1]]
    lists["requests"] = (*_asked_elsewhere(others, found), *found["requests"])
    return lists


def _settled(
    key: Key, before: Item | None, sides: Sequence[Mapping[Key, Item]]
) -> Item | None:
    """Return a statement as it stands after all sides, None where one settled it."""
    there = [side[key] for side in sides if key in side]
    if before is None:
        return _joined(there)
    changed = [item for item in there if not is_same_state(before, item)]
    is_settled = key[0] in PASSING and len(there) < len(sides)
    if is_settled and not changed:
        return None
    return _joined(changed or there, there)


def _joined(items: Sequence[Item], proof: Sequence[Item] = ()) -> Item:
    """Return one statement of several that say the same, with the lines of all that
    are as much worth: what the user typed is not what somebody says they did."""
    first = min(items, key=lambda item: (not is_open(item), _TRUST.index(item.source)))
    same = [item for item in proof or items if item.source == first.source]
    lines = dict.fromkeys(line for item in (first, *same) for line in item.evidence)
    excerpt = first.excerpt or next((i.excerpt for i in same if i.excerpt), "")
    own = (
        first
        if first.origin is None
        else next((i for i in same if i.origin is None), first)
    )
    return replace(
        first,
        evidence=tuple(lines),
        excerpt=excerpt,
        origin=own.origin,
        age=min(item.age for item in same),
    )


def _goals(sides: Sequence[Mapping[Key, Item]]) -> dict[Key, Item]:
    found: dict[Key, Item] = {}
    for side in sides:
        for key, item in side.items():
            if key[0] == "goal":
                found.setdefault(key, item)
    return found


def _asked_elsewhere(
    goals: Sequence[Item], found: Mapping[str, Sequence[Item]]
) -> Iterator[Item]:
    """Yield the goals of other sides as what they are here: earlier requests."""
    asked = {(item.text, item.evidence[:1]) for item in found["requests"]}
    for goal in goals:
        if (goal.text, goal.evidence[:1]) not in asked:
            context = RequestContext(
                answering=goal.fact.answering if isinstance(goal.fact, Goal) else ""
            )
            yield replace(goal, fact=context)


def _outcomes(content: Content, before: Mapping[Key, Item]) -> tuple[Item, ...]:
    """Return what was done, sums as they are of the files of all sides; what stood there
    as done and was begun again since is open."""
    again = {
        words_of(item)
        for item in content.pending
        if key_of("pending", item) not in before
    }
    return tuple(
        _counted(item, content.files)
        for item in content.key_outcomes
        if not is_task(item)
        or words_of(item) not in again
        or key_of("key_outcomes", item) not in before
    )


def _counted(item: Item, files: Sequence[FileRef]) -> Item:
    fact = _sum(item.fact, modified(files))
    return replace(item, fact=fact, text=text_of(fact)) if fact else item


def _sum(
    fact: ItemFact | None, changed: Sequence[FileRef]
) -> ChangedFiles | CreatedFile | None:
    """Return a sum as it is of these files; None: it is none."""
    if isinstance(fact, ChangedFiles) and changed:
        added = sum(file.lines_added for file in changed)
        removed = sum(file.lines_removed for file in changed)
        return ChangedFiles(len(changed), added, removed)
    if not isinstance(fact, CreatedFile):
        return None
    lines = (file.lines_added for file in changed if file.path == fact.path)
    return replace(fact, lines_added=next(lines, fact.lines_added))


def _rest(sides: Sequence[Side], home: Content) -> dict[str, Any]:
    """Return what is no statement: sums, files, commands, names."""
    contents = [side.content for side in (*sides[1:], sides[0])]
    return {
        "mental_model": _models(sides, home),
        "files": _files(sides),
        "commands": tuple(dict.fromkeys(c for s in sides for c in s.content.commands)),
        "plan": home.plan or next((c.plan for c in contents if c.plan), None),
        **{name: _union(name, sides) for name in ("topics", "technologies", "names")},
        "files_seen": _union("files_seen", sides),
    }


def _union(name: str, sides: Sequence[Side]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(x for s in sides for x in getattr(s.content, name)))


def _summary(sides: Sequence[Side], content: Content) -> str:
    """Return home's summary if an agent wrote it, else that of all together."""
    home = sides[0].content
    is_noted = any(note_fact(note).part == "summary" for note in home.notes)
    own = home.summary if is_noted or not home.summary else summary_of(content)
    told = (f"Merged in: {side.label}, {side.content.title}." for side in sides[1:])
    return " ".join(filter(None, (own, *told)))


def _models(sides: Sequence[Side], home: Content) -> str:
    others = (s.content.mental_model for s in sides[1:])
    return "\n".join(dict.fromkeys(filter(None, (home.mental_model, *others))))


def _files(sides: Sequence[Side]) -> tuple[FileRef, ...]:
    """Return each file once: changed rather than read, and home's rather than others'."""
    known: dict[str, FileRef] = {}
    for file in (file for side in sides for file in side.content.files):
        before = known.get(file.path)
        if before is None or (before.change == "read" and file.change != "read"):
            known[file.path] = file
    return tuple(known.values())
