"""`holdfast search`: find checkpoints by words and filters."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.app.checkpoints.search import (
    MOST_HITS,
    SearchRequest,
    SearchResult,
    search,
)
from holdfast.app.json_answers import search_answer
from holdfast.bootstrap import Container
from holdfast.domain.query import Scope
from holdfast.domain.text import beginning, plain
from holdfast.kernel.errors import TeamUnreachable
from holdfast.reports.listing import Viewer, reference
from holdfast.reports.observations import recalled
from holdfast.search.query import misread
from holdfast.surfaces.cli.hits import print_hits, viewer_of
from holdfast.surfaces.cli.options import limit
from holdfast.surfaces.cli.output import Output

if TYPE_CHECKING:
    from holdfast.domain.checkpoint import Checkpoint
    from holdfast.domain.record_content import Json
    from holdfast.mirrors.port import MirrorHit

_SHOWN = 40  # characters of what was typed
_WITH_VALUE = ("--limit", "--mirror", "--project", "--store")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        nargs="+",
        metavar="QUERY",
        help="words and filters; `-word` excludes a word",
    )
    parser.add_argument("--all", action="store_true", help="search every project")
    parser.add_argument(
        "--team",
        action="store_true",
        help="search the team's database; this machine's store if it does not answer",
    )
    parser.add_argument(
        "--limit",
        type=limit,
        default=MOST_HITS,
        metavar="N",
        help=f"find at most N ({MOST_HITS})",
    )
    parser.add_argument(
        "--mirror",
        choices=("claude-mem", "memora"),
        help="also search in this mirror",
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


def run(args: argparse.Namespace, container: Container, output: Output) -> int:
    request = SearchRequest(
        text=" ".join(args.query),
        now_ms=container.clock.now_ms(),
        zone=container.zone,
        limit=args.limit,
    )
    here = container.scope()
    found = _of_team(request, args, container, output) if args.team else None
    if found is None:
        found = search(container.store(), request, Scope() if args.all else here)
    mirrored = _mirrored(args, container) if args.mirror else None
    if output.json:
        output.answer(search_answer(found.hits) | _mirror_json(args.mirror, mirrored))
        return 0
    viewer = viewer_of(found.query, here, request.now_ms, output)
    _print(found, viewer, container, output)
    if mirrored is not None:
        output.print(f"\nFrom {args.mirror}, in its own words:")
        for hit in mirrored:
            output.print(f"  {hit.remote} - {plain(hit.title)}")
            output.print(f"    {plain(hit.text)}")
        if not mirrored:
            output.say("  nothing found")
    return 0


def _of_team(
    request: SearchRequest,
    args: argparse.Namespace,
    container: Container,
    output: Output,
) -> SearchResult | None:
    """Return what the team has, or None, and why, if it does not answer in time."""
    from holdfast.app.sharing.team_lookup import search_team
    from holdfast.bootstrap.team import team_store

    try:
        with team_store(container) as team:
            return search_team(
                team,
                request,
                container.identity,
                container.store().machine,
                everywhere=args.all,
            )
    except TeamUnreachable as problem:
        output.warn(f"{problem.message}; only this machine was searched")
        return None


def _mirrored(args: argparse.Namespace, container: Container) -> tuple[MirrorHit, ...]:
    """Return what a mirror finds for the words; filters are ours, and it knows none."""
    from holdfast.bootstrap.mirrors import mirror_setting, open_mirror

    mirror = open_mirror(container, mirror_setting(container, args.mirror))
    return mirror.search(" ".join(args.query), args.limit)


def _mirror_json(name: str | None, hits: tuple[MirrorHit, ...] | None) -> Json:
    if hits is None:
        return {}
    found = [
        {
            "remote": hit.remote,
            "title": hit.title,
            "text": hit.text,
            "checkpoint": hit.checkpoint_id or None,
        }
        for hit in hits
    ]
    return {"mirror": {"target": name, "found": found}}


def _print(
    found: SearchResult, viewer: Viewer, container: Container, output: Output
) -> None:
    for word in misread(found.query):
        told = beginning(container.redactor.text(word), _SHOWN)
        output.say(f"`{told}` is not a filter: searched as a word")
        if word.lower().startswith(("after:", "before:")):
            output.say("hint: a date is `2026-01-18`, `yesterday` or `2 weeks ago`")
    if found.hits:
        print_hits(found.hits, viewer, output)
        best = reference(found.hits[0].checkpoint, viewer.project_id)
        if found.query.checkpoint and len(found.hits) == 1:
            output.print(f"\n{_recalled(found.hits[0].checkpoint, container)}")
            output.say("\nContinue work from this checkpoint?")
        output.say(f"\nhint: continue the first with `holdfast resume {best}`")
        return
    output.say("nothing found")
    if found.is_elsewhere:
        output.say("hint: another project has it: search all of them with `--all`")
    else:
        output.say("hint: use fewer words or filters; see `holdfast search --help`")


def _recalled(checkpoint: Checkpoint, container: Container) -> str:
    if not container.config.targets:
        return recalled(checkpoint)
    from holdfast.app.sharing.mirroring import mirrored, observation_numbers

    own = checkpoint.checkpoint_id
    known = mirrored([own], container.store()).get(own, {})
    return recalled(checkpoint, observation_numbers(known))
