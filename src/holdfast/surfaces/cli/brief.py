"""`holdfast brief`: print the brief of a transcript and store nothing."""

import argparse

from holdfast.app.checkpoints.drafting import session_brief
from holdfast.app.hooks.event import HookEvent
from holdfast.app.hooks.start import preview
from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import hook_context
from holdfast.kernel.lazy_values import replace
from holdfast.surfaces.cli.options import session_meant, tokens
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "transcript", nargs="?", metavar="TRANSCRIPT", help="the transcript to read"
    )
    parser.add_argument("--session", metavar="ID", help="the session to look for")
    parser.add_argument(
        "--budget", type=tokens, metavar="TOKENS", help="fit the brief into TOKENS"
    )
    parser.add_argument(
        "--agent", default="claude-code", metavar="NAME", help="whose transcript it is"
    )
    parser.add_argument(
        "--preview",
        action="store_true",
        help="show what the next session here would be told, and by which rule",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if args.preview:
        return _preview(args, container, output)
    ports = container.ports(agent=args.agent)
    found = session_meant(args, container, ports.transcripts, output)
    with spinner(output, "reading the transcript"):
        told = session_brief(found, ports, budget=container.budget(args.budget))
    if output.json:
        output.answer(
            {
                "type": "brief",
                "brief": told.text,
                "receipt": {kind: list(pair) for kind, pair in told.receipt.items()},
                "tokens": told.tokens,
            }
        )
    else:
        output.print(told.text)
    return 0


def _preview(args: argparse.Namespace, container: Container, output: Output) -> int:
    """Nobody's process: the preview is what a new window here would be told."""
    context = hook_context(container, 0, is_headless=False)
    if args.budget is not None:
        context = replace(
            context, settings=replace(context.settings, budget=args.budget)
        )
    event = HookEvent(name="SessionStart", session_id="", source="startup")
    shown = preview(replace(event, directory=container.directory), context)
    if output.json:
        output.answer(
            {
                "type": "preview",
                "rule": shown.rule,
                "what": shown.what,
                "context": shown.context,
                "line": shown.line,
                "tokens": shown.tokens,
            }
        )
        return 0
    output.say(f"{shown.what}, by the rule `{shown.rule}`, {shown.tokens} tokens")
    output.print(shown.context or "nothing")
    return 0
