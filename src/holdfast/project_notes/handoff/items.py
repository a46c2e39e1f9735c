"""What a session puts into the handoff file: open things only, each with a stable id."""

from collections.abc import Iterator, Sequence

from holdfast.brief.phrases import (
    own,
    printed,
    printed_text,
    shortened,
    spanned,
)
from holdfast.domain.checkpoint import Content, Item, is_open, said_at_the_end
from holdfast.domain.fact import Failure
from holdfast.domain.text import plain
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.project_notes.handoff.document import (
    Document,
    OpenItem,
    OwnedLine,
    SectionKey,
    ident,
)
from holdfast.project_notes.handoff.handover import NOT_ANSWERED, STILL_FAILS, STOPPED
from holdfast.project_notes.lines import as_item

_LONG, _SHORT, _NAME = 300, 160, 60
_MOST_NAMED = 40  # uncommitted files by name; of more, directories are named
_MOST_NOTES, _MOST_FILES, _MOST_NAMES = 12, 10, 12
# What a session says once; said by its successor, it replaces what it said.
_OF_SESSION = ("request", "left off", "files", "names", "top", "friction")
_COMMIT = ("commit", "worktree")  # the same for every session
_FAILING = ("error", "red")
_FIRST_NAME = pattern(r"^`([^`]+)`: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWork:
    """A session and the code around it, as far as the handoff is concerned.

    `uncommitted` are the paths git says, from the project's root; None: not known.
    """

    owner: str
    content: Content
    request: Item | None
    why_open: str
    start: str
    changed: tuple[tuple[str, str], ...]
    red: tuple[str, ...] = ()  # commands that fail
    done: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    uncommitted: tuple[str, ...] | None = None
    ancestors: tuple[str, ...] = ()  # owners that this session continues


def items_of(work: OpenWork) -> tuple[OpenItem, ...]:
    """Return what is open, the best of each section first, each once."""
    found: dict[str, OpenItem] = {}
    actions = _next_actions(work)
    for item in (
        *(action.item for action in actions),
        *_work_state(work),
        *_decisions(work.content),
        *_issues(work.content),
        *_notes(work),
        *_focus(work, actions),
    ):
        found.setdefault(item.ident, item)
    return tuple(found.values())


def finished_ids(work: OpenWork, document: Document) -> frozenset[str]:
    """Return the ids of what is known to be done, whoever wrote it down."""
    done = {ident("todo", text) for text in work.done}
    done |= {ident(kind, command) for command in work.mended for kind in _FAILING}
    done |= {ident(kind, before) for before in work.ancestors for kind in _OF_SESSION}
    if work.ancestors or work.uncommitted == ():
        done.add(ident(*_COMMIT))
    done |= {line.ident for line in document.kept().values() if _is_over(line, work)}
    return frozenset(done - {item.ident for item in items_of(work)})


def _is_over(line: OwnedLine, work: OpenWork) -> bool:
    """Say whether git says that a file was committed, or an ancestor's work is over."""
    named = _FIRST_NAME.match(line.text)
    if named and line.ident == ident("file", named[1]) and work.uncommitted is not None:
        return not _is_waiting(named[1], work.uncommitted)
    keys = (f"{before} {line.text}" for before in work.ancestors)
    return line.ident in {ident("in flight", key) for key in keys}


def request_ident(owner: str) -> str:
    return ident("request", owner)


def question_ident(question: Item) -> str:
    return ident("question", question.text)


def uncommitted_names(paths: Sequence[str]) -> tuple[str, ...]:
    """Return names that cover every path: the paths, or of many their directories."""
    if len(paths) <= _MOST_NAMED:
        return tuple(paths)
    depth = 3
    while depth > 0:
        names = {_directory(path, depth) for path in paths}
        if len(names) <= _MOST_NAMED:
            return tuple(sorted(names))
        depth -= 1
    return ("./",)


def _directory(path: str, depth: int) -> str:
    parts = path.split("/")
    return "/".join(parts[:depth]) + "/" if len(parts) > depth else path


def _item(section: SectionKey, kind: str, key: str, text: str) -> OpenItem:
    return OpenItem(section, ident(kind, key), as_item(text))


def _bare(name: str) -> str:
    """Return a command or a name between backticks, without its own."""
    return f"`{plain(name).replace('`', '')}`"


@dataclass(frozen=True, slots=True)
class _Action:
    """Something to do next, whole and by name."""

    item: OpenItem
    name: str


def _next_actions(work: OpenWork) -> list[_Action]:
    """Return what to do next in order. The user's words come first where nobody has
    begun with them, else what can be begun with at once."""
    asked, tasks, red = [*_asked(work)], [*_tasks(work)], [*_red(work)]
    leads = {STOPPED: asked, NOT_ANSWERED: asked, STILL_FAILS: red}
    in_hand = tasks if work.content.pending else asked
    first = leads.get(work.why_open, in_hand)[:1]
    return [*first, *asked, *tasks, *red, *_commit(work)]


def _asked(work: OpenWork) -> Iterator[_Action]:
    if work.request is not None and work.why_open:
        asked = own(shortened(work.request.text, _LONG - 60))
        text = f"Continue ({work.why_open}): {asked}"
        item = _item(
            "next", "request", work.owner, text + _started(text, _start_of(work))
        )
        yield _Action(item, own(shortened(work.request.text, _NAME)))


def _tasks(work: OpenWork) -> Iterator[_Action]:
    start, content = _start_of(work), work.content
    todos = {item.text for item in content.pending}
    for task in (*content.pending, *content.next_steps):
        text = shortened(plain(task.text), _LONG)
        kind = "todo" if task.text in todos else "step"
        item = _item("next", kind, task.text, text + _started(text, start))
        yield _Action(item, shortened(plain(task.text), _NAME))


def _red(work: OpenWork) -> Iterator[_Action]:
    for command in work.red:
        passes = f"{_bare(command)} pass"
        yield _Action(_item("next", "red", command, f"Make {passes}"), f"make {passes}")


def _commit(work: OpenWork) -> Iterator[_Action]:
    if _is_only_left(work):
        text = f"{_look_through(work)}, then commit or drop it"
        begin = _start_of(work) if work.uncommitted is None else "git status"
        item = _item("next", *_COMMIT, text + _started(text, begin))
        yield _Action(item, _look_through(work).lower())


def _look_through(work: OpenWork) -> str:
    what = "was changed" if work.uncommitted is None else "is not committed"
    return f"Look through what {what}"


def _is_only_left(work: OpenWork) -> bool:
    """Say whether changes wait to be committed and nothing else is to be done."""
    content = work.content
    if work.why_open or work.red or content.pending or content.next_steps:
        return False
    if work.uncommitted is None:
        return bool(work.changed)
    return bool(work.uncommitted)


def _start_of(work: OpenWork) -> str:
    if work.start:
        return work.start
    if work.changed:
        return work.changed[0][0]
    touched = [file.path for file in work.content.files if file.change != "deleted"]
    return touched[0] if touched else ""


def _started(text: str, start: str) -> str:
    """An action says how to begin, unless it names just that."""
    quoted = _bare(start)
    return "" if not start or quoted in text else f" (start: {quoted})"


def _work_state(work: OpenWork) -> Iterator[OpenItem]:
    known = {path for path, _ in work.changed}
    waiting = work.uncommitted
    for path, name in work.changed:
        if waiting is None or _is_waiting(path, waiting):
            where = f", last at {_bare(name)}" if name else ""
            state = "changed" if waiting is None else "not committed"
            yield _item("work", "file", path, f"{spanned(path)}: {state}{where}")
    others = [path for path in waiting or () if path not in known]
    if others:
        names = ", ".join(map(spanned, uncommitted_names(others)))
        for place, part in enumerate(_parts(names)):
            told = f"Also not committed: {part}"
            yield _item("work", "others", str(place), told)
    for item in work.content.in_flight:
        text = printed(item, _LONG)
        yield _item("work", "in flight", f"{work.owner} {item.text}", text)
    if plan := work.content.plan:
        step = f", step {plan.step} of {plan.of}" if plan.step and plan.of else ""
        yield _item("work", "plan", plan.path, f"Plan: {spanned(plan.path)}{step}")
    if told := _left_off(work):
        yield _item("work", "left off", work.owner, f"Left off at: {told}")


def _left_off(work: OpenWork) -> str:
    """Return what the agent said last, where its work is open."""
    return (
        shortened(plain(said_at_the_end(work.content)), _LONG) if work.why_open else ""
    )


def _is_waiting(path: str, uncommitted: Sequence[str]) -> bool:
    return any(
        path == other or (other.endswith("/") and path.startswith(other))
        for other in uncommitted
    )


def _parts(names: str, limit: int = 330) -> Iterator[str]:
    """Yield a long list in parts that fit into a line each."""
    part = ""
    for name in names.split(", "):
        if part and len(part) + len(name) > limit:
            yield part
            part = name
        else:
            part = f"{part}, {name}" if part else name
    if part:
        yield part


def _decisions(content: Content) -> Iterator[OpenItem]:
    for item in reversed(content.open_questions):
        asked = shortened(plain(item.text), _LONG)
        yield OpenItem(
            "decisions", question_ident(item), as_item(f"{asked} — user lean: not said")
        )


def _issues(content: Content) -> Iterator[OpenItem]:
    for item in filter(is_open, content.errors):
        text = printed(item, _LONG)
        yield _item("issues", "error", _failing(item), text)


def _notes(work: OpenWork) -> Iterator[OpenItem]:
    content = work.content
    for item in content.dead_ends[:_MOST_NOTES]:
        text = printed(item, _LONG)
        yield _item("notes", "dead end", item.text, f"Do not repeat: {text}")
    for item in content.instructions:
        if item.source == "user":
            told = f"The user's rule: {own(shortened(item.text, _LONG))}"
        else:
            told = f"A rule the agent noted: {shortened(plain(item.text), _LONG)}"
        yield _item("notes", "rule", item.text, told)
    if content.mental_model:
        text = shortened(plain(content.mental_model), _LONG)
        yield _item("notes", "model", content.mental_model, f"How it works: {text}")
    left_off = _left_off(work)
    for mark, items in (("found", content.discoveries), ("decided", content.decisions)):
        fresh = [item for item in reversed(items) if plain(item.text) not in left_off]
        for item in fresh[:_MOST_NOTES]:
            said = printed(item, _LONG) if item.source == "tool" else plain(item.text)
            text = shortened(said, _LONG)
            yield _item("notes", mark, item.text, f"{mark.capitalize()}: {text}")
    yield from _whereabouts(work)


def _whereabouts(work: OpenWork) -> Iterator[OpenItem]:
    content = work.content
    files = [file.path for file in content.files if file.change != "deleted"]
    if files:
        told = ", ".join(map(spanned, files[:_MOST_FILES]))
        yield _item("notes", "files", work.owner, f"Files in play: {told}")
    if content.names:
        told = ", ".join(map(_bare, content.names[:_MOST_NAMES]))
        yield _item("notes", "names", work.owner, f"Names in play: {told}")


def _focus(work: OpenWork, actions: Sequence[_Action]) -> Iterator[OpenItem]:
    """What comes first and what holds it up, by name: the rest of it stands above."""
    for first in actions[:1]:
        goal = _goal_to_go_on_with(work, first)
        yield _item("focus", "top", work.owner, f"Top priority: {goal or first.name}")
        if goal:  # by itself: no line has the user's words and an agent's
            yield _item("focus", "begin", work.owner, f"Begin with: {first.name}")
    if friction := _friction(work.content):
        text = f"Friction: {friction}"
        yield _item("focus", "friction", work.owner, text)


def _goal_to_go_on_with(work: OpenWork, first: _Action) -> str:
    """Return what the work is for, unless the first action says it already."""
    if first.item.ident == request_ident(work.owner):
        return ""
    return next((own(shortened(g.text, _SHORT)) for g in work.content.goal), "")


def _friction(content: Content) -> str:
    red = [item for item in content.errors if is_open(item)]
    if red:
        more = f", and {len(red) - 1} more" if len(red) > 1 else ""
        return f"{printed_text(f'`{_failing(red[0])}`', _SHORT)} fails{more}"
    return printed(content.dead_ends[0], _NAME) if content.dead_ends else ""


def _failing(error: Item) -> str:
    return error.fact.command if isinstance(error.fact, Failure) else error.text
