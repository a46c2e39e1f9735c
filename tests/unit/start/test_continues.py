"""Does the first prompt continue the work? Held to labelled pairs in six languages."""

import json
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.checkpoint import Checkpoint, CommandRef, FileRef, Item, last_words
from holdfast.domain.code import CodeState
from holdfast.start.continues.continues import judged
from holdfast.start.continues.work import Work, words_of, work_of
from holdfast.start.resume_answers import Answer, answer_of
from tests.builders import a_draft
from tests.sessions import a_checkpoint

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROOT = Path(__file__).parents[3]
FILES = {
    "fitted": "continuations.json",
    "unseen": "continuations-unseen.json",
    "blind": "continuations-blind.json",
    "rich": "continuations-rich.json",
    "blind 2": "continuations-blind-2.json",
    "blind 3": "continuations-blind-3.json",
    "blind 4": "continuations-blind-4.json",
    "blind 5": "continuations-blind-5.json",
}
SETS = {
    name: json.loads((FIXTURES / file).read_text("utf-8"))
    for name, file in FILES.items()
}
GOALS = (0.05, 0.10)  # unrelated, missed
# Where a goal is not reached, so far is what is held; the page says so too.
SO_FAR = {
    "blind": (0.05, 0.15),
    "rich": (0.05, 0.26),
    "blind 4": (0.08, 0.10),
    "blind 5": (0.09, 0.46),
}


def items(texts: Iterable[str]) -> tuple[Item, ...]:
    return tuple(Item(text, "user") for text in texts)


def work_in(told: dict[str, Any]) -> Work:
    """Return the work of a labelled pair; the sets do not tell equally much."""
    question = told.get("question", "")
    draft = a_draft(
        told.get("title") or told["request"],
        requests=items(dict.fromkeys([told["request"], *told.get("requests", [])])),
        pending=items(told.get("pending") or told.get("open", [])),
        next_steps=items(told.get("next_steps", [])),
        open_questions=items([question] if question else []),
        errors=items(told["errors"]),
        decisions=items(told.get("decisions", [])),
        last_words=told.get("agent_last", ""),
        commands=tuple(CommandRef(one, 0) for one in told.get("commands", [])),
        files=tuple(FileRef(path, "edited") for path in told["files"]),
        names=tuple(told.get("names", [])),
        code=CodeState(branch=told["branch"], head="3f2c1a9"),
    )
    return work_of(a_checkpoint(draft))


@cache
def rates(name: str) -> tuple[float, float, int]:
    """Return the share of unrelated prompts taken, of continuations missed, and all."""
    pairs, works = SETS[name]["pairs"], SETS[name]["works"]
    known = {str(pair["work"]): work_in(works[pair["work"]]) for pair in pairs}
    taken: dict[bool, list[bool]] = {True: [], False: []}
    for pair in pairs:
        sign = judged(pair["prompt"], known[str(pair["work"])]).sign
        taken[pair["continues"]].append(sign is not None)
    unrelated = sum(taken[False]) / len(taken[False])
    missed = taken[True].count(False) / len(taken[True])
    return unrelated, missed, len(pairs)


@pytest.mark.parametrize("name", SETS)
def test_both_rates_hold_over_the_labelled_pairs(name: str) -> None:
    """A brief in unrelated work is noise; a missed continuation is lost work."""
    most_unrelated, most_missed = SO_FAR.get(name, GOALS)

    unrelated, missed, count = rates(name)

    assert count >= 120
    assert unrelated <= most_unrelated
    assert missed <= most_missed


@pytest.mark.parametrize("name", SETS)
def test_the_published_rates_are_the_measured_ones(name: str) -> None:
    """A number in the documentation is one that a test computes."""
    page = (ROOT / "docs/concepts/continuing.md").read_text(encoding="utf-8")

    unrelated, missed, count = rates(name)

    assert f"| {name} | {count} | {unrelated:.1%} | {missed:.1%} |" in page


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("language", ["en", "th", "ko", "ja", "zh", "fr"])
def test_the_pairs_speak_six_languages_both_ways(name: str, language: str) -> None:
    """The rates say something only if every language is well in both halves."""
    pairs, works = SETS[name]["pairs"], SETS[name]["works"]
    own = [p["continues"] for p in pairs if works[p["work"]]["language"] == language]

    assert own.count(True) >= 10
    assert own.count(False) >= 10


@pytest.mark.parametrize(("one", "other"), list(combinations(SETS, 2)))
def test_no_pair_is_in_two_sets(one: str, other: str) -> None:
    """A set that repeats another says nothing that the other has not said."""
    first, second = ({p["prompt"] for p in SETS[n]["pairs"]} for n in (one, other))

    assert len(first & second) <= 12  # `continue` and its like are in every set


@pytest.mark.parametrize(
    ("prompt", "sign"),
    [
        pytest.param("please continue", "phrase", id="a phrase"),
        pytest.param("why is rotate_keys slow", "name", id="an identifier"),
        pytest.param("look at src/auth/refresh.py", "name", id="a path"),
        pytest.param("git switch feat/tokens", "name", id="a branch"),
        pytest.param("checkpoint-00042 please", "name", id="a label"),
        pytest.param("do refresh tokens expire?", "words", id="two words in common"),
        pytest.param(
            "is the payroll import broken again?", None, id="known, but not from here"
        ),
        pytest.param(
            "do the tokens work yet?", "words", id="one word, and hardly another"
        ),
        pytest.param(
            "works on staging now, but the 401 is back",
            "known",
            id="a result of trying",
        ),
        pytest.param("the second one, but without the flag", "known", id="it points"),
        pytest.param("your fix broke the build", "known", id="the agent did it"),
        pytest.param(
            "add a settings page with a language switch", None, id="something to make"
        ),
        pytest.param("what are tokens?", None, id="a question in general"),
        pytest.param("commit that", "short", id="short, and nothing new"),
        pytest.param("ok", "short", id="consent"),
        pytest.param("good morning", None, id="a greeting of two words"),
        pytest.param("on reprend", "phrase", id="a phrase that begins like a filler"),
        pytest.param("token_store tests?", "name", id="a file without its ending"),
        pytest.param("hi! please continue", "phrase", id="a phrase after a greeting"),
        pytest.param("new task: something else", None, id="says it is something else"),
        pytest.param("/holdfast:resume", None, id="a command does its own work"),
        pytest.param("hello", None, id="a greeting"),
        pytest.param("", None, id="nothing"),
        pytest.param("read README.md", None, id="a file that everyone has"),
    ],
)
def test_a_prompt_is_known_by_its_sign(prompt: str, sign: str | None) -> None:
    """The sign is kept with the delivery, so that a wrong one can be explained."""
    draft = a_draft(
        "Refresh tokens",
        requests=items(["add refresh tokens"]),
        names=("rotate_keys",),
        files=(
            FileRef("src/auth/refresh.py", "edited"),
            FileRef("src/auth/token_store.py", "edited"),
            FileRef("README.md", "read"),
        ),
        code=CodeState(branch="feat/tokens"),
    )

    assert judged(prompt, work_of(a_checkpoint(draft))).sign == sign


@pytest.mark.parametrize(
    "prompt",
    [
        "please don't resume that",
        "don't pick up where we left off",
        "stop, don't go on with that",
        "we are done with this",
        "thanks, bye",
        "no",
        "อย่าทำต่อ",
        "계속하지 마",
        "続けないでください",
        "不要继续了",
        "ne continue pas, on arrête",
    ],
)
def test_whoever_says_that_it_is_over_is_not_told_of_it(prompt: str) -> None:
    """The word "continue" in a refusal is no wish to continue."""
    told = {
        "request": "add refresh tokens",
        "errors": [],
        "files": [],
        "branch": "main",
    }

    assert judged(prompt, work_in(told)).sign is None


def test_our_mark_at_last_words_is_no_word_of_the_work() -> None:
    """Whoever speaks of what was asked before does not speak of this work by that."""
    said = "Rotation is written."
    draft = a_draft("Tokens", last_words=last_words("", said), said_before=said)

    assert work_of(a_checkpoint(draft)).state[0] == "Rotation is written."


def test_no_is_an_answer_where_something_was_asked() -> None:
    """The agent asked; whoever answers goes on."""
    told = {
        "request": "add refresh tokens",
        "errors": [],
        "files": [],
        "branch": "main",
        "question": "Should old tokens stay valid?",
    }

    assert judged("no", work_in(told)).sign is not None


def test_a_number_sign_names_a_checkpoint() -> None:
    """As people write it, however short the number is."""
    told = {
        "request": "add refresh tokens",
        "errors": [],
        "files": [],
        "branch": "main",
    }

    assert judged("what was in #42 again", work_in(told)).sign == "name"


def a_session_on(title: str, session: str, **content: Any) -> Checkpoint:
    return a_checkpoint(a_draft(title, session_id=session, **content))


def test_what_other_work_of_the_project_speaks_of_is_no_sign() -> None:
    """In a shop every session speaks of the basket; that continues none of them."""
    prompt = "the basket icon overlaps the header on narrow phones, screenshot follows"
    ours = a_session_on("Basket totals", "a" * 8, requests=items(["round the basket"]))
    other = a_session_on("Basket icon", "b" * 8, requests=items(["basket badge"]))

    alone = work_of(ours)
    beside = work_of(ours, [other])

    assert "basket" in words_of(alone).near - words_of(alone).usual
    assert "basket" in words_of(beside).usual
    assert judged(prompt, beside).sign is None


def test_a_name_that_other_work_has_too_names_none() -> None:
    """A file that every session touches says nothing about which of them goes on."""
    files = (FileRef("src/shop/basket_store.py", "edited"),)
    ours = a_session_on("Totals", "a" * 8, files=files)
    other = a_session_on("Badge", "b" * 8, files=files)
    prompt = "what license header do we put into basket_store.py and its siblings?"

    alone = judged(prompt, work_of(ours)).sign
    beside = judged(prompt, work_of(ours, [other])).sign

    assert alone == "name"
    assert beside != "name"


def test_a_short_answer_to_an_open_question_continues() -> None:
    """`sliding` means nothing but to the one who asked how."""
    asked = a_session_on(
        "Links expire",
        "a" * 8,
        last_words="The links expire now. How long should a link live?",
    )
    silent = a_session_on("Links expire", "a" * 8, last_words="The links expire now.")

    assert judged("sliding", work_of(asked)).sign == "known"
    assert judged("sliding", work_of(silent)).sign is None


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        pytest.param("Resume", "resume", id="resume"),
        pytest.param("yes please", "resume", id="yes"),
        pytest.param("ทำต่อ", "resume", id="Thai, go on"),
        pytest.param("계속", "resume", id="Korean, go on"),
        pytest.param("keep it", "keep", id="keep"),
        pytest.param("ไม่ต้อง", "keep", id="Thai, no"),
        pytest.param("나중에", "keep", id="Korean, later"),
        pytest.param("discard", "discard", id="discard"),
        pytest.param("ลบทิ้ง", "discard", id="Thai, throw away"),
        pytest.param("삭제해 줘", "discard", id="Korean, delete"),
        pytest.param("nothing here works", None, id="not a no"),
        pytest.param("write a long poem about the sea please", None, id="other work"),
    ],
)
def test_short_answers_are_understood(words: str, answer: Answer | None) -> None:
    """`prompt` asks after it saved; any other prompt keeps the record."""
    assert answer_of(words) == answer
