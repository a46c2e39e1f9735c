"""The skills' texts: what starts them, what they let run, and what must not be in them."""

import argparse
import json
import re
from pathlib import Path

import pytest

from holdfast.agents.claude_code.wiring.plugin import standing_texts
from holdfast.app.administration.standing import standing_tokens
from holdfast.kernel.errors import NameTaken
from holdfast.surfaces.cli.commands import SUMMARIES
from holdfast.surfaces.cli.parse import command_module

_SKILLS = Path(__file__).parents[3] / "plugin" / "skills"
_NAMES = sorted(path.parent.name for path in _SKILLS.glob("*/SKILL.md"))
_GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "install.md"
_README = Path(__file__).parents[3] / "README.md"
_EVERYDAY = Path(__file__).parents[2] / "fixtures" / "everyday-prompts.json"
_PROMPTS = [
    prompt
    for prompts in json.loads(_EVERYDAY.read_text(encoding="utf-8")).values()
    for prompt in prompts
]
_SCRIPTS = {"English": "[a-z]", "Thai": "[\u0e00-\u0e7f]", "Korean": "[\uac00-\ud7a3]"}


def _text(name: str) -> str:
    return (_SKILLS / name / "SKILL.md").read_text(encoding="utf-8")


def _head(name: str) -> dict[str, str]:
    """The front matter; each of its fields is one line."""
    lines = _text(name).split("---\n")[1].splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _body(name: str) -> str:
    return _text(name).split("---\n", 2)[2]


def _phrases(name: str) -> list[str]:
    """What the description says a user asks for, in quotes."""
    return re.findall(r'"([^"]+)"', _head(name)["description"])


def _commands(name: str) -> list[str]:
    """Every command the text tells the model to run."""
    fenced = re.findall(r"^ *(holdfast .*)$", _body(name), re.MULTILINE)
    return [*fenced, *re.findall(r"`(holdfast [^`]+)`", _body(name))]


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("language", _SCRIPTS)
def test_a_skill_can_be_asked_for_in(name: str, language: str) -> None:
    """F6: English, Thai and Korean users ask in their own words."""
    found = [p for p in _phrases(name) if re.search(_SCRIPTS[language], p.lower())]

    assert len(found) >= 2


@pytest.mark.parametrize("name", _NAMES)
def test_everyday_prompts_start_no_skill(name: str) -> None:
    """F6: "save" and "continue" are said a hundred times a day, and not to us."""
    started = [
        (phrase, prompt)
        for phrase in _phrases(name)
        for prompt in _PROMPTS
        if phrase.casefold() in prompt.casefold()
    ]

    assert len(_PROMPTS) >= 100
    assert started == []


@pytest.mark.parametrize("name", _NAMES)
def test_no_phrase_is_a_bare_common_word(name: str) -> None:
    """A phrase names what is ours: a checkpoint, earlier sessions, or clearing safely."""
    short = [p for p in _phrases(name) if len(p) < 8 or p in " ".join(_PROMPTS)]

    assert short == []


def test_a_phrase_starts_one_skill_only() -> None:
    """The model must not have to choose between ours."""
    ours = [(name, phrase) for name in _NAMES for phrase in _phrases(name)]

    shared = [
        (phrase, other)
        for name, phrase in ours
        for other in _NAMES
        if other != name and phrase in _phrases(other)
    ]
    assert shared == []


@pytest.mark.parametrize("name", _NAMES)
def test_nothing_in_a_text_is_run_or_filled_in_by_a_shell(name: str) -> None:
    """A command that the client runs inside a text aborts the skill without a word if it
    fails; a variable needs permission; what a user typed would break its quotes."""
    text = _text(name)
    commands = " ".join(_commands(name))

    assert "!`" not in text
    assert "```!" not in text
    assert "$" not in commands
    assert set(re.findall(r"\$\w*", text)) == {"$ARGUMENTS"}


@pytest.mark.parametrize("name", _NAMES)
def test_a_skill_takes_no_name_of_the_client(name: str) -> None:
    """With a `name` of its own, a skill `checkpoint` takes over the client's alias."""
    fields = {"description", "argument-hint", "allowed-tools"}
    assert set(_head(name)) - {"disable-model-invocation"} == fields


@pytest.mark.parametrize("name", _NAMES)
def test_a_text_names_commands_and_options_that_exist(name: str) -> None:
    """A model that is told of an option that is not there fails at the worst moment."""
    for command in _commands(name):
        _, verb, *words = command.split()

        assert verb in SUMMARIES, command
        assert {w for w in words if w.startswith("--")} <= _options(verb), command


@pytest.mark.parametrize("name", _NAMES)
def test_a_skill_may_run_what_its_text_names_and_no_more(name: str) -> None:
    """Nobody is asked for permission, and nothing else is allowed by the way."""
    allowed = re.findall(r"Bash\(holdfast ([\w-]+):\*\)", _head(name)["allowed-tools"])

    assert _head(name)["allowed-tools"].count("Bash(") == len(allowed)
    assert set(allowed) == {command.split()[1] for command in _commands(name)}


def test_a_question_of_a_save_is_put_to_the_user() -> None:
    """A model that is told `--force` by a hint would take a colleague's name with it."""
    [question] = [x for x in _body("checkpoint").splitlines() if "--force" in x]

    assert question.startswith(f"Exit status {NameTaken.exit_status} ")
    assert "ask whether to replace it" in question
    assert question.endswith("Without that answer never use `--force`.")
    assert not any("--force" in command for n in _NAMES for command in _commands(n))


@pytest.mark.parametrize(
    "phrase", ["save progress", "end session", "컴팩트 전에", "세션 저장"]
)
def test_words_of_the_old_skill_still_start_the_handoff(phrase: str) -> None:
    """S1's triggers, those that are not a bare common word."""
    assert any(phrase in known for known in _phrases("handoff"))


def test_compaction_is_not_advised_before_the_files_are_written() -> None:
    """S1: no tool runs while the client compacts, so nothing can be saved then."""
    [told] = [line for line in _body("handoff").splitlines() if "NO_TOOLS" in line]

    assert "no file is read or written" in told
    assert "do not advise to compact" in told


def test_a_checkpoint_asked_for_by_its_id_is_shown_and_offered() -> None:
    """S0: summary, outcomes and observations, then the question whether to continue."""
    body = _body("mem-search")

    assert "checkpoint:ccp-" in body
    assert "`holdfast show --observations` followed by the id" in body
    assert '"Continue work from this checkpoint?"' in body


def test_a_save_without_a_name_suggests_one_and_asks() -> None:
    """S3: two to four words of the work, the user decides."""
    [told] = [x for x in _body("checkpoint").splitlines() if "no name was given" in x]

    assert "2–4 words" in told
    assert "ask" in told


def test_a_resume_ends_with_the_one_sentence() -> None:
    """S2: ready for the user's next word."""
    ready = "Ready to continue from checkpoint. What would you like to work on?"
    assert f'end with "{ready}"' in _body("resume")


def test_being_installed_costs_every_session_little() -> None:
    """The client puts descriptions and names into every session; they count as ours, and
    what is told of them is true."""
    cost = standing_tokens(standing_texts)
    heads = [_head(name) for name in _NAMES]
    said = [h["description"] for h in heads if "disable-model-invocation" not in h]

    assert cost >= sum(len(text.encode()) for text in said) // 4
    assert cost < 400
    for page in (_GUIDE, _README):
        assert f" {cost} tokens " in page.read_text(encoding="utf-8")


def _options(command: str) -> set[str]:
    """The options of a command, as its parser has them."""
    parser = argparse.ArgumentParser()
    command_module(command).add_arguments(parser)
    return {option for action in parser._actions for option in action.option_strings}
