"""Session state as JSON: one head, and one value per turn, for a store to keep.

The head holds everything but the turns: sub-agents, compactions and what was inherited
are bounded and few. A turn is kept by its index and is written again only if it is
another object than before. Defaults are left out and calls are lists, since the head and
the last turn are written at every hook.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from holdfast.domain.checkpoint import Item
from holdfast.domain.event import Origin, Todo, ToolReturned
from holdfast.domain.session import (
    AgentWork,
    Call,
    Compaction,
    Counts,
    Inherited,
    Said,
    SessionState,
    ToolUse,
    Turn,
)
from holdfast.kernel.digests import blake2b
from holdfast.kernel.errors import SessionDamaged
from holdfast.kernel.lazy_values import field_names

Json = dict[str, Any]
STATE_FORMAT = 3
_WITH_COSTS = 3
_READABLE = (1, 2, STATE_FORMAT)  # a head of 1 or 2 differs in nothing
# Turns of form 1 know a call by its tool's name alone. A turn is written once and heads
# again and again, so old ones stand below a new head.
TURN_FORM = 2
_CALL_DEFAULTS = tuple(Call("", "", "", "", 0, "other"))
_REQUIRED = 6  # fields of a call that are always written
_ROLE, _TODOS = Call._fields.index("role"), Call._fields.index("todos")
_CHOICES, _FIELDS = Call._fields.index("choices"), len(Call._fields)
Upgrade = Callable[[Turn], Turn]
_EMPTY_TURN = Turn()
_EMPTY_STATE = SessionState()
_EMPTY_COUNTS = Counts()
_FACT = field_names(Inherited).index("fact")
_SIMPLE_TURN = tuple(
    name for name in field_names(Turn) if name not in ("said", "calls", "tools")
)
_PAIRS = ("abandoned", "wrote", "listed")
_SIMPLE_HEAD = tuple(
    name
    for name in field_names(SessionState)
    if name
    not in (
        "turns",
        "agents",
        "compactions",
        "inherited",
        "counts",
        "ended",
        "early",
        *_PAIRS,
    )
)
_LISTED_TURN = frozenset(["context", "request_errors", "spent", "last_spent"])
_UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError)


def encode_head(state: SessionState) -> Json:
    """Return everything but the turns."""
    head: Json = {"format": STATE_FORMAT}
    for name in _SIMPLE_HEAD:
        value = getattr(state, name)
        if value != getattr(_EMPTY_STATE, name):
            head[name] = value
    head |= {
        name: [list(pair) for pair in getattr(state, name)]
        for name in _PAIRS
        if getattr(state, name)
    }
    lists: Json = {
        "ended": list(state.ended),
        "early": [[is_unmatched, *event] for _, (is_unmatched, event) in state.early],
        "agents": [[w.agent, encode_turn(w.turn)] for w in state.agents],
        "compactions": [_values(c) for c in state.compactions],
        "inherited": [_inherited_json(left) for left in state.inherited],
    }
    head |= {name: kept for name, kept in lists.items() if kept}
    if state.counts != _EMPTY_COUNTS:
        head["counts"] = _values(state.counts)
    return head


def encode_turn(turn: Turn) -> Json:
    """Return one turn; a turn of nothing but defaults is an empty object."""
    kept: Json = {}
    for name in _SIMPLE_TURN:
        value = getattr(turn, name)
        if value != getattr(_EMPTY_TURN, name):
            kept[name] = list(value) if name in _LISTED_TURN else value
    if turn.said:
        kept["said"] = [list(said) for said in turn.said]
    if turn.calls:
        kept["calls"] = [_call_json(call) for call in turn.calls]
    if turn.tools:
        kept["tools"] = [
            [use.tool, use.count, use.first_at, use.last_at, use.role]
            for use in turn.tools
        ]
    if kept:
        kept["form"] = TURN_FORM
    return kept


def decode(
    head: Mapping[str, Any],
    turns: Iterable[Mapping[str, Any]],
    upgrade: Upgrade | None = None,
) -> SessionState:
    """Return the state that was encoded; `upgrade` makes of a turn of an older form
    what it would be today.

    Raises:
        SessionDamaged: it is of another format, or is no such state.
    """
    read = tuple(decode_turn(turn, upgrade) for turn in turns)
    return decode_head(head, read, upgrade)


def decode_head(
    head: Mapping[str, Any], turns: Sequence[Turn], upgrade: Upgrade | None = None
) -> SessionState:
    """Return the state of a head with turns that were decoded, or will be.

    Raises:
        SessionDamaged: it is of another format, or is no such head.
    """
    if head.get("format") not in _READABLE:
        raise SessionDamaged(
            f"the kept state has format {head.get('format')!r}, not {STATE_FORMAT}",
            hint="it is rebuilt from the transcript",
        )
    try:
        return _state_from(head, turns, upgrade)
    except _UNREADABLE as error:
        raise _unreadable(error) from error


def decode_turn(raw: Mapping[str, Any], upgrade: Upgrade | None = None) -> Turn:
    """Return a turn that was encoded.

    Raises:
        SessionDamaged: it is no turn.
    """
    try:
        return _turn_from(raw, upgrade)
    except _UNREADABLE as error:
        raise _unreadable(error) from error


def state_digest(state: SessionState) -> str:
    """Return a digest that is equal exactly if nothing new happened in the session.

    Over what the user and the agents did on the live path, by ids and outcomes: ids
    stand for texts that never change. Reading more lines that carry nothing, injected
    context, a compaction and commands that only steer the client do not change it.
    """
    digest = blake2b(digest_size=12)
    for turn in state.live_turns():
        if text := "\x1f".join(_traces(turn)):
            digest.update(f"\x1e{turn.uuid}\x1f{text}".encode("utf-8", "replace"))
    for work in state.agents:
        text = "\x1f".join(_traces(work.turn))
        digest.update(f"\x1d{work.agent}\x1f{text}".encode("utf-8", "replace"))
    for item in state.inherited:
        text = f"\x1c{item.kind}\x1f{item.text}\x1f{item.origin}\x1f{item.age}"
        digest.update(text.encode("utf-8", "replace"))
    return digest.hexdigest()


def _traces(turn: Turn) -> list[str]:
    """Return what tells a turn from the same turn before something happened in it."""
    traces = [call.call_id + call.outcome for call in turn.calls]
    traces += [f"{uuid}{len(text)}" for uuid, _, text in turn.said]
    traces += turn.request_errors
    if turn.messages and turn.via is not None:
        is_for_client = turn.via in ("steering", "clearing")
        traces.append(f"{'command' if is_for_client else turn.via}{turn.prompt_chars}")
    if turn.dropped:
        traces.append(f"dropped {turn.dropped}")
    if turn.plan:
        traces.append(f"plan {turn.plan}")
    if turn.recap:
        traces.append(f"recap {len(turn.recap)}")
    if turn.interrupted:
        traces.append("interrupted")
    return traces


def _call_json(call: Call) -> list[Any]:
    kept: list[Any] = list(call)
    size = len(kept)
    while size > _REQUIRED and kept[size - 1] == _CALL_DEFAULTS[size - 1]:
        size -= 1
    del kept[size:]
    if size > _TODOS:
        kept[_TODOS] = [list(todo) for todo in call.todos]
    if size > _CHOICES:
        kept[_CHOICES] = [list(pair) for pair in call.choices]
    return kept


def _values(value: Compaction | Inherited | Counts) -> list[Any]:
    return [getattr(value, name) for name in field_names(type(value))]


def _unreadable(error: Exception) -> SessionDamaged:
    return SessionDamaged(
        f"the kept state cannot be read: {error}",
        hint="it is rebuilt from the transcript",
    )


def _state_from(
    head: Mapping[str, Any], turns: Sequence[Turn], upgrade: Upgrade | None
) -> SessionState:
    kept = {name: head[name] for name in _SIMPLE_HEAD if name in head}
    if head["format"] < _WITH_COSTS and len(turns):
        kept["costs_partly"] = True
    return SessionState(
        **kept,
        turns=turns,
        abandoned=tuple((first, end) for first, end in head.get("abandoned", ())),
        wrote=tuple((call, names) for call, names in head.get("wrote", ())),
        listed=tuple((call, paths) for call, paths in head.get("listed", ())),
        ended=tuple(head.get("ended", ())),
        early=tuple(map(_early_from, head.get("early", ()))),
        agents=tuple(
            AgentWork(agent, _turn_from(turn, upgrade))
            for agent, turn in head.get("agents", ())
        ),
        compactions=tuple(Compaction(*raw) for raw in head.get("compactions", ())),
        inherited=tuple(map(_inherited_from, head.get("inherited", ()))),
        counts=_counts_from(head["counts"]) if "counts" in head else Counts(),
    )


def _turn_from(raw: Mapping[str, Any], upgrade: Upgrade | None) -> Turn:
    is_old = raw.get("form", 1) != TURN_FORM
    kept = {name: raw[name] for name in _SIMPLE_TURN if name in raw}
    for name in _LISTED_TURN & kept.keys():
        kept[name] = tuple(kept[name])
    turn = Turn(
        **kept,
        said=tuple(Said(*said) for said in raw.get("said", ())),
        calls=tuple(
            _call_from(_with_role(call) if is_old else call)
            for call in raw.get("calls", ())
        ),
        tools=tuple(ToolUse(*use) for use in raw.get("tools", ())),
    )
    return upgrade(turn) if is_old and upgrade else turn


def _with_role(raw: list[Any]) -> list[Any]:
    return [*raw[:_ROLE], "other", *raw[_ROLE:]]


def _call_from(raw: list[Any]) -> Call:
    if len(raw) <= _TODOS:
        return Call(*raw)
    kept = raw[:_FIELDS]
    todos = kept[_TODOS]
    kept[_TODOS] = tuple(Todo(*todo) for todo in todos) if todos else ()
    if len(kept) > _CHOICES:
        kept[_CHOICES] = tuple((asked, chosen) for asked, chosen in kept[_CHOICES])
    return Call(*kept)


def _inherited_json(left: Inherited) -> list[Any]:
    if left.fact is None:
        return [*_values(left)[:_FACT], None]
    from holdfast.domain.record_content import fact_json  # noqa: PLC0415  # few sessions

    return [*_values(left)[:_FACT], fact_json(left.fact)]


def _inherited_from(raw: list[Any]) -> Inherited:
    from holdfast.domain.record_content import fact_from  # noqa: PLC0415  # few sessions
    from holdfast.domain.record_legacy import with_legacy_fact  # noqa: PLC0415  # the same

    kind, text, source, evidence, excerpt, origin, age, *told = raw
    fact = fact_from(told[0]) if told else None
    item = Item(text, source, tuple(evidence), excerpt, origin, age, fact=fact)
    if not told:  # written without facts
        item = with_legacy_fact(kind, item)
    return Inherited(kind, text, source, item.evidence, excerpt, origin, age, item.fact)


def _early_from(raw: list[Any]) -> tuple[str, tuple[bool, ToolReturned]]:
    is_unmatched, origin, *fields = raw
    event = ToolReturned(Origin(*origin), *fields)
    choices = tuple((asked, chosen) for asked, chosen in event.choices)
    return event.call_id, (is_unmatched, event._replace(choices=choices))


def _counts_from(raw: list[Any]) -> Counts:
    lines, unrecognised, passed, *rest = raw
    return Counts(
        lines,
        tuple((kind, count) for kind, count in unrecognised),
        tuple((kind, count) for kind, count in passed),
        *rest,
    )
