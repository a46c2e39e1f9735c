"""What a session deleted for good is a deed, where it was not its own."""

import pytest

from holdfast.facts.content import content_of
from tests.sessions import asks, runs, says, session


def _deleted(*commands: str) -> list[str]:
    steps = (runs(command) for command in commands)
    content = content_of(session(asks("make room"), *steps, says("There is room.")))
    told = (item.text for item in content.key_outcomes)
    return [text for text in told if text.startswith("Deleted")]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rm -rf /srv/old-site", "/srv/old-site"),
        ("sudo rm -r -f /srv/a '/srv/b c'", "/srv/a, /srv/b c"),
        ("rm -rf /srv/shop/.git 2>/dev/null", "/srv/shop/.git"),
        ("cd /srv/shop && rm -r uploads", "uploads"),
        ("rm --recursive /srv/logs/2024 && df -h", "/srv/logs/2024"),
    ],
)
def test_what_was_deleted_with_all_below_it_is_told(command: str, told: str) -> None:
    """A session that only cleans up a server had nothing to tell."""
    assert _deleted(command) == [f"Deleted: {told}"]


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(("rm -rf /tmp/work/x",), id="for the moment"),
        pytest.param(("rm -rf node_modules dist .cache",), id="made anew"),
        pytest.param(("mkdir -p /srv/new", "rm -r /srv/new"), id="made here"),
        pytest.param(("git clone x /srv/y", "rm -rf /srv/y/docs"), id="below it"),
        pytest.param(("rm a.txt",), id="a file"),
        pytest.param(('rm -rf "$TARGET"',), id="who knows what"),
        pytest.param(("echo 'rm -rf /srv/x'",), id="only said"),
    ],
)
def test_what_is_no_loss_is_no_deed(commands: tuple[str, ...]) -> None:
    """Most of what is removed was made to be removed."""
    assert _deleted(*commands) == []


def test_of_many_deletions_the_last_are_named() -> None:
    """One line of a brief."""
    commands = [f"rm -rf /srv/site-{number}" for number in range(6)]

    assert _deleted(*commands) == [
        "Deleted: /srv/site-2, /srv/site-3, /srv/site-4, /srv/site-5 and 2 more"
    ]
