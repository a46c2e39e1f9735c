"""The account of what a brief carried and left out."""

from holdfast.domain.checkpoint import Content, FileRef, Item
from holdfast.render.receipt import left_out, receipt_json, receipt_of, receipt_text

_CONTENT = Content(
    title="t",
    instructions=(Item("a"), Item("b")),
    files=(FileRef("x.py", "edited"), FileRef("y.py", "read"), FileRef("z.py", "read")),
    errors=(Item("`make` → exit 1"), Item("`make` → exit 1 (fixed since)")),
    pending=(Item("c"),),
)


def test_each_kind_is_counted_against_what_there_is() -> None:
    """An error that was mended is no loss, so only open ones count."""
    receipt = receipt_of(_CONTENT, ["instructions", "files_read", "errors", "todos"])

    assert receipt == {
        "instructions": (1, 2),
        "files_edited": (0, 1),
        "files_read": (1, 2),
        "commands": (0, 0),
        "errors": (1, 1),
        "todos": (1, 1),
        "decisions": (0, 0),
    }


def test_a_kind_told_twice_is_carried_once() -> None:
    """A receipt that claims more than there is cannot be trusted."""
    assert receipt_of(_CONTENT, ["todos", "todos"])["todos"] == (1, 1)


def test_the_text_names_only_what_there_was() -> None:
    """`commands 0/0` tells nothing."""
    text = receipt_text(receipt_of(_CONTENT, ["instructions", "todos"]))

    assert (
        text
        == "Carried: instructions 1/2 · edits 0/1 · reads 0/2 · errors 0/1 · todos 1/1."
    )
    assert receipt_text({}) == "Carried: all there was."


def test_a_person_hears_of_instructions_edits_and_errors_only() -> None:
    """A line says what was left out when it matters, and is silent otherwise."""
    everything = ["instructions"] * 2 + ["files_edited", "errors"]

    assert left_out(receipt_of(_CONTENT, ["instructions"])) == (
        "1 instructions",
        "1 edits",
        "1 errors",
    )
    assert left_out(receipt_of(_CONTENT, everything)) == ()


def test_the_record_keeps_pairs() -> None:
    """Scripts read carried and present as a list."""
    assert receipt_json({"todos": (1, 4)}) == {"todos": [1, 4]}
