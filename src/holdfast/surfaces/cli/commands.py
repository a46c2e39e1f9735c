"""Every command with its one-line summary; a command's module is imported on use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from holdfast.bootstrap import Container
    from holdfast.surfaces.cli.output import Output

SUMMARIES = {
    "save": "make a checkpoint of a session",
    "list": "list checkpoints, newest first",
    "show": "show one checkpoint",
    "resume": "print the brief of a checkpoint for the next session",
    "brief": "print the brief of a transcript, storing nothing",
    "search": "find checkpoints by words and filters",
    "suggest": "find earlier checkpoints that matter to this session",
    "status": "show the work since the last checkpoint",
    "diff": "compare two checkpoints: what is known, and the code",
    "restore": "bring back the code of a checkpoint, saving the present first",
    "undo": "take back the last restore",
    "bisect": "find the checkpoint where a command began to fail",
    "off": "stop recording and telling: everywhere, in a project, or for a while",
    "on": "start again what `off` stopped",
    "fresh": "tell the next session here nothing",
    "forget": "remove a checkpoint, a session or a project everywhere it went",
    "why": "say which rule and which points decided what a session was told, and what it cost",
    "open": "continue a checkpoint's session in its agent",
    "hook": "answer an event of the agent (JSON on stdin)",
    "statusline": "print one line about unsaved work for the agent's status line",
    "handoff": "write, check or show the file whoever continues starts from",
    "memory": "show and keep the project's facts, log, lessons and workflows",
    "cleanup": "remove the files of named checkpoints and their index entries",
    "config": "show or change settings",
    "install": "wire holdfast into an agent",
    "uninstall": "undo the wiring; the data stays",
    "doctor": "check store, spool, settings and wiring, and repair what can be",
    "mcp": "serve the tools an agent calls, over stdio",
    "prune": "remove automatic checkpoints that later ones supersede",
    "demo": "show the whole loop on a made-up session",
}
# Commands of one subject share a module; any other command has one of its own name.
_SHARED = {
    "list": "listing",
    "show": "listing",
    "suggest": "search",
    "undo": "restore",
    "off": "switches",
    "on": "switches",
    "fresh": "switches",
    "forget": "removing",
    "prune": "removing",
    "cleanup": "removing",
    "install": "wiring",
    "uninstall": "wiring",
    "hook": "serving",
    "mcp": "serving",
}


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


@dataclass(frozen=True, slots=True)
class CommandCode:
    """What serves a command: `arranged` puts its words in an order a parser can read."""

    run: Callable[[argparse.Namespace, Container, Output], int]
    add_arguments: Callable[[argparse.ArgumentParser], None] = _no_arguments
    arranged: Callable[[list[str]], list[str]] = list


def module_of(name: str) -> str:
    """Return the module that serves a command."""
    return f"holdfast.surfaces.cli.{_SHARED.get(name, name)}"


def load(name: str) -> CommandCode:
    """Import what serves a command: listed by a module of several, or its module itself."""
    module = import_module(module_of(name))
    listed: dict[str, CommandCode] = getattr(module, "COMMANDS", {})
    return listed.get(name) or CommandCode(module.run, module.add_arguments)
