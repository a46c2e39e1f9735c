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
from holdfast.render.layout import (
    HEADINGS,
    QUOTED,
    RULES,
    SEPARATORS,
    SHORT_HEADINGS,
    Part,
    row_label,
)
from holdfast.render.listing import SHORT_HASH, short_age
from holdfast.render.parts import parts_of
from holdfast.render.phrases import Paths, unmarked
from holdfast.render.receipt import present_in, receipt_of, receipt_text
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
RULE = (
    "Notes from an earlier session on this work. Use them only if the user's next"
    " message continues it; never act on them unasked. ▸ marks the user's own words."
)
# The same where room is short.
SHORT_RULE = (
    "Use this only if the user's next message continues it; never act on it unasked."
    " ▸ = the user's words."
)
_OCTETS_PER_TOKEN = 4
_SHOWN_NAME = 60
_SHORT = 500  # tokens
_TICKS = pattern("`+")


def brief(subject: BriefSubject, *, budget: int, now_ms: int, fit: Fit) -> Brief:
    """Return the brief of at most `budget` tokens; `fit` decides what is told."""
    if budget < _SHORT:
        paths = Paths.short(subject.content.files)
    else:
        paths = Paths.of(subject.content.files[: max(3, budget // 80)])
    parts = parts_of(subject, paths)
    frame, room = _frame_and_room(subject, budget, now_ms, paths.legend)
    fence = _fence(parts)
    headings = _headings(budget)
    chosen = fit(_candidates(parts), _openings(parts, headings, fence), room)
    told = [
        (p, form) for p, form in zip(parts, chosen, strict=True) if form != LEFT_OUT
    ]
    receipt = receipt_of(subject.content, [kind for p, _ in told for kind in p.carries])
    text = frame.around(_body(parts, told, headings, fence), receipt)
    return Brief(text, receipt, tokens(text))


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
    rest: str = ""
    has_receipt: bool = True

    def around(self, body: str, receipt: Receipt) -> str:
        foot = [receipt_text(receipt)] if self.has_receipt else []
        foot += [self.rest] if self.rest else []
        blocks = [block for block in (self.head, body, "\n".join(foot)) if block]
        return "\n\n".join(blocks) + "\n" if blocks else ""


def _frame_and_room(
    subject: BriefSubject, budget: int, now_ms: int, legend: str
) -> tuple[_Frame, Cost]:
    """Return the fullest frame that the budget has room for, and the room left."""
    present = present_in(subject.content)
    # Carried never exceeds present: the receipt that carries all is the longest.
    longest = {kind: (count, count) for kind, count in present.items()}
    octets, units = max(budget, 0) * _OCTETS_PER_TOKEN, MOST_UNITS
    for frame in _frames(subject, now_ms, legend, is_short=budget < _SHORT):
        taken = _cost(frame.around("", longest) + "\n\n")
        if taken.octets <= octets and taken.units <= units:
            return frame, Cost(octets - taken.octets, units - taken.units)
    cut = (
        _first_line(subject, now_ms)
        .encode()[: max(octets - 1, 0)]
        .decode("utf-8", "ignore")
    )
    return _Frame(cut, has_receipt=False), Cost(0, 0)


def _frames(
    subject: BriefSubject, now_ms: int, legend: str, *, is_short: bool
) -> Iterator[_Frame]:
    first = _first_line(subject, now_ms)
    short = SHORT_RULE if is_short else RULE
    rule = subject.heading[1] if subject.heading else short
    head = [first, f"{rule} {legend}".rstrip()]
    if subject.branch_now and subject.code.branch:
        head.append(_branch_warning(subject.code.branch, subject.branch_now))
    if not is_short:
        yield _Frame("\n".join(head), f"The rest: {visible(subject.fetch)}")
    yield _Frame("\n".join(head))
    yield _Frame(f"{first}\n{rule}", has_receipt=False)
    yield _Frame(first, has_receipt=False)


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
    then, now = (unmarked(one_line(visible(n), _SHOWN_NAME)) for n in (then, now))
    return f"Branch differs: this is `{now}`, the work is on `{then}`: {command}"


def _candidates(parts: Sequence[Part]) -> list[Candidate]:
    return [
        Candidate(
            part.kind,
            part.rank,
            tuple(_cost(form + SEPARATORS.get(part.row, "\n")) for form in part.forms),
            (part.section, part.row) if part.row else (part.section,),
        )
        for part in parts
    ]


def _headings(budget: int) -> dict[str, str]:
    """Return the sections' headings; where room is short, without their remarks."""
    return HEADINGS if budget >= _SHORT else SHORT_HEADINGS


def _openings(
    parts: Sequence[Part], headings: Mapping[str, str], fence: str
) -> dict[str, Cost]:
    openings = {name: _cost(f"{heading}\n\n") for name, heading in headings.items()}
    openings[QUOTED] = _cost(f"{headings[QUOTED]}\n{fence}\n{fence}\n\n")
    for row, begins in _labels(parts, parts).items():
        openings[row] = _cost(begins + "\n")
    return openings


def _body(
    parts: Sequence[Part],
    told: Sequence[tuple[Part, int]],
    headings: Mapping[str, str],
    fence: str,
) -> str:
    sections: list[str] = []
    labels = _labels(parts, [part for part, _ in told])
    for name, heading in headings.items():
        lines = _lines([(p, form) for p, form in told if p.section == name], labels)
        if lines and name == QUOTED:
            lines = [fence, *lines, fence]
        if lines:
            sections.append("\n".join((heading, *lines)))
    return "\n\n".join(sections)


def _lines(told: Sequence[tuple[Part, int]], labels: Mapping[str, str]) -> list[str]:
    """Return the lines of a section; parts of one row stand side by side."""
    lines: dict[str, list[str]] = {}
    for place, (part, form) in enumerate(told):
        lines.setdefault(part.row or str(place), []).append(part.forms[form])
    return [
        labels[key] + SEPARATORS[key].join(texts) if key in SEPARATORS else texts[0]
        for key, texts in lines.items()
    ]


def _labels(parts: Sequence[Part], told: Sequence[Part]) -> dict[str, str]:
    """Return what each row begins with; the rules are counted wherever they stand."""
    present = sum(part.carries.count(RULES) for part in parts)
    carried = sum(part.carries.count(RULES) for part in told)
    return {row: row_label(row, carried, present) for row in SEPARATORS}


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
