"""The examples in the documentation: three ways to have it, and what each looks like."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.e2e.hooks.conftest import Client, Heard, World, write_session

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
ASKED = "implement the auth middleware"
_FIGURES = re.compile(r"\d+ tokens")
_AGE = re.compile(r"just now|\d+ (?:s|seconds?) ago")


def configured(world: World, name: str) -> Client:
    """A client of a user who copied one of the example files."""
    place = world.root / "user" / ".config" / "holdfast" / "config.json"
    place.parent.mkdir(parents=True)
    shutil.copy(EXAMPLES / f"{name}.json", place)
    return world.client()


class Told:
    """A dialogue as the documentation prints it."""

    def __init__(self, config: str) -> None:
        self._lines = [f"# {config}.json"]

    def user(self, words: str) -> None:
        self._lines.append(f"> {words}")

    def shown(self, heard: Heard) -> None:
        line = _AGE.sub("just now", _FIGURES.sub("170 tokens", heard.line))
        self._lines.append(line or "(nothing is shown)")
        if heard.context:
            first = _AGE.sub("just now", heard.context.splitlines()[0])
            self._lines.append(f"  (the model reads: {first} …)")

    @property
    def text(self) -> str:
        return "\n".join(self._lines)


def printed() -> list[str]:
    page = (EXAMPLES / "dialogues.md").read_text(encoding="utf-8")
    return re.findall(r"```text\n(.*?)\n```", page, re.DOTALL)


def cleared(world: World, config: str, answer: str, sessions: list[str]) -> str:
    told, client = Told(config), configured(world, config)
    client.start(sessions[0])
    write_session(world, sessions[0], "read the routes")
    client.hook("PreCompact", sessions[0], trigger="manual")
    write_session(world, sessions[0], "read the routes", ASKED)
    client.hook("Stop", sessions[0])
    told.user("/clear")
    client.end(sessions[0], "clear")
    told.shown(client.start(sessions[1], "clear"))
    told.user(answer)
    told.shown(client.prompt(sessions[1], answer))
    return told.text


def resumed(world: World, config: str, sessions: list[str]) -> str:
    told, client = Told(config), configured(world, config)
    write_session(world, sessions[0], ASKED)
    client.end(sessions[0], "prompt_input_exit")
    client = world.client()
    told.user("claude")
    told.shown(client.start(sessions[1]))
    told.user("continue")
    told.shown(client.prompt(sessions[1], "continue"))
    return told.text


@pytest.mark.parametrize(
    ("place", "config", "answer"),
    [
        pytest.param(0, "fully-automatic", "now the tests", id="saved by itself"),
        pytest.param(2, "prompt", "resume", id="asked, and answered with resume"),
        pytest.param(3, "prompt", "keep", id="asked, and answered with keep"),
        pytest.param(4, "manual", "now the tests", id="by hand"),
    ],
)
def test_a_clear_looks_as_the_documentation_says(
    world: World, sessions: list[str], place: int, config: str, answer: str
) -> None:
    """A dialogue in the documentation is one that happened."""
    assert cleared(world, config, answer, sessions) == printed()[place]


def test_a_resumed_start_looks_as_the_documentation_says(
    world: World, sessions: list[str]
) -> None:
    """One line at the start, one when the brief is given."""
    assert resumed(world, "fully-automatic", sessions) == printed()[1]


@pytest.mark.parametrize("name", ["fully-automatic", "prompt", "manual"])
def test_the_guide_shows_the_example_files(name: str) -> None:
    """Whoever copies from the guide gets what is tested."""
    guide = EXAMPLES.parent / "guides" / "checkpoint-automation.md"
    shown = re.findall(r"```json\n(.*?)\n```", guide.read_text("utf-8"), re.DOTALL)

    example = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))

    assert example in [json.loads(text) for text in shown]


def test_always_resumes_at_once(world: World, sessions: list[str]) -> None:
    """The brief at every start, to the letter of the first specification."""
    old, new = sessions[:2]
    write_session(world, old, ASKED)
    world.client().end(old, "prompt_input_exit")

    heard = world.client(HOLDFAST_AUTO_RESUME_ON_START="always").start(new)

    assert heard.line.startswith("↻ Resumed from checkpoint: ")
    assert "# Resuming CHECKPOINT-00001" in heard.context
