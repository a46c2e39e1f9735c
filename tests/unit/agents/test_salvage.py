"""What can still be read of a line that was cut."""

import json

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.agents.claude_code.transcript.lines import Line, objects
from holdfast.agents.claude_code.transcript.reading import repaired

_TEXTS = st.text(max_size=40)


def _uuid_of(beginning: bytes) -> str | None:
    for candidate in repaired(beginning):
        found = objects(candidate)
        if len(found) == 1 and isinstance(found[0], Line):
            return found[0].uuid
    return None


@settings(deadline=None)
@given(text=_TEXTS, data=st.data())
def test_a_line_cut_in_its_text_is_read_up_to_there(
    text: str, data: st.DataObject
) -> None:
    """A giant paste still counts as a prompt: escapes, quotes and all."""
    line = {"uuid": "id", "message": {"content": [{"type": "text", "text": text}]}}
    raw = json.dumps(line, ensure_ascii=data.draw(st.booleans())).encode(
        "utf-8", "surrogatepass"
    )
    begins = raw.index(b'"text": "', raw.index(b'"type"') + 10) + len(b'"text": "')
    cut = data.draw(st.integers(begins, len(raw) - len(b'"}]}}')))

    assert _uuid_of(raw[:cut]) == "id"


@pytest.mark.parametrize(
    "beginning",
    [
        pytest.param(b'{"uuid":"id","x":["a","b', id="in a list"),
        pytest.param(b'{"uuid":"id","x":["a","b"', id="after a value"),
        pytest.param(b'{"uuid":"id","x":["a",', id="after a comma"),
        pytest.param(
            b'{"uuid":"id","x":[{"a":[1]}],"y":"b', id="after closed brackets"
        ),
        pytest.param(b'{"uuid":"id","na', id="in a name"),
        pytest.param(b'{"uuid":"id","x":"a\\', id="in an escape"),
        pytest.param(b'{"uuid":"id","x":"a\\u12', id="in a character's number"),
        pytest.param(b'{"uuid":"id","x":"a\\\\', id="after an escaped backslash"),
        pytest.param(
            b'{"uuid":"id","x":"\\\\u12', id="in what only looks like a number"
        ),
        pytest.param(b'{"uuid":"id","x":12', id="in a number"),
        pytest.param(b'{"uuid":"id","x":"\xf0\x9f', id="in a character"),
    ],
)
def test_a_cut_anywhere_likely_can_be_mended(beginning: bytes) -> None:
    """Strings and brackets that are open at the cut are closed."""
    assert _uuid_of(beginning) == "id"


def test_what_cannot_be_mended_stays_broken() -> None:
    """It is counted as unrecognised."""
    assert _uuid_of(b'{"uuid":"id","x":tru') is None
    assert _uuid_of(b"not json at all") is None
