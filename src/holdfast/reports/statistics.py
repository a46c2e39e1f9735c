"""Statistics: what was worked, what it cost, and what holdfast itself cost and gave.

Numbers of a session grow from one checkpoint to the next, so each checkpoint counts for
what is new since the one before, on its own day. A fork's transcript begins with the lines
it was copied from: those are counted where they were written. What a record does not say
is not known, and never zero.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from holdfast.domain.checkpoint import SessionFacts
from holdfast.domain.client import Delivery, HookCost
from holdfast.domain.event import Tokens
from holdfast.domain.outline import Tally
from holdfast.kernel.clock import local_time
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field

_DAY = len("2026-01-18")


@dataclass(slots=True)
class Work:
    """Sums over checkpoints: of a day, a project, an agent, or everything."""

    checkpoints: int = 0
    messages: int = 0
    seconds: int = 0  # from a session's first message to its last
    tool_calls: int = 0
    commands: int = 0
    files: int = 0
    errors: int = 0
    dead_ends: int = 0
    prompts: int = 0
    spent: Tokens = field(default_factory=Tokens)
    sessions: set[str] = field(default_factory=set)
    telling_prompts: set[str] = field(default_factory=set)  # sessions that say them
    telling_tokens: set[str] = field(default_factory=set)
    telling_cost: set[str] = field(default_factory=set)
    incomplete: set[str] = field(default_factory=set)  # that say tokens of a part only

    def add(self, tally: Tally, since: Tally | None) -> None:
        """Count a checkpoint for what is new since the one before it."""
        now = tally.facts
        before = since.facts if since else SessionFacts()
        self.checkpoints += 1
        self.sessions.add(tally.session_id)
        self.messages += _grown(now.message_count, before.message_count)
        self.seconds += _grown(now.duration_seconds, before.duration_seconds)
        self.tool_calls += _grown(_calls(now), _calls(before))
        self.commands += _grown(now.commands_executed, before.commands_executed)
        self.files += _grown(now.files_modified, before.files_modified)
        self.errors += _grown(_errors(tally), _errors(since) if since else 0)
        self.dead_ends += _grown(tally.dead_ends, since.dead_ends if since else 0)
        if now.prompts is not None:
            self.telling_prompts.add(tally.session_id)
            self.prompts += _grown(now.prompts, before.prompts or 0)
        self._spend(tally, before.spent or Tokens())

    def _spend(self, tally: Tally, before: Tokens) -> None:
        spent = tally.facts.spent
        if spent is None:
            return
        self.telling_tokens.add(tally.session_id)
        if spent.cost:
            self.telling_cost.add(tally.session_id)
        if not tally.facts.spent_exactly:
            self.incomplete.add(tally.session_id)
        new = zip(self.spent, spent, before, strict=True)
        self.spent = Tokens(*(sum_ + _grown(now, old) for sum_, now, old in new))


class OwnCost(NamedTuple):
    """What holdfast itself did, and what that took."""

    octets: int = 0  # of the records
    on_disk: int | None = None  # of everything in the data directory
    hooks: HookCost = HookCost()
    told: Mapping[str, int] = {}  # what reached a model, by its kind
    told_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    totals: Work
    days: Mapping[str, Work]  # by local date, oldest first
    projects: Mapping[str, Work]  # by root
    agents: Mapping[str, Work]
    tools: Mapping[str, int]  # calls, most used first
    triggers: Mapping[str, int]  # what made the checkpoints
    types: Mapping[str, int]
    open_errors: int  # as the last checkpoint of each session knows them
    peak_tokens: int  # the fullest context that was seen
    peak_percent: float | None
    own: OwnCost
    damaged: int = 0  # records that are not counted: what they say is not known


def statistics(
    tallies: Iterable[Tally], session_parents: Mapping[str, str], own: OwnCost
) -> Statistics:
    """Return the sums over checkpoints that come oldest first."""
    gathering = _Gathering(session_parents)
    for tally in tallies:
        gathering.add(tally)
    return gathering.result(own)


def own_cost(
    costs: Mapping[str, HookCost], deliveries: Iterable[Delivery], on_disk: int | None
) -> OwnCost:
    """Return what hooks cost and told; the records' size comes with the tallies."""
    told = [delivery for delivery in deliveries if delivery.delivered]
    return OwnCost(
        on_disk=on_disk,
        hooks=sum(costs.values(), HookCost()),
        told=Counter(str(delivery.delivered) for delivery in told),
        told_tokens=sum(delivery.tokens for delivery in told),
    )


class _Gathering:
    def __init__(self, session_parents: Mapping[str, str]) -> None:
        self._session_parents = session_parents
        self._last: dict[str, Tally] = {}  # by session
        self._totals = Work()
        self._days: dict[str, Work] = {}
        self._projects: dict[str, Work] = {}
        self._agents: dict[str, Work] = {}
        self._triggers: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._octets = 0
        self._peak = 0
        self._peak_percent: float | None = None

    def add(self, tally: Tally) -> None:
        before = self._last.get(tally.session_id) or self._copied(tally)
        self._last[tally.session_id] = tally
        day = local_time(tally.created_at)[:_DAY]
        for works, key in (
            (self._days, day),
            (self._projects, tally.project_root),
            (self._agents, tally.agent),
        ):
            works.setdefault(key, Work()).add(tally, before)
        self._totals.add(tally, before)
        self._triggers[tally.trigger] += 1
        self._types[tally.type] += 1
        self._octets += tally.octets
        self._use(tally.facts, before.facts if before else SessionFacts())

    def _copied(self, tally: Tally) -> Tally | None:
        """Return the last of the session that a fork was copied from."""
        parent = self._last.get(self._session_parents.get(tally.session_id, ""))
        if parent is None or not parent.facts.started_at:
            return None
        is_copy = parent.facts.started_at == tally.facts.started_at
        return parent if is_copy else None

    def _use(self, now: SessionFacts, before: SessionFacts) -> None:
        known = {tool.tool: tool.count for tool in before.tools}
        for tool in now.tools:
            self._used[tool.tool] += _grown(tool.count, known.get(tool.tool, 0))
        self._peak = max(self._peak, now.context_tokens)
        if now.context_percent is not None:
            self._peak_percent = max(self._peak_percent or 0.0, now.context_percent)

    def result(self, own: OwnCost) -> Statistics:
        return Statistics(
            totals=self._totals,
            days=dict(sorted(self._days.items())),
            projects=self._projects,
            agents=self._agents,
            tools=dict(self._used.most_common()),
            triggers=dict(self._triggers.most_common()),
            types=dict(self._types.most_common()),
            open_errors=sum(tally.open_errors for tally in self._last.values()),
            peak_tokens=self._peak,
            peak_percent=self._peak_percent,
            own=own._replace(octets=self._octets),
        )


def _errors(tally: Tally) -> int:
    """Return what failed in a session; what was mended a record leaves out, so that is
    all that an older one knows."""
    failed = tally.facts.failed_calls
    return tally.errors if failed is None else failed


def _grown(now: int, before: int) -> int:
    """Return what is new; a rewind takes back, and what was done stays counted."""
    return max(0, now - before)


def _calls(facts: SessionFacts) -> int:
    return sum(tool.count for tool in facts.tools)
