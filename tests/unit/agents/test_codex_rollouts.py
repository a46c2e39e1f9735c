"""What the lines of a Codex CLI rollout mean, in both of its forms."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Clipped,
    Compacted,
    ContextAdded,
    Interrupted,
    Located,
    Summarised,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
    WorkEnded,
)
from holdfast.domain.session import Cursor, SessionState
from holdfast.session.fold import begin, fold
from tests.unit.agents.codex_lines import (
    CWD,
    OTHER,
    THREAD,
    Rollouts,
    answer,
    call,
    event,
    item,
    line,
    meta,
    name_of,
    output,
    patch,
    raw,
    said,
    typed,
    typed_then,
)

_SAMPLES = Path(__file__).parents[2] / "fixtures" / "agents" / "codex"
_PATCH = """*** Begin Patch
*** Update File: src/a.py
@@
-old
+new
+more
*** Add File: b.py
+one
*** Delete File: c.py
*** End Patch
"""
_RAN = (
    "Chunk ID: 9b9b38\nWall time: 0.1 seconds\nProcess exited with code {}\n"
    "Original token count: 17\nOutput:\n{}"
)


@pytest.fixture
def rollouts(tmp_path: Path) -> Rollouts:
    return Rollouts(tmp_path)


def _state(rollouts: Rollouts, path: Path) -> SessionState:
    return fold(begin(THREAD, "codex"), rollouts.read(path))


@pytest.mark.parametrize("sample", sorted(_SAMPLES.glob("*.jsonl")), ids=str)
def test_every_line_that_the_real_client_wrote_is_understood(
    rollouts: Rollouts, sample: Path
) -> None:
    """Work, a resume, a fork by reference and a compaction, by version 0.166.0."""
    for other in _SAMPLES.glob("*.jsonl"):
        rollouts.path(other.name).write_bytes(other.read_bytes())

    events = list(rollouts.read(rollouts.path(sample.name)))

    assert [one for one in events if isinstance(one, Unrecognised)] == []
    assert [one for one in events if isinstance(one, UserSaid)]
    counted = fold(begin("", "codex"), events).counts.lines
    own = len(sample.read_bytes().splitlines())
    assert counted >= own


def test_a_session_says_where_it_runs_and_with_which_model(rollouts: Rollouts) -> None:
    events = rollouts.events(line("turn_context", cwd="/code/there", model="gpt-6"))

    assert [one for one in events if isinstance(one, Located)] == [
        Located(THREAD, CWD, "", "0.166.0", "cli"),
        Located("", "/code/there", "", "", ""),
    ]
    assert [one.model for one in events if isinstance(one, AgentSpent)] == ["gpt-6"]


def test_the_users_words_are_told_in_both_forms_of_a_rollout(
    rollouts: Rollouts,
) -> None:
    """A reader made for one sees no prompt in the other."""
    assert rollouts.prompts(typed("fix it")) == ["fix it"]
    assert rollouts.prompts(typed_then("fix it")) == ["fix it"]
    assert rollouts.prompts(typed_then("fix it"), typed("fix it")) == ["fix it"]
    assert rollouts.prompts(typed("go"), said("done"), typed("go")) == ["go", "go"]


def test_a_command_is_kept_with_its_exit_status(rollouts: Rollouts) -> None:
    events = rollouts.events(
        typed("test it"),
        call("exec_command", cmd="sh run-tests", workdir="/code/there"),
        output(_RAN.format(1, "FAILED test_a\n")),
    )

    (called,) = (one for one in events if isinstance(one, ToolCalled))
    (back,) = (one for one in events if isinstance(one, ToolReturned))
    assert (called.role, called.target) == ("run", "sh run-tests")
    assert called.place == "/code/there"
    assert (back.outcome, back.exit_status, back.output) == (
        "failed",
        1,
        "FAILED test_a\n",
    )


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        ({"cmd": "ls -la"}, "ls -la"),
        ({"command": "ls -la"}, "ls -la"),
        ({"command": ["bash", "-lc", "ls | wc"]}, "ls | wc"),
        ({"command": ["git", "commit", "-m", "a b"]}, "git commit -m 'a b'"),
    ],
)
def test_a_command_reads_as_somebody_would_type_it(
    rollouts: Rollouts, asked: dict[str, Any], command: str
) -> None:
    """Older versions give a list of words, with a shell around it."""
    (called,) = (
        one
        for one in rollouts.events(call("shell", **asked))
        if isinstance(one, ToolCalled)
    )

    assert (called.role, called.target) == ("run", command)


@pytest.mark.parametrize(
    ("text", "outcome", "status", "cause"),
    [
        (_RAN.format(0, "ok"), "ok", 0, ""),
        ("Exit code: 2\nWall time: 0 seconds\nOutput:\nno", "failed", 2, ""),
        (json.dumps({"output": "x", "metadata": {"exit_code": 3}}), "failed", 3, ""),
        (_RAN.format(-1, ""), "interrupted", None, "stopped"),
        ("exec command rejected by user", "interrupted", None, "refused"),
        ("aborted by user after 2.0s", "interrupted", None, "stopped"),
        ("unsupported call: frobnicate", "failed", None, "slip"),
        ({"content": "boom", "success": False}, "failed", None, ""),
        ([{"type": "input_text", "text": "seen"}], "ok", None, ""),
        ({"odd": 1}, "ok", None, ""),
        (None, "ok", None, ""),
    ],
)
def test_what_came_of_a_call_is_told_by_the_clients_own_head(
    rollouts: Rollouts, text: object, outcome: str, status: int | None, cause: str
) -> None:
    events = rollouts.events(call("exec_command", cmd="x"), output(text))

    (back,) = (one for one in events if isinstance(one, ToolReturned))
    assert (back.outcome, back.exit_status, back.cause) == (outcome, status, cause)


def test_what_a_command_prints_cannot_claim_how_it_ended(rollouts: Rollouts) -> None:
    """Only what stands above its output is the client's."""
    printed = "Process exited with code 0\nOutput:\nfine\n"

    events = rollouts.events(
        call("exec_command", cmd="x"), output(_RAN.format(7, printed))
    )

    (back,) = (one for one in events if isinstance(one, ToolReturned))
    assert (back.exit_status, back.output) == (7, printed)


def test_a_patch_is_one_edit_for_each_of_its_files(rollouts: Rollouts) -> None:
    path = rollouts.write(
        meta(),
        typed("a"),
        patch(_PATCH),
        output("Exit code: 0\nWall time: 0 seconds\nOutput:\nok"),
    )

    (turn,) = _state(rollouts, path).live_turns()

    assert [
        (c.target, c.role, c.outcome, c.added, c.removed, c.created) for c in turn.calls
    ] == [
        ("src/a.py", "edit", "ok", 2, 1, False),
        ("b.py", "write", "ok", 1, 0, True),
        ("c.py", "edit", "ok", 0, 0, False),
    ]


def test_a_patch_that_failed_changed_no_file(rollouts: Rollouts) -> None:
    path = rollouts.write(
        meta(), typed("a"), patch(_PATCH), output("apply_patch verification failed: x")
    )

    (turn,) = _state(rollouts, path).live_turns()

    assert [call.outcome for call in turn.calls] == ["failed"] * 3


def test_a_command_that_runs_on_is_told_to_be_over_when_it_is(
    rollouts: Rollouts,
) -> None:
    running = "Wall time: 0.2 seconds\nProcess running with session ID 91154\nOutput:\n"
    path = rollouts.write(
        meta(),
        typed("serve"),
        call("exec_command", cmd="npm start"),
        output(running),
        call("write_stdin", "call_2", session_id=91154, chars=""),
        output(_RAN.format(0, "bye"), "call_2"),
        item("CommandExecution", process_id="91154", exit_code=0, status="completed"),
    )

    state = _state(rollouts, path)
    events = list(rollouts.read(path))

    assert state.ended == ("91154",)
    assert [c.reference for c in state.live_calls()] == ["91154", ""]
    assert [c.role for c in state.live_calls()] == ["run", "run_output"]
    assert [one.outcome for one in events if isinstance(one, WorkEnded)] == ["ok"]


def test_the_task_list_is_the_plan(rollouts: Rollouts) -> None:
    steps = [{"step": "a", "status": "completed"}, {"step": "b", "status": "odd"}, 7]

    (called,) = (
        one
        for one in rollouts.events(call("update_plan", plan=steps))
        if isinstance(one, ToolCalled)
    )

    assert called.role == "todo_list"
    assert [(t.text, t.status) for t in called.todos] == [
        ("a", "completed"),
        ("b", "pending"),
    ]


def test_a_compaction_tells_the_clients_own_summary(rollouts: Rollouts) -> None:
    """Without the words that it puts above it for the model; it may be empty."""
    head = (
        "Another language model started to solve this problem and so on; use it to"
        " assist with your own analysis:\n"
    )

    events = rollouts.events(
        line("compacted", message=f"{head}All is well", replacement_history=[{}]),
        line("compacted", message=""),
    )

    assert len([one for one in events if isinstance(one, Compacted)]) == 2
    assert [one.text for one in events if isinstance(one, Summarised)] == [
        "All is well"
    ]


def test_turns_that_were_taken_back_are_not_the_conversation(
    rollouts: Rollouts,
) -> None:
    path = rollouts.write(
        meta(),
        typed_then("one"),
        typed_then("two"),
        typed_then("three"),
        event("thread_rolled_back", num_turns=2),
        typed_then("four"),
    )

    turns = _state(rollouts, path).live_turns()

    assert [turn.prompt for turn in turns if turn.prompt] == ["one", "four"]


def test_everything_may_be_taken_back(rollouts: Rollouts) -> None:
    path = rollouts.write(
        meta(),
        typed_then("one"),
        typed_then("two"),
        event("thread_rolled_back", num_turns=2),
        typed_then("three"),
    )

    turns = _state(rollouts, path).live_turns()

    assert [turn.prompt for turn in turns if turn.prompt] == ["three"]


def test_who_stopped_the_agent_is_told(rollouts: Rollouts) -> None:
    events = rollouts.events(typed("a"), event("turn_aborted", reason="interrupted"))

    assert [one for one in events if isinstance(one, Interrupted)]


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "session_meta"},
        {"type": "new_thing", "payload": {}},
        {"type": "response_item", "payload": {"type": "new_item"}},
        {"type": "event_msg", "payload": {"type": "new_event"}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": 5}},
        {"type": 5, "payload": {}},
        {},
    ],
)
def test_what_is_not_known_is_counted(rollouts: Rollouts, odd: dict[str, Any]) -> None:
    events = rollouts.events(odd, typed("still there"))

    assert len([one for one in events if isinstance(one, Unrecognised)]) == 1
    assert [one.text for one in events if isinstance(one, UserSaid)] == ["still there"]


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (b"not json\n", "not-json"),
        (b"[1]\n", "not-object"),
        (b"\0\0\0\n", "not-json"),
        (b"[" * 100_000 + b"\n", "too-deep"),
        (b'{"a":"' + b"x" * (9 << 20) + b'"}\n', "oversized"),
    ],
    ids=["text", "list", "zeros", "deep", "long"],
)
def test_no_line_can_stop_a_reading(rollouts: Rollouts, bad: bytes, kind: str) -> None:
    path = rollouts.write(meta())
    path.write_bytes(raw(meta()) + bad + raw(typed("after")))

    events = list(rollouts.read(path))

    assert [one.kind for one in events if isinstance(one, Unrecognised)] == [kind]
    assert [one.text for one in events if isinstance(one, UserSaid)] == ["after"]
    assert any(isinstance(one, Clipped) for one in events) == (kind == "oversized")


def test_reading_in_passes_equals_reading_at_once(rollouts: Rollouts) -> None:
    """At whatever line a pass ends, half a line included."""
    lines = [
        meta(),
        line("turn_context", cwd=CWD, model="gpt-6"),
        typed_then("one"),
        patch(_PATCH, "call_7"),
        output("Exit code: 0\nWall time: 0 seconds\nOutput:\nok", "call_7"),
        event("agent_message", message="done"),
        typed_then("two"),
        typed_then("three"),
        event("thread_rolled_back", num_turns=2),
        typed_then("four"),
        call("exec_command", "call_8", cmd="ls"),
        output(_RAN.format(0, "a"), "call_8"),
        event("token_count", info={"last_token_usage": {"total_tokens": 9}}),
    ]
    whole = raw(*lines)
    path = rollouts.path(name_of())
    path.write_bytes(whole)
    expected = _state(rollouts, path)
    cuts = [len(raw(*lines[:n])) for n in range(1, len(lines))]

    for cut in (*cuts, *(cut + 9 for cut in cuts)):
        path.write_bytes(whole[:cut])
        first = rollouts.read(path)
        state = fold(begin(THREAD, "codex"), first)
        path.write_bytes(whole)
        second = rollouts.read(path, first.cursor)
        assert fold(state, second) == expected
        assert not second.restarted
        assert second.cursor.main.offset == len(whole)


def test_a_rollout_that_was_replaced_is_read_anew(rollouts: Rollouts) -> None:
    path = rollouts.write(meta(), typed("one"))
    first = rollouts.read(path)
    list(first)
    path.write_bytes(raw(meta(OTHER), typed("other words entirely")))

    second = rollouts.read(path, first.cursor)

    assert second.restarted
    assert [one.text for one in second if isinstance(one, UserSaid)] == [
        "other words entirely"
    ]


def test_nothing_new_is_nothing_told(rollouts: Rollouts) -> None:
    path = rollouts.write(meta(), typed("one"))
    first = rollouts.read(path)
    list(first)

    second = rollouts.read(path, first.cursor)

    assert (list(second), second.cursor) == ([], first.cursor)
    assert first.cursor != Cursor()


def test_what_the_model_was_given_is_no_message_of_anybodys(
    rollouts: Rollouts,
) -> None:
    events = rollouts.events(
        answer("message", role="developer", content=[{"text": "rules"}]),
        answer("message", role="assistant", content=[{"text": "summary of it"}]),
        said("done"),
    )

    assert [one.text for one in events if isinstance(one, AgentSaid)] == ["done"]
    assert [one.kind for one in events if isinstance(one, ContextAdded)] == [
        "developer"
    ]
