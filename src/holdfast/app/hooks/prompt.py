"""The first prompt decides: the card becomes the brief, or is never offered again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.which_session import link
from holdfast.app.hooks.continuity import (
    Pending,
    keep_pending,
    note_event,
    read_pending,
)
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.find_candidate import other_work
from holdfast.app.hooks.start import StartHistory, keep_offer, plan_start
from holdfast.app.hooks.start_reply import (
    StartPlan,
    brief_text,
    checkpoint_of,
    clear_line,
    start_reply,
)
from holdfast.brief.card import resumed_line, with_left_out
from holdfast.domain.text import tokens
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.lazy_values import replace
from holdfast.start.continues.continues import judged
from holdfast.start.continues.naming_work import names_it
from holdfast.start.continues.tally import written
from holdfast.start.continues.work import work_of
from holdfast.start.decision import StartDecision
from holdfast.start.resume_answers import answer_of

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.client import Delivery
    from holdfast.start.continues.evidence import Evidence
    from holdfast.store.port import Finding, Sessions, Store

_DISCARDED = (
    "The user discarded the checkpoint that was offered; there is nothing to do."
)


def prompt(event: HookEvent, context: HookContext, *, is_done: bool = True) -> Reply:
    """Answer a prompt of a session that something is pending for.

    `is_done` says whether the save that a late start waits for is carried out.
    """
    waiting = read_pending(event.session_id, context.markers)
    if waiting is None or (waiting.late and not is_done):
        return Reply()  # the next prompt asks again
    store = context.ports.open_store()
    note_event(event, context, store)
    reply = _answered(waiting, event, context, store)
    offered = store.offered(event.session_id)
    may_ask = waiting.late or waiting.unseen
    if may_ask and offered is not None and offered.delivered is None:
        keep_pending(
            Pending(), event.session_id, context.markers
        )  # it was only asked now
    else:
        context.markers.drop(event.session_id)
    if waiting.words and not reply.context:  # a brief beside them could be too long
        reply = replace(reply, context=waiting.words, tokens=tokens(waiting.words))
    return replace(reply, line=reply.line or waiting.line)


def _answered(
    waiting: Pending, event: HookEvent, context: HookContext, store: Store
) -> Reply:
    if waiting.late:
        return _late(event, context, store)
    offered = store.offered(event.session_id)
    is_new = offered is not None and offered.delivered is None
    is_asked = offered is not None and offered.rule == "prompt"
    if waiting.unseen and is_new and is_asked and answer_of(event.prompt) is None:
        # who did not see the question was not asked
        return _with_line(Reply(), (), event, context, store)
    reply = _first(event, context, store)
    if waiting.unseen and is_new and not is_asked:
        return _with_line(reply, waiting.left_out, event, context, store)
    return reply


def _with_line(
    reply: Reply,
    left_out: tuple[str, ...],
    event: HookEvent,
    context: HookContext,
    store: Store,
) -> Reply:
    """Return the reply with the line of the clear, unless it says something itself."""
    offered = store.offered(event.session_id)
    if reply.context or offered is None:
        return reply
    line = clear_line(offered, _cleared(offered, store), context, store)
    return replace(reply, line=with_left_out(line, left_out))


def _cleared(offered: Delivery, store: Sessions) -> str | None:
    """Return the session that a clear ended before this one."""
    record = store.session(offered.session_id)
    return record.parent_session if record and offered.source == "clear" else None


def _first(event: HookEvent, context: HookContext, store: Store) -> Reply:
    offered = store.offered(event.session_id)
    if offered is None or offered.delivered is not None:
        return Reply()
    if offered.rule == "fresh":
        store.spend_fresh(context.workspace)
    if offered.what == "card":
        return _card_answered(offered, event, context, store)
    store.deliver(event.session_id, offered.what, tokens=offered.tokens)
    if offered.what == "brief":
        _begin_from(offered, event, context, store)
    return Reply()


def _card_answered(
    offered: Delivery, event: HookEvent, context: HookContext, store: Store
) -> Reply:
    try:
        checkpoint = store.get(offered.checkpoint_id)
    except CheckpointNotFound:
        store.deliver(event.session_id, "nothing")
        return Reply()
    sign, found = _decided(offered, event.prompt, checkpoint, context, store)
    kept = written(sign, found)
    if sign == "discard":
        store.deliver(event.session_id, "nothing", sign=kept)
        store.remove([checkpoint.checkpoint_id], "discarded by the user")
        return Reply(context=_DISCARDED, tokens=tokens(_DISCARDED))
    if sign is None:
        store.deliver(event.session_id, "card", tokens=offered.tokens, sign=kept)
        return Reply()
    return _brief(checkpoint, kept, event, context, store)


def _decided(
    offered: Delivery,
    words: str,
    checkpoint: Checkpoint,
    context: HookContext,
    store: Finding,
) -> tuple[str | None, Evidence | None]:
    """Return by which sign the brief is wanted, `discard`, or None: leave it; and what
    was weighed for that, if anything was."""
    wants = StartDecision(offered.what, offered.rule).wants
    if wants == "naming":
        return ("name" if names_it(words, work_of(checkpoint)) else None), None
    if wants == "continuing":
        others = other_work(checkpoint, context, store)
        return judged(words, work_of(checkpoint, others))
    answer = answer_of(words)
    if answer == "resume":
        return "answer", None
    is_over = answer == "discard" and offered.source == "clear"
    return ("discard" if is_over else None), None


def _brief(
    checkpoint: Checkpoint,
    sign: str,
    event: HookEvent,
    context: HookContext,
    store: Store,
) -> Reply:
    said = brief_text(checkpoint, context)
    cost = tokens(said.text)
    if not store.deliver(event.session_id, "brief", tokens=cost, sign=sign):
        return Reply()  # another process was quicker
    link(event.session_id, checkpoint.draft.session_id, context.ports, store)
    line = resumed_line(checkpoint, context.ports.clock.now_ms())
    line = with_left_out(line, said.left_out)
    return Reply(context=said.text, line=line, tokens=cost)


def _begin_from(
    offered: Delivery, event: HookEvent, context: HookContext, store: Store
) -> None:
    try:
        checkpoint = store.get(offered.checkpoint_id)
    except CheckpointNotFound:
        return
    link(event.session_id, checkpoint.draft.session_id, context.ports, store)


def _late(event: HookEvent, context: HookContext, store: Store) -> Reply:
    """What was still being saved at the start is told now, as the start would have."""
    offered = store.offered(event.session_id)
    if offered is None or offered.delivered is not None:
        return Reply()
    cleared = _cleared(offered, store)
    started = replace(event, name="SessionStart", source=offered.source)
    plan = plan_start(started, context, store, StartHistory(cleared))
    told = start_reply(started, context, store, plan)
    keep_offer(started, context, store, plan, told.tokens)
    if plan.told.what == "brief":
        return _told_late(plan, told, event, context, store)
    if plan.told.rule == "prompt" and answer_of(event.prompt) is None:
        return told  # nobody was asked yet
    reply = _first(event, context, store)
    return _with_line(reply, (), event, context, store) if plan.saved else reply


def _told_late(
    plan: StartPlan, told: Reply, event: HookEvent, context: HookContext, store: Store
) -> Reply:
    if not store.deliver(event.session_id, "brief", tokens=told.tokens, sign="late"):
        return Reply()
    origin = checkpoint_of(plan).draft.session_id
    link(event.session_id, origin, context.ports, store)
    return told
