"""`lessons.md`: a heading with date and title, a line of trust, and a body.

Trust grows when a lesson is seen again, and falls when it did not hold. Lessons without the line of trust are from before there was one and stay as they are.
"""

from collections.abc import Callable
from datetime import date
from itertools import pairwise

from holdfast.domain.text import (
    one_line,
    plain,
    unmarked,
)
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.project_notes.lines import (
    as_item,
    ended,
    fenced,
    newline_of,
    put,
    split_lines,
)
from holdfast.project_notes.memory.entries import (
    MOST_TEXT,
    Lesson,
    Outcome,
    Trust,
    alike,
)

HEADER = (
    "# Lessons",
    "<!-- conf scale: 0.3 (tentative) → 0.5 (moderate) → 0.7+ (verified) -->",
    "<!-- Format: ### [YYYY-MM-DD] Title / > conf: X · seen: YYYY-MM-DD · obs: N / body -->",
)
_TITLE = pattern(r"^###[ \t]+\[(\d{4}-\d\d-\d\d)\][ \t]+(.*?)[ \t]*$")
_TRUST = pattern(
    r"^> conf: (\d(?:\.\d+)?) · seen: (\d{4}-\d\d-\d\d) · obs: (\d{1,6})[ \t]*$"
)
_HEADING = pattern(r"^#{1,3}[ \t]")
_COUNTED = pattern(r"<!-- hf((?: [0-9a-f]{8})+) -->[ \t]*$")
_LONGEST_TITLE = 80
LOWEST, HIGHEST = 0.3, 0.9
_STEP = 0.1
_RAISES = (3, 6, 9)  # observations after which trust grows
_ARCHIVED_BELOW, _ARCHIVED_AFTER_DAYS = 0.4, 90


def lessons_in(text: str | None) -> tuple[Lesson, ...]:
    """Return the lessons of a file in order."""
    lines = [line.rstrip("\r\n") for line in split_lines(text or "")]
    code = fenced(lines)
    heads = [n for n, line in enumerate(lines) if not code[n] and _HEADING.match(line)]
    found = (
        _lesson(lines, first, end) for first, end in pairwise([*heads, len(lines)])
    )
    return tuple(lesson for lesson in found if lesson is not None)


def lesson_line(lesson: Lesson) -> str:
    trust = lesson.trust
    told = (
        f" (conf {trust.conf:g}, seen {trust.seen}, obs {trust.obs})" if trust else ""
    )
    return f"  [{lesson.date}] {plain(lesson.title)}{told}"


def with_lesson(
    text: str | None, told: str, owner: str, today: str
) -> tuple[str | None, Outcome]:
    """Return the file with a new lesson; one that is known is only named.

    `owner` is the session it comes from, or empty.
    """
    said = as_item(unmarked(told), MOST_TEXT)
    if known := find(text, said):
        return None, Outcome("known", said, known.title)
    newline = newline_of(text)
    lines = split_lines(text) if text else [line + newline for line in HEADER]
    ended(lines, newline)
    if lines[-1].strip():
        lines.append(newline)
    counted = f" <!-- hf {owner} -->" if owner else ""
    entry = (
        f"### [{today}] {one_line(said, _LONGEST_TITLE)}",
        _trust_line(Trust(seen=today)),
        f"{said}{counted}",
    )
    lines += [line + newline for line in entry]
    return "".join(lines), Outcome("added", said)


def with_trust(
    text: str | None, lesson: Lesson, owner: str, judge: Callable[[Trust], Trust]
) -> str | None:
    """Return the file with a lesson's trust judged again; None: nothing to change.

    A session that was counted for this lesson is not counted twice.
    """
    if text is None or lesson.trust is None or (owner and owner in lesson.owners):
        return None
    lines = split_lines(text)
    place = lesson.first + 1
    bare = lines[place].rstrip("\r\n")
    lines[place] = _trust_line(judge(lesson.trust)) + lines[place][len(bare) :]
    if owner:
        _count(lines, lesson, owner, newline_of(text))
    return "".join(lines)


def find(text: str | None, told: str) -> Lesson | None:
    """Return the lesson that says nearly the same, if there is one."""
    for lesson in lessons_in(text):
        if alike(lesson.title, told) or alike(lesson.body, told):
            return lesson
    return None


def moved(text: str, archive: str | None, lessons: list[Lesson]) -> tuple[str, str]:
    """Return the file without some lessons, and the archive with them."""
    lines = split_lines(text)
    newline = newline_of(archive or text)
    kept_there = (
        split_lines(archive) if archive else [line + newline for line in HEADER]
    )
    for lesson in lessons:
        own = lines[lesson.first : lesson.end]
        if "".join(own).strip() in (archive or ""):
            continue  # a move that a crash cut short
        ended(kept_there, newline)
        if kept_there[-1].strip():
            kept_there.append(newline)
        kept_there += own
    gone = {n for lesson in lessons for n in range(lesson.first, lesson.end)}
    stay = "".join(line for n, line in enumerate(lines) if n not in gone)
    return stay, "".join(kept_there)


def observed(trust: Trust, today: str) -> Trust:
    """Return trust after the lesson was seen or applied again."""
    obs = trust.obs + 1
    conf = min(HIGHEST, round(trust.conf + _STEP, 2)) if obs in _RAISES else trust.conf
    return replace(trust, conf=max(conf, trust.conf), seen=today, obs=obs)


def violated(trust: Trust, today: str) -> Trust:
    """Return trust after the lesson was not followed and the user corrected that."""
    conf = max(LOWEST, round(trust.conf - _STEP, 2))
    return replace(trust, conf=min(conf, trust.conf), seen=today)


def is_archived(trust: Trust | None, today: str) -> bool:
    """Say whether a lesson is little trusted and was not seen for long."""
    if trust is None:
        return False
    age = days_between(trust.seen, today)
    return (
        age is not None and trust.conf < _ARCHIVED_BELOW and age > _ARCHIVED_AFTER_DAYS
    )


def days_between(first: str, second: str) -> int | None:
    """Return the days from one date to another; None where one is no date."""
    try:
        return (date.fromisoformat(second) - date.fromisoformat(first)).days
    except ValueError:
        return None


def _lesson(lines: list[str], first: int, end: int) -> Lesson | None:
    title = _TITLE.match(lines[first])
    if title is None:
        return None
    below = lines[first + 1] if first + 1 < end else ""
    trusted = _TRUST.match(below)
    trust = Trust(float(trusted[1]), trusted[2], int(trusted[3])) if trusted else None
    body = lines[first + (2 if trust else 1) : end]
    owners = tuple(
        o for line in body if (c := _COUNTED.search(line)) for o in c[1].split()
    )
    words = " ".join(_COUNTED.sub("", line).strip() for line in body).strip()
    return Lesson(title[1], title[2], trust, words, owners, first, end)


def _trust_line(trust: Trust) -> str:
    return f"> conf: {trust.conf:g} · seen: {trust.seen} · obs: {trust.obs}"


def _count(lines: list[str], lesson: Lesson, owner: str, newline: str) -> None:
    for place in range(lesson.first + 2, lesson.end):
        bare = lines[place].rstrip("\r\n")
        if counted := _COUNTED.search(bare):
            words = bare[: counted.start()].rstrip(" \t")
            note = f"{words} <!-- hf{counted[1]} {owner} -->"
            lines[place] = note + lines[place][len(bare) :]
            return
    put(lines, lesson.first + 2, f"<!-- hf {owner} -->", newline)
