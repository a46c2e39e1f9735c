"""The plugin as this installation writes it, and what the client's settings say of it.

It is the repository's, with absolute paths: the client starts hooks by path, so a
virtual environment, pipx and uv tool all work whatever is on the `PATH` that day.
Settings are changed as text: a file's text in, the new text out, every foreign byte kept.
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import holdfast
from holdfast.agents.json_text import member, with_member, without_member
from holdfast.agents.launchers import command_launcher, hook_launcher
from holdfast.kernel.errors import WiringFailed
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

MARKETPLACE = "holdfast-local"
PLUGIN = f"holdfast@{MARKETPLACE}"
LAUNCHER = "holdfast/hooks/launch"
COMMAND = "holdfast/bin/holdfast"
SCRIPTS = frozenset([LAUNCHER, COMMAND])
_MCP = ".mcp.json"

_KNOWN = ("extraKnownMarketplaces", MARKETPLACE)
_TYPED_ONLY = "\ndisable-model-invocation: true\n"
_DESCRIPTION = pattern(r"^description: (.*)$", re.MULTILINE)
_ENABLED = ("enabledPlugins", PLUGIN)


class Wired(NamedTuple):
    text: str
    added: int  # how many of our keys were not there before
    made: tuple[str, ...]  # sections that were not there before
    rules: tuple[str, ...] = ()  # of permissions, that were not there before


def plugin_files(python: str, *, mcp: bool) -> dict[str, str]:
    """Return every file of our marketplace directory, by its path inside it.

    Raises:
        WiringFailed: this installation lacks its plugin files.
    """
    files = {f"holdfast/{name}": text for name, text in _templates()}
    files[".claude-plugin/marketplace.json"] = _json(_marketplace())
    files[LAUNCHER] = hook_launcher(python, "claude")
    files[COMMAND] = command_launcher(python, "claude")
    server = {
        "command": "${CLAUDE_PLUGIN_ROOT}/bin/holdfast",
        "args": ["mcp"],
    }
    files[f"holdfast/{_MCP}"] = _json({"mcpServers": {"holdfast": server}})
    if not mcp:
        del files[f"holdfast/{_MCP}"]
    return files


def standing_texts(tools: Sequence[str]) -> tuple[str, ...]:
    """Return the skills' descriptions, and the client's names for our server's tools.

    It reads a tool's definition when the tool is wanted; a skill's is its description,
    unless only a person can start it.
    """
    skills = (text for path, text in _templates() if path.endswith("/SKILL.md"))
    texts = (text for text in skills if _TYPED_ONLY not in text)
    described = (found[1] for text in texts if (found := _DESCRIPTION.search(text)))
    return (*described, *(f"mcp__plugin_holdfast_holdfast__{tool}" for tool in tools))


def wired(text: str | None, directory: str, path: str) -> Wired:
    """Return settings that name and enable the plugin in `directory`.

    Raises:
        WiringFailed: the file is not one JSON object.
    """
    source = {"source": {"source": "directory", "path": directory}}
    if text is None or not text.strip():
        both = {_KNOWN[0]: {_KNOWN[1]: source}, _ENABLED[0]: {_ENABLED[1]: True}}
        return Wired(json.dumps(both, indent=2) + "\n", 2, (_KNOWN[0], _ENABLED[0]))
    try:
        missing = [key for key in (_KNOWN, _ENABLED) if member(text, key) is None]
        made = tuple(key[0] for key in missing if member(text, key[:1]) is None)
        text = with_member(text, _KNOWN, source)
        text = with_member(text, _ENABLED, value=True)
    except (ValueError, RecursionError) as problem:
        raise _not_ours(path, problem) from None
    return Wired(text, len(missing), made)


def unwired(text: str, made: Collection[str], path: str) -> str:
    """Return settings that do not know us, without the sections we had made.

    Raises:
        WiringFailed: the file is not one JSON object.
    """
    try:
        for key in (_ENABLED, _KNOWN):
            text = without_member(text, key)
            if key[0] in made and member(text, key[:1]) == {}:
                text = without_member(text, key[:1])
    except (ValueError, RecursionError) as problem:
        raise _not_ours(path, problem) from None
    return text


def sections_of_ours(text: str) -> tuple[str, ...]:
    """Return the sections that hold nothing but a key of ours."""
    try:
        held = {key: member(text, key[:1]) for key in (_KNOWN, _ENABLED)}
    except (ValueError, RecursionError):
        return ()
    return tuple(
        key[0]
        for key, section in held.items()
        if isinstance(section, dict) and set(section) == {key[1]}
    )


def names_us(text: str) -> bool:
    """Say whether settings have a key of ours, wherever it leads."""
    try:
        return any(member(text, key) is not None for key in (_KNOWN, _ENABLED))
    except (ValueError, RecursionError):
        return False


def is_wired(text: str, directory: str) -> bool:
    """Say whether settings name and enable the plugin in `directory`."""
    try:
        source = member(text, (*_KNOWN, "source", "path"))
        return source == directory and member(text, _ENABLED) is True
    except (ValueError, RecursionError):
        return False


def same_meaning(one: str, other: str) -> bool:
    """Say whether two texts are the same JSON value, however they are laid out."""
    try:
        return bool(json.loads(one) == json.loads(other))
    except (ValueError, RecursionError):
        return False


def _templates() -> Iterator[tuple[str, str]]:
    root = _template_root()
    for directory, _, names in os.walk(root):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, root), file.read()


def _template_root() -> str:
    """A wheel carries the plugin in the package, a checkout beside the sources."""
    package = os.path.dirname(holdfast.__file__)
    beside = os.path.join(os.path.dirname(os.path.dirname(package)), "plugin")
    for root in (os.path.join(package, "plugin"), beside):
        if os.path.isfile(os.path.join(root, ".claude-plugin", "plugin.json")):
            return root
    raise WiringFailed(
        f"the plugin files are missing beside `{package}`",
        hint="install holdfast again from its wheel or its repository",
    )


def _marketplace() -> Mapping[str, object]:
    return {
        "name": MARKETPLACE,
        "description": "Written by `holdfast install claude`",
        "owner": {"name": "holdfast"},
        "plugins": [
            {
                "name": "holdfast",
                "source": "./holdfast",
                "description": "Checkpoints of coding-agent sessions",
            }
        ],
    }


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2) + "\n"


def _not_ours(path: str, problem: Exception) -> WiringFailed:
    return WiringFailed(
        f"`{path}` cannot be changed: {problem}",
        hint="make it one JSON object, as Claude Code wants it, then try again",
    )
