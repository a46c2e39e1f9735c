"""What a session holds after its start, whatever is said first, and what it pays.

Eight made-up works in four languages: forty first prompts that go on with one of them and
share no word with it, and forty that begin something else.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from holdfast.app.hooks.prompt import prompt
from holdfast.app.hooks.start import start
from holdfast.domain.checkpoint import Content
from holdfast.domain.code import CodeState
from holdfast.domain.event import Todo
from holdfast.facts.content import content_of
from holdfast.kernel.lazy_values import replace
from holdfast.session.fold import begin, fold
from tests.builders import NOON, WORKSPACE, a_draft, session_number
from tests.conversation import Conversation
from tests.fakes import Workbench

_ROOT = Path(__file__).parents[3]
_PAGE = _ROOT / "docs" / "concepts" / "continuing.md"
_FIXTURE = _ROOT / "tests" / "fixtures" / "first_prompts.json"
WORKS: list[dict[str, Any]] = json.loads(_FIXTURE.read_text("utf-8"))["works"]
NEW = session_number(99)
_OPEN = CodeState(branch="main", head="3f2c1a9", dirty=True)
_CLEAN = CodeState(branch="main", head="3f2c1a9", uncommitted=())


@cache
def content(place: int, *, is_finished: bool) -> Content:
    """The work as a session leaves it: an edit, a red test and a step that is next."""
    work, talk = WORKS[place], Conversation()
    talk.asks(f"{work['goal']}. {work['rule']}.")
    talk.calls("Edit", f"{WORKSPACE}/{work['file']}", added=9, removed=1)
    if is_finished:
        talk.calls("Bash", work["command"], output="12 passed")
        talk.calls(
            "Bash", "git commit -am 'it works'", output="[main 1a2b3c4] it works"
        )
    else:
        talk.calls("Bash", work["command"], output=work["failure"], outcome="failed")
        todos = (Todo("1", work["next"], "pending"),)
        call = talk.starts("TodoWrite", "", todos=todos)
        talk.returns(call)
    talk.says("12 tests pass." if is_finished else "One test is still red.")
    found = content_of(fold(begin("s", "claude-code"), talk.events))
    return replace(found, uncommitted=() if is_finished else (work["file"],))


def told(work: dict[str, Any], words: str, *, is_finished: bool = False) -> str:
    """Everything that reaches the model of a session that begins with these words."""
    bench = Workbench()
    left = content(WORKS.index(work), is_finished=is_finished)
    code = _CLEAN if is_finished else _OPEN
    draft = a_draft(content=left, code=code, trigger="exit", created_at=NOON - 60_000)
    bench.keep(draft)
    first = start(bench.event("SessionStart", NEW, source="startup"), bench.context())
    event = bench.event("UserPromptSubmit", NEW, prompt=words)
    return first.context + prompt(event, bench.context()).context


def cost(text: str) -> int:
    return (len(text.encode()) + 3) // 4


def _pairs(kind: str) -> Iterator[tuple[dict[str, Any], str]]:
    return ((work, words) for work in WORKS for words in work[kind])


def test_no_prompt_shares_a_word_with_its_work() -> None:
    """Whoever counted words would know nothing of either kind."""
    for work in WORKS:
        known = " ".join(
            str(work[key]) for key in work if key not in ("continues", "unrelated")
        )
        words = set(re.findall(r"\w{4,}", known.casefold()))
        for words_of in (*work["continues"], *work["unrelated"]):
            assert not words & {*re.findall(r"\w{4,}", words_of.casefold())}, words_of


@pytest.mark.parametrize("work", WORKS, ids=lambda work: f"{work['file']}")
def test_whoever_goes_on_holds_goal_state_and_next_step(work: dict[str, Any]) -> None:
    """40 of 40, because no word of the prompt decides it."""
    for words in work["continues"]:
        reached = told(work, words)

        for held in ("goal", "file", "next"):
            assert work[held] in reached, (words, held)
        assert work["failure"].partition(" - ")[2][:20] in reached, words


def test_what_an_unrelated_session_pays_is_as_published() -> None:
    """H11: mean and most, beside unfinished work and beside finished work."""
    open_costs = [cost(told(work, words)) for work, words in _pairs("unrelated")]
    done_costs = [
        cost(told(work, words, is_finished=True)) for work, words in _pairs("unrelated")
    ]
    page = _PAGE.read_text("utf-8")

    assert len(open_costs) == len(done_costs) == 40
    assert max(open_costs) <= 400
    assert max(done_costs) <= 120
    rows = (
        f"| unfinished, of this branch | {mean(open_costs):.0f} | {max(open_costs)} |",
        f"| finished within a day | {mean(done_costs):.0f} | {max(done_costs)} |",
    )
    assert [row for row in rows if row not in page] == []
