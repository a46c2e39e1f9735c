"""In which directory a command runs, and that it is another command there."""

import pytest

from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.runs import shown_command
from holdfast.facts.content import content_of
from tests.sessions import HOME, asks, runs, session


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param(f"cd {HOME} && make", "make", id="the session's own"),
        pytest.param(
            f"cd {HOME}/apps/api && npm test", "cd apps/api && npm test", id="below it"
        ),
        pytest.param("cd ./apps/api/; npm t", "cd apps/api && npm t", id="relative"),
        pytest.param("cd /home/me && make", "cd /home/me && make", id="above it"),
        pytest.param("cd /opt/x && make", "cd /opt/x && make", id="elsewhere"),
        pytest.param(
            'cd "my app" && make', 'cd "my app" && make', id="a name with a blank"
        ),
        pytest.param("cd .. && make", "make", id="from where is not known"),
        pytest.param("cd $DIR && make", "make", id="a variable"),
        pytest.param(
            "cd api && make && cd - && make docs",
            "(cd api && make) && make docs",
            id="back",
        ),
        pytest.param(
            "cd api && make && cd ../web && make",
            "(cd api && make) && cd web && make",
            id="on",
        ),
        pytest.param(
            "(cd api && make) && make docs",
            "(cd api && make) && make docs",
            id="within",
        ),
        pytest.param("cd api && git commit -m x", "git commit", id="a commit"),
        pytest.param("cd api && ls", "", id="only looks"),
    ],
)
def test_a_command_is_shown_with_the_directory_it_needs(line: str, shown: str) -> None:
    """The next session runs it as it stands, from its own directory."""
    assert shown_command(line, HOME) == shown


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        pytest.param("cd tests && node seed.js", "run", id="named like a task"),
        pytest.param("cd api && git push", "git", id="git"),
        pytest.param("(cd api && npm test) && make", "test", id="within"),
    ],
)
def test_where_a_command_runs_does_not_say_what_it_is_for(
    shown: str, kind: str
) -> None:
    """A directory may be called anything."""
    assert kind_of(shown) == kind


def test_the_same_words_in_two_directories_are_two_commands() -> None:
    """One app that is green says nothing of the other."""
    state = session(
        asks("go"),
        runs("cd apps/api && npm test", fails="Tests: 1 failed, 9 total"),
        runs("cd apps/web && npm test", output="Tests: 30 passed, 30 total"),
    )

    assert {c.command: c.exit for c in content_of(state).commands} == {
        "cd apps/api && npm test": 1,
        "cd apps/web && npm test": 0,
    }
