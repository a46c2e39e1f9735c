"""The memory files through their verbs."""

import os
from pathlib import Path

import pytest

from holdfast.app.notes.memory import (
    add_episode,
    add_fact,
    add_lesson,
    keep_entries,
    memory_of,
    tidy,
)
from holdfast.app.notes.workflows import proposals
from holdfast.kernel.errors import UsageWrong
from holdfast.project_notes.memory.entries import (
    DECLINED,
    FACTS,
    LESSON_ARCHIVE,
    LESSONS,
    LOG,
    MemoryEntry,
)
from holdfast.project_notes.project_directory import ProjectDirectory
from tests.builders import NOON
from tests.handoffs import memory_tools
from tests.sessions import asks, edits, reads, runs, says, session


def test_what_is_added_is_there(tmp_path: Path) -> None:
    """Three kinds of memory, three files."""
    tools = memory_tools(tmp_path)

    add_fact(tools, "port is 8080")
    add_episode(tools, "demo day", "EVENT")
    add_lesson(tools, "run the tests first")

    memory = memory_of(tools.files)
    assert [fact.text for fact in memory.facts] == ["port is 8080"]
    assert [(e.type, e.text) for e in memory.log] == [("EVENT", "demo day")]
    assert [lesson.title for lesson in memory.lessons] == ["run the tests first"]


def test_nothing_is_nothing_to_remember(tmp_path: Path) -> None:
    """An empty bullet helps nobody."""
    with pytest.raises(UsageWrong):
        add_fact(memory_tools(tmp_path), " \n ")


def test_what_is_too_long_is_refused_rather_than_cut(tmp_path: Path) -> None:
    """A memory that lost its end is worse than none."""
    with pytest.raises(UsageWrong, match="at most 2,000"):
        add_fact(memory_tools(tmp_path), "word " * 500)
    assert list(tmp_path.iterdir()) == []


def test_names_of_sections_and_types_cannot_break_the_format(tmp_path: Path) -> None:
    """They come from a command line."""
    tools = memory_tools(tmp_path)

    add_fact(tools, "port is 8080", "## My\nplaces")
    add_episode(tools, "demo day", "a] [b")

    assert [fact.section for fact in memory_of(tools.files).facts] == ["My places"]
    assert [episode.type for episode in memory_of(tools.files).log] == ["A-B"]


def test_an_episode_that_came_up_often_becomes_a_fact_once(tmp_path: Path) -> None:
    """F2: promotion at ref ≥ 3; a fact a person deletes does not come back."""
    tools = memory_tools(tmp_path)
    for _ in range(4):
        add_episode(tools, "staging is rebuilt every night", "EVENT")

    first = tidy(tools, NOON)
    (tmp_path / FACTS).write_text("# Project memory\n")
    second = tidy(tools, NOON)

    assert [outcome.did for outcome in first.promoted] == ["added"]
    assert second.promoted == ()
    assert (tmp_path / FACTS).read_text() == "# Project memory\n"


def test_promotion_comes_before_expiry(tmp_path: Path) -> None:
    """What was used often must not die of age on the same day."""
    (tmp_path / "memory").mkdir()
    (tmp_path / LOG).write_text(
        "[2025-01-01] [EVENT] [ttl:30d] [ref:3] staging is rebuilt every night\n"
        "[2025-01-01] [EVENT] [ttl:30d] [ref:0] demo day\n"
        "[2025-01-01] [DECISION] [ttl:permanent] [ref:0] tokens rotate\n"
    )
    tools = memory_tools(tmp_path)

    done = tidy(tools, NOON)

    assert [e.text for e in done.expired] == [
        "staging is rebuilt every night",
        "demo day",
    ]
    memory = memory_of(tools.files)
    assert [fact.text for fact in memory.facts] == ["staging is rebuilt every night"]
    assert [e.text for e in memory.log] == ["tokens rotate"]


def test_little_trusted_old_lessons_move_to_the_archive(tmp_path: Path) -> None:
    """Moved, never lost; the others stay byte for byte."""
    (tmp_path / "tasks").mkdir()
    keep = "# Lessons\n\n### [2024-01-01] Old form\nbody\n\n"
    gone = "### [2025-01-01] Weak\n> conf: 0.3 · seen: 2025-01-01 · obs: 1\nweak body\n"
    (tmp_path / LESSONS).write_text(keep + gone)
    tools = memory_tools(tmp_path)

    first, second = tidy(tools, NOON), tidy(tools, NOON)

    assert [lesson.title for lesson in first.archived] == ["Weak"]
    assert second.archived == ()
    assert (tmp_path / LESSONS).read_text() == keep
    assert gone in (tmp_path / LESSON_ARCHIVE).read_text()


def test_tidying_nothing_makes_nothing(tmp_path: Path) -> None:
    """A project without memory files has none afterwards."""
    done = tidy(memory_tools(tmp_path), NOON)

    assert (done.expired, done.promoted, done.archived, done.unified) == (
        (), (), (), False,
    )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_old_snapshots_of_the_project_are_listed_and_never_removed(
    tmp_path: Path,
) -> None:
    """S1's 90 days, by age, the oldest first."""
    (tmp_path / "snapshots").mkdir()
    for name, days in (("new", 89), ("old", 91), ("older", 200)):
        path = tmp_path / "snapshots" / name
        path.write_text("x")
        os.utime(path, (NOON / 1000 - days * 86_400,) * 2)

    done = tidy(memory_tools(tmp_path), NOON)

    assert [seen.name for _, seen in done.old_snapshots] == ["older", "old"]
    assert len(list((tmp_path / "snapshots").iterdir())) == 3


def test_a_rule_that_is_a_lesson_was_seen_again(tmp_path: Path) -> None:
    """obs counts sessions that needed it."""
    tools = memory_tools(tmp_path)
    add_lesson(tools, "always run the tests first")
    rule = MemoryEntry("rule", "Rules", "Always run the tests first.")

    for _ in range(2):
        keep_entries(tools, [rule], (), "7670db3a")

    (lesson,) = memory_of(tools.files).lessons
    assert lesson.trust is not None
    assert (lesson.trust.obs, lesson.trust.conf) == (2, 0.5)
    assert memory_of(tools.files).facts == ()


def test_what_is_kept_of_a_session_shows_where_it_came_from(tmp_path: Path) -> None:
    """Every extracted statement points at its transcript lines."""
    rule = MemoryEntry("rule", "Rules", "Never use sleep.", ("line-1",))
    made = MemoryEntry("episode", "COMPLETION", "committed: x", ("line-2",))

    kept = keep_entries(memory_tools(tmp_path), [made, rule], (), "7670db3a")

    assert [(each.file.path, each.evidence) for each in kept] == [
        (FACTS, ("line-1",)),
        (LOG, ("line-2",)),
    ]


def test_a_correction_of_a_known_lesson_lowers_its_trust(tmp_path: Path) -> None:
    """It was known, and not followed."""
    tools = memory_tools(tmp_path)
    add_lesson(tools, "never commit without asking")
    wrong = MemoryEntry("correction", "Rules", "never commit without asking")

    keep_entries(tools, [wrong], (), "7670db3a")

    (lesson,) = memory_of(tools.files).lessons
    assert lesson.trust is not None
    assert (lesson.trust.conf, lesson.trust.obs) == (0.4, 1)


def test_a_large_memory_is_changed_in_one_line(tmp_path: Path) -> None:
    """10 MB of a person's notes come back as they were."""
    (tmp_path / "memory").mkdir()
    line = "- the quick brown fox number {} jumps over the lazy dog again and again\r\n"
    text = "# Mine\r\n## Big\r\n" + "".join(line.format(n) for n in range(140_000))
    (tmp_path / FACTS).write_bytes(text.encode())
    assert len(text) > 10_000_000

    kept = add_fact(memory_tools(tmp_path), "port is 8080", "Small")

    after = (tmp_path / FACTS).read_bytes().decode()
    assert kept.outcome.did == "added"
    assert after.startswith(text)
    assert after[len(text) :] == (
        "\r\n## Small\r\n\r\n- port is 8080 <!-- hf 56dcd6 -->\r\n"
    )


def test_a_workflow_is_proposed_after_three_times_until_declined(
    tmp_path: Path,
) -> None:
    """Proposes only; a declined one is logged and never proposed again."""
    tools = memory_tools(tmp_path)
    state = session(
        *(
            step
            for what in ("auth", "billing", "search")
            for step in (
                asks(f"review the {what} module"),
                reads(f"{what}.py"),
                edits(f"{what}.py"),
                runs("pytest -q"),
                says("Reviewed it and fixed one thing."),
            )
        )
    )

    (found,) = proposals(state, tools.files)
    add_episode(tools, found.name, DECLINED)

    assert found.name == "review_module"
    assert proposals(state, tools.files) == ()
    assert "[DECLINED] [ttl:permanent]" in (tmp_path / LOG).read_text()


def test_a_workflow_of_many_sessions_is_proposed_from_the_log(tmp_path: Path) -> None:
    """ref ≥ 5 for the same task type."""
    (tmp_path / "memory").mkdir()
    line = "[2026-01-01] [WORKFLOW] [ttl:90d] [ref:{}] deploy + build → run + report\n"
    (tmp_path / LOG).write_text(line.format(4))
    files = ProjectDirectory(str(tmp_path))

    four = proposals(None, files)
    (tmp_path / LOG).write_text(line.format(5))
    five = proposals(None, files)

    assert four == ()
    assert [(each.name, each.workflow.ever) for each in five] == [("deploy_report", 5)]
