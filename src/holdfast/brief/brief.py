"""The brief: what the next session is told, fitted to a budget, with its receipt.

Order: what the user wants, where it stands, what is next, what not to do, what is known,
proof. Only words the user typed carry `▸`. What tools printed stands in a fence that it
cannot close; outside of it only counts, and the line that names an open error.
"""

from collections.abc import Iterator, Mapping, Sequence

from holdfast.brief.layout import QUOTED, BriefPart, Layout, layout_for
from holdfast.brief.parts import parts_of
from holdfast.brief.phrases import USER, Paths, plain, spanned, unmarked
from holdfast.brief.receipt import foot, receipt_of, things_in
from holdfast.domain.amounts import short_age
from holdfast.domain.brief import (
    LEFT_OUT,
    Brief,
    BriefOption,
    BriefSubject,
    Cost,
    Fit,
    is_within,
)
from holdfast.domain.checkpoint import Checkpoint, Content, Draft, Plan, Receipt
from holdfast.domain.code import SHORT_HASH, CodeState, Drift, switch_command
from holdfast.domain.fact import PlanStep, plan_shown, step_in_hand
from holdfast.domain.session import SessionState
from holdfast.domain.text import one_line, tokens, visible
from holdfast.kernel.ids import label
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

MOST_UNITS = 9_900  # UTF-16; a client replaces longer hook output by a preview
_OCTETS_PER_TOKEN = 4
_SHOWN_NAME = 60
_TICKS = pattern("`+")
_MOST_STEP = 160  # characters of a step of the plan


def brief(subject: BriefSubject, *, budget: int, now_ms: int, fit: Fit) -> Brief:
    """Return the brief of at most `budget` tokens; `fit` decides what is told."""
    layout = layout_for(budget)
    if layout.is_short:
        paths = Paths.short(subject.content.files)
    else:
        paths = Paths.of(subject.content.files[: max(3, budget // 80)])
    parts = parts_of(subject, paths, layout)
    whole = Cost(max(budget, 0) * _OCTETS_PER_TOKEN, MOST_UNITS)
    frame = _frame(subject, now_ms, paths.legend, layout, whole)
    fence = _fence(parts)
    candidates = _candidates(parts, layout)
    openings = _openings(layout, fence)

    def told_in(room: Cost) -> Brief:
        chosen = fit(candidates, openings, room)
        told = [
            (p, form) for p, form in zip(parts, chosen, strict=True) if form != LEFT_OUT
        ]
        body = _body(told, layout, fence)
        things = [
            thing
            for part, candidate, form in zip(parts, candidates, chosen, strict=True)
            if form != LEFT_OUT or is_within(candidate, chosen)
            for thing in part.tells
        ]
        texts = [part.forms[form] for part, form in told if part.section != QUOTED]
        receipt = receipt_of(subject.content, things, texts)
        text = frame.around(body, receipt)
        return Brief(text, receipt, tokens(text))

    room = _less(whole, frame.most)
    first = told_in(room)
    # The receipt is not known before; what it does not need is given away once.
    spare = _less(frame.most, _cost(frame.around("", first.receipt) + layout.gap))
    second = told_in(Cost(room.octets + spare.octets, room.units + spare.units))
    return second if _fits(_cost(second.text), whole) else first


def subject_of_checkpoint(
    checkpoint: Checkpoint,
    *,
    branch_now: str | None = None,
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
        session_id=draft.session_id,
        cwd=draft.working_directory,
        code=draft.code,
        branch_now=branch_now,
        drift=drift,
        fetch=f"All: holdfast show {checkpoint.number}{at}",
    )


def subject_of_draft(draft: Draft) -> BriefSubject:
    """Return what a brief of a checkpoint that is about to be kept is about."""
    return BriefSubject(
        reference=label(0),  # as long as the label it will get
        content=draft.content,
        at=draft.created_at,
        has_notes=draft.given_notes,
        session_id=draft.session_id,
        cwd=draft.working_directory,
        code=draft.code,
        fetch="All: holdfast show 00000",
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
class _Frame:
    """What stands around the body, and is part of the budget."""

    head: str
    layout: Layout
    most: Cost  # with the longest receipt that there can be
    fetch: str = ""  # empty: there is no room for a receipt

    def around(self, body: str, receipt: Receipt) -> str:
        short = self.layout.is_short
        end = foot(receipt, self.fetch, is_short=short) if self.fetch else ""
        blocks = [block for block in (self.head, body, end) if block]
        return self.layout.gap.join(blocks) + "\n" if blocks else ""


def _frame(
    subject: BriefSubject, now_ms: int, legend: str, layout: Layout, whole: Cost
) -> _Frame:
    """Return the fullest frame that there is room for."""
    present = things_in(subject.content).items()
    nothing = {kind: (0, len(things)) for kind, things in present}
    lost = foot(nothing, subject.fetch, is_short=layout.is_short)
    longest = f"Carried: all .\n{lost}"  # `2/2 edits` is longer than `2 edits`
    for head, fetch in _heads(subject, now_ms, legend, layout):
        end = [longest] if fetch else []
        most = _cost(layout.gap.join((head, *end, "")) + "\n")
        if _fits(most, whole):
            return _Frame(head, layout, most, fetch)
    cut = (
        _first_line(subject, now_ms)
        .encode()[: max(whole.octets - 1, 0)]
        .decode("utf-8", "ignore")
    )
    return _Frame(cut, layout, whole)


def _heads(
    subject: BriefSubject, now_ms: int, legend: str, layout: Layout
) -> Iterator[tuple[str, str]]:
    """Yield what may stand before the body, and how to fetch the rest, fullest first."""
    first = _first_line(subject, now_ms)
    rule = subject.heading[1] if subject.heading else layout.rule
    head = [first, f"{rule} {legend}".rstrip()]
    if subject.branch_now and subject.code.branch:
        head.append(_branch_warning(subject.code.branch, subject.branch_now))
    yield "\n".join(head), subject.fetch
    yield f"{first}\n{rule}", ""
    yield first, ""


def _first_line(subject: BriefSubject, now_ms: int) -> str:
    if subject.heading:
        return subject.heading[0]
    code = subject.code
    where = unmarked(one_line(visible(code.branch or ""), _SHOWN_NAME))
    if code.head:
        where += f"@{code.head[:SHORT_HASH]}"
    if where and code.dirty:
        where += " (uncommitted changes)"
    when = "saved" if subject.is_saved else "last active"
    parts = [subject.reference, where]
    if subject.at:
        parts.append(f"{when} {short_age(now_ms, subject.at)}")
    return "# Resuming " + " · ".join(filter(None, parts))


def _branch_warning(then: str, now: str) -> str:
    command = unmarked(one_line(switch_command(then), 2 * _SHOWN_NAME))
    then, now = (spanned(one_line(n, _SHOWN_NAME)) for n in (then, now))
    return f"Branch differs: this is {now}, the work is on {then}: {command}"


def _candidates(parts: Sequence[BriefPart], layout: Layout) -> list[BriefOption]:
    current = next((i for i, part in enumerate(parts) if part.kind == "request"), 0)
    return [
        BriefOption(
            part.kind,
            part.rank,
            tuple(
                _cost(form + layout.separators.get(part.row, "\n"))
                for form in part.forms
            ),
            (part.section, part.row) if part.row else (part.section,),
            None if part.within is None else (current, part.within),
        )
        for part in parts
    ]


def _openings(layout: Layout, fence: str) -> dict[str, Cost]:
    gap, headings = layout.gap, layout.headings
    openings = {name: _cost(f"{heading}{gap}") for name, heading in headings.items()}
    openings[QUOTED] = _cost(f"{headings[QUOTED]}\n{fence}\n{fence}{gap}")
    for row, begins in layout.labels.items():
        openings[row] = _cost(begins + "\n")
    return openings


def _body(told: Sequence[tuple[BriefPart, int]], layout: Layout, fence: str) -> str:
    sections: list[str] = []
    for name, heading in layout.headings.items():
        here = [(part, form) for part, form in told if part.section == name]
        lines = _lines(here, layout.labels, layout.separators)
        if lines and name == QUOTED:
            lines = [fence, *lines, fence]
        else:
            lines = [*map(_with_even_ticks, lines)]
        if lines:
            sections.append("\n".join((heading, *lines) if heading else lines))
    return layout.gap.join(sections)


def _lines(
    told: Sequence[tuple[BriefPart, int]],
    labels: Mapping[str, str],
    separators: Mapping[str, str],
) -> list[str]:
    """Return the lines of a section; parts of one row stand side by side."""
    lines: dict[str, list[str]] = {}
    for place, (part, form) in enumerate(told):
        lines.setdefault(part.row or str(place), []).append(part.forms[form])
    return [
        labels[key] + separators[key].join(texts) if key in separators else texts[0]
        for key, texts in lines.items()
    ]


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


def _fits(cost: Cost, whole: Cost) -> bool:
    return cost.octets <= whole.octets and cost.units <= whole.units


def _cost(text: str) -> Cost:
    octets = len(text.encode("utf-8", "replace"))
    if octets == len(text):
        return Cost(octets, octets)
    return Cost(octets, len(text.encode("utf-16-le", "replace")) // 2)


def _number_in_hand(plan: Plan, steps: Sequence[PlanStep]) -> int | None:
    """The plan's own ticks tell best; else the agent's count, if it counted the same."""
    return step_in_hand(steps) or (plan.step if plan.of == len(steps) else None)


def _without_number(text: str) -> str:
    """The number is ours; a heading's or a list's own would stand there twice."""
    flattened = plain(text)
    number, _, rest = flattened.partition(" ")
    return rest if number.rstrip(".)").isdigit() and rest else flattened
