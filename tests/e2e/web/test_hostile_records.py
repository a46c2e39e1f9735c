"""Hostile words in every field that search, statistics and comparisons show: texts."""

from typing import Any

from playwright.sync_api import Page, expect

from holdfast.domain.checkpoint import FileRef, Item, ToolRef
from tests.builders import NOON, OTHER_PROJECT
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import Week

_EVIL = (
    "zebra </script><script>window.broken = 1</script>"
    "<img src=x onerror='window.broken = 2'>\"'`${window.broken = 3}"
    "\u202egnp.exe\u2066\u200b javascript:window.broken=4 "
)
_LONG = "a" * 300_000
_BOTH = _EVIL + _LONG


def _fields(text: str) -> dict[str, Any]:
    item = (Item(text, "user", (text,), text),)
    kinds = ("goal", "requests", "decisions", "pending", "errors", "dead_ends")
    return {
        **dict.fromkeys(kinds, item),
        "summary": text,
        "agent": text,
        "branch": text,
        "topics": (text,),
        "files": (FileRef(text, "edited", 1, 1),),
        "tools": (ToolRef(text, 3, NOON, NOON + 1_000),),
    }


def _kept(served: Served) -> list[str]:
    with served.store() as store:
        week = Week(store, served.project_id)
        ids = [
            week.put(_EVIL, 1, **_fields(_EVIL)),
            week.put(_BOTH, 2, **_fields(_BOTH)),
        ]
        other = Week(store, OTHER_PROJECT)
        ids.append(other.put(_EVIL, 3, project_root=f"/code/{_EVIL}", **_fields(_EVIL)))
    return ids


def _is_unbroken(page: Page) -> None:
    assert page.evaluate("window.broken") is None
    assert page.locator("#app img, #app script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_search_shows_hostile_hits_as_words(served: Served, page: Page) -> None:
    _kept(served)

    with served.serving() as address:
        base = address.partition("/enter")[0]
        page.goto(address)
        page.goto(f"{base}/search?q=zebra&project=all")
        expect(page.locator(".hit")).to_have_count(3)
        expect(page.locator(".hit-title").first).to_contain_text("</script><script>")
        expect(page.locator(".hit-project").first).to_be_visible()
        _is_unbroken(page)
        for evil in ("<img src=x onerror=alert(1)>", '"', "file:<b>", "\u202e", "((("):
            page.locator(".search-field").fill(evil)
            expect(page.locator(".page-search h1")).to_be_visible()
        _is_unbroken(page)


def test_statistics_show_hostile_names_as_words(served: Served, page: Page) -> None:
    _kept(served)

    with served.serving() as address:
        base = address.partition("/enter")[0]
        page.goto(address)
        page.goto(f"{base}/stats?project=all")
        names = page.locator(".page-stats .bar-name")
        expect(names.filter(has_text="</script><script>").first).to_be_visible()
        _is_unbroken(page)
        page.goto(f"{base}/stats?project=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
        expect(page.locator(".page-stats")).to_contain_text("No checkpoints here yet")
        _is_unbroken(page)


def test_comparing_shows_hostile_records_as_words(served: Served, page: Page) -> None:
    one, other, _ = _kept(served)

    with served.serving() as address:
        base = address.partition("/enter")[0]
        page.goto(address)
        page.goto(f"{base}/compare/{one}/{other}")
        expect(page.locator(".side-title").first).to_contain_text("</script><script>")
        _is_unbroken(page)
        page.goto(f"{base}/compare/%3Cimg%20src%3Dx%3E/2")
        expect(page.locator(".trouble")).to_be_visible()
        _is_unbroken(page)
