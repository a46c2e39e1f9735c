"""Events and states as Hypothesis makes them: plausible sessions, and hostile ones.

`sessions()` tells a session as an agent would write it, rewinds and compactions included;
`noise()` is any events in any order. Ids come from small pools, so that they repeat.
"""

from typing import Any

from hypothesis import strategies as st

from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Clipped,
    Compacted,
    ContextAdded,
    Event,
    Interrupted,
    Listed,
    Located,
    Origin,
    Passed,
    Planned,
    Recapped,
    RequestFailed,
    Summarised,
    Titled,
    Todo,
    Tokens,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
    Via,
    Wrote,
)
from holdfast.domain.session import (
    AgentWork,
    Call,
    Compaction,
    Counts,
    Inherited,
    Said,
    SessionState,
    ToolUse,
    Turn,
)
from holdfast.session.turns import Bounds, StateLimits
from tests.conversation import Conversation, uuid_of

# Limits so tight that a short session runs into every one of them.
TIGHT = StateLimits(
    main=Bounds(calls=3, said_first=1, said_last=2, lines=5),
    sub_agent=Bounds(calls=2, said_first=1, said_last=1, lines=1),
    agents=2,
    detailed_turns=3,
    look_back=2,
)
TOOLS = ("Bash", "Read", "Grep", "Edit", "Write", "TaskCreate", "TodoWrite", "Task")
_STATUSES = ("pending", "in_progress", "completed", "deleted")
_OUTCOMES = ("pending", "ok", "failed", "interrupted")
_VIAS = ("typed", "command", "shell")
_AGENTS = ("", "", "", "a1", "a2", "a3")

# No lone surrogates: text in events has passed `domain.text.storable`.
texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=["\x00"]), max_size=30
)
long_texts = texts | st.integers(280, 840).map("long ".__mul__)
names = st.sampled_from(("", "one", "two", "three"))
line_ids = st.integers(0, 12).map(uuid_of) | st.sampled_from(
    ("", "short", "short-2", "x" * 36)
)
notifications = st.sampled_from(("b1", "one", "two")).map(
    "<task-notification><task-id>{}</task-id><status>failed</status>".format
)
call_ids = st.integers(0, 6).map("call_{}".format)
message_ids = st.sampled_from(("", "msg_1", "msg_2", "msg_3"))
moments = st.just(0) | st.integers(1, 20)
small = st.integers(0, 9)
outputs = st.sampled_from(
    (
        "",
        "ok",
        "1 failed\nE   assert 1 == 2",
        "3 passed in 0.1s",
        "\x1b[31mboom\x1b[0m\r\n",
    )
)
todos = st.lists(
    st.builds(Todo, names, texts, st.sampled_from(_STATUSES)), max_size=2
).map(tuple)


def origins(agents: tuple[str, ...] = _AGENTS) -> st.SearchStrategy[Origin]:
    return st.builds(
        Origin, line_ids, st.none() | line_ids, moments, st.sampled_from(agents)
    )


spent = st.builds(Tokens, small, small, small, small, small)


def placed_events(origin: st.SearchStrategy[Origin]) -> st.SearchStrategy[Any]:
    """Return any event that says where it comes from."""
    return st.one_of(
        st.builds(UserSaid, origin, texts, small, st.sampled_from(_VIAS)),
        st.builds(UserSaid, origin, st.just("/clear"), small, st.just("command")),
        st.builds(ContextAdded, origin, names, texts),
        st.builds(ContextAdded, origin, st.just("notification"), notifications),
        st.builds(AgentSaid, origin, message_ids, long_texts, small),
        st.builds(
            AgentSpent,
            origin,
            message_ids,
            st.sampled_from(("", "m", "<synthetic>")),
            small,
            st.none() | spent,
        ),
        st.builds(
            ToolCalled,
            origin,
            message_ids,
            call_ids,
            st.sampled_from(TOOLS),
            texts,
            todos=todos,
            added=small,
            background=st.booleans(),
        ),
        st.builds(
            ToolReturned,
            origin,
            call_ids,
            st.sampled_from(_OUTCOMES),
            st.none() | small,
            outputs,
            added=small,
            reference=names,
            is_counted=st.booleans(),
        ),
        st.builds(Compacted, origin, names, small),
        st.builds(Summarised, origin, texts, small),
        st.builds(Planned, origin, names),
        st.builds(Recapped, origin, texts),
        st.builds(Interrupted, origin),
        st.builds(RequestFailed, origin, texts),
        st.builds(Passed, names, origin),
    )


events: st.SearchStrategy[Event] = st.one_of(
    placed_events(origins()),
    st.builds(Titled, texts),
    st.builds(Located, names, names, names, names, names),
    st.builds(Unrecognised, names),
    st.builds(Passed, names | st.just("unrecognised")),
    st.builds(Clipped, small),
    st.builds(Wrote, call_ids, texts),
    st.builds(Listed, call_ids, texts),
)


def noise() -> st.SearchStrategy[list[Event]]:
    """Return events in any order: results before calls, unknown parents, old ids."""
    return st.lists(events, min_size=1) | st.lists(events, min_size=30)


class _Teller:
    """Draws what happens next in a session."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.talk = Conversation()
        self._draw = draw
        self._waiting: list[str] = []

    def prompt(self) -> None:
        via: Via = self._draw(st.sampled_from(("typed", "shell")))
        self.talk.asks(self._draw(texts), via=via)

    def rewind(self) -> None:
        self.talk.asks(self._draw(texts), after=self._any_line())

    def rewind_before_a_command(self) -> None:
        self.talk.adds("caveat", after=self._any_line())
        self.talk.asks("/model opus", via="command")

    def answer(self) -> None:
        agent = self._draw(st.sampled_from(_AGENTS))
        self.talk.says(self._draw(long_texts), agent=agent)

    def call(self) -> None:
        tool = self._draw(st.sampled_from(TOOLS))
        self._waiting.append(self.talk.starts(tool, self._draw(texts)))

    def result(self) -> None:
        if self._waiting:
            self.talk.returns(
                self._waiting.pop(self._draw(st.integers(0, len(self._waiting) - 1))),
                outcome=self._draw(st.sampled_from(_OUTCOMES)),
                output=self._draw(outputs),
            )

    def compaction(self) -> None:
        self.talk.compacts(self._draw(texts))

    def sub_agent(self) -> None:
        agent = self._draw(st.sampled_from(("a1", "a2", "a3")))
        tool = self._draw(st.sampled_from(TOOLS))
        self.talk.calls(tool, self._draw(texts), agent=agent)

    def nothing(self) -> None:
        self.talk.passes()

    def _any_line(self) -> str | None:
        return self._draw(st.sampled_from([None, *self.talk.lines]))


_STEPS = st.sampled_from(
    (
        _Teller.prompt,
        _Teller.prompt,
        _Teller.answer,
        _Teller.call,
        _Teller.call,
        _Teller.result,
        _Teller.result,
        _Teller.rewind,
        _Teller.rewind_before_a_command,
        _Teller.compaction,
        _Teller.sub_agent,
        _Teller.nothing,
    )
)


@st.composite
def sessions(draw: st.DrawFn, min_steps: int = 0) -> list[Event]:
    """Return the events of a session as an agent would write them."""
    teller = _Teller(draw)
    for step in draw(st.lists(_STEPS, min_size=min_steps)):
        step(teller)
    return teller.talk.events


calls = st.builds(
    Call,
    call_ids,
    st.sampled_from(TOOLS),
    texts,
    line_ids,
    moments,
    detail=texts,
    outcome=st.sampled_from(_OUTCOMES),
    exit_status=st.none() | st.integers(-9, 255),
    output=texts,
    added=small,
    removed=small,
    created=st.booleans(),
    reference=names,
    background=st.booleans(),
    before=names,
    after=names,
    todos=todos,
    answer=line_ids,
)
turns = st.builds(
    Turn,
    uuid=line_ids,
    parent=st.none() | line_ids,
    at=moments,
    ended_at=moments,
    prompt=texts,
    prompt_chars=small,
    via=st.sampled_from((None, *_VIAS)),
    context=st.lists(names, max_size=2).map(tuple),
    said=st.lists(st.builds(Said, line_ids, moments, texts), max_size=2).map(tuple),
    calls=st.lists(calls, max_size=3).map(tuple),
    tools=st.lists(
        st.builds(ToolUse, st.sampled_from(TOOLS), small, moments, moments), max_size=2
    ).map(tuple),
    messages=small,
    last_message_id=names,
    plan=names,
    interrupted=st.booleans(),
    request_errors=st.lists(texts, max_size=2).map(tuple),
    lines=st.sampled_from(("", "0123abcd", "0123abcd89abcdef")),
    dropped=small,
    after=st.none() | st.integers(-1, 3),
    detour=names,
    spent=st.just(()) | spent.map(tuple),
    last_spent=st.just(()) | spent.map(tuple),
)
inherited = st.builds(
    Inherited,
    st.sampled_from(("instructions", "pending", "errors", "files")),
    texts,
    st.sampled_from(("user", "agent", "tool", "engine")),
    st.lists(line_ids, max_size=2).map(tuple),
    texts,
    names,
    small,
)
_counted = st.dictionaries(names, small, max_size=2).map(
    lambda found: tuple(sorted(found.items()))
)
early_results = st.builds(
    ToolReturned,
    st.builds(Origin, line_ids, st.none() | line_ids, moments),
    call_ids,
    st.sampled_from(_OUTCOMES),
    output=texts,
    choices=st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
)
states = st.builds(
    SessionState,
    session_id=names,
    agent=names,
    turns=st.lists(turns, max_size=4).map(tuple),
    abandoned=st.sampled_from(((), ((0, 1),), ((0, 1), (2, 3)))),
    wrote=st.lists(st.tuples(call_ids, names), max_size=3).map(tuple),
    listed=st.lists(st.tuples(call_ids, names), max_size=3).map(tuple),
    agents=st.lists(st.builds(AgentWork, names, turns), max_size=2).map(tuple),
    compactions=st.lists(
        st.builds(Compaction, line_ids, moments, names, moments, small, texts),
        max_size=2,
    ).map(tuple),
    inherited=st.lists(inherited, max_size=2).map(tuple),
    cwd=names,
    last_cwd=names,
    branch=names,
    version=names,
    entrypoint=names,
    model=names,
    title=texts,
    context_tokens=moments,
    started_at=moments,
    ended_at=moments,
    costs_partly=st.booleans(),
    counts=st.builds(
        Counts,
        moments,
        _counted,
        _counted,
        clipped_lines=moments,
        clipped_bytes=moments,
        unmatched=moments,
    ),
    linked=st.booleans(),
    early=st.lists(st.tuples(st.booleans(), early_results), max_size=3).map(
        lambda kept: tuple((event.call_id, (known, event)) for known, event in kept)
    ),
)
