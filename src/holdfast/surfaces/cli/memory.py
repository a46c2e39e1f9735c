"""`holdfast memory`: show or add to the project's facts, log and lessons."""

import argparse

from holdfast.app.checkpoints.which_session import known_session
from holdfast.app.notes.memory import (
    Memory,
    MemoryPorts,
    RememberedEntry,
    Tidied,
    add_episode,
    add_fact,
    add_lesson,
    lesson_candidates,
    memory_of,
    tidy,
)
from holdfast.app.notes.session_notes import gather_notes
from holdfast.app.notes.workflows import Proposal, proposals
from holdfast.bootstrap import Container
from holdfast.bootstrap.projects import memory_ports
from holdfast.domain.session import SessionState
from holdfast.kernel.errors import DONE, HoldfastError, UsageWrong
from holdfast.project_notes.memory.entries import DECLINED
from holdfast.project_notes.memory.episodes import episode_line
from holdfast.project_notes.memory.facts import fact_line
from holdfast.project_notes.memory.lessons import lesson_line
from holdfast.project_notes.memory.workflows import proposal
from holdfast.surfaces.cli.options import exclude, offer, session_meant
from holdfast.surfaces.cli.output import Output

_PARTS = ("facts", "log", "lessons")
_OF_SESSION = ("show", "workflows", "lessons")  # what the session at hand adds to


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "action",
        nargs="?",
        choices=("show", *_PARTS, "workflows", "tidy"),
        default="show",
        metavar="ACTION",
        help="show, facts, log, lessons, workflows or tidy (default: show)",
    )
    add(
        "verb",
        nargs="?",
        choices=("add",),
        metavar="add",
        help="add TEXT to facts, log or lessons",
    )
    add("text", nargs="*", metavar="TEXT", help="what to remember")
    add(
        "--section",
        metavar="S",
        help="the section for a fact (default: chosen by its words)",
    )
    add(
        "--type",
        default="EVENT",
        metavar="T",
        help="the type of a log entry, such as DECISION (EVENT)",
    )
    add(
        "--violated",
        action="store_true",
        help="this lesson was known and was not followed",
    )
    add("--decline", metavar="NAME", help="do not propose this workflow again")
    add(
        "--session",
        metavar="ID",
        help="the session to search for workflows and repeated mistakes",
    )
    add("--transcript", metavar="FILE", help="the transcript to read")
    add(
        "--exclude",
        action="store_true",
        help="also list the files in `.git/info/exclude`",
    )


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    _refuse_nonsense(args)
    ports = memory_ports(container, container.workspace())
    kept = _remembered(args, ports) if args.verb else None
    tidied = tidy(ports, container.clock.now_ms()) if args.action == "tidy" else None
    state = _state(args, container, output)
    found: tuple[Proposal, ...] = ()
    if args.action in ("show", "workflows"):
        found = proposals(state, ports.files)
    if args.decline:
        _refuse_unknown(args.decline, found)
        kept = add_episode(ports, args.decline, DECLINED)
        found = tuple(one for one in found if one.name != args.decline)
    memory = memory_of(ports.files)
    is_asked = state is not None and args.action == "lessons"
    again = lesson_candidates(state, memory, ports.redactor) if is_asked else ()
    if output.json:
        answer = _answer(args.action, memory, found, kept, tidied)
        output.answer(answer | ({"candidates": list(again)} if again else {}))
    else:
        _print(args.action, memory, found, kept, tidied, output)
        _print_candidates(again, output)
    if args.exclude:
        exclude(ports.files, output)
    if kept:
        offer([kept.file], ports.files, "holdfast memory", output)
    return DONE


def _print_candidates(again: tuple[str, ...], output: Output) -> None:
    """Say which mistakes the user called repeated; only a person makes lessons of them,
    or the handoff."""
    if not again:
        return
    output.print("\n".join((f"candidates ({len(again)})", *(f"  {t}" for t in again))))
    output.say("hint: add one with `holdfast memory lessons add TEXT`")


def _refuse_nonsense(args: argparse.Namespace) -> None:
    if args.verb and args.action not in _PARTS:
        raise UsageWrong(
            f"`memory {args.action}` takes no `add`",
            hint="use `memory facts add`, `memory log add` or `memory lessons add`",
        )
    if args.verb and not args.text:
        raise UsageWrong(
            "there is no text to remember",
            hint=f"use `memory {args.action} add TEXT`",
        )
    if args.decline and args.action != "workflows":
        raise UsageWrong(
            "`--decline` is for workflows", hint="use `memory workflows --decline NAME`"
        )


def _refuse_unknown(name: str, found: tuple[Proposal, ...]) -> None:
    names = [proposal.name for proposal in found]
    if name in names:
        return
    shown = ", ".join(f"`{one}`" for one in names)
    raise UsageWrong(
        f"no workflow `{name}` is proposed here",
        hint=f"use one of {shown}"
        if names
        else "name the session that proposes it: `--session ID`",
    )


def _remembered(args: argparse.Namespace, ports: MemoryPorts) -> RememberedEntry:
    text = " ".join(args.text)
    if args.action == "facts":
        return add_fact(ports, text, args.section)
    if args.action == "log":
        return add_episode(ports, text, args.type)
    return add_lesson(ports, text, was_violated=args.violated)


def _state(
    args: argparse.Namespace, container: Container, output: Output
) -> SessionState | None:
    """Return the session to look at; without one, the log still knows some."""
    if args.verb or args.action not in _OF_SESSION:
        return None
    ports = container.ports()
    is_known = known_session(container.environ, ports.transcripts.agent) is not None
    is_named = bool(args.session or args.transcript)
    if not (is_named or (is_known and args.action != "show")):
        return None
    try:
        found = session_meant(args, container, ports.transcripts, output)
    except HoldfastError:
        if is_named or args.action == "workflows":
            raise
        return None  # what is in the file can be shown without it
    return gather_notes(found, ports, container.directory, directory_given=True).state


def _answer(
    action: str,
    memory: Memory,
    found: tuple[Proposal, ...],
    kept: RememberedEntry | None,
    tidied: Tidied | None,
) -> dict[str, object]:
    answer: dict[str, object] = {
        "type": "memory",
        "facts": [
            {
                "text": f.text,
                "section": f.section,
                "by": "holdfast" if f.is_ours else "person",
            }
            for f in memory.facts
        ],
        "log": [
            {"date": e.date, "type": e.type, "ttl": e.ttl, "ref": e.ref, "text": e.text}
            for e in memory.log
        ],
        "lessons": [
            {
                "date": lesson.date,
                "title": lesson.title,
                "conf": lesson.trust and lesson.trust.conf,
                "seen": lesson.trust and lesson.trust.seen,
                "obs": lesson.trust and lesson.trust.obs,
                "body": lesson.body,
            }
            for lesson in memory.lessons
        ],
        "workflows": [
            {
                "signature": each.workflow.signature,
                "name": each.name,
                "triggers": list(each.triggers),
                "here": each.workflow.here,
                "ever": each.workflow.ever,
                "evidence": list(each.workflow.evidence),
            }
            for each in found
        ],
    }
    for part in _PARTS:
        if action in _PARTS and part != action:
            answer[part] = []
    if kept:
        answer["did"] = kept.outcome.did
        answer["text"] = kept.outcome.text
        answer["old"] = kept.outcome.old
    if tidied:
        answer["tidied"] = _tidied_lines(tidied)
        answer["unified"] = tidied.unified
        answer["old_snapshots"] = [
            f"{place}/{seen.name}" for place, seen in tidied.old_snapshots
        ]
    return answer


def _print(
    action: str,
    memory: Memory,
    found: tuple[Proposal, ...],
    kept: RememberedEntry | None,
    tidied: Tidied | None,
    output: Output,
) -> None:
    if kept:
        was = f" (was: {kept.outcome.old})" if kept.outcome.old else ""
        output.print(f"{kept.outcome.did}: {kept.outcome.text}{was}")
        return
    if tidied:
        _print_tidied(tidied, output)
        return
    parts = {
        "facts": [fact_line(fact) for fact in memory.facts],
        "log": [episode_line(episode) for episode in memory.log],
        "lessons": [lesson_line(lesson) for lesson in memory.lessons],
    }
    for part, lines in parts.items():
        if action in ("show", part):
            output.print("\n".join((f"{part} ({len(lines)})", *lines)))
    for each in found:
        output.print(proposal(each.workflow, each.name, each.triggers))
    if action == "workflows" and not found:
        output.say("no workflow was repeated often enough")


def _print_tidied(tidied: Tidied, output: Output) -> None:
    lines = _tidied_lines(tidied)
    if tidied.unified:
        lines.append("unified: old handoff names in memory/MEMORY.md")
    lines += [
        f"old: {place}/{seen.name}: you can delete or keep it"
        for place, seen in tidied.old_snapshots
    ]
    output.print("\n".join(lines) or "nothing to tidy")


def _tidied_lines(tidied: Tidied) -> list[str]:
    """Return what tidying did to the files, a line for each thing."""
    facts = [each for each in tidied.promoted if each.did != "conflict"]
    refused = [each for each in tidied.promoted if each.did == "conflict"]
    return [
        *(f"promoted to a fact: {each.text}" for each in facts),
        *(f"not promoted, contradicts `{each.old}`: {each.text}" for each in refused),
        *(f"expired: {episode.text}" for episode in tidied.expired),
        *(f"archived: {lesson.title}" for lesson in tidied.archived),
    ]
