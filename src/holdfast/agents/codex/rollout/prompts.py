"""Whose words a text is that stands where a user's would. Pure.

Only an item of the client that says "the user wrote this" is looked at here; a message of
the conversation with the role `user` carries the environment, project instructions and
hook texts as well, and never counts. But clients put words of their own around what was
typed: piped input, the context of an editor, a skill's body.
"""

import re
from typing import Any

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

# A text that begins so was made by the client, whole.
_MADE = pattern(
    r"\s*(?:<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill"
    r"|skills_instructions|user_shell_command|subagent_notification|goal_context|hook_prompt"
    r"|permissions instructions|collaboration_mode|model_switch|apps_instructions"
    r"|plugins_instructions|realtime_conversation|personality_spec|user_action"
    r"|recommended_plugins|multi_agent_mode)\b"
    r"|# AGENTS\.md instructions\b|Warning: The maximum number of unified exec processes"
    r"|Another language model started to solve this problem)"
)
# What `codex exec` puts behind the prompt it was given.
_PIPED = pattern(r"\n*<stdin>\n.*?\n?</stdin>\s*\Z", re.DOTALL)
_EDITOR = "# Context from my IDE setup:"
_EDITOR_REQUEST = pattern(r"^## My request for Codex:[ \t]*\n?", re.MULTILINE)


class TypedText(NamedTuple):
    """What the user typed, and of what kind the rest is."""

    words: str
    added: str = ""


def typed(text: str) -> TypedText:
    """Return the user's own words in a text that the client says the user wrote."""
    if _MADE.match(text):
        return TypedText("", "client")
    if text.lstrip().startswith(_EDITOR):
        # The last of them: what was selected in the editor may hold that line, too.
        _, *requests = _EDITOR_REQUEST.split(text)
        return TypedText(requests[-1].strip() if requests else "", "editor")
    words, piped = _PIPED.subn("", text, count=1)
    return TypedText(words.strip() if piped else text, "piped" if piped else "")


def is_typed(payload: dict[str, Any], text: str) -> bool:
    """Say whether the client says of a message that the user typed it."""
    if payload.get("role") != "user":
        return False
    kinds = _about(payload).get("content_item_kinds")
    if isinstance(kinds, list):
        return bool(kinds) and kinds[0] == "user.text"
    return not typed(text).added


def kind_of_context(payload: dict[str, Any]) -> str:
    """Return what the client calls a text that it put into the conversation."""
    kinds = _about(payload).get("content_item_kinds")
    first = kinds[0] if isinstance(kinds, list) and kinds else ""
    return first if isinstance(first, str) else ""


def _about(payload: dict[str, Any]) -> dict[str, Any]:
    about = payload.get("internal_chat_message_metadata_passthrough")
    return about if isinstance(about, dict) else {}
