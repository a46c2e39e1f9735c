"""Does the first prompt continue the work? Held to labelled pairs in six languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.checkpoint import Item
from holdfast.domain.project import CodeState
from holdfast.policy.continues import Answer, answer_of, continues, work_of
from tests.builders import a_draft
from tests.sessions import a_checkpoint

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROOT = Path(__file__).parents[3]
SETS = {
    "fitted": json.loads((FIXTURES / "continuations.json").read_text("utf-8")),
    "unseen": json.loads((FIXTURES / "continuations-unseen.json").read_text("utf-8")),
    "blind": json.loads((FIXTURES / "continuations-blind.json").read_text("utf-8")),
}
# What the rules were made for; of the blind set only the first limit holds.
HELD = ("fitted", "unseen")
MOST_UNRELATED = 0.05
MOST_MISSED = 0.10


def items(texts: list[str]) -> tuple[Item, ...]:
    return tuple(Item(text, "user") for text in texts)


def goes_on(prompt: str, work: dict[str, Any]) -> bool:
    from holdfast.domain.checkpoint import FileRef  # noqa: PLC0415  # only built here

    draft = a_draft(
        work["request"],
        requests=items([work["request"]]),
        pending=items(work["pending"]),
        errors=items(work["errors"]),
        files=tuple(FileRef(path, "edited") for path in work["files"]),
        names=tuple(work["names"]),
        code=CodeState(branch=work["branch"], head="3f2c1a9"),
    )
    return continues(prompt, work_of(a_checkpoint(draft))) is not None


def rates(name: str) -> tuple[float, float, int]:
    """Return the share of unrelated prompts taken, of continuations missed, and all."""
    pairs, works = SETS[name]["pairs"], SETS[name]["works"]
    taken: dict[bool, list[bool]] = {True: [], False: []}
    for pair in pairs:
        taken[pair["continues"]].append(goes_on(pair["prompt"], works[pair["work"]]))
    unrelated = sum(taken[False]) / len(taken[False])
    missed = taken[True].count(False) / len(taken[True])
    return unrelated, missed, len(pairs)


@pytest.mark.parametrize("name", HELD)
def test_both_rates_hold_over_the_labelled_pairs(name: str) -> None:
    """A brief in unrelated work is noise; a missed continuation is lost work."""
    unrelated, missed, count = rates(name)

    assert count >= 120
    assert unrelated <= MOST_UNRELATED
    assert missed <= MOST_MISSED


def test_a_brief_rarely_goes_to_unrelated_work_that_nobody_foresaw() -> None:
    """Noise in somebody's session is worse than a card that stays a card."""
    unrelated, _, count = rates("blind")

    assert count >= 120
    assert unrelated <= MOST_UNRELATED


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


def test_no_pair_is_in_both_sets() -> None:
    """What the rules were fitted to says nothing about what they have not seen."""
    fitted, unseen = ({p["prompt"] for p in SETS[name]["pairs"]} for name in HELD)

    assert len(fitted & unseen) <= 5  # `continue` and its like are in every set
    assert not set(SETS["fitted"]["works"]) & set(SETS["unseen"]["works"])


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
            "did you manage the expiry of tokens?", "known", id="spoken of as known"
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
    from holdfast.domain.checkpoint import FileRef  # noqa: PLC0415  # only built here

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

    assert continues(prompt, work_of(a_checkpoint(draft))) == sign


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
