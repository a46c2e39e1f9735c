"""Regular expressions that are compiled when they are first used."""

import re

import pytest

from holdfast.kernel.lazy_patterns import pattern


@pytest.mark.parametrize(
    ("expression", "flags", "text"),
    [
        pytest.param(r"(\d+)-(\w)", 0, "a 12-b c 3-d", id="groups"),
        pytest.param(r"^B", re.IGNORECASE | re.MULTILINE, "a\nb", id="flags"),
        pytest.param("x", 0, "a b", id="nothing to find"),
    ],
)
def test_it_finds_what_the_compiled_expression_finds(
    expression: str, flags: int, text: str
) -> None:
    """To who uses it, it is one, the first time and every time after."""
    late, compiled = pattern(expression, flags), re.compile(expression, flags)

    for _ in range(2):
        assert late.findall(text) == compiled.findall(text)
        assert late.sub("_", text) == compiled.sub("_", text)
        assert late.split(text) == compiled.split(text)
        assert bool(late.search(text)) == bool(compiled.search(text))
        assert bool(late.fullmatch(text)) == bool(compiled.fullmatch(text))
    assert (late.pattern, late.flags) == (compiled.pattern, compiled.flags)


def test_it_works_on_bytes() -> None:
    """Transcripts and git's files are read as bytes."""
    assert pattern(rb"[0-9a-f]+").findall(b"ab xy 12") == [b"ab", b"12"]


def test_nothing_is_compiled_before_it_is_used() -> None:
    """Compiling every expression that is imported took longer than saving."""
    wrong = pattern("(")

    with pytest.raises(re.error):
        wrong.search("text")
