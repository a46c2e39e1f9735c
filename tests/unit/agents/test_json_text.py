"""One member changes, every other byte stays as its owner wrote it."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from holdfast.agents.json_text import member, with_member, without_member

_PATH = ("enabledPlugins", "holdfast@here")
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
_LAYOUTS = st.sampled_from([None, 2, 4, "\t"])


@given(st.dictionaries(st.text(), _VALUES), _LAYOUTS)
def test_taking_a_member_out_again_restores_every_byte(
    settings: dict[str, Any], layout: int | str | None
) -> None:
    """Install and uninstall must leave no trace in a file somebody cares for."""
    settings.pop(_PATH[0], None)
    text = json.dumps(settings, indent=layout, ensure_ascii=False) + "\n"

    added = with_member(text, _PATH, value=True)
    removed = without_member(added, _PATH[:1])

    assert json.loads(added) == {**settings, _PATH[0]: {_PATH[1]: True}}
    assert removed == text


@given(
    st.dictionaries(st.text(), _VALUES, min_size=1).filter(
        lambda found: _PATH[1] not in found
    ),
    _LAYOUTS,
)
def test_a_section_of_others_keeps_its_members(
    others: dict[str, Any], layout: int | str | None
) -> None:
    """Other plugins stay enabled or disabled as they were."""
    text = json.dumps({_PATH[0]: others, "z": 1}, indent=layout)

    added = with_member(text, _PATH, value=True)

    assert json.loads(added)[_PATH[0]] == {**others, _PATH[1]: True}
    assert without_member(added, _PATH) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            '{\n    "model":   "x",   "a": 1\n}',
            '{\n    "model":   "x",   "a": 1,\n    "k": {\n      "l": true\n    }\n}',
            id="lines of one's own layout",
        ),
        pytest.param('{"a":1}', '{"a":1, "k": {"l": true}}', id="one line"),
        pytest.param("{ }\n", '{"k": {"l": true} }\n', id="an empty object"),
        pytest.param('\ufeff{"a": 1}', '\ufeff{"a": 1, "k": {"l": true}}', id="a mark"),
        pytest.param('{"k": {"l": false}}', '{"k": {"l": true}}', id="another value"),
        pytest.param('{"k": {"l":true}}', '{"k": {"l":true}}', id="there already"),
    ],
)
def test_a_new_member_is_laid_out_as_its_neighbours(text: str, expected: str) -> None:
    """What we add should look as if its owner had written it."""
    assert with_member(text, ("k", "l"), value=True) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[1]", id="a list"),
        pytest.param('{"a": 1', id="cut off"),
        pytest.param('{"a": 1} x', id="more after it"),
        pytest.param('{"k": 1}', id="a section that is none"),
        pytest.param("// note\n{}", id="a comment"),
    ],
)
def test_what_is_not_one_object_is_refused(text: str) -> None:
    """A file nobody can parse is not ours to repair."""
    with pytest.raises(ValueError, match=r"."):
        with_member(text, ("k", "l"), value=True)


def test_a_missing_member_is_none_and_cannot_be_removed() -> None:
    """Uninstalling twice changes nothing."""
    text = '{"a": {"b": 1}}'

    assert member(text, ("a", "c")) is None
    assert member(text, ("a", "b", "c")) is None
    assert without_member(text, ("a", "c")) == text
    assert without_member(text, ("x", "c")) == text
