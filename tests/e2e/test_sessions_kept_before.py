"""Sessions that an earlier holdfast kept are listed, resumed, searched and gone on with.

The store is of schema 6, the transcripts of its two made-up sessions lie beside it, and so
does what `resume` said of each record then, but for the first line, which has the time.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.claude_code.legacy import upgraded
from holdfast.agents.claude_code.transcript.transcripts import ClaudeCodeTranscripts
from holdfast.domain.record import body
from holdfast.domain.session import AgentWork, SessionState, Turn
from holdfast.kernel.lazy_values import replace
from holdfast.session.fold import begin, fold
from holdfast.store.sqlite.store import open_store
from tests.e2e.conftest import Cli
from tests.stores import STORES, bodies, with_store

_STORE = "schema-6-sessions"
_FIRST = "5eed0000-0000-4000-8000-000000000001"
_SECOND = "5eed0000-0000-4000-8000-000000000002"


@pytest.fixture
def kept(cli: Cli) -> Cli:
    """A machine with the store of before."""
    with_store(_STORE, cli.home)
    return cli


def _ids(cli: Cli) -> list[str]:
    """Return every checkpoint's id, the oldest first."""
    listed = cli("list", "--all", "--json").json["checkpoints"]
    return [each["id"] for each in reversed(listed)]


def _missing(before: Any, now: Any, where: str = "") -> list[str]:
    """Return where `now` lacks something that `before` said; it may say more."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return [
            lost
            for key, value in before.items()
            for lost in _missing(value, now.get(key), f"{where}.{key}")
        ]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return [lost for n, pair in pairs for lost in _missing(*pair, f"{where}[{n}]")]
    return [] if before == now else [where]


def test_a_store_of_before_is_whole(kept: Cli) -> None:
    """Hashes are over what was written then, whatever a record says today."""
    doctor = kept("doctor", "--json").json["checks"]

    store = {"structure", "chain", "head", "rows", "index"}
    states = {each["name"]: each["state"] for each in doctor if each["name"] in store}
    assert states == dict.fromkeys(store, "ok")
    assert len(_ids(kept)) == 5


@pytest.mark.parametrize("number", range(1, 6))
def test_a_record_of_before_is_resumed_in_the_same_words(
    kept: Cli, number: int
) -> None:
    """Facts got fields since; a record without them must not say less, or otherwise."""
    told = kept("resume", _ids(kept)[number - 1]).out

    before = (STORES / _STORE / f"resume-{number}.md").read_text(encoding="utf-8")
    assert told.partition("\n")[2] == before


def test_a_record_of_before_is_read_whole(kept: Cli) -> None:
    """Every field that was written is read again with the value it had, but for lines
    of source code, which nothing tells any more."""
    written = bodies(kept.home)

    with open_store(str(kept.home), create=False) as store:
        read = {i: json.loads(json.dumps(body(store.get(i)))) for i in written}

    assert {i: _missing(json.loads(written[i]), read[i]) for i in written} == {
        i: [".content.code_lines"] for i in written
    }


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        pytest.param(["deploy"], {4, 5}, id="a word of an error"),
        pytest.param(["解析器"], {5}, id="a word without spaces around it"),
        pytest.param(['"nested quotes"'], {4}, id="a phrase"),
        pytest.param(["name:quoting"], {4}, id="a name"),
        pytest.param([f"lineage:{_SECOND}"], {4, 5}, id="a family of sessions"),
    ],
)
def test_a_record_of_before_is_found(
    kept: Cli, words: list[str], numbers: set[int]
) -> None:
    """The index of then answers the queries of today."""
    found = kept("search", *words, "--all", "--json").json["checkpoints"]

    assert {each["number"] for each in found} == numbers


@pytest.mark.parametrize("session", [_FIRST, _SECOND])
def test_a_fold_of_before_is_the_fold_of_today(kept: Cli, session: str) -> None:
    """A session that goes on after an upgrade reads only what is new: what was read then
    must stand as it would now. A fold of another format is made again, and never wrong.
    What messages cost was not kept then: that it is not known is.
    """
    path = STORES / _STORE / f"{session}.jsonl"
    reading = ClaudeCodeTranscripts(str(path.parent), lambda text: text).read(str(path))

    with open_store(str(kept.home), create=False, upgrade=upgraded) as store:
        then = store.fold(session)

    known = then.state.inherited if then else ()
    today = fold(begin(session, "claude-code", known), reading)
    assert then is None or then.state == _without_costs(today)


def _without_costs(state: SessionState) -> SessionState:
    def unpaid(turn: Turn) -> Turn:
        return replace(turn, spent=(), last_spent=())

    return replace(
        state,
        turns=tuple(map(unpaid, state.turns)),
        agents=tuple(AgentWork(w.agent, unpaid(w.turn)) for w in state.agents),
        costs_partly=True,
    )


def test_a_session_of_before_goes_on(kept: Cli, tmp_path: Path) -> None:
    """A new prompt after the upgrade makes the next checkpoint of the same session."""
    path = tmp_path / f"{_SECOND}.jsonl"
    lines = (STORES / _STORE / path.name).read_text(encoding="utf-8").splitlines()
    asked = json.loads(lines[0])
    last = json.loads(lines[-1])
    asked |= {"uuid": "f" * 8 + asked["uuid"][8:], "parentUuid": last["uuid"]}
    asked["message"]["content"] = "Push it to the registry."
    path.write_text("\n".join([*lines, json.dumps(asked), ""]), encoding="utf-8")

    saved = kept.save(transcript=path)
    shown = kept("show", saved["checkpoint"]["id"], "--json").json

    assert shown["sequence"] == 2
    told = [each["text"] for each in shown["content"]["requests"]]
    assert told[-1] == "Push it to the registry."
    errors = [each["text"] for each in shown["content"]["errors"]]
    assert any("make deploy" in each for each in errors)
