"""A prompt: record what the start told as delivered; explicit words get the brief.

Whether a prompt continues the work is judged by the model that reads what the start told.
Only words that say nothing else decide here, at any prompt of a session: `continue`,
`continue api-design`, `00042`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.find import if_kept
from holdfast.app.checkpoints.which_session import begin_from
from holdfast.app.hooks.asked import (
    asked_later,
    tell_brief,
    tell_named,
)
from holdfast.app.hooks.continuity import (
    Pending,
    keep_pending,
    note_event,
    read_pending,
)
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.app.hooks.start import StartHistory, keep_offer, plan_start
from holdfast.app.hooks.start_reply import (
    StartPlan,
    checkpoint_of,
    clear_line,
    start_reply,
)
from holdfast.brief.card import with_left_out
from holdfast.domain.text import tokens
from holdfast.kernel.lazy_values import replace
from holdfast.start.decision import StartDecision
from holdfast.start.explicit import Asked, agrees, asked_for
from holdfast.start.resume_answers import answer_of

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.client import Delivery
    from holdfast.store.port import Sessions, Store

_DISCARDED = (
    "The user discarded the checkpoint that was offered; there is nothing to do."
)


def prompt(event: HookEvent, context: HookContext, *, is_done: bool = True) -> Reply:
    """Answer a prompt that something is pending for, or that asks for a checkpoint.

    `is_done` says whether the save that a late start waits for is carried out.
    """
    waiting = read_pending(event.session_id, context.markers)
    if waiting is None:
        return _later(event, context)
    if waiting.late and not is_done:
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
    if waiting.unseen and is_new and is_asked and not _is_answer(event.prompt):
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
    if reply.line or offered is None:
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
        return asked_later(event, context, store)
    if offered.rule == "fresh":
        store.spend_fresh(context.workspace)
    told = StartDecision(offered.what, offered.rule)
    if told.wants == "answering" and (
        reply := _decided(offered, event, context, store)
    ):
        return reply
    return _named_or_kept(offered, event, context, store)


def _named_or_kept(
    offered: Delivery, event: HookEvent, context: HookContext, store: Store
) -> Reply:
    """Deliver what the start told, or the brief if the prompt asks for it in words."""
    asked = asked_for(event.prompt)
    if asked is None and offered.what == "short" and agrees(event.prompt):
        asked = Asked("going on")  # nobody has asked anything else yet
    offer = if_kept(offered.checkpoint_id, store) if offered.checkpoint_id else None
    if offered.what in ("short", "card") and offer is None:
        store.deliver(event.session_id, "nothing")  # it was forgotten meanwhile
        return Reply()
    if asked and offer and offered.what != "brief" and _means(asked, offer, offered):
        return tell_brief(offer, "word", event, context, store)
    sign = "new" if asked and asked.meant == "new" else ""
    store.deliver(event.session_id, offered.what, tokens=offered.tokens, sign=sign)
    if offered.what == "brief" and offer:
        begin_from(offer, event.session_id, context.ports)
    if asked and asked.reference and not asked.may_be_answer:
        return tell_named(asked, event, context, store)
    return Reply()


def _means(asked: Asked, offer: Checkpoint, offered: Delivery) -> bool:
    """Say whether explicit words mean what the start offered."""
    if asked.meant == "new":
        return False
    if asked.may_be_answer:  # the first prompt: nobody can have asked anything else
        return int(asked.reference) == offer.number
    return (
        not asked.reference
        and StartDecision(offered.what, offered.rule).wants != "naming"
    )


def _is_answer(words: str) -> bool:
    asked = asked_for(words)
    return answer_of(words) is not None or bool(asked and asked.meant == "going on")


def _decided(
    offered: Delivery, event: HookEvent, context: HookContext, store: Store
) -> Reply | None:
    """Return what an answer to `resume it?` brings; None: it is none, and that keeps."""
    answer = answer_of(event.prompt)
    checkpoint = if_kept(offered.checkpoint_id, store)
    if checkpoint is None:
        return None
    if answer == "resume":
        return tell_brief(checkpoint, "answer", event, context, store)
    if answer == "discard" and offered.source == "clear":
        store.deliver(event.session_id, "nothing", sign="discard")
        store.remove([checkpoint.checkpoint_id], "discarded by the user")
        return Reply(context=_DISCARDED, tokens=tokens(_DISCARDED))
    return None


def _later(event: HookEvent, context: HookContext) -> Reply:
    """Answer a prompt that nothing waits for: it may ask for a checkpoint in words."""
    asked = asked_for(event.prompt)
    if asked is None or asked.meant == "new" or asked.may_be_answer:
        return Reply()
    store = context.ports.open_store()
    note_event(event, context, store)
    return asked_later(event, context, store)


def _late(event: HookEvent, context: HookContext, store: Store) -> Reply:
    """What was still being saved at the start is told now, as the start would have."""
    offered = store.offered(event.session_id)
    if offered is None or offered.delivered is not None:
        return asked_later(event, context, store)
    cleared = _cleared(offered, store)
    started = replace(event, name="SessionStart", source=offered.source)
    plan = plan_start(started, context, store, StartHistory(cleared))
    told = start_reply(started, context, store, plan)
    keep_offer(started, context, store, plan, told.tokens)
    if plan.told.rule == "prompt" and not _is_answer(event.prompt):
        return told  # nobody was asked yet
    asked = asked_for(event.prompt)
    if plan.told.what == "brief" and not (asked and asked.reference):
        return _told_late(plan, told, event, context, store)
    reply = _first(event, context, store)
    if plan.told.rule == "prompt" and plan.saved:
        return _with_line(reply, (), event, context, store)
    is_unwanted = asked is not None and asked.meant == "new"
    told = replace(told, context="", tokens=0) if is_unwanted else told
    return reply if reply.context else told  # what was asked for takes its place


def _told_late(
    plan: StartPlan, told: Reply, event: HookEvent, context: HookContext, store: Store
) -> Reply:
    if not store.deliver(event.session_id, "brief", tokens=told.tokens, sign="late"):
        return Reply()
    begin_from(checkpoint_of(plan), event.session_id, context.ports)
    return told
