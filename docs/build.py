"""Write docs/reference/ from the code: `make reference`. A test holds them equal."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.house import Module, layers, modules, pure_rooms, says
from docs.mcp_page import mcp_page
from docs.picture import picture
from holdfast.config import KEYS
from holdfast.kernel import errors
from holdfast.kernel.errors import HoldfastError
from holdfast.surfaces.cli.commands import EXAMPLES, GROUPS, SUMMARIES
from holdfast.surfaces.cli.parse import command_module, command_parser

_HERE = Path(__file__).parent / "reference"
_MADE = "<!-- Made by `make reference`; edit the code instead. -->\n"


def pages() -> dict[str, str]:
    """Return each page's file name and text."""
    return {
        "commands.md": "\n".join(_commands()) + "\n",
        "config.md": "\n".join(_config()) + "\n",
        "errors.md": "\n".join(_errors()) + "\n",
        "mcp.md": "\n".join(mcp_page()) + "\n",
        "modules.md": "\n".join(_modules()) + "\n",
        "rooms.svg": "\n".join(picture()) + "\n",
    }


def _commands() -> Iterator[str]:
    yield _MADE
    yield "# Commands\n"
    yield "`holdfast [--version] [--json] [--project DIR] [--store URL] [--quiet] COMMAND …`\n"
    yield "Global options may stand before or after the command."
    yield "With `--json` a command prints one JSON object on stdout, errors too.\n"
    yield from _table(("global option", "meaning"), _global_options())
    yield "\n| | |\n| --- | --- |"
    for told, names in GROUPS.items():
        links = ", ".join(f"[{name}](#holdfast-{name})" for name in names)
        yield f"| {told} | {links} |"
    for name, summary in SUMMARIES.items():
        module = command_module(name)
        parser = command_parser(name, module)
        yield f"\n## holdfast {name}\n"
        yield f"{summary[0].upper()}{summary[1:]}.\n"
        yield f"`{' '.join(_usage(parser).split())}`"
        rows = [_option(action) for action in parser._actions if _is_own(action)]  # noqa: SLF001  # argparse has no public list
        if rows:
            yield ""
            yield from _table(("option", "meaning"), rows)
        yield "\n```"
        yield from EXAMPLES[name]
        yield "```"


def _usage(parser: argparse.ArgumentParser) -> str:
    own = argparse.ArgumentParser(prog=parser.prog, add_help=False)
    for action in parser._actions:  # noqa: SLF001  # argparse has no public list
        if _is_own(action):
            own._add_action(action)  # noqa: SLF001  # nor a public way to add one
    return own.format_usage().removeprefix("usage: ")


def _is_own(action: argparse.Action) -> bool:
    shared = {"--json", "--quiet", "--project", "--store", "--help"}
    return not shared & set(action.option_strings)


def _global_options() -> list[tuple[str, str]]:
    module = command_module("list")
    parser = command_parser("list", module)
    rows = [_option(a) for a in parser._actions if not _is_own(a)]  # noqa: SLF001  # argparse has no public list
    return [("`--version`", "print the version"), *rows]


def _option(action: argparse.Action) -> tuple[str, str]:
    told = "\\|".join(map(str, action.choices or ())) or str(action.metavar or "")
    name = " ".join(filter(None, (", ".join(action.option_strings), told)))
    return f"`{name}`", action.help or ""


def _config() -> Iterator[str]:
    yield _MADE
    yield "# Configuration\n"
    yield "A value can be set in several places; the last of these wins: defaults, `~/.config/contextd/config.json`, the user's `$XDG_CONFIG_HOME/holdfast/config.json`, the project's `.holdfast.json`, the environment, flags."
    yield "A repository can set the environment of hooks, so for some settings a variable can only be stricter than your own file (`enabled`, automatic saving and resuming, headless sessions, the guard, the limits of snapshots, how long things are kept); `HOLDFAST_DISABLE=1` stops everything, and no other setting overrides it."
    yield "`holdfast config list` shows every value and where it comes from."
    yield "`mirrors` ([guide](../guides/mirrors.md)), `team` and `share` ([guide](../guides/sharing.md)) are read from your own file only.\n"
    rows = [
        (
            f"`{k.key}`",
            f"`{k.default_text}`",
            k.allowed,
            f"`{k.environment}`" if k.environment else "–",
            k.meaning,
        )
        for k in KEYS
    ]
    yield from _table(("key", "default", "allowed", "environment", "meaning"), rows)


def _errors() -> Iterator[str]:
    yield _MADE
    yield "# Errors and exit status\n"
    yield 'An error says what happened and what to do next: on stderr as `error[CODE]: …` and `hint: …`, or with `--json` as `{"type":"error","code":…,"message":…,"hint":…}`.'
    yield "New codes may appear; an unknown exit status means failure.\n"
    kinds = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, HoldfastError)
    ]
    rows = [
        (
            f"`{kind.code}`",
            str(kind.exit_status),
            " ".join((kind.__doc__ or "").split()),
        )
        for kind in kinds
    ]
    rows += [
        (
            "`BUG_001`",
            str(errors.BUG),
            "A bug in holdfast; a report you can paste was kept.",
        ),
        ("`INT_001`", str(errors.INTERRUPTED), "Interrupted by the user."),
    ]
    yield from _table(("code", "exit", "what happened"), rows)


def _modules() -> Iterator[str]:
    yield _MADE
    yield "# Every module\n"
    yield "What each file of `src/holdfast` is, in the words of its first line; rooms from the top of [the house](../architecture.md) to its ground.\n"
    pure = pure_rooms()
    rooms = [room for layer in layers() for room in layer]
    links = [
        (f"[`{room}`](#{room})", says(room), "yes" if room in pure else "")
        for room in rooms
    ]
    yield from _table(("room", "what it does", "pure"), links)
    for room in rooms:
        yield f"\n## {room}\n"
        yield says(room)
        own = [m for m in modules() if m.room == room]
        for folder in sorted({m.folder for m in own}):
            yield from _folder(room, folder, [m for m in own if m.folder == folder])


def _folder(room: str, folder: str, own: Sequence[Module]) -> Iterator[str]:
    if folder != room:
        yield f"\n### {folder}\n"
        yield says(folder)
    rows = [(f"`{m.path}`", m.says.replace("|", "\\|")) for m in own if not m.is_folder]
    if rows:
        yield ""
        yield from _table(("module", "is"), rows)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def main() -> None:
    _HERE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (_HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
