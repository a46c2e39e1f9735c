"""Which of our commands and tools the agent may call without asking: those that read.

A brief that has to be fetched is worth little if the user is asked first. Rules that the
user has already stay theirs, and go with nobody.
"""

from collections.abc import Collection

from holdfast.agents.claude_code.wiring.plugin import Wired
from holdfast.agents.json_text import (
    member,
    with_elements,
    with_member,
    without_elements,
    without_member,
)

_SECTION = "permissions"
_ALLOW = (_SECTION, "allow")
_SEEN = f"{_SECTION}.allow"
COMMANDS = ("list", "resume", "search", "show")
_BY_SHELL = tuple(f"Bash(holdfast {command}:*)" for command in COMMANDS)
_BY_SERVER = tuple(
    f"mcp__plugin_holdfast_holdfast__checkpoint_{tool}"
    for tool in ("get", "list", "resume", "search")
)


def with_rules(found: Wired, *, mcp: bool) -> Wired:
    """Return settings that allow what only reads, and which rules were added for it.

    Raises:
        ValueError: the text is not one JSON object.
    """
    known = member(found.text, _ALLOW)
    section = member(found.text, (_SECTION,))
    if not isinstance(section, dict | None) or not isinstance(known, list | None):
        return found  # not as the client wants it: nothing of ours makes it better
    wanted = _BY_SHELL + (_BY_SERVER if mcp else ())
    rules = tuple(rule for rule in wanted if rule not in (known or ()))
    if not rules:
        return found
    made = found.made + ((_SECTION,) if section is None else ())
    if known is None:
        text = with_member(found.text, _ALLOW, [*rules])
        return found._replace(text=text, made=(*made, _SEEN), rules=rules)
    text = with_elements(found.text, _ALLOW, rules)
    return found._replace(text=text, made=made, rules=rules)


def rules_of_ours(text: str) -> tuple[str, ...]:
    """Return the rules in settings that are as we write them: their record may be lost.

    Raises:
        ValueError: the text is not one JSON object.
    """
    known = member(text, _ALLOW)
    ours = {*_BY_SHELL, *_BY_SERVER}
    return (
        tuple(rule for rule in known if rule in ours) if isinstance(known, list) else ()
    )


def rule_sections_of_ours(text: str) -> tuple[str, ...]:
    """Return the sections that hold nothing but rules of ours.

    Raises:
        ValueError: the text is not one JSON object.
    """
    ours = rules_of_ours(text)
    if not ours or member(text, _ALLOW) != [*ours]:
        return ()
    section = member(text, (_SECTION,))
    is_all = isinstance(section, dict) and len(section) == 1
    return (_SEEN, _SECTION) if is_all else (_SEEN,)


def without_rules(text: str, rules: Collection[str], made: Collection[str]) -> str:
    """Return settings without rules that we added, and without the places made for them.

    Raises:
        ValueError: the text is not one JSON object.
    """
    text = without_elements(text, _ALLOW, rules)
    if _SEEN in made and member(text, _ALLOW) == []:
        text = without_member(text, _ALLOW)
    if _SECTION in made and member(text, (_SECTION,)) == {}:
        text = without_member(text, (_SECTION,))
    return text


def told(rules: Collection[str]) -> str:
    """Return what was allowed, for whoever installs, behind what else was changed."""
    if not rules:
        return ""
    tools = sum(rule in _BY_SERVER for rule in rules)
    server = f" and {tools} tools" if tools else ""
    return (
        f"; the agent may read unasked: holdfast {', '.join(COMMANDS)}{server}"
        " (not with --no-permissions)"
    )
