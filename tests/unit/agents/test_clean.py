"""The redaction chokepoint."""

import re
from base64 import b64encode
from hashlib import sha512

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.agents.claude_code.transcript.lines import PLAIN_ID
from holdfast.agents.claude_code.transcript.results import names_written, written
from holdfast.agents.redact_events import (
    AGENT_TEXT,
    IDENTIFIER,
    MARGIN,
    OUTPUT_HEAD,
    OUTPUT_TAIL,
    PROMPT,
    Cleaner,
)
from holdfast.redaction.redactor import Redactor
from tests.unit.agents.building import unchanged, uuid

_SECRET = "sk-" + "0123456789abcdefghij" * 4
_TOKEN = re.compile(r"sk-[0-9a-j]{80}")
_KEY = (
    "-----BEGIN PRIVATE KEY-----\n"
    + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 90
    + "-----END PRIVATE KEY-----\n"
)


def _redact(text: str) -> str:
    return _TOKEN.sub("[redacted]", text)


def _whole_keys(text: str) -> str:
    return re.sub(r"-----BEGIN P.*?-----END P[^\n]*", "[key]", text, flags=re.DOTALL)


def _no_part_of(secret: str, text: str) -> bool:
    return not any(secret[i : i + 12] in text for i in range(len(secret) - 12))


@settings(deadline=None)
@given(
    before=st.integers(0, 3_000),
    after=st.integers(0, 9_000),
    limit=st.integers(1, 2_000),
)
def test_a_secret_that_the_clip_cuts_does_not_survive_in_part(
    before: int, after: int, limit: int
) -> None:
    """Half a token is still a leak, and no rule recognises it."""
    text = "a" * before + " " + _SECRET + " " + "b" * after

    kept = Cleaner(_redact, PLAIN_ID).text(text, limit)

    assert _no_part_of(_SECRET, kept)
    assert len(kept) <= limit


@settings(deadline=None)
@given(
    before=st.integers(0, 6_000),
    after=st.integers(0, 6_000),
    far=st.sampled_from([0, 70_000]),
    place=st.sampled_from(["first", "last"]),
)
def test_no_part_of_a_secret_survives_at_the_edges_of_an_output(
    before: int, after: int, far: int, place: str
) -> None:
    """Both ends of the window are cuts."""
    text = "a\n" * before + _SECRET + "\n" + "b\n" * after
    text = f"{text}{'c' * far}" if place == "first" else f"{'c' * far}\n{text}"

    assert _no_part_of(_SECRET, Cleaner(_redact, PLAIN_ID).output(text))


@pytest.mark.parametrize("before", [0, 1_000, 5_000, 9_000, 12_000])
@pytest.mark.parametrize("after", [0, 3_000, 6_000, 70_000])
def test_a_private_key_that_is_cut_is_left_out_whole(before: int, after: int) -> None:
    """A rule that wants both ends of a key sees neither half."""
    text = "x\n" * (before // 2) + _KEY + "y\n" * (after // 2)
    cleaner = Cleaner(_whole_keys, PLAIN_ID)

    assert "MIIEvQIB" not in cleaner.text(text, 6_000)
    assert "MIIEvQIB" not in cleaner.output(text)


@pytest.mark.parametrize("far", [0, 70_000])
def test_of_a_key_that_ends_nowhere_no_line_is_kept(far: int) -> None:
    """What shows a file may be cut off itself: the lines at the end are still a key's."""
    lines = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n" * 300
    text = "x\n" * far + "-----BEGIN RSA PRIVATE KEY-----\n" + lines
    cleaner = Cleaner(Redactor().text, PLAIN_ID)

    assert "MIIEvQIB" not in cleaner.output(text)
    assert "MIIEvQIB" not in cleaner.said(text)


@pytest.mark.parametrize("before", [0, 3_000, 70_000])
@pytest.mark.parametrize("after", [0, 3_000, 70_000])
@pytest.mark.parametrize("opens", ["<private>", "notes: <private>"])
def test_what_is_marked_as_private_is_kept_in_no_part(
    before: int, after: int, opens: str
) -> None:
    """It may be longer than what is looked at around a cut, with neither tag in sight."""
    marked = "of my own life\n" * 1_500
    text = "x\n" * before + f"{opens}\n{marked}</private>\n" + "y\n" * after
    cleaner = Cleaner(Redactor().text, PLAIN_ID)

    assert "my own life" not in cleaner.text(text, PROMPT)
    assert "my own life" not in cleaner.output(text)
    assert "my own life" not in cleaner.said(text)


def test_an_encoded_key_is_not_kept_where_a_message_is_cut() -> None:
    """In base64 a key is longer than the margin, and its end says nothing of it."""
    body = b64encode(b"".join(sha512(b"%d" % n).digest() for n in range(140)))
    key = b64encode(b"-----BEGIN RSA PRIVATE KEY-----\n" + body).decode()
    text = "x y\n" * 3_000 + f"key: {key}\n" + "x y\n" * 200

    assert _no_part_of(key, Cleaner(Redactor().text, PLAIN_ID).said(text))
    assert _no_part_of(key, Cleaner(Redactor().text, PLAIN_ID).output(text))


def test_text_that_fits_is_kept_whole() -> None:
    """Clipping is for what does not fit."""
    assert Cleaner(unchanged, PLAIN_ID).text("x" * 500, 500) == "x" * 500


def test_a_long_text_is_cut_at_its_limit() -> None:
    """The margin is looked at, not kept."""
    assert Cleaner(unchanged, PLAIN_ID).text("x" * (MARGIN * 3), 500) == "x" * 500


def test_what_no_store_takes_is_replaced() -> None:
    """A transcript holds NUL and half surrogate pairs; a database refuses both."""
    assert (
        Cleaner(unchanged, PLAIN_ID).text("a\x00b\ud800c", 100)
        == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    )


def test_a_long_output_keeps_its_head_and_its_tail_in_whole_lines() -> None:
    """The command's beginning and its end tell most; a half line tells lies."""
    lines = [f"line {number}" for number in range(10_000)]

    kept = Cleaner(unchanged, PLAIN_ID).output("\n".join(lines)).split("\n")

    gap = kept.index("…")
    assert kept[:gap] == lines[:gap]
    assert kept[gap + 1 :] == lines[gap + 1 - len(kept) :]
    assert OUTPUT_HEAD - 20 < len("\n".join(kept[:gap])) <= OUTPUT_HEAD
    assert OUTPUT_TAIL - 20 < len("\n".join(kept[gap + 1 :])) <= OUTPUT_TAIL


def test_an_output_of_one_long_line_is_cut_in_it() -> None:
    """Minified text has no line to stop at."""
    kept = Cleaner(unchanged, PLAIN_ID).output("x" * 50_000)

    assert kept == "x" * OUTPUT_HEAD + "\n…\n" + "x" * OUTPUT_TAIL


def test_an_id_that_looks_like_one_is_kept_as_it_is() -> None:
    """Evidence points at lines by their ids: they must not change."""
    cleaner = Cleaner(lambda _: "[redacted]", PLAIN_ID)

    assert cleaner.identifier(uuid(7)) == uuid(7)
    assert cleaner.identifier("toolu_01AbC") == "toolu_01AbC"
    assert cleaner.identifier(None) == ""


def test_an_id_that_looks_like_something_else_is_text() -> None:
    """A hostile transcript could carry a secret where an id belongs."""
    cleaner = Cleaner(_redact, PLAIN_ID)

    assert cleaner.identifier(_SECRET) == "[redacted]"
    assert len(cleaner.identifier("é" * 5_000)) == IDENTIFIER


def test_names_are_never_taken_for_ids() -> None:
    """A branch may be called after a secret; only ids have a form of their own."""
    cleaner = Cleaner(lambda _: "[redacted]", PLAIN_ID)

    assert cleaner.names["deadbeef"] == "[redacted]"
    assert cleaner.places["deadbeef"] == "[redacted]"


def test_remembering_names_does_not_fill_memory() -> None:
    """A hostile transcript has a new branch on every line."""
    cleaner = Cleaner(unchanged, PLAIN_ID)

    for number in range(20_000):
        assert cleaner.names[f"branch-{number}"] == f"branch-{number}"

    assert len(cleaner.names) <= 4_096


def test_a_long_message_keeps_what_it_closes_with() -> None:
    """Where the work stands is said there; the middle is what it can do without."""
    message = "Begun.\n" + "A line of the middle.\n" * 300 + "Next: run the tests."

    kept = Cleaner(unchanged, PLAIN_ID).said(message)

    assert len(kept) <= AGENT_TEXT
    assert kept.startswith("Begun.\nA line")
    assert kept.endswith("A line of the middle.\nNext: run the tests.")


def test_code_that_a_message_is_cut_in_stays_set_apart() -> None:
    """What stands behind it is prose again."""
    message = "See:\n```\n" + "x = 1\n" * 900 + "```\nNext: run the tests."

    head, _, tail = Cleaner(unchanged, PLAIN_ID).said(message).partition("\n…\n")

    assert head.endswith("x = 1\n```")
    assert tail.startswith("```\nx = 1")


@pytest.mark.parametrize("before", [2_200, 2_280, 4_000, 12_000])
def test_no_part_of_a_secret_is_left_where_a_message_is_cut(before: int) -> None:
    """It is seen whole before the message is cut."""
    message = "x " * (before // 2) + _SECRET + " y" * 6_000

    assert _no_part_of(_SECRET, Cleaner(_redact, PLAIN_ID).said(message))


def test_no_name_is_kept_of_what_a_written_file_marks_as_private() -> None:
    """The mark may open in the middle of a line and close behind what is looked at."""
    told = "def shown_name(): pass\n" + "# words\n" * 300
    hidden = "".join(f"def hidden_name_{n}(): pass\n" for n in range(400))
    content = f"{told}x = <private>1\n{hidden}</private>\n"
    clean = Cleaner(Redactor(b"key").text, PLAIN_ID)

    names = names_written(written({"content": content}), clean)

    assert "shown_name" in names
    assert "hidden_name" not in names
