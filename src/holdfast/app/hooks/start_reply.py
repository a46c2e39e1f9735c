"""The reply of a start: the text for the model, and the line for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.checkpoints.find import if_kept
from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.brief import card as cards
from holdfast.brief.receipt import left_out
from holdfast.domain.query import Scope
from holdfast.domain.text import tokens
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_values import dataclass
from holdfast.start.decision import StartDecision

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app.hooks.find_candidate import FoundCandidate
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.client import Delivery
    from holdfast.store.port import Finding, Store

_MOST_FILES_LOOKED_AT = 40
# The brief alone fits the client's limit; with a note beside it, this much always does.
_MOST_BESIDE_A_NOTE = 2_400
MOST_SHORT_TOKENS = 400
_ANSWERS = "answer resume, keep or discard"
_OPEN = "open in another window"
_NOTES = {  # why no more than the card is given
    "finished": "Its work is finished.",
    "cleared-finished": "Its work is finished.",
    "alive-elsewhere": f"It is {_OPEN}.",
    "delivered-elsewhere": "Another session is continuing it.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPlan:
    """What a start would tell, and why."""

    told: StartDecision
    found: FoundCandidate | None = None
    drift: tuple[tuple[str, str], ...] = ()
    boundary: str = ""
    saved: tuple[Checkpoint, ...] = ()  # of the cleared session, the newest first


def start_reply(
    event: HookEvent, context: HookContext, store: Store, plan: StartPlan
) -> Reply:
    """Return what the client shows and the model reads."""
    makers: dict[str, Callable[[], StartText]] = {
        "brief": lambda: _whole(plan, context),
        "short": lambda: _short(plan, context),
        "card": lambda: StartText(_card(plan, context)),
        "lost": lambda: StartText(_lost(event, context, store)),
        "drift": lambda: StartText(cards.drift_note(plan.drift)),
        "nothing": lambda: StartText(""),
    }
    said = makers[plan.told.what]()
    cost = tokens(said.text)
    line = _line(event, context, plan, cost)
    return Reply(
        context=said.text,
        line=cards.with_left_out(line, said.left_out),
        left_out=said.left_out,
        tokens=cost,
    )


def clear_line(
    offered: Delivery, cleared: str | None, context: HookContext, store: Store
) -> str:
    """Return the line of a clear as it holds when the first prompt comes."""
    told = StartDecision(offered.what, offered.rule)
    if told.rule == "switched-off":
        return ""
    given = if_kept(offered.checkpoint_id, store) if told.what == "brief" else None
    saved = saved_by_clear(cleared, context, store)
    if not saved:
        return cards.resumed_line(given, context.ports.clock.now_ms()) if given else ""
    if given:
        return _saved_line(saved, context, _resumed(given, saved[0]), offered.tokens)
    is_asked = told.wants == "answering" and offered.delivered is None
    return _saved_line(saved, context, _ANSWERS if is_asked else "", 0)


def saved_by_clear(
    cleared: str | None, context: HookContext, store: Finding
) -> tuple[Checkpoint, ...]:
    """Return the cleared session's newest checkpoint and the one before it."""
    if cleared is None or context.settings.save_on_clear is False:
        return ()
    return store.list(Scope(), session=cleared, limit=2)


@dataclass(frozen=True, slots=True)
class StartText:
    text: str
    left_out: tuple[str, ...] = ()  # that a user should hear of


def brief_text(
    checkpoint: Checkpoint, context: HookContext, budget: int, *, note: str = ""
) -> StartText:
    """Return a checkpoint's brief, with what changed in its files since."""
    from holdfast.app.checkpoints.resume import resume_checkpoint  # noqa: PLC0415  # 20 ms, only for a brief

    changes = context.ports.code.changed(
        checkpoint.draft.working_directory,
        paths_to_look_at(checkpoint),
        checkpoint.draft.created_at,
    )
    note += f"{cards.drift_note(changes)}\n" if changes else ""
    told = resume_checkpoint(
        checkpoint,
        Scope(workspace=context.workspace),
        context.ports,
        budget=room_beside(note, budget),
    )
    return StartText(told.brief + note, left_out(told.receipt))


def _whole(plan: StartPlan, context: HookContext) -> StartText:
    found = checkpoint_of(plan)
    note = f"{cards.crash_note(found)}\n" if plan.told.rule == "crashed" else ""
    return brief_text(found, context, context.settings.budget, note=note)


def _short(plan: StartPlan, context: HookContext) -> StartText:
    """The line says nothing of what it leaves out: who goes on gets the whole."""
    budget = min(MOST_SHORT_TOKENS, context.settings.budget)
    return StartText(brief_text(checkpoint_of(plan), context, budget).text)


def paths_to_look_at(checkpoint: Checkpoint) -> list[str]:
    """Return the files of a checkpoint that ought to be there."""
    files = checkpoint.draft.content.files[:_MOST_FILES_LOOKED_AT]
    return [file.path for file in files if file.change != "deleted"]


def room_beside(note: str, budget: int) -> int:
    """Return how many tokens a brief may have beside a note."""
    if not note:
        return budget
    return max(100, min(budget, _MOST_BESIDE_A_NOTE) - tokens(note))


def checkpoint_of(plan: StartPlan) -> Checkpoint:
    return _found(plan).checkpoint


def _found(plan: StartPlan) -> FoundCandidate:
    assert plan.found is not None  # noqa: S101  # only a candidate makes a brief
    return plan.found


def _saved_line(
    checkpoints: tuple[Checkpoint, ...], context: HookContext, given: str, cost: int
) -> str:
    """Return the line of a clear: what was saved, and the work since the last save.

    A clear that found everything saved makes no record: then there are no numbers.
    """
    saved, *before = checkpoints
    numbers = ""
    if context.settings.verify and saved.draft.trigger == "clear":
        now = context.ports.clock.now_ms()
        numbers = cards.numbers(saved, before[0] if before else None, now)
    return cards.cleared_line(saved, given, numbers, cost)


def _lost(event: HookEvent, context: HookContext, store: Store) -> str:
    from holdfast.app.hooks.compact import lost_in  # noqa: PLC0415  # 40 ms, only to compact

    try:
        return lost_in(event, context, store).text
    except SaveFailed:
        return ""  # a client may keep no transcript


def _card(plan: StartPlan, context: HookContext) -> str:
    checkpoint, candidate = _found(plan).checkpoint, _found(plan).candidate
    then = checkpoint.draft.code.branch
    note = _NOTES.get(plan.told.rule, "")
    if then and plan.told.rule.startswith("branch-"):
        note = cards.branch_note(then, candidate.branch)
    elif not candidate.is_here:
        note = cards.place_note(checkpoint.draft.working_directory)
    return cards.card(
        checkpoint,
        context.ports.clock.now_ms(),
        note=note,
        wants=plan.told.wants,
    )


def _line(event: HookEvent, context: HookContext, plan: StartPlan, cost: int) -> str:
    """Return the one line the user sees; nothing where there is nothing to say."""
    told = plan.told
    if told.rule == "late" and event.source == "clear":
        return cards.LATE_LINE
    if plan.saved and told.rule != "switched-off":
        paid = cost if told.what == "brief" else 0
        return _saved_line(plan.saved, context, _given(plan), paid)
    if told.what not in ("brief", "short", "card"):
        return ""
    checkpoint, now = checkpoint_of(plan), context.ports.clock.now_ms()
    if told.what == "brief":
        return cards.resumed_line(checkpoint, now, crashed=told.rule == "crashed")
    why = _OPEN if told.rule == "alive-elsewhere" else ""
    return cards.offer_line(checkpoint, now, wants=told.wants, why=why)


def _given(plan: StartPlan) -> str:
    if plan.told.what not in ("brief", "card"):
        return ""
    if plan.told.rule == "prompt":
        return _ANSWERS
    checkpoint = checkpoint_of(plan)
    if plan.told.what == "card":
        return cards.how_to_ask(checkpoint, plan.told.wants)
    return _resumed(checkpoint, plan.saved[0])


def _resumed(checkpoint: Checkpoint, saved: Checkpoint) -> str:
    return "resumed" if checkpoint == saved else f"resumed {checkpoint.number:05d}"
