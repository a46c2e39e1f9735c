"""Doors that strangers' bytes come through: no exception escapes, nothing hidden gets out.

Each example goes the whole way: from the bytes on disk or stdin to what is printed.
"""

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.config import load
from holdfast.config.places import Places
from holdfast.data_directory.spool import DirectorySpool
from holdfast.domain.query import Scope
from holdfast.domain.text import invisible_count, tokens
from holdfast.facts.content import content_of
from holdfast.kernel.ids import reference
from holdfast.redaction.redactor import Redactor
from holdfast.search.query import parse
from holdfast.session.fold import begin, fold
from holdfast.session.state_codec import decode, encode_head, encode_turn
from holdfast.store.sqlite.store import SqliteStore, open_store
from holdfast.surfaces.hooks.main import answered
from tests.builders import NOON, SESSION, a_draft, a_full_draft
from tests.fuzz.hostile import (
    DOCUMENTS,
    ESCAPES,
    HOOK_INPUTS,
    LINES,
    bent,
    effort,
    objects_like,
    refusal,
    texts,
    values,
)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One place for all examples of a test; each writes what it reads."""
    return tmp_path_factory.mktemp("fuzz")


# Transcripts


def _told(path: Path, budget: int, redactor: Redactor, *, bulk: bool) -> str:
    reading = ClaudeCodeTranscripts("/nowhere", redactor.text, bulk=bulk).read(
        str(path)
    )
    state = fold(begin(SESSION, "claude-code"), reading)
    head, turns = encode_head(state), [encode_turn(turn) for turn in state.turns]
    assert decode(json.loads(json.dumps(head)), json.loads(json.dumps(turns))) == state
    subject = subject_of_session(state, content_of(state))
    made = brief(subject, budget=budget, now_ms=NOON, fit=fit)
    assert made.tokens == tokens(made.text) <= max(budget, 1)
    return made.text


@effort(40)
@given(
    lines=st.lists(bent(LINES) | st.sampled_from(LINES), min_size=1, max_size=8),
    budget=st.sampled_from([0, 1, 50, 120, 300, 1000, 4000]),
)
def test_any_transcript_becomes_a_brief(
    scratch: Path, lines: list[bytes], budget: int
) -> None:
    """A transcript holds whatever a tool printed and a page said."""
    path = scratch / f"{SESSION}.jsonl"
    path.write_bytes(b"\n".join(lines))
    redactor = Redactor(b"key")

    told = _told(path, budget, redactor, bulk=False)

    assert invisible_count(told) == 0
    assert not ESCAPES & set(told)
    assert told.count("\n## The user wants\n") <= 1
    assert _told(path, budget, redactor, bulk=True) == told


@effort(25)
@given(said=texts, printed=texts, name=texts, title=texts)
def test_hostile_words_in_every_place_stay_in_theirs(
    scratch: Path, said: str, printed: str, name: str, title: str
) -> None:
    """The same line may hold an order, a fence, an escape and half a character."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": name}}
    edit = {
        "type": "tool_use",
        "id": "t2",
        "name": "Edit",
        "input": {"file_path": name},
    }
    failed = {"type": "tool_result", "tool_use_id": "t1", "is_error": True}
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "fix the parser"}},
        {"type": "assistant", "message": {"id": "m1", "content": [call, edit]}},
        {
            "type": "user",
            "message": {"content": [failed | {"content": f"Exit code 1\n{printed}"}]},
        },
        {"type": "assistant", "message": {"id": "m2", "content": [{"type": "text", "text": said}]}},
        {"type": "ai-title", "aiTitle": title},
    ]  # fmt: skip
    path = scratch / f"{SESSION}.jsonl"
    path.write_bytes(
        b"\n".join(
            json.dumps(record | {"sessionId": SESSION, "uuid": f"u{place}"}).encode()
            for place, record in enumerate(records)
        )
    )

    told = _told(path, 2_000, Redactor(b"key"), bulk=False)

    assert told.count("▸") <= 2  # the rule's, and the one request's
    assert invisible_count(told) == 0
    before, _, quoted = told.partition("\n## Quoted from tools")
    headings = [line for line in before.split("\n") if line.startswith("## ")]
    assert len(headings) == len(set(headings))
    if quoted:
        fence = quoted.split("\n")[1]
        assert set(fence) == {"`"}
        assert [line for line in told.split("\n") if line == fence] == [fence, fence]


# Hooks


@contextmanager
def _as_a_hook(raw: bytes, home: Path) -> Iterator[Path]:
    """Be a process that a client started: bytes on stdin, and stdout in a file."""
    out = home / "stdout"
    before, standard = dict(os.environ), sys.stdin
    kept = os.dup(1)
    with out.open("wb") as file, io.BytesIO(raw) as given_bytes:
        os.dup2(file.fileno(), 1)
        sys.stdin = io.TextIOWrapper(given_bytes)
        os.environ.update(
            HOLDFAST_HOME=str(home / "data"),
            CLAUDE_CONFIG_DIR=str(home / "claude"),
            CLAUDE_CODE_ENTRYPOINT="cli",
        )
        try:
            yield out
        finally:
            os.dup2(kept, 1)
            os.close(kept)
            sys.stdin = standard
            os.environ.clear()
            os.environ.update(before)


def _heard(event: str, raw: bytes, home: Path) -> None:
    log = home / "data" / "log" / "hook.log"
    log.unlink(missing_ok=True)

    with _as_a_hook(raw, home) as out:
        status = answered([event])

    said = out.read_bytes()
    assert status == 0
    assert not said or isinstance(json.loads(said), dict)
    told = json.dumps(json.loads(said or b"{}"), ensure_ascii=False)
    assert invisible_count(told) == 0
    assert "Traceback" not in told
    assert not log.exists() or "Traceback" not in log.read_text("utf-8")


# SessionEnd splits into two processes; it is given to a real one in tests/e2e/hooks.
_EVENTS = ("SessionStart", "Stop", "PreCompact", "UserPromptSubmit")


@pytest.mark.parametrize("event", _EVENTS)
def test_every_document_is_an_event_that_says_nothing_wrong(
    scratch: Path, event: str
) -> None:
    """The corpus of JSON that parsers take, refuse, or differ about."""
    for document in DOCUMENTS:
        _heard(event, document.encode("utf-8", "surrogatepass"), scratch)


@pytest.mark.parametrize("event", _EVENTS)
@effort(12)
@given(
    raw=objects_like(HOOK_INPUTS).map(lambda event: json.dumps(event).encode())
    | bent([json.dumps(event).encode() for event in HOOK_INPUTS])
)
def test_no_input_disturbs_the_agent(scratch: Path, event: str, raw: bytes) -> None:
    """Exit 0, one JSON object or nothing, and no failure that nobody foresaw."""
    _heard(event, raw, scratch)


# Settings


@effort(60)
@given(
    user=values.map(json.dumps) | texts | st.sampled_from(DOCUMENTS),
    project=values.map(json.dumps) | texts | st.sampled_from(DOCUMENTS),
    variable=texts.filter(lambda text: "\x00" not in text),
)
def test_any_settings_are_read_or_refused_with_their_place(
    scratch: Path, user: str, project: str, variable: str
) -> None:
    """A stranger's file is a warning; the user's own is an error that names it."""
    places = Places(
        home=str(scratch / "home"),
        user_config=str(scratch / "user.json"),
        contextd_config=str(scratch / "contextd.json"),
        claude_dir=str(scratch / "claude"),
    )
    (scratch / "user.json").write_text(user, "utf-8", "surrogatepass")
    (scratch / "contextd.json").write_text(project, "utf-8", "surrogatepass")
    (scratch / ".holdfast.json").write_text(project, "utf-8", "surrogatepass")
    environ = {"HOLDFAST_HEADLESS": variable, "HOLDFAST_BUDGET_TOKENS": variable}

    config = load(places, environ, project=str(scratch), tolerant=True)

    assert config.store == "sqlite" or config.store in user
    assert not [text for text in config.warnings if invisible_count(text)]
    json.dumps(config.listing())
    problem = refusal(lambda: load(places, environ, project=str(scratch)))
    assert problem is None or (problem.code == "CONF_001" and problem.hint)


# The store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path_factory.mktemp("store")), create=True) as store:
        for title in ("Parser accepts nested quotes", "ตรวจสอบ 索引", "C++ a-b"):
            store.put(a_full_draft(title=title))
        yield store


@effort(60)
@given(text=texts)
def test_any_text_searches_and_refers(store: SqliteStore, text: str) -> None:
    """A query has no syntax error, and a reference finds something or nothing."""
    hits = store.search(parse(text, NOON), Scope(), 5)

    assert len(hits) <= 5
    problem = refusal(lambda: store.find(reference(text), Scope()))
    assert problem is None or problem.exit_status == 12


@effort(40)
@given(
    entry=values.map(json.dumps)
    | texts
    | st.builds(
        lambda entry, checksum: json.dumps({"entry": entry, "checksum": checksum}),
        values.map(json.dumps) | texts,
        texts,
    )
)
def test_any_entry_of_the_spool_is_kept_or_set_aside(scratch: Path, entry: str) -> None:
    """What waits there may be half a file, or somebody's else."""
    spool = DirectorySpool(str(scratch / "spooled"))
    spool.add(a_draft("waits"), "full")
    name = scratch / "spooled" / "00000000000000000000-x.json"
    name.write_text(entry, "utf-8", "surrogatepass")
    drained: list[object] = []

    spool.drain(drained.append)

    assert len(drained) == 1
    assert not name.exists()
