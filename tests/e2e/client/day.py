"""A stretch of work in the client: an edit, a command, a failing test and a todo."""

from typing import Any

from tests.e2e.client.driver import Conversation
from tests.e2e.client.stub import Reply, call, say
from tests.e2e.client.world import World

INSTRUCTION = "Never use eval, and keep parse() in one file."
REQUEST = f"Make parser.py accept nested quotes. {INSTRUCTION}"
TODO = "Escaped quotes too"
DONE = "Nested quotes are parsed; one test is still red."


def work(world: World, client: Conversation) -> str:
    """Do the work, and return the session's id."""
    world.stub.will(*replies(world))
    session = client.ask(REQUEST).session_id
    assert "nested(text)" in (world.project / "parser.py").read_text()
    return session


def replies(world: World) -> tuple[Reply, ...]:
    """What the model answers to do the work."""
    parser = str(world.project / "parser.py")
    return (
        call("Read", file_path=parser),
        call("Edit", file_path=parser, old_string="1", new_string="nested(text)"),
        call("TaskCreate", subject=TODO, description="with a test"),
        call("Bash", command="sh run-tests"),
        say(DONE),
    )


def saved(world: World, session: str) -> Any:
    """The newest checkpoint of a session."""
    return [c for c in world.checkpoints if c["session_id"] == session][-1]


def told(world: World) -> str:
    """Everything that the last request told the model."""
    return world.stub.last.conversation
