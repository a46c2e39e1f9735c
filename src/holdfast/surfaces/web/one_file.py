"""The page as one file: the same modules, joined, with the answers they would ask for.

It is read-only and opens without a server: its policy lets run what it was written with,
known by its hash, and nothing be loaded from anywhere.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from itertools import chain
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Any

from holdfast.app.checkpoints.lineage import Family
from holdfast.app.checkpoints.timeline import EVERY_PROJECT, Timelines
from holdfast.app.page_answers.checkpoint import checkpoint_answer
from holdfast.app.page_answers.timeline import projects_answer, rows_answer
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.surfaces.web.assets import assets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.store.port import Store

_START = "start.js"
_IMPORT = pattern(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT = pattern(
    r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE
)
_MOST_WHOLE = 300  # checkpoints told whole; of older ones a row is told
_ALL = 1_000_000
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="holdfast">
<title>holdfast</title>
<style>{style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="answers">{answers}</script>
<script>{script}</script>
</body>
</html>
"""


class FileWanted(NamedTuple):
    """Which project a file is about, and how its briefs are made."""

    store: Store
    timelines: Timelines
    project: str | None  # None: every one
    budget: int
    now_ms: int
    tilde: Callable[[str], str]


class TimelineFile(NamedTuple):
    text: str
    rows: int


def timeline_file(wanted: FileWanted) -> TimelineFile:
    """Return the page with the answers embedded."""
    answers = dict(chain.from_iterable(part(wanted) for part in EMBEDDED))
    rows = sum(
        len(v["columns"].get("id", ())) for k, v in answers.items() if _is_rows(k)
    )
    style = assets()["style.css"].text
    script = joined_modules()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'"
    )
    text = _PAGE.format(
        policy=policy, style=style, script=script, answers=embedded(answers)
    )
    return TimelineFile(text, rows)


def embedded(value: Any) -> str:
    """Return JSON that no parser of HTML finds a tag or a comment in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def joined_modules() -> str:
    """Return every module that the page starts from, each in a function of its own."""
    done: list[str] = []
    _add(_START, done, [])
    return "\n".join(['"use strict";', *(_wrapped(name) for name in done)])


def timeline_answers(wanted: FileWanted) -> Iterator[tuple[str, Any]]:
    """Yield what the timeline asks for: projects, rows, and checkpoints, newest first."""
    timelines = wanted.timelines
    projects = timelines.projects()
    own = wanted.project
    if own is not None:
        projects = {name: each for name, each in projects.items() if name == own}
    newest = own or next(iter(projects), "")
    yield "/api/projects", projects_answer(projects, newest, wanted.tilde)
    shown = [*projects] if own is not None else [*projects, EVERY_PROJECT]
    left = _MOST_WHOLE
    for project in shown:
        page = timelines.page(project, None, _ALL)
        yield f"/api/rows?project={project}", rows_answer(project, page)
        if project == EVERY_PROJECT:
            return
        family = Family(timelines.rows(project))
        for row in page.rows[:left]:
            found = page.records.get(row.outline.checkpoint_id)
            if found is not None:
                whole = checkpoint_answer(
                    found,
                    budget=wanted.budget,
                    now_ms=wanted.now_ms,
                    lineage=family.of(found.checkpoint_id),
                )
                yield f"/api/checkpoint/{found.checkpoint_id}", whole
                left -= 1


# What each page asks for, by the path it asks with: a page that works in a file has a
# function here.
EMBEDDED: tuple[Callable[[FileWanted], Iterator[tuple[str, Any]]], ...] = (
    timeline_answers,
)


def _is_rows(path: str) -> bool:
    return path.startswith("/api/rows") and not path.endswith(f"={EVERY_PROJECT}")


def _add(name: str, done: list[str], within: list[str]) -> None:
    """Put a module behind those it imports."""
    if name in done:
        return
    assert name not in within, f"{name} imports itself"  # noqa: S101  # a bug of ours
    for _, other in _IMPORT.findall(assets()[name].text):
        _add(_place(name, other), done, [*within, name])
    done.append(name)


def _wrapped(name: str) -> str:
    """Return a module as a constant that holds what it exports."""
    text = assets()[name].text

    def taken(found: re.Match[str]) -> str:
        names = re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(found[1].split()))
        return f"const {{ {names} }} = {_constant(_place(name, found[2]))};"

    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(taken, text))
    return (
        f"const {_constant(name)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"
    )


def _place(name: str, other: str) -> str:
    return normpath(join(dirname(name), other))


def _constant(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _hash(text: str) -> str:
    from hashlib import sha256  # nobody else here needs it

    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
