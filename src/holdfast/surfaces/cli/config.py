"""`holdfast config`: show or change settings."""

import argparse

from holdfast.bootstrap import Container
from holdfast.config import key_named
from holdfast.domain.text import beginning
from holdfast.kernel.errors import UsageWrong
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows

ACTIONS = ("list", "get", "set", "path")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        metavar="ACTION",
        help="list, get, set or path (list); K alone shows the setting, K V changes it",
    )
    parser.add_argument(
        "key", nargs="?", metavar="K", help="such as brief.budget_tokens"
    )
    parser.add_argument("value", nargs="?", metavar="V", help="the new value")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    match _meant(args.action, args.key, args.value):
        case "list", None, None:
            _list(container, output)
        case "path", None, None:
            _path(container, output)
        case "get", str(key), None:
            _get(key, container, output)
        case "set", str(key), str(value):
            _set(key, value, container, output)
        case _:
            raise UsageWrong(
                f"`config {beginning(args.action, 40)}` has too few or too many arguments",
                hint="use `config list`, `config K`, `config K V` or `config path`",
            )
    return 0


def _meant(
    action: str, key: str | None, value: str | None
) -> tuple[str, str | None, str | None]:
    """Return what is to be done with what: `config K V` is `config set K V`."""
    if action in ACTIONS or value is not None:
        return action, key, value
    return ("get", action, None) if key is None else ("set", action, key)


def _list(container: Container, output: Output) -> None:
    values = container.config.listing()
    if output.json:
        output.answer({"type": "config", "values": values})
        return
    rows = [[key, _text(v["value"]), v["from"]] for key, v in values.items()]
    print_rows(output, (Column("bold"), Column(stretch=True), Column("dim")), rows)


def _get(key: str, container: Container, output: Output) -> None:
    name = key_named(key).key
    found = container.config.listing()[name]
    if output.json:
        output.answer({"type": "config", "values": {name: found}})
    else:
        output.print(_text(found["value"]))


def _set(key: str, value: str, container: Container, output: Output) -> None:
    container.set_values({key: value})
    name = key_named(key).key
    found = container.config.listing()[name]
    if output.json:
        output.answer({"type": "config", "values": {name: found}})
        return
    output.say(f"{name} is now {_text(found['value'])}")
    if found["from"] != "user":
        output.warn(f"but the {found['from']} sets another value, which wins")


def _path(container: Container, output: Output) -> None:
    path = container.places.user_config
    if output.json:
        output.answer({"type": "config", "path": path, "values": {}})
    else:
        output.print(path)


def _text(value: object) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
