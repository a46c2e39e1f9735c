"""The pictures of the page: a made-up week, kept in a real store, shown by the real server,
drawn by a real Chromium. `make pictures` draws them anew, and that of a `/clear`.

Nothing of anybody's work is in them. Fonts are those of the machine that draws.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Page, expect, sync_playwright

from docs import clear_picture
from holdfast.agents.claude_code.demo import Scene
from holdfast.domain.checkpoint import Item, ToolRef
from holdfast.kernel.clock import SystemClock
from holdfast.store.sqlite.store import open_store
from tests.builders import NOON, identity, session_number
from tests.e2e.web.history import DAY, HOUR, Week, whole

_PICTURES = Path(__file__).parent / "pictures"
_MOST_BYTES = 150_000
_QUALITY = 82
_FILE = "src/auth/refresh.py"
_WRITER = "5eed0000-0000-4000-8000-000000000021"
_BEGIN = '''\
"""Refresh tokens: one use each, and a trace of every theft."""

from auth.store import Sessions


def rotate(token, sessions: Sessions):
    session = sessions.find(token)
    if session is None:
        raise Stolen(token.family)
    return issue(session)
'''
_LIMITS = '''

def issue(session):
    """Sign a new one; the old one is spent."""
    limit(session.account, per_minute=5)
    return sign(session.id, expires=LIFETIME)
'''
_HAND = "\n\nLIFETIME = days(30)  # legal asked for it\n"
_KEYS = '''

def sign(session_id, expires):
    """Let the hardware key sign where there is one."""
    key = keys.present() or keys.soft()
    return key.sign(f"{session_id}:{expires}")
'''


@dataclass
class Shot:
    """One picture: its name, the address, and what is done before it is drawn."""

    name: str
    path: str
    ready: str  # what is there once the page is drawn
    act: Callable[[Page], None] | None = None
    colour: str = "light"
    size: tuple[int, int] = (1280, 760)


def _point(page: Page) -> None:
    page.locator(".row-link").nth(2).hover()
    expect(page.locator(".card").first).to_be_visible()


def _line(page: Page) -> None:
    page.locator(".line code").nth(8).hover()
    expect(page.locator(".page-file .card")).to_be_visible()


SHOTS = (
    Shot("timeline", "/c/release-1-4", ".page-checkpoint h1"),
    Shot("timeline-dark", "/", ".row", _point, "dark"),
    Shot("compare", "/compare/8/7", ".page-compare h1"),
    Shot("search", "/search?q=token", ".hit"),
    Shot("statistics", "/stats", ".bars", None, "dark"),
)
# Apart from the week, whose made-up sessions have no transcripts: who made a line while one
# of them may have been at work is unknown.
SHOTS_OF_A_FILE = (Shot("file", f"/file/{_FILE}", ".line", _line),)


def main() -> None:
    _PICTURES.mkdir(exist_ok=True)
    print(clear_picture.draw(_PICTURES) or f"docs/pictures/{clear_picture.PICTURE}")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        print("no picture is drawn: chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as root, sync_playwright() as playwright:
        words = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=words)
        context = browser.new_context(reduced_motion="reduce", device_scale_factor=1.5)
        for is_week, shots in ((True, SHOTS), (False, SHOTS_OF_A_FILE)):
            world = _World(Path(root) / ("week" if is_week else "file"))
            world.fill(is_week=is_week)
            with world.serving() as address:
                page = context.new_page()
                page.goto(address)
                for shot in shots:
                    _draw(page, address.partition("/enter")[0], shot)
        browser.close()


def _draw(page: Page, base: str, shot: Shot) -> None:
    page.emulate_media(color_scheme="dark" if shot.colour == "dark" else "light")
    page.set_viewport_size({"width": shot.size[0], "height": shot.size[1]})
    page.mouse.move(0, 0)
    page.goto(base + shot.path)
    expect(page.locator(shot.ready).first).to_be_visible()
    expect(page.locator(".live")).to_have_class("live live")
    page.evaluate("document.activeElement.blur()")
    if shot.act:
        shot.act(page)
    tools = page.context.new_cdp_session(page)
    wanted = {"format": "webp", "quality": _QUALITY}
    told = tools.send("Page.captureScreenshot", wanted)
    data = base64.b64decode(told["data"])
    assert len(data) <= _MOST_BYTES, f"{shot.name} has {len(data)} bytes"
    (_PICTURES / f"{shot.name}.webp").write_bytes(data)
    print(f"docs/pictures/{shot.name}.webp  {len(data) / 1000:.0f} kB")


class _World:
    """A project under git with a store of its own."""

    def __init__(self, root: Path) -> None:
        self.root, self.project = root, root / "harbour"
        self.project.mkdir(parents=True)
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "user"),
            "HOLDFAST_HOME": str(root / "home"),
            "CLAUDE_CONFIG_DIR": str(root / "claude"),
        }

    def fill(self, *, is_week: bool) -> None:
        """A week, and at its end a file that three prompts and a person made."""
        subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=self.project, check=True)  # fmt: skip
        if is_week:
            with open_store(str(self.root / "home"), create=True) as store:
                project = store.project(identity(str(self.project))).project_id
                _week(store, project)
        self._write_file()

    def _write_file(self) -> None:
        scene = Scene(_WRITER, str(self.project), _now() - 3 * HOUR)
        scene.user("rotate refresh tokens on use, and tell when one was stolen")
        self._edits(scene, _BEGIN)
        self._saves(scene, "A stolen token is told by its second use")
        scene.user("limit how often an account may refresh")
        self._edits(scene, _BEGIN + _LIMITS)
        self._saves(scene, "Five refreshes a minute, per account")
        (self.project / _FILE).write_text(_BEGIN + _LIMITS + _HAND)
        scene.user("let a hardware key sign if there is one")
        self._saves(scene, "The lifetime is thirty days")
        self._edits(scene, _BEGIN + _LIMITS + _HAND + _KEYS)
        self._saves(scene, "Hardware keys sign refresh tokens")

    def _edits(self, scene: Scene, text: str) -> None:
        place = self.project / _FILE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        patch = [{"lines": ["+"] * text.count("\n")}]
        scene.tool(
            "Edit",
            {"file_path": str(place), "old_string": "", "new_string": text},
            {"text": "updated", "structured": {"filePath": str(place), "structuredPatch": patch}},
        )  # fmt: skip

    def _saves(self, scene: Scene, title: str) -> None:
        path = self.root / f"{_WRITER}.jsonl"
        path.write_text("".join(f"{line}\n" for line in scene.lines))
        self._run("save", "--transcript", str(path), "--title", title)

    def _run(self, *words: str) -> None:
        subprocess.run(
            self._command(*words), env=self.environ, check=True, capture_output=True
        )

    def _command(self, *words: str) -> list[str]:
        at = ("--project", str(self.project))
        return [sys.executable, "-m", "holdfast", *words, *at]

    @contextmanager
    def serving(self) -> Iterator[str]:
        words = self._command("serve", "--port", "0", "--no-browser", "--json")
        with subprocess.Popen(
            words, env=self.environ, stdout=subprocess.PIPE
        ) as server:
            assert server.stdout
            try:
                yield json.loads(server.stdout.readline())["address"]
            finally:
                server.terminate()


def _now() -> int:
    return SystemClock().now_ms()


class _Busy(Week):
    """A week in which every message took a minute, and every ninth was a prompt."""

    def put(self, title: str, session: int, **changes: Any) -> str:
        worked = int(changes.get("worked", 20))
        spent = self._worked[session] = self._worked.get(session, 0) + worked
        prompts = max(1, spent // 9)
        return super().put(
            title, session, duration_seconds=60 * spent, prompts=prompts, **changes
        )

    _worked: ClassVar[dict[int, int]] = {}


def _week(store: Any, project: str) -> None:
    """One of everything: a clear, a fork, a compaction, a crash, a merge, open errors."""
    week = _Busy(store, project, _now() - 10 * HOUR)
    red = (Item("AssertionError: 401 != 200 in test_refresh", "tool", ("line-9",)),)
    tools = (
        ToolRef("Edit", 14, NOON, NOON + 1_000),
        ToolRef("Bash", 11, NOON, NOON + 1_000),
        ToolRef("Read", 23, NOON, NOON + 1_000),
        ToolRef("Grep", 6, NOON, NOON + 1_000),
    )
    clear: dict[str, Any] = {"type": "before-clear", "trigger": "clear"}
    week.put("Sketch the token store and its tests", 1, worked=25, tools=tools)
    week.put("Refresh tokens rotate on use", 1, worked=90, type="auto",
             trigger="threshold", context_percent=71.0, tools=tools, later=5 * HOUR)  # fmt: skip
    week.put("Sessions survive a restart of the server", 1, worked=40, **clear)
    week.put("Rate limits for the login route", 2, worked=30, later=17 * HOUR,
             parent_session=session_number(1), decisions=(Item("five tries a minute, per account", "agent"),))  # fmt: skip
    spike = week.put("Spike: sign tokens with a hardware key", 3, worked=60, branch="spike-keys",
                     parent_session=session_number(2), started_at=NOON - 5 * DAY + 2,
                     decisions=(Item("the key signs, the server checks", "agent"),))  # fmt: skip
    week.put("Login is limited per account, not per address", 2, worked=55, type="auto",
             trigger="compact", errors=red, later=8 * HOUR, tools=tools,
             decisions=(Item("five tries a minute, per account", "agent"), Item("an office behind one address is no attack", "agent")))  # fmt: skip
    spike = week.put("Hardware keys sign; the emulator is too slow", 3, worked=35, branch="spike-keys",
                     type="auto", trigger="rescue", later=4 * HOUR,
                     decisions=(Item("the key signs, the server checks", "agent"), Item("tests use a soft key", "agent")),
                     dead_ends=(Item("signing in the emulator: 40 s for each test", "agent"),))  # fmt: skip
    skew = week.put("Clock skew of two minutes is tolerated", 2, worked=20, errors=red, later=11 * HOUR,
                    decisions=(Item("five tries a minute, per account", "agent"), Item("clocks may differ by two minutes", "agent")))  # fmt: skip
    week.put("A login page that works on a phone", 4, worked=44, branch="login-page", later=3 * HOUR, **clear)  # fmt: skip
    week.put("Keys and limits together", 2, worked=12, trigger="merge", merged_from=(skew, spike), later=9 * HOUR)  # fmt: skip
    week.put("Docs of the login flow", 5, worked=18, branch="docs", parent_session=session_number(4), later=20 * HOUR)  # fmt: skip
    week.put("Release 1.4 is cut and tagged", 2, worked=70, name="release-1-4", later=16 * HOUR, **whole())  # fmt: skip


if __name__ == "__main__":
    main()
