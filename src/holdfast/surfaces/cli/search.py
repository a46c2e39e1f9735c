"""`holdfast search` and `suggest`: find by words and filters, or by what is at work."""

import argparse
from collections.abc import Iterator

from holdfast.app.answers import search_answer
from holdfast.app.checkpoints.search import (
    MOST_HITS,
    SearchRequest,
    SearchResult,
    Suggestion,
    search,
    suggest,
)
from holdfast.app.checkpoints.which_session import LocatedSession, known_session, locate
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import AGENTS
from holdfast.domain.query import Query, Scope
from holdfast.domain.record import record
from holdfast.domain.text import beginning
from holdfast.reports.listing import (
    ShownLine,
    Viewer,
    reference,
    suggestion_lines,
)
from holdfast.search.query import misread
from holdfast.search.suggesting import MOST
from holdfast.surfaces.cli.commands import CommandCode
from holdfast.surfaces.cli.hits import print_blocks, print_hits, viewer_of
from holdfast.surfaces.cli.options import limit
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import spinner

_SHOWN = 40  # characters of what was typed
_WITH_VALUE = ("--limit", "--project", "--store")


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query", nargs="+", metavar="QUERY", help="words, filters, `-word` to exclude"
    )
    parser.add_argument("--all", action="store_true", help="search every project")
    parser.add_argument(
        "--limit",
        type=limit,
        default=MOST_HITS,
        metavar="N",
        help=f"find at most N ({MOST_HITS})",
    )


def arranged(words: list[str]) -> list[str]:
    """Return options first, then the query: its `-word` is no option."""
    options: list[str] = []
    query: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            query += rest
        elif word in _WITH_VALUE:
            options += [word, *([value] if (value := next(rest, None)) else [])]
        elif word.startswith("--") or word == "-h":
            options.append(word)
        else:
            query.append(word)
    return [*options, "--", *query] if query else options


def run_search(args: argparse.Namespace, container: Container, output: Output) -> int:
    request = SearchRequest(
        text=" ".join(args.query),
        now_ms=container.clock.now_ms(),
        zone=container.zone,
        limit=args.limit,
    )
    here = container.scope()
    found = search(container.store(), request, Scope() if args.all else here)
    if output.json:
        output.answer(search_answer(found.hits))
    else:
        viewer = viewer_of(found.query, here, request.now_ms, output)
        _print_found(found, viewer, container, output)
    return 0


def _print_found(
    found: SearchResult, viewer: Viewer, container: Container, output: Output
) -> None:
    for word in misread(found.query):
        told = beginning(container.redactor.text(word), _SHOWN)
        output.say(f"`{told}` is no filter: searched as a word")
        if word.lower().startswith(("after:", "before:")):
            output.say("hint: a date is `2026-01-18`, `yesterday` or `2 weeks ago`")
    if found.hits:
        print_hits(found.hits, viewer, output)
        best = reference(found.hits[0].checkpoint, viewer.project_id)
        output.say(f"\nhint: continue the first with `holdfast resume {best}`")
        return
    output.say("nothing found")
    if found.is_elsewhere:
        output.say("hint: another project has it: look in every one with `--all`")
    else:
        output.say("hint: use fewer words or filters; see `holdfast search --help`")


def add_suggest_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help="the session that is at work")
    parser.add_argument("--transcript", metavar="FILE", help="its transcript")
    parser.add_argument(
        "--limit",
        type=limit,
        default=MOST,
        metavar="N",
        help=f"suggest at most N ({MOST})",
    )


def run_suggest(args: argparse.Namespace, container: Container, output: Output) -> int:
    ports = container.ports()
    at_work, here = _at_work(args, container, ports), container.scope()
    with spinner(output, "reading the transcript"):
        found = suggest(at_work, here, ports, limit=args.limit)
    if output.json:
        answers = [_suggest_answer(suggestion) for suggestion in found]
        output.answer({"type": "list", "checkpoints": answers})
    elif found:
        viewer = viewer_of(Query(), here, container.clock.now_ms(), output)
        print_blocks(_suggestion_blocks(found, viewer), output)
    else:
        output.say("no earlier checkpoint matters to what this session does")
    return 0


def _at_work(
    args: argparse.Namespace, container: Container, ports: Ports
) -> LocatedSession:
    """Return the session named, the one this process is in, or the newest one here."""
    transcript = args.transcript
    is_named = args.session or transcript or known_session(container.environ, AGENTS[0])
    if not is_named:
        newest = ports.transcripts.newest
        transcript = newest(container.directory) or newest(container.workspace())
    return locate(
        args.session,
        transcript,
        container.environ,
        ports.transcripts,
        container.directory,
    )


def _suggest_answer(suggestion: Suggestion) -> dict[str, object]:
    return record(suggestion.checkpoint) | {
        "score": suggestion.strength,
        "why": "; ".join(suggestion.why),
    }


def _suggestion_blocks(
    found: tuple[Suggestion, ...], viewer: Viewer
) -> Iterator[Iterator[ShownLine]]:
    return (suggestion_lines(each.checkpoint, each.why, viewer) for each in found)


COMMANDS = {
    "search": CommandCode(run_search, add_search_arguments, arranged),
    "suggest": CommandCode(run_suggest, add_suggest_arguments),
}
