"""What the page costs a browser: 5,000 checkpoints, first useful paint, scroll, update.

Main-thread time of the real Chromium, beside that of an empty page of the same server in
the same browser; frames of a scroll; bytes of the page without data, of a page of rows, and
of an update.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.web.assets import assets, page_template
from tests.builders import NOON, a_full_draft, identity, session_number

_ROWS, _OF_A_SESSION = 5_000, 25
_FRAMES = 240
_SCROLL = """async (frames) => {
  const timeline = document.querySelector(".timeline");
  const took = [];
  let last = performance.now();
  for (let i = 0; i < frames; i++) {
    timeline.scrollTop += 160;
    await new Promise(requestAnimationFrame);
    took.push(performance.now() - last);
    last = performance.now();
  }
  return took.sort((a, b) => b - a);
}"""
_SIZE = "async (path) => (await (await fetch(path)).text()).length"


def main() -> None:
    program = shutil.which("chromium")
    if not program:
        print("chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as root, sync_playwright() as playwright:
        project, environ = _filled(Path(root))
        words = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=words)
        call = [
            sys.executable,
            "-m",
            "holdfast",
            "serve",
            "--port",
            "0",
            "--no-browser",
        ]
        call += ["--json", "--project", f"{root}/project"]
        with subprocess.Popen(call, env=environ, stdout=subprocess.PIPE) as server:
            assert server.stdout
            try:
                address = json.loads(server.stdout.readline())["address"]
                _measure(browser.new_page(), address, project)
            finally:
                server.terminate()
        browser.close()


def _filled(root: Path) -> tuple[str, dict[str, str]]:
    (root / "project").mkdir()
    with open_store(str(root / "home"), create=True) as store:
        project = store.project(identity(str(root / "project"))).project_id
        for row in range(_ROWS):
            session, step = divmod(row, _OF_A_SESSION)
            draft = a_full_draft(
                title=f"Step {row} of the work on tokens",
                project_id=project,
                session_id=session_number(1 + session),
                parent_session=session_number(session) if session else None,
                trigger="clear" if step == _OF_A_SESSION - 1 else "command",
                created_at=NOON + row * 1_200_000,
                message_count=9 * step,
            )
            store.put(draft)
    home = {"HOME": str(root), "HOLDFAST_HOME": str(root / "home")}
    return project, {"PATH": os.environ["PATH"], **home}


def _measure(page: Page, address: str, project: str) -> None:
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")

    def busy() -> float:
        told: Any = tools.send("Performance.getMetrics")["metrics"]
        return 1000 * float(
            next(x["value"] for x in told if x["name"] == "TaskDuration")
        )

    base = address.partition("/enter")[0]
    page.goto(f"{base}/assets/mark.svg")
    empty = busy()
    page.goto(address)
    expect(page.locator(".row").first).to_be_visible(timeout=60_000)
    painted = busy()
    expect(page.locator(".count")).to_have_text(
        f"{_ROWS:,} checkpoints", timeout=60_000
    )
    frames = page.evaluate(_SCROLL, _FRAMES)
    size = sum(len(each.text.encode()) for each in assets().values())
    rows = f"{base}/api/rows?project={project}"
    print(
        f"main thread to the first rows   {painted - empty:7.0f} ms (empty page {empty:.0f} ms)"
    )
    print(
        f"longest frames of a scroll      {frames[0]:7.0f} ms, {frames[1]:.0f}, {frames[2]:.0f}; the middle one {frames[_FRAMES // 2]:.0f}"
    )
    print(f"rows in the document            {page.locator('.row').count():7}")
    print(
        f"the page without data           {(size + len(page_template())) / 1000:7.0f} kB"
    )
    print(
        f"120 rows, as the first page     {page.evaluate(_SIZE, rows + '&limit=120') / 1000:7.0f} kB"
    )
    print(
        f"an update of one row            {page.evaluate(_SIZE, rows + '&limit=1') / 1000:7.1f} kB"
    )


if __name__ == "__main__":
    main()
