"""Answer a prompt that only asks for a checkpoint: give its brief.

By what its start found, or by a name or a number; at any prompt of a session. A name that
is not there is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.find import if_kept
from holdfast.app.checkpoints.which_session import begin_from
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.start_reply import brief_text
from holdfast.brief.card import resumed_line, with_left_out
from holdfast.domain.client import Delivery
from holdfast.domain.text import tokens
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.start.decision import StartDecision
from holdfast.start.explicit import asked_for

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.start.explicit import Asked
    from holdfast.store.port import Store

_MOST_QUOTED = 2_000  # tokens: with the signs before its lines, a hook may say as much
_MOST_LOOKED_AT = 30  # for a name


def asked_later(event: HookEvent, context: HookContext, store: Store) -> Reply:
    """Answer explicit words at a prompt that nothing is offered for any more."""
    asked = asked_for(event.prompt)
    if asked is None or asked.meant == "new" or asked.may_be_answer:
        return Reply()
    is_silent = context.settings.resume is False or context.is_quiet
    if is_silent or context.is_off(store, event.session_id):
        return Reply()
    if asked.reference:
        return tell_named(asked, event, context, store)
    checkpoint = _meant(event.session_id, store)
    return (
        tell_brief(checkpoint, "word", event, context, store) if checkpoint else Reply()
    )


def _meant(session_id: str, store: Store) -> Checkpoint | None:
    """Return what a bare "continue" means at a later prompt."""
    offered = store.offered(session_id)
    if offered is None or not _may_still_be_had(offered, store):
        return None
    return if_kept(offered.checkpoint_id, store)


def _may_still_be_had(offered: Delivery, store: Store) -> bool:
    """Say whether a bare "continue" still means what the start offered: not once it was
    had, was refused, or the session has work of its own to go on with."""
    if not offered.checkpoint_id or offered.delivered == "brief":
        return False
    if StartDecision(offered.what, offered.rule).wants == "naming":
        return False
    return offered.sign != "new" and not _has_work(offered.session_id, store)


def _has_work(session_id: str, store: Store) -> bool:
    from holdfast.app.checkpoints.passing_on import is_at_work  # noqa: PLC0415  # for few

    kept = store.fold(session_id)
    return kept is not None and is_at_work(kept.state)


def tell_named(
    asked: Asked, event: HookEvent, context: HookContext, store: Store
) -> Reply:
    """Return the brief of what was named, or that there is none of that name."""
    from holdfast.app.checkpoints.find import find  # noqa: PLC0415  # for few
    from holdfast.kernel.ids import reference  # noqa: PLC0415  # for few

    scope = context.scope()
    try:
        checkpoint = find(store, reference(asked.reference), scope)
    except CheckpointNotFound as missing:
        if context.ports.redactor.text(event.prompt) != event.prompt:
            return Reply()  # what looks like a secret is repeated to nobody
        if asked.is_sure:
            return _missing(missing, line=f"holdfast: {missing.message}")
        has_names = any(
            one.name for one in store.list(scope.in_project(), limit=_MOST_LOOKED_AT)
        )
        return _missing(missing) if has_names and not asked.is_alone else Reply()
    return tell_brief(checkpoint, "name", event, context, store)


def _missing(missing: CheckpointNotFound, line: str = "") -> Reply:
    told = f"If the user means a checkpoint: {missing.message}."
    return Reply(context=told, line=line, tokens=tokens(told))


def tell_brief(
    checkpoint: Checkpoint,
    sign: str,
    event: HookEvent,
    context: HookContext,
    store: Store,
) -> Reply:
    if not context.ports.is_approved(checkpoint):
        return _quoted(checkpoint, context)
    said = brief_text(checkpoint, context, context.settings.budget)
    cost = tokens(said.text)
    offered = store.offered(event.session_id)
    is_open = offered is not None and offered.delivered is None
    if (
        not is_open
        or offered is None
        or offered.checkpoint_id != checkpoint.checkpoint_id
    ):
        _offer(checkpoint, event, context, store)
    if not store.deliver(event.session_id, "brief", tokens=cost, sign=sign):
        return Reply()  # another process was quicker
    begin_from(checkpoint, event.session_id, context.ports)
    line = resumed_line(checkpoint, context.ports.clock.now_ms())
    line = with_left_out(line, said.left_out)
    return Reply(context=said.text, line=line, tokens=cost)


def _quoted(checkpoint: Checkpoint, context: HookContext) -> Reply:
    """Return somebody else's brief as that, and how the user agrees to go on from it."""
    from holdfast.app.checkpoints.approval import (  # noqa: PLC0415  # for few
        how_to_approve,
        quoted,
    )
    from holdfast.app.checkpoints.resume import resume_checkpoint  # noqa: PLC0415  # for few
    from holdfast.domain.query import Scope  # noqa: PLC0415  # for few

    budget = min(context.settings.budget, _MOST_QUOTED)
    scope = Scope(workspace=context.workspace)
    told = resume_checkpoint(checkpoint, scope, context.ports, budget=budget)
    text = quoted(told, context.ports)
    line = f"holdfast: {how_to_approve(checkpoint)}"
    return Reply(context=text, line=line, tokens=tokens(text))


def _offer(
    checkpoint: Checkpoint, event: HookEvent, context: HookContext, store: Store
) -> None:
    """Keep that a prompt asked for a checkpoint that its start did not offer, or again."""
    now = context.ports.clock.now_ms()
    store.offer(
        Delivery(
            session_id=event.session_id,
            what="brief",
            rule="asked",
            workspace=context.workspace,
            source="prompt",
            checkpoint_id=checkpoint.checkpoint_id,
            boundary=f"asked {now}",  # each time is one of its own
            offered_at=now,
        )
    )
