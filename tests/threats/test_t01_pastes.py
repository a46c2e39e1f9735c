"""T1: what the user pastes is quoted in the request, and is nobody's standing order.

Forms of mails, chats, logs, documents and code, each with an order in it, as people paste
them; and beside them rules that people type, around pastes too, which must stay.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.claude_code.transcript.transcripts import ClaudeCodeTranscripts
from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.checkpoint import Content
from holdfast.domain.event import UserSaid
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from holdfast.facts.requests.rules import is_rule
from holdfast.language.quotations import own_words
from holdfast.language.sentences import sentences, typed_words
from tests.sessions import asks, says, session
from tests.unit.agents.building import AT_MS, unchanged

_FILE = Path(__file__).parents[1] / "fixtures" / "pastes.json"
_TABLE: dict[str, list[dict[str, Any]]] = json.loads(_FILE.read_text("utf-8"))
_SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "transcripts"
_SIGN = "--no-verify"  # stands in each order


def _known(prompt: str) -> tuple[SessionState, Content]:
    state = session(asks("fix the parser"), says("Done."), asks(prompt), says("Done."))
    return state, content_of(state)


def _ids(rows: list[dict[str, Any]]) -> list[str]:
    return [f"{row['lang']}: {row['id']}" for row in rows]


def test_the_tables_are_as_long_as_they_were() -> None:
    """A row that is taken out is a form that may speak again, or a rule that is lost."""
    assert len(_TABLE["pastes"]) >= 243
    assert len(_TABLE["typed"]) >= 92
    assert len({row["lang"] for row in _TABLE["pastes"]}) >= 10


@pytest.mark.parametrize("row", _TABLE["pastes"], ids=_ids(_TABLE["pastes"]))
def test_t01_a_paste_lays_down_no_rule(row: dict[str, Any]) -> None:
    """'What does this mail want?' made the mail's order a standing instruction."""
    state, known = _known(row["prompt"])
    opening = " ".join(row["prompt"].split())[:12]
    text = brief(
        subject_of_session(state, known), budget=2_000, now_ms=AT_MS, fit=fit
    ).text

    said = (*known.instructions, *known.decisions, *known.dead_ends)
    assert [item.text for item in said if _SIGN in item.text] == []
    told = [known.title, *(item.text for item in (*known.requests, *known.goal))]
    whole = [" ".join(text.split()) for text in told]
    begins = opening[:6].casefold()
    assert [
        t for t in whole if _SIGN in t and not t.casefold().startswith(begins)
    ] == []
    marked = [line for line in text.splitlines() if "▸" in line and _SIGN in line]
    assert [line for line in marked if opening not in line] == []


@pytest.mark.parametrize("row", _TABLE["typed"], ids=_ids(_TABLE["typed"]))
def test_t01_what_is_typed_around_a_paste_stays_a_rule(row: dict[str, Any]) -> None:
    """The other side of it: nobody's rule is lost for a log beside it."""
    _, known = _known(row["prompt"])

    assert [item for item in known.instructions if row["rule"] in item.text]


@pytest.mark.shared
@pytest.mark.skipif(not _SHARED.is_dir(), reason="the measuring data is not there")
def test_t01_prompts_really_typed_keep_their_sign() -> None:
    """Of what people typed, the sign and the words stay; a rule goes only with a paste."""
    typed = list(dict.fromkeys(_really_typed()))[:400]
    unheard: list[str] = []
    lost = 0
    for prompt in typed:
        state = session(asks(prompt), says("Done."))
        known = content_of(state)
        subject = subject_of_session(state, known)
        text = brief(subject, budget=2_000, now_ms=AT_MS, fit=fit).text
        if [i.text for i in known.requests] != [typed_words(prompt)] or "▸" not in text:
            unheard.append(prompt)
        rules = {s for s in sentences(typed_words(prompt)) if is_rule(s)}
        lost += len(rules - set(sentences(own_words(prompt))))

    assert len(typed) == 400
    assert unheard == []
    assert lost <= 4  # all of them out of texts that were pasted


def _really_typed() -> Iterator[str]:
    for path in sorted(_SHARED.glob("*/*.jsonl")):
        for event in ClaudeCodeTranscripts(str(path.parent), unchanged).read(str(path)):
            if isinstance(event, UserSaid) and event.via == "typed":
                yield event.text
