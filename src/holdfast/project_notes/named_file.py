"""The file of a named checkpoint, which people read, edit and delete: its one form. Pure."""

import re
from collections.abc import Iterable, Sequence

from holdfast.brief.drift_marks import doubt_mark, summary_told
from holdfast.brief.phrases import shortened
from holdfast.domain.checkpoint import Content, Draft, Item, Plan, said_at_the_end
from holdfast.domain.fact import (
    ChangedFiles,
    CreatedFile,
    ItemFact,
    PassingCommand,
    RunningWork,
    UnfinishedTurn,
    plan_shown,
)
from holdfast.domain.text import one_line, plain
from holdfast.facts.work.outcomes import achieved
from holdfast.kernel.clock import local_time
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

_PREFIX, _SUFFIX = "checkpoint-", ".md"
NO_BRANCH = "no branch"  # the space keeps it from being one
_NONE = "None"
_HEADINGS = {
    "## Left Off": "left_off",
    "## Done This Session": "done",
    "## Failed Approaches": "failed",
    "## Modified Files": "files",
}
_TITLE = pattern(r"# Checkpoint: (\S.*)")
_BRANCH = pattern(r"- \*\*Branch:\*\* `([^`]*)`")
_SAVED = pattern(r"- \*\*Saved:\*\* (\d{4}-\d\d-\d\d \d\d:\d\d)")
_PLAN = pattern(r"- \*\*Plan:\*\* `([^`]+)`(?: \(step (\d+) of (\d+)\))?")
_SAVED_LINE = pattern(r"^- \*\*Saved:\*\*.*$", re.MULTILINE)
_OURS = pattern(r"(?:\S*/)?holdfast\b")
_MOST_STOPPED, _MOST_ENTRY, _MOST_OPEN = 400, 240, 6
_MOST_DONE, _MOST_FAILED, _MOST_FILES = 12, 12, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFile:
    """What `checkpoint-{name}.md` says; `other` is what is not in its form."""

    name: str
    branch: str
    saved: str  # local time to the minute, as it stands there
    plan: Plan | None = None
    left_off: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


def file_name(name: str) -> str:
    return f"{_PREFIX}{name}{_SUFFIX}"


def name_of(file: str) -> str | None:
    """Return the name a file is for, or None if it is for none."""
    if not (file.startswith(_PREFIX) and file.endswith(_SUFFIX)):
        return None
    return file[len(_PREFIX) : -len(_SUFFIX)] or None


def named_file(name: str, draft: Draft) -> str:
    """Return the text of a named checkpoint's file."""
    content = draft.content
    changed = [_entry(f.path) for f in content.files if f.change != "read"]
    head = [
        f"# Checkpoint: {name}",
        "",
        f"- **Branch:** `{_branch(draft)}`",
        f"- **Saved:** {local_time(draft.created_at)}",
        *([_plan_line(content.plan)] if content.plan else []),
    ]
    sections = (
        left_off(draft),
        _bullets(map(_told, _done(content)), _MOST_DONE),
        _bullets(map(_told, content.dead_ends), _MOST_FAILED),
        _bullets(changed, _MOST_FILES),
    )
    for heading, lines in zip(_HEADINGS, sections, strict=True):
        head += ["", heading, *lines]
    return "\n".join(head) + "\n"


def left_off(draft: Draft) -> list[str]:
    """Return where work stopped, in one to three lines, and no step that nobody said.

    What was said last, what is open, and what the user was asked.
    """
    content = draft.content
    stopped = [content.title] if draft.given_title else []
    stopped.append(summary_told(content) if draft.given_notes else "")
    if not stopped[-1]:
        stopped[-1] = said_at_the_end(content)
    said = ". ".join(t.rstrip(".") for t in map(plain, stopped) if t)
    open_now = [*_going_on(content), *(item.text for item in content.pending)]
    asked = [item.text for item in content.open_questions]
    return [
        _plain(shortened(said or plain(content.title), _MOST_STOPPED)),
        *([f"Open: {_joined(open_now)}"] if open_now else []),
        *([f"Asked, not answered: {_joined(asked)}"] if asked else []),
    ]


def read_named(name: str, text: str) -> NamedFile | None:
    """Return what a file says, or None if it has not our header."""
    lines = [line.rstrip() for line in text.split("\n")]
    first = next((line for line in lines if line), "")
    saved = _first(_SAVED, lines)
    if not (_TITLE.fullmatch(first) and saved):
        return None
    branch, plan = _first(_BRANCH, lines), _first(_PLAN, lines)
    sections, other = _sections(lines)
    return NamedFile(
        name=name,
        branch=branch[1] if branch else NO_BRANCH,
        saved=saved[1],
        plan=_plan(plan) if plan else None,
        left_off=tuple(sections["left_off"]),
        done=_entries(sections["done"]),
        failed=_entries(sections["failed"]),
        files=_entries(sections["files"]),
        other=tuple(other),
    )


def says_the_same(text: str, other: str) -> bool:
    """Compare two files but for the time: one moment is read in several time zones."""
    return _SAVED_LINE.sub("", text, count=1) == _SAVED_LINE.sub("", other, count=1)


def _sections(lines: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    sections: dict[str, list[str]] = {field: [] for field in _HEADINGS.values()}
    other: list[str] = []
    into, under = other, ""
    for line in lines:
        if line in _HEADINGS:
            into, under = sections[_HEADINGS[line]], ""
        elif line.startswith("#") and not _is_head(line):
            into, under = other, f"{line.strip('# ')}: "
        elif line and not _is_head(line):
            into.append(f"{under}{line.removeprefix('- ')}" if under else line)
    return sections, other


def _is_head(line: str) -> bool:
    return any(form.fullmatch(line) for form in (_TITLE, _BRANCH, _SAVED, _PLAN))


def _entries(lines: Iterable[str]) -> tuple[str, ...]:
    bare = (line.removeprefix("- ").strip() for line in lines)
    return tuple(text for text in bare if text and text != _NONE)


def _plan(found: re.Match[str]) -> Plan:
    step, of = found[2], found[3]
    return Plan(found[1], int(step) if step else None, int(of) if of else None)


def _first(form: re.Pattern[str], lines: Iterable[str]) -> re.Match[str] | None:
    return next((found for line in lines if (found := form.fullmatch(line))), None)


def _branch(draft: Draft) -> str:
    return plain(draft.code.branch or "").replace("`", "'") or NO_BRANCH


def _plan_line(plan: Plan) -> str:
    where = f" (step {plan.step} of {plan.of})" if plan.step and plan.of else ""
    return f"- **Plan:** `{plain(plan_shown(plan.path)).replace('`', '')}`{where}"


def _going_on(content: Content) -> list[str]:
    """Return what was in flight, but not the very command that saves: an agent runs it,
    and is not cut off by that."""
    others = [item for item in content.in_flight if not _is_our_call(item.fact)]
    if len(others) < len(content.in_flight):
        others = [item for item in others if not _is_cut_off(item.fact)]
    return [item.text for item in others]


def _is_our_call(fact: ItemFact | None) -> bool:
    if not isinstance(fact, RunningWork):
        return False
    return fact.how == "command" and _OURS.match(fact.what) is not None


def _is_cut_off(fact: ItemFact | None) -> bool:
    return isinstance(fact, UnfinishedTurn) and fact.how == "cut off"


def _done(content: Content) -> Sequence[Item]:
    """What was accomplished: no command that went well, and the sums of changed lines
    only where there is nothing else to say; the files have a section of their own."""
    beside = ChangedFiles | CreatedFile | PassingCommand
    done = achieved(content)
    return [item for item in done if not isinstance(item.fact, beside)] or done


def _told(item: Item) -> str:
    return one_line(_entry(item.text) + doubt_mark(item.doubt), _MOST_ENTRY)


def _entry(text: str) -> str:
    return _plain(plain(text))


def _plain(text: str) -> str:
    """No line of ours may pass for a heading or a field of the file."""
    return text.lstrip("#->* ") or text.strip("# ") or "?"


def _bullets(texts: Iterable[str], most: int) -> list[str]:
    told = list(dict.fromkeys(texts))
    lines = [f"- {text}" for text in told[:most]]
    if len(told) > most:
        lines.append(f"- and {len(told) - most} more")
    return lines or [f"- {_NONE}"]


def _joined(texts: Sequence[str]) -> str:
    told = [one_line(plain(text), _MOST_ENTRY) for text in texts[:_MOST_OPEN]]
    more = len(texts) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")
