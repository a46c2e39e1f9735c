"""What every session pays for being wired in, whatever it does: the client lists the
plugin's skills to the model, and the MCP server's tools with their definitions."""

import os

from holdfast.agents.claude_code.wiring.files import read_text
from holdfast.domain.text import tokens

_DESCRIPTION = "description:"
# Of `tools/list` and the server's instructions; tests/e2e/mcp holds it to what they are.
SERVER_TOKENS = 956


def standing_tokens(plugin: str) -> int:
    """Return the tokens that a plugin directory adds to each session; 0: none is there."""
    skills = f"{plugin}/skills"
    names = sorted(os.listdir(skills)) if os.path.isdir(skills) else []
    cost = sum(_listed(name, read_text(f"{skills}/{name}/SKILL.md")) for name in names)
    return cost + (SERVER_TOKENS if os.path.isfile(f"{plugin}/.mcp.json") else 0)


def _listed(name: str, text: str | None) -> int:
    lines = (text or "").splitlines()
    told = (line for line in lines if line.startswith(_DESCRIPTION))
    description = next(told, _DESCRIPTION).removeprefix(_DESCRIPTION).strip()
    return tokens(f"- holdfast:{name}: {description}\n") if description else 0
