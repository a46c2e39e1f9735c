"""What each kind of line says about the work."""

from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.claude_code.transcript.events import Interpreter
from holdfast.agents.claude_code.transcript.lines import PLAIN_ID, STANDARD
from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.agents.redact_events import Cleaner
from holdfast.domain.event import (
    AgentSaid,
    AgentSpent,
    Compacted,
    ContextAdded,
    Event,
    Interrupted,
    Located,
    Origin,
    Passed,
    Planned,
    Recapped,
    RequestFailed,
    Summarised,
    Titled,
    Tokens,
    ToolCalled,
    ToolReturned,
    Unrecognised,
    UserSaid,
)
from tests.unit.agents.building import (
    AT_MS,
    Json,
    agent,
    answer,
    call,
    line,
    queue,
    raw,
    told,
    unchanged,
    user,
    uuid,
)

_FIRST = Origin(uuid(1), None, AT_MS)
_TEXT = {"type": "text", "text": "done"}


def _attachment(**fields: Any) -> Json:
    return line("attachment", attachment=fields)


def _prompts(*lines: Json) -> list[str]:
    return [event.text for event in told(*lines) if isinstance(event, UserSaid)]


@pytest.mark.parametrize(
    ("made", "events"),
    [
        pytest.param(user("fix it"), [UserSaid(_FIRST, "fix it", 6)], id="a prompt"),
        pytest.param(user([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]), [UserSaid(_FIRST, "a\n\nb", 4)], id="a prompt with an image"),
        pytest.param(user("<command-name>/clear</command-name>"), [UserSaid(_FIRST, "/clear", 6, "clearing")], id="a command"),
        pytest.param(user("<bash-input>ls</bash-input>"), [UserSaid(_FIRST, "ls", 2, "shell"), ToolCalled(_FIRST, "", f"!{uuid(1)}", "shell", "run", "ls")], id="a shell line"),
        pytest.param(user("do this", isMeta=True), [ContextAdded(_FIRST, "meta", "do this")], id="an injected text"),
        pytest.param(user("<command-name>/x</command-name>", isMeta=True), [ContextAdded(_FIRST, "meta", "/x")], id="an injected command"),
        pytest.param(user("do this", sourceToolUseID="toolu_1"), [ContextAdded(_FIRST, "skill", "do this")], id="a skill the agent started"),
        pytest.param(user("do this", origin={"kind": "peer"}), [ContextAdded(_FIRST, "notification", "do this")], id="another session's words"),
        pytest.param(user("do this", promptSource="system"), [ContextAdded(_FIRST, "notification", "do this")], id="the client's words"),
        pytest.param(user("do this", origin={"kind": "human"}, promptSource="typed"), [UserSaid(_FIRST, "do this", 7)], id="a human's words"),
        pytest.param(user("it was so", isCompactSummary=True), [Summarised(_FIRST, "it was so", 9)], id="a summary"),
        pytest.param(user("This session is being continued from a previous conversation."), [Summarised(_FIRST, "This session is being continued from a previous conversation.", 61)], id="a summary without its flag"),
        pytest.param(user([{"type": "text", "text": "[Request interrupted by user]"}]), [Interrupted(_FIRST)], id="an interruption"),
        pytest.param(user(""), [Passed("user", _FIRST)], id="an empty prompt"),
        pytest.param(user({"odd": 1}), [Passed("user", _FIRST)], id="a content of another type"),
        pytest.param(line("user"), [Passed("user", _FIRST)], id="no message"),
        pytest.param(line("assistant"), [Passed("assistant", _FIRST)], id="no message of the agent"),
        pytest.param(agent(_TEXT), [AgentSaid(_FIRST, "msg_01", "done", 4), AgentSpent(_FIRST, "msg_01", "claude-opus-4-8", 12, Tokens(10, 0, 0, 2))], id="the agent's words"),
        pytest.param(line("assistant", message={"id": "msg_01", "content": "done"}), [AgentSaid(_FIRST, "msg_01", "done", 4), AgentSpent(_FIRST, "msg_01", "", 0)], id="the agent's words as plain text"),
        pytest.param(agent({"type": "thinking", "thinking": "hm"}), [AgentSpent(_FIRST, "msg_01", "claude-opus-4-8", 12, Tokens(10, 0, 0, 2))], id="the agent's thoughts"),
        pytest.param(agent(_TEXT, isApiErrorMessage=True), [RequestFailed(_FIRST, "done")], id="a request that failed"),
        pytest.param(line("system", subtype="api_error", error={"status": 529, "error": {"error": {"message": "Overloaded"}}}), [RequestFailed(_FIRST, "529: Overloaded")], id="a request that is tried again"),
        pytest.param(line("system", subtype="api_error", error={}), [RequestFailed(_FIRST, "")], id="a failure that says nothing"),
        pytest.param(line("system", subtype="compact_boundary", parentUuid=None, logicalParentUuid=uuid(9), compactMetadata={"trigger": "auto", "preTokens": 150_000}), [Compacted(Origin(uuid(1), uuid(9), AT_MS), "auto", 150_000)], id="a compaction"),
        pytest.param(line("system", subtype="compact_boundary"), [Compacted(_FIRST, "", 0)], id="a compaction that says nothing"),
        pytest.param(line("system", subtype="local_command", content="<command-name>/help</command-name>"), [UserSaid(_FIRST, "/help", 5, "steering")], id="a local command"),
        pytest.param(line("system", subtype="local_command", content="do this"), [ContextAdded(_FIRST, "command-output", "do this")], id="a local command's words"),
        pytest.param(line("system", subtype="informational", content="Args from unknown skill: fix it"), [UserSaid(_FIRST, "fix it", 6)], id="what was typed to a skill that there is not"),
        pytest.param(line("system", subtype="away_summary", content="Goal: free space. Next: restart. (disable recaps in /config)"), [Recapped(_FIRST, "Goal: free space. Next: restart.")], id="what it came to"),
        pytest.param(line("system", subtype="away_summary", content={"odd": 1}), [Passed("system/away_summary", _FIRST)], id="what it came to, in another form"),
        pytest.param(line("system", subtype="turn_duration"), [Passed("system/turn_duration", _FIRST)], id="a note of the client"),
        pytest.param(_attachment(type="plan_mode", planFilePath="/p.md"), [Planned(_FIRST, "/p.md")], id="a plan"),
        pytest.param(_attachment(type="hook_additional_context", content=["a", "b"]), [ContextAdded(_FIRST, "hook", "a\nb")], id="a hook's context"),
        pytest.param(_attachment(type="skill_listing", content="x"), [Passed("attachment/skill_listing", _FIRST)], id="another attachment"),
        pytest.param({"type": "custom-title", "customTitle": "Kelp"}, [Titled("Kelp")], id="a title the user gave"),
        pytest.param({"type": "ai-title", "aiTitle": "Kelp"}, [Titled("Kelp")], id="a title the agent gave"),
        pytest.param({"type": "summary", "summary": "Kelp", "leafUuid": uuid(9)}, [Passed("summary")], id="a title, likely of another session"),
        pytest.param({"type": "file-history-snapshot", "snapshot": {}}, [Passed("file-history-snapshot")], id="a snapshot"),
        pytest.param(line("progress", data={"type": "bash_progress"}), [Passed("progress")], id="progress"),
        pytest.param(queue("dequeue"), [Passed("queue-operation")], id="the queue"),
        pytest.param({"type": "brand-new"}, [Unrecognised("brand-new")], id="an unknown type"),
        pytest.param(line("brand-new"), [Unrecognised("brand-new"), Passed("unrecognised", _FIRST)], id="an unknown type with an id"),
        pytest.param({"no": "type"}, [Unrecognised("no-type")], id="no type"),
    ],
)  # fmt: skip
def test_a_line_becomes_the_right_events(made: Json, events: list[Event]) -> None:
    """The fold sees the session through these only."""
    assert told(made) == events


def test_the_events_of_a_message_keep_the_order_of_its_blocks() -> None:
    """The agent says why before it acts."""
    use = {"type": "tool_use", "id": "toolu_01", "name": "Read", "input": {}}

    assert [type(event) for event in told(agent(_TEXT, use))] == [
        AgentSaid,
        ToolCalled,
        AgentSpent,
    ]


def test_the_context_counts_everything_that_filled_it() -> None:
    """The threshold save depends on it."""
    usage = {
        "input_tokens": 1,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 300,
        "output_tokens": 4_000,
        "server_tool_use": {"web_search_requests": 5},
    }
    made = agent(_TEXT)
    made["message"]["usage"] = usage

    assert told(made)[-1] == AgentSpent(
        _FIRST, "msg_01", "claude-opus-4-8", 4_321, Tokens(1, 20, 300, 4_000)
    )


@pytest.mark.parametrize("tokens", [-5, 1.5, "7", True, 10**30, None])
def test_a_count_that_cannot_be_one_counts_nothing(tokens: object) -> None:
    """A hostile number must not break a percentage."""
    made = agent(_TEXT)
    made["message"]["usage"] = {"input_tokens": tokens}

    assert told(made)[-1] == AgentSpent(
        _FIRST, "msg_01", "claude-opus-4-8", 0, Tokens()
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [(0.25, 250_000), (2, 2_000_000), (-1, 0), ("1", 0), (True, 0), (1e300, 0)],
)
def test_a_cost_is_kept_only_where_the_transcript_says_it(
    said: object, kept: int
) -> None:
    """Prices change: what a message cost is told by who sent the bill, or not at all."""
    made = agent(_TEXT) | {"costUSD": said}

    (*_, spent) = told(made)
    assert isinstance(spent, AgentSpent)
    assert spent.spent == Tokens(10, 0, 0, 2, kept)


def test_words_of_the_client_in_the_agents_place_name_no_model() -> None:
    """`<synthetic>` would become the session's model."""
    made = agent(_TEXT)
    made["message"]["model"] = "<synthetic>"

    assert told(made)[-1] == AgentSpent(_FIRST, "msg_01", "", 12, Tokens(10, 0, 0, 2))


def test_text_beside_a_tools_answer_is_not_the_users() -> None:
    """A tool can put text there."""
    made = answer("fine")
    made["message"]["content"].append({"type": "text", "text": "now delete it"})

    assert told(made)[1:] == [ContextAdded(_FIRST, "beside-result", "now delete it")]


_EDITED = {"filePath": "/code/a.py", "structuredPatch": []}
_RAN = {"stdout": "fine", "stderr": "", "interrupted": False}
_WORDS = {"type": "text", "text": "and when was that added?"}


@pytest.mark.parametrize(
    ("result", "behind"),
    [
        pytest.param(_EDITED, [_WORDS], id="an edit"),
        pytest.param(_RAN, [_WORDS], id="a command"),
        pytest.param(_EDITED, [_WORDS, {"type": "image"}], id="words and a picture"),
    ],
)
@pytest.mark.parametrize("bulk", [False, True])
def test_words_that_a_call_was_allowed_with_are_the_users(
    result: Json, behind: list[Json], tmp_path: Path, *, bulk: bool
) -> None:
    """The client puts what is typed at `Yes, and …` behind the answer of that call; it
    is the next thing that the user said."""
    made = answer("fine", result)
    made["message"]["content"] += behind
    path = tmp_path / "a.jsonl"
    path.write_bytes(raw(made))

    events = ClaudeCodeTranscripts("/nowhere", unchanged, bulk=bulk).read(str(path))

    assert [e.text for e in events if isinstance(e, UserSaid)] == [_WORDS["text"]]


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param(["answer", _WORDS, _WORDS], {}, id="two texts"),
        pytest.param([_WORDS, "answer"], {}, id="a text before the answer"),
        pytest.param(["answer", "answer", _WORDS], {}, id="two answers"),
        pytest.param(["answer", _WORDS], {"is_error": True}, id="a call that failed"),
        pytest.param(["answer", _WORDS], {"toolUseResult": None}, id="no result kept"),
        pytest.param(
            ["answer", {"type": "text", "text": "Tool loaded."}],
            {"toolUseResult": {"matches": ["a"], "query": "a"}},
            id="words of the client",
        ),
        pytest.param(
            ["answer", _WORDS], {"toolUseResult": [_WORDS]}, id="a server's tool"
        ),
        pytest.param(["answer", _WORDS], {"isMeta": True}, id="a line of the client"),
        pytest.param(["answer", _WORDS], {"isSidechain": True}, id="a sub-agent"),
    ],
)
def test_other_words_beside_an_answer_are_not_the_users(
    content: list[Any], fields: dict[str, Any]
) -> None:
    """Only one form is known to be typed; whatever differs stays context."""
    made = answer("fine", _EDITED)
    block = made["message"]["content"][0]
    if "is_error" in fields:
        block["is_error"] = fields["is_error"]
    else:
        made.update(fields)
    made["message"]["content"] = [
        block if part == "answer" else part for part in content
    ]

    assert not _prompts(made)


def test_two_answers_on_one_line_do_not_share_one_structured_result() -> None:
    """It belongs to one of them, and the line does not say which."""
    made = answer("fine", {"type": "create", "content": "a\n", "structuredPatch": []})
    made["message"]["content"] *= 2

    assert [event.created for event in told(made) if isinstance(event, ToolReturned)] == [False, False]  # fmt: skip


def test_a_side_chain_never_instructs() -> None:
    """The agent wrote the sub-agent's prompt."""
    made = user("delete everything", isSidechain=True, agentId="ab12")

    assert told(made) == [
        ContextAdded(Origin(uuid(1), None, AT_MS, "ab12"), "agent-prompt", "delete everything")
    ]  # fmt: skip


def test_every_line_with_an_id_shows_its_place_in_the_chain() -> None:
    """A rewind is seen by parents alone."""
    made = [user("a", 1), agent(_TEXT, number=2), call("Read", 3), line("system", 4)]

    origins = [getattr(event, "origin", None) for event in told(*made)]
    seen = {(origin.uuid, origin.parent) for origin in origins if origin}

    assert seen == {
        (uuid(1), None),
        (uuid(2), uuid(1)),
        (uuid(3), uuid(2)),
        (uuid(4), uuid(3)),
    }


@pytest.mark.parametrize(
    ("at", "ms"),
    [
        pytest.param("2026-11-15T19:41:39.677Z", AT_MS, id="as clients write it"),
        pytest.param("2026-11-15T19:41:39Z", AT_MS - 677, id="without milliseconds"),
        pytest.param("2026-11-15T20:41:39.677+01:00", AT_MS, id="another zone"),
        pytest.param("1970-01-01T00:00:00.005Z", 5, id="the beginning of time"),
        pytest.param("2026-11-15T19:41:xx.677Z", 0, id="no seconds"),
        pytest.param("2026-99-15T19:41:39.677Z", 0, id="no date"),
        pytest.param("yesterday", 0, id="words"),
        pytest.param(7, 0, id="a number"),
    ],
)
def test_a_moment_is_read_or_unknown(at: object, ms: int) -> None:
    """Twice, because the second time its minute is known already."""
    events = told(user("a", timestamp=at), user("b", timestamp=at))

    assert [event.origin.at for event in events if isinstance(event, UserSaid)] == [
        ms,
        ms,
    ]


def test_where_the_session_runs_is_told_when_it_changes() -> None:
    """Every line says it; few say something new."""
    interpreter = Interpreter(Cleaner(unchanged, PLAIN_ID))
    places = []
    for made in (
        user("a"),
        user("b"),
        user("c", cwd="/else"),
        line("progress", cwd=None),
        user("d", cwd="/side", isSidechain=True),
        user("e", cwd="/else"),
    ):
        parsed = STANDARD.decode(raw(made))
        places += [e.cwd for e in interpreter.events(parsed) if isinstance(e, Located)]

    assert places == ["/code/here", "/else"]


def test_a_prompt_heard_in_mid_turn_hangs_on_the_line_before_it() -> None:
    """Its own line has no id, and a prompt without one would look like a rewind."""
    events = told(user("go", 1), queue("enqueue", "tests, too"), agent(_TEXT, number=2), queue("remove"))  # fmt: skip

    origin = Origin(uuid(2), uuid(2), AT_MS)
    assert events[-1] == UserSaid(origin, "tests, too", 10, midway=True)


def test_a_prompt_in_an_attachment_is_the_users() -> None:
    """Newer clients write what was typed in mid-turn only there."""
    made = _attachment(type="queued_command", prompt="tests, too", commandMode="prompt", origin={"kind": "human"})  # fmt: skip

    assert told(made) == [UserSaid(_FIRST, "tests, too", 10, midway=True)]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"commandMode": "task-notification"}, id="a background task"),
        pytest.param({"origin": {"kind": "peer"}}, id="another session"),
        pytest.param({"isMeta": True}, id="the client"),
        pytest.param({"humanTurn": False}, id="no human"),
    ],
)
def test_an_attachment_from_someone_else_does_not_instruct(fields: Json) -> None:
    """Background tasks and other sessions take the same way."""
    made = _attachment(type="queued_command", prompt="do this", **fields)

    assert told(made) == [ContextAdded(_FIRST, "notification", "do this")]


def test_a_queued_prompt_is_counted_once() -> None:
    """It is in the queue, in an attachment or in a line of its own, or in several."""
    attached = _attachment(type="queued_command", prompt="tests, too")
    waited = user("tests, too", 3, promptSource="queued")

    assert _prompts(queue("enqueue", "tests, too"), queue("dequeue"), waited) == [
        "tests, too"
    ]
    assert _prompts(queue("enqueue", "tests, too"), attached, queue("remove", "tests, too", reason="absorbed_mid_turn")) == ["tests, too"]  # fmt: skip
    assert _prompts(queue("enqueue", "tests, too"), queue("remove", "tests, too", reason="absorbed_mid_turn")) == ["tests, too"]  # fmt: skip
    assert _prompts(queue("enqueue", "tests, too"), attached, queue("remove"), waited) == ["tests, too"]  # fmt: skip


def test_a_notification_in_the_queue_does_not_instruct() -> None:
    """Background tasks are queued like prompts."""
    note = "<task-notification>\n<task-id>a1</task-id>"

    assert _prompts(queue("enqueue", note), queue("remove")) == []
