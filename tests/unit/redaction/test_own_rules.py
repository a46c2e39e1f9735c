"""The user's own rules and allow list."""

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.redaction.redactor import Redactor

TOKEN = "ghp_" + "a1B2c3D4e5" * 4


@pytest.mark.parametrize(
    ("rule", "text", "clean"),
    [
        pytest.param("Project Tern", "on Project Tern now", "on {} now", id="words"),
        pytest.param("ACME-????", "id ACME-12ab, yes", "id {}, yes", id="characters"),
        pytest.param("acme.test/*", "see acme.test/a/b ok", "see {} ok", id="a run"),
        pytest.param(
            "a.b+c(d", "a.b+c(d and axbcd", "{} and axbcd", id="no expression"
        ),
        pytest.param("ACME-????", "ACME-1 2ab", "ACME-1 2ab", id="no spaces"),
    ],
)
def test_a_rule_of_the_user_is_followed(rule: str, text: str, clean: str) -> None:
    """Only they know what their company calls a secret."""
    found = Redactor(b"key", rules=[rule]).text(text)

    placeholder = found[len(clean.partition("{}")[0]) :][: len("[redacted:own:0000]")]
    assert found == clean.format(placeholder)
    assert "{}" not in clean or placeholder.startswith("[redacted:own:")


def test_what_is_allowed_stays_and_all_else_goes() -> None:
    """An example key in the docs is no secret, and the real one beside it is."""
    example = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    redactor = Redactor(b"key", allow=["AKIA*EXAMPLE"])

    clean = redactor.text(f"{example} and {TOKEN}")

    assert clean.startswith(f"{example} and [redacted:github:")


def test_private_text_goes_whatever_is_allowed() -> None:
    """A mark made by hand says more than a list."""
    redactor = Redactor(b"key", allow=["<private>*"])

    assert redactor.text("<private>abcd</private>") == "[private]"


def test_a_part_of_a_secret_cannot_be_allowed() -> None:
    """Only a whole match: `ghp_*` is a choice, `ghp` inside a token is an accident."""
    redactor = Redactor(b"key", allow=["ghp_a1B2"])

    assert TOKEN not in redactor.text(TOKEN)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(alphabet="abc*?. ", min_size=1, max_size=8))
def test_own_rules_are_idempotent(text: str, rule: str) -> None:
    """Whatever a rule matches, its placeholder stays as it is."""
    redactor = Redactor(b"key", rules=["tern" + rule.replace("*", "", 1)])
    once = redactor.text(f"{text} tern{text} abc")

    assert redactor.text(once) == once


def test_a_rule_that_matches_placeholders_changes_none() -> None:
    """`redacted` may be a word that somebody wants out."""
    redactor = Redactor(b"key", rules=["redacted"])
    once = redactor.text(f"redacted {TOKEN}")

    assert redactor.text(once) == once
    assert "[redacted:github:" in once


@pytest.mark.parametrize(
    "disguise",
    [
        pytest.param(0xFEE0, id="full width"),
        pytest.param(0x1D5BA - ord("a"), id="mathematical letters"),
    ],
)
def test_letters_that_look_plain_are_read_as_they_look(disguise: int) -> None:
    """A search folds them, so a secret spelled with them would be in its index."""
    moved = {code: code + disguise for code in range(ord("a"), ord("z") + 1)}
    redactor = Redactor(b"key", rules=["acme*walrus"])

    clean = redactor.text("see " + "acmetidewalrus".translate(moved) + " now")

    assert clean.startswith("see [redacted:own:")
    assert clean.endswith("] now")
    assert redactor.text(clean) is clean


def test_full_width_signs_of_a_script_are_no_disguise() -> None:
    """They are in every Chinese text, which comes back itself."""
    text = "密码（见文档）：请看说明，谢谢！ＡＢＣ"

    assert Redactor(b"key").text(text) is text


@pytest.mark.parametrize(
    ("rule", "text", "left"),
    [
        pytest.param("*-*-prod", "the foo-bar-prod is", "the  is", id="a run before"),
        pytest.param("*-*-prod", "x-prod", "x-prod", id="too few parts"),
        pytest.param("*-prod", "a b-prod c-prod", "a  ", id="twice"),
        pytest.param("AC?M-*-z", "ACxM-1-2-z, end", ", end", id="a run inside"),
        pytest.param("ACM-*", "ACM-7/x y", " y", id="a run behind"),
    ],
)
def test_a_run_stands_wherever_a_rule_has_one(rule: str, text: str, left: str) -> None:
    """The whole word goes, and no other."""
    found = Redactor(rules=(rule,)).secrets(text)

    for start, end, _ in reversed(found):
        text = text[:start] + text[end:]
    assert text == left


def test_two_runs_of_a_rule_do_not_multiply() -> None:
    """30 KB of dashes took a hook 52 seconds."""
    text = "-" * 30_000 + " x-prod"

    assert Redactor(rules=("*-*-prod", "-*-*prod")).secrets(text) == []
