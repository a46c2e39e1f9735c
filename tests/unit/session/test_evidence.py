"""Where statements come from: each points at lines that are there."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from holdfast.agents.claude_code.legacy import upgraded
from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.domain.checkpoint import Content, Item
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of, details_of
from holdfast.session.fold import begin, fold
from holdfast.session.state_codec import decode
from tests.conversation import Conversation
from tests.sessions import (
    Step,
    asks,
    creates,
    edits,
    follows,
    interrupts,
    lists,
    reads,
    refused,
    rewinds,
    runs,
    says,
    session,
    task,
    task_is,
    uses,
)

_SAMPLES = Path(__file__).parents[2] / "fixtures" / "transcripts"
_SPOKEN = st.sampled_from(
    [
        "Never use sleep. Always test.",
        "We decided to use sqlite instead of redis.",
        "The root cause is that `rotate()` runs twice.",
        "That approach did not work because the lock is held.",
        "## Next steps\n- measure it\n- ship it",
        "Shall I go on?",
        "yes",
        "ต้องใช้ภาษาไทยเสมอ",
    ]
)
_PATHS = st.sampled_from(["a.py", "src/b.py", "docs/c.md"])
_COMMANDS = st.sampled_from(
    ["pytest -q", "npm run dev", 'git commit -m "x"', "make lint", "ls"]
)
_STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(asks, _SPOKEN),
    st.builds(says, _SPOKEN),
    st.builds(reads, _PATHS),
    st.builds(lambda p, b, a: edits(p, before=b, after=a), _PATHS, *[st.sampled_from("xy")] * 2),
    st.builds(creates, _PATHS),
    st.builds(runs, _COMMANDS),
    st.builds(lambda c: runs(c, fails="error: it broke"), _COMMANDS),
    st.builds(lambda c: runs(c, background=True, reference="b1"), _COMMANDS),
    st.builds(lambda c: runs(c, outcome="pending"), _COMMANDS),
    st.builds(lambda p: refused("Edit", p), _PATHS),
    st.builds(lambda t: lists((t, "in_progress"), ("b", "completed")), _SPOKEN),
    st.builds(lambda t: task("1", t), _SPOKEN),
    st.just(task_is("1", "completed")),
    st.just(follows("/home/me/.claude/plans/a.md")),
    st.builds(lambda t: uses("AskUserQuestion", t, output="7 days"), _SPOKEN),
    st.just(interrupts()),
)  # fmt: skip


def _items(content: Content) -> Iterator[tuple[str, Item]]:
    for field in fields(content):
        value = getattr(content, field.name)
        if isinstance(value, tuple):
            yield from ((field.name, item) for item in value if isinstance(item, Item))


def _lines(state: SessionState) -> set[str]:
    """Return the ids of every line a state knows whole."""
    turns = (*state.turns, *(work.turn for work in state.agents))
    found = {turn.uuid for turn in turns}
    found |= {said.uuid for turn in turns for said in turn.said}
    found |= {line for turn in turns for call in turn.calls for line in call.evidence}
    return found | {compaction.uuid for compaction in state.compactions}


def _assert_all_there(state: SessionState) -> None:
    content = content_of(state)
    known = _lines(state)
    for kind, item in _items(content):
        assert set(item.evidence) <= known - {""}, (kind, item)
        assert len(item.excerpt) <= 600, (kind, item)
    for command in content.commands:
        assert command.evidence in known
    for detail in details_of(state, content):
        assert detail.evidence
        assert set(detail.evidence) <= known


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(steps=st.lists(_STEPS, max_size=25), goes_back=st.booleans())
def test_every_statement_points_at_lines_that_exist(
    steps: list[Step],
    goes_back: bool,  # noqa: FBT001  # hypothesis and pytest pass values by name
) -> None:
    """`show --evidence` must never name a line that nobody wrote."""
    after = [rewinds(1), asks("again")] if goes_back else []

    _assert_all_there(session(asks("start"), *steps, *after))


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem) for p in sorted(_SAMPLES.glob("*.jsonl"))]
)
def test_every_statement_of_a_real_session_points_at_lines_that_exist(
    path: Path,
) -> None:
    """The client's own lines are the evidence."""
    reader = ClaudeCodeTranscripts(str(path.parent), str)
    state = fold(begin("", reader.agent), reader.read(str(path)))

    _assert_all_there(state)
    written = path.read_text("utf-8")
    for _, item in _items(content_of(state)):
        assert all(line in written for line in item.evidence if not state.agents)


def _answers(talk: Conversation, tool: str, target: str, **result: Any) -> list[str]:
    """Make a call; return the line of its answer and its own."""
    call = talk.starts(tool, target)
    own = talk.lines[-1]
    return [talk.returns(call, **result), own]


def test_what_a_tool_said_points_at_the_line_that_holds_its_words() -> None:
    """Whoever looks a statement up must find it there, and then what it answers."""
    talk = Conversation()
    talk.asks("go")
    broken = "AssertionError: rotate() was called twice"
    _answers(talk, "Bash", "python old.py", outcome="failed", output="OSError: no rule")
    old = _answers(
        talk, "Bash", "python old.py", outcome="failed", output="OSError: no rule"
    )
    asked = _answers(talk, "AskUserQuestion", "Keep it?", output='"Keep it?"="Yes"')
    for number in range(12):
        talk.calls("Read", f"{number}.py")
    red = _answers(talk, "Bash", "pytest -q", outcome="failed", output=broken)
    commit = _answers(talk, "Bash", 'git commit -m "two keys"', output="[main 1a2] two")
    green = _answers(talk, "Bash", "make lint", output="checked 3 files: 0 issues")
    no = _answers(
        talk, "Bash", "rm x", outcome="interrupted", output="the user said: no"
    )

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [list(item.evidence) for item in content.errors[:1]] == [red]
    assert [list(i.evidence) for i in content.error_lines if i.text == broken] == [red]
    assert {c.command: c.evidence for c in content.commands} == {
        "python old.py": old[0],
        "pytest -q": red[0],
        "git commit": commit[1],  # the subject stands in the command
        "make lint": green[0],
    }
    assert list(content.decisions[0].evidence) == asked
    assert list(content.key_outcomes[0].evidence) == commit[::-1]
    refusal, left = content.dead_ends
    assert list(refusal.evidence) == no
    assert left.text.startswith("`python old.py` failed 2 times")
    assert list(left.evidence) == old


def test_a_state_that_knows_no_answers_points_at_the_calls() -> None:
    """Kept by an older program, it is read as it is."""
    state = session(asks("go"), runs("pytest -q", fails="error: it broke"))
    call = state.turns[0].calls[0]
    first, last = call._fields.index("role"), call._fields.index("todos")
    raw = {"calls": [[*call[:first], *call[first + 1 : last]]]}
    head = {"format": 1, "glimpses": [[call.call_id, "raise Lost('not found')"]]}

    old = decode(head, [raw], upgraded)

    assert [item.evidence for item in content_of(old).errors] == [(call.uuid,)]


def test_a_task_points_at_the_line_that_names_it() -> None:
    """A change of its status has not its words."""
    state = session(asks("go"), task("1", "write it"), task_is("1", "completed"))
    named, changed = (call.uuid for call in state.turns[0].calls)

    assert content_of(state).key_outcomes[0].evidence == (named, changed)


def test_what_was_cut_off_points_at_the_words_it_quotes() -> None:
    """Also where nobody asked for the turn, which then has no line."""
    state = session(says("Now let me run the tests:"), runs("pytest"))

    (item,) = content_of(state).in_flight

    assert item.evidence == (state.turns[0].said[0].uuid,)


@pytest.mark.parametrize(
    ("output", "told"),
    [
        pytest.param(
            "the user said: use make instead",
            'stopped or refused by the user: Edit Makefile: "use make instead"',
            id="with words",
        ),
        pytest.param(
            "", "stopped or refused by the user: Edit Makefile", id="without words"
        ),
    ],
)
def test_what_was_said_at_a_refusal_is_evidence_and_no_instruction(
    output: str, told: str
) -> None:
    """A tool could print the same words, so they are quoted and nobody's order."""
    state = session(
        asks("go"),
        uses("Edit", "/home/me/shop/Makefile", outcome="interrupted", output=output),
    )

    content = content_of(state)

    assert [item.text for item in content.dead_ends] == [told]
    assert content.dead_ends[0].source == "engine"
    assert content.instructions == ()


def _long_session(messages: int) -> SessionState:
    """Return a session of so many messages: six each step, the rest is talk."""
    steps: list[Step] = []
    words = ("rotation", "parser")
    for number in range(messages // 6):
        word = words[number % 2]
        steps += [
            asks(f"improve the {word}, part {number}"),
            edits(f"src/{word}.py"),
            runs(f"pytest tests/test_{word}.py", "3 passed"),
            says(
                f"The {word} handles part {number}. It keeps its old names."
                " The cache is cleared. Errors name the file. Tests cover it."
            ),
            asks("go on"),
            says("OK."),
        ]
    steps += [says("OK.") for _ in range(messages % 6)]
    state = session(*steps)
    assert state.message_count() == messages
    return state


@pytest.mark.parametrize(
    ("messages", "sentences", "is_grouped"),
    [
        pytest.param(19, 5, False, id="19 keeps every step whole"),
        pytest.param(20, 4, False, id="20 keeps the steps, shorter"),
        pytest.param(100, 4, False, id="100 still keeps the steps"),
        pytest.param(101, 1, True, id="101 is grouped by topic"),
    ],
)
def test_detail_follows_the_size_of_a_session(
    messages: int,
    sentences: int,
    is_grouped: bool,  # noqa: FBT001  # pytest passes values by name
) -> None:
    """A small session keeps detail, a large one outcomes by topic."""
    state = _long_session(messages)

    details = details_of(state, content_of(state))

    if is_grouped:
        assert {detail.topic for detail in details} == {"rotation", "parser"}
        assert all(len(line) < 300 for d in details for line in d.text.splitlines())
    else:
        assert all(detail.topic.startswith("improve the") for detail in details)
        assert {len(detail.text.splitlines()) for detail in details} == {sentences}
    assert all(detail.evidence for detail in details)
