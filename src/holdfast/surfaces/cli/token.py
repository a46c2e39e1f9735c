"""`holdfast token`: make, list or revoke tokens that let others use `holdfast serve`."""

import argparse
import os
from collections.abc import Mapping

from holdfast.app.administration.tokens import (
    TokenRequest,
    create_token,
    token_answer,
    token_state,
)
from holdfast.bootstrap import Container
from holdfast.bootstrap.serving import access_tokens
from holdfast.domain.access import ACCESS_SCOPES, AccessToken
from holdfast.domain.text import beginning
from holdfast.kernel.clock import iso
from holdfast.kernel.errors import HoldfastError, UsageWrong
from holdfast.surfaces.cli.options import days
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows

ACTIONS = ("create", "list", "revoke")
_USUAL_DAYS = 90
_DAY = len("2026-11-18")
_COLUMNS = (
    Column("bold"),
    Column(stretch=True),
    Column(),
    Column("dim"),
    Column(),
    Column("dim"),
)
_MAY = {
    "read": "read",
    "write": "read, save and name",
    "admin": "read, save, name and forget",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", metavar="ACTION", help="create, list, revoke")
    parser.add_argument(
        "token",
        nargs="?",
        metavar="TOKEN",
        help="the token to revoke: its id in `token list`",
    )
    parser.add_argument(
        "--scope",
        choices=ACCESS_SCOPES,
        help="what it allows; write includes read, admin includes both (read)",
    )
    parser.add_argument(
        "--days", metavar="N", type=days, help="how many days it is valid (90)"
    )
    parser.add_argument("--name", metavar="N", help="whose token it is, for the list")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    given = (args.scope, args.days, args.name)
    match args.action, args.token, any(each is not None for each in given):
        case "create", None, _:
            _create(args, container, output)
        case "list", None, False:
            _list(container, output)
        case "revoke", str(token_id), False:
            _revoke(token_id, container, output)
        case _:
            raise UsageWrong(
                f"`token {beginning(args.action, 40)}` has too few or too many arguments",
                hint="use `token create`, `token list` or `token revoke ID`",
            )
    return 0


def _create(args: argparse.Namespace, container: Container, output: Output) -> None:
    project = ""
    if container.project_given:  # it may be one of which nothing is kept yet
        store = container.store(create=True)
        project = store.project(container.identity).project_id
    wanted = TokenRequest(
        scope=args.scope or "read",
        days=args.days or _USUAL_DAYS,
        name=container.redact_name(args.name or ""),
        project=project,
    )
    now_ms = container.clock.now_ms()
    made = create_token(wanted, access_tokens(container), now_ms, os.urandom)
    if output.json:
        told = token_answer(made.token, now_ms)
        output.answer(
            {"type": "token_created", "token": told, "secret": made.presented}
        )
        return
    output.print(made.presented)
    where = "this project" if project else "every project"
    may = _MAY[made.token.scope]
    until = iso(made.token.until_ms)[:_DAY]
    output.say(f"whoever has it may {may} in {where} until {until}")
    output.say("it is not shown again; `holdfast serve --host` lets others in with it")


def _list(container: Container, output: Output) -> None:
    tokens, now_ms = access_tokens(container).every(), container.clock.now_ms()
    if output.json:
        told = [token_answer(each, now_ms) for each in tokens]
        output.answer({"type": "tokens", "tokens": told})
    elif tokens:
        roots = _roots(container) if any(each.projects for each in tokens) else {}
        print_rows(output, _COLUMNS, [_row(each, now_ms, roots) for each in tokens])
    else:
        output.say("there is no token yet: make one with `holdfast token create`")


def _roots(container: Container) -> dict[str, str]:
    """Return where each project lies; a store in trouble is no reason to list nothing."""
    try:
        found = container.store().projects()
    except HoldfastError:
        return {}
    return {each.project_id: container.tilde(each.root) for each in found}


def _row(token: AccessToken, now_ms: int, roots: Mapping[str, str]) -> list[str]:
    state = token_state(token, now_ms)
    until = f"until {iso(token.until_ms)[:_DAY]}" if state == "good" else state
    used = f"used {token.last_used}" if token.last_used else "never used"
    project = token.projects[0] if token.projects else ""
    where = roots.get(project) or project or "every project"
    return [token.token_id, token.name, token.scope, where, until, used]


def _revoke(token_id: str, container: Container, output: Output) -> None:
    now_ms = container.clock.now_ms()
    revoked = access_tokens(container).revoke(token_id.strip().lower(), now_ms)
    if output.json:
        told = token_answer(revoked, now_ms)
        output.answer({"type": "token_revoked", "token": told})
        return
    output.print(f"token {revoked.token_id} is revoked")
    output.say("it is refused from now on, and so is every browser that it let in")
