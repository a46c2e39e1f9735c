"""`context-log.md`: a line an episode, a person's lines untouched."""

from dataclasses import replace

from hypothesis import given, strategies as st

from holdfast.project_notes.memory.entries import Episode
from holdfast.project_notes.memory.episodes import (
    episodes_in,
    with_episode,
    with_promoted,
    without,
)

EPISODE = Episode("2026-01-18", "DECISION", "permanent", 0, "tokens rotate on use")
BY_HAND = "# Log\r\n\r\nmy thought\r\n- [2026-01-01] [EVENT] [ttl:30d] [ref:2] demo day"


def test_the_first_episode_makes_the_file() -> None:
    """The header tells a person the form."""
    text, outcome = with_episode(None, EPISODE)

    assert text == (
        "# Context log\n\n"
        "<!-- Format: [DATE] [TYPE] [ttl:permanent|90d|30d] [ref:N] text -->\n\n"
        "[2026-01-18] [DECISION] [ttl:permanent] [ref:0] tokens rotate on use\n"
    )
    assert outcome.did == "added"


def test_what_is_read_is_what_was_written() -> None:
    """Owners and promotion are hidden in a comment."""
    episode = replace(EPISODE, owners=("7670db3a",), ref=3, is_promoted=True)

    text, _ = with_episode(None, episode)

    assert episodes_in(text) == (replace(episode, line=4),)


def test_the_same_again_is_one_more_reference() -> None:
    """Same entity again: not a line, a count."""
    text, _ = with_episode(None, EPISODE)

    again, outcome = with_episode(text, EPISODE)

    assert outcome.did == "observed"
    assert [(e.ref, e.text) for e in episodes_in(again)] == [(1, EPISODE.text)]


def test_a_session_counts_once() -> None:
    """Writing twice changes nothing; another session counts."""
    mine = replace(EPISODE, owners=("7670db3a",))
    text, _ = with_episode(None, mine)

    twice, outcome = with_episode(text, mine)
    other, _ = with_episode(text, replace(EPISODE, owners=("91e0cc11",)))

    assert (twice, outcome.did) == (None, "known")
    (episode,) = episodes_in(other)
    assert (episode.ref, episode.owners) == (1, ("7670db3a", "91e0cc11"))


def test_two_types_are_two_episodes() -> None:
    """A plan and its completion are not the same."""
    text, _ = with_episode(None, EPISODE)
    text, outcome = with_episode(text, replace(EPISODE, type="PLAN"))

    assert outcome.did == "added"
    assert len(episodes_in(text)) == 2


def test_a_hand_written_log_is_understood_and_kept() -> None:
    """CRLF, bullets, no last newline, other lines."""
    text, _ = with_episode(BY_HAND, EPISODE)
    counted, _ = with_episode(
        BY_HAND, Episode("2026-01-18", "EVENT", "30d", 0, "demo day")
    )

    assert text == (
        f"{BY_HAND}\r\n[2026-01-18] [DECISION] [ttl:permanent] [ref:0]"
        " tokens rotate on use\r\n"
    )
    assert counted == BY_HAND.replace("[ref:2]", "[ref:3]")


def test_promotion_marks_a_line_and_expiry_takes_it_out() -> None:
    """Nothing else in the file moves."""
    (demo,) = episodes_in(BY_HAND)

    assert with_promoted(BY_HAND, [demo]) == f"{BY_HAND} <!-- hf promoted -->"
    assert without(BY_HAND, [demo]) == "# Log\r\n\r\nmy thought\r\n"


@given(
    lines=st.lists(
        st.sampled_from(
            [
                "",
                "# Log",
                "- [2026-01-01] [EVENT] [ttl:30d] [ref:0] old",
                "ไทย\x85",
                "[x]",
            ]
        ),
        max_size=8,
    ),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
)
def test_a_new_episode_goes_below_whatever_is_there(
    *, lines: list[str], newline: str, ends: bool
) -> None:
    """Every byte of a person stays where it was."""
    text = newline.join(lines) + (newline if ends else "")

    after, _ = with_episode(text, EPISODE)

    assert after is not None
    assert after.startswith(text)
    assert episodes_in(after)[-1].text == EPISODE.text
