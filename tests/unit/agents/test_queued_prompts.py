"""Prompts typed while the agent worked."""

from holdfast.agents.claude_code.transcript.queued_prompts import Queue, QueueStep


def _words(
    *steps: QueueStep, earlier: tuple[QueueStep, ...] | None = None
) -> list[str]:
    queue = Queue(None if earlier is None else lambda: earlier)
    return [words for step in steps if (words := queue.words(step))]


def test_words_an_older_client_only_queued_are_heard_when_they_leave_the_queue() -> (
    None
):
    """There is no other line that has them."""
    assert _words(
        QueueStep("enqueue", "first"),
        QueueStep("enqueue", "second"),
        QueueStep("remove"),
        QueueStep("remove"),
    ) == ["first", "second"]


def test_a_prompt_that_becomes_a_line_is_not_counted_at_the_queue() -> None:
    """The line itself is the prompt."""
    assert _words(QueueStep("enqueue", "next"), QueueStep("dequeue")) == []


def test_a_prompt_taken_back_is_not_heard() -> None:
    """The user edits it and may never send it."""
    assert (
        _words(QueueStep("enqueue", "hm"), QueueStep("popAll"), QueueStep("remove"))
        == []
    )


def test_a_prompt_removed_for_another_reason_is_not_heard() -> None:
    """The client says why; only being absorbed means being heard."""
    assert (
        _words(QueueStep("enqueue", "hm"), QueueStep("dropped"), QueueStep("remove"))
        == []
    )


def test_an_attachment_and_its_remove_are_one_prompt() -> None:
    """Clients write both, in either order, with the text or without it."""
    asked = QueueStep("enqueue", "also tests")
    attached = QueueStep("heard", "also tests")

    assert _words(asked, attached, QueueStep("remove")) == ["also tests"]
    assert _words(asked, attached, QueueStep("remove", "also tests")) == ["also tests"]
    assert _words(asked, QueueStep("remove", "also tests"), attached) == ["also tests"]
    assert _words(asked, QueueStep("remove"), attached) == ["also tests"]


def test_the_same_words_twice_are_two_prompts() -> None:
    """ "continue" is typed often."""
    asked, attached, gone = (
        QueueStep("enqueue", "go on"),
        QueueStep("heard", "go on"),
        QueueStep("remove"),
    )

    assert _words(asked, attached, gone, asked, attached, gone) == ["go on", "go on"]


def test_a_line_that_repeats_what_was_heard_is_no_new_prompt() -> None:
    """Some prompts appear both as an attachment and as a line."""
    heard = (
        QueueStep("enqueue", "go on"),
        QueueStep("heard", "go on"),
        QueueStep("remove"),
    )

    assert _words(*heard, QueueStep("line", "go on")) == ["go on"]


def test_a_line_that_left_the_queue_is_a_prompt_even_if_its_words_were_heard() -> None:
    """It was typed twice, and heard twice."""
    heard = (
        QueueStep("enqueue", "go on"),
        QueueStep("heard", "go on"),
        QueueStep("remove"),
    )
    again = (
        QueueStep("enqueue", "go on"),
        QueueStep("dequeue"),
        QueueStep("line", "go on"),
    )

    assert _words(*heard, *again) == ["go on", "go on"]


def test_what_lies_before_the_pass_is_asked_for_once_and_only_if_it_matters() -> None:
    """Looking back costs a read."""
    asked: list[int] = []

    def earlier() -> list[QueueStep]:
        asked.append(1)
        return [QueueStep("enqueue", "first")]

    queue = Queue(earlier)
    queue.words(QueueStep("enqueue", "second"))
    queue.words(QueueStep("popAll"))
    queue.words(QueueStep("enqueue", "third"))

    assert asked == []
    assert queue.words(QueueStep("remove")) == "third"
    assert queue.words(QueueStep("remove")) == ""
    assert asked == [1]


def test_a_pass_that_begins_after_the_enqueue_knows_the_words() -> None:
    """A hook may run between the typing and the hearing."""
    assert _words(
        QueueStep("remove"), earlier=(QueueStep("enqueue", "tests, too"),)
    ) == ["tests, too"]
