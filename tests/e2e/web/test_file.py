"""`holdfast timeline`: the page as one file, opened without a server."""

import json
import re
import subprocess

from playwright.sync_api import Page, expect

from tests.e2e.web.conftest import Served
from tests.e2e.web.history import Week, a_week


def test_the_file_is_the_page(served: Served, page: Page) -> None:
    """Timeline, checkpoint, filters and deep links, from a disk."""
    with served.store() as store:
        ids = a_week(store, served.project_id)
    path = served.project / "week.html"

    told = json.loads(served.run("timeline", "-o", str(path), "--json"))

    assert told == {"type": "timeline", "path": str(path), "checkpoints": len(ids)}
    page.goto(path.as_uri())
    expect(page.locator(".row")).to_have_count(len(ids))
    page.locator(".row-link").first.click()
    expect(page.locator(".page-checkpoint h1")).to_have_text(
        "Release 1.4 is cut and tagged"
    )
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    page.goto(f"{path.as_uri()}#/c/{ids[0]}?q=token")
    expect(page.locator(".page-checkpoint h1")).to_contain_text(
        "Sketch the token store"
    )


def test_the_file_asks_nobody_and_runs_only_itself(served: Served, page: Page) -> None:
    """T5: hostile words are data in it, and its policy lets nothing be loaded."""
    evil = "</script><script>window.broken = 1</script><!-- <script>"
    with served.store() as store:
        Week(store, served.project_id).put(evil, 1, summary=evil, branch=evil)
    path = served.project / "evil.html"
    served.run("timeline", "-o", str(path))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(path.as_uri())
    expect(page.locator(".row")).to_have_count(1)
    page.locator(".row-link").click()
    expect(page.locator(".page-checkpoint h1")).to_contain_text("</script>")

    assert page.evaluate("window.broken") is None
    assert [url for url in asked if not url.startswith(path.as_uri())] == []
    policy = re.search(r'content="(default-src[^"]+)"', path.read_text("utf-8"))
    assert policy
    assert "unsafe" not in policy[1]


def test_nothing_is_written_over(served: Served) -> None:
    """A file of the user's is theirs, whatever it is called."""
    with served.store() as store:
        a_week(store, served.project_id)
    path = served.project / "mine.html"
    path.write_text("mine")

    done = subprocess.run(
        served.command("timeline", "-o", str(path), "--json"), env=served.environ,
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert json.loads(done.stdout)["code"] == "FILE_001"
    assert path.read_text() == "mine"
