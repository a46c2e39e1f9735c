"""Branches side by side: what each has come to since they parted. Pure."""

from collections.abc import Iterator

from holdfast.branches.identity import key_of
from holdfast.domain.checkpoint import Checkpoint, Content, Item, SessionFacts, is_open
from holdfast.domain.code import FileChange
from holdfast.domain.kinds import ITEM_FIELDS
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.kernel.lazy_values import dataclass

# What is compared, with its word for people; all but the goal since they parted.
COMPARED_KINDS = {
    "goal": "goal",
    "key_outcomes": "outcomes",
    "decisions": "decisions",
    "dead_ends": "dead ends",
    "errors": "open errors",
    "pending": "todos",
}
_MOST_TESTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchCost:
    """What a branch took since it parted, as far as its session counted it."""

    messages: int = 0
    seconds: int = 0
    tool_calls: int = 0
    context_tokens: int = 0  # in use at its end


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchView:
    """One branch, as it stands beside another."""

    checkpoint: Checkpoint
    items: dict[str, tuple[str, ...]]  # of each compared kind, what is new
    tests: tuple[str, ...]  # commands that test, with what they came to last
    code: tuple[FileChange, ...] | None  # since they parted; None: nobody knows
    cost: BranchCost


def branch_view(
    side: Checkpoint, base: Checkpoint | None, code: tuple[FileChange, ...] | None
) -> BranchView:
    """Return what a branch came to since `base`."""
    content = side.draft.content
    before = base.draft.content if base else None
    return BranchView(
        checkpoint=side,
        items={kind: _fresh(kind, content, before) for kind in COMPARED_KINDS},
        tests=tuple(_tests(content))[:_MOST_TESTS],
        code=code,
        cost=_cost(side, base),
    )


def _fresh(kind: str, content: Content, before: Content | None) -> tuple[str, ...]:
    items: tuple[Item, ...] = getattr(content, kind)
    if kind == "goal" or before is None:
        return tuple(item.text for item in items if is_open(item))
    known = {key_of(name, i) for name in ITEM_FIELDS for i in getattr(before, name)}
    fresh = (item for item in items if key_of(kind, item) not in known)
    return tuple(item.text for item in fresh if is_open(item))


def _tests(content: Content) -> Iterator[str]:
    for command in content.commands:
        if kind_of(command.command) != "test" or command.ran_in:
            continue
        if command.output:
            yield f"{command.command} → {command.output}"
        elif command.exit is not None:
            came_to = "ok" if command.exit == 0 else f"exit {command.exit}"
            yield f"{command.command} → {came_to}"


def _cost(side: Checkpoint, base: Checkpoint | None) -> BranchCost:
    facts = side.draft.facts
    shared = base.draft.facts if base and _goes_on(side, base) else SessionFacts()
    return BranchCost(
        messages=max(0, facts.message_count - shared.message_count),
        seconds=max(0, facts.duration_seconds - shared.duration_seconds),
        tool_calls=max(0, _calls(facts) - _calls(shared)),
        context_tokens=facts.context_tokens,
    )


def _goes_on(side: Checkpoint, base: Checkpoint) -> bool:
    """Say whether a branch has the conversation of what it came from in its own: then
    that is counted in both."""
    if side.draft.session_id == base.draft.session_id:
        return True
    lines = {line for i in side.draft.content.requests for line in i.evidence[:1]}
    asked = (line for i in base.draft.content.requests for line in i.evidence[:1])
    return any(line in lines for line in asked)


def _calls(facts: SessionFacts) -> int:
    return sum(tool.count for tool in facts.tools)
