"""Rules that let the agent read: beside the user's own, and gone without a trace."""

import json

import pytest

from holdfast.agents.claude_code.wiring.permissions import with_rules, without_rules
from holdfast.agents.claude_code.wiring.plugin import Wired

_OWN = "Bash(holdfast list:*)"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{}", id="nothing"),
        pytest.param('{"permissions": {}}', id="an empty section"),
        pytest.param('{"permissions": {"allow": []}}', id="an empty list"),
        pytest.param('{"permissions":{"deny":["Read(.env)"]},"a":1}', id="other lists"),
        pytest.param(
            '{\n  "permissions": {\n    "allow": [\n      "Bash(ls:*)",\n      "WebFetch"\n'
            '    ]\n  },\n  "model": "x"\n}\n',
            id="a list over lines",
        ),
        pytest.param(
            '{"permissions": {"allow": [ "Bash(holdfast list:*)" ]}}',
            id="a rule of the user's own",
        ),
    ],
)
def test_there_and_back_leaves_every_byte(text: str) -> None:
    added = with_rules(Wired(text, 0, ()), mcp=True)

    rules = json.loads(added.text)["permissions"]["allow"]
    assert "Bash(holdfast resume:*)" in rules
    assert len(rules) == len(set(rules))
    assert (_OWN in added.rules) == (_OWN not in text)
    assert without_rules(added.text, added.rules, added.made) == text


def test_what_is_allowed_already_is_not_allowed_twice() -> None:
    once = with_rules(Wired("{}", 0, ()), mcp=True)

    assert with_rules(once, mcp=True) == once


@pytest.mark.parametrize(
    "text", ['{"permissions": "all"}', '{"permissions": {"allow": "all"}}']
)
def test_settings_of_another_form_are_left_alone(text: str) -> None:
    """The client would not read them, either."""
    assert with_rules(Wired(text, 0, ()), mcp=True).text == text
