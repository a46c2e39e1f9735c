"""`STATE.md` is edited only where an entry's condition is met."""

from holdfast.project_notes.memory.facts import done_entries, without_entries

STATE = (
    "# State\r\n\r\n## Blockers\r\n- [ ] write the migration for users\r\n"
    "- wait for legal\r\n1. release 2.0\r\n```\r\n- release 2.0\r\n```"
)


def test_entries_that_were_done_are_taken_out_and_nothing_else() -> None:
    """Resolved blockers and completed items go, the rest stays byte for byte."""
    done = ("Write the migration for users", "release 2.0")

    assert done_entries(STATE, done) == (
        "write the migration for users",
        "release 2.0",
    )
    assert without_entries(STATE, done) == (
        "# State\r\n\r\n## Blockers\r\n- wait for legal\r\n```\r\n- release 2.0\r\n```"
    )


def test_without_a_match_the_file_is_left_alone() -> None:
    """No change: do not touch."""
    assert without_entries(STATE, ("something else entirely",)) is None
    assert without_entries(None, ("release 2.0",)) is None
