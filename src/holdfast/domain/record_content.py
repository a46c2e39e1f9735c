"""The content of a record as JSON: its items with their facts, its files and commands.

Beside each text stands what it says as a value: `{"type": "failure", …}`. Reading is
tolerant, and what was written without facts is read by `record_legacy`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from holdfast.domain.checkpoint import (
    CommandRef,
    Content,
    FileRef,
    Item,
    Plan,
    last_words,
)
from holdfast.domain.fact import (
    AcceptedPlan,
    AgentReport,
    ChangedFiles,
    ChosenAnswer,
    Commit,
    CreatedFile,
    Failure,
    Goal,
    ItemFact,
    Note,
    PassingCommand,
    RefusedCall,
    RequestContext,
    RevertedEdit,
    RewoundRequest,
    RunningWork,
    UnfinishedTurn,
    WaitingPlan,
    about_of,
    text_of,
)
from holdfast.domain.kinds import ITEM_FIELDS
from holdfast.domain.record_legacy import legacy_said_before, with_legacy_fact
from holdfast.kernel.lazy_values import field_names

Json = dict[str, Any]
# A record that has it was written with facts: an item without one has none.
_FACTS, _FACTS_VERSION = "facts", 1
_FACT, _BEFORE = "fact", "said_before"
_TYPE = "type"
_TYPES: Mapping[str, Any] = {
    "failure": Failure,
    "request-context": RequestContext,
    "goal": Goal,
    "note": Note,
    "refused-call": RefusedCall,
    "rewound-request": RewoundRequest,
    "reverted-edit": RevertedEdit,
    "commit": Commit,
    "passing-command": PassingCommand,
    "created-file": CreatedFile,
    "changed-files": ChangedFiles,
    "agent-report": AgentReport,
    "running-work": RunningWork,
    "waiting-plan": WaitingPlan,
    "accepted-plan": AcceptedPlan,
    "chosen-answer": ChosenAnswer,
    "unfinished-turn": UnfinishedTurn,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def content_json(content: Content) -> Json:
    shown: Json = {
        _FACTS: _FACTS_VERSION,
        "title": content.title,
        "summary": content.summary,
        "topics": list(content.topics),
        "work_type": content.work_type,
        "domain": content.domain,
    }
    if content.said_before:
        shown[_BEFORE] = content.said_before
    if content.uncommitted:
        shown["uncommitted"] = list(content.uncommitted)
    if content.summary_doubt:
        shown["summary_doubt"] = content.summary_doubt
    if content.technologies:
        shown["technologies"] = list(content.technologies)
    for kind in ITEM_FIELDS:
        shown[kind] = [item_json(item) for item in getattr(content, kind)]
    shown |= {
        "last_words": content.last_words,
        "mental_model": content.mental_model,
        "names": list(content.names),
        "files_seen": list(content.files_seen),
        "files_referenced": [_file_json(f) for f in content.files],
        "commands": [_command_json(c) for c in content.commands],
        "plan": content.plan
        and {
            "path": content.plan.path,
            "step": content.plan.step,
            "of": content.plan.of,
        },
    }
    return shown


def content_from(raw: Mapping[str, Any]) -> Content:
    plan = raw.get("plan")
    return Content(
        title=raw.get("title", ""),
        summary=raw.get("summary", ""),
        summary_doubt=raw.get("summary_doubt", ""),
        topics=tuple(raw.get("topics", ())),
        work_type=raw.get("work_type", "development"),
        domain=raw.get("domain", "general"),
        last_words=raw.get("last_words", ""),
        said_before=_said_before(raw),
        mental_model=raw.get("mental_model", ""),
        names=tuple(raw.get("names", ())),
        files_seen=tuple(raw.get("files_seen", ())),
        technologies=tuple(raw.get("technologies", ())),
        uncommitted=tuple(raw.get("uncommitted", ())),
        files=tuple(_file_from(f) for f in raw.get("files_referenced", ())),
        commands=tuple(
            CommandRef(
                c["command"],
                c.get("exit"),
                c.get("output", ""),
                c.get("evidence", ""),
                c.get("place", ""),
                c.get("ran_in", ""),
                c.get("ended", ""),
            )
            for c in raw.get("commands", ())
        ),
        plan=Plan(plan["path"], plan.get("step"), plan.get("of")) if plan else None,
        **{
            kind: _items_from(kind, raw.get(kind, ()), has_facts=_FACTS in raw)
            for kind in ITEM_FIELDS
        },
    )


def without_facts(whole: Json) -> Json:
    """Return a record that says each thing once: without what stands beside its texts."""
    content = {name: part for name, part in whole["content"].items() if name != _BEFORE}
    for kind in ITEM_FIELDS:
        content[kind] = [
            {name: part for name, part in item.items() if name != _FACT}
            for item in content[kind]
        ]
    return {**whole, "content": content}


def item_json(item: Item) -> Json:
    shown: Json = {
        "text": item.text,
        "source": item.source,
        "evidence": list(item.evidence),
        "excerpt": item.excerpt,
        "from": item.origin,
    }
    if item.age:
        shown["age"] = item.age
    if item.doubt:
        shown["doubt"] = item.doubt
    if item.about:
        shown["about"] = item.about
    if item.fact:
        shown[_FACT] = fact_json(item.fact)
    return shown


def fact_json(fact: ItemFact) -> dict[str, Any]:
    """Return a fact as JSON."""
    kind = type(fact)
    shown: dict[str, Any] = {_TYPE: _NAMES[kind]}
    for name in field_names(kind):
        value = getattr(fact, name)
        if value:
            shown[name] = list(value) if isinstance(value, tuple) else value
    return shown


def fact_from(raw: object) -> ItemFact | None:
    """Return the fact that JSON tells, None if it tells none that is known here."""
    if not isinstance(raw, Mapping):
        return None
    kind = _TYPES.get(str(raw.get(_TYPE)))
    if kind is None:
        return None
    known = {name: raw[name] for name in field_names(kind) if name in raw}
    told = {n: tuple(v) if isinstance(v, list) else v for n, v in known.items()}
    try:
        return cast("ItemFact", kind(**told))
    except TypeError:  # a field that it cannot be without is missing
        return None


def _items_from(
    kind: str, raw: Iterable[Mapping[str, Any]], *, has_facts: bool
) -> tuple[Item, ...]:
    return tuple(_item_from(kind, r, has_facts=has_facts) for r in raw)


def _item_from(kind: str, raw: Mapping[str, Any], *, has_facts: bool) -> Item:
    item = Item(
        text=raw.get("text", ""),
        source=raw.get("source", "engine"),
        evidence=tuple(raw.get("evidence", ())),
        excerpt=raw.get("excerpt", ""),
        origin=raw.get("from"),
        age=raw.get("age", 0),
        doubt=raw.get("doubt", ""),
        about=raw.get("about", ""),
        fact=fact_from(raw.get(_FACT)),
    )
    if has_facts and _agrees(item, raw):
        return item
    return with_legacy_fact(kind, item)


def _agrees(item: Item, raw: Mapping[str, Any]) -> bool:
    """Say whether an item's fact is what its texts say; a part that was redacted in one
    of them need not be in the other, and then the texts count."""
    if item.fact is None:
        return not raw.get(_FACT)
    told = text_of(item.fact)
    return told in ("", item.text) and about_of(item.fact) == item.about


def _said_before(raw: Mapping[str, Any]) -> str:
    """Return what of the last words was said before the last request."""
    words, before = raw.get("last_words", ""), raw.get(_BEFORE, "")
    is_told = _FACTS in raw and (not before or words.endswith(last_words("", before)))
    return before if is_told else legacy_said_before(words)


def _command_json(command: CommandRef) -> Json:
    shown: Json = {
        "command": command.command,
        "exit": command.exit,
        "output": command.output,
        "evidence": command.evidence,
    }
    if command.place:
        shown["place"] = command.place
    if command.ran_in:
        shown["ran_in"] = command.ran_in
    if command.ended:
        shown["ended"] = command.ended
    return shown


def _file_json(file: FileRef) -> Json:
    shown: Json = {
        "path": file.path,
        "change": file.change,
        "lines_added": file.lines_added,
        "lines_removed": file.lines_removed,
    }
    if file.origin:
        shown |= {"from": file.origin, "age": file.age}
    return shown


def _file_from(raw: Mapping[str, Any]) -> FileRef:
    return FileRef(
        raw["path"],
        raw["change"],
        raw.get("lines_added", 0),
        raw.get("lines_removed", 0),
        raw.get("from"),
        raw.get("age", 0),
    )
