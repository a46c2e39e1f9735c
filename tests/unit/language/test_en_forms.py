"""Stemming: forms of one word meet, different words stay apart."""

import pytest
from hypothesis import assume, given, strategies as st

from holdfast.language.en_stemmer import BASES, stem


@pytest.mark.parametrize(
    "forms",
    [
        pytest.param(
            ["rotate", "rotates", "rotated", "rotating", "rotation"], id="rotate"
        ),
        pytest.param(["query", "queries"], id="a plural in -ies"),
        pytest.param(["class", "classes"], id="a plural in -es"),
        pytest.param(["run", "runs", "running"], id="a doubled letter"),
        pytest.param(
            ["fail", "failed", "failing", "fails"], id="a double l that stays"
        ),
        pytest.param(["agree", "agreed", "agrees"], id="a word in -ee"),
        pytest.param(["relational", "relate", "relation"], id="an adjective"),
        pytest.param(["hopeful", "hopefulness", "hope"], id="a noun of it"),
        pytest.param(["migrate", "migration", "migrations", "migrating"], id="migrate"),
        pytest.param(["possible", "possibly"], id="an adverb in -bly"),
        pytest.param(["requête", "requêtes"], id="an accent"),
        pytest.param(["write", "writes", "wrote", "written", "writing"], id="write"),
        pytest.param(["go", "goes", "went", "gone", "going"], id="go"),
        pytest.param(["override", "overrode", "overridden"], id="override"),
        pytest.param(["index", "indexes", "indices"], id="a plural from Latin"),
        pytest.param(["child", "children"], id="a plural of its own"),
    ],
)
def test_forms_of_one_word_are_the_same(forms: list[str]) -> None:
    """People ask in another form than they wrote in."""
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("save", "safe", id="save and safe"),
        pytest.param("status", "state", id="status and state"),
        pytest.param("bus", "bu", id="a word that ends in -us"),
        pytest.param("this", "thi", id="a word that ends in -is"),
        pytest.param("ring", "r", id="a word that ends in -ing"),
        pytest.param("sky", "ski", id="a y that is the only vowel"),
        pytest.param("bit", "bite", id="a form that is mostly another word"),
    ],
)
def test_different_words_stay_different(one: str, other: str) -> None:
    """Too eager a rule finds what was not asked for."""
    assert stem(one) != stem(other)


@given(st.text("abcdefghijklmnopqrstuvwxyzéü", max_size=40))
def test_a_stem_is_a_beginning_give_or_take_two_letters(word: str) -> None:
    """So that the beginning of a word still leads to it; and nothing is ever lost whole."""
    assume(word not in BASES)

    stemmed = stem(word)

    assert bool(stemmed) == bool(word)
    assert word.startswith(stemmed[: max(0, len(stemmed) - 2)])


def test_every_irregular_form_is_of_one_word() -> None:
    """A base that is itself a form would leave two stems for one word."""
    assert BASES
    assert not BASES.keys() & set(BASES.values())
    assert all(stem(form) == stem(base) for form, base in BASES.items())
