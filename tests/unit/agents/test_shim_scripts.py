"""What our scripts do inside a client that goes wrong, or whose hooks do.

Each runs in a real node, in front of a client made of a few lines.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.opencode.agent import OpenCode
from holdfast.agents.pi.agent import Pi
from tests.missing import without

pytestmark = pytest.mark.process

# What a hook was told is kept, one line each; then it answers as it is made to.
_LAUNCHER = """#!/bin/sh
read -r told
printf '%s %s\\n' "$1" "$told" >> '{log}'
{answer}
"""
_SAYS = """printf '%s' '{"systemMessage": "a line",\
 "hookSpecificOutput": {"additionalContext": "told at '"$1"'"}}'"""
_PI = """
import load from "./script.mjs";
const on = new Map();
const shown = [];
let session = "one", entries = [];
load({ on: (event, what) => on.set(event, what) });
const ctx = {
  cwd: "/code/here", hasUI: true,
  ui: { notify: (line) => shown.push(line) },
  sessionManager: {
    getSessionId: () => session,
    getSessionFile: () => session && `/sessions/${session}.jsonl`,
    getEntries: () => entries,
  },
};
const fire = (event, about = {}) => on.get(event)(about, ctx);
"""
_OPENCODE = """
import { holdfast } from "./script.mjs";
const shown = [];
const sessions = { one: {}, child: { parentID: "one" } };
const messages = {};
const client = {
  tui: { showToast: ({ body }) => { shown.push(body.message); return new Promise(() => {}); } },
  session: {
    get: async ({ path }) => ({ data: { time: { created: Date.now() }, ...sessions[path.id] } }),
    messages: async ({ path }) => ({ data: messages[path.id] ?? [] }),
  },
};
const on = await holdfast({ directory: "/code/here", client });
const prompt = async (sessionID, text) => {
  const parts = [{ id: "prt_1", type: "text", text }];
  await on["chat.message"]({ sessionID }, { message: { id: "msg_1" }, parts });
  return parts;
};
"""
_SAY = "\nconst say = (what) => console.log(JSON.stringify(what));\n"


class _Client:
    """A client that loads the script; its hooks answer with what a shell prints."""

    def __init__(self, root: Path, agent: str) -> None:
        self.root, self.agent = root, agent
        self.log = root / "told.log"
        user = root / "user"
        environ = {"HOME": str(user), "PATH": "/usr/bin:/bin"}
        made = (
            Pi(f"{user}/agent", environ)
            if agent == "pi"
            else OpenCode(f"{user}/opencode.db", environ)
        )
        wiring = made.wiring(
            home=str(root / "data"), workspace=str(root), python=sys.executable
        )
        wiring.install(scope="user", mcp=False, dry_run=False)
        script = next(user.rglob("holdfast.ts")).read_text()
        (root / "script.mjs").write_text(script)
        self.launcher = root / "data" / agent / "launch"
        self.hooks_do(_SAYS)

    def hooks_do(self, answer: str) -> None:
        self.launcher.write_text(_LAUNCHER.format(log=self.log, answer=answer))
        self.launcher.chmod(0o755)

    def run(self, does: str, before: str = "") -> Any:
        """Return what a client says that does something; it ends by itself."""
        node = shutil.which("node")
        if node is None:
            without("node is not installed")
        start = _PI if self.agent == "pi" else _OPENCODE
        main = self.root / "main.mjs"
        main.write_text(start.replace("import", f"{before}\nimport", 1) + _SAY + does)
        done = subprocess.run(
            [node, main],
            env={"HOME": str(self.root), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return json.loads(done.stdout)

    @property
    def told(self) -> list[tuple[str, dict[str, Any]]]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        parted = (line.split(" ", 1) for line in lines)
        return [(event, json.loads(about)) for event, about in parted]

    @property
    def events(self) -> list[str]:
        how = ("source", "reason")
        said = ((e, next((a[h] for h in how if h in a), None)) for e, a in self.told)
        return [event if more is None else f"{event} {more}" for event, more in said]


@pytest.fixture
def pi(tmp_path: Path) -> _Client:
    return _Client(tmp_path, "pi")


@pytest.fixture
def opencode(tmp_path: Path) -> _Client:
    return _Client(tmp_path, "opencode")


_PROMPT = {
    "pi": 'say([(await fire("before_agent_start", { prompt: "go" }))?.message?.content]);',
    "opencode": 'say((await prompt("one", "go")).slice(1).map((part) => part.text));',
}
_BROKEN = {
    "nothing": "true",
    "no JSON": "echo Traceback",
    "null": "echo null",
    "a status": "exit 2",
    "a giant": "head -c 300000 /dev/zero | tr '\\0' x",
    "killed": "kill -9 $$",
}


@pytest.mark.parametrize("agent", ["pi", "opencode"])
@pytest.mark.parametrize("how", [*_BROKEN])
def test_a_hook_that_fails_adds_nothing_to_a_prompt(
    tmp_path: Path, agent: str, how: str
) -> None:
    """And the prompt goes its way."""
    client = _Client(tmp_path, agent)
    client.hooks_do(_BROKEN[how])

    assert client.run(_PROMPT[agent]) in ([None], [])
    assert client.events[-1] == "UserPromptSubmit"


@pytest.mark.parametrize("agent", ["pi", "opencode"])
def test_a_hook_that_hangs_is_left_behind(tmp_path: Path, agent: str) -> None:
    """Also where what it started holds its output open: nobody waits for that."""
    client = _Client(tmp_path, agent)
    client.hooks_do("sleep 5 & exec sleep 1000")
    hurried = (
        "const { setTimeout: later } = globalThis;"
        "globalThis.setTimeout = (what, _) => later(what, 300);"
    )
    # Imports come first whatever stands before them.
    (tmp_path / "hurry.mjs").write_text(hurried)

    assert client.run(_PROMPT[agent], 'import "./hurry.mjs";') in ([None], [])


@pytest.mark.parametrize("agent", ["pi", "opencode"])
def test_a_client_of_another_form_hears_no_fault_of_ours(
    tmp_path: Path, agent: str
) -> None:
    """What a later version calls otherwise is no reason for it to fail."""
    client = _Client(tmp_path, agent)
    does = {
        "pi": "ctx.sessionManager = {}; ctx.ui = null;"
        "for (const what of on.values()) await what({}, ctx);"
        "await on.get('agent_end')(undefined, undefined); say('well');",
        "opencode": "for (const what of Object.values(on)) await what({}, {});"
        "await on.event({}); await on['chat.message']({}, { parts: null }); say('well');",
    }

    assert client.run(does[agent]) == "well"


def test_what_a_start_says_comes_with_the_first_prompt_of_pi(pi: _Client) -> None:
    """Once, and the line is shown when the screen has changed."""
    does = """
    await fire("session_start", { reason: "startup" });
    const first = await fire("before_agent_start", { prompt: "go" });
    const second = await fire("before_agent_start", { prompt: "on" });
    setTimeout(() => say([first.message.content, second.message.content, shown]), 10);
    """

    first, second, shown = pi.run(does)

    assert first == "told at SessionStart\n\ntold at UserPromptSubmit"
    assert second == "told at UserPromptSubmit"
    assert shown == ["a line"] * 3


def test_how_a_session_of_pi_begins_is_told_by_its_past(pi: _Client) -> None:
    """A fork of the first prompt, and one of a conversation."""
    does = """
    await fire("session_start", { reason: "reload" });
    await fire("session_start", { reason: "fork" });
    await fire("session_shutdown", { reason: "fork" });
    entries = [{ type: "message" }];
    for (const reason of ["startup", "fork", "resume"])
      await fire("session_start", { reason });
    for (const reason of ["new", "resume", "quit", "reload"])
      await fire("session_shutdown", { reason });
    session = undefined;
    await fire("session_start", { reason: "new" });
    say(0);
    """

    pi.run(does)

    assert pi.events == [
        "SessionStart startup",
        "SessionEnd ",
        "SessionStart resume",
        "SessionStart fork",
        "SessionStart resume",
        "SessionEnd clear",
        "SessionEnd resume",
        "SessionEnd exit",
    ]


def test_sessions_of_one_window_of_opencode_follow_each_other(
    opencode: _Client,
) -> None:
    """A new one clears, a fork does not, and an older one is gone on with."""
    does = """
    await prompt("one", "go");
    await prompt("two", "and on");
    messages.fork = [{ info: { id: "msg_0" } }];
    await prompt("fork", "another way");
    sessions.old = { time: { created: 1 } };
    messages.old = messages.fork;
    await prompt("old", "back");
    await prompt("one", "the first again");
    await on.dispose();
    say(0);
    """

    opencode.run(does)

    assert opencode.events == [
        *("SessionStart startup", "UserPromptSubmit"),
        *("SessionEnd clear", "SessionStart clear", "UserPromptSubmit"),
        *("SessionEnd ", "SessionStart fork", "UserPromptSubmit"),
        *("SessionEnd resume", "SessionStart resume", "UserPromptSubmit"),
        *("SessionEnd resume", "SessionStart resume", "UserPromptSubmit"),
        "SessionEnd exit",
    ]


def test_opencode_is_not_waited_for(opencode: _Client) -> None:
    """Its screen may never answer, and neither may its list of sessions."""
    does = """
    client.session.get = () => new Promise(() => {});
    say([(await prompt("one", "go")).length, shown]);
    process.exit();
    """
    (opencode.root / "hurry.mjs").write_text(
        "const { setTimeout: later } = globalThis;"
        "globalThis.setTimeout = (what, ms) => later(what, ms === 3000 ? 10 : ms);"
    )

    count, shown = opencode.run(does, 'import "./hurry.mjs";')

    assert (count, shown) == (2, ["a line", "a line"])
    assert opencode.events[0] == "SessionStart resume"


def test_a_sub_agent_of_opencode_is_told_nothing(opencode: _Client) -> None:
    """Nobody types there; also in one that an older process began."""
    does = """
    await prompt("child", "look around");
    await on.event({ event: { type: "session.idle", properties: { sessionID: "child" } } });
    await on["experimental.session.compacting"]({ sessionID: "child" }, {});
    await on.dispose();
    say(0);
    """

    opencode.run(does)

    assert opencode.told == []


def test_after_a_compaction_of_opencode_what_it_lost_is_told_once(
    opencode: _Client,
) -> None:
    does = """
    await prompt("one", "go");
    await on["experimental.session.compacting"]({ sessionID: "one" }, {});
    await on.event({ event: { type: "session.compacted", properties: { sessionID: "one" } } });
    const parts = await prompt("one", "and now");
    await prompt("one", "and then");
    say(parts[1]);
    """

    part = opencode.run(does)

    assert part["text"] == "told at SessionStart\n\ntold at UserPromptSubmit"
    assert (part["synthetic"], part["id"]) == (True, "prt_10")
    assert opencode.events[2:] == [
        "PreCompact",
        *("SessionStart compact", "UserPromptSubmit", "UserPromptSubmit"),
    ]
