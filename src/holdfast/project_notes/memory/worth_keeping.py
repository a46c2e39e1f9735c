"""What a session says that is worth keeping in files: facts, episodes, the user's words.

Each with the transcript lines it comes from. Only the user's own words become rules.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.session import Call, SessionState, Turn
from holdfast.domain.text import extent, one_line
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.runs import commit_subject, deed_of, runs_of
from holdfast.facts.requests.requests import is_request, words_of
from holdfast.facts.work.touched_files import relative
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues
from holdfast.language.sentences import sentences
from holdfast.project_notes.memory.entries import MemoryEntry

_INSTALLS = pattern(
    r"\b(?:(?:uv\s+)?pip3?\s+install|pipx\s+install|(?:uv|poetry|pdm|cargo|pnpm|yarn|bun)\s+add"
    r"|(?:npm|pnpm|bun)\s+(?:install|i)|go\s+get|gem\s+install|brew\s+install"
    r"|apt(?:-get)?\s+install)\s+(?P<names>[^;&|<>]+)"
)
_PACKAGE = pattern(r"^@?[A-Za-z][\w./@\[\]-]{1,60}$")
_CORRECTS = Cues(lambda spoken: spoken.rules.corrects)
# A command that does only a part of what it could, more than one thing, or throws away
# what it made.
_PART = pattern(
    r"&&|::|\s(?:-run|-k|-t|--filter|--grep|-g)[\s=]|[\w/]+_test\.\w+|\btest_\w+\.py"
    r"|[\s=]/(?:dev|tmp)/"
)
_SETTLED = Cues(lambda spoken: spoken.requests.settles, common=r"\s→\s")
_REPEATS = Cues(lambda spoken: spoken.rules.repeats)
_BARE, _MOST_SAID = 40, 400  # letters that say what it is about; characters
# What holds beyond the work at hand.
_LASTS = Cues(lambda spoken: spoken.rules.lasts)
_MOST_COMMITS, _MOST_DECISIONS, _MOST_PACKAGES = 10, 5, 10
_COMMANDS = (
    ("test", "Test command"),
    ("check", "Check command"),
    ("build", "Build command"),
)


def entries_of(state: SessionState, content: Content) -> tuple[MemoryEntry, ...]:
    """Return what is worth keeping, each once."""
    again = repeated_mistakes(state)
    found = (
        *again,
        *_rules(state, content, again),
        *_commands(state, content),
        *_packages(state),
        *_decisions(content),
        *_commits(state),
        *_plan(content),
    )
    return tuple({(entry.kind, entry.text): entry for entry in found}.values())


def feedback_of(content: Content) -> tuple[Item, ...]:
    """Return the rules, corrections and priorities that the user gave in this session."""
    return tuple(
        item
        for item in content.instructions
        if item.origin is None and item.source == "user"
    )


def repeated_mistakes(state: SessionState) -> tuple[MemoryEntry, ...]:
    """Return where the user says that a mistake was made again, in the user's words; a
    bare remark with what it was said to."""
    found: dict[str, MemoryEntry] = {}
    for before, turn in pairwise((Turn(), *state.live_turns())):
        told = words_of(turn) if is_request(turn) else ""
        if not any(_REPEATS.search(sentence) for sentence in sentences(told)):
            continue
        done = [deed for call in before.calls if (deed := _deed(call, state.cwd))]
        after = f" (after: {done[-1]})" if done and extent(told) < _BARE else ""
        text = one_line(told, _MOST_SAID) + after
        found[text] = MemoryEntry("correction", "Rules", text, (turn.uuid,))
    return tuple(found.values())


def _deed(call: Call, cwd: str) -> str:
    if call.role in EDITING:
        return f"changed {relative(call.target, cwd)}"
    return deed_of(call.target) if call.role in SHELL else ""


def _rules(
    state: SessionState, content: Content, again: tuple[MemoryEntry, ...]
) -> Iterator[MemoryEntry]:
    """What the user laid down. For good: a rule, or a lesson where it corrects a
    mistake; else feedback on this work, which expires unless it comes up again."""
    mistaken = _after_mistakes(state.live_turns())
    decided = {item.text for item in content.decisions}
    for item in feedback_of(content):
        if any(item.text in entry.text for entry in again):
            continue  # told as the mistake it is
        lasts = _LASTS.search(item.text) is not None
        corrects = bool(mistaken & {*item.evidence}) and _CORRECTS.match(item.text)
        if lasts and corrects:
            yield MemoryEntry("correction", "Rules", item.text, item.evidence)
        elif lasts:
            yield MemoryEntry("rule", "Rules", item.text, item.evidence)
        elif item.text not in decided:
            yield MemoryEntry("episode", "FEEDBACK", item.text, item.evidence)


def _after_mistakes(turns: tuple[Turn, ...]) -> set[str]:
    """Return the turns that came after the agent had changed or run something."""
    found: set[str] = set()
    for before, turn in pairwise(turns):
        acted = any(call.role in EDITING or call.role == "run" for call in before.calls)
        if before.interrupted or acted:
            found.add(turn.uuid)
    return found


def _commands(state: SessionState, content: Content) -> Iterator[MemoryEntry]:
    """How the project is tested, checked and built, as it was last done well.

    What was run once may have been meant for that once.
    """
    times = Counter(run.shown for run in runs_of(state.live_calls(), state.cwd))
    for kind, label in _COMMANDS:
        good = (
            command
            for command in content.commands
            if command.exit == 0
            and times[command.command] > 1
            and kind_of(command.command) == kind
            and not _PART.search(command.command)
            and not _INSTALLS.search(command.command)
            and not command.command.endswith("…")
        )
        if command := next(good, None):
            text = f"{label}: `{command.command}`"
            yield MemoryEntry("fact", "Commands", text, (command.evidence,))


def _packages(state: SessionState) -> Iterator[MemoryEntry]:
    """What was installed and did install."""
    found: dict[str, MemoryEntry] = {}
    for run in runs_of(state.live_calls(), state.cwd):
        match = _INSTALLS.search(run.call.target)
        if match is None or run.failed or run.hidden or run.call.outcome != "ok":
            continue
        for name in match["names"].split():
            if _PACKAGE.match(name) and not name.endswith((".txt", ".toml", ".")):
                text = f"`{name}` is installed"
                found[name] = MemoryEntry("fact", "Libraries", text, (run.call.uuid,))
    yield from list(found.values())[-_MOST_PACKAGES:]


def _decisions(content: Content) -> Iterator[MemoryEntry]:
    own = [item for item in content.decisions if item.origin is None]
    users = [item for item in own if item.source == "user" and _is_settled(item)]
    agents = [item for item in own if item.source != "user"]
    for item in (*users, *agents[-_MOST_DECISIONS:]):
        yield MemoryEntry("episode", "DECISION", item.text, item.evidence)


def _is_settled(item: Item) -> bool:
    """A pasted report may say "instead of", too; a decision says that it is one."""
    return _SETTLED.search(item.text) is not None


def _commits(state: SessionState) -> Iterator[MemoryEntry]:
    made: dict[str, MemoryEntry] = {}
    for run in runs_of(state.live_calls(), state.cwd):
        subject = commit_subject(run.call.target) if run.kind == "commit" else ""
        if subject and run.call.outcome == "ok" and not run.failed:
            text = f"committed: {subject}"
            made[subject] = MemoryEntry("episode", "COMPLETION", text, (run.call.uuid,))
    yield from list(made.values())[-_MOST_COMMITS:]


def _plan(content: Content) -> Iterator[MemoryEntry]:
    if content.plan and content.plan.step and content.plan.of:
        yield MemoryEntry(
            "episode", "PLAN", f"plan `{content.plan.path}` has {content.plan.of} steps"
        )
