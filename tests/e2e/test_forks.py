"""Twenty made-up forks come home, and what is told of both is true."""

import pytest

from tests.e2e.conftest import Cli
from tests.e2e.forks import FORKS, Fork, played
from tests.e2e.repository import git


@pytest.mark.parametrize("fork", FORKS, ids=lambda fork: fork.name)
def test_a_fork_comes_home(cli: Cli, fork: Fork) -> None:
    """What contradicts is shown and nothing else; what is open is open, and who comes
    next reads what both found."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    played(fork, cli)

    answer = cli("merge", "2", "--json").json
    brief = cli("resume", "latest", "--budget", "4000").out

    made = answer["checkpoint"]
    shown = [c for c in answer["conflicts"] if c["kind"] != "code"]
    assert (made["number"], len(made["relations"]["merged_from"])) == (4, 2)
    assert [frozenset(o["text"] or "" for o in c["options"]) for c in shown] == [
        *fork.conflicts
    ]
    assert {item["text"] for item in made["content"]["pending"]} == fork.pending
    assert {c["path"] for c in answer["conflicts"] if c["kind"] == "code"} == {
        *fork.clashes
    }
    assert [words for words in fork.says if words not in brief] == []
    assert [words for words in fork.silent if words in brief] == []


def test_there_are_twenty() -> None:
    """Each another story."""
    assert len({fork.name for fork in FORKS}) == 20
