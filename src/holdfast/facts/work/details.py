"""Detailed observations beside the summary, one per topic, only if there is something
to say. A small session keeps its steps, a large one its outcomes by topic."""

from collections.abc import Sequence

from holdfast.domain.checkpoint import Content, Detail
from holdfast.domain.event import EDITING, SHELL
from holdfast.domain.session import SessionState, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.runs import runs_of
from holdfast.facts.requests.requests import is_request, words_of
from holdfast.facts.work.touched_files import changed_by, relative
from holdfast.kernel.lazy_values import replace
from holdfast.language.agent_messages import telling_sentences

FILE_CHANGES = "file changes"  # the topic of a list of them
SMALL, LARGE = 20, 100  # messages
_MOST_DETAILS = 8
_MOST_FILES, _MOST_COMMANDS, _MOST_LINES = 12, 8, 12
_MOST_SNIPPETS = 2
_SENTENCES = {"small": 8, "middle": 4, "large": 1}


def details_of(
    state: SessionState, content: Content, noted: tuple[Detail, ...] = ()
) -> tuple[Detail, ...]:
    """Return what is worth an observation of its own; the agent's own come first."""
    messages = state.message_count()
    size = "small" if messages < SMALL else "large" if messages > LARGE else "middle"
    steps = [
        step
        for turn in state.live_turns()
        if (step := _step(turn, state.cwd, _SENTENCES[size]))
    ]
    if size == "large":
        steps = _by_topic(steps, content.topics)
    room = max(0, _MOST_DETAILS - len(noted))
    return (*noted, *(steps[-room:] if room else ()))


def noted_details(details: Sequence[Detail]) -> tuple[Detail, ...]:
    """Return the details that an agent wrote: they were made from no line."""
    return tuple(
        replace(each, detail_id=0)
        for each in details
        if not each.evidence and each.topic != FILE_CHANGES
    )


def _step(turn: Turn, cwd: str, most: int) -> Detail | None:
    """Return what one request came to, if it changed or told something."""
    if not is_request(turn):
        return None
    runs = runs_of(turn.calls, cwd)
    changed = [path for call in turn.calls for path in changed_by(call, cwd)]
    told = telling_sentences(turn.said[-1].text)[:most] if turn.said else []
    if not (changed or runs) or not told:
        return None
    results = [
        (
            run.shown,
            ("failed" if run.failed else "?" if run.hidden or run.unsaid else "ok")
            + (f": {run.line}" if run.line else ""),
        )
        for run in runs
    ]
    return Detail(
        topic=one_line(words_of(turn), 80),
        text="\n".join(told),
        files=tuple(dict.fromkeys(changed))[:_MOST_FILES],
        ran=tuple(dict.fromkeys(results))[-_MOST_COMMANDS:],
        evidence=_lines_of(turn),
        snippets=_snippets(turn, cwd),
    )


def _snippets(turn: Turn, cwd: str) -> tuple[tuple[str, str], ...]:
    """Return how the code reads that was written last in a turn, by file."""
    wrote = {
        relative(call.target, cwd): call.detail.strip("\n")
        for call in turn.calls
        if call.role in EDITING and call.outcome == "ok" and call.detail.strip()
    }
    return tuple(wrote.items())[-_MOST_SNIPPETS:]


def _lines_of(turn: Turn) -> tuple[str, ...]:
    """Return the lines a step was told from: asked, done, said."""
    done = [
        call.uuid for call in turn.calls if call.role in EDITING or call.role in SHELL
    ]
    lines = (turn.uuid, *done[-_MOST_LINES + 2 :], turn.said[-1].uuid)
    return tuple(dict.fromkeys(line for line in lines if line))


def _by_topic(steps: Sequence[Detail], topics: Sequence[str]) -> list[Detail]:
    """Return the steps gathered under the session's topics, each step once."""
    groups: dict[str, list[Detail]] = {}
    for step in steps:
        groups.setdefault(_topic_of(step, topics), []).append(step)
    return [_gathered(topic, group) for topic, group in groups.items()]


def _topic_of(step: Detail, topics: Sequence[str]) -> str:
    text = " ".join((step.topic, step.text, *step.files)).lower()
    found = [(text.count(topic), -place) for place, topic in enumerate(topics)]
    best = max(found, default=(0, 0))
    return topics[-best[1]] if best[0] else "other work"


def _gathered(topic: str, steps: Sequence[Detail]) -> Detail:
    lines = [f"{step.topic}: {one_line(step.text, 200)}" for step in steps]
    files = dict.fromkeys(file for step in steps for file in step.files)
    ran = dict.fromkeys(pair for step in steps for pair in step.ran)
    return Detail(
        topic=topic,
        text="\n".join(lines[-12:]),
        files=tuple(files)[:_MOST_FILES],
        ran=tuple(ran)[-_MOST_COMMANDS:],
        snippets=tuple(one for step in steps for one in step.snippets)[-1:],
        evidence=tuple(dict.fromkeys(line for step in steps for line in step.evidence))[
            -_MOST_LINES:
        ],
    )
