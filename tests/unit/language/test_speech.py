"""What of an agent's message is worth telling."""

import pytest

from holdfast.language.agent_messages import says_nothing


@pytest.mark.parametrize(
    "sentence",
    [
        "Task 3 cannot be done without root.",
        "Step 2 fails on macOS: no prctl there.",
        "Phase 1 broke the importer, so I reverted it.",
        "I see a deadlock in the pool.",
        "Then we lose the write.",
        "Now we hold the lock for the whole request, which deadlocks with the pool.",
    ],
)
def test_what_holds_the_work_up_is_told(sentence: str) -> None:
    """It may be said like an announcement."""
    assert not says_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Now let me update the tests.",
        "Next, add the handler.",
        "Step 2 is done.",
        "Run the tests again.",
        "I can see the file.",
        "All tests pass.",
    ],
)
def test_an_announcement_is_not(sentence: str) -> None:
    """It could stand in any piece of work."""
    assert says_nothing(sentence)
