"""Two checkpoints in the browser: side by side, and merged by a click."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from holdfast.domain.checkpoint import Item
from tests.builders import NOON, session_number
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import DAY, Week, a_week

HOSTILE = '</script><img src=x onerror="document.title=1">\u202eevil'


def a_fork(served: Served, other: str = "keep it in Redis") -> tuple[str, str]:
    """Two sessions that part from one, and decide differently."""
    with served.store() as store:
        week = Week(store, served.project_id)
        common: dict[str, Any] = {"decisions": (Item("the cache is bounded", "agent"),)}
        week.put("Begin with the cache", 1, **common)
        fork = week.put(
            "Cache in Redis", 2, parent_session=session_number(1), started_at=NOON - 5 * DAY + 1,
            decisions=(*common["decisions"], Item(other, "agent")),
            dead_ends=(Item("a file for each key: too slow", "agent"),),
        )  # fmt: skip
        home = week.put(
            "Cache in memory", 1, decisions=(*common["decisions"], Item("keep it in memory", "agent")),
        )  # fmt: skip
    return home, fork


def opened(page: Page, address: str, path: str) -> None:
    page.goto(address)
    page.goto(address.partition("/enter")[0] + path)


def test_two_of_a_week_are_compared_by_two_keys(served: Served, page: Page) -> None:
    with served.store() as store:
        ids = a_week(store, served.project_id)
    wanted = json.loads(served.run("diff", ids[-1], ids[-2], "--json"))

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".row").first).to_be_visible()
        for key in ("j", "c", "j", "c"):
            page.keyboard.press(key)
        expect(page.locator(".page-compare h1")).to_have_text("Compare")
        expect(page.locator(".side-title").first).to_contain_text("Release 1.4")
        known = page.locator(".known > li.removed")
        expect(known).to_have_count(len(wanted["items"]["removed"]))


def test_branches_stand_side_by_side_and_a_click_merges_them(
    served: Served, page: Page
) -> None:
    home, fork = a_fork(served)

    with served.serving() as address:
        opened(page, address, f"/compare/{home}/{fork}")
        cells = page.locator(".compared .cell")
        expect(cells.filter(has_text="keep it in memory")).to_be_visible()
        expect(cells.filter(has_text="keep it in Redis")).to_be_visible()
        page.get_by_role("button", name="Merge into #3").click()
        expect(page.locator(".page-checkpoint h1")).to_be_visible()
        expect(page.locator(".kind-dead_ends")).to_contain_text("a file for each key")

    (newest,) = json.loads(served.run("list", "--limit", "1", "--json"))["checkpoints"]
    assert {*newest["relations"]["merged_from"]} == {home, fork}


def test_what_has_nothing_to_merge_says_so(served: Served, page: Page) -> None:
    home, fork = a_fork(served)
    served.run("merge", home, fork)

    with served.serving() as address:
        opened(page, address, f"/compare/{home}/{fork}")
        expect(page.locator(".page-compare")).to_contain_text(
            "This merge was already made."
        )
        page.goto(address.partition("/enter")[0] + f"/compare/{home}/{home}")
        expect(page.locator(".page-compare")).to_contain_text("Nothing to merge")


def test_hostile_words_are_words(served: Served, page: Page) -> None:
    home, fork = a_fork(served, HOSTILE)

    with served.serving() as address:
        opened(page, address, f"/compare/{home}/{fork}")
        expect(page.locator(".compared")).to_contain_text("</script><img src=x")
        assert page.locator(".page-compare img").count() == 0
        assert page.title() != "1"


def test_a_checkpoint_that_is_none_is_told(served: Served, page: Page) -> None:
    with served.serving() as address:
        opened(page, address, "/compare/1/2")
        expect(page.locator(".trouble")).to_contain_text("This cannot be shown")
