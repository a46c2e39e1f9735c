"""A name suggested from the work: short, telling, and always a valid one."""

import pytest
from hypothesis import given, strategies as st

from holdfast.app.notes.save_named import suggested_name
from holdfast.domain.checkpoint import Content
from holdfast.kernel.ids import name


@pytest.mark.parametrize(
    ("title", "branch", "expected"),
    [
        pytest.param(
            "The parser accepts nested quotes", "main", "parser-accepts-nested-quotes",
            id="from the title",
        ),
        pytest.param(
            "Check it again", "alex/ent-207-agent-name", "ent-207-agent-name",
            id="from the branch",
        ),
        pytest.param("ทำระบบล็อกอิน ใหม่", None, "ทำระบบล็อกอิน-ใหม่", id="Thai"),
        pytest.param("로그인 토큰 갱신", "main", "로그인-토큰-갱신", id="Korean"),
        pytest.param("Parser", "main", "parser-work", id="one word"),
        pytest.param("do it now", "main", "work", id="nothing telling"),
        pytest.param("42 7", None, "42-7", id="numbers"),
    ],
)  # fmt: skip
def test_a_name_is_two_to_four_words_of_the_work(
    title: str, branch: str | None, expected: str
) -> None:
    """Whoever reads the index a week later must know which work it was."""
    assert suggested_name(Content(title=title), branch) == expected


@given(title=st.text(max_size=200), branch=st.none() | st.text(max_size=80))
def test_every_suggestion_is_a_valid_name(title: str, branch: str | None) -> None:
    """A suggestion that is refused would be a bad joke."""
    suggestion = suggested_name(Content(title=title), branch)

    assert name(suggestion) == suggestion
