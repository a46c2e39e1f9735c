"""The brief: what the next session is told, fitted to a budget, with its receipt.

Order: what the user wants, where it stands, what is next, what not to do, what is known,
proof. Only words the user typed carry `▸`. What tools printed stands in a fence that it
cannot close; outside of it only counts, and the line that names an open error.
"""

from collections.abc import Mapping, Sequence

from holdfast.brief.finished import changed_files, finished_parts, is_done
from holdfast.brief.frame import MOST_CUT, Frame, WorkState, cost_of, fits, frame_of
from holdfast.brief.layout import QUOTED, BriefPart, Layout, layout_for
from holdfast.brief.parts import parts_of
from holdfast.brief.phrases import (
    Paths,
    spanned,
)
from holdfast.brief.receipt import is_cut, receipt_of
from holdfast.brief.standing import uncommitted_files
from holdfast.domain.brief import (
    LEFT_OUT,
    Brief,
    BriefOption,
    BriefSubject,
    Cost,
    Fit,
    is_within,
)
from holdfast.domain.checkpoint import (
    Checkpoint,
    Content,
    Draft,
    FileRef,
    Plan,
    said_since,
)
from holdfast.domain.code import CodeState, Drift
from holdfast.domain.fact import PlanStep, plan_shown, step_in_hand
from holdfast.domain.session import SessionState
from holdfast.domain.standing import WorkStanding, standing_of
from holdfast.domain.text import (
    USER,
    one_line,
    plain,
    tokens,
)
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.language.agent_messages import told_done

MOST_UNITS = 9_900  # UTF-16; a client replaces longer hook output by a preview
_OCTETS_PER_TOKEN = 4
_TICKS = pattern("`+")
_FEW_FILES = 8  # that a short brief names
_MOST_STEP = 160  # characters of a step of the plan


def brief(subject: BriefSubject, *, budget: int, now_ms: int, fit: Fit) -> Brief:
    """Return the brief of at most `budget` tokens; `fit` decides what is told."""
    whole = Cost(max(budget, 0) * _OCTETS_PER_TOKEN, MOST_UNITS)
    writer = _writer(subject, budget, whole, now_ms)
    room = _less(whole, writer.frame.most)
    fitting = writer.fitting(room, fit)
    first = writer.told(fitting)
    # The receipt is not known before; what it does not need is given away once.
    needs = cost_of(
        writer.frame.around("", first.receipt, MOST_CUT) + writer.layout.gap
    )
    spare = _less(writer.frame.most, needs)
    more = Cost(room.octets + spare.octets, room.units + spare.units)
    with_more = writer.fitting(more, fit)
    if with_more == fitting:
        return first
    second = writer.told(with_more)
    return second if fits(cost_of(second.text), whole) else first


def subject_of_checkpoint(
    checkpoint: Checkpoint,
    *,
    branch_now: str | None = None,
    elsewhere: str = "",
    worktree: str = "",
    drift: Drift | None = None,
) -> BriefSubject:
    """Return what a brief of a kept checkpoint is about."""
    draft = checkpoint.draft
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    return BriefSubject(
        reference=label(checkpoint.number) + at,
        content=draft.content,
        at=draft.created_at,
        has_notes=draft.given_notes,
        is_merge=draft.trigger == "merge",
        session_id=draft.session_id,
        cwd=draft.working_directory,
        code=draft.code,
        branch_now=branch_now,
        machine=checkpoint.machine or "",
        author=draft.author,
        is_imported=checkpoint.origin is not None,
        elsewhere=elsewhere,
        worktree=worktree,
        drift=drift,
        fetch=f"All: holdfast show {checkpoint.number}{at}",
        resume=f"{checkpoint.number}{at}",
    )


def subject_of_draft(draft: Draft) -> BriefSubject:
    """Return what a brief of a checkpoint that is about to be kept is about."""
    return BriefSubject(
        reference=label(0),  # as long as the label it will get
        content=draft.content,
        at=draft.created_at,
        has_notes=draft.given_notes,
        is_merge=draft.trigger == "merge",
        session_id=draft.session_id,
        cwd=draft.working_directory,
        code=draft.code,
        fetch="All: holdfast show 00000",
        resume="00000",
    )


def subject_of_session(state: SessionState, content: Content) -> BriefSubject:
    """Return what a brief of a transcript that nobody kept is about."""
    return BriefSubject(
        reference=f"session {state.session_id[:8] or 'unknown'}",
        content=content,
        at=state.ended_at,
        is_saved=False,
        session_id=state.session_id,
        cwd=state.last_cwd or state.cwd,
        code=CodeState(branch=state.branch or None),
        fetch="To keep all: holdfast save",
    )


def plan_part(plan: Plan, steps: Sequence[PlanStep], budget: int) -> str:
    """Return the plan from the step in hand on, as far as `budget` tokens go.

    Without steps, or without room for one, nothing is said: the brief names the plan.
    """
    start = _number_in_hand(plan, steps)
    where = f" (step {start} of {len(steps)})" if start else ""
    part = f"\n## The plan, from {spanned(plan_shown(plan.path))}{where}\n"
    told = 0
    first = (start or 1) - 1
    for number, step in enumerate(steps[first:], first + 1):
        done = " (done)" if step.done else ""
        line = f"{number}. {one_line(_without_number(step.text), _MOST_STEP)}{done}\n"
        if tokens(part + line) > budget:
            break
        part, told = part + line, told + 1
    return part if told else ""


@dataclass(frozen=True, slots=True)
class _Writer:
    """All that could be said, and what stands around it."""

    content: Content
    layout: Layout
    frame: Frame
    parts: Sequence[BriefPart]
    candidates: Sequence[BriefOption]  # the same parts with what each costs
    fence: str  # around what tools said
    counts: Mapping[str, int]  # how many there are of what stands in a row

    def fitting(self, room: Cost, fit: Fit) -> tuple[int, ...]:
        """Return the form of each part that a body of so much room tells."""
        openings = _openings(self.layout, self.fence, self.counts)
        return fit(self.candidates, openings, room)

    def told(self, chosen: tuple[int, ...]) -> Brief:
        """Return the brief that tells the parts in these forms."""
        forms = [*zip(self.parts, chosen, strict=True)]
        told = [(part, form) for part, form in forms if form != LEFT_OUT]
        things = [
            thing
            for (part, form), candidate in zip(forms, self.candidates, strict=True)
            if form != LEFT_OUT or is_within(candidate, chosen)
            for thing in part.tells
        ]
        texts = [part.forms[form] for part, form in told if part.section != QUOTED]
        receipt = receipt_of(self.content, things, texts)
        cut = sum(is_cut(part.forms[form], part.tells) for part, form in told)
        body = _body(told, self.layout, self.fence, self.counts)
        text = self.frame.around(body, receipt, cut)
        return Brief(text, receipt, tokens(text))


def _writer(subject: BriefSubject, budget: int, whole: Cost, now_ms: int) -> _Writer:
    content, layout = subject.content, layout_for(budget)
    standing = _standing(subject)
    is_finished = is_done(subject, standing)
    is_few = is_finished and layout.is_short
    named = changed_files(content) if is_few else _likely_told(subject, budget)
    paths = Paths.of([*dict.fromkeys(file.path for file in named)])
    state = _state(content, standing, is_finished=is_finished)
    frame = frame_of(subject, paths.legend, layout, whole, now_ms=now_ms, state=state)
    if is_few:
        parts = finished_parts(content, standing, paths)
    else:
        parts = parts_of(subject, paths, layout)
    changed = len(uncommitted_files(subject))
    return _Writer(
        content,
        layout,
        frame,
        parts,
        candidates=_candidates(parts, layout),
        fence=_fence(parts),
        counts={"uncommitted": changed, "changed": changed},
    )


def _likely_told(subject: BriefSubject, budget: int) -> list[FileRef]:
    """Return the files that so many tokens may name."""
    most = max(_FEW_FILES, budget // 80)
    return [*uncommitted_files(subject)[:most], *subject.content.files[:most]]


def _state(content: Content, standing: WorkStanding, *, is_finished: bool) -> WorkState:
    """Where nothing is left and nothing shows that it is done, neither is said; where
    only the commit is left, what the agent said of it."""
    if is_finished:
        return "Finished"
    if standing.is_finished:
        return "Earlier"
    is_written = standing.left == ("uncommitted",) and not content.next_steps
    is_said = is_written and bool(told_done(said_since(content)))
    return "Said to be done" if is_said else "Unfinished"


def _standing(subject: BriefSubject) -> WorkStanding:
    content = subject.content
    if not subject.is_versioned:
        content = replace(content, uncommitted=())
    return standing_of(content, subject.code if subject.code.head else None)


def _candidates(parts: Sequence[BriefPart], layout: Layout) -> list[BriefOption]:
    current = next((i for i, part in enumerate(parts) if part.kind == "goal"), 0)
    return [
        BriefOption(
            part.kind,
            part.rank,
            tuple(
                cost_of(form + layout.separators.get(part.row, "\n"))
                for form in part.forms
            ),
            (part.section, part.row) if part.row else (part.section,),
            None if part.within is None else (current, part.within),
        )
        for part in parts
    ]


def _openings(layout: Layout, fence: str, counts: Mapping[str, int]) -> dict[str, Cost]:
    gap, headings = layout.gap, layout.headings
    openings = {name: cost_of(f"{heading}{gap}") for name, heading in headings.items()}
    openings[QUOTED] = cost_of(f"{headings[QUOTED]}\n{fence}\n{fence}{gap}")
    for row, begins in layout.labels.items():
        openings[row] = cost_of(f"{begins}{_more(counts.get(row, 0))}\n")
    return openings


def _body(
    told: Sequence[tuple[BriefPart, int]],
    layout: Layout,
    fence: str,
    counts: Mapping[str, int],
) -> str:
    sections: list[str] = []
    for name, heading in layout.headings.items():
        here = [(part, form) for part, form in told if part.section == name]
        lines = _lines(here, layout, counts)
        if lines and name == QUOTED:
            lines = [fence, *lines, fence]
        else:
            lines = [*map(_with_even_ticks, lines)]
        if lines:
            sections.append("\n".join((heading, *lines) if heading else lines))
    return layout.gap.join(sections)


def _lines(
    told: Sequence[tuple[BriefPart, int]], layout: Layout, counts: Mapping[str, int]
) -> list[str]:
    """Return the lines of a section; parts of one row stand side by side, and behind
    some of them how many more there are."""
    lines: dict[str, list[str]] = {}
    for place, (part, form) in enumerate(told):
        lines.setdefault(part.row or str(place), []).append(part.forms[form])
    return [
        layout.labels[key]
        + layout.separators[key].join(texts)
        + _more(counts.get(key, 0) - len(texts))
        if key in layout.separators
        else texts[0]
        for key, texts in lines.items()
    ]


def _more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""


def _with_even_ticks(line: str) -> str:
    """Return a line in which no backtick waits for one of the lines below: those quote
    what tools said. The user's own words stay as they are."""
    if USER in line or "\n" in line or line.count("`") % 2 == 0:
        return line
    return "'".join(line.rsplit("`", 1))


def _fence(parts: Sequence[BriefPart]) -> str:
    """Return a fence longer than any run of backticks in what it holds."""
    runs = [
        len(ticks)
        for part in parts
        if part.section == QUOTED
        for form in part.forms
        for ticks in _TICKS.findall(form)
    ]
    return "`" * max(3, 1 + max(runs, default=0))


def _less(cost: Cost, taken: Cost) -> Cost:
    return Cost(cost.octets - taken.octets, cost.units - taken.units)


def _number_in_hand(plan: Plan, steps: Sequence[PlanStep]) -> int | None:
    """The plan's own ticks tell best; else the agent's count, if it counted the same."""
    return step_in_hand(steps) or (plan.step if plan.of == len(steps) else None)


def _without_number(text: str) -> str:
    """The number is ours; a heading's or a list's own would stand there twice."""
    flattened = plain(text)
    number, _, rest = flattened.partition(" ")
    return rest if number.rstrip(".)").isdigit() and rest else flattened
