"""The handoff from end to end: a session, a project's files, and what is in them then."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.app.notes.handoff import GUIDANCE, Handoff, check, write
from holdfast.domain.session import SessionState
from holdfast.project_notes.handoff.document import HANDOFF
from holdfast.project_notes.memory.entries import STATE_FILE
from tests.handoffs import gathered, handoff_text, memory_tools
from tests.sessions import (
    Step,
    asks,
    edits,
    interrupts,
    lists,
    runs,
    says,
    session,
)

FILES = Path(__file__).parents[2] / "fixtures" / "files"
STEPS: tuple[Step, ...] = (
    asks("add refresh tokens, but never use sleep in tests"),
    lists(("rotate on use", "in_progress"), ("write the docs", "pending")),
    edits("src/auth/refresh.py", "def rotate(token):\n    return token", added=9),
    runs("pytest tests/test_refresh.py", fails="AssertionError: 200 != 401"),
    says("The root cause is that `rotate` runs twice because of the middleware."),
    interrupts(),
    asks("Don't ever commit without asking me first."),
    runs("ruff check src"),
    runs("ruff check src"),
    says(
        "I decided to keep one table instead of two. Should tokens live 7 or 30 days?"
    ),
)


def a_session(*more: Step) -> SessionState:
    return session(*STEPS, *more)


def written(project: Path, state: SessionState | None = None) -> Handoff:
    (project / "src" / "auth").mkdir(parents=True, exist_ok=True)
    (project / "src" / "auth" / "refresh.py").touch()
    return write(gathered(state or a_session()), memory_tools(project))


@pytest.mark.parametrize(
    ("path", "golden"),
    [
        pytest.param(HANDOFF, "handoff.md", id="the handoff"),
        pytest.param("memory/MEMORY.md", "MEMORY.md", id="facts"),
        pytest.param("tasks/lessons.md", "lessons.md", id="lessons"),
    ],
)
def test_the_files_are_as_the_formats_say(
    tmp_path: Path, path: str, golden: str
) -> None:
    """Golden files: what a person opens, to the letter."""
    written(tmp_path)

    text = (tmp_path / path).read_text(encoding="utf-8")
    assert text == (FILES / golden).read_text(encoding="utf-8")


def test_the_log_is_as_its_format_says(tmp_path: Path) -> None:
    """What the user answered is decided; what an agent says it decided is not."""
    written(tmp_path, a_session(asks("30 days"), says("Done.")))

    text = (tmp_path / "memory/context-log.md").read_text(encoding="utf-8")
    assert text == (FILES / "context-log.md").read_text(encoding="utf-8")


def test_writing_twice_changes_no_file(tmp_path: Path) -> None:
    """Already ran this session: no duplicate, anywhere."""
    written(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.md")}

    again = written(tmp_path)

    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md")} == before
    assert again.file is not None
    assert not again.file.is_changed


def test_a_handoff_passes_its_own_check_and_only_then_advises_compaction(
    tmp_path: Path,
) -> None:
    """No compaction guidance before the preservation check."""
    done = written(tmp_path)

    assert (done.status, done.guidance) == ("WORKING", GUIDANCE)
    assert [c.check for c in done.checks if c.result == "no"] == []


def test_a_lost_rule_makes_the_check_partial_and_withholds_the_advice(
    tmp_path: Path,
) -> None:
    """The check looks at the files, not at what the command meant to write."""
    written(tmp_path)
    (tmp_path / "tasks" / "lessons.md").unlink()
    tools = memory_tools(tmp_path)

    seen = check(gathered(a_session()), tools.files, tools.redactor)

    assert (seen.status, seen.guidance) == ("PARTIAL", "")
    (gap,) = [c for c in seen.checks if c.result == "no"]
    assert gap.reason == (
        "not in the memory files: Don't ever commit without asking me first."
    )


def test_finished_work_disappears(tmp_path: Path) -> None:
    """A task done, a test gone green, a question answered: none is left."""
    written(tmp_path)

    after = a_session(
        asks("30 days"),
        lists(("rotate on use", "completed"), ("write the docs", "pending")),
        runs("pytest tests/test_refresh.py", "12 passed"),
        says("Tokens live 30 days now and every test passes."),
    )
    written(tmp_path, after)

    text = handoff_text(tmp_path)
    assert "rotate on use" not in text
    assert "pytest tests/test_refresh.py` → exit" not in text
    assert "Should tokens live 7 or 30 days? → 30 days" in text
    assert "## Open Decisions\n\n- nothing open" in text
    assert "write the docs" in text


def test_a_missing_file_is_broken_where_work_is_open(tmp_path: Path) -> None:
    """The next session would start from nothing."""
    tools = memory_tools(tmp_path)

    seen = check(gathered(a_session()), tools.files, tools.redactor)

    assert (seen.status, seen.checks) == ("BROKEN", ())
    assert "holdfast handoff write" in seen.hint


def test_nothing_open_makes_no_file(tmp_path: Path) -> None:
    """S1: no code changes and no open decisions: not needed."""
    quiet = session(asks("what is this?"), says("A parser for nested quotes."))

    done = write(gathered(quiet), memory_tools(tmp_path))

    assert (done.status, done.guidance) == ("WORKING", "")
    assert done.reason == "no work is open, so no handoff is needed"
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_way_is_broken_and_nothing_is_written(tmp_path: Path) -> None:
    """Handoff save failed is the one thing that is called BROKEN."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "memory").symlink_to(tmp_path / "elsewhere")

    done = written(tmp_path)

    assert done.status == "BROKEN"
    assert "symbolic link" in done.reason
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_memory_that_cannot_be_written_is_a_gap_not_a_loss(tmp_path: Path) -> None:
    """The handoff is there; what is missing is named."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "tasks").symlink_to(tmp_path / "elsewhere")

    done = written(tmp_path)

    assert done.status == "PARTIAL"
    assert "`tasks/lessons.md` cannot be" in done.reason
    assert "write the docs" in handoff_text(tmp_path)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_secrets_never_reach_a_file(tmp_path: Path) -> None:
    """Content passes the chokepoint before it is written."""
    secret = "ghp_" + "k3Jd82nQx7VbT0mZy5Wc1RfLs9HgPa4EuXo6"
    state = session(
        asks(f"never print {secret} in logs"),
        lists((f"rotate {secret}", "pending")),
        says(f"Should I revoke {secret}?"),
    )

    write(gathered(state), memory_tools(tmp_path))

    for path in tmp_path.rglob("*.md"):
        assert secret not in path.read_text(encoding="utf-8")
    assert "[redacted:" in handoff_text(tmp_path)


def test_every_uncommitted_file_is_named_but_our_own(tmp_path: Path) -> None:
    """In-progress changes are described; the handoff is none of them."""
    (tmp_path / "memory").mkdir()
    (tmp_path / HANDOFF).write_text("# mine\n")
    dirty = ("src/auth/refresh.py", "other.txt", "memory/")

    done = write(gathered(a_session(), uncommitted=dirty), memory_tools(tmp_path))

    text = handoff_text(tmp_path)
    assert "`src/auth/refresh.py`: not committed, last at `rotate`" in text
    assert "Also not committed: `other.txt` <" in text
    assert [c.result for c in done.checks if "in-progress" in c.check] == ["yes"]


def test_a_successor_takes_over_what_its_ancestor_said_once(tmp_path: Path) -> None:
    """The third clear in a row must not leave three requests in the file."""
    written(tmp_path)
    second = session(asks("go on"), interrupts(), session_id="91e0cc11-" + "0" * 27)

    write(
        gathered(second, ancestors=("7670db3a",)),
        memory_tools(tmp_path),
    )

    text = handoff_text(tmp_path)
    assert text.count("Continue (") == 1
    assert text.count("Top priority:") == 1
    assert "write the docs" in text


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(
            lambda text: text.replace("write the docs", "write the docs for Anna"),
            "write the docs for Anna",
            id="reworded",
        ),
        pytest.param(
            lambda text: text + "\nCall Anna before noon.\r\n",
            "Call Anna before noon.\r\n",
            id="a note at the end",
        ),
    ],
)
def test_a_persons_edit_is_kept(
    tmp_path: Path, edit: Callable[[str], str], expected: str
) -> None:
    """The file is theirs as much as ours."""
    written(tmp_path)
    path = tmp_path / HANDOFF
    path.write_bytes(edit(path.read_bytes().decode()).encode())

    written(tmp_path)

    assert expected in path.read_bytes().decode()


def test_done_entries_leave_the_state_file_and_are_told(tmp_path: Path) -> None:
    """Verified as done in the transcript before it goes."""
    state = tmp_path / "STATE.md"
    state.write_text("# State\n- rotate on use\n- wait for legal\n")

    done = written(
        tmp_path, a_session(asks("on"), lists(("rotate on use", "completed")))
    )

    assert state.read_text() == "# State\n- wait for legal\n"
    assert done.state_entries == ("rotate on use",)


def test_an_older_handoff_beside_it_is_a_gap(tmp_path: Path) -> None:
    """Which one is current? Deleting it is the person's choice."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "session-handoff-v2.md").write_text("old")

    done = written(tmp_path)

    assert done.status == "PARTIAL"
    assert (tmp_path / "memory" / "session-handoff-v2.md").exists()


def test_a_state_file_out_of_reach_is_a_gap_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails for a moment must not pass for a project without the file."""
    (tmp_path / STATE_FILE).write_text("- [ ] something\n", encoding="utf-8")
    real = os.open

    def fail(path: str, *rest: int, **more: int) -> int:
        if path == STATE_FILE:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", fail)

    done = written(tmp_path)

    assert done.status != "WORKING"
    assert "STATE.md" in done.reason
    assert not done.guidance
