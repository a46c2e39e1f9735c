"""`holdfast save`: make a checkpoint of a session."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator

from holdfast.app.checkpoints.drafting import (
    SaveRequest,
    clean_name,
    clean_tags,
    clean_title,
)
from holdfast.app.checkpoints.save import (
    NothingToSave,
    Saved,
    SaveResult,
    Spooled,
    save,
)
from holdfast.app.checkpoints.which_session import known_session
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.bootstrap.hooks import refresh_variables
from holdfast.domain.checkpoint import CHECKPOINT_TYPES, Checkpoint
from holdfast.domain.record import record
from holdfast.domain.record_content import Json
from holdfast.domain.text import visible
from holdfast.facts.statements.notes import Notes, parse_notes
from holdfast.kernel import ids
from holdfast.kernel.errors import (
    DONE,
    INTEGRITY_FAILED,
    PARTS_MISSING,
    NameTaken,
    NotesInvalid,
)
from holdfast.kernel.lazy_values import replace
from holdfast.reports.saved import (
    left_out_remarks,
    named_report,
    one_line_report,
    report,
    two_line_report,
    went_in,
)
from holdfast.surfaces.cli.options import session_meant
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import ask, spinner

_MOST_NOTES = 1_000_000  # bytes
_MIRROR_SECONDS = 2.0
_EXIT = {"WORKING": DONE, "PARTIAL": PARTS_MISSING, "BROKEN": INTEGRITY_FAILED}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--title", metavar="T", help="the title (default: made from the work)")
    add(
        "--name",
        nargs="?",
        const="",
        metavar="N",
        help="a name to find it by, such as `api-design`; without N one is suggested",
    )
    add("--tags", metavar="a,b", help="tags of your own, separated by commas")
    add(
        "--type",
        choices=CHECKPOINT_TYPES,
        default="manual",
        help="the kind of checkpoint",
    )
    add(
        "--summary-only",
        action="store_true",
        help="leave out the detailed observations",
    )
    add("--include-files", action="store_true", help="list the changes file by file")
    add("--notes", metavar="FILE", help="add notes from a JSON file; `-` reads stdin")
    add("--session", metavar="ID", help="the session to save")
    add("--transcript", metavar="FILE", help="the transcript to read")
    add(
        "--agent",
        default="claude-code",
        metavar="NAME",
        help="the agent whose session it is",
    )
    add(
        "--key",
        metavar="K",
        help="saving again with the same key makes no second checkpoint",
    )
    add("--verbose", action="store_true", help="print all that was found and saved")
    add("--force", action="store_true", help="replace the checkpoint that has the name")


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    if container.config.is_off_in(container.directory):
        return _tell(NothingToSave("holdfast is off here"), None, container, output)
    ports = container.ports(agent=args.agent, create=True)
    # Who wants to see everything sees what mirrors call it, if they say so in a moment.
    container.sync_patience = _MIRROR_SECONDS if args.verbose else 0.0
    found = session_meant(args, container, ports.transcripts, output)
    notes = _notes(args.notes)
    request = SaveRequest(
        session_id=found.session_id,
        transcript=container.absolute(found.transcript),
        directory=container.directory,
        directory_given=container.project_given,
        key=args.key or container.new_key(),
        type=args.type,
        title=clean_title(args.title),
        name=clean_name(args.name, ports.redactor) if args.name else None,
        replace_name=args.force,
        tags=clean_tags((args.tags or "").split(",")),
        notes=notes,
        summary_only=args.summary_only,
        include_files=args.include_files,
        parent_session=_parent(found.session_id, args.agent, container),
        budget=container.budget(None),
        is_at_work=container.is_at_work(found.session_id, args.agent),
    )
    if args.name == "":
        request = replace(request, name=_suggested(request, ports, output))
    result = _saved(request, ports, output)
    if isinstance(result, Saved) and (
        trouble := refresh_variables(container, found.session_id)
    ):
        output.warn(trouble)
    return _tell(result, notes, container, output, is_verbose=args.verbose)


def _parent(session_id: str, agent: str, container: Container) -> str | None:
    """The environment names the parent of its own session, not of any other."""
    own = known_session(container.environ, agent)
    return container.parent_session() if own in (None, session_id) else None


def _saved(request: SaveRequest, ports: Ports, output: Output) -> SaveResult:
    """Save, asking about a taken name as long as there is someone who answers."""
    while True:
        try:
            with spinner(output, "reading the transcript"):
                return save(request, ports)
        except NameTaken as taken:
            answer = ask(f"{taken.message}\nOverwrite? [y/N, or another name] ", output)
            if answer is None or answer.lower() in ("", "n", "no"):
                raise
            if answer.lower() in ("y", "yes"):
                request = replace(request, replace_name=True)
            else:
                request = replace(request, name=clean_name(answer, ports.redactor))


def _suggested(request: SaveRequest, ports: Ports, output: Output) -> str | None:
    from holdfast.app.notes.save_named import suggested

    name = suggested(request, ports)
    answer = ask(f"Name it `{name}`? [Y, or another name] ", output)
    if answer is None or answer.lower() in ("", "y", "yes"):
        return name
    return clean_name(answer, ports.redactor)


def _notes(source: str | None) -> Notes | None:
    if source is None:
        return None
    try:
        if source == "-":
            text = sys.stdin.read(_MOST_NOTES + 1)
        else:
            with open(source, encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_NOTES + 1)
    except OSError as problem:
        raise NotesInvalid(
            f"the notes in `{visible(source)}` cannot be read: {problem.strerror}",
            hint="pass a JSON file, or `-` and the JSON on stdin",
        ) from None
    if len(text) > _MOST_NOTES:
        raise NotesInvalid(
            f"the notes are longer than {_MOST_NOTES:,} characters",
            hint="limit notes to what the next session must know",
        )
    return parse_notes(_json(text))


def _json(text: str) -> object:
    # A client asks its user before it runs a command with braces and quotes in it.
    bare = text.lstrip().startswith('"')
    try:
        return json.loads(f"{{{text}}}" if bare else text)
    except (ValueError, RecursionError) as problem:
        raise NotesInvalid(
            f"the notes are not JSON: {problem}",
            hint='notes look like `{"title": "…", "next_steps": ["…"]}`',
        ) from None


def _tell(
    result: SaveResult,
    notes: Notes | None,
    container: Container,
    output: Output,
    *,
    is_verbose: bool = False,
) -> int:
    unknown = sorted(map(container.redactor.text, notes.unknown)) if notes else []
    if output.json:
        from holdfast.app.json_answers import save_answer

        output.answer(save_answer(result, unknown, _shape(container)))
    match result:
        case Saved():
            if not output.json:
                told = _text(result, container, output, is_verbose=is_verbose)
                output.print(told)
                for remark in _remarks(result, unknown, container):
                    output.say(remark)
            return _EXIT[result.status]
        case Spooled(reason=reason, hint=hint):
            output.say(f"the store could not take it: {reason}")
            output.say(
                "nothing is lost: the save waits and is stored with the next one"
            )
            output.say(f"hint: {hint}" if hint else "hint: see `holdfast doctor`")
            return PARTS_MISSING
        case NothingToSave(reason=reason):
            output.say(f"nothing to save: {reason}")
            return DONE


def _text(
    saved: Saved, container: Container, output: Output, *, is_verbose: bool
) -> str:
    if saved.outcome == "unchanged":
        return f"nothing new since {ids.label(saved.checkpoint.number)}"
    if is_verbose:
        return _whole_report(saved.checkpoint, container)
    if saved.checkpoint.name:
        return named_report(saved.checkpoint.name)
    if output.quiet:
        return one_line_report(saved.checkpoint)
    return two_line_report(saved.checkpoint)


def _shape(container: Container) -> Callable[[Checkpoint], Json]:
    if not container.config.targets:
        return record
    from holdfast.app.sharing.mirroring import mirrored_record

    return lambda checkpoint: mirrored_record(checkpoint, container.store())


def _whole_report(checkpoint: Checkpoint, container: Container) -> str:
    if not container.config.targets:
        return report(checkpoint)
    from holdfast.app.sharing.mirroring import mirrored, observation_numbers
    from holdfast.reports.mirror_lines import fallback_report, mirror_names

    store = container.store()
    remotes = mirrored([checkpoint.checkpoint_id], store).get(
        checkpoint.checkpoint_id, {}
    )
    parts = (
        fallback_report(checkpoint, store.outbox.states()),
        report(checkpoint, observation_numbers(remotes)),
        "\n".join(mirror_names(remotes)),
    )
    return "\n\n".join(filter(None, parts))


def _remarks(saved: Saved, unknown: list[str], container: Container) -> Iterator[str]:
    for gap in saved.gaps:
        yield f"{saved.status}: {gap}"
    yield from left_out_remarks(saved.checkpoint.draft.code.left_out)
    if container.config.targets:
        from holdfast.reports.mirror_lines import down_lines

        yield from down_lines(container.store().outbox.states())
    if unknown:
        yield f"notes: unknown fields were kept: {', '.join(unknown)}"
    for waited in saved.drained:
        yield f"{went_in(waited)}, before this one"
    if saved.notice:
        yield saved.notice
    elif saved.checkpoint.draft.workspace != container.workspace():
        yield f"it belongs to `{saved.checkpoint.draft.workspace}`"
