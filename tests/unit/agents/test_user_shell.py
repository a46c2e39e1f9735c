"""What the user runs in the client is work of the session, with what came of it."""

import pytest

from holdfast.domain.checkpoint import Content
from holdfast.domain.event import ToolReturned
from holdfast.domain.fact import Commit
from holdfast.facts.content import content_of
from holdfast.session.fold import begin, fold
from tests.unit.agents.building import Json, agent, answer, call, told, user, uuid

_COMMIT = "<bash-input>git commit -am 'orders: sort by date'</bash-input>"


def _below(text: str, number: int) -> Json:
    """Return the line that the client writes below another one."""
    return user(text, number, parentUuid=uuid(number - 1))


def _output(printed: str, trouble: str = "") -> str:
    return f"<bash-stdout>{printed}</bash-stdout><bash-stderr>{trouble}</bash-stderr>"


def _content(*lines: Json) -> Content:
    return content_of(fold(begin("s", "claude-code"), told(*lines)))


def _edited(*after: Json) -> Content:
    return _content(
        user("sort the orders by date", 1),
        call("Edit", 2, file_path="src/orders.py", old_string="a", new_string="b"),
        answer("done", number=3),
        agent({"type": "text", "text": "The orders are sorted."}, number=4),
        *after,
    )


def test_a_commit_by_the_user_s_own_hand_is_one() -> None:
    """Who signs commits by hand must not be told that nothing is committed."""
    content = _edited(
        user(_COMMIT, 5),
        _below(_output("[main 1f2e3d4] orders: sort by date\n 1 file changed"), 6),
    )

    assert content.uncommitted == ()
    assert Commit("orders: sort by date") in [i.fact for i in content.key_outcomes]


def test_a_commit_that_failed_left_the_files_as_they_were() -> None:
    """What a hook refused is not committed."""
    content = _edited(user(_COMMIT, 5), _below(_output("", "error: gpg failed"), 6))

    assert content.uncommitted == ("src/orders.py",)


def test_a_command_of_the_user_s_cuts_no_turn_off() -> None:
    """Nobody waits for the agent there."""
    content = _edited(user("<bash-input>ls</bash-input>", 5), _below(_output("x"), 6))

    assert content.in_flight == ()
    assert content.last_words == "The orders are sorted."


@pytest.mark.parametrize(
    ("trouble", "outcome"),
    [
        pytest.param("", "ok", id="nothing said"),
        pytest.param("To example.com\n main -&gt; main", "ok", id="git's progress"),
        pytest.param("fatal: not a git repository", "failed", id="fatal"),
        pytest.param("zsh: command not found: pnpm", "failed", id="no such command"),
        pytest.param(" ! [rejected] main -&gt; main", "failed", id="rejected"),
    ],
)
def test_how_it_went_is_known_by_what_it_says(trouble: str, outcome: str) -> None:
    """The client tells no exit status."""
    events = told(
        user("<bash-input>git push</bash-input>", 1), _below(_output("", trouble), 2)
    )

    (returned,) = [event for event in events if isinstance(event, ToolReturned)]

    assert returned.outcome == outcome
    assert "&gt;" not in returned.output
