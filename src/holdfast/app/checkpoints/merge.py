"""Merge checkpoints into one: what each knows, where they contradict, and whether their
code would go together.

    references ─► sides and their ancestor ─► one content ─► draft ──put──► checkpoint

The code is only looked at: a merge writes no file, and its checkpoint has the code of home,
the first that is named.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from holdfast.app.checkpoints.code_branches import CodeTrial, try_code
from holdfast.app.checkpoints.drafting import finished
from holdfast.app.checkpoints.kinship import (
    Parting,
    home_of,
    named_checkpoints,
    parting_of,
)
from holdfast.app.checkpoints.save import drain
from holdfast.app.ports import Caller, Ports
from holdfast.branches.conflicts import Conflict
from holdfast.branches.identity import Side
from holdfast.branches.merging import MergedContent, merged
from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.query import Scope
from holdfast.domain.session import Mark
from holdfast.domain.text import plain
from holdfast.facts.content import tags_of
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import MergeRefused, StoreDamaged, UsageWrong
from holdfast.kernel.ids import Reference, label, session_uuid
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.port import Store

AGENT = "merge"  # whose session it is, where no session's newest is merged
ALL = "all"
_OWN_TAGS = 3  # the first ones of a record are made from it
_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRequest:
    references: tuple[Reference, ...]  # home first; a single one is brought home
    title: str | None = None
    choices: tuple[str, ...] = ()  # `2=41`, `all=41`: which side is right


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """What a merge would make; nothing is written yet."""

    request: MergeRequest
    parting: Parting  # home first, then the others by number
    found: MergedContent
    code: CodeTrial
    into_session: bool  # home is the newest of its session, which goes on with this

    @property
    def home(self) -> Checkpoint:
        return self.parting.checkpoints[0]

    @property
    def is_needed(self) -> bool:
        """Say whether there is anything to merge."""
        return len(self.parting.checkpoints) >= _FEWEST

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        return self.found.conflicts


@dataclass(frozen=True, slots=True)
class Merged:
    outcome: Literal["saved", "repeated", "unchanged"]
    checkpoint: Checkpoint
    plan: MergePlan


def plan_merge(request: MergeRequest, caller: Caller, ports: Ports) -> MergePlan:
    """Return what merging would make, with its conflicts. Changes nothing but the spool.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous, StoreDamaged
        MergeRefused: they are of different projects, or a choice names no side.
    """
    store = ports.open_store()
    drain(ports, store)  # what waits is newer than what is there
    named = named_checkpoints(request.references, caller.scope, ports)
    if len(named) < _FEWEST:
        named = (home_of(named[0], store), *named)
    _refuse_foreign(named)
    parting = parting_of(named, store)
    home = _home(parting.checkpoints, store)
    first = home or parting.checkpoints[0]
    others = (one for one in parting.checkpoints if one is not first)
    in_order = sorted(others, key=lambda one: (one.number, one.checkpoint_id))
    parting = replace(parting, checkpoints=(first, *in_order))
    return MergePlan(
        request=request,
        parting=parting,
        found=_merged(parting, request, into_session=home is not None),
        code=try_code(parting, ports.snapshots),
        into_session=home is not None,
    )


def with_choices(plan: MergePlan, choices: Iterable[str]) -> MergePlan:
    """Return a plan in which more conflicts are decided.

    Raises:
        MergeRefused: a choice names no conflict, or no side of it.
    """
    request = replace(plan.request, choices=(*plan.request.choices, *choices))
    found = _merged(plan.parting, request, into_session=plan.into_session)
    return replace(plan, request=request, found=found)


def carry_out(plan: MergePlan, caller: Caller, ports: Ports) -> Merged:
    """Keep what a plan says as a checkpoint; the same plan again is the same checkpoint.

    Raises:
        SaveFailed, StoreBusy, StoreDamaged, StoreNotFound
    """
    if not plan.is_needed:
        return Merged("unchanged", plan.home, plan)
    store = ports.open_store()
    draft = merged_draft(plan, ports.clock.now_ms(), ports.hostname)
    kept = store.put(finished(draft, ports.redactor, caller.budget))
    stored = store.get(kept.checkpoint.checkpoint_id)
    if stored.content_hash != kept.checkpoint.content_hash:
        raise StoreDamaged(
            "the merge was not stored as it was written", hint="run `holdfast doctor`"
        )
    return Merged(kept.outcome, stored, plan)


def merged_before(plan: MergePlan, ports: Ports) -> Checkpoint | None:
    """Return the checkpoint that carrying out a plan would find made already."""
    home, key = plan.home.draft, _key(plan)
    ids = tuple(one.checkpoint_id for one in plan.parting.checkpoints)
    session = home.session_id if plan.into_session else _own_session(ids)
    made = ports.open_store().merged_into(session)
    return next((one for one in made if one.draft.key == key), None)


def merged_draft(plan: MergePlan, now_ms: int, hostname: str) -> Draft:
    """Return the checkpoint that a plan makes, to be redacted and kept."""
    home, others = plan.home.draft, plan.parting.checkpoints[1:]
    title = plan.request.title or merged_title(plan.parting)
    content = replace(plan.found.content, title=title)
    draft = replace(
        home,
        key=_key(plan),
        type="manual",
        trigger="merge",
        created_at=now_ms,
        hostname=hostname,
        name=None,
        replace_name=False,
        content=content,
        details=tuple(
            replace(detail, detail_id=0)
            for one in (*others, plan.home)
            for detail in one.draft.details
        ),
        merged_from=tuple(one.checkpoint_id for one in plan.parting.checkpoints),
        given_title=bool(plan.request.title),
        given_notes=False,
        extra_notes={},
    )
    draft = draft if plan.into_session else _in_own_session(draft)
    uuid = session_uuid(draft.session_id, draft.agent)
    given = [t for one in plan.parting.checkpoints for t in one.draft.tags[_OWN_TAGS:]]
    return replace(draft, tags=tags_of(uuid, now_ms, content.topics, given))


def _merged(
    parting: Parting, request: MergeRequest, *, into_session: bool
) -> MergedContent:
    base = parting.ancestor.checkpoint
    sides = sides_of(parting.checkpoints, into_session=into_session)
    start = base.draft.content if base else None
    found = merged(start, sides)
    if not request.choices:
        return found
    return merged(start, sides, _chosen(request, found.conflicts, parting))


def sides_of(
    checkpoints: Sequence[Checkpoint], *, into_session: bool
) -> tuple[Side, ...]:
    return tuple(
        Side(
            checkpoint_id=one.checkpoint_id,
            number=one.number,
            content=one.draft.content,
            is_own=into_session and place == 0,
            tree=one.draft.code.tree,
        )
        for place, one in enumerate(checkpoints)
    )


def _home(checkpoints: Sequence[Checkpoint], store: Store) -> Checkpoint | None:
    """Return the first that is its session's newest, but for merges of itself: its
    session goes on with what is merged."""
    for one in checkpoints:
        session = one.draft.session_id
        newest = next(iter(store.list(Scope(), session=session, limit=1)), None)
        if newest and one.checkpoint_id in (
            newest.checkpoint_id,
            *newest.draft.merged_from,
        ):
            return one
    return None


def _own_session(merged_from: Sequence[str]) -> str:
    return f"{AGENT}-{_digest(*merged_from)[:16]}"


def _in_own_session(draft: Draft) -> Draft:
    """Return a draft as a session of its own, beside those that went on already."""
    return replace(
        draft,
        session_id=_own_session(draft.merged_from),
        agent=AGENT,
        agent_version="",
        parent_session=draft.session_id,
        forked_at=None,
        transcript="",
        read_to=Mark(),
        state_key="",
    )


def _refuse_foreign(checkpoints: Sequence[Checkpoint]) -> None:
    for one in checkpoints:
        if one.author:
            called = one.reference
            where = "by another program" if one.origin else _where(one)
            raise MergeRefused(
                f"`{called}` was made {where}, and a merge would present its words as yours",
                hint=f"read it with `holdfast resume {called}`",
            )
    first = checkpoints[0]
    for other in checkpoints[1:]:
        if other.draft.project_id != first.draft.project_id:
            raise MergeRefused(
                f"`{first.checkpoint_id}` and `{other.checkpoint_id}` are of different"
                " projects, and a merge stays in one",
                hint=f"compare them with `holdfast diff {first.checkpoint_id}"
                f" {other.checkpoint_id}`",
            )


def _where(of_others: Checkpoint) -> str:
    at = f"over HTTP, by {plain(of_others.author)}"
    return "on another machine" if of_others.machine else at


def merged_title(parting: Parting) -> str:
    """Return what a merge is called that nobody named: home's title, and the numbers."""
    home, *others = parting.checkpoints
    numbers = ", ".join(f"{one.number:05d}" for one in others)
    with_them = f" (merged with {numbers})" if others else ""
    return f"{home.draft.content.title}{with_them}"


def _key(plan: MergePlan) -> str:
    ids = (one.checkpoint_id for one in plan.parting.checkpoints)
    request = plan.request
    return f"{AGENT}:{_digest(*ids, '', *request.choices, '', request.title or '')}"


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def _chosen(
    request: MergeRequest, conflicts: Sequence[Conflict], parting: Parting
) -> Mapping[int, str]:
    """Return which side is right in which conflict.

    Raises:
        MergeRefused: a choice names no conflict, or no side of it.
    """
    by_name = {
        name: one.checkpoint_id
        for one in parting.checkpoints
        for name in (str(one.number), label(one.number), one.checkpoint_id, one.name)
        if name
    }
    chosen: dict[int, str] = {}
    for choice in request.choices:
        which, _, name = choice.partition("=")
        side = by_name.get(name.strip().lstrip("0")) or by_name.get(name.strip())
        if side is None:
            raise UsageWrong(
                f"`{choice[:100]}` names no side of this merge",
                hint=f"use one of: {', '.join(_choices(conflicts, parting))}",
            )
        wanted = [c for c in conflicts if which.strip() in (ALL, str(c.number))]
        if not wanted and which.strip() != ALL:
            raise MergeRefused(
                f"there is no conflict `{which.strip()[:40]}`",
                hint=f"there are {len(conflicts)}; see them with `--dry-run`",
            )
        for conflict in wanted:
            between = {option.checkpoint_id for option in conflict.options}
            if side in between:
                chosen[conflict.number] = side
            elif which.strip() != ALL:
                raise MergeRefused(
                    f"conflict {conflict.number} is not about `{name.strip()}`",
                    hint=f"use one of: {', '.join(_choices([conflict], parting))}",
                )
    return chosen


def _choices(conflicts: Sequence[Conflict], parting: Parting) -> list[str]:
    first = [f"`{ALL}={one.number}`" for one in parting.checkpoints]
    each = [
        f"`{conflict.number}={option.number}`"
        for conflict in conflicts[:2]
        for option in conflict.options
    ]
    return [*first, *each]
