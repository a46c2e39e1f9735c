"""What a brief could say about a checkpoint, part by part, each in several lengths."""

from collections.abc import Iterator, Sequence

from holdfast.brief import phrases
from holdfast.brief.drift_marks import UNVERIFIED, ground_truth, marks
from holdfast.brief.layout import QUOTED, BriefPart, Layout, entry
from holdfast.brief.phrases import (
    Paths,
    flat,
    forms,
    indented,
    named,
    own,
    plain,
    printed,
    printed_error,
    printed_text,
    set_in,
    shortened,
    spanned,
    talks,
    told_name,
)
from holdfast.brief.receipt import outcomes_alone
from holdfast.brief.user_requests import came_to, is_told_in_request, wanted
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import (
    CommandRef,
    Content,
    Item,
    fact_item,
    is_open,
    said_since,
)
from holdfast.domain.fact import (
    AgentReport,
    CodeLine,
    Commit,
    Failure,
    UnfinishedTurn,
    WaitingPlan,
)
from holdfast.domain.text import extent
from holdfast.kernel.lazy_values import replace
from holdfast.language.languages import Cues

_MOST_COMMANDS, _MOST_NAMES, _MOST_QUOTES = 30, 40, 6
_MOST_FILES, _MOST_CHANGED, _MOST_STORY, _MOST_LINES = 10, 28, 40, 25
_MOST_SEEN = 8

_SHOWN_COMMAND = 60
_SHORT_ERROR, _ERROR = 130, 400  # letters of what failed and what it said
_BEFORE = "Said before this was asked: "
_CODE_LINES = (2, 4, 7, 10)

# What a reader can do without: praise, and what is ticked off.
_WELL = Cues(
    lambda spoken: spoken.statements.heads_well, common=r"^[\s-]*(?:[✅✓✔☑🎉]|\[x\])"
)

# What the next session must know: what is wrong, what is left, what is asked.
_OPEN = Cues(lambda spoken: spoken.statements.heads_open, common=r"^[\s-]*[⚠❌✗❓]")
_LEAST_FOR_BOTH = 200  # letters in which two parts can be told
_SHARE = 60  # per cent of the room that what is open may take


def parts_of(subject: BriefSubject, paths: Paths, layout: Layout) -> list[BriefPart]:
    """Return everything a brief could say, in the order it would be told."""
    content = subject.content
    wants = [*wanted(content, layout)]
    return [
        *wants,
        *(_said(subject) if subject.has_notes else ()),
        *_files(subject, paths, layout),
        *(() if subject.has_notes else _said(subject)),
        *_in_hand(content, layout),
        *_open_ends(content, layout),
        *_next(content),
        *_dead_ends(content, wants),
        *_known(subject, layout),
        *_found(content),
        *_story(content),
        *_quotes(content),
        *_error_lines(content),
        *_code_lines(content),
    ]


def _said(subject: BriefSubject) -> Iterator[BriefPart]:
    content = subject.content
    last = _last_said(content)
    if subject.has_notes and content.summary:
        summary = plain(content.summary)
        yield BriefPart(
            "stands", "stands", 0, tuple(map(set_in, forms(summary, 240, 600, 1500)))
        )
        if last:
            yield BriefPart("stands", "said", 0, said_forms(last, 200, 600))
    elif last:
        told = said_forms(last, 100, 150, 330, 700, 1000, 1400, 2400)
        # What the user is asked to decide is in what was said before the question.
        kind = "asking" if content.open_questions else "stands"
        yield BriefPart("stands", kind, 0, told)


def _last_said(content: Content) -> str:
    """Return the agent's words as such, and when they were said."""
    since, before = said_since(content), content.said_before
    told = f"{since}{_BEFORE}{before}" if before else since
    words = indented(phrases.unmarked(told))
    return f"Last said: {words}" if since and words else words


def _in_hand(content: Content, layout: Layout) -> Iterator[BriefPart]:
    for rank, item in enumerate(content.in_flight):
        told = _cut_off_shortly(item) if layout.is_short else printed(item, 200)
        says = item.excerpt if isinstance(item.fact, WaitingPlan) else ""
        longer = (f"{told}, {spanned(says)}",) if says and not talks(says) else ()
        yield BriefPart("stands", "in_flight", rank, (told, *longer), tells=(item,))


def _cut_off_shortly(item: Item) -> str:
    fact, room = item.fact, 110
    if not (isinstance(fact, UnfinishedTurn) and fact.how == "cut off"):
        return printed(item, room)
    return printed_text(f'Cut off, at: "{fact.at}"' if fact.at else "Cut off", room)


def _files(subject: BriefSubject, paths: Paths, layout: Layout) -> Iterator[BriefPart]:
    """The files, those likeliest needed next first, changed or only read."""
    content, since = subject.content, marks(subject.drift)
    likely = content.files[:_MOST_FILES]
    changed = [f for f in content.files[_MOST_FILES:] if f.change != "read"]
    for rank, file in enumerate((*likely, *changed[:_MOST_CHANGED])):
        tell = phrases.starred if layout.is_short else phrases.changed
        told = tell(file, paths.shown(file.path))
        told += since.get(file.path, "")
        kind = "file" if rank < _MOST_FILES else "changed"
        yield entry("stands", kind, rank, told, "files", file)
    if checked := ground_truth(subject.drift):
        yield BriefPart("stands", "drift", 0, (checked,))


def _open_ends(content: Content, layout: Layout) -> Iterator[BriefPart]:
    for rank, item in enumerate(filter(is_open, content.errors)):
        room = _SHORT_ERROR if layout.is_short else _ERROR
        lengths = printed_error(item, room, _SHOWN_COMMAND)
        told = tuple(f"Open error: {text}" for text in lengths)
        yield BriefPart("stands", "error", rank, told, tells=(item,))
    elsewhere = decisions_elsewhere(content)
    for rank, item in enumerate(reversed(content.decisions)):
        if item not in elsewhere:
            lengths = forms(f"Decided: {_decision(item, content)}", 260)
            yield BriefPart("stands", "decision", rank, lengths, tells=(item,))
    if content.plan:
        step, of = content.plan.step, content.plan.of
        where = f" (step {step} of {of})" if step and of else ""
        yield BriefPart(
            "stands", "plan", 0, (f"Plan: {named(content.plan.path)}{where}",)
        )


def decisions_elsewhere(content: Content) -> list[Item]:
    """Return the decisions that stand in a request or in what was said last."""
    if not content.decisions:
        return []
    known = flat(content.last_words)
    return [
        item
        for item in content.decisions
        if _is_in(item, known) or is_told_in_request(item, content)
    ]


def _decision(item: Item, content: Content) -> str:
    """Only what stands in a request was typed; a choice from a list was not. Of a
    request in an earlier session the excerpt is left."""
    asked = [request.text for request in content.requests]
    asked += [item.excerpt] if item.origin is not None else []
    typed = any(_is_in(item, flat(text)) for text in asked)
    return own(item.text) if item.source == "user" and typed else plain(item.text)


def _next(content: Content) -> Iterator[BriefPart]:
    todos = {item.text for item in content.pending}
    ranks = {"todo": 0, "next": 0}
    steps = {item.text: item for item in (*content.next_steps, *content.pending)}
    for text, item in steps.items():
        kind = "todo" if text in todos else "next"
        told = forms(f"- {plain(text)}", 240)
        if text in todos and not text.startswith(item.excerpt):
            told = (*told, shortened(f"{told[-1]}: {plain(item.excerpt)}", 400))
        yield BriefPart("next", kind, ranks[kind], told, tells=(item,))
        ranks[kind] += 1
    for rank, item in enumerate(content.manual_steps):
        told = forms(f"The user must: {plain(item.text)}", 320)
        yield BriefPart("next", "manual", rank, told, tells=(item,))
    for rank, item in enumerate(reversed(content.open_questions)):
        told = forms(f"Open question to the user: {plain(item.text)}", 320)
        yield BriefPart("next", "question", rank, told, tells=(item,))


def _dead_ends(content: Content, wants: Sequence[BriefPart]) -> Iterator[BriefPart]:
    """What not to repeat, but for what is told with the words that refused it."""
    refused = {id(thing) for part in wants for thing in part.tells}
    left = [item for item in content.dead_ends if id(item) not in refused]
    for rank, item in enumerate(left):
        told = (f"- {printed(item, 260)}",)
        yield BriefPart("dead", "dead_end", rank, told, tells=(item,))


def _known(subject: BriefSubject, layout: Layout) -> Iterator[BriefPart]:
    content = subject.content
    unverified = subject.drift.unverified if subject.drift else ()
    told = _told_commands(content.commands[:_MOST_COMMANDS], layout)
    for rank, (text, command) in enumerate(told.items()):
        mark = UNVERIFIED if command.command in unverified else ""
        whole = (command,) if plain(command.command) in text else ()
        yield entry("knows", "command", rank, text + mark, "commands", *whole)
    done = outcomes_alone(content)
    commits = [item for item in done if isinstance(item.fact, Commit)]
    for rank, item in _newest_first(commits):
        subject_line = item.fact.subject if isinstance(item.fact, Commit) else item.text
        title = printed_text(f'"{subject_line}"{item.mark}')
        yield entry("knows", "commit", rank, title, "committed", item)
    for rank, item in _newest_first([item for item in done if item not in commits]):
        yield entry("knows", "outcome", rank, printed(item), "done", item)
    for rank, path in enumerate(content.files_seen[:_MOST_SEEN]):
        name = "/".join(path.split("/")[-2:])  # enough to find it
        yield entry("knows", "seen", rank, named(name), "seen")
    for rank, name in enumerate(content.names[:_MOST_NAMES]):
        yield entry("knows", "name", rank, plain(name), "names")


def _newest_first(items: Sequence[Item]) -> Iterator[tuple[int, Item]]:
    """Yield items as they stand, the last of them ranked first."""
    for place, item in enumerate(items):
        yield len(items) - 1 - place, item


def _told_commands(
    commands: Sequence[CommandRef], layout: Layout
) -> dict[str, CommandRef]:
    """Return how each command is told; where room is short, two alike are told once."""
    if not layout.is_short:
        return {phrases.result(command): command for command in commands}
    told: dict[str, CommandRef] = {}
    for command in _varied(commands):
        told.setdefault(phrases.unless_ok(command), command)
    return told


def _varied(commands: Sequence[CommandRef]) -> list[CommandRef]:
    """Return the commands, those last that do the same as another to something else."""
    first: dict[str, CommandRef] = {}
    for command in commands:
        first.setdefault(phrases.doing(command.command), command)
    return [*first.values(), *(c for c in commands if c not in first.values())]


def _found(content: Content) -> Iterator[BriefPart]:
    known = flat(content.last_words)
    reports = [i for i in content.discoveries if isinstance(i.fact, AgentReport)]
    own = [item for item in content.discoveries if item not in reports]
    for rank, item in enumerate(reversed(own)):
        if not _is_in(item, known):
            told = forms(f"Found: {plain(item.text)}", 300)
            yield BriefPart("knows", "found", rank, told, tells=(item,))
    for rank, item in enumerate(reversed(reports)):
        if flat(item.excerpt) not in known:
            told = (f"Found: {printed(item, 300)}",)
            yield BriefPart("knows", "report", rank, told, tells=(item,))
    if content.mental_model:
        told = forms(f"How it works: {plain(content.mental_model)}", 300, 900)
        yield BriefPart("knows", "model", 0, told)
    mended = [i.fact for i in content.errors if isinstance(i.fact, Failure)]
    for rank, fact in enumerate(f for f in mended if f.state == "fixed"):
        line = f"Fixed: {printed(fact_item(replace(fact, state='open')))}"
        files = plain(", ".join(fact.mended_in))
        told = (line, f"{line} (mended in {named(files)})") if files else (line,)
        yield BriefPart("knows", "mended", rank, told)


def _quotes(content: Content) -> Iterator[BriefPart]:
    """The lines of an open error that the error itself does not tell."""
    red = [item for item in content.errors if is_open(item)]
    for rank, item in enumerate(red[:_MOST_QUOTES]):
        lines = phrases.quoted(item.excerpt).split("\n")
        told = printed(item)
        more = [line for line in lines if line and not phrases.tells(told, line)]
        if any(not phrases.says_little(line) for line in more):
            failed = item.fact.command if isinstance(item.fact, Failure) else item.text
            name = told_name(failed)
            yield BriefPart(
                QUOTED, "evidence", rank, ("\n".join((f"$ {name}", *more)),)
            )


def _story(content: Content) -> Iterator[BriefPart]:
    """What the agent told on the way and nothing else tells, the newest first."""
    told = [flat(content.last_words)]
    told += [flat(item.text) for item in (*content.discoveries, *content.decisions)]
    known = " ".join(told)
    ended = tuple(filter(None, map(came_to, content.requests)))
    fresh = [
        item
        for item in content.story
        if not (_is_in(item, known) or flat(item.text).startswith(ended))
    ]
    for rank, item in enumerate(fresh[:_MOST_STORY]):
        yield BriefPart("way", "story", rank, (f"- {plain(item.text)}",))


def _error_lines(content: Content) -> Iterator[BriefPart]:
    """The lines about errors in play that no open error tells."""
    rank = 0
    known = " ".join(f"{item.text} {item.excerpt}" for item in content.errors)
    for item in content.error_lines[:_MOST_LINES]:
        line = phrases.quoted(item.text)
        if not line or line in known:
            continue
        if not (phrases.talks(line) or phrases.says_little(line)):
            yield BriefPart(QUOTED, "error_line", rank, (line,))
            rank += 1


def _code_lines(content: Content) -> Iterator[BriefPart]:
    """How the files that were read last say that they fail, file by file."""
    by_file: dict[str, list[str]] = {}
    for item in content.code_lines:
        if isinstance(item.fact, CodeLine):
            name, line = map(phrases.quoted, (item.fact.file, item.fact.line))
            if not phrases.is_idle_code(line):
                by_file.setdefault(name, []).append(line)
    for rank, (name, lines) in enumerate(by_file.items()):
        told = ("\n  ".join((f"{name}:", *lines[:most])) for most in _CODE_LINES)
        yield BriefPart(QUOTED, "code_line", rank, tuple(dict.fromkeys(told)))


def _is_in(item: Item, text: str) -> bool:
    return flat(item.text) in text


def said_forms(text: str, *limits: int) -> tuple[str, ...]:
    """Return what was said in growing lengths, equal ones once; what is well is left out
    before what is open."""
    return tuple(dict.fromkeys(_said_within(text, limit) for limit in limits))


def _said_within(text: str, limit: int) -> str:
    if extent(text) <= limit:
        return shortened(text, limit)
    first, *rest = text.split("\n")
    lines = [first, *(line for line in rest if not _WELL.match(line))]
    place = next((n for n, line in enumerate(lines) if n and _OPEN.match(line)), 0)
    bare = "\n".join(lines)
    if not place or limit < _LEAST_FOR_BOTH or extent(bare) <= limit:
        return shortened(bare, limit)
    open_part = shortened("\n".join(lines[place:]), limit * _SHARE // 100)
    before = shortened("\n".join(lines[:place]), limit - extent(open_part))
    return f"{before}\n{open_part}"
