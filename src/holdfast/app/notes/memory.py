"""The project's memory files: facts, episodes, lessons; shown, added to, tidied.

Every text passes the redactor before it is written. Only explicit commands come here.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from holdfast.app.ports import Redacts
from holdfast.domain.session import SessionState
from holdfast.kernel.errors import UsageWrong
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.kernel.shared_files import Changed, Seen
from holdfast.project_notes.memory import episodes, facts, lessons
from holdfast.project_notes.memory.entries import (
    FACTS,
    LESSON_ARCHIVE,
    LESSONS,
    LOG,
    MOST_TEXT,
    WORKFLOW,
    Episode,
    Fact,
    Lesson,
    MemoryEntry,
    Outcome,
    Trust,
    Workflow,
    alike,
)
from holdfast.project_notes.memory.episodes import is_expired, is_promoted_now, ttl_of
from holdfast.project_notes.memory.lessons import is_archived, observed, violated
from holdfast.project_notes.memory.worth_keeping import repeated_mistakes
from holdfast.project_notes.port import ProjectFiles

OLD_DAYS = 90
Step = Callable[[str | None], tuple[str | None, Outcome]]
Did = Literal["observed", "violated"]
Judge = tuple[Did, Callable[[Trust, str], Trust]]
_observed: Judge = ("observed", observed)
_violated: Judge = ("violated", violated)
_NOT_A_TYPE = pattern(r"[^\w-]+")
_MOST_TYPE = 40  # characters
_SNAPSHOTS = ("snapshots", "memory/snapshots", ".snapshots")


@dataclass(frozen=True, slots=True)
class Memory:
    facts: tuple[Fact, ...]
    log: tuple[Episode, ...]
    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True)
class RememberedEntry:
    """One thing to be remembered: what became of it, and the file as it is now.

    `evidence` are the transcript lines it came from, if it came from a session.
    """

    outcome: Outcome
    file: Changed
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    expired: tuple[Episode, ...] = ()
    promoted: tuple[Outcome, ...] = ()
    archived: tuple[Lesson, ...] = ()
    unified: bool = False  # old handoff names in the facts were made the one there is
    old_snapshots: tuple[tuple[str, Seen], ...] = ()  # the project's own; never removed


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPorts:
    """What memory is written with: the files, the chokepoint and the day it is."""

    files: ProjectFiles
    redactor: Redacts
    today: str  # YYYY-MM-DD, as people here write it


def memory_of(files: ProjectFiles) -> Memory:
    """Return what the project remembers.

    Raises:
        FileRefused: a file cannot be read.
    """
    return Memory(
        facts.facts_in(files.read(FACTS)),
        episodes.episodes_in(files.read(LOG)),
        lessons.lessons_in(files.read(LESSONS)),
    )


def add_fact(
    ports: MemoryPorts, text: str, section: str | None = None
) -> RememberedEntry:
    """Put a fact into its section, unless it is known; what it contradicts goes."""
    named = _told(ports, section).lstrip("# ") if section else None
    step = _fact(ports, text, named, over_people=True)
    return _applied(ports.files, FACTS, [step])[0]


def add_episode(
    ports: MemoryPorts, text: str, type_name: str, owner: str = ""
) -> RememberedEntry:
    """Log an episode, or count one more reference to a known one."""
    return _applied(ports.files, LOG, [_episode(ports, text, type_name, owner)])[0]


def lesson_candidates(
    state: SessionState | None, memory: Memory, redactor: Redacts
) -> tuple[str, ...]:
    """Return the mistakes that a session's user called repeated and that are no lesson
    yet, in the user's words."""
    mistakes = repeated_mistakes(state) if state else ()
    told = (redactor.text(entry.text) for entry in mistakes)
    known = [w for lesson in memory.lessons for w in (lesson.title, lesson.body)]
    return tuple(text for text in told if not any(alike(k, text) for k in known))


def add_lesson(
    ports: MemoryPorts, text: str, owner: str = "", *, was_violated: bool = False
) -> RememberedEntry:
    """Add a lesson; one that is known was seen again, or did not hold.

    A known lesson without a line of trust stays as it is.
    """
    judge = _violated if was_violated else _observed
    return _applied(ports.files, LESSONS, [_lesson(ports, text, owner, judge)])[0]


def keep_entries(
    ports: MemoryPorts,
    entries: Sequence[MemoryEntry],
    flows: Sequence[Workflow],
    owner: str,
) -> tuple[RememberedEntry, ...]:
    """Keep what a session says: once a session, however often it is asked.

    A rule that is a lesson already was seen again; a correction of one says that it did
    not hold. A fact that contradicts what a person wrote is not written, and said so.
    """
    learnt = ports.files.read(LESSONS)
    steps: dict[str, list[tuple[Step, tuple[str, ...]]]] = {
        path: [] for path in (FACTS, LOG, LESSONS)
    }
    for entry in entries:
        path, step = _step(ports, entry, owner, learnt)
        steps[path].append((step, entry.evidence))
    for flow in flows:
        step = _episode(ports, flow.signature, WORKFLOW, owner)
        steps[LOG].append((step, flow.evidence))
    return tuple(
        replace(kept, evidence=evidence)
        for path, own in steps.items()
        for kept, (_, evidence) in zip(
            _applied(ports.files, path, [step for step, _ in own]), own, strict=True
        )
    )


def _step(
    ports: MemoryPorts, entry: MemoryEntry, owner: str, learnt: str | None
) -> tuple[str, Step]:
    """Return which file an entry goes to, and how."""
    if entry.kind == "episode":
        return LOG, _episode(ports, entry.text, entry.label, owner)
    if entry.kind == "correction":
        return LESSONS, _lesson(ports, entry.text, owner, _violated)
    if entry.kind == "rule" and lessons.find(learnt, entry.text):
        return LESSONS, _lesson(ports, entry.text, owner, _observed)
    return FACTS, _fact(ports, entry.text, entry.label, over_people=False)


def is_kept(text: str, memory: Memory) -> bool:
    """Say whether a memory file has something that says nearly this."""
    known = (
        *(fact.text for fact in memory.facts),
        *(episode.text for episode in memory.log),
        *(word for lesson in memory.lessons for word in (lesson.title, lesson.body)),
    )
    return any(alike(each, text) for each in known)


def tidy(ports: MemoryPorts, now_ms: int) -> Tidied:
    """Apply the rules of time: promotion first, so that nothing often used expires.

    A crash between two files leaves something twice, never nowhere; the next call
    finishes.
    """
    return Tidied(
        promoted=_promote(ports),
        expired=_expire(ports),
        archived=_archive(ports),
        unified=ports.files.change(FACTS, facts.unified).is_changed,
        old_snapshots=tuple(_old_snapshots(ports.files, now_ms)),
    )


def _promote(ports: MemoryPorts) -> tuple[Outcome, ...]:
    due = [e for e in episodes.episodes_in(ports.files.read(LOG)) if is_promoted_now(e)]
    due = [episode for episode in due if episode.type != WORKFLOW]
    steps = [_fact(ports, e.text, None, over_people=False) for e in due]
    done = tuple(kept.outcome for kept in _applied(ports.files, FACTS, steps))
    if due:
        names = {(episode.type, episode.text) for episode in due}

        def rewrite(before: str | None) -> str | None:
            found = episodes.episodes_in(before)
            now = [e for e in found if (e.type, e.text) in names and not e.is_promoted]
            return episodes.with_promoted(before, now) if before and now else None

        ports.files.change(LOG, rewrite)
    return done


def _expire(ports: MemoryPorts) -> tuple[Episode, ...]:
    gone: list[Episode] = []

    def rewrite(before: str | None) -> str | None:
        gone[:] = [
            episode
            for episode in episodes.episodes_in(before)
            if is_expired(episode, ports.today)
        ]
        return episodes.without(before, gone) if before and gone else None

    ports.files.change(LOG, rewrite)
    return tuple(gone)


def _archive(ports: MemoryPorts) -> tuple[Lesson, ...]:
    def due(text: str | None) -> list[Lesson]:
        found = lessons.lessons_in(text)
        return [lesson for lesson in found if is_archived(lesson.trust, ports.today)]

    text = ports.files.read(LESSONS)
    gone = due(text)
    if text is None or not gone:
        return ()
    names = {(lesson.date, lesson.title) for lesson in gone}

    def rest(now: str | None) -> str | None:
        left = [lesson for lesson in due(now) if (lesson.date, lesson.title) in names]
        return lessons.moved(now, None, left)[0] if now else None

    ports.files.change(LESSON_ARCHIVE, lambda old: lessons.moved(text, old, gone)[1])
    ports.files.change(LESSONS, rest)
    return tuple(gone)


def _old_snapshots(files: ProjectFiles, now_ms: int) -> Iterator[tuple[str, Seen]]:
    """Yield the project's own snapshots that are old, the oldest first."""
    day_ms = 86_400_000
    found = [(place, seen) for place in _SNAPSHOTS for seen in files.files_in(place)]
    for place, seen in sorted(found, key=lambda entry: entry[1].changed_at):
        if now_ms - seen.changed_at > OLD_DAYS * day_ms:
            yield place, seen


def _applied(
    files: ProjectFiles, path: str, steps: Sequence[Step]
) -> tuple[RememberedEntry, ...]:
    """Change a file step by step, in one go."""
    if not steps:
        return ()
    outcomes: list[Outcome] = []

    def rewrite(before: str | None) -> str | None:
        outcomes.clear()
        text = before
        for step in steps:
            after, outcome = step(text)
            outcomes.append(outcome)
            text = text if after is None else after
        return None if text == before else text

    changed = files.change(path, rewrite)
    return tuple(RememberedEntry(outcome, changed) for outcome in outcomes)


def _fact(
    ports: MemoryPorts, text: str, section: str | None, *, over_people: bool
) -> Step:
    told = _told(ports, text)
    return lambda before: facts.with_fact(
        before, told, section, over_people=over_people
    )


def _episode(ports: MemoryPorts, text: str, type_name: str, owner: str) -> Step:
    clean = ports.redactor.text(type_name).strip().upper()
    kind = _NOT_A_TYPE.sub("-", clean)[:_MOST_TYPE]
    owners = (owner,) if owner else ()
    episode = Episode(ports.today, kind, ttl_of(kind), 0, _told(ports, text), owners)
    return lambda before: episodes.with_episode(before, episode)


def _lesson(ports: MemoryPorts, text: str, owner: str, judge: Judge) -> Step:
    told = _told(ports, text)

    def step(before: str | None) -> tuple[str | None, Outcome]:
        known = lessons.find(before, told)
        if known is None:
            return lessons.with_lesson(before, told, owner, ports.today)
        did, judged = judge
        after = lessons.with_trust(
            before, known, owner, lambda trust: judged(trust, ports.today)
        )
        return after, Outcome(did if after else "known", known.title)

    return step


def _told(ports: MemoryPorts, text: str) -> str:
    told = " ".join(ports.redactor.text(text).split())
    if not told:
        raise UsageWrong("there is no text to remember", hint="write what to remember")
    if len(told) > MOST_TEXT:
        raise UsageWrong(
            f"this has {len(told):,} characters, and a memory at most {MOST_TEXT:,}",
            hint="use fewer words, or edit the file by hand",
        )
    return told
