"""The file of a named checkpoint: its exact form, and reading it back."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from holdfast.domain.checkpoint import Content, FileRef, Item, Plan, fact_item
from holdfast.domain.code import CodeState
from holdfast.domain.fact import ChangedFiles, RunningWork, UnfinishedTurn
from holdfast.facts.content import content_of
from holdfast.project_notes.named_file import (
    left_off,
    name_of,
    named_file,
    read_named,
    says_the_same,
)
from tests.sessions import a_draft, asks, edits, runs, says, session

_GOLDEN = Path(__file__).parents[2] / "fixtures" / "named" / "checkpoint-api-design.md"
_TEXTS = st.text(min_size=1, max_size=60).filter(lambda text: bool(text.strip()))


@pytest.fixture
def bangkok(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC-7")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def _content(**changes: Any) -> Content:
    told: dict[str, Any] = {
        "title": "Refresh tokens rotate",
        "last_words": "rotate() is written;\nthe reuse test is still red.",
        "key_outcomes": (
            Item("committed `rotate on use`"),
            Item("tests pass", doubt="the last run failed"),
            fact_item(ChangedFiles(2, 108, 9)),
        ),
        "pending": (Item("make reuse detection survive two requests"),),
        "open_questions": (Item("keep 30 or 7 days?"),),
        "next_steps": (Item("rewrite the middleware"),),
        "dead_ends": (Item("SELECT … FOR UPDATE: deadlock detected"),),
        "files": (
            FileRef("src/auth/refresh.py", "edited", 96, 4),
            FileRef("src/db/session.py", "read"),
            FileRef("tests/test_refresh.py", "created", 12, 5),
        ),
        "plan": Plan("/home/me/.claude/plans/rotate-tokens.md", 3, 7),
    }
    return Content(**{**told, **changes})


@pytest.mark.usefixtures("bangkok")
def test_the_file_has_exactly_its_form() -> None:
    """People and other tools rely on it: local time, every section, nothing hidden."""
    text = named_file("api-design", a_draft(_content()))

    assert text == _GOLDEN.read_text(encoding="utf-8")


def test_left_off_tells_no_step_that_was_only_inferred() -> None:
    """What to do next is the user's to say; what is open and asked is not inferred."""
    said = read_named("x", named_file("x", a_draft(_content())))

    assert said is not None
    assert 1 <= len(said.left_off) <= 3
    assert "rewrite the middleware" not in " ".join(said.left_off)
    assert "keep 30 or 7 days?" in said.left_off[-1]


def test_the_command_that_saves_is_not_told_as_open() -> None:
    """The agent runs it, so it has no result yet: that is not where work stopped."""
    own = fact_item(RunningWork("command", "holdfast save --name api"))
    cut = fact_item(UnfinishedTurn("cut off"))
    server = fact_item(RunningWork("background", "make serve"))

    saved_by_the_agent = a_draft(_content(in_flight=(server, own, cut), pending=()))
    cut_off = a_draft(_content(in_flight=(server, cut), pending=()))

    assert left_off(saved_by_the_agent)[1] == f"Open: {server.text}"
    assert left_off(cut_off)[1] == f"Open: {server.text}; {cut.text}"


def test_a_title_somebody_chose_comes_first() -> None:
    """It says the state in one line, which is what the index shows."""
    draft = a_draft(_content(title="JWT refresh works"), given_title=True)

    said = read_named("x", named_file("x", draft))

    assert said is not None
    assert said.left_off[0].startswith("JWT refresh works. rotate() is written;")


def test_what_there_is_none_of_says_none() -> None:
    """Every section is there, also in a session that did nothing; a plan is not."""
    draft = a_draft(Content(title="Nothing yet"), code=CodeState())

    text = named_file("x", draft)

    assert text.count("- None") == 3
    assert "**Plan:**" not in text
    assert "- **Branch:** `no branch`" in text
    assert "## Left Off\nNothing yet\n" in text


def test_long_lists_are_cut_and_say_so() -> None:
    """A file that nobody reads to its end helps nobody."""
    files = tuple(FileRef(f"src/m{n}.py", "edited") for n in range(50))

    text = named_file("x", a_draft(_content(files=files)))

    assert "- src/m39.py\n- and 10 more\n" in text


@given(said=_TEXTS, done=_TEXTS, failed=_TEXTS, path=_TEXTS)
def test_whatever_was_said_the_file_keeps_its_form(
    said: str, done: str, failed: str, path: str
) -> None:
    """No text of a session can pass for a heading, a field or a second line."""
    content = Content(
        title="t",
        last_words=said,
        key_outcomes=(Item(done),),
        dead_ends=(Item(failed),),
        files=(FileRef(path, "edited"),),
    )
    text = named_file("x", a_draft(content))

    read = read_named("x", text)

    assert read is not None
    assert len(read.left_off) == 1
    assert max(len(read.failed), len(read.files)) <= 1
    assert len(read.done) <= 2  # the outcome, and what the agent said was done
    assert read.other == ()
    assert len(text.splitlines()) == len(text.split("\n")) - 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("# Checkpoint: x\n\nmy own notes\n", id="no time"),
        pytest.param("- **Saved:** 2026-01-18 15:10\n", id="no title"),
        pytest.param(
            "notes\n# Checkpoint: x\n- **Saved:** 2026-01-18 15:10\n", id="late"
        ),
    ],
)
def test_a_file_without_our_header_is_not_ours(text: str) -> None:
    """Such a file is never removed or replaced, so the header must be meant."""
    assert read_named("x", text) is None


def test_what_a_person_adds_is_read_with_its_heading() -> None:
    """It has no place in our form, and must reach the next session all the same."""
    text = named_file("x", a_draft(_content())).replace("\n", "\r\n")

    said = read_named("x", text + "\r\n## Remember\r\n- staging only\r\n")

    assert said is not None
    assert said.other == ("Remember: staging only",)
    assert said.plan == Plan("~/.claude/plans/rotate-tokens.md", 3, 7)
    assert said.files == ("src/auth/refresh.py", "tests/test_refresh.py")


def test_another_time_zone_is_not_an_edit() -> None:
    """Whoever travels must not find each of their checkpoints kept twice."""
    text = named_file("x", a_draft(_content()))
    elsewhere = text.replace("**Saved:** 2026", "**Saved:** 2027")

    assert says_the_same(text, elsewhere)
    assert not says_the_same(text, text.replace("rotate()", "Rotate()"))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("checkpoint-api.md", "api"),
        ("checkpoint-.md", None),
        ("checkpoint-api.txt", None),
        ("MEMORY.md", None),
    ],
)
def test_a_file_is_for_the_name_in_its_own(file: str, name: str | None) -> None:
    """Everything else in the client's directory is none of our business."""
    assert name_of(file) == name


def test_what_was_done_is_told_by_accomplishments_and_not_by_commands() -> None:
    """S3: who resumes wants to know what was reached, not what was typed."""
    state = session(
        asks("add refresh tokens"),
        edits("src/refresh.py", added=12),
        runs("pytest -q", "12 passed"),
        says("Added refresh tokens that rotate on every use."),
    )

    said = read_named("x", named_file("x", a_draft(content_of(state))))

    assert said is not None
    assert said.done == ("Added refresh tokens that rotate on every use.",)
