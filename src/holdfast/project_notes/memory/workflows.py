"""Work that is done the same way again and again: intent, tools in order, what comes out.

Only proposes; nothing is ever made of it here.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from holdfast.domain.event import EDITING, SHELL, Role
from holdfast.domain.session import Call, SessionState, Turn
from holdfast.domain.text import one_line
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.runs import shown_command
from holdfast.facts.requests.requests import is_request, words_of
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass
from holdfast.language.language import Language
from holdfast.language.languages import Cues
from holdfast.language.sentences import word_list, words_in
from holdfast.project_notes.memory.entries import Workflow


def _begins(intent: str) -> Callable[[Language], str]:
    def beginning(spoken: Language) -> str:
        words = spoken.requests.intents.get(intent, "")
        return rf"(?<![a-z])(?:{words})" if words else ""

    return beginning


_INTENTS = {
    intent: Cues(_begins(intent))
    for intent in ("deploy", "review", "verify", "fix", "analyze", "generate")
}
# How a workflow tells a call that was no command, by its role.
_KINDS: dict[Role, str] = {
    "list": "Search",
    **{
        role: role.capitalize()
        for role in ("read", "search", "web", "agent", "edit", "write")
    },
}
_LOOKING = frozenset(_KINDS[role] for role in ("read", "search", "web"))
_GENERIC = frozenset([*_KINDS.values(), "run", "git"])
_SIMILAR = 0.7
_OPENING = 120  # characters that say what is asked for
_SHORT = 60  # characters of a request that is little more than its intent
_NAME = pattern(r"[a-z]{3,}")
_FEWEST_TOOLS = 2
_MOST_REMEMBERED = 3
_MOST_TRIGGER = 60
_TRIGGERS = 3


@dataclass(frozen=True, slots=True)
class _Done:
    """One request and how it was carried out."""

    intent: str
    tools: tuple[str, ...]
    shape: str
    words: str
    subject: frozenset[str]
    uuid: str


def workflows_of(state: SessionState) -> tuple[tuple[Workflow, tuple[str, ...]], ...]:
    """Return each way of working with the requests it answered, the most frequent first.

    One-off looking around and what has no clear intent is no workflow; looking things
    up the same way again is one.
    """
    groups: list[list[_Done]] = []
    for turn in state.live_turns():
        done = _done(turn)
        if done is None:
            continue
        group = next((g for g in groups if _is_same(g[0], done)), None)
        if group is None:
            groups.append([done])
        else:
            group.append(done)
    groups.sort(key=len, reverse=True)
    return tuple(
        (
            Workflow(
                group[0].intent,
                group[0].tools,
                group[0].shape,
                len(group),
                evidence=tuple(done.uuid for done in group),
            ),
            tuple(done.words for done in group),
        )
        for group in groups
        if len(group) > 1 or not set(group[0].tools) <= _LOOKING
    )


def worth_remembering(found: Sequence[Workflow]) -> tuple[Workflow, ...]:
    """Return the few ways of working of which later sessions should know the count."""
    telling = [flow for flow in found if len(flow.tools) > _FEWEST_TOOLS]
    return tuple(telling[:_MOST_REMEMBERED])


def is_covered(flow: Workflow, skills: Sequence[tuple[str, str]]) -> bool:
    """Say whether an installed skill speaks of this intent and of what is done."""
    subjects = {tool.casefold() for tool in flow.tools if tool not in _GENERIC}
    subjects |= set(flow.shape.split())
    for name, description in skills:
        told = f"{name} {description}".casefold()
        pattern = _INTENTS.get(flow.intent)
        if pattern and pattern.search(told) and any(word in told for word in subjects):
            return True
    return False


def proposed_name(flow: Workflow, requests: Sequence[str]) -> str:
    """Return a snake_case name from the intent and what the requests have in common."""
    return "_".join((flow.intent, *_object(flow, requests)))


def proposed_triggers(flow: Workflow, requests: Sequence[str]) -> tuple[str, ...]:
    """Return three phrases: the user's own shortest ones, then plain ones."""
    own = sorted(
        {one_line(words, _MOST_TRIGGER) for words in requests},
        key=lambda w: (len(w), w),
    )
    thing = " ".join(_object(flow, requests))
    plain = (
        f"{flow.intent} {thing}",
        f"{flow.intent} the {thing} again",
        f"{thing} {flow.intent}",
    )
    return tuple(dict.fromkeys((*own[:_TRIGGERS], *plain)))[:_TRIGGERS]


def proposal(flow: Workflow, name: str, triggers: tuple[str, ...]) -> str:
    """Return the proposal, in the form that people who use it know."""
    told = ", ".join(f'"{trigger}"' for trigger in triggers)
    return (
        "[Repeated workflow candidate detected]\n"
        f"- Signature: {flow.signature}\n"
        f"- Frequency: {flow.here} this session / {flow.ever} accumulated\n"
        "- Suggestion: this workflow might benefit from a dedicated skill\n"
        f"- Proposed skill name: {name}\n"
        f"- Proposed triggers: {told}"
    )


def _object(flow: Workflow, requests: Sequence[str]) -> tuple[str, ...]:
    spoken: Counter[str] = Counter()
    for words in requests:
        spoken.update(set(_subject(words[:_OPENING], flow.intent)))
    shared = [w for w, times in spoken.items() if times > 1 and _NAME.fullmatch(w)]
    best = sorted(shared, key=lambda word: (-spoken[word], word))[:1]
    return tuple(best) or tuple(flow.shape.split())


def _done(turn: Turn) -> _Done | None:
    """Return how a request was carried out; one by a command has its skill already."""
    if turn.via != "typed" or not is_request(turn):
        return None
    words = words_of(turn)
    opening = words[:_OPENING]
    intent = next(
        (name for name, pattern in _INTENTS.items() if pattern.search(opening)), ""
    )
    tools = tuple(dict.fromkeys(_kinds(turn.calls)))
    if not intent or len(tools) < _FEWEST_TOOLS:
        return None
    subject = frozenset(_subject(opening, intent))
    return _Done(intent, tools, _shape(turn.calls), words, subject, turn.uuid)


def _subject(words: str, intent: str) -> Iterator[str]:
    """Yield the words that say what a request is about."""
    pattern = _INTENTS.get(intent)
    for word in words_in(words.casefold()):
        if word not in word_list("fillers") and not (pattern and pattern.match(word)):
            yield word


def _kinds(calls: Sequence[Call]) -> Iterator[str]:
    for call in calls:
        if call.outcome == "interrupted":
            continue
        if call.role in EDITING:
            yield _KINDS["write" if call.created else "edit"]
        elif call.role in SHELL:
            shown = shown_command(call.target)
            if shown:
                yield kind_of(shown)
        elif call.role == "server":
            yield call.tool
        elif kind := _KINDS.get(call.role):
            yield kind


def _shape(calls: Sequence[Call]) -> str:
    good = [call for call in calls if call.outcome == "ok"]
    edits = [call for call in good if call.role in EDITING]
    if edits and all(call.created for call in edits):
        return "file creation"
    if edits:
        return "code change"
    ran = [kind_of(shown_command(c.target)) for c in good if c.role in SHELL]
    return "commit" if "commit" in ran else "report"


def _is_same(first: _Done, second: _Done) -> bool:
    if (first.intent, first.shape) != (second.intent, second.shape):
        return False
    is_long = max(len(first.words), len(second.words)) > _SHORT
    if is_long and not first.subject & second.subject:
        return False  # what is told at length with no word in common is not the same
    return SequenceMatcher(None, first.tools, second.tools).ratio() >= _SIMILAR
