"""The brief: what the next session is told, fitted to a budget, with its receipt.

Order: what the user wants, where it stands, what is next, what not to do, what is known,
proof. Only words the user typed carry `▸`. What tools printed stands in a fence that it
cannot close; outside of it only counts, and the line that names an open error.
"""

from collections.abc import Iterator, Mapping, Sequence

from holdfast.domain.brief import (
    LEFT_OUT,
    Brief,
    BriefSubject,
    Candidate,
    Cost,
    Fit,
)
from holdfast.domain.checkpoint import Checkpoint, Content, Draft, Receipt
from holdfast.domain.drift import Drift, switch_command
from holdfast.domain.project import CodeState
from holdfast.domain.session import SessionState
from holdfast.domain.text import one_line, tokens, visible
from holdfast.ids import label
from holdfast.patterns import pattern
from holdfast.render.layout import QUOTED, RULES, Layout, Part, layout_for
from holdfast.render.listing import SHORT_HASH, short_age
from holdfast.render.parts import decisions_elsewhere, parts_of
from holdfast.render.phrases import Paths, plain, spanned, unmarked
from holdfast.render.receipt import present_in, receipt_of, receipt_text
from holdfast.render.shorten import flat
from holdfast.values import dataclass

__all__ = [
    "Brief",
    "BriefSubject",
    "brief",
    "subject_of_checkpoint",
    "subject_of_draft",
    "subject_of_session",
]

MOST_UNITS = 9_900  # UTF-16; a client replaces longer hook output by a preview
_OCTETS_PER_TOKEN = 4
_SHOWN_NAME = 60
_TICKS = pattern("`+")


def brief(subject: BriefSubject, *, budget: int, now_ms: int, fit: Fit) -> Brief:
    """Return the brief of at most `budget` tokens; `fit` decides what is told."""
    layout = layout_for(budget)
    if layout.is_short:
        paths = Paths.short(subject.content.files)
    else:
        paths = Paths.of(subject.content.files[: max(3, budget // 80)])
    parts = parts_of(subject, paths, layout)
    frame, room = _frame_and_room(subject, budget, now_ms, paths.legend)
    fence = _fence(parts)
    chosen = fit(_candidates(parts, layout), _openings(parts, layout, fence), room)
    told = [
        (p, form) for p, form in zip(parts, chosen, strict=True) if form != LEFT_OUT
    ]
    body = _body(parts, told, layout, fence)
    carried = [kind for p, _ in told for kind in p.carries]
    carried += _decisions_in(body, subject.content)
    receipt = receipt_of(subject.content, carried)
    text = frame.around(body, receipt)
    return Brief(text, receipt, tokens(text))


def _decisions_in(body: str, content: Content) -> list[str]:
    """Return an entry for each decision that stands in something else that is told."""
    words = flat(body)
    elsewhere = decisions_elsewhere(content)
    return ["decisions" for item in elsewhere if plain(item.text) in words]


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
        fetch=f"holdfast show {checkpoint.number}{at} --evidence",
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
        fetch="holdfast show 00000 --evidence",
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
        fetch="the session's transcript; holdfast save keeps it",
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands around the body, and is part of the budget."""

    head: str
    layout: Layout
    rest: str = ""
    has_receipt: bool = True

    def around(self, body: str, receipt: Receipt) -> str:
        counts = self.layout.counts
        foot = [receipt_text(receipt, counts)] if self.has_receipt else []
        foot += [self.rest] if self.rest else []
        blocks = [block for block in (self.head, body, "\n".join(foot)) if block]
        return self.layout.gap.join(blocks) + "\n" if blocks else ""


def _frame_and_room(
    subject: BriefSubject, budget: int, now_ms: int, legend: str
) -> tuple[_Frame, Cost]:
    """Return the fullest frame that the budget has room for, and the room left."""
    present = present_in(subject.content)
    # Carried never exceeds present: the receipt that carries all is the longest.
    longest = {kind: (count, count) for kind, count in present.items()}
    octets, units = max(budget, 0) * _OCTETS_PER_TOKEN, MOST_UNITS
    layout = layout_for(budget)
    for frame in _frames(subject, now_ms, legend, layout):
        taken = _cost(frame.around("", longest) + layout.gap)
        if taken.octets <= octets and taken.units <= units:
            return frame, Cost(octets - taken.octets, units - taken.units)
    cut = (
        _first_line(subject, now_ms)
        .encode()[: max(octets - 1, 0)]
        .decode("utf-8", "ignore")
    )
    return _Frame(cut, layout, has_receipt=False), Cost(0, 0)


def _frames(
    subject: BriefSubject, now_ms: int, legend: str, layout: Layout
) -> Iterator[_Frame]:
    first = _first_line(subject, now_ms)
    rule = subject.heading[1] if subject.heading else layout.rule
    head = [first, f"{rule} {legend}".rstrip()]
    if subject.branch_now and subject.code.branch:
        head.append(_branch_warning(subject.code.branch, subject.branch_now))
    if not layout.is_short:
        yield _Frame("\n".join(head), layout, f"The rest: {visible(subject.fetch)}")
    yield _Frame("\n".join(head), layout)
    yield _Frame(f"{first}\n{rule}", layout, has_receipt=False)
    yield _Frame(first, layout, has_receipt=False)


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


def _candidates(parts: Sequence[Part], layout: Layout) -> list[Candidate]:
    return [
        Candidate(
            part.kind,
            part.rank,
            tuple(
                _cost(form + layout.separators.get(part.row, "\n"))
                for form in part.forms
            ),
            (part.section, part.row) if part.row else (part.section,),
        )
        for part in parts
    ]


def _openings(parts: Sequence[Part], layout: Layout, fence: str) -> dict[str, Cost]:
    gap, headings = layout.gap, layout.headings
    openings = {name: _cost(f"{heading}{gap}") for name, heading in headings.items()}
    openings[QUOTED] = _cost(f"{headings[QUOTED]}\n{fence}\n{fence}{gap}")
    for row, begins in _labels(parts, parts, layout).items():
        openings[row] = _cost(begins + "\n")
    return openings


def _body(
    parts: Sequence[Part],
    told: Sequence[tuple[Part, int]],
    layout: Layout,
    fence: str,
) -> str:
    sections: list[str] = []
    labels = _labels(parts, [part for part, _ in told], layout)
    for name, heading in layout.headings.items():
        here = [(part, form) for part, form in told if part.section == name]
        lines = _lines(here, labels, layout.separators)
        if lines and name == QUOTED:
            lines = [fence, *lines, fence]
        if lines:
            sections.append("\n".join((heading, *lines) if heading else lines))
    return layout.gap.join(sections)


def _lines(
    told: Sequence[tuple[Part, int]],
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


def _labels(
    parts: Sequence[Part], told: Sequence[Part], layout: Layout
) -> dict[str, str]:
    """Return what each row begins with; the rules are counted wherever they stand."""
    present = sum(part.carries.count(RULES) for part in parts)
    carried = sum(part.carries.count(RULES) for part in told)
    return {row: layout.label(row, carried, present) for row in layout.labels}


def _fence(parts: Sequence[Part]) -> str:
    """Return a fence longer than any run of backticks in what it holds."""
    runs = [
        len(ticks)
        for part in parts
        if part.section == QUOTED
        for form in part.forms
        for ticks in _TICKS.findall(form)
    ]
    return "`" * max(3, 1 + max(runs, default=0))


def _cost(text: str) -> Cost:
    octets = len(text.encode("utf-8", "replace"))
    if octets == len(text):
        return Cost(octets, octets)
    return Cost(octets, len(text.encode("utf-16-le", "replace")) // 2)
