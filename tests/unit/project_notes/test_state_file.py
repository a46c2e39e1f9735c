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


def test_what_a_person_ticked_or_struck_out_goes() -> None:
    """S1: completed items are removed; one that is only begun stays."""
    state = (
        "# State\n- [x] write the docs\n- [ ] ship it\n- ~~wait for legal~~\n- [-] x\n"
    )

    assert done_entries(state, ()) == ("write the docs", "~~wait for legal~~")
    assert without_entries(state, ()) == "# State\n- [ ] ship it\n- [-] x\n"


def test_a_blocker_goes_when_its_command_goes_well() -> None:
    """S1: a resolved blocker leaves, and only where it names what was mended."""
    state = "## Blockers\n- `make migrate` fails on staging\n- the build is slow\n"

    assert without_entries(state, (), ("make migrate",)) == (
        "## Blockers\n- the build is slow\n"
    )
    assert without_entries(state, (), ("make",)) is None
