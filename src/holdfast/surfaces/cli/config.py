"""`holdfast config`: show or change settings."""

import argparse

from holdfast.bootstrap import Container
from holdfast.config import key_named
from holdfast.kernel.errors import UsageWrong
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "get", "set", "path"),
        default="list",
        help="what to do (list)",
    )
    parser.add_argument(
        "key", nargs="?", metavar="K", help="such as brief.budget_tokens"
    )
    parser.add_argument("value", nargs="?", metavar="V", help="the new value")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    match args.action, args.key, args.value:
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
                f"`config {args.action}` was given too little or too much",
                hint="use `config list`, `config get K`, `config set K V` or `config path`",
            )
    return 0


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
        output.warn(f"the {found['from']} says otherwise and wins")


def _path(container: Container, output: Output) -> None:
    path = container.places.user_config
    if output.json:
        output.answer({"type": "config", "path": path, "values": {}})
    else:
        output.print(path)


def _text(value: object) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
