"""What varies is a place: a language, an agent, an engine of the store, a command.

Somebody who adds one looks for the others of its kind and does as they do. So each must
stand where they stand, and be proved by what proves them.
"""

import ast
import importlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.bootstrap import bug_reports
from holdfast.language.languages import BY_LETTERS, LATIN
from holdfast.surfaces.hooks.events import ANSWERS
from holdfast.surfaces.hooks.main import EVENTS

_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "holdfast"
_FIXTURES = _ROOT / "tests" / "fixtures"
_CODE = 2  # letters of a language's name
_FOREIGN = "".join(BY_LETTERS.values())
# A word has two letters: one alone, as in `[\u0e00-\u0e7f]`, is a bound of a range.
_FOREIGN_WORD = re.compile(f"(?![×÷])[{_FOREIGN}][^\\W\\d_×÷]|[^\\W\\d_][{_FOREIGN}]")


def _folders(room: str) -> list[str]:
    found = (each for each in (_SOURCE / room).iterdir() if each.is_dir())
    return sorted(each.name for each in found if (each / "__init__.py").exists())


LANGUAGES = sorted(
    each.stem
    for each in (_SOURCE / "language").iterdir()
    if len(each.stem) == _CODE and each.stem.isalpha()
)
AGENTS = _folders("agents")
ENGINES = [name for name in _folders("store") if name != "ports"]


def _protected() -> list[str]:
    """Return the modules that only the composition root may name."""
    made = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = made["tool"]["importlinter"]["contracts"]
    return [
        str(module)
        for contract in contracts
        if contract["type"] == "protected"
        for module in contract["protected_modules"]
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_sentences_that_prove_it(code: str) -> None:
    """A language is one file and one fixture, and its code in the table of scripts."""
    assert (_FIXTURES / "languages" / f"{code}.json").exists()
    assert code in (*LATIN, *BY_LETTERS)


# Where words of other languages may stand beside `language`, and why.
_FOREIGN_WORDS = {
    "redaction/foreign_words.py": "words for a password in more languages than these, in one pass",
    "session/key_line_words.py": "what compilers and shells print where they are translated",
    "domain/text.py": "signs that show nothing",
    "search/tokeniser.py": "letters that mark words, not words",
}


def _texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module, without what only explains it."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    explained = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in explained:
            yield node.value if isinstance(node.value, str) else ""


def test_words_of_a_language_stand_in_its_file() -> None:
    """A list of phrases elsewhere is a list that the next language forgets."""
    found = {
        path.relative_to(_SOURCE).as_posix()
        for path in _SOURCE.rglob("*.py")
        if any(map(_FOREIGN_WORD.search, _texts(path)))
    }
    left = {p for p in found if not p.startswith(("language/", *_FOREIGN_WORDS))}

    assert left == set()


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_is_a_folder_that_only_bootstrap_names(agent: str) -> None:
    """All that is one client's stands in its folder: the rest knows ports."""
    assert f"holdfast.agents.{agent}" in _protected()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_keeps_the_promises_of_the_store(engine: str) -> None:
    """An engine is a folder, opened by bootstrap, that passes each contract test."""
    shared = (_ROOT / "tests" / "contract" / "conftest.py").read_text("utf-8")

    assert f"holdfast.store.{engine}" in _protected()
    assert f"holdfast.store.{engine}" in shared
    assert f'"{engine}"' in shared


@pytest.mark.parametrize("surface", _folders("surfaces"))
def test_every_surface_is_kept_apart_from_the_others(surface: str) -> None:
    """A surface speaks one protocol; what two of them need is a use case."""
    made = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))
    apart = [
        module
        for contract in made["tool"]["importlinter"]["contracts"]
        if contract["type"] == "independence"
        for module in contract["modules"]
    ]

    assert f"holdfast.surfaces.{surface}" in apart


def test_there_are_places_to_look_at() -> None:
    """A move must not leave this file with nothing to prove."""
    assert AGENTS
    assert ENGINES


_OWN = [_SOURCE / "agents" / agent for agent in AGENTS]
_OTHERS = [
    path
    for path in _SOURCE.rglob("*.py")
    if not any(own in path.parents for own in _OWN)
]


_PROGRAMS = {"apply_patch"}  # what commands call as well


def _tool_names() -> set[str]:
    """Return what agents call their tools, as far as these are no words of everybody's."""
    names = set[str]()
    for agent in AGENTS:
        found = importlib.import_module(f"holdfast.agents.{agent}.tools").TOOLS.rows
        names |= {name for name in found if not name.isalpha() or not name.islower()}
    return names - _PROGRAMS


# The user's directory of a client is found, and a repository's is refused, in one place.
_KNOWS_DIRECTORIES = _SOURCE / "config" / "places.py"


def _literals(path: Path) -> Iterator[str]:
    """Yield the texts in a file that are no documentation."""
    tree = ast.parse(path.read_text("utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            yield str(node.value)


@pytest.mark.parametrize("path", _OTHERS, ids=lambda path: path.stem)
def test_only_an_agents_folder_knows_its_tools_and_its_directory(path: Path) -> None:
    """The rest sees roles: what a tool is for, whatever its agent calls it."""
    literals = list(_literals(path))

    assert not _tool_names() & {*literals}
    assert not [text for text in literals if "mcp__" in text]
    if path != _KNOWS_DIRECTORIES:
        assert not [
            text
            for text in literals
            if re.search(r"\.(?:claude|codex|gemini|copilot)\b(?!-mem)", text)
        ]


def test_the_lists_of_hook_events_agree() -> None:
    """An event that one of them does not know is answered by silence."""
    wired = json.loads((_ROOT / "plugin/hooks/hooks.json").read_text(encoding="utf-8"))

    assert set(EVENTS) == set(ANSWERS) == set(wired["hooks"])
    assert set(EVENTS) <= bug_reports._EVENTS
