"""Files that a search showed and nobody opened."""

from holdfast.domain.event import Listed
from holdfast.facts.content import content_of
from holdfast.session.fold import fold
from tests.sessions import asks, reads, says, searches, session


def _seen(*steps: object, **found: str) -> tuple[str, ...]:
    state = session(asks("mend the shop"), *steps)  # type: ignore[arg-type]  # steps as they come
    searched = [call for call in state.live_calls() if call.tool == "Grep"]
    paths = dict(zip(found, searched, strict=True))
    listed = [Listed(paths[name].call_id, found[name]) for name in found]
    return content_of(fold(state, listed)).files_seen


def test_a_file_that_was_opened_is_not_told_as_only_seen() -> None:
    """It stands among the files already."""
    seen = _seen(searches("cart"), reads("src/cart.py"), one="src/cart.py\nsrc/fee.py")

    assert seen == ("src/fee.py",)


def test_a_late_search_that_found_little_comes_before_one_that_found_much() -> None:
    """Who searches narrowly looks for just that file."""
    many = "\n".join(f"src/many_{n}.py" for n in range(20))

    seen = _seen(searches("x"), searches("y"), one=many, two="src/one.py")

    assert seen[0] == "src/one.py"


def test_a_file_that_the_agent_spoke_of_last_comes_first() -> None:
    """What is named is what is meant."""
    seen = _seen(
        searches("x"), says("The fee is counted in late.py, not here."),
        one="src/early.py\nsrc/late.py",
    )  # fmt: skip

    assert seen == ("src/late.py", "src/early.py")
