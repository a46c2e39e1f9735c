"""What people type about a checkpoint, made fit to keep."""

import pytest

from holdfast.app.checkpoints.drafting import clean_name
from holdfast.kernel.errors import NameInvalid
from holdfast.redaction.redactor import Redactor

_TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_TOKEN, id="as it is"),
        pytest.param(_TOKEN.replace("_", "_\u200b"), id="with an invisible space"),
        pytest.param(_TOKEN.replace("p_", "p\u200d_"), id="with a joiner"),
        pytest.param(_TOKEN.replace("p_", "p\u200c_"), id="with a non-joiner"),
        pytest.param(_TOKEN.replace("p_", "p(_"), id="with a sign that names lose"),
    ],
)
def test_a_secret_cannot_be_a_name_however_it_is_spelled(text: str) -> None:
    """A name is shown everywhere, and naming drops what hid the secret."""
    with pytest.raises(NameInvalid, match="looks like a secret"):
        clean_name(text, Redactor())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("API Design", "api-design", id="two words"),
        pytest.param("\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                     "\u0646\u0645\u06cc\u062e\u0648\u0627\u0647\u0645", id="a script with joiners"),
    ],
)  # fmt: skip
def test_other_names_are_kept_in_their_one_spelling(text: str, name: str) -> None:
    """Looking for secrets must not cost a language its words."""
    assert clean_name(text, Redactor()) == name
