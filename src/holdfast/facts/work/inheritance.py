"""What a session leaves open to the next, and what becomes of it there.

An inherited item stays until it is done, the user revokes it, or several sessions in a
row have not touched it. Whatever is in doubt stays.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from holdfast.domain.checkpoint import Checkpoint, Item, Source, is_open
from holdfast.domain.fact import Failure, Goal, ItemFact, Note, about_of
from holdfast.domain.kinds import FORGOTTEN_AFTER, INHERITABLE, KIND_OF
from holdfast.domain.session import Inherited, SessionState, Turn
from holdfast.facts.requests.requests import said_in
from holdfast.facts.requests.rules import Revocation, revocations, taken_back
from holdfast.facts.work.tasks import tasks_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.sentences import FEWEST_WORDS, FORBIDS, covers, runs_of, words_in

FILES = "files"  # the kind of known files: `text` is the path, `excerpt` its change
_RULES, _GOAL = "instructions", "goal"
_MOST = 60  # inherited items of a kind; the least touched go first
_MOST_FILES = 200
_LONGEST_PATH = 400
_PATH = pattern(r"[\w.~-]*(?:/[\w.~-]+)+|[\w-]+\.[A-Za-z]\w{0,7}\b")


def inherited_from(checkpoint: Checkpoint) -> tuple[Inherited, ...]:
    """Return what a checkpoint leaves open to the session that begins from it; of one
    that somebody else made, nothing: its words are not the user's."""
    if checkpoint.author:
        return ()
    made_by = checkpoint.checkpoint_id
    content = checkpoint.draft.content
    items = [
        Inherited(
            kind,
            item.text,
            item.source,
            item.evidence,
            item.excerpt,
            item.origin or made_by,
            item.age,
            _from(item, checkpoint.number),
        )
        for kind in INHERITABLE
        for item in getattr(content, kind)
        if kind != "errors" or is_open(item)
    ]
    files = [
        Inherited(
            FILES,
            file.path,
            "engine",
            excerpt=file.change,
            origin=file.origin or made_by,
            age=file.age,
        )
        for file in content.files
        if file.change != "deleted"
    ]
    return (*items, *files[:_MOST_FILES])


def brought_by(
    merges: Sequence[Checkpoint], known: Sequence[Inherited]
) -> tuple[Inherited, ...]:
    """Return what merges brought to a session that it has neither by itself nor from
    the one it began from."""
    there = {(item.kind, _normal(item.kind, item.text)) for item in known}
    found = {
        (item.kind, _normal(item.kind, item.text)): item
        for merge in merges
        for item in inherited_from(merge)
        if item.origin != merge.checkpoint_id  # else it is the session's own
    }
    return tuple(item for key, item in found.items() if key not in there)


def own_rules(checkpoint: Checkpoint) -> tuple[Inherited, ...]:
    """Return the rules that a session laid down itself."""
    made_by = checkpoint.checkpoint_id
    left = inherited_from(checkpoint)
    return tuple(i for i in left if i.kind == _RULES and i.origin == made_by)


def _from(item: Item, number: int) -> ItemFact | None:
    """Return a fact that says which checkpoint an heir has it from first."""
    fact = item.fact
    if isinstance(fact, Goal):
        return replace(fact, number=fact.number or number)
    if isinstance(fact, Note):
        return replace(fact, number=fact.number or number, doubt=item.doubt)
    return fact


def carry_on(
    state: SessionState, own: Mapping[str, Sequence[Item]]
) -> dict[str, tuple[Item, ...]]:
    """Return a session's own items of each kind, with the inherited ones that still hold.

    Inherited items come first: they are older. One that the session has itself appears
    once, as the session's own: its origin may be forgotten, what was done here may not.
    """
    session = _Session.of(state)
    carried: dict[str, list[Item]] = {}
    mine = {
        kind: {_normal(kind, item.text) for item in items}
        for kind, items in own.items()
    }
    for item in state.inherited:
        if _normal(item.kind, item.text) in mine.get(item.kind, ()):
            continue
        if (kept := _kept(item, session)) is not None:
            carried.setdefault(item.kind, []).append(kept)
    return {
        kind: (*_fitting(kind, carried.get(kind, [])), *own.get(kind, ()))
        for kind in dict.fromkeys((*own, *carried))
    }


@dataclass(frozen=True, slots=True)
class _Session:
    """What a session says about items it did not make itself."""

    prompts: tuple[str, ...]  # folded to one case
    prompt_words: tuple[frozenset[str], ...]
    all_words: frozenset[str]
    revocations: tuple[Revocation, ...]
    rules_gone: frozenset[str]  # inherited rules that were taken back, by their text
    targets: frozenset[str]  # paths that calls were made on, and their last parts
    finished: frozenset[str]  # tasks done or deleted
    ended: frozenset[Failure]  # inherited ones whose command or tool went well here

    @classmethod
    def of(cls, state: SessionState) -> "_Session":
        turns = state.live_turns()
        spoken = [turn for turn in turns if _is_spoken(turn)]
        prompts = tuple(turn.prompt.casefold() for turn in spoken)
        # What somebody only shows takes nothing back.
        said = [said_in(turn) for turn in spoken]
        words = tuple(words_in(prompt) for prompt in prompts)
        targets = {call.target for turn in turns for call in turn.calls}
        rules = {i.text.casefold(): i for i in state.inherited if i.kind == _RULES}
        gone = (taken_back(own, rules).rules for own in said)
        failures = {i.fact for i in state.inherited if isinstance(i.fact, Failure)}
        return cls(
            prompts,
            words,
            frozenset().union(*words),
            tuple(r for own in said for r in revocations(own.casefold())),
            frozenset().union(*gone) if rules else frozenset(),
            frozenset(place for target in targets for place in _places(target)),
            frozenset(
                _normal("pending", task.text)
                for task in tasks_of(turns)
                if task.status in ("completed", "deleted")
            ),
            _ended(failures, turns, state.cwd) if failures else frozenset(),
        )


def _is_spoken(turn: Turn) -> bool:
    return turn.via in ("typed", "command")


def _kept(item: Inherited, session: _Session) -> Item | None:
    """Return an inherited item as the session's content has it, None if it is gone."""
    if _is_done(item, session) or _is_revoked(item, session):
        return None
    # A session that sets no goal of its own works for the one that it has.
    is_touched = item.kind == _GOAL or _is_touched(item, session)
    age = 0 if is_touched else item.age + 1
    kind = KIND_OF.get(item.kind)  # none: a file
    limit = (kind.forgotten_after if kind else None) or FORGOTTEN_AFTER
    # A session of one prompt had no chance to come back to what it inherited: it
    # counts, but nothing is forgotten in it. So `/clear` after each prompt loses nothing.
    if age >= limit and len(session.prompts) > 1:
        return None
    source = cast("Source", item.source)
    return Item(
        item.text,
        source,
        item.evidence,
        item.excerpt,
        item.origin,
        age,
        about=about_of(item.fact) if item.fact else "",
        fact=item.fact,
    )


def _is_done(item: Inherited, session: _Session) -> bool:
    if item.kind == "pending":
        return _normal(item.kind, item.text) in session.finished
    if item.kind == "open_questions":
        asked = words_in(item.text.casefold())
        return any(_speaks_of(words, asked) for words in session.prompt_words)
    return item.kind == "errors" and item.fact in session.ended


def _speaks_of(said: frozenset[str], asked: frozenset[str]) -> bool:
    """Say whether a prompt is mostly made of a question's words: it answers it."""
    common = len(said & asked)
    return common >= FEWEST_WORDS and 2 * common >= len(said)


def _ended(
    failures: Collection[Failure], turns: Sequence[Turn], cwd: str
) -> frozenset[Failure]:
    from holdfast.facts.commands.failures import ended_since  # noqa: PLC0415  # hooks without errors
    from holdfast.facts.commands.runs import runs_of as ran  # noqa: PLC0415  # the same

    calls = tuple(call for turn in turns for call in turn.calls)
    return ended_since(failures, calls, ran(calls, cwd), cwd)


def _is_revoked(item: Inherited, session: _Session) -> bool:
    folded = item.text.casefold()
    if item.kind == _RULES:
        return folded in session.rules_gone
    if not session.revocations or item.kind == FILES:
        return False
    wanted = words_in(folded)
    if len(wanted) < FEWEST_WORDS:
        return False
    forbids = FORBIDS.search(folded) is not None
    return any(
        covers(revocation.words, wanted)
        and revocation.sign not in folded  # else it is said again, not taken back
        and not (revocation.is_weak and forbids)
        for revocation in session.revocations
    )


def _is_touched(item: Inherited, session: _Session) -> bool:
    folded = item.text.casefold()
    if item.kind == FILES:
        return item.text in session.targets or any(
            folded.rpartition("/")[2] in prompt for prompt in session.prompts
        )
    if any(path.lstrip("./") in session.targets for path in _PATH.findall(item.text)):
        return True
    wanted = words_in(folded)
    if not covers(session.all_words, wanted):
        return False
    return any(covers(words, wanted) for words in session.prompt_words)


def _places(target: str) -> Iterator[str]:
    """Yield the ways to name a path: whole, and by each of its endings."""
    if not target or len(target) > _LONGEST_PATH or any(c in target for c in "\n |;"):
        return  # a command
    parts = target.strip("/").split("/")
    yield target
    for start in range(len(parts)):
        yield "/".join(parts[start:])


def _fitting(kind: str, items: list[Item]) -> list[Item]:
    most = _MOST_FILES if kind == FILES else _MOST
    if len(items) <= most:
        return items
    kept = sorted(range(len(items)), key=lambda i: (items[i].age, i))[:most]
    return [items[i] for i in sorted(kept)]


def _normal(kind: str, text: str) -> str:
    """Return a text as it is compared; a path is only ever itself."""
    if kind == FILES:
        return text
    return " ".join(runs_of().findall(text.casefold())) or text
