"""What an address alone brings back, and what becomes of a page whose server went."""

import json
import os
import re
import socket
from collections.abc import Callable
from itertools import count

from playwright.sync_api import Page, expect

from holdfast.domain.checkpoint import Item
from tests.builders import OTHER_PROJECT
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import Week, a_week


def _two_projects(served: Served) -> None:
    with served.store() as store:
        a_week(store, served.project_id)
        Week(store, OTHER_PROJECT).put("Login elsewhere", 9, project_root="/code/other")


def test_search_and_statistics_of_every_project_are_addresses(
    served: Served, page: Page
) -> None:
    """Reloaded, or opened by whoever got the link, they are about the same."""
    _two_projects(served)
    stats = json.loads(served.run("stats", "--all", "--json"))["totals"]

    with served.serving() as address:
        page.goto(address)
        page.get_by_label("Project").select_option("all")
        expect(page.locator(".row")).to_have_count(14)
        page.get_by_role("link", name="Statistics").click()
        expect(page).to_have_url(re.compile(r"/stats\?project=all$"))
        page.reload()
        expect(page.locator(".page-stats .when")).to_have_text("of every project")
        expect(page.locator(".figures dd").nth(1)).to_have_text(
            str(stats["checkpoints"])
        )
        page.keyboard.press("s")
        page.locator(".search-field").press_sequentially("elsewhere")
        expect(page.locator(".hit")).to_have_count(1)
        expect(page).to_have_url(re.compile(r"/search\?q=elsewhere&project=all$"))
        page.reload()
        expect(page.locator(".hit")).to_contain_text("other")
        expect(page.get_by_label("Project")).to_have_value("all")


def test_comparing_in_another_project_shows_that_one(
    served: Served, page: Page
) -> None:
    """Beside the timeline of its own project, with ids in what is copied: numbers are
    the project's."""
    _two_projects(served)
    with served.store() as store:
        week = Week(store, OTHER_PROJECT)
        items = tuple(Item(f"decision {number}", "agent") for number in range(40))
        one, other = (
            week.put("Before", 8, project_root="/code/other"),
            week.put("After", 8, project_root="/code/other", decisions=items),
        )

    with served.serving() as address:
        page.goto(address)
        page.goto(address.partition("/enter")[0] + f"/compare/{one}/{other}")
        expect(page.locator(".page-compare .eyebrow")).to_have_text("Then and later")
        expect(page.locator(".row")).to_have_count(3)
        expect(page.locator(".page-compare .copy").last).to_contain_text(one)
        expect(page.locator(".known").first.locator("li")).to_have_count(24)
        page.locator(".page-compare .more summary").click()
        expect(page.locator(".known li", has_text="decision 39")).to_be_visible()
        page.get_by_role("link", name="swap").click()
        expect(page.locator(".page-compare .eyebrow")).to_have_text("Later and then")


def test_where_the_terminal_knows_no_project_the_newest_is_meant_by_all(
    served: Served, page: Page
) -> None:
    """What stands beside the timeline is about the project that it shows."""
    _two_projects(served)
    served.project = served.home.parent / "nowhere"
    served.project.mkdir()

    with served.serving() as address:
        page.goto(address)
        page.goto(address.partition("/enter")[0] + "/stats")
        told = page.locator(".page-stats .figures dd").nth(1)
        expect(page.locator(".row").first).to_be_visible()
        shown = page.locator(".row").count()
        expect(told).to_have_text(str(shown))


def test_a_server_that_ended_is_said_and_one_that_came_back_is_followed(
    served: Served, new_page: Callable[[], Page]
) -> None:
    """The old cookie is nobody's there: whoever opens the new address is let in again,
    and the page that stayed open has what it missed."""
    with served.store() as store:
        a_week(store, served.project_id)
        stayed = new_page()
        port = _port_of_nobody()
        with served.serving(port) as address:
            stayed.goto(address)
            expect(stayed.locator(".live")).to_have_text("live")
        expect(stayed.locator(".live")).to_have_text(re.compile("waiting|offline"))
        Week(store, served.project_id).put("Saved meanwhile", 2, worked=200)

        with served.serving(port) as address:
            expect(stayed.locator(".live")).to_have_text("offline")
            again = new_page()
            again.goto(address)
            expect(again.locator(".row").first).to_contain_text("Saved meanwhile")
            expect(stayed.locator(".live")).to_have_text("live")
            expect(stayed.locator(".row").first).to_contain_text("Saved meanwhile")


def _port_of_nobody() -> int:
    """Return a port below those that a system gives away by itself: it stays free while
    a server is away."""
    for port in count(20_000 + os.getpid() % 10_000):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError


def test_a_cookie_that_is_old_says_what_to_do(served: Served, page: Page) -> None:
    """Twelve hours later, or a browser that forgot: a sentence, not a blank page."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".row").first).to_be_visible()
        page.context.clear_cookies()
        page.locator(".row-link").first.click()
        expect(page.locator(".trouble")).to_contain_text("holdfast serve")
        page.goto(address.partition("/enter")[0])
        expect(page.locator("body")).to_contain_text("holdfast serve")
