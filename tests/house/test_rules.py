"""Rules of the house that no linter knows."""

import ast
import re
from pathlib import Path

import pytest

from holdfast.surfaces.cli.commands import SUMMARIES
from holdfast.surfaces.cli.parse import command_module
from holdfast.surfaces.hooks.events import ANSWERS

_ROOT = Path(__file__).parents[2]
_MODULES = sorted((_ROOT / "src").rglob("*.py"))
_CODE = [*_MODULES, *sorted((_ROOT / "tests").rglob("*.py"))]
_MOST_LINES = 400


def _name(path: Path) -> str:
    return str(path.relative_to(_ROOT))


@pytest.mark.parametrize("path", _MODULES, ids=_name)
def test_a_file_fits_in_a_head(path: Path) -> None:
    """Aim at 200 lines, stop at 400: longer files want to be two."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= _MOST_LINES


# Small, and still a subject: why each stands alone.
_SMALL = {
    "agents/copilot/agent.py": "the door of an agent, as each has one",
    "agents/opencode/agent.py": "the door of an agent, as each has one",
    "agents/pi/agent.py": "the door of an agent, as each has one",
    "agents/claude_code/wiring/processes.py": "starts a program, beside what only writes",
    "app/administration/standing.py": "asked by the server, which imports no verb",
    "app/administration/why.py": "a verb, as each has its file",
    "app/checkpoints/kept_where.py": "a question of a save, asked twice",
    "app/checkpoints/uncommitted.py": "pure, beside verbs that act",
    "branches/beginnings.py": "asked by hooks, which do not import the lineage",
    "bootstrap/agents.py": "where the next agent gets its line",
    "bootstrap/projects.py": "what the commands for files of a project need, and no hook",
    "bootstrap/redacting.py": "for errors and logs, when nothing else could be wired",
    "bootstrap/serving.py": "what the server needs, and no other command",
    "brief/lost_in_summary.py": "a question of one event",
    "data_directory/approvals.py": "keeps a promise of its own in the port",
    "data_directory/processes.py": "keeps a promise of its own in the port",
    "domain/amounts.py": "five ways to say an amount, used by twenty modules",
    "domain/forgetting.py": "the values of a subject that has verbs in four rooms",
    "domain/outbox.py": "the values of a subject that has verbs in three rooms",
    "facts/commands/walked_again.py": "a question of one event",
    "kernel/digests.py": "keeps OpenSSL out of every hook",
    "kernel/streams.py": "comes before anything else is imported",
    "kernel/zone.py": "keeps the calendar out of every hook",
    "surfaces/web/failures.py": "pure counting, beside the door that acts",
    "surfaces/web/programs.py": "what the page must know of the other surface: nothing",
    "start/resume_answers.py": "read before anything else of a start is imported",
}
_FEWEST_LINES = 40
# A command, and what a page answers, has the file of its name, however short.
_ONE_EACH = ("surfaces/cli/", "app/page_answers/")


def test_a_file_is_a_subject_and_no_single_helper() -> None:
    """A helper is looked for where it is needed; its own file is one name more to know."""
    small = {
        path.relative_to(_ROOT / "src" / "holdfast").as_posix()
        for path in _MODULES
        if path.stem not in ("__init__", "__main__")
        and len(list(filter(str.strip, path.read_text("utf-8").splitlines())))
        < _FEWEST_LINES
    }

    assert {path for path in small if not path.startswith(_ONE_EACH)} <= {*_SMALL}


@pytest.mark.parametrize("path", _MODULES, ids=_name)
def test_a_module_says_what_it_is(path: Path) -> None:
    """The first thing a reader sees is one sentence about the file."""
    assert path.read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("path", _CODE, ids=_name)
def test_a_suppression_carries_its_reason(path: Path) -> None:
    """A `noqa` or `type: ignore` without a reason is a rule nobody can question."""
    bare = [
        line.strip()
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"#\s*(noqa|type: ignore)", line)
        and not re.search(r"(noqa: [A-Z0-9, ]+|ignore\[[\w, -]+\])\s+#\s*\S", line)
        and "re.search" not in line
    ]

    assert bare == []


@pytest.mark.parametrize("path", _CODE, ids=_name)
def test_a_to_do_names_its_issue(path: Path) -> None:
    """`TODO(#123)` or not at all."""
    text = path.read_text(encoding="utf-8")

    assert not re.search(r"#\s*(TODO|FIXME|XXX)(?!\(#\d+\))", text)


_PORTS = [
    path
    for path in _MODULES
    if path.stem.endswith("port") and path.parent.name in ("store", "data_directory")
]
_MOST_PROMISES = 12


@pytest.mark.parametrize("path", _PORTS, ids=_name)
def test_a_role_is_a_handful_of_promises(path: Path) -> None:
    """Whoever writes a second adapter reads a role at one sitting."""
    roles = [
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    promises = {
        role.name: sum(isinstance(part, ast.FunctionDef) for part in role.body)
        for role in roles
    }

    assert {n: many for n, many in promises.items() if many > _MOST_PROMISES} == {}


_ASKS = re.compile(r"_*(?:is|has|may|can|was)_")
_WRITES = frozenset(
    [
        # of the file system
        *("chmod", "link", "makedirs", "mkdir", "rename", "rmdir", "symlink", "unlink"),
        *("fsync", "replace_file", "truncate", "utime", "write", "write_durably"),
        # of the ports
        *("add_cost", "ask_fresh", "audit", "claim_notice", "consume", "deliver"),
        *("done", "drain", "drop", "drop_folds", "end_client", "forget", "keep_fold"),
        *("keep_notes", "keep_pressure", "log", "note_client", "note_session", "offer"),
        *("prepare", "put", "put_named", "put_unless_off", "remove", "rewrite"),
        *("spend_fresh", "switch_off", "switch_on", "wipe"),
    ]
)


# Of the kernel, which are called without what they belong to.
_WRITERS = frozenset(
    [
        *("append_to", "copy_file", "create_file", "make_directory", "put_in_place"),
        *("make_own_directory", "remove_quietly", "replace_file", "replace_unlocked"),
        *("touch", "write_all", "write_beside"),
    ]
)


def _written_by(call: ast.Call) -> str:
    """Return the name of what a call writes with, or nothing where it does not."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _WRITES:
        return call.func.attr
    if isinstance(call.func, ast.Name) and call.func.id in _WRITERS:
        return call.func.id
    return ""


@pytest.mark.parametrize("path", _MODULES, ids=_name)
def test_what_is_named_like_a_question_only_asks(path: Path) -> None:
    """Nobody expects `is_due` to write a file; one that does is named for what it does."""
    questions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and _ASKS.match(node.name)
    ]
    called = {
        f"{question.name} calls {writer}"
        for question in questions
        for part in ast.walk(question)
        if isinstance(part, ast.Call) and (writer := _written_by(part))
    }

    assert called == set()


def test_a_class_name_means_one_thing() -> None:
    """One word for many things is what a new reader has to ask about first."""
    classes = [
        (node.name, _name(path))
        for path in _MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    places: dict[str, list[str]] = {}
    for name, path in classes:
        places.setdefault(name, []).append(path)

    assert {n: found for n, found in places.items() if len(found) > 1} == {}


def _imported(path: Path) -> set[str]:
    """Return every module of ours that a file imports, also late."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                node.module,
                *(f"{node.module}.{each.name}" for each in node.names),
            }
    return found


def test_one_file_each_means_that_none_needs_another() -> None:
    """What two commands share is a subject of its own, and not the first one's helper."""
    package = "holdfast.surfaces.cli"
    names = frozenset(SUMMARIES)
    siblings = {f"{package}.{name}" for name in names}
    files = {name: Path(vars(command_module(name))["__file__"]) for name in names}

    knows = {
        name: _imported(path) & (siblings - {f"{package}.{name}"})
        for name, path in files.items()
    }

    assert {name: found for name, found in knows.items() if found} == {}


def test_an_event_needs_no_other_event() -> None:
    """A hook answers one: what stands at the top of their file would be paid by all."""
    tree = ast.parse(
        (_ROOT / "src/holdfast/surfaces/hooks/events.py").read_text(encoding="utf-8")
    )
    answers = {answer.__name__ for answer in ANSWERS.values()}

    at_the_top = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    named = {
        (function.name, part.id)
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for part in ast.walk(function)
        if isinstance(part, ast.Name) and part.id in answers
    }

    assert at_the_top == {"collections.abc", "holdfast.app.hooks.event"}
    assert named == set()
