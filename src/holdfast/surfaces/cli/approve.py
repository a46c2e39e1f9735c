"""`holdfast approve`: read somebody else's checkpoint and allow continuing from it.

It asks a person: it needs a terminal, and refuses one below an agent's client. A program
that runs as the user and hides where it comes from is not told from the user.
"""

import argparse

from holdfast.app.notes.named import resume_named
from holdfast.bootstrap import Container
from holdfast.bootstrap.sharing import approvals
from holdfast.domain.text import plain
from holdfast.kernel.errors import CHECK_SAYS_NO, DONE, NotApproved
from holdfast.kernel.ids import reference
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import ask, can_ask, is_read_by_a_person

_EVERYTHING = 8_000  # tokens: the most that a tool tells of it afterwards


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the checkpoint, such as 42@laptop")
    parser.add_argument("--revoke", action="store_true", help="withdraw your approval")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    scope, ports = container.scope(), container.ports()
    budget = max(_EVERYTHING, container.budget(None))
    told = resume_named(reference(args.ref), scope, ports, budget=budget)
    found, kept = told.checkpoint, approvals(container)
    if args.revoke:
        was = kept.remove(found.content_hash)
        return _done(output, found.checkpoint_id, is_on=False, was=was)
    if told.is_approved:
        return _done(output, found.checkpoint_id, is_on=True, was=True)
    if not (is_read_by_a_person(container.environ, output) and can_ask(output)):
        raise NotApproved(
            "only a person can approve somebody else's checkpoint, at a terminal",
            hint=f"run `holdfast approve {plain(found.reference)}` in a terminal of your"
            " own, outside the agent",
        )
    output.print(told.brief)
    who = plain(found.author)
    question = f"May your sessions continue from this, which {who} said? [y/N] "
    if (ask(question, output) or "").strip().lower() not in ("y", "yes"):
        output.say("nothing was approved")
        return CHECK_SAYS_NO
    kept.add(found.content_hash)
    return _done(output, found.checkpoint_id, is_on=True, was=False)


def _done(output: Output, checkpoint_id: str, *, is_on: bool, was: bool) -> int:
    if output.json:
        told = {"type": "approved", "checkpoint": checkpoint_id, "approved": is_on}
        output.answer(told)
    elif is_on:
        output.say("it is yours, or you approved it before" if was else "agreed")
    else:
        output.say("taken back" if was else "it was not approved before")
    return DONE
