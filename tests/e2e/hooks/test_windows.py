"""Many windows, worktrees, branches and forks: nobody gets what belongs to another."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.hooks.conftest import Client, World, write_session

ASKED = "add refresh tokens; never use sleep in tests"


def left_behind(world: World, session: str, project: Path | None = None) -> None:
    """A session that worked here and ended."""
    write_session(world, session, ASKED, project=project)
    world.client(project).end(session, "prompt_input_exit")


def test_a_session_open_in_another_window_is_only_had_by_its_number(
    world: World, sessions: list[str]
) -> None:
    """Two windows must not both continue one piece of work by a casual word."""
    old, new, third = sessions[:3]
    first = world.client()
    first.start(old)
    write_session(world, old, ASKED)
    first.hook("PreCompact", old, trigger="manual")
    second, other = world.client(), world.client()

    card = second.start(new)
    other.start(third)

    assert "It is open in another window." in card.context
    assert ' · open in another window · say "00001" · ' in card.line
    assert world.cli("why", "--session", new)["rule"] == "alive-elsewhere"
    assert second.prompt(new, "continue").out == ""
    assert "# Resuming" in other.prompt(third, "take 00001 please").context


def test_a_worktree_gets_a_card_at_most(
    world: World, sessions: list[str], tmp_path: Path
) -> None:
    """Worktrees do not get each other's brief."""
    world.repository()
    other = tmp_path / "other"
    world.git("worktree", "add", "-q", str(other))
    old, new = sessions[:2]
    left_behind(world, old)
    client = world.client(other)

    heard = client.start(new)

    assert f"It was in {world.project}" in heard.context
    assert client.prompt(new, "continue").out == ""


def test_a_sibling_directory_gets_a_card_and_a_parent_the_brief(
    world: World, sessions: list[str]
) -> None:
    """In one repository of many parts each part has its own thread of work."""
    world.repository()
    web, api = world.project / "web", world.project / "api"
    web.mkdir()
    api.mkdir()
    old, sibling, above = sessions[:3]
    left_behind(world, old, project=web)
    beside, root = world.client(api), world.client()

    assert f"It was in {web}" in beside.start(sibling).context
    assert beside.prompt(sibling, "continue").out == ""
    assert "It was in" not in root.start(above).context
    assert "# Resuming" in root.prompt(above, "continue").context


def test_four_windows_in_two_worktrees_each_resume_their_own(
    world: World, sessions: list[str], tmp_path: Path
) -> None:
    """What a clear gives back comes from the session it cleared, and from no other."""
    world.repository()
    other = tmp_path / "other"
    world.git("worktree", "add", "-q", str(other))
    places = [world.project, other, world.project, other]
    windows = [world.client(place) for place in places]
    asked = [f"build part number {number} of the harbour" for number in range(4)]
    for window, place, words, session in zip(
        windows, places, asked, sessions, strict=False
    ):
        window.start(session)
        write_session(world, session, words, project=place)
        window.hook("Stop", session)

    for number, window in enumerate(windows):
        window.end(sessions[number], "clear")
        heard = window.start(f"{number:08x}-1111-4000-8000-000000000000", "clear")

        told = [words for words in asked if words in heard.context]
        assert told == [asked[number]]


def test_a_brief_that_went_elsewhere_is_a_card_that_continues(
    world: World, sessions: list[str]
) -> None:
    """The session that had it may be gone: whoever says so may still have it."""
    old, first, second = sessions[:3]
    left_behind(world, old)
    one, two = world.client(), world.client()
    one.start(first)
    one.prompt(first, "continue")

    card = two.start(second)

    assert "An earlier session here was saved" in card.context
    assert world.cli("why", "--session", second)["rule"] == "delivered-elsewhere"
    assert "# Resuming" in two.prompt(second, "continue").context


def _call(client: Client, session: str) -> tuple[list[str], bytes]:
    words = [sys.executable, "-m", "holdfast.surfaces.hooks.main", "SessionStart"]
    said = {
        "session_id": session,
        "cwd": str(client.project),
        "source": "startup",
        "transcript_path": str(client.world.transcript(session)),
    }
    return words, json.dumps(said).encode()


def test_two_starts_at_once_offer_once(world: World, sessions: list[str]) -> None:
    """Clients fire a start twice at nearly the same moment."""
    old, new = sessions[:2]
    left_behind(world, old)
    client = world.client()
    words, stdin = _call(client, new)
    both = [
        subprocess.Popen(
            words, env=client.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]

    said = [process.communicate(stdin)[0] for process in both]
    first, second = client.prompt(new, "continue"), client.prompt(new, "continue")

    assert all(b"CHECKPOINT-00001" in text for text in said)
    assert "# Resuming" in first.context
    assert second.out == ""


def on_a_branch(world: World, session: str) -> None:
    """A session on `feat` that committed something there, and `main` again after it."""
    world.repository()
    world.git("switch", "-q", "-c", "feat")
    (world.project / "refresh.py").write_text("x = 1\n")
    world.git("add", ".")
    world.git("commit", "-q", "-m", "feat")
    left_behind(world, session)
    world.git("switch", "-q", "main")


@pytest.mark.parametrize(
    ("then", "rule", "note"),
    [
        pytest.param([], "branch-differs", "git switch feat", id="it differs"),
        pytest.param([["merge", "-q", "feat"]], "branch-merged", "", id="it was merged"),
        pytest.param([["branch", "-D", "feat"]], "branch-gone", "", id="it is gone"),
    ],
)  # fmt: skip
def test_another_branch_gets_the_card(
    world: World, sessions: list[str], then: list[list[str]], rule: str, note: str
) -> None:
    """The brief speaks of files that are not there; the command is, where it helps."""
    old, new = sessions[:2]
    on_a_branch(world, old)
    for words in then:
        world.git(*words)

    heard = world.client().start(new)

    assert "An earlier session here was saved" in heard.context
    assert world.cli("why", "--session", new)["rule"] == rule
    assert ("git switch" in heard.context) == bool(note)
    assert note in heard.context


def test_a_head_that_moved_marks_what_changed(
    world: World, sessions: list[str]
) -> None:
    """The brief is given; what it says of changed files is not to be believed."""
    old, new = sessions[:2]
    world.repository()
    left_behind(world, old)
    (world.project / "refresh.py").write_text("x = 2\n")
    world.git("add", ".")
    world.git("commit", "-q", "-m", "two")
    client = world.client()
    client.start(new)

    heard = client.prompt(new, "continue")

    assert "# Resuming CHECKPOINT-00001" in heard.context
    assert heard.context.endswith("before editing): refresh.py.\n")


def test_a_fork_that_starts_with_the_old_id_is_linked_at_its_first_event(
    world: World, sessions: list[str]
) -> None:
    """2.1.197 starts a fork as `resume` of the old session; the next event has the new."""
    old, new = sessions[:2]
    client = world.client()
    write_session(world, old, ASKED)
    assert client.start(old, "resume").out == ""
    write_session(world, new, ASKED)

    client.hook("Stop", new)
    client.end(new, "other")

    [kept] = world.cli("list", "--session", new)["checkpoints"]
    assert kept["relations"]["parent_session"] == old


@pytest.mark.parametrize("events", [["Stop", "SessionEnd"], ["SessionEnd"]])
def test_a_fork_that_starts_with_its_own_id_is_linked_by_the_lines_it_copied(
    world: World, sessions: list[str], events: list[str]
) -> None:
    """2.1.325 starts it as `fork`, names no origin, and copies the lines with their ids."""
    old, other, fork = sessions[:3]
    client = world.client()
    write_session(world, old, ASKED)
    write_session(world, other, "something else")
    assert client.start(fork, "fork").out == ""
    write_session(world, fork, ASKED, "try it another way")
    copy = world.transcript(fork)
    ids = re.compile(rf'(?<=[uU]uid": ")(\w{{8}}){fork[8:]}')
    copy.write_text(ids.sub(rf"\g<1>{old[8:]}", copy.read_text()))

    for event in events:
        client.hook(event, fork, reason="other")
    world.settle()

    [kept] = world.cli("list", "--session", fork)["checkpoints"]
    assert kept["relations"]["parent_session"] == old
    assert kept["relations"]["root_session"] == old
