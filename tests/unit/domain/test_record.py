"""The record as JSON: what is written can be read, by this version and by a newer one."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings

from holdfast.domain.checkpoint import Checkpoint, Content, Draft, SessionFacts
from holdfast.domain.record import (
    body,
    checkpoint_from,
    draft_from,
    draft_record,
    record,
)
from holdfast.kernel.digests import canonical
from tests.builders import NOON, SESSION, a_draft, a_full_draft
from tests.strategies import (
    CONTENT_PARTS,
    DRAFT_PARTS,
    FACTS_PARTS,
    checkpoints,
    drafts,
)


def a_checkpoint(draft: Draft) -> Checkpoint:
    return Checkpoint(
        draft=draft,
        checkpoint_id=f"ccp-{SESSION}-03-{NOON}",
        number=42,
        sequence=3,
        master_summary_id=7,
        previous_checkpoint=f"ccp-{SESSION}-02-{NOON}",
        content_hash="ab",
    )


@settings(max_examples=60, deadline=None)
@given(drafts)
def test_a_draft_survives_being_written_and_read(draft: Draft) -> None:
    """A spool and a store both keep drafts as JSON; nothing may be lost on the way."""
    text = canonical(draft_record(draft))

    assert draft_from(json.loads(text)) == draft


@settings(max_examples=60, deadline=None)
@given(checkpoints)
def test_a_checkpoint_survives_being_written_and_read(checkpoint: Checkpoint) -> None:
    """What a store hashes is everything but what stands beside the record."""
    text = canonical(body(checkpoint))

    read = checkpoint_from(
        json.loads(text),
        content_hash=checkpoint.content_hash,
        name=checkpoint.name,
        next_checkpoint=checkpoint.next_checkpoint,
    )

    assert read == checkpoint


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        pytest.param(Draft, DRAFT_PARTS, id="draft"),
        pytest.param(Content, CONTENT_PARTS, id="content"),
        pytest.param(SessionFacts, FACTS_PARTS, id="session facts"),
    ],
)
def test_the_round_trips_cover_each_field(kind: type, parts: dict[str, object]) -> None:
    """A new field that is not generated would not be tested, and could be lost."""
    assert set(parts) == {field.name for field in fields(kind)}


def test_a_draft_without_a_root_is_its_own() -> None:
    """The first session of a chain is its root; the record says so in every case."""
    raw = draft_record(a_draft(root_session=""))

    assert raw["relations"]["root_session"] == SESSION
    assert draft_from(raw).root_session == SESSION


def test_names_and_neighbours_are_outside_the_hash() -> None:
    """They change while the record does not."""
    checkpoint = a_checkpoint(a_draft())
    moved = replace(
        checkpoint, name="api", next_checkpoint="ccp-x", latest_checkpoint=False
    )

    assert body(moved) == body(checkpoint)
    assert record(moved)["name"] == "api"
    assert record(moved)["relations"]["next_checkpoint"] == "ccp-x"
    assert record(moved)["latest_checkpoint"] is False


def test_the_record_has_the_shape_of_the_contract() -> None:
    """Scripts rely on these names; fields may be added, never renamed."""
    whole = record(a_checkpoint(a_full_draft()))

    assert whole["format"] == "claude-code-checkpoint"
    assert whole["version"] == "2.1"
    assert whole["label"] == "CHECKPOINT-00042"
    assert whole["created_at"] == "2026-01-18T12:00:00.000Z"
    assert whole["created_at_unix"] == NOON
    assert whole["agent"] == {"name": "claude-code", "version": "2.1.197"}
    assert set(whole["code"]) == {"branch", "head", "tree", "dirty"}
    assert whole["session_state"]["tools_used"] == ["Edit"]
    assert whole["receipt"] == {"instructions": [1, 1]}
    assert whole["observations"]["master_summary_id"] == 7
    assert whole["content"]["decisions"] == [
        {
            "text": "rotate instead of renewing",
            "source": "agent",
            "evidence": [],
            "excerpt": "",
            "from": None,
        }
    ]
    assert whole["content"]["files_referenced"] == [
        {
            "path": "src/auth/refresh.py",
            "change": "edited",
            "lines_added": 96,
            "lines_removed": 4,
        }
    ]


def test_an_older_record_opens_with_defaults() -> None:
    """A record that lacks what came later is still a record."""
    oldest = {
        "session_id": SESSION,
        "type": "manual",
        "created_at_unix": NOON,
        "content": {"title": "Old"},
    }

    draft = draft_from(oldest)

    assert draft.content == Content(title="Old")
    assert draft.agent == "claude-code"
    assert draft.tags == ()


def test_canonical_text_does_not_depend_on_the_order_of_keys() -> None:
    """A hash must be the same wherever and whenever it is taken."""
    assert canonical({"b": 1, "a": ["é"]}) == canonical({"a": ["é"], "b": 1})
    assert canonical({"b": 1, "a": ["é"]}) == '{"a":["é"],"b":1}'


def test_a_number_that_is_none_is_refused() -> None:
    """NaN has no JSON form; other readers would reject the whole record."""
    with pytest.raises(ValueError, match="JSON"):
        canonical({"percent": float("nan")})
