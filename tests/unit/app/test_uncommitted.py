"""What is not committed comes from git, in every brief."""

import pytest

from holdfast.app.checkpoints.drafting import session_brief
from holdfast.app.checkpoints.resume import resume_checkpoint
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.checkpoints.uncommitted import as_git_says
from holdfast.app.checkpoints.which_session import LocatedSession
from holdfast.domain.checkpoint import Checkpoint, Content, FileRef
from holdfast.domain.query import Scope
from holdfast.kernel.lazy_values import replace
from holdfast.start.decision import is_unfinished
from tests.builders import SESSION, WORKSPACE
from tests.conversation import Conversation
from tests.fakes import Workbench, transcript_of

ROOT = "/home/dev/shop"


def content(*changed: str, uncommitted: tuple[str, ...] = ()) -> Content:
    files = (*(FileRef(path, "edited") for path in changed), FileRef("read.py", "read"))
    return Content(title="t", files=files, uncommitted=uncommitted)


@pytest.mark.parametrize(
    ("changed", "told", "listed", "began", "left"),
    [
        pytest.param(("a.py",), (), ("a.py", "read.py", "mine.txt"), ROOT, ("a.py",), id="own"),
        pytest.param(("a.py", "b.py"), ("b.py",), ("a.py", "b.py"), ROOT, ("b.py", "a.py"), id="newest first"),
        pytest.param(("a.py",), ("a.py",), (), ROOT, (), id="somebody committed it"),
        pytest.param(("new/a.py",), (), ("new/",), ROOT, ("new/a.py",), id="a new directory"),
        pytest.param(("a.py",), (), ("api/a.py",), f"{ROOT}/api", ("a.py",), id="below the root"),
        pytest.param((f"{ROOT}/x/a.py",), (), ("x/a.py",), f"{ROOT}/api", (f"{ROOT}/x/a.py",), id="by its whole path"),
        pytest.param(("a.py",), ("a.py",), ("b.py",), "/elsewhere", ("a.py",), id="another place"),
    ],
)  # fmt: skip
def test_the_session_s_own_files_that_git_lists_are_left(
    changed: tuple[str, ...],
    told: tuple[str, ...],
    listed: tuple[str, ...],
    began: str,
    left: tuple[str, ...],
) -> None:
    """The user's own changes are none of the session's, and what git does not list is
    committed, whatever the transcript says."""
    before = content(*changed, uncommitted=told)

    found = as_git_says(before, listed, began=began, workspace=ROOT)

    assert found.uncommitted == left


@pytest.fixture
def bench() -> Workbench:
    made, talk = Workbench(), Conversation()
    talk.asks("split the parser")
    talk.calls("Edit", f"{WORKSPACE}/a.py", outcome="ok", added=1)
    talk.calls("Bash", "sed -i s/a/b/ b.py", outcome="ok")
    talk.says("Both are split.")
    made.writes(SESSION, talk)
    return made


def saved(bench: Workbench) -> Checkpoint:
    done = save(bench.request(trigger="exit", type="auto"), bench.ports)
    assert isinstance(done, Saved)
    return done.checkpoint


def test_a_record_tells_what_git_listed(bench: Workbench) -> None:
    bench.code.listed = ("b.py", "users.txt")

    draft = saved(bench).draft

    assert draft.content.uncommitted == ("b.py",)
    assert draft.code.uncommitted == ("b.py", "users.txt")


def test_work_that_somebody_committed_is_finished(bench: Workbench) -> None:
    """What else lies around uncommitted in the worktree is not this session's."""
    bench.code.listed = ("users.txt",)

    assert not is_unfinished(saved(bench))


def test_where_git_could_not_be_asked_the_transcript_tells(bench: Workbench) -> None:
    bench.code.listed = None

    assert saved(bench).draft.content.uncommitted == ("b.py", "a.py")


def test_a_brief_of_a_transcript_asks_git_too(bench: Workbench) -> None:
    bench.code.listed = ("a.py",)
    found = LocatedSession(SESSION, transcript_of(SESSION))

    text = session_brief(found, bench.ports, budget=1000).text

    assert "a.py" in _uncommitted_line(text)
    assert "b.py" not in _uncommitted_line(text)


def test_a_brief_tells_what_is_uncommitted_now(bench: Workbench) -> None:
    """Between two sessions somebody commits."""
    bench.code.listed = ("a.py", "b.py")
    kept = saved(bench)
    bench.code.listed = ("b.py",)
    moved = replace(
        kept, draft=replace(kept.draft, code=replace(kept.draft.code, head="0" * 7))
    )
    scope = Scope(workspace=WORKSPACE)

    told = resume_checkpoint(kept, scope, bench.ports, budget=1000)
    since_commit = resume_checkpoint(moved, scope, bench.ports, budget=1000)

    assert "a.py" in _uncommitted_line(told.brief)  # HEAD is where it was
    assert "a.py" not in _uncommitted_line(since_commit.brief)
    assert "b.py" in _uncommitted_line(since_commit.brief)


def _uncommitted_line(text: str) -> str:
    lines = [line for line in text.split("\n") if "ot committed" in line]
    assert len(lines) == 1, text
    return lines[0]
