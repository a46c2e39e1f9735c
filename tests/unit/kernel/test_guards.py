"""An expression that is asked only where one of the words stands that it needs."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from re import _casefix, _parser  # type: ignore[attr-defined]  # the subject
from typing import Any

import pytest

from holdfast.kernel.expression_code import code_and_guard
from holdfast.kernel.kept_code import ODD, GuardedExpression
from tests.unit.kernel.test_kept_code import our_cues

_CUES = re.VERBOSE | re.IGNORECASE
_BESIDE = Path(__file__).parents[2] / "fixtures"


def _guarded(text: str, flags: int = _CUES) -> GuardedExpression | None:
    code, guard = code_and_guard((text, int(flags), True), re.compile(text, flags))
    assert code is not None
    return GuardedExpression(text, code, guard) if guard else None


@pytest.mark.parametrize(
    ("text", "opened", "shut"),
    [
        pytest.param(
            r"\bnever\b", "I NEVER said so", "nevertheless", id="a whole word"
        ),
        pytest.param(r"never", "nevertheless", "not ever", id="part of a word"),
        pytest.param(
            r"\bdebug\w*", "we debugged", "undebugged", id="how a word begins"
        ),
        pytest.param(r"\w+ing\b", "it is going", "the ingot", id="how a word ends"),
        pytest.param(r"make\s+sure", "make\n  sure", "make it sure", id="two words"),
        pytest.param(r"don['’]?t\b", "don’t", "done", id="a sign that may be missing"),
        pytest.param(
            r"^(?:no|stop)[,.]", "no, stop", "know, step", id="at the beginning"
        ),
        pytest.param(r"only[.!]*$", "this only!", "on and on", id="at the end"),
        pytest.param(r"bugs?\b|\bleak", "two bugs", "speak", id="alternatives"),
        pytest.param(
            r"(?<!un)\bcommitted\b", "committed", "commit", id="what is before"
        ),
        pytest.param(r"(?>stop\s+\w+ing)", "stop going", "go", id="an atomic group"),
        pytest.param(r"(?:ab|cd){2}x", "abcdx", "a b c d", id="repeated"),
        pytest.param(r"évite[rz]?\b", "ÉVITEZ ça", "evite", id="accents"),
        pytest.param(r"ตรวจสอบ", "ช่วยตรวจสอบให้", "ไม่", id="no spaces between words"),
        pytest.param(r"(?i:TODO)\b", "a todo", "to do", id="flags of its own"),
    ],
)
def test_it_is_asked_where_its_words_stand(text: str, opened: str, shut: str) -> None:
    """And nowhere else: a sentence without them cannot have what it looks for."""
    guarded = _guarded(text)

    assert guarded is not None
    assert guarded.may_be_in(opened)
    assert not guarded.may_be_in(shut)
    assert guarded.search(shut) is None is re.compile(text, _CUES).search(shut)
    found, plain = guarded.search(opened), re.compile(text, _CUES).search(opened)
    assert (found and found.span()) == (plain and plain.span())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(r"\d+", id="nothing but a class"),
        pytest.param(r"(?:\w+\s)*", id="may find nothing"),
        pytest.param(r"[?!]\s*$", id="signs"),
        pytest.param(r"(?:never)?", id="needs nothing"),
        pytest.param(r"(a)|\d(\d)", id="a group in what needs no word"),
        pytest.param(r"(?a:\bword\b)", id="words of English letters"),
    ],
)
def test_what_needs_no_word_has_no_guard(text: str) -> None:
    """Then it is asked as ever."""
    assert _guarded(text) is None


def test_words_of_english_letters_end_elsewhere() -> None:
    r"""To `re.ASCII`, `\bword` stands in "éword": its words are not those of the text."""
    assert _guarded(r"\bword\b", re.ASCII) is None


def test_alternatives_that_need_no_word_are_always_looked_for() -> None:
    """One digit among fifty words must not take the guard from all of them."""
    guarded = _guarded(r"\b(?:two|three)\b|\d+|\bfour\b")

    assert guarded is not None
    assert guarded.search("nothing here") is None
    assert guarded.sub("_", "take 12 of 3") == "take _ of _"
    assert guarded.sub("_", "take 12 of three") == "take _ of _"
    found = guarded.search("step 12")
    assert found is not None
    assert found.span() == (5, 7)


def test_what_it_takes_out_is_what_the_expression_takes_out() -> None:
    """A text without its words comes back as it was."""
    guarded = _guarded(r"\b(?:please|just)\s+")

    assert guarded is not None
    assert guarded.sub("", "Please just go, please stop") == "go, stop"
    assert guarded.sub("", "Please just go, please stop", 1) == "just go, please stop"
    assert guarded.sub("", "go on") == "go on"
    assert guarded.match("just go") is not None
    assert guarded.match("go just now") is None


@pytest.mark.parametrize(
    "text", ["ſtop it", "STOP ıt", "İt stops", "x" * 5000, "?!", ""]
)
def test_a_text_that_cannot_be_judged_by_its_words_is_looked_at(text: str) -> None:
    """Letters that are equal to others for `re` only, no words, or far too many."""
    guarded = _guarded(r"\bstop\b")

    assert guarded is not None
    assert guarded.may_be_in(text)
    assert bool(guarded.search(text)) == bool(re.search(r"(?i)\bstop\b", text))


def test_every_letter_with_a_small_form_of_its_own_is_known() -> None:
    """Of letters that are equal to this Python one at most is judged by, and each of those
    has the small form that the text's own method gives it, in any word."""
    for first, others in _casefix._EXTRA_CASES.items():
        assert sum(chr(each) not in ODD for each in {first, *others}) <= 1
    for number in range(0x110000):
        sign = chr(number)
        if 0xD800 <= number < 0xE000 or sign in ODD:
            continue
        assert sign.lower() == chr(re._compiler._sre.unicode_tolower(number))  # type: ignore[attr-defined]  # the subject
        assert f"a{sign}a {sign} a{sign}".lower() == (
            f"a{sign.lower()}a {sign.lower()} a{sign.lower()}"
        )


def _sample(items: Any, dice: random.Random) -> str:
    """A text that an expression may find, made by walking through it."""
    return "".join(_sampled(str(op), given, dice) for op, given in items)


def _sampled(op: str, given: Any, dice: random.Random) -> str:
    if op == "LITERAL":
        return dice.choice((chr(given), chr(given).lower(), chr(given).upper()))
    if op == "IN":
        return _member(given, dice)
    if op.endswith("_REPEAT"):
        times = dice.randint(given[0], min(int(given[1]), given[0] + 2))
        return "".join(_sample(given[2], dice) for _ in range(times))
    within = {"BRANCH": 1, "SUBPATTERN": 3}
    if op in within or op == "ATOMIC_GROUP":
        inner = given[within[op]] if op in within else given
        return _sample(dice.choice(inner) if op == "BRANCH" else inner, dice)
    return "" if op in ("AT", "ASSERT", "ASSERT_NOT") else dice.choice("xé9 -")


def _member(members: Any, dice: random.Random) -> str:
    op, given = dice.choice(members)
    if str(op) == "LITERAL":
        return chr(given)
    if str(op) == "RANGE":
        return chr(dice.randint(*given))
    return {"CATEGORY_SPACE": dice.choice(" \n\t"), "CATEGORY_DIGIT": "7"}.get(
        str(given), dice.choice("xé_9")
    )


def _alternatives(parsed: Any) -> Iterator[Any]:
    items = list(parsed)
    if len(items) == 1 and str(items[0][0]) == "BRANCH":
        yield from items[0][1][1]
    else:
        yield parsed


def test_no_guard_of_ours_keeps_anything_from_its_expression() -> None:
    """Each alternative of each cue in each language, in texts made to have it."""
    dice = random.Random(7)  # noqa: S311  # the same texts each time
    judged = found = 0
    for text, flags in dict.fromkeys(our_cues()):
        guarded, plain = _guarded(text, flags), re.compile(text, flags)
        if guarded is None:
            continue
        for alternative in _alternatives(_parser.parse(text, flags)):
            for around in ("{}", "well, {} (a)", "x{}", "{}y", "né {}\nда", "({})"):
                sentence = around.format(_sample(alternative, dice))
                hit, same = plain.search(sentence), guarded.search(sentence)
                assert (hit and hit.span()) == (same and same.span()), (text, sentence)
                judged += 1
                found += hit is not None
    assert judged > 8_000
    assert found > judged // 3


def test_no_guard_of_ours_changes_what_is_found_in_sessions() -> None:
    """The same in what people and agents really say, in every language."""
    texts = [path.read_text("utf-8", "replace") for path in _BESIDE.rglob("*.json*")]
    lines = [line[:300] for text in texts for line in text.splitlines()[:40]][::23]
    shut = 0
    for text, flags in dict.fromkeys(our_cues()):
        guarded, plain = _guarded(text, flags), re.compile(text, flags)
        for line in lines if guarded else ():
            assert guarded is not None
            hit, same = plain.search(line), guarded.search(line)
            assert (hit and hit.span()) == (same and same.span()), (text, line)
            shut += not guarded.may_be_in(line)
    assert shut > 1000
