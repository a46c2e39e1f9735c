"""Readers of text, fed with anything: none raises, and what they write reads back."""

import json
from typing import Any
from unittest.mock import patch

from hypothesis import given

from holdfast.brief import phrases
from holdfast.config.keys import KEYS
from holdfast.domain.checkpoint import Item, fact_item
from holdfast.domain.fact import Failure
from holdfast.domain.session import SessionState
from holdfast.domain.text import invisible_count, plain, storable, visible
from holdfast.facts.content import content_of
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel import ids
from holdfast.project_notes import named_file, named_index
from holdfast.project_notes.handoff import document
from holdfast.project_notes.lines import fenced, split_lines
from holdfast.project_notes.memory import episodes, facts, lessons
from holdfast.redaction.redactor import Redactor
from holdfast.search.query import parse
from holdfast.snapshot.git import gitconfig, identity
from holdfast.start.resume_answers import answer_of
from holdfast.surfaces.cli.output import json_text
from tests.builders import NOON, a_full_draft
from tests.fuzz.hostile import TEXTS, effort, refusal, texts, values

_REDACTOR = Redactor(b"key")


def _reference(text: str) -> None:
    ids.reference(text)
    problem = refusal(lambda: ids.name(text))

    assert problem is None or problem.code == "NAME_001"
    assert problem is None or invisible_count(problem.message) == 0
    assert problem or ids.name(ids.name(text)) == ids.name(text)


def _text(text: str) -> None:
    shown, kept = visible(text), storable(text)

    assert (visible(shown), storable(kept)) == (shown, kept)
    assert invisible_count(shown) == 0
    kept.encode()
    shown.encode()


def _redacted(text: str) -> None:
    once = _REDACTOR.text(storable(text))

    assert _REDACTOR.text(once) == once


def _failed_with(line: str) -> Item:
    return fact_item(Failure("make", line, 1))


def _phrase(text: str) -> None:
    for told in (
        phrases.printed_text(text, 100),
        phrases.printed(_failed_with(text), 100),
        phrases.named(text),
        phrases.spanned(text),
        plain(text),
    ):
        assert "▸" not in told
        assert "\n" not in told
        assert invisible_count(told) == 0
    assert phrases.spanned(text).count("`") == 2
    quoted = phrases.printed(_failed_with(f"{text} end")).removeprefix(
        "`make` → exit 1: "
    )
    assert quoted.startswith(("`", "("))
    assert quoted.count("`") in (0, 2)


def _handoff(text: str) -> None:
    read = document.parse(text)
    printed = document.print_document(read)

    assert document.print_document(document.parse(printed)) == printed
    assert len(fenced(split_lines(text))) == len(split_lines(text))
    assert "".join(split_lines(text)) == text


def _memory(text: str) -> None:
    for line in (
        *map(facts.fact_line, facts.facts_in(text)),
        *map(episodes.episode_line, episodes.episodes_in(text)),
        *map(lessons.lesson_line, lessons.lessons_in(text)),
    ):
        assert "▸" not in line
        assert "\n" not in line
    facts.unified(text)
    fact = "tests run with make test"
    with (
        patch.object(facts, "alike", str.__eq__),
        patch.object(facts, "contradicts", str.__ne__),
    ):
        after, _ = facts.with_fact(text, fact, None, over_people=False)
    assert after is None or "make test" in after


def _index(text: str) -> None:
    file = named_file.read_named("api", named_file.named_file("api", a_full_draft()))
    assert file is not None
    before = named_index.with_index(text, ())
    clean = text if before is None else before
    added = named_index.with_index(clean, (file,))
    assert added is not None
    assert named_index.with_index(added, (file,)) is None  # once is enough


def _named_file(text: str) -> None:
    whole = named_file.named_file("api", a_full_draft(title=text or "x"))
    read = named_file.read_named("api", whole)

    assert read is not None
    named_file.read_named("api", text)
    named_file.read_named("api", whole.replace("Left Off", text))


def _git(text: str) -> None:
    identity.remote_address(gitconfig.parse(text), None)
    written = gitconfig.quoted(text)

    assert gitconfig.last(gitconfig.parse(f"[a]\n\tb = {written}\n"), "a.b") == text


def _words(text: str) -> None:
    parse(text, NOON)
    answer_of(text)
    for key in KEYS:
        key.kind.accepts(key.kind.from_text(text))


_READERS = {
    "reference": _reference,
    "text": _text,
    "redaction": _redacted,
    "phrase": _phrase,
    "handoff": _handoff,
    "memory": _memory,
    "index": _index,
    "named file": _named_file,
    "git": _git,
    "words": _words,
}


def test_every_text_of_the_corpus_passes_every_reader() -> None:
    """What broke something once must not break anything again."""
    broken = {}
    for name, reader in _READERS.items():
        for text in TEXTS:
            try:
                reader(text)
            except Exception as problem:  # noqa: BLE001  # all of them are told at once
                broken[name, text] = repr(problem)[:200]

    assert broken == {}


@effort(40)
@given(text=texts)
def test_any_text_is_a_reference_or_a_name_or_refused(text: str) -> None:
    """Agents and people type anything."""
    _reference(text)


@effort(40)
@given(text=texts)
def test_any_text_can_be_shown_and_kept(text: str) -> None:
    """Showing twice is showing once; what is kept has bytes."""
    _text(text)


@effort(60)
@given(text=texts)
def test_redacting_any_text_twice_is_redacting_it_once(text: str) -> None:
    """A text passes the chokepoint more than once."""
    _redacted(text)


@effort(60)
@given(text=texts)
def test_no_text_leaves_its_quotation(text: str) -> None:
    """What others say is quoted in backticks it cannot close, on one line."""
    _phrase(text)


@effort(60)
@given(text=texts)
def test_any_handoff_file_reads_back_as_it_was_written(text: str) -> None:
    """The file is people's as well as ours."""
    _handoff(text)


@effort(40)
@given(text=texts)
def test_any_memory_file_is_read(text: str) -> None:
    """No line of one may pass for the user's words."""
    _memory(text)


@effort(40)
@given(text=texts)
def test_any_index_takes_our_section_once(text: str) -> None:
    """It is the client's file, and people's."""
    _index(text)


@effort(30)
@given(text=texts)
def test_any_named_file_is_read_or_is_none_of_ours(text: str) -> None:
    """People edit them; they come back as checkpoints."""
    _named_file(text)


@effort(40)
@given(text=texts)
def test_any_git_configuration_is_read(text: str) -> None:
    """It lies in the repository of whoever made it."""
    _git(text)


@effort(60)
@given(text=texts)
def test_any_text_is_a_query_an_answer_and_a_setting_or_refused(text: str) -> None:
    """There is no syntax error."""
    _words(text)


@effort(60)
@given(value=values)
def test_any_notes_are_taken_or_refused_by_their_field(value: Any) -> None:
    """An agent writes them."""
    problem = refusal(lambda: content_of(SessionState(), parse_notes(value)))

    assert problem is None or problem.code == "NOTE_001"


@effort(60)
@given(value=values)
def test_any_answer_is_json_that_no_terminal_obeys(value: Any) -> None:
    """`--json` is read by programs and by people."""
    text = json_text({"x": value})

    assert not set(text) & set("\x1b\x9b\x9d\u202e\u2066\u200b\ufeff\U000e0041\x7f")
    assert json.dumps(json.loads(text)) == json.dumps({"x": value})


@effort(40)
@given(value=values)
def test_redacting_any_value_keeps_its_form(value: Any) -> None:
    """Notes and records are trees; names in them can be secrets, too."""
    once = _REDACTOR.tree(value)

    assert type(once) is type(value)
    assert repr(_REDACTOR.tree(once)) == repr(once)
