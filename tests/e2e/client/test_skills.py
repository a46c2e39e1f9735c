"""Each skill in the real client, under its default permissions: nobody is asked.

The scripted model does what the skill's text tells it to.
"""

import re
from pathlib import Path

import pytest

from tests.e2e.client.stub import call, say
from tests.e2e.client.world import World

_SKILLS = Path(__file__).parents[3] / "plugin" / "skills"
_SAVE = """\
holdfast save --notes - <<'NOTES'
"title": "API design",
"summary": "It's agreed that tokens rotate on use; the price stays $5.",
"topics": ["api", "tokens"],
"decisions": ["rotate refresh tokens, because a stolen one must die"],
"dead_ends": ["SELECT FOR UPDATE: `deadlock detected`"],
"next_steps": ["write rotate() in parser.py", "ทดสอบ", "시험"],
"tags": ["design"]
NOTES"""


def test_checkpoint_stores_notes_beside_the_facts(world: World) -> None:
    """C1, C4: the agent writes what was meant, the engine what was done."""
    world.stub.will(
        call("Write", file_path=str(world.project / "api.py"), content="tokens = 1\n"),
        say("written"),
        call("Bash", command=_SAVE),
        say("saved"),
    )

    with world.talk() as client:
        client.ask("Design the token API. Never use sleep in tests.")
        turn = client.ask('/holdfast:checkpoint --title "API design"')
        client.leave()

    assert "· 00001 ·" in _answer_to_model(world)
    assert turn.result == "saved"
    saved = world.checkpoints[0]
    content = saved["content"]
    assert content["title"] == "API design"
    assert "price stays $5" in content["summary"]
    assert "rotate refresh tokens" in _texts(content["decisions"])
    assert "deadlock detected" in _texts(content["dead_ends"])
    assert "ทดสอบ" in _texts(content["next_steps"])
    assert "Never use sleep in tests" in _texts(content["instructions"])
    assert [f["path"].rpartition("/")[2] for f in content["files_referenced"]] == [
        "api.py"
    ]
    assert saved["type"] == "manual"
    assert "design" in saved["tags"]


def test_the_skill_tells_the_model_what_the_user_gave(world: World) -> None:
    """Arguments reach the model as text, however they are quoted."""
    with world.talk() as client:
        client.ask('/holdfast:checkpoint --title "it\'s $HOME; `x`" --tags a,b')
        client.leave()

    assert 'asked for: --title "it\'s $HOME; `x`" --tags a,b' in _told(world)


def test_resume_gives_the_brief_and_frees_the_name(world: World) -> None:
    """E1: a consumed name may be taken again without asking."""
    world.stub.will(
        call("Bash", command=_SAVE.replace("save", "save --name api-design", 1)),
        say("saved"),
        call("Bash", command="holdfast resume --consume api-design"),
        say("It stands so and so."),
    )

    with world.talk() as client:
        client.ask("/holdfast:checkpoint --name api-design")
        turn = client.ask("/holdfast:resume api-design")
        client.leave()

    brief = _answer_to_model(world)
    assert "# Resuming CHECKPOINT-00001" in brief
    assert "rotate refresh tokens" in brief
    assert turn.result == "It stands so and so."


def test_a_name_outlives_a_clear_and_its_file_goes_when_it_is_taken_up(
    world: World,
) -> None:
    """F5: saved by name, cleared, resumed by name; then only the store has it."""
    world.stub.will(
        call("Bash", command=_SAVE.replace("save", "save --name api-design", 1)),
        say("saved"),
        call("Bash", command="holdfast resume --consume api-design"),
        say("It stands so and so."),
    )

    with world.talk() as client:
        client.ask("/holdfast:checkpoint --name api-design")
        [file] = world.home.glob("**/checkpoint-api-design.md")
        index = file.with_name("MEMORY.md")
        listed = index.read_text(encoding="utf-8")
        client.ask("/clear")
        client.ask("/holdfast:resume api-design")
        client.leave()

    assert "api-design" in listed
    assert "# Resuming CHECKPOINT-00001" in _answer_to_model(world)
    assert not file.exists()
    assert not index.exists() or "api-design" not in index.read_text(encoding="utf-8")
    assert world.answer("show", "api-design")["id"]


@pytest.mark.parametrize("skill", ["handoff", "session-start"])
def test_the_skills_of_the_handoff_answer(world: World, skill: str) -> None:
    """F6: both run the one command they name, without a question to the user."""
    commands = {
        "handoff": "holdfast handoff write",
        "session-start": "holdfast handoff show",
    }
    world.holdfast("handoff", "write")
    world.stub.will(call("Bash", command=commands[skill]), say("done"))

    with world.talk() as client:
        turn = client.ask(f"/holdfast:{skill}")
        client.leave()

    assert turn.result == "done"
    assert "requires approval" not in _answer_to_model(world)


def test_mem_search_answers(world: World) -> None:
    """What an earlier session decided is one question away."""
    world.stub.will(
        say("hello"),  # so that there is a transcript, which the client writes late
        call("Bash", command=_SAVE),
        say("saved"),
        call("Bash", command="holdfast search 'rotate tokens'"),
        say("found"),
        call("Bash", command="holdfast show 1"),
        say("shown"),
    )

    with world.talk() as client:
        client.ask("hello")
        client.ask("/holdfast:checkpoint")
        client.ask("/holdfast:mem-search what did we decide about tokens?")
        found = _answer_to_model(world)
        client.ask("/holdfast:mem-search and in detail?")
        client.leave()

    assert "API design" in found
    assert "rotate refresh tokens" in _answer_to_model(world)


def test_safe_clear_saves_and_reads_back(world: World) -> None:
    """It asks the user to clear only after the record was read again."""
    before_clear = _SAVE.replace("save", "save --type before-clear", 1)
    world.stub.will(
        call("Bash", command="holdfast status"),
        call("Bash", command=before_clear),
        call("Bash", command="holdfast show latest"),
        say("Type /clear now; the next session will know."),
    )

    with world.talk() as client:
        turn = client.ask("/holdfast:safe-clear")
        client.leave()

    assert "rotate refresh tokens" in _answer_to_model(world)
    assert turn.result.startswith("Type /clear now")
    assert world.checkpoints[0]["type"] == "before-clear"


@pytest.mark.parametrize(
    ("skill", "command"),
    [
        pytest.param("resume", "holdfast resume nothing-of-that-name", id="resume"),
        pytest.param("mem-search", "holdfast show 999", id="mem-search"),
        pytest.param(
            "checkpoint",
            "holdfast save --notes - <<'NOTES'\n\"title\": 7\nNOTES",
            id="checkpoint",
        ),
    ],
)
def test_a_failing_command_is_told_to_the_model(
    world: World, skill: str, command: str
) -> None:
    """The client aborts a skill silently if a command inside its text fails; ours are
    run by the model, which reads the error and its hint."""
    world.stub.will(call("Bash", command=command), say("I see."))

    with world.talk() as client:
        turn = client.ask(f"/holdfast:{skill} x")
        client.leave()

    assert "hint:" in _answer_to_model(world)
    assert turn.result == "I see."


def test_a_command_of_no_skill_still_needs_permission(world: World) -> None:
    """A skill allows the commands it names, not all of ours."""
    world.stub.will(call("Bash", command="holdfast uninstall claude"), say("no"))

    with world.talk() as client:
        client.ask("/holdfast:checkpoint")
        client.leave()

    assert "requires approval" in _answer_to_model(world)


def _told(world: World) -> str:
    return world.stub.last.conversation


def _answer_to_model(world: World) -> str:
    """What the last tool call answered."""
    return "\n".join(world.stub.last.tool_results)


def _texts(items: list[dict[str, str]]) -> str:
    return re.sub(r"\s+", " ", " | ".join(item["text"] for item in items))
