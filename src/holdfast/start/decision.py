"""What is a new session told? One pure function: the situation in, the answer out.

Before it stands whether a checkpoint has something to continue, and was left unfinished.

PRODUCT's table, in the order in which its rules win. The rule's name is kept with the
delivery, so that `holdfast why` can say which one decided.
"""

from typing import Literal

from holdfast.domain.checkpoint import HEADLESS_TAG, Checkpoint, is_open
from holdfast.domain.client import Wants
from holdfast.domain.standing import standing_of
from holdfast.kernel.lazy_values import dataclass

What = Literal["brief", "short", "card", "lost", "drift", "nothing"]
Mode = bool | Literal["prompt", "always"]  # the setting auto_resume_on_start
Branch = Literal["same", "differs", "merged", "gone"]

_HOUR = 3_600
CRASH_SECONDS = 2 * _HOUR
FINISHED_SECONDS = 24 * _HOUR
UNFINISHED_SECONDS = 14 * 24 * _HOUR
_SOURCES = ("startup", "clear", "compact", "resume")

RULES = {
    "switched-off": "holdfast is off here",
    "resume-is-false": "`hooks.auto_resume_on_start` is `false`",
    "fork": "a fork already has the whole conversation",
    "unknown-source": "the client did not say how the session began",
    "headless": "no person is using this client",
    "fresh": "a clean start was asked for with `holdfast fresh`",
    "late": "the previous session was still being saved",
    "compaction": "the client's summary leaves things out",
    "compaction-already-told": "what this summary leaves out was already told",
    "resumed": "the conversation is still there, and its files did not change",
    "resumed-files-changed": "the conversation is still there, but some of its files changed",
    "no-candidate": "there is nothing to continue",
    "always": "`hooks.auto_resume_on_start` is `always`",
    "too-old": "earlier work is too old: unfinished work counts for 14 days, finished work for 24 h",
    "prompt": "the user is asked first",
    "elsewhere": "the work was in another worktree or a sibling directory",
    "alive-elsewhere": "the session is open in another window",
    "delivered-elsewhere": "another session already has this brief",
    "branch-differs": "the work is on another branch",
    "branch-merged": "the branch of the work was merged",
    "branch-gone": "the branch of the work is gone",
    "cleared-unfinished": "the cleared session left unfinished work",
    "cleared-finished": "the cleared session had finished its work",
    "crashed": "the previous session was cut off in the middle of its work",
    "unfinished": "there is unfinished work here",
    "finished": "work was finished here within the last day",
    "asked": "the user asked for it by name, by number or with a word such as `continue`",
}

# Where "continue" alone does not mean what the start found.
_ONLY_BY_NAME = ("elsewhere", "alive-elsewhere", "fresh")
ENOUGH_CALLS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCandidate:
    """The session that could be continued, as far as the decision needs it."""

    unfinished: bool
    age_seconds: int
    crashed: bool = False  # no end was seen and its process is gone
    branch: Branch = "same"
    is_here: bool = True  # this worktree, and not a sibling directory
    is_alive: bool = False  # in another window
    is_delivered: bool = False  # its brief went to another session


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    source: str  # as the client says it; unknown ones are told nothing
    mode: Mode = True
    is_off: bool = False
    is_fresh: bool = False  # the user asked for a clean start
    is_headless: bool = False  # nobody is there, and `hooks.headless` is not `full`
    asks_at_clear: bool = False  # auto_checkpoint_on_clear is `prompt`
    is_late: bool = False  # what it could be told of is still being saved
    candidate: StartCandidate | None = None
    is_boundary_told: bool = False  # what this compaction lost was told before
    has_drift: bool = False  # files that the resumed session knows changed


@dataclass(frozen=True, slots=True)
class StartDecision:
    what: What
    rule: str

    @property
    def wants(self) -> Wants:
        """Worktrees, windows and sibling directories get each other's brief only if
        the user names the checkpoint, and so does who wanted to be told nothing."""
        if self.rule in _ONLY_BY_NAME:
            return "naming"
        return "answering" if self.rule == "prompt" else "continuing"


def decide(now: Situation) -> StartDecision:
    """Return what a session that starts now is told, and by which rule."""
    return _silenced(now) or _of_source(now)


def _silenced(now: Situation) -> StartDecision | None:
    is_known = now.source in _SOURCES
    unknown = "fork" if now.source == "fork" else "unknown-source"
    reasons = (
        ("switched-off", now.is_off),
        ("resume-is-false", now.mode is False),
        (unknown, not is_known),
        ("headless", now.is_headless and now.source in ("startup", "resume")),
        ("fresh", now.is_fresh and now.source in ("startup", "clear")),
        ("late", now.is_late),
    )
    rule = next((name for name, holds in reasons if holds), None)
    return StartDecision("nothing", rule) if rule else None


def _of_source(now: Situation) -> StartDecision:
    if now.source == "compact":
        if now.is_boundary_told:
            return StartDecision("nothing", "compaction-already-told")
        return StartDecision("lost", "compaction")
    if now.source == "resume":
        if now.has_drift:
            return StartDecision("drift", "resumed-files-changed")
        return StartDecision("nothing", "resumed")
    return _of_candidate(now)


def _of_candidate(now: Situation) -> StartDecision:
    candidate = now.candidate
    if candidate is None:
        return StartDecision("nothing", "no-candidate")
    if now.mode == "always" and candidate.is_here:
        return StartDecision("brief", "always")
    if _is_too_old(candidate):
        return StartDecision("nothing", "too-old")
    reserve = "prompt" if _asks(now) else _reserve(candidate)
    return StartDecision("card", reserve) if reserve else _of_work(now, candidate)


def _asks(now: Situation) -> bool:
    return now.mode == "prompt" or (now.source == "clear" and now.asks_at_clear)


def _of_work(now: Situation, candidate: StartCandidate) -> StartDecision:
    if now.source == "clear":
        if candidate.unfinished:
            return StartDecision("brief", "cleared-unfinished")
        return StartDecision("card", "cleared-finished")
    if (
        candidate.crashed
        and candidate.unfinished
        and candidate.age_seconds <= CRASH_SECONDS
    ):
        return StartDecision("brief", "crashed")
    if candidate.unfinished:
        return StartDecision("short", "unfinished")
    return StartDecision("card", "finished")


def _is_too_old(candidate: StartCandidate) -> bool:
    limit = UNFINISHED_SECONDS if candidate.unfinished else FINISHED_SECONDS
    return candidate.age_seconds > limit


def _reserve(candidate: StartCandidate) -> str | None:
    """Return why no more than the card is given, whatever the source."""
    reasons = (
        ("elsewhere", not candidate.is_here),
        ("alive-elsewhere", candidate.is_alive),
        ("delivered-elsewhere", candidate.is_delivered),
        (f"branch-{candidate.branch}", candidate.branch != "same"),
    )
    return next((name for name, holds in reasons if holds), None)


def is_candidate(checkpoint: Checkpoint) -> bool:
    """Say whether a session did enough itself to be continued; what it inherited is the
    work of another."""
    if not is_anybodys(checkpoint):
        return False
    draft = checkpoint.draft
    content = draft.content
    calls = sum(tool.count for tool in draft.facts.tools)
    return (
        is_by_hand(checkpoint)
        or calls >= ENOUGH_CALLS
        or _has_edits(checkpoint)
        or _has_open_items(checkpoint)
        or any("git commit" in command.command for command in content.commands)
    )


def is_anybodys(checkpoint: Checkpoint) -> bool:
    """Say whether somebody sat there, at this machine. Headless ones are nobody's, and
    what came over HTTP is somebody else's."""
    draft = checkpoint.draft
    is_headless = draft.trigger == "headless" or (
        draft.trigger == "backfill" and HEADLESS_TAG in draft.tags
    )
    return not is_headless and not checkpoint.author


def is_by_hand(checkpoint: Checkpoint) -> bool:
    """Say whether somebody asked for it: then so is its session, whatever came after."""
    return checkpoint.draft.trigger in ("command", "merge")


def is_unfinished(checkpoint: Checkpoint) -> bool:
    """Say whether work was left: uncommitted, open, or cut off in the middle."""
    draft = checkpoint.draft
    return not standing_of(draft.content, draft.code).is_finished


def last_active(checkpoint: Checkpoint) -> int:
    """Return when the session was last at work; a rescue comes later than its crash."""
    facts = checkpoint.draft.facts
    if checkpoint.draft.trigger != "rescue" or not facts.started_at:
        return checkpoint.draft.created_at
    return facts.started_at + facts.duration_seconds * 1000


def is_related(one: str, other: str) -> bool:
    """Say whether two directories are one, or one lies in the other."""
    a, b = f"{one.rstrip('/')}/", f"{other.rstrip('/')}/"
    return a.startswith(b) or b.startswith(a)


def _has_edits(checkpoint: Checkpoint) -> bool:
    files = checkpoint.draft.content.files
    return any(file.change != "read" and file.origin is None for file in files)


def _has_open_items(checkpoint: Checkpoint) -> bool:
    content = checkpoint.draft.content
    errors = filter(is_open, content.errors)
    left = (*content.pending, *content.open_questions, *errors)
    return any(item.origin is None for item in left)
