"""What a model is sent: nothing hidden in it, however it was found that nothing was."""

from hypothesis import given, settings, strategies as st

from holdfast.surfaces.mcp.replies import _sendable, reply

_TEXTS = st.text(st.characters(max_codepoint=0x2030)) | st.text(
    alphabet='a\\"\n\r\tu<\x7f\x1b/b▸'
)
_ANSWERS = st.recursive(
    _TEXTS, lambda part: st.lists(part) | st.dictionaries(_TEXTS, part)
)


@settings(max_examples=300, deadline=None)
@given(_ANSWERS)
def test_what_is_sent_as_it_is_has_nothing_to_hide(value: object) -> None:
    """Only an answer that cleaning would not change is sent without it."""
    answer = {"type": "odd", "value": value}

    assert reply(answer).structured_content == _sendable(answer)
