"""`holdfast resume`: print the brief of a checkpoint for the next session."""

import argparse
from collections.abc import Sequence

from holdfast.app.checkpoints.approval import how_to_approve, preview_answer, quoted
from holdfast.app.checkpoints.find import offer_of
from holdfast.app.checkpoints.resume import Resumed
from holdfast.app.checkpoints.which_session import begin_from, known_session
from holdfast.app.json_answers import resume_answer
from holdfast.app.notes.named import consume, named_here, resume_named
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import AGENTS
from holdfast.brief.drift_marks import ground_truth
from holdfast.domain.amounts import age
from holdfast.domain.text import plain
from holdfast.kernel.errors import (
    CHECK_SAYS_NO,
    DONE,
    PARTS_MISSING,
    CheckpointNotFound,
    TeamUnreachable,
)
from holdfast.kernel.ids import Reference, reference
from holdfast.project_notes.named_file import NamedFile
from holdfast.surfaces.cli.options import tokens
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import ask, can_ask, is_read_by_a_person

_SEVERAL = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref",
        nargs="?",
        metavar="REF",
        help="number, id, name, `latest` … (default: this worktree's latest)",
    )
    parser.add_argument(
        "--budget", type=tokens, metavar="TOKENS", help="fit the brief into TOKENS"
    )
    parser.add_argument(
        "--consume",
        action="store_true",
        help="also free its name and remove its file from the client's memory",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    scope, ports = container.scope(), container.ports()
    wanted = args.ref or _chosen(named_here(scope.workspace, ports), output)
    named = reference(wanted) if wanted else None
    budget = container.budget(args.budget)
    try:
        resumed = resume_named(named, scope, ports, budget=budget)
    except CheckpointNotFound:
        if named is None or not _is_fetched(named, container, output):
            raise
        resumed = resume_named(named, container.scope(), ports, budget=budget)
    if not resumed.is_approved and not is_read_by_a_person(container.environ, output):
        return _quoted(resumed, container, output, consumes=args.consume)
    _tell(resumed, container, output)
    session = known_session(container.environ, AGENTS[0])
    if not args.consume:
        _go_on(resumed, session, ports)
        return DONE
    output.stdout.flush()  # what nobody received is not consumed
    remarks = consume(resumed.checkpoint, scope, ports)
    for remark in remarks:
        output.warn(remark)
    if session:
        begin_from(resumed.checkpoint, session, ports)
    return PARTS_MISSING if remarks else DONE


def _is_fetched(named: Reference, container: Container, output: Output) -> bool:
    """Ask the team for what is not here; False if it is not asked, or has no answer."""
    from holdfast.app.sharing.team_lookup import fetch, is_of_others
    from holdfast.bootstrap.team import has_team, team_store

    if not has_team(container) or not is_of_others(named):
        return False
    try:
        with team_store(container) as team:
            fetch(named, container.directory, container.ports(), lambda: team)
    except CheckpointNotFound:
        return False
    except TeamUnreachable as problem:
        output.warn(f"{problem.message}; only this machine was searched")
        return False
    return True


def _go_on(resumed: Resumed, session: str | None, ports: Ports) -> None:
    """An agent that fetches what its start offered goes on with it."""
    named = resumed.checkpoint.checkpoint_id
    if session and offer_of(session, named, ports) == "made":
        begin_from(resumed.checkpoint, session, ports)


def _quoted(
    resumed: Resumed, container: Container, output: Output, *, consumes: bool
) -> int:
    """Tell somebody else's as that; what was not agreed to is not consumed either."""
    text = quoted(resumed, container.ports())
    if output.json:
        how = how_to_approve(resumed.checkpoint)
        output.answer(preview_answer(resumed.checkpoint, text, how))
    else:
        output.print(text)
    return CHECK_SAYS_NO if consumes else DONE


def _chosen(named: Sequence[NamedFile], output: Output) -> str | None:
    """Let a person choose where several are named; None means the latest."""
    if len(named) < _SEVERAL:
        return None
    rows = "\n".join(
        f"{n:>3}  {file.name}  ({plain(file.branch)}, {file.saved})"
        for n, file in enumerate(named, 1)
    )
    if not can_ask(output):
        output.say(
            f"there are several named checkpoints; choose one with `holdfast resume NAME`:\n{rows}"
        )
    answer = ask(f"{rows}\nWhich one? [number or name; Enter: the latest] ", output)
    if answer and answer.isdigit() and 0 < int(answer) <= len(named):
        return named[int(answer) - 1].name
    return answer


def _tell(resumed: Resumed, container: Container, output: Output) -> None:
    if output.json:
        output.answer(resume_answer(resumed))
        return
    title = plain(resumed.checkpoint.draft.content.title)
    when = age(container.clock.now_ms(), resumed.checkpoint.draft.created_at)
    output.say(f'↻ Resumed from checkpoint: "{title}" (saved {when})')
    if resumed.moved:
        then, now = plain(resumed.moved.then), plain(resumed.moved.now)
        output.say(f"warning: this is `{now}`, the checkpoint was saved on `{then}`")
        output.say(f"hint: {resumed.moved.command}")
    if resumed.drift.drifted:
        output.say(ground_truth(resumed.drift))
    output.print(resumed.brief)
