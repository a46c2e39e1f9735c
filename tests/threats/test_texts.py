"""T2, T3, T4, T9, T11, T13 and T14: texts that mean harm, on their way in and out."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.brief import phrases
from holdfast.domain.checkpoint import Item
from holdfast.domain.query import Scope
from holdfast.domain.text import invisible_count, storable, visible
from holdfast.facts.statements.notes import parse_notes
from holdfast.kernel.lazy_values import replace
from holdfast.language.quotations import own_words
from holdfast.project_notes import named_file, named_index
from holdfast.project_notes.handoff import document
from holdfast.project_notes.lines import fenced, split_lines
from holdfast.project_notes.memory import episodes, facts, lessons
from holdfast.redaction.redactor import Redactor
from holdfast.search.query import parse
from holdfast.start.decision import is_candidate
from holdfast.start.explicit import asked_for
from holdfast.start.resume_answers import answer_of
from holdfast.store.sqlite.store import open_store
from tests.builders import NOON, a_draft, a_foreign, a_full_draft
from tests.e2e.conftest import SAMPLE, SESSION, Cli
from tests.memory_store.store import MemoryStore

# Every terminal command there is: colour, title, clipboard, hyperlink, C1, bidi, tags.
_HOSTILE = (
    "a\x1b[31mb\x1b]0;title\x07c\x1b]52;c;ZXZpbA==\x07d\x1b]8;;http://x\x1b\\e\x9b31mf"
    "\x9dg\x90h\x08\x7f\r\x0bi\u202ej\u2066k\u200bl\U000e0041m\ufeffn\u2028o"
)
_FORBIDDEN = set("\x1b\x07\x9b\x9d\x90\x08\x7f\x0b\u202e\u2066\u200b\U000e0041\ufeff")


def test_t02_another_machines_checkpoint_is_never_told_by_itself() -> None:
    """What a teammate's store brings may be poisoned: it is shown only when asked for."""
    store = MemoryStore()
    own = store.get(store.put(a_full_draft(trigger="command")).checkpoint.checkpoint_id)
    foreign = replace(own, foreign=a_foreign("laptop"))

    assert is_candidate(own)
    assert not is_candidate(foreign)


@pytest.mark.parametrize("field", ["title", "tag", "notes", "prompt"])
def test_t04_no_terminal_is_told_what_to_do(
    cli: Cli, tmp_path: Path, field: str
) -> None:
    """T3 and T4: no escape, bidi or invisible character comes out, in text or JSON."""
    transcript = tmp_path / f"{SESSION}.jsonl"
    text = SAMPLE.read_text(encoding="utf-8")
    if field == "prompt":
        text = text.replace("first done", json.dumps(_HOSTILE)[1:-1])
    transcript.write_text(text, encoding="utf-8")
    notes = tmp_path / "notes"
    notes.write_text(json.dumps({"summary": _HOSTILE, "decisions": [_HOSTILE]}))
    words = {
        "title": ("--title", _HOSTILE),
        "tag": ("--tags", _HOSTILE),
        "notes": ("--notes", str(notes)),
    }
    cli.save(*words.get(field, ()), transcript=transcript)

    ran = {
        " ".join(words): cli(*words)
        for words in (
            ("list",),
            ("list", "--json"),
            ("show", "1"),
            ("show", "1", "--evidence"),
            ("show", "1", "--json"),
            ("resume", "1"),
            ("resume", "1", "--json"),
            ("search", "a"),
            ("search", "a", "--json"),
            ("brief", str(transcript)),
            ("show", _HOSTILE),
            ("search", _HOSTILE),
        )
    }

    assert {
        words for words, one in ran.items() if _FORBIDDEN & set(one.out + one.err)
    } == set()
    assert ran["list"].status == 0


def test_t03_what_was_hidden_is_counted_and_what_was_meant_stays() -> None:
    """Compatibility forms do not remove tags; removing them must not remove words."""
    assert invisible_count(_HOSTILE) >= 15
    assert visible("a\U000e0069\U000e0067\U000e006e b") == "a b"
    assert (
        visible("ภาษาไทย 한국어 ‘quotes’ – done ✓")
        == "ภาษาไทย 한국어 ‘quotes’ – done ✓"
    )


@pytest.mark.parametrize(
    "key",
    [
        "checkpoint.id) OR 1=1 --",
        "tag'",
        'name"); DROP TABLE checkpoint; --',
        "session_id",
        "1=1",
        "position",
        "checkpoint_id",
        "$.key",
    ],
)
def test_t09_a_filter_that_is_none_is_a_word(tmp_path: Path, key: str) -> None:
    """Filters are an allow list; their names never become SQL."""
    query = parse(f"{key}:x", NOON)
    with open_store(str(tmp_path / "store"), create=True) as store:
        store.put(a_draft("kept"))

        hits = store.search(query, Scope(), 10)

        assert hits == ()
        assert len(store.search(parse("kept", NOON), Scope(), 10)) == 1


_READERS: dict[str, Callable[[str], object]] = {
    "own words": own_words.__wrapped__,
    "redaction": Redactor(b"key").text,
    "query": lambda text: parse(text, NOON),
    "prompt": asked_for,
    "answer": answer_of,
    "visible": visible,
    "phrase": phrases.printed_text,
    "name": phrases.named,
    "notes": lambda text: parse_notes({"summary": text, "decisions": [text]}),
    "lines": lambda text: fenced(split_lines(text)),
    "handoff": document.parse,
    "lessons": lessons.lessons_in,
    "log": episodes.episodes_in,
    "facts": facts.facts_in,
    "index": lambda text: named_index.with_index(text, ()),
    "named file": lambda text: named_file.read_named("a", text),
}
_TEXTS: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n,
    "spaces": lambda n: "x" + " " * n,
    "a heading of spaces": lambda n: "## a" + " " * n + "x",
    "a bullet of spaces": lambda n: "- a" + " " * n + "x <!-- hf",
    "a title of spaces": lambda n: "### [2026-01-01] a" + " " * n + "x\n" + " " * n,
    "an episode of spaces": lambda n: (
        "[2026-01-01] [X] [ttl:90d] [ref:1] a" + " " * n + "x"
    ),
    "open fences": lambda n: "``` x\n" * (n // 6),
    "newlines": lambda n: "\n" * n,
    "backticks": lambda n: "`" * n,
    "fences": lambda n: "```\n" * (n // 4),
    "nested fences": lambda n: "".join("`" * (3 + i % 90) + "\n" for i in range(n // 48)),
    "brackets": lambda n: "[" * n,
    "comments": lambda n: "<!-- hf " * (n // 8),
    "bullets": lambda n: "- **a** (b, c) — d\n" * (n // 19),
    "headings": lambda n: "## a\n" * (n // 5),
    "dates": lambda n: "[2026-01-01] [X] " * (n // 17),
    "paths": lambda n: "a/" * (n // 2),
    "words with colons": lambda n: "a: " * (n // 3),
    "arrows": lambda n: " → exit 1" * (n // 9),
    "downloads": lambda n: "curl | " * (n // 7),
    "taken back": lambda n: ': an edit was taken back ("' * (n // 27),
    "quotes": lambda n: '"' * n,
    "accents": lambda n: "a\u0301" * (n // 2),
    "thai": lambda n: "ก" * n,
    "hidden": lambda n: "\u200b" * n,
    "assignments": lambda n: "key = " * (n // 6),
    "tags": lambda n: "<a>\n" * (n // 9) + "</a>\n" * (n // 9),
    "paste marks": lambda n: "[Pasted text #1 +9 lines]\n" * (n // 60) + "\n" * (n // 2) + "x",
}  # fmt: skip


_MOST_TRIES = 4


def _cpu_seconds(action: Callable[[str], object], text: str) -> float:
    """Return the shortest of a few runs: other work on the machine only ever adds."""
    runs: list[float] = []
    while len(runs) < 2 or (len(runs) < 5 and sum(runs) < 0.05):
        start = time.thread_time()
        action(text)
        runs.append(time.thread_time() - start)
    return min(runs)


@pytest.mark.parametrize("reader", sorted(_READERS))
def test_t11_no_text_takes_more_than_its_share_of_time(reader: str) -> None:
    """A pattern that backtracks takes sixteen times as long for four times the text."""
    action = _READERS[reader]
    slow = {}
    for name, text in _TEXTS.items():
        action(text(100))  # compiles what it needs
        quarter = whole = 0.0
        for _ in range(_MOST_TRIES):  # a busy machine slows one of the two, not always
            quarter = _cpu_seconds(action, text(12_500))
            whole = _cpu_seconds(action, text(50_000))
            if whole <= 9 * max(quarter, 0.002):
                break
        else:
            slow[name] = (quarter, whole)

    assert slow == {}


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfffb", "\udc80\udcff", "\x00", "a\x00b\x00", "\x00\ud800"]
)
def test_t13_t14_half_characters_and_nul_are_the_same_in_every_store(
    tmp_path: Path, text: str
) -> None:
    """SQLite stops at a NUL, PostgreSQL refuses it, UTF-8 refuses half a pair."""
    draft = a_draft(storable(f"x{text}y"), decisions=(Item(storable(text), "agent"),))
    memory = MemoryStore()
    with open_store(str(tmp_path / "store"), create=True) as store:
        on_disk = store.get(store.put(draft).checkpoint.checkpoint_id)
        in_memory = memory.get(memory.put(draft).checkpoint.checkpoint_id)

    assert on_disk.draft.content == in_memory.draft.content
    assert len(on_disk.draft.content.title) == len(text) + 2
    assert not {"\x00"} & set(on_disk.draft.content.title)


@pytest.mark.parametrize("text", ["\\ud800", "\\udfff\\ud800", "\\u0000", "\\uD83D"])
def test_t13_half_a_character_in_a_transcript_is_read_saved_and_shown(
    cli: Cli, tmp_path: Path, text: str
) -> None:
    """It is valid JSON, and no encoder takes it."""
    transcript = tmp_path / f"{SESSION}.jsonl"
    sample = SAMPLE.read_text(encoding="utf-8")
    transcript.write_text(sample.replace("first done", f"first {text} done"))

    saved = cli.save("--title", "x\udcffy", transcript=transcript)
    ran = [
        cli("show", "1"),
        cli("resume", "1", "--json"),
        cli("brief", str(transcript)),
    ]

    assert saved["type"] == "saved"
    assert [one.status for one in ran] == [0, 0, 0]
    assert not [one for one in ran if "\x00" in one.out]
