"""`kill -9` at every line that touches a file people read: old or new, never half."""

import shutil
from collections.abc import Callable
from pathlib import Path

from holdfast.app.notes import memory
from holdfast.app.notes.handoff import write
from holdfast.app.notes.memory import tidy
from holdfast.kernel import files, shared_files
from holdfast.project_notes.handoff.document import HANDOFF
from holdfast.project_notes.memory.entries import FACTS, LESSON_ARCHIVE, LESSONS, LOG
from tests.builders import NOON
from tests.faults.dying import Point, dies_at, points_in, points_of
from tests.handoffs import gathered, memory_tools
from tests.sessions import asks, lists, says, session

_LESSON = "### [2025-01-01] Weak\n> conf: 0.3 · seen: 2025-01-01 · obs: 1\nweak body\n"
_EPISODE = "[2025-01-01] [EVENT] [ttl:30d] [ref:3] staging is rebuilt every night"


def _points(work: Callable[[], object]) -> list[Point]:
    """Return the lines that reach for files, each once."""
    work_lines = points_of(work)
    return points_in((files, shared_files, memory), work_lines)


def _renewed(project: Path, good: Path) -> None:
    shutil.rmtree(project)
    shutil.copytree(good, project)


def test_a_killed_write_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """And the next write finishes as if nothing had happened."""
    project, good = tmp_path / "project", tmp_path / "good"
    project.mkdir()
    first = gathered(session(asks("never use sleep"), lists(("a", "pending"))))
    second = gathered(
        session(asks("never use sleep"), lists(("b", "pending")), says("Working on b."))
    )
    write(first, memory_tools(project))
    old = (project / HANDOFF).read_bytes()
    shutil.copytree(project, good)
    write(second, memory_tools(project))
    new = (project / HANDOFF).read_bytes()
    _renewed(project, good)
    points = _points(lambda: write(second, memory_tools(project)))

    for point in points:
        _renewed(project, good)
        died = dies_at(point, lambda: write(second, memory_tools(project)))

        assert died, point
        assert (project / HANDOFF).read_bytes() in (old, new), point
        write(second, memory_tools(project))
        assert (project / HANDOFF).read_bytes() == new, point
        assert not list(project.rglob("*holdfast-tmp")), point
    assert len(points) > 50


def test_a_killed_tidying_loses_nothing_and_keeps_nothing_twice(tmp_path: Path) -> None:
    """What moves from one file to another is in one of them at every moment."""
    project, good = tmp_path / "project", tmp_path / "good"
    for path, text in ((LESSONS, f"# Lessons\n\n{_LESSON}"), (LOG, f"{_EPISODE}\n")):
        (good / path).parent.mkdir(parents=True)
        (good / path).write_text(text, encoding="utf-8")
    shutil.copytree(good, project)
    points = _points(lambda: tidy(memory_tools(project), NOON))

    for point in points:
        _renewed(project, good)
        died = dies_at(point, lambda: tidy(memory_tools(project), NOON))
        between = _texts(project)
        tidy(memory_tools(project), NOON)
        after = _texts(project)

        assert died, point
        assert "weak body" in between[LESSONS] + between[LESSON_ARCHIVE], point
        assert "staging is rebuilt" in between[LOG] + between[FACTS], point
        assert "weak body" not in after[LESSONS], point
        assert after[LESSON_ARCHIVE].count("weak body") == 1, point
        assert after[FACTS].count("staging is rebuilt every night") == 1, point
        assert "staging" not in after[LOG], point


def _texts(project: Path) -> dict[str, str]:
    return {
        path: (project / path).read_text(encoding="utf-8")
        if (project / path).exists()
        else ""
        for path in (LESSONS, LESSON_ARCHIVE, LOG, FACTS)
    }
