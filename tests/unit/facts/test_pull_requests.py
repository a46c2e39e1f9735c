"""A pull request that was opened and not merged: the work is not finished."""

import pytest

from holdfast.domain.standing import standing_of
from holdfast.facts.content import content_of
from tests.sessions import Step, asks, runs, says, session

_ADDRESS = "https://github.com/ann/shop/pull/7"
_OPENED = runs("git push && gh pr create --title x --body y", _ADDRESS)


@pytest.mark.parametrize(
    ("later", "is_left"),
    [
        pytest.param((), True, id="nothing"),
        pytest.param((runs("gh pr merge 7 --squash", "✓ Merged"),), False, id="merged"),
        pytest.param((runs("gh pr merge --squash", "✓ Merged"),), False, id="no name"),
        pytest.param((runs(f"gh pr close {_ADDRESS}", "✓"),), False, id="closed"),
        pytest.param((runs("gh pr merge 6 --squash", "✓"),), True, id="another one"),
        pytest.param(
            (runs("gh pr merge 7", fails="error: not mergeable"),), True, id="in vain"
        ),
        pytest.param(
            (runs("gh pr view 7 --json state", '{"number":7,"state":"MERGED"}'),),
            False,
            id="seen merged",
        ),
        pytest.param((asks("i merged it, thanks"),), False, id="the user says so"),
    ],
)
def test_a_pull_request_is_left_until_it_is_merged_or_closed(
    later: tuple[Step, ...], is_left: object
) -> None:
    """ "Finished" above an open pull request lets nobody look at it again."""
    state = session(asks("ship it"), _OPENED, *later, says("Shipped."))

    content = content_of(state)

    told = [item.text for item in content.manual_steps]
    assert (told == [f"merge or close {_ADDRESS}, opened here"]) == bool(is_left)
    assert ("step" in standing_of(content).left) == bool(is_left)


def test_what_only_looks_at_pull_requests_opens_none() -> None:
    """An address in a list is somebody else's work."""
    state = session(asks("look"), runs("gh pr list", _ADDRESS), says("One is open."))

    assert content_of(state).manual_steps == ()
