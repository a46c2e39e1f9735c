"""goldfish: one checkpoint a file, or those of a day in one."""

from tests.neighbours import GOLDFISH, GOLDFISH_DAY, NOON_MS
from tests.unit.neighbours.conftest import Make, only, read_at, whys


def test_a_checkpoint_is_read_with_all_that_it_says(make: Make) -> None:
    root = make(**{".memories/2026-04-16/120000_1ebe.md": GOLDFISH})

    record = only(read_at(root))

    assert (record.record, record.created_at) == ("checkpoint_1ebe10bb", NOON_MS)
    assert record.title == "Nested quotes in the parser"
    assert (record.branch, record.commit) == ("feature/quotes", "2d2ffc8")
    assert record.files == ("src/parser.py", "docs/quotes.md")
    assert record.tags == ("parser", "quotes")
    assert record.decisions == ("Quotes nest by a stack",)
    assert record.dead_ends == ("a regular expression for each level",)
    assert record.next_steps == (
        "Commit the slice, then write the docs around nested quotes.",
    )
    assert "users of the linter asked" in record.summary
    assert record.path.endswith(".memories/2026-04-16/120000_1ebe.md")


def test_the_directory_itself_and_a_single_file_are_read_too(make: Make) -> None:
    """Whoever comes from a tool gives whichever path they know."""
    root = make(**{".memories/2026-04-16/120000_1ebe.md": GOLDFISH})
    memories = root / ".memories"

    of_directory = read_at(memories)
    of_file = read_at(memories / "2026-04-16/120000_1ebe.md")

    assert only(of_directory) == only(of_file) == only(read_at(root))
    assert of_directory.kind == of_file.kind == "goldfish"


def test_checkpoints_of_a_day_are_told_apart(make: Make) -> None:
    """What it wrote before: a file a day, times in UTC, no ids."""
    reading = read_at(make(**{".memories/2026-04-15.md": GOLDFISH_DAY}))

    first, second = reading.records
    assert first.title == "Lexer drops trailing blanks"
    assert first.created_at == 1_776_245_400_000
    assert first.files == ("src/lexer.py", "tests/test_lexer.py")
    assert first.tags == ("lexer", "blanks")
    assert (first.branch, first.commit) == ("main", "abc1234")
    assert (second.title, second.files) == ("Began with quotes", ())
    assert first.record != second.record


def test_windows_ends_and_a_mark_of_the_byte_order_change_nothing(make: Make) -> None:
    written = b"\xef\xbb\xbf" + GOLDFISH.replace("\n", "\r\n").encode()

    record = only(read_at(make(**{".memories/d/a.md": written})))

    assert record.files == ("src/parser.py", "docs/quotes.md")


def test_plans_are_left_and_strangers_are_told(make: Make) -> None:
    reading = read_at(
        make(
            **{
                ".memories/plans/quotes.md": "---\nid: quotes\nstatus: active\n---\nx",
                ".memories/d/no-time.md": GOLDFISH.replace(
                    "2026-04-16T12:00:00.000Z", "yesterday"
                ),
                ".memories/d/cut.md": GOLDFISH[:60],
            }
        )
    )

    assert reading.records == ()
    assert [each.is_left for each in reading.unread] == [False, False, True]
    assert whys(reading)[0] == "no checkpoint of goldfish"
    assert whys(reading)[1] == "it has no valid time"
