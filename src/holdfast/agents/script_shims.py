"""A script of ours among a client's own plugins: the file is all ours, and few lines long.

It starts our hooks as another client's settings would, JSON in and JSON out, and does
nothing where they are gone: no fault of ours may reach the client.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.agents.wired_files import WiredFile

if TYPE_CHECKING:
    from collections.abc import Callable

_FIRST = "// Written by `holdfast install {agent}`; `holdfast uninstall {agent}` removes it.\n"
_CALL = """\
import {{ spawn }} from "node:child_process";

const LAUNCHER = {launcher};
const PATIENCE = {{ SessionEnd: 5000, PreCompact: 30000 }}; // ms; 10 s for the others
const MOST = 100000; // signs of an answer

// What holdfast answers at an event; nothing where it is gone, slow or mistaken.
function tell(event, input, ...words) {{
  return new Promise((answer) => {{
    let child;
    let said = "";
    const done = () => {{
      clearTimeout(limit);
      try {{
        const {{ hookSpecificOutput, systemMessage }} = JSON.parse(said);
        const text = hookSpecificOutput?.additionalContext;
        answer({{ context: `${{text ?? ""}}`, line: `${{systemMessage ?? ""}}` }});
      }} catch {{
        answer({{ context: "", line: "" }});
      }}
    }};
    const limit = setTimeout(() => {{
      done();
      child?.kill();
      child?.stdout?.destroy(); // what it started may hold it open
    }}, PATIENCE[event] ?? 10000);
    try {{
      child = spawn(LAUNCHER, [event, "--agent={agent}", ...words], {{
        stdio: ["pipe", "pipe", "ignore"],
      }});
      child.on("error", done);
      child.on("close", done);
      child.stdin.on("error", () => {{}});
      child.stdout.setEncoding("utf8").on("data", (text) => {{
        if (said.length < MOST) said += text;
      }});
      child.stdin.end(JSON.stringify(input));
    }} catch {{
      done();
    }}
  }});
}}

// No fault of ours may reach the client.
function quietly(what) {{
  return async (...given) => {{
    try {{
      return await what(...given);
    }} catch {{
      return undefined;
    }}
  }};
}}

"""


def script_shim(path: str, body: str, launcher: str, agent: str) -> WiredFile:
    """Return how a script that calls our hooks by `tell` is put among a client's own.

    A file of that name that somebody else wrote is left alone: `wire` raises.
    """
    first = _FIRST.format(agent=agent)
    text = first + _CALL.format(launcher=json.dumps(launcher), agent=agent) + body
    return WiredFile(path, _wire(text, first), _unwire(first), _is_nothing, own=True)


def _wire(text: str, first: str) -> Callable[[str], str]:
    def wire(there: str) -> str:
        if there.strip() and not there.startswith(first):
            raise ValueError("somebody else wrote a file of that name")
        return text

    return wire


def _unwire(first: str) -> Callable[[str], str]:
    return lambda there: "" if there.startswith(first) else there


def _is_nothing(text: str) -> bool:
    return not text
