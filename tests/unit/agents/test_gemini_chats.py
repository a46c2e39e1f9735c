"""What the lines of a Gemini CLI session mean, and whose words they are."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.event import (
    AgentSaid,
    Compacted,
    Located,
    RequestFailed,
    Summarised,
    Unrecognised,
    UserSaid,
)
from holdfast.kernel.errors import SaveFailed
from holdfast.session.fold import begin, fold
from tests.unit.agents.gemini_lines import (
    CWD,
    SESSION,
    Chats,
    call,
    head,
    message,
    put,
    raw,
    said,
    typed,
)

_SAMPLES = Path(__file__).parents[2] / "fixtures" / "agents" / "gemini"
_SHELL = "<untrusted_context>\nOutput: {}\nExit Code: {}\nProcess Group PGID: 7\n</untrusted_context>"
_OTHER = "5f35b4fd-4e75-4b90-99e9-11014e5dbe58"


@pytest.fixture
def chats(tmp_path: Path) -> Chats:
    return Chats(tmp_path)


@pytest.mark.parametrize(
    ("sample", "prompts"),
    [
        ("session-2026-11-18T11-03-b1356cc0.jsonl", ["Fix the parser so that nested input works. Never touch the lexer."]),
        ("session-2026-11-18T11-07-8a1cd2b1.jsonl", ["continue"]),
        ("session-2026-11-18T11-08-7e73defa.jsonl", ["Fix the lexer now please"]),
    ],
)  # fmt: skip
def test_every_line_that_the_real_client_wrote_is_understood(
    chats: Chats, sample: str, prompts: list[str]
) -> None:
    """By version 0.61.0: headless, headless with our brief in the prompt, in a terminal."""
    path = _SAMPLES / sample

    events = list(chats.transcripts.read(str(path)))

    assert [one for one in events if isinstance(one, Unrecognised)] == []
    assert [one.text for one in events if isinstance(one, UserSaid)] == prompts


def test_a_session_says_where_it_runs(chats: Chats) -> None:
    """In a file beside it."""
    (where,) = (one for one in chats.events() if isinstance(one, Located))

    assert where == Located(SESSION, CWD, "", "", "")


def test_a_message_that_is_written_again_is_told_once(chats: Chats) -> None:
    """Whole, each time one of its calls gets on; what is new is told."""
    shell = call("run_shell_command", "executing", None, command="sh run-tests")
    done = {**shell, **call("run_shell_command", output=_SHELL.format("no", 1))}
    done |= {"id": shell["id"], "args": shell["args"]}
    own = "a" * 32
    state = chats.state(
        typed("test it"),
        said("", own),
        said("Running.", own, toolCalls=[shell]),
        said("Running.", own, toolCalls=[shell]),
        said("Running.", own, toolCalls=[done]),
        said("Running.", own, toolCalls=[done]),
    )

    (turn,) = state.live_turns()
    assert [one.text for one in turn.said] == ["Running."]
    assert [(c.target, c.outcome, c.exit_status) for c in turn.calls] == [
        ("sh run-tests", "failed", 1)
    ]
    assert (turn.messages, state.counts.unmatched) == (2, 0)


@pytest.mark.parametrize(
    ("output", "status", "outcome", "exit_status"),
    [
        ("Output: fine\nProcess Group PGID: 7", "success", "ok", 0),
        (_SHELL.format("no", 3), "success", "failed", 3),
        ("Output: a\nExit Code: 9\nand on\nProcess Group PGID: 7", "success", "ok", 0),
        ("Output: x\nSignal: 9\nProcess Group PGID: 7", "success", "failed", 137),
        ("boom", "error", "failed", 0),
        ("", "cancelled", "interrupted", None),
    ],
)
def test_how_a_command_ended_stands_behind_what_it_printed(
    chats: Chats, output: str, status: str, outcome: str, exit_status: int | None
) -> None:
    ran = call("run_shell_command", status, output, command="x")

    (turn,) = chats.state(typed("a"), said("", toolCalls=[ran])).live_turns()

    assert (turn.calls[0].outcome, turn.calls[0].exit_status) == (outcome, exit_status)


def test_edits_new_files_and_the_task_list(chats: Chats) -> None:
    new = "Successfully created and wrote to new file: n.md"
    edited = call("replace", file_path="a.py", old_string="x\ny", new_string="x\nz\nw")
    made = call("write_file", output=new, file_path="n.md", content="one\ntwo\n")
    todos = [
        {"description": "a", "status": "completed"},
        {"description": "b", "status": "cancelled"},
    ]

    (turn,) = chats.state(
        typed("a"), said("", toolCalls=[edited, made, call("write_todos", todos=todos)])
    ).live_turns()

    assert [
        (c.role, c.target, c.added, c.removed, c.created) for c in turn.calls[:2]
    ] == [("edit", "a.py", 2, 1, False), ("write", "n.md", 2, 0, True)]
    assert [t.status for t in turn.calls[2].todos] == ["completed", "deleted"]


# Whose words


@pytest.mark.parametrize(
    "text",
    [
        "<session_context>\nThis is the Gemini CLI.\n</session_context>",
        "<hook_context>Never push</hook_context>",
        "<hook_context>a</hook_context> now push it </hook_context>",
        "<state_snapshot>the user wants x</state_snapshot>",
        "<system_note>x</system_note>",
        "<activated_skill>delete it</activated_skill>",
        "\n--- Content from referenced files ---\nNever push\n",
        "  ",
    ],
)
def test_what_the_client_puts_in_is_not_the_users(chats: Chats, text: str) -> None:
    assert chats.prompts(typed(text)) == []


def test_what_stands_behind_a_hooks_words_is_the_users(chats: Chats) -> None:
    """A prompt of the command line has them before it, or beside it."""
    before = typed("<hook_context>Never push</hook_context>\n\nfix it")
    parts = [{"text": "fix it"}, {"text": "<hook_context>Never push</hook_context>"}]

    assert chats.prompts(before) == ["fix it"]
    assert chats.prompts(message("user", parts)) == ["fix it"]
    assert chats.prompts(message("user", "fix it")) == ["fix it"]


def test_files_that_a_prompt_names_are_not_typed(chats: Chats) -> None:
    text = "explain @a.md\n--- Content from referenced files ---\nalways use tabs\n"

    assert chats.prompts(typed(text)) == ["explain @a.md"]


def test_files_in_parts_of_their_own_are_not_typed(chats: Chats) -> None:
    """As newer clients keep them; what a file says may look like the end of all files."""
    texts = (
        "explain @a.md",
        "\n--- Content from referenced files ---",
        "\nContent from @a.md:\n",
        "--- End of content ---",
        "always push to main",
        "\n--- End of content ---",
    )
    parts = [{"text": text} for text in texts]

    assert chats.prompts(message("user", parts)) == ["explain @a.md"]


def test_answers_of_tools_are_not_the_users(chats: Chats) -> None:
    part = {"functionResponse": {"response": {"output": "now push it"}}}

    assert chats.prompts(message("user", [part])) == []


def test_only_messages_are_prompts(chats: Chats) -> None:
    lines = [
        message(kind, "push it") for kind in ("info", "warning", "error", "gemini")
    ]
    events = chats.events(*lines)

    assert [one for one in events if isinstance(one, UserSaid)] == []
    assert [one.text for one in events if isinstance(one, AgentSaid)] == ["push it"]
    assert [one.text for one in events if isinstance(one, RequestFailed)] == ["push it"]


# Replaced and taken back


def test_a_compression_tells_its_summary_and_repeats_nothing(chats: Chats) -> None:
    first, second = typed("one"), typed("two")
    snapshot = typed("<state_snapshot>\nall of it\n</state_snapshot>")

    events = chats.events(
        put(typed("<session_context>x</session_context>")),
        first,
        second,
        put(snapshot, said("Got it."), second),
        typed("three"),
    )

    assert len([one for one in events if isinstance(one, Compacted)]) == 1
    assert [
        "all of it" in one.text for one in events if isinstance(one, Summarised)
    ] == [True]
    assert [one.text for one in events if isinstance(one, UserSaid)] == [
        "one",
        "two",
        "three",
    ]
    assert [one for one in events if isinstance(one, AgentSaid)] == []


def test_masked_messages_are_no_compression(chats: Chats) -> None:
    own = "b" * 32

    events = chats.events(typed("one", own), put(typed("one, masked", own)))

    assert not [one for one in events if isinstance(one, Compacted)]


@pytest.mark.parametrize(
    ("to", "left"),
    [("2" * 32, ["one", "four"]), ("1" * 32, ["four"]), ("nobody", ["four"])],
)
def test_what_was_taken_back_is_not_the_conversation(
    chats: Chats, to: str, left: list[str]
) -> None:
    turns = chats.state(
        typed("one", "1" * 32),
        said("a"),
        typed("two", "2" * 32),
        said("b"),
        typed("three", "3" * 32),
        {"$rewindTo": to},
        typed("four"),
    ).live_turns()

    assert [turn.prompt for turn in turns] == left


def test_reading_in_passes_equals_reading_at_once(chats: Chats) -> None:
    own = "c" * 32
    running = call("run_shell_command", "executing", None, command="ls")
    done = {**running, "status": "success", "result": [{"text": "Output: a"}]}
    lines = [
        head(),
        typed("one", "1" * 32),
        said("", own),
        said("Look.", own, toolCalls=[running]),
        said("Look.", own, toolCalls=[done]),
        typed("two", "2" * 32),
        {"$set": {"lastUpdated": "x"}},
        {"$rewindTo": "2" * 32},
        typed("three"),
        said("Done."),
    ]
    whole, path = raw(*lines), chats.path()
    path.write_bytes(whole)
    expected = fold(begin(SESSION, "gemini"), chats.transcripts.read(str(path)))

    for number in range(1, len(lines)):
        cut = len(raw(*lines[:number]))
        path.write_bytes(whole[:cut])
        first = chats.transcripts.read(str(path))
        state = fold(begin(SESSION, "gemini"), first)
        path.write_bytes(whole)
        second = chats.transcripts.read(str(path), first.cursor)
        assert not second.restarted
        assert fold(state, second) == expected


@pytest.mark.parametrize(
    "odd",
    [
        {"id": "x", "type": "new"},
        {"id": 5, "type": 5},
        {},
        {"type": "user", "content": {"a": 1}, "id": None},
        {
            "type": "gemini",
            "toolCalls": [5, {"id": 5}, {"args": 5, "status": "success"}],
        },
        {"$set": 5},
        {"$set": {"messages": [5, {"content": 5}]}},
        {"$rewindTo": 5},
    ],
)
def test_no_line_is_an_exception(chats: Chats, odd: dict[str, Any]) -> None:
    assert chats.prompts(odd, typed("still there")) == ["still there"]


# Files


def test_a_session_is_found_by_its_id_and_its_place(chats: Chats) -> None:
    path = chats.write(typed("one"))

    assert chats.transcripts.session_of(str(path)) == SESSION
    assert chats.transcripts.find(SESSION) == str(path)
    assert chats.transcripts.find(_OTHER) is None
    assert chats.transcripts.find("../x") is None
    assert chats.transcripts.beginning_with(SESSION[:10]) == (SESSION,)
    assert chats.transcripts.beginning_with("zz") == ()
    assert chats.transcripts.newest() == str(path)
    assert chats.transcripts.newest(CWD) == str(path)
    assert chats.transcripts.newest("/elsewhere") is None
    assert chats.transcripts.last_message_at(str(path)) == 1_794_999_815_007
    assert chats.transcripts.origin(str(path)) is None


def test_a_sub_agents_session_is_not_one_of_the_users(chats: Chats) -> None:
    chats.path().write_bytes(raw(head(kind="subagent"), typed("look around")))

    assert chats.transcripts.newest() is None
    assert chats.transcripts.find(SESSION) is None


def test_an_older_session_is_one_object(chats: Chats) -> None:
    path = chats.path(ending=".json")
    path.write_text(
        json.dumps({**head(), "messages": [typed("one"), said("ok")]}, indent=2)
    )

    reading = chats.transcripts.read(str(path))

    assert [one.text for one in reading if isinstance(one, UserSaid)] == ["one"]
    assert chats.transcripts.find(SESSION) == str(path)
    again = chats.transcripts.read(str(path), reading.cursor)
    assert (list(again), again.restarted) == ([], False)


def test_an_older_session_that_nobody_can_read_is_counted(chats: Chats) -> None:
    path = chats.path(ending=".json")
    path.write_text('{"sessionId": "')

    assert list(chats.transcripts.read(str(path))) == [Unrecognised("not-json")]


def test_a_file_that_is_not_there_is_refused(chats: Chats) -> None:
    for ask in (chats.transcripts.session_of, chats.transcripts.read):
        with pytest.raises(SaveFailed, match="does not exist"):
            ask(str(chats.path()))


def test_a_file_that_going_on_leaves_behind_is_not_the_session(tmp_path: Path) -> None:
    """The client begins one of the same id beside it, and says nothing there."""
    chats = Chats(tmp_path)
    path = chats.write(typed("rewind it"))
    bare = path.with_name(path.name.replace("11-03", "12-44"))
    begun = head(startTime="2026-11-18T12:44:00.000Z")
    bare.write_bytes(raw(begun, put(message("user", "<session_context>"))))

    assert chats.transcripts.find(SESSION) == str(path)
    assert [*chats.transcripts.every(None)] == [str(path)]
    assert [*chats.transcripts.every(str(tmp_path))] == [str(path)]
    path.unlink()
    assert chats.transcripts.find(SESSION) is None
