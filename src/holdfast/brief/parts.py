"""What a brief could say about a checkpoint, part by part, each in several lengths."""

from collections.abc import Collection, Iterator, Sequence

from holdfast.brief import phrases
from holdfast.brief.drift_marks import UNVERIFIED, marks
from holdfast.brief.layout import QUOTED, BriefPart, Layout, entry
from holdfast.brief.phrases import (
    Paths,
    flat,
    forms,
    named,
    printed,
    shortened,
    told_name,
)
from holdfast.brief.standing import is_told_by, standing_parts, uncommitted_files
from holdfast.brief.user_requests import came_to, wanted
from holdfast.domain.brief import BriefSubject
from holdfast.domain.checkpoint import CommandRef, Content, Item, fact_item, is_open
from holdfast.domain.fact import AgentReport, Failure, RefusedCall
from holdfast.domain.text import plain
from holdfast.kernel.lazy_values import replace
from holdfast.language.agent_messages import names_something, tells_trouble
from holdfast.language.content_words import content_words
from holdfast.language.sentences import sentences

_MOST_COMMANDS, _MOST_FILES, _MOST_QUOTES = 30, 20, 6
_MOST_LEARNED = 20
_RECENT_LEARNED = 6  # sentences that are about this work whatever they name
_MOST_OF = 0.6  # of its words, which a text has that says as much


def parts_of(subject: BriefSubject, paths: Paths, layout: Layout) -> list[BriefPart]:
    """Return everything a brief could say, in the order it would be told."""
    content = subject.content
    wants = [*wanted(content, layout)]
    return [
        *wants,
        *standing_parts(subject, paths, layout),
        *_next(content, layout),
        *_dead_ends(content, wants, layout),
        *_files(subject, paths),
        *_commands(subject, layout),
        *_found(content),
        *(() if layout.is_short else _learned(content)),
        *_quotes(content),
    ]


def _next(content: Content, layout: Layout) -> Iterator[BriefPart]:
    todos = {item.text for item in content.pending}
    ranks = {"todo": 0, "next": 0}
    steps = {item.text: item for item in (*content.next_steps, *content.pending)}
    begins = "" if layout.is_short else "- "
    for text, item in steps.items():
        kind = "todo" if text in todos else "next"
        told = forms(f"{begins}{plain(text)}", 240)
        if text in todos and not text.startswith(item.excerpt):
            told = (*told, shortened(f"{told[-1]}: {plain(item.excerpt)}", 400))
        if item.doubt and not item.mark:
            told = tuple(f"{each} ({item.doubt})" for each in told)
        yield BriefPart("next", kind, ranks[kind], told, "steps", (item,))
        ranks[kind] += 1
    for rank, item in enumerate(content.manual_steps):
        told = forms(f"The user must: {plain(item.text)}", 320)
        yield BriefPart("next", "manual", rank, told, tells=(item,))
    waits = "Waiting for an answer" if layout.is_short else "Open question to the user"
    for rank, item in enumerate(reversed(content.open_questions)):
        told = forms(f"{waits}: {plain(item.text)}", 320)
        yield BriefPart("next", "question", rank, told, tells=(item,))


def _dead_ends(
    content: Content, wants: Sequence[BriefPart], layout: Layout
) -> Iterator[BriefPart]:
    """What not to repeat, but for what is told with the words that refused it."""
    refused = {id(thing) for part in wants for thing in part.tells}
    left = [item for item in content.dead_ends if id(item) not in refused]
    begins = "Do not repeat: " if layout.is_short else "- "
    ranks = {"refused": 0, "dead_end": 0}
    for item in left:
        is_worded = isinstance(item.fact, RefusedCall) and item.fact.said
        kind = "refused" if is_worded else "dead_end"
        told = (f"{begins}{printed(item, 260)}",)
        yield BriefPart("dead", kind, ranks[kind], told, tells=(item,))
        ranks[kind] += 1


def _files(subject: BriefSubject, paths: Paths) -> Iterator[BriefPart]:
    """The files that were read, or whose changes are committed."""
    since = marks(subject.drift)
    open_files = {file.path for file in uncommitted_files(subject)}
    known = [file for file in subject.content.files if file.path not in open_files]
    for rank, file in enumerate(known[:_MOST_FILES]):
        told = phrases.changed(file, paths.shown(file.path)) + since.get(file.path, "")
        yield entry("knows", "file", rank, told, "files", file)


def _commands(subject: BriefSubject, layout: Layout) -> Iterator[BriefPart]:
    unverified = subject.drift.unverified if subject.drift else ()
    content = subject.content
    red = [item for item in content.errors if is_open(item)]
    commands = [
        command
        for command in content.commands[:_MOST_COMMANDS]
        if not any(is_told_by(error, command) for error in red)
    ]
    told = _told_commands(commands, layout)
    for rank, (text, command) in enumerate(told.items()):
        mark = UNVERIFIED if command.command in unverified else ""
        whole = (command,) if plain(command.command) in text else ()
        yield entry("knows", "command", rank, text + mark, "commands", *whole)


def _told_commands(
    commands: Sequence[CommandRef], layout: Layout
) -> dict[str, CommandRef]:
    """Return how each command is told; those that look alike once, with their number."""
    form = phrases.short_result if layout.is_short else phrases.result
    told: dict[str, list[CommandRef]] = {}
    for command in _varied(commands) if layout.is_short else commands:
        told.setdefault(form(command), []).append(command)
    return {
        f"{text} ×{len(alike)}" if len(alike) > 1 else text: alike[0]
        for text, alike in told.items()
    }


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
        if flat(item.text) not in known:
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


def _learned(content: Content) -> Iterator[BriefPart]:
    """What the agent told on the way and nothing else tells, the newest first, then what
    is about files of this work: what names something or was in the way; how the work
    went is nothing to go on with."""
    texts = [item.text for item in (*content.discoveries, *content.decisions)]
    texts += [came for request in content.requests if (came := came_to(request))]
    texts += sentences(content.last_words)
    known = [content_words(text) for text in texts]
    fresh: list[Item] = []
    for item in content.story:
        if names_something(item.text) or tells_trouble(item.text):
            words = content_words(item.text)
            if not _say_as_much(known, words):
                known.append(words)
                fresh.append(item)
    names = frozenset(file.path.rpartition("/")[2] for file in content.files)
    recent, older = fresh[:_RECENT_LEARNED], fresh[_RECENT_LEARNED:]
    older.sort(key=lambda item: not _is_about(item.text, names))
    for rank, item in enumerate([*recent, *older][:_MOST_LEARNED]):
        yield BriefPart("learned", "story", rank, (f"- {plain(item.text)}",))


def _say_as_much(known: Sequence[frozenset[str]], words: frozenset[str]) -> bool:
    """Say whether one text that is told has most of the words of another."""
    least = len(words) * _MOST_OF
    return any(len(words & other) >= least for other in known)


def _is_about(sentence: str, names: Collection[str]) -> bool:
    """Say whether what was told long ago is about a file of this work, or in its way."""
    return tells_trouble(sentence) or any(name in sentence for name in names)


def _quotes(content: Content) -> Iterator[BriefPart]:
    """The lines of an open error that neither it nor an earlier one tells."""
    known: set[str] = set()
    red = [item for item in content.errors if is_open(item)]
    for rank, item in enumerate(red[:_MOST_QUOTES]):
        told = printed(item)
        lines = dict.fromkeys(phrases.quoted(item.excerpt).split("\n"))
        more = [line for line in lines if line and not phrases.tells(told, line)]
        more = [line for line in more if line not in known]
        known.update(more)
        if any(not phrases.says_little(line) for line in more):
            failed = item.fact.command if isinstance(item.fact, Failure) else item.text
            quote = "\n".join((f"$ {told_name(failed)}", *more))
            yield BriefPart(QUOTED, "evidence", rank, (quote,))
