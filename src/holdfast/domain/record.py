"""The checkpoint record as JSON: the form that scripts, stores and spools share.

`draft_record` is what a spool keeps; `body` is what a store hashes; `record` is what a
user sees; less of it, for readers who pay per token, is in `record_parts`. Fields may be
added, never renamed. Reading is tolerant: a missing field has its default, so an older
record opens in a newer program.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from holdfast.domain.checkpoint import (
    Checkpoint,
    CheckpointType,
    Detail,
    Draft,
    SessionFacts,
    ToolRef,
    Trigger,
)
from holdfast.domain.code import CodeState, LeftOut
from holdfast.domain.event import Tokens
from holdfast.domain.foreign import Foreign, ForeignSource
from holdfast.domain.record_content import Json, content_from, content_json
from holdfast.domain.record_legacy import legacy_ran
from holdfast.domain.session import Mark
from holdfast.kernel.clock import iso
from holdfast.kernel.ids import label

FORMAT = "claude-code-checkpoint"
VERSION = "2.1"


def record(checkpoint: Checkpoint) -> Json:
    """Return the whole record as the contract shows it."""
    whole = body(checkpoint)
    whole["name"] = checkpoint.name
    whole["latest_checkpoint"] = checkpoint.latest_checkpoint
    whole["relations"]["next_checkpoint"] = checkpoint.next_checkpoint
    whole["machine"] = checkpoint.machine
    whole["hash"] = checkpoint.content_hash
    return whole


def body(checkpoint: Checkpoint) -> Json:
    """Return the immutable part of the record, the part that is hashed."""
    draft = checkpoint.draft
    whole = draft_record(draft)
    details = [_detail_json(detail) for detail in draft.details]
    ids = [detail.detail_id for detail in draft.details]
    whole |= {
        "id": checkpoint.checkpoint_id,
        "number": checkpoint.number,
        "label": label(checkpoint.number),
        "sequence": checkpoint.sequence,
        "observations": {
            "master_summary_id": checkpoint.master_summary_id,
            "detailed_ids": ids,
            "total_count": 1 + len(ids),
            "mirrors": {},
            "details": details,
        },
    }
    whole["relations"]["previous_checkpoint"] = checkpoint.previous_checkpoint
    if checkpoint.foreign is not None:
        whole["foreign"] = _foreign_json(checkpoint.foreign)
    return whole


def draft_record(draft: Draft) -> Json:
    """Return a draft as JSON: the record without what a store allocates."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "session_id": draft.session_id,
        "type": draft.type,
        "created_at": iso(draft.created_at),
        "created_at_unix": draft.created_at,
        "agent": {"name": draft.agent, "version": draft.agent_version},
        "working_directory": draft.working_directory,
        "hostname": draft.hostname,
        "project": {
            "id": draft.project_id,
            "root": draft.project_root,
            "remote": draft.project_remote,
            "workspace": draft.workspace,
        },
        "content": content_json(draft.content),
        "session_state": _facts_json(draft.facts),
        "code": _code_json(draft.code),
        "observations": {"details": [_detail_json(d) for d in draft.details]},
        "relations": {
            "parent_session": draft.parent_session,
            "root_session": draft.root_session or draft.session_id,
            "forked_at": draft.forked_at,
            "merged_from": list(draft.merged_from),
        },
        "tags": list(draft.tags),
        "receipt": {kind: list(pair) for kind, pair in draft.receipt.items()},
        "origin": {
            "key": draft.key,
            "trigger": draft.trigger,
            "state_key": draft.state_key,
            "given_title": draft.given_title,
            "given_notes": draft.given_notes,
            "given_name": draft.name,
            "replace_name": draft.replace_name,
            "transcript": draft.transcript,
            "read_to": {
                "offset": draft.read_to.offset,
                "head": draft.read_to.head,
                "tail": draft.read_to.tail,
            },
        },
        "extra_notes": dict(draft.extra_notes),
        **({"author": draft.author} if draft.author else {}),
    }


def draft_from(raw: Mapping[str, Any]) -> Draft:
    """Return the draft a record was made from."""
    project = _map(raw, "project")
    relations = _map(raw, "relations")
    origin = _map(raw, "origin")
    agent = _map(raw, "agent")
    return Draft(
        key=str(origin.get("key", "")),
        session_id=raw["session_id"],
        agent=str(agent.get("name", "claude-code")),
        agent_version=str(agent.get("version", "")),
        type=cast("CheckpointType", raw["type"]),
        trigger=cast("Trigger", origin.get("trigger", "command")),
        created_at=int(raw["created_at_unix"]),
        working_directory=str(raw.get("working_directory", "")),
        hostname=str(raw.get("hostname", "")),
        project_id=str(project.get("id", "")),
        project_root=str(project.get("root", "")),
        project_remote=project.get("remote"),
        workspace=str(project.get("workspace", "")),
        name=origin.get("given_name"),
        replace_name=bool(origin.get("replace_name", False)),
        content=content_from(_map(raw, "content")),
        facts=_facts_from(_map(raw, "session_state")),
        code=_code_from(_map(raw, "code")),
        details=tuple(
            _detail_from(d) for d in _map(raw, "observations").get("details", ())
        ),
        parent_session=relations.get("parent_session"),
        root_session=str(relations.get("root_session", "")),
        forked_at=relations.get("forked_at"),
        merged_from=tuple(relations.get("merged_from", ())),
        tags=tuple(raw.get("tags", ())),
        receipt={k: (p[0], p[1]) for k, p in _map(raw, "receipt").items()},
        state_key=str(origin.get("state_key", "")),
        given_title=bool(origin.get("given_title", False)),
        given_notes=bool(origin.get("given_notes", False)),
        transcript=str(origin.get("transcript", "")),
        read_to=_mark_from(_map(origin, "read_to")),
        extra_notes=_map(raw, "extra_notes"),
        author=str(raw.get("author", "")),
    )


def checkpoint_from(
    raw: Mapping[str, Any],
    *,
    content_hash: str,
    name: str | None,
    next_checkpoint: str | None,
) -> Checkpoint:
    """Return the checkpoint a store kept as `body`, with what stands beside it."""
    return Checkpoint(
        draft=draft_from(raw),
        checkpoint_id=raw["id"],
        number=raw["number"],
        sequence=raw["sequence"],
        master_summary_id=_map(raw, "observations").get("master_summary_id", 0),
        previous_checkpoint=_map(raw, "relations").get("previous_checkpoint"),
        content_hash=content_hash,
        name=name,
        latest_checkpoint=next_checkpoint is None,
        next_checkpoint=next_checkpoint,
        foreign=_foreign_from(_map(raw, "foreign")),
    )


def _map(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, Mapping) else {}


def _foreign_json(foreign: Foreign) -> Json:
    origin = foreign.origin
    told = {"origin": {"id": origin.record, "path": origin.path}} if origin else {}
    return {
        "machine": foreign.machine,
        "hash": foreign.hash,
        "project": {"id": foreign.project_id, "root": foreign.project_root},
        "name": foreign.name,
        "place": foreign.place,
        **told,
    }


def _foreign_from(raw: Mapping[str, Any]) -> Foreign | None:
    if not raw:
        return None
    project = _map(raw, "project")
    return Foreign(
        machine=str(raw.get("machine", "")),
        hash=str(raw.get("hash", "")),
        project_id=str(project.get("id", "")),
        project_root=str(project.get("root", "")),
        name=raw.get("name"),
        place=int(raw.get("place", 0)),
        origin=_origin_from(_map(raw, "origin")),
    )


def _origin_from(raw: Mapping[str, Any]) -> ForeignSource | None:
    if not raw:
        return None
    return ForeignSource(str(raw.get("id", "")), str(raw.get("path", "")))


def _mark_from(raw: Mapping[str, Any]) -> Mark:
    return Mark(raw.get("offset", 0), raw.get("head", ""), raw.get("tail", ""))


def _facts_json(facts: SessionFacts) -> Json:
    return {
        "message_count": facts.message_count,
        "duration_seconds": facts.duration_seconds,
        "started_at_unix": facts.started_at,
        "files_modified": facts.files_modified,
        "commands_executed": facts.commands_executed,
        "tools_used": [tool.tool for tool in facts.tools],
        "tools": [
            {
                "tool": tool.tool,
                "count": tool.count,
                "first_used": tool.first_at,
                "last_used": tool.last_at,
            }
            for tool in facts.tools
        ],
        "context_tokens": facts.context_tokens,
        "context_percent": facts.context_percent,
        "unread_lines": facts.unread_lines,
        "prompts": facts.prompts,
        "failed_calls": facts.failed_calls,
        "last_turn": facts.last_turn,
        "abandoned": [list(turns) for turns in facts.abandoned],
        "spent": facts.spent and _spent_json(facts.spent, exactly=facts.spent_exactly),
    }


def _spent_json(spent: Tokens, *, exactly: bool) -> Json:
    return {
        "input_tokens": spent.fresh,
        "cache_written_tokens": spent.written,
        "cache_read_tokens": spent.cached,
        "output_tokens": spent.out,
        "cost_millionths": spent.cost or None,
        "complete": exactly,
    }


def _spent_from(raw: Mapping[str, Any]) -> Tokens:
    return Tokens(
        raw.get("input_tokens", 0),
        raw.get("cache_written_tokens", 0),
        raw.get("cache_read_tokens", 0),
        raw.get("output_tokens", 0),
        raw.get("cost_millionths") or 0,
    )


def _facts_from(raw: Mapping[str, Any]) -> SessionFacts:
    return SessionFacts(
        message_count=raw.get("message_count", 0),
        duration_seconds=raw.get("duration_seconds", 0),
        started_at=raw.get("started_at_unix", 0),
        files_modified=raw.get("files_modified", 0),
        commands_executed=raw.get("commands_executed", 0),
        tools=tuple(
            ToolRef(t["tool"], t["count"], t["first_used"], t["last_used"])
            for t in raw.get("tools", ())
        ),
        context_tokens=raw.get("context_tokens", 0),
        context_percent=raw.get("context_percent"),
        unread_lines=raw.get("unread_lines", 0),
        prompts=raw.get("prompts"),
        failed_calls=raw.get("failed_calls"),
        last_turn=raw.get("last_turn"),
        abandoned=tuple((first, end) for first, end in raw.get("abandoned", ())),
        spent=_spent_from(spent) if (spent := raw.get("spent")) else None,
        spent_exactly=spent.get("complete", True) if spent else True,
    )


def _detail_json(detail: Detail) -> Json:
    shown: Json = {
        "id": detail.detail_id,
        "topic": detail.topic,
        "text": detail.text,
        "files": list(detail.files),
        "commands": list(detail.commands),
        "ran": [list(pair) for pair in detail.ran],
    }
    if detail.evidence:
        shown["evidence"] = list(detail.evidence)
    if detail.snippets:
        shown["snippets"] = [{"file": f, "code": code} for f, code in detail.snippets]
    return shown


def _detail_from(raw: Mapping[str, Any]) -> Detail:
    return Detail(
        topic=raw.get("topic", ""),
        text=raw.get("text", ""),
        files=tuple(raw.get("files", ())),
        ran=_ran(raw),
        detail_id=raw.get("id", 0),
        evidence=tuple(raw.get("evidence", ())),
        snippets=tuple((s["file"], s["code"]) for s in raw.get("snippets", ())),
    )


def _ran(raw: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    lines = tuple(raw.get("commands", ()))
    detail = Detail("", "", ran=tuple((ran, came) for ran, came in raw.get("ran", ())))
    return detail.ran if detail.commands == lines else legacy_ran(lines)


def _code_json(code: CodeState) -> dict[str, Any]:
    """Return the code's state; what was left out only where something was."""
    shown: dict[str, Any] = {
        "branch": code.branch,
        "head": code.head,
        "tree": code.tree,
        "dirty": code.dirty,
    }
    if code.uncommitted is not None:
        shown["uncommitted"] = list(code.uncommitted)
    if code.left_out:
        shown["left_out"] = [
            {"path": left.path, "reason": left.reason} for left in code.left_out
        ]
    if code.reason:
        shown["reason"] = code.reason
    return shown


def _code_from(raw: Mapping[str, Any]) -> CodeState:
    return CodeState(
        branch=raw.get("branch"),
        head=raw.get("head"),
        tree=raw.get("tree"),
        dirty=bool(raw.get("dirty", False)),
        uncommitted=_listed(raw.get("uncommitted")),
        left_out=tuple(
            LeftOut(str(left["path"]), str(left["reason"]))
            for left in raw.get("left_out", ())
        ),
        reason=str(raw.get("reason", "")),
    )


def _listed(paths: Iterable[object] | None) -> tuple[str, ...] | None:
    return None if paths is None else tuple(map(str, paths))
