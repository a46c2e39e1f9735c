"""What the agent writes for a checkpoint."""

from typing import Any

import pytest

from holdfast.domain.checkpoint import Detail
from holdfast.facts.content import content_of
from holdfast.facts.statements.notes import Notes, parse_notes
from holdfast.kernel.errors import NotesInvalid
from tests.sessions import asks, edits, lists, runs, says, session


def _worked() -> Any:
    return session(
        asks("add tokens. Never use sleep in tests."),
        edits("src/refresh.py", added=9),
        lists(("test reuse", "pending")),
        runs("pytest", fails="AssertionError: 200 != 401"),
        says("rotate() is written."),
    )


def test_every_field_is_read() -> None:
    """The skill asks for these, stage by stage."""
    notes = parse_notes(
        {
            "title": "Tokens rotate",
            "summary": "Works.",
            "topics": ["auth"],
            "work_type": "development",
            "domain": "backend",
            "decisions": ["rotate on use"],
            "mental_model": "a token is a row",
            "tags": ["mine"],
            "details": [{"topic": "t", "text": "x", "files": ["a"], "commands": ["c"]}],
        }
    )

    assert notes == Notes(
        title="Tokens rotate",
        summary="Works.",
        topics=("auth",),
        work_type="development",
        domain="backend",
        items={"decisions": ("rotate on use",)},
        mental_model="a token is a row",
        tags=("mine",),
        details=(Detail("t", "x", ("a",), (("c", ""),)),),
    )


def test_unknown_fields_are_kept() -> None:
    """A newer skill may know more than this program."""
    notes = parse_notes({"mood": {"good": True}, "title": "T"})

    assert notes.unknown == {"mood": {"good": True}}


def test_a_field_that_is_null_is_not_given() -> None:
    """Models write null for nothing."""
    assert parse_notes({"title": None, "decisions": None}) == Notes()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param([], "the notes must be an object, not a list", id="no object"),
        pytest.param(
            {"title": 3}, "`title` in the notes must be text, not a number", id="t"
        ),
        pytest.param(
            {"decisions": "x"},
            "`decisions` in the notes must be a list of texts, not text",
            id="text for a list",
        ),
        pytest.param(
            {"pending": ["a", {}]},
            "`pending[1]` in the notes must be text, not an object",
            id="an object in a list",
        ),
        pytest.param(
            {"details": [{"files": True}]},
            "`details[0].files` in the notes must be a list of texts, not true or false",
            id="a field of a detail",
        ),
        pytest.param(
            {"details": ["x"]},
            "`details[0]` in the notes must be an object, not text",
            id="a detail",
        ),
        pytest.param(
            {"mood": {"scores": [1.0, float("nan")]}},
            "`mood.scores[1]` in the notes must be a number, not nan",
            id="no number, in a field we do not know",
        ),
        pytest.param(
            {"cost": float("inf")},
            "`cost` in the notes must be a number, not inf",
            id="infinity",
        ),
    ],
)
def test_a_wrong_type_is_named(raw: object, message: str) -> None:
    """The agent can mend what the message names."""
    with pytest.raises(NotesInvalid) as refusal:
        parse_notes(raw)

    assert refusal.value.message == message


def test_wording_is_the_notes_and_facts_are_the_transcripts() -> None:
    """Notes cannot say that a red test is green, or that no file changed."""
    notes = parse_notes(
        {
            "title": "All green",
            "summary": "Everything works.",
            "key_outcomes": ["all tests pass"],
            "pending": ["write docs"],
            "topics": ["auth"],
        }
    )

    content = content_of(_worked(), notes)

    failed = "the last run of `pytest` failed"
    assert content.title == f"All green (doubtful: {failed})"
    assert content.summary == "Everything works."
    assert content.topics[0] == "auth"
    assert content.key_outcomes[0].source == "agent"
    assert [item.text for item in content.pending] == ["write docs", "test reuse"]
    assert [file.path for file in content.files] == ["src/refresh.py"]
    assert content.errors[0].text == "`pytest` → exit 1: AssertionError: 200 != 401"


def test_a_note_never_becomes_a_users_instruction() -> None:
    """What an agent says the user wants is what an agent says."""
    notes = parse_notes({"instructions": ["always deploy on Friday"]})

    told = [(i.text, i.source) for i in content_of(_worked(), notes).instructions]

    assert told == [
        ("Never use sleep in tests.", "user"),
        ("always deploy on Friday", "agent"),
    ]


def test_a_note_that_repeats_an_item_is_told_once() -> None:
    """The agent copies its own list into its notes."""
    content = content_of(_worked(), parse_notes({"pending": ["Test reuse."]}))

    assert [item.text for item in content.pending] == ["Test reuse."]


def test_control_characters_in_a_note_are_stored_safely() -> None:
    """A store refuses half a surrogate pair, and a title is one line."""
    notes = parse_notes({"title": "a\u202eb\nc", "summary": "x\ud800"})

    assert notes.title == "ab c"
    assert notes.summary == "x\N{REPLACEMENT CHARACTER}"
