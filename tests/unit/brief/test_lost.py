"""What a compaction's summary still says is not said twice; the rest is."""

from holdfast.brief.lost_in_summary import lost
from holdfast.domain.checkpoint import CommandRef, Content, FileRef, Item

CONTENT = Content(
    title="tokens",
    summary="what the engine made of it",
    requests=(Item("add refresh tokens"), Item("rename the billing module")),
    instructions=(Item("never use sleep in tests"), Item("errors in Thai")),
    errors=(Item("`pytest` → exit 1: deadlock detected"),),
    dead_ends=(Item("SELECT FOR UPDATE deadlocks"),),
    decisions=(Item("tokens rotate on use"),),
    commands=(CommandRef("make migrate", 0), CommandRef("pytest -k reuse", 1)),
    files=(FileRef("src/auth/refresh.py", "edited"), FileRef("db/session.py", "read")),
)


def test_what_the_summary_carries_is_left_out() -> None:
    """By its words, by its command line, or by the name of the file."""
    summary = (
        "The user asked to Add Refresh Tokens. In tests sleep must never be used."
        " We ran `make migrate` and edited refresh.py."
    )

    left = lost(CONTENT, summary)

    assert [item.text for item in left.requests] == ["rename the billing module"]
    assert [item.text for item in left.instructions] == ["errors in Thai"]
    assert [one.command for one in left.commands] == ["pytest -k reuse"]
    assert [one.path for one in left.files] == ["db/session.py"]
    assert (left.errors, left.dead_ends) == (CONTENT.errors, CONTENT.dead_ends)
    assert left.decisions == CONTENT.decisions


def test_without_a_summary_everything_is_lost() -> None:
    """A client may compact and write no summary that can be read."""
    left = lost(CONTENT, "")

    assert (left.requests, left.files) == (CONTENT.requests, CONTENT.files)
    assert left.summary == ""


def test_a_summary_that_carries_all_leaves_nothing_to_say() -> None:
    """Then the model is told nothing it has read a moment ago."""
    texts = [
        *(item.text for item in (*CONTENT.requests, *CONTENT.instructions)),
        *(item.text for item in (*CONTENT.errors, *CONTENT.dead_ends)),
        *(item.text for item in CONTENT.decisions),
        *(one.command for one in CONTENT.commands),
        *(one.path for one in CONTENT.files),
    ]

    left = lost(CONTENT, "\n".join(texts))

    assert left == Content(title="tokens", summary="")
