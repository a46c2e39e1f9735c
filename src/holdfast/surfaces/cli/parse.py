"""From words to a command. Global options may stand before or after the command."""

import argparse
import sys
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from typing import NoReturn, Protocol, cast

from holdfast import __version__
from holdfast.bootstrap import Container
from holdfast.domain.text import beginning
from holdfast.kernel.errors import WRONG_USAGE, UsageWrong
from holdfast.kernel.lazy_values import dataclass
from holdfast.surfaces.cli.commands import EXAMPLES, GROUPS, SUMMARIES
from holdfast.surfaces.cli.output import Output, columns, standard_output
from holdfast.surfaces.cli.store_trouble import tell_waiting_saves

_WITH_VALUE = ("--project", "--store")
_ABOUT_PROJECTS = (
    "off",
    "on",
    "forget",
    "token",
)  # there `--project` says what is meant, with or without DIR
_INSIDE_A_CLIENT = "CLAUDECODE"  # the client sets it for all that it starts
# A check of its own tells them, or nobody reads what it says.
_WITHOUT_WARNINGS = ("doctor", "statusline", "mcp", "hook")
EXIT_STATUS = """\
exit status:
  0 done  1 failed  2 wrong usage  3 done, parts missing  4 a check says no
  10 no store  11 store busy  12 not found or ambiguous  13 integrity failed
  70 a bug in holdfast  130 interrupted"""


class CommandModule(Protocol):
    """What a file in this folder offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(
        self, args: argparse.Namespace, container: Container, output: Output
    ) -> int: ...


class _Help(argparse.RawDescriptionHelpFormatter):
    """The usual help; the standard one imports `shutil` for every option there is."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of exiting, so that errors can be JSON, too."""

    def error(self, message: str) -> NoReturn:
        raise UsageWrong(message, hint=f"see `{self.prog} --help`")


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    module: CommandModule
    args: argparse.Namespace
    container: Container

    def run(self, output: Output) -> int:
        try:
            with tell_waiting_saves(self.name, self.container, output):
                status = self.module.run(self.args, self.container, output)
            self._tell_ignored_settings(output)
            return status
        finally:
            self.container.close()

    def _tell_ignored_settings(self, output: Output) -> None:
        """Say which settings a command did not follow, if it read them at all."""
        is_read = "config" in self.container.__dict__
        if is_read and self.name not in _WITHOUT_WARNINGS:
            for warning in self.container.config.warnings:
                output.say(f"warning: {warning}")


def output_of(words: list[str], environ: Mapping[str, str]) -> Output:
    """Return where to print, before anything else can go wrong."""
    ours = words[: words.index("--")] if "--" in words else words
    return standard_output(
        as_json="--json" in ours, quiet="--quiet" in ours, environ=environ
    )


def parse(words: list[str], environ: Mapping[str, str]) -> Command:
    """Return the command a command line means.

    Raises:
        UsageWrong: it means none.
        SystemExit: help was asked for and printed.
    """
    place = _command_place(words)
    if place is None:
        return _without_command(words)
    name = words[place]
    if name not in SUMMARIES:
        raise _unknown(name)
    if environ.get(_INSIDE_A_CLIENT):
        _refuse_store_behind(name, words[place + 1 :])
    module = command_module(name)
    parser = command_parser(name, module)
    rest = words[:place] + words[place + 1 :]
    args = parser.parse_args(getattr(module, "arranged", list)(rest))
    container = Container(
        environ=environ,
        project=args.project,
        store=args.store,
        tolerant=name in ("save", "statusline", "doctor"),
    )
    return Command(name, module, args, container)


def command_module(name: str) -> CommandModule:
    """Return the module of a command; a word of Python's own has a mark behind it."""
    module = f"{name}_" if iskeyword(name) else name
    return cast("CommandModule", import_module(f"holdfast.surfaces.cli.{module}"))


def command_parser(name: str, module: CommandModule) -> Parser:
    """Return the parser of one command, global options included."""
    summary = SUMMARIES[name]
    parser = Parser(
        prog=f"holdfast {name}",
        description=summary[0].upper() + summary[1:],
        epilog=f"{_examples(name)}\n\n{EXIT_STATUS}",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    add_global_options(parser, project_alone=name in _ABOUT_PROJECTS)
    return parser


def _examples(name: str) -> str:
    heading = "example:" if len(EXAMPLES[name]) == 1 else "examples:"
    return "\n".join((heading, *(f"  {line}" for line in EXAMPLES[name])))


def add_global_options(
    parser: argparse.ArgumentParser, *, project_alone: bool = False
) -> None:
    group = parser.add_argument_group("global options")
    group.add_argument(
        "--json", action="store_true", help="answer with one JSON object"
    )
    group.add_argument("--quiet", action="store_true", help="print less")
    if project_alone:
        group.add_argument(
            "--project",
            nargs="?",
            const="",
            metavar="DIR",
            help="only this project, or the one in DIR",
        )
    else:
        group.add_argument(
            "--project",
            metavar="DIR",
            help="work on the project in DIR instead of here",
        )
    group.add_argument(
        "--store",
        metavar="URL",
        help="use this store, such as `sqlite:///DIR`; agents must put it before COMMAND",
    )


def top_parser() -> Parser:
    groups = "\n\n".join(_group(told, names) for told, names in GROUPS.items())
    parser = Parser(
        prog="holdfast",
        usage="holdfast [--version] [--json] [--quiet] [--project DIR] [--store URL]\n"
        "                COMMAND …",
        description=f"Save what a coding agent knows, and tell it to the next session\n\n{groups}",
        epilog=f"{EXIT_STATUS}\n\nmore about one command: holdfast COMMAND --help",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action="version", version=f"holdfast {__version__}"
    )
    add_global_options(parser)
    return parser


def _group(told: str, commands: Mapping[str, str]) -> str:
    longest = max(map(len, SUMMARIES))
    rows = (f"  {name:<{longest}}  {what}" for name, what in commands.items())
    return "\n".join((f"{told}:", *rows))


def _command_place(words: list[str]) -> int | None:
    skip = False
    for place, word in enumerate(words):
        if skip:
            skip = False
        elif word in _WITH_VALUE:
            skip = True
        elif not word.startswith("-"):
            return place
    return None


def _refuse_store_behind(name: str, rest: list[str]) -> None:
    """Have the user asked before an agent reads a store that somebody else made.

    Clients allow a command by its first words (`holdfast show …`): what stands before
    its name is not among them.
    """
    ours = rest[: rest.index("--")] if "--" in rest else rest
    if any(word.partition("=")[0] == "--store" for word in ours):
        raise UsageWrong(
            f"an agent must name a store before the command, not after `{name}`",
            hint=f"run `holdfast --store URL {name} …`, so that the user is asked",
        )


def _without_command(words: list[str]) -> NoReturn:
    top_parser().parse_args(words)  # answers --help and --version, refuses the rest
    if not words:
        sys.stderr.write(top_parser().format_help())
        raise SystemExit(WRONG_USAGE)
    raise UsageWrong("no command given", hint="see `holdfast --help`")


def _unknown(name: str) -> UsageWrong:
    import difflib

    close = difflib.get_close_matches(name, SUMMARIES, 1)
    hint = f"did you mean `holdfast {close[0]}`?" if close else "see `holdfast --help`"
    return UsageWrong(f"`{beginning(name, 40)}` is not a command", hint=hint)
