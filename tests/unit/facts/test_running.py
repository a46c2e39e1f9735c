"""What was started and left running, and what of it is over."""

from typing import Any

import pytest

from holdfast.domain.event import RequestFailed
from holdfast.domain.fact import RunningWork
from holdfast.domain.standing import standing_of
from holdfast.facts.content import content_of
from holdfast.session.fold import begin, fold
from tests.conversation import Conversation
from tests.sessions import Step, asks, runs, says, session


def _running(*steps: Step) -> list[RunningWork]:
    found = content_of(session(asks("go"), *steps, says("It runs."))).in_flight
    return [item.fact for item in found if isinstance(item.fact, RunningWork)]


def test_a_command_left_behind_runs_on() -> None:
    """`nohup … &` comes back at once; what it started does not."""
    line = 'cd api && nohup python train.py > t.log 2>&1 &\necho "PID: $!"'

    assert _running(runs(line, "PID: 4711", detail="Start training")) == [
        RunningWork("background", "python train.py", "", "Start training", 0, 4711)
    ]


@pytest.mark.parametrize(
    ("command", "output", "port"),
    [
        ("npm run dev -- --port 4000", "", 4000),
        ("PORT=5000 npm start", "", 5000),
        ("npm run dev", "Local: http://localhost:5173/", 5173),
        ("python -m http.server 8080", "", 8080),
        ("npm run dev", "ready", 0),
    ],
)
def test_a_server_is_known_by_its_port(command: str, output: str, port: int) -> None:
    """By the port one can look whether it is still there."""
    (work,) = _running(runs(command, output, background=True, reference="b1"))

    assert (work.how, work.port, work.reference) == ("server", port, "b1")


@pytest.mark.parametrize(
    "stop",
    [
        'pkill -f "python train.py"',
        "pkill -f train.py",
        "kill 4711",
        "kill -9 4711 && sleep 1",
    ],
)
def test_what_was_stopped_runs_no_more(stop: str) -> None:
    """By its words or by its number."""
    started = runs("python train.py & echo started", "[1] 4711")

    assert len(_running(started)) == 1
    assert _running(started, runs(stop)) == []
    assert len(_running(started, runs("kill 4712"))) == 1


@pytest.mark.parametrize(
    ("look", "is_over"),
    [
        (runs('ps aux | grep "python train.py" | grep -v grep | head -1'), True),
        (runs("ps aux | grep [t]rain.py", fails=""), True),
        (runs("ps -ef | grep train.py | grep -v grep | wc -l", "0"), True),
        (runs("sleep 2; pgrep -f train.py"), True),
        (runs("ps -p 4711 2>/dev/null"), True),
        (runs("pgrep -f train.py", "4711"), False),
        (runs("ps aux | grep eval.py | grep -v grep"), False),
        (runs("ps aux | grep train.py | grep v2.log"), False),
        (runs("ps aux | grep train.py > seen.txt"), False),
        (runs("pgrep -f train.py; ./start.sh"), False),
        (runs("grep train.py notes.md"), False),
        (runs("pgrep -f train.py", outcome="pending"), False),
    ],
)
def test_what_a_look_does_not_find_runs_no_more(
    look: Step,
    is_over: bool,  # noqa: FBT001  # a column
) -> None:
    """It may have been stopped by hand, or have ended by itself without a word."""
    started = runs("python train.py & echo started", "[1] 4711")

    assert (_running(started, look) == []) is is_over


def test_what_listens_is_stopped_by_its_port() -> None:
    """Whoever kills what listens there kills it."""
    started = runs("npm run dev -- --port 3000", background=True, reference="b1")

    assert _running(started, runs("lsof -ti:3000 | xargs kill -9")) == []


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q && echo done",
        "echo 'a & b'",
        "make 2>&1 | tail",
        "sleep 60 &",
        "cmd &> out.log",
    ],
)
def test_what_comes_back_runs_no_more(command: str) -> None:
    """Not every `&` leaves something behind."""
    assert _running(runs(command, "ok")) == []


def test_what_was_started_again_is_told_once() -> None:
    """The last one counts."""
    again = [runs("python train.py &", f"[1] {n}") for n in (10, 20)]

    assert [work.pid for work in _running(*again)] == [20]


@pytest.mark.parametrize(
    ("tool", "result", "is_over"),
    [
        ("TaskOutput", {"output": "done", "work": "ended", "exit_status": 0}, True),
        ("TaskOutput", {"output": "not running yet", "work": "running"}, False),
        ("BashOutput", {"output": "the server is running", "work": "ended"}, True),
        ("BashOutput", {"output": "listening"}, False),
        ("KillShell", {}, True),
        ("KillShell", {"outcome": "failed", "output": "denied"}, False),
        ("TaskStop", {"outcome": "failed", "work": "ended"}, True),
    ],
)
def test_an_end_is_what_the_client_says_and_no_word_of_the_output(
    tool: str,
    result: dict[str, Any],
    is_over: bool,  # noqa: FBT001  # a column
) -> None:
    """A program may print "running" when it ends, and "completed" while it runs."""
    talk = Conversation()
    talk.asks("go")
    talk.returns(talk.starts("Bash", "python train.py"), reference="b1")
    talk.returns(talk.starts(tool, "b1"), **result)
    talk.says("It runs.")

    state = fold(begin("s", "claude-code"), talk.events)

    assert bool(content_of(state).in_flight) != is_over


_LIMIT = "You've hit your limit · resets 2am"


def _unfinished(talk: Conversation) -> list[str]:
    content = content_of(fold(begin("s", "claude-code"), talk.events))
    return [item.text for item in content.in_flight]


def test_why_nobody_answered_is_told_where_the_client_failed() -> None:
    """Who asks again gets the same answer, and every one counts."""
    talk = Conversation()
    talk.asks("tidy the shelves")
    talk.says("They are tidy.")
    for _ in range(2):
        talk.asks("and the tables")
        talk.events.append(RequestFailed(talk.line(), _LIMIT))
    talk.events.append(RequestFailed(talk.line(), _LIMIT))

    assert _unfinished(talk) == [
        f"The agent had not answered yet; the client failed: {_LIMIT} ×3"
    ]


def test_a_turn_that_ends_with_the_clients_failure_was_cut_off() -> None:
    """The agent's last words were not meant to be."""
    talk = Conversation()
    talk.asks("tidy the shelves")
    talk.says("Now the second shelf.")
    talk.events.append(RequestFailed(talk.line(), _LIMIT))

    (told,) = _unfinished(talk)

    assert told.startswith("The agent was cut off in its work")
    assert told.endswith(f"; the client failed: {_LIMIT}")


def test_a_failure_that_the_agent_went_on_after_tells_nothing() -> None:
    """Most are tried again and pass."""
    talk = Conversation()
    talk.asks("tidy the shelves")
    talk.events.append(RequestFailed(talk.line(), "529: Overloaded"))
    talk.says("They are tidy.")

    assert _unfinished(talk) == []


def test_a_command_without_a_result_is_told_once() -> None:
    """Where the turn was cut off, that is where it stood; it did not run to an end."""
    state = session(
        asks("ship it"),
        says("Let me run the tests:"),
        runs("pytest -q", outcome="pending"),
    )

    content = content_of(state)

    assert [item.text for item in content.in_flight] == [
        'The agent was cut off in its work, at: "pytest -q"'
    ]
    (call,) = state.live_calls()
    assert call.uuid in content.in_flight[0].evidence
    assert content.commands == ()


@pytest.mark.parametrize(
    ("said", "is_left"),
    [
        pytest.param(
            "The plan is clear. I'll start with the parser now.", True, id="now"
        ),
        pytest.param("Let me build the notebook.", True, id="let me"),
        pytest.param("Now run `npm start` to see it.", False, id="to the user"),
        pytest.param("I'll start once you confirm.", False, id="waits for a word"),
        pytest.param("Let me know what you think.", False, id="an offer"),
        pytest.param("I'll be here when you are back.", False, id="a courtesy"),
        pytest.param("I built the notebook.", False, id="a report"),
        pytest.param("Yes. I will stop now.", False, id="an end"),
    ],
)
def test_what_the_agent_promised_and_did_not_begin_is_left(
    said: str,
    is_left: object,
) -> None:
    """No call came after it: the work is not finished, and nobody waits for the user."""
    content = content_of(session(asks("make the notebook"), says(said)))

    assert bool(content.in_flight) == bool(is_left)
    assert ("turn" in standing_of(content).left) == bool(is_left)


@pytest.mark.parametrize(
    ("stop", "is_over"),
    [
        ('pkill -f "python.*server.py"', True),
        ("pkill -f 'vite|src/server\\.py' 2>/dev/null || true", True),
        ("pkill -f '[p]ython3 src' >/dev/null 2>&1", True),
        ("pkill -f 'server.py.*python'", False),
        ("pkill -f '(a+)+$'", False),
        ("pkill -f '.*'", False),
    ],
)
def test_what_is_stopped_is_found_as_pkill_finds_it(
    stop: str, *, is_over: bool
) -> None:
    """Its pattern is read for its words in their order, and never run."""
    started = runs("python3 src/server.py & echo started", "[1] 4711")
    assert (_running(started, runs(stop)) == []) == is_over


def test_a_new_server_at_a_port_ends_the_one_before() -> None:
    """Two cannot listen at the same one."""
    old = runs("npm run dev -- --port 4000", background=True, reference="b1")
    new = runs("npm start -- --port 4000", background=True, reference="b2")
    other = runs("npm start -- --port 4001", background=True, reference="b3")
    assert [work.reference for work in _running(old, new, other)] == ["b2", "b3"]
