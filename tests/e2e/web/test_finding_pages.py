"""Search and statistics in the browser: what the command line says, in its order."""

import json
import re

from playwright.sync_api import Page, expect

from tests.e2e.web.conftest import Served
from tests.e2e.web.history import a_week


def test_search_as_one_types_gives_the_hits_of_the_command_line(
    served: Served, page: Page
) -> None:
    with served.store() as store:
        a_week(store, served.project_id)
    wanted = json.loads(served.run("search", "login", "--limit", "30", "--json"))

    with served.serving() as address:
        page.goto(address)
        page.keyboard.press("s")
        page.locator(".search-field").press_sequentially("login")
        expect(page.locator(".search-state")).to_contain_text("best first")
        expect(page.locator(".hit")).to_have_count(len(wanted["checkpoints"]))
        numbers = page.locator(".hit .number").all_inner_texts()
        expect(page.locator(".hit mark").first).to_have_text(
            re.compile("login", re.IGNORECASE)
        )
        assert page.url.endswith("/search?q=login")
        expect(page.locator(".count")).to_have_text("13 checkpoints")  # not filtered
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator(".page-checkpoint .eyebrow")).to_contain_text(
            wanted["checkpoints"][0]["label"]
        )
        page.go_back()
        expect(page.locator(".search-field")).to_have_value("login")
        expect(page.locator(".hit").first).to_be_visible()

    assert numbers == [f"#{each['number']}" for each in wanted["checkpoints"]]


def test_marks_stand_where_the_words_are_in_any_script(
    served: Served, page: Page
) -> None:
    """A character beyond the first plane is one for Python and two for JavaScript."""
    with served.store() as store:
        ids = a_week(store, served.project_id)
        store.rename(ids[0], None)
    with served.serving() as address:
        page.goto(address)
        page.goto(address.partition("/enter")[0] + "/search?q=登录页面")
        expect(page.locator(".hit mark").first).to_have_text("登录页面")


def test_a_question_that_finds_nothing_says_what_to_do(
    served: Served, page: Page
) -> None:
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        page.goto(address.partition("/enter")[0] + "/search")
        page.locator(".search-field").fill("zebra after:sometime")
        state = page.locator(".search-state")
        expect(state).to_contain_text("Nothing found: try fewer words")
        expect(state).to_contain_text("“after:sometime” is not a filter")
        page.locator(".search-field").fill('"unclosed <b>')
        expect(page.locator(".page-search")).to_be_visible()
        page.locator(".search-field").fill("")
        expect(page.locator(".search-help").first).to_be_visible()


def test_statistics_are_the_numbers_of_the_command_line(
    served: Served, page: Page
) -> None:
    with served.store() as store:
        a_week(store, served.project_id)
    totals = json.loads(served.run("stats", "--json"))["totals"]

    with served.serving() as address:
        page.goto(address)
        page.get_by_role("link", name="Statistics").click()
        told = page.locator(".page-stats .figures").first
        expect(told).to_contain_text("checkpoints")
        figures = dict(
            zip(
                told.locator("dt").all_inner_texts(),
                told.locator("dd").all_inner_texts(),
                strict=True,
            )
        )
        expect(page.locator(".bar-day .worked").first).to_be_visible()
        page.get_by_role("button", name="Errors").click()
        expect(page.locator(".bars")).to_have_attribute(
            "aria-label", re.compile("^Errors by day")
        )
        expect(page.locator(".page-stats")).not_to_contain_text("false")
        page.get_by_text("As a table").click()
        expect(page.locator(".chart tbody tr").first).to_be_visible()

    assert figures["checkpoints"] == str(totals["checkpoints"])
    assert figures["sessions"] == str(totals["sessions"])
    assert figures["dead ends"] == str(totals["dead_ends"])
    assert figures["cost"] == "unknown"


def test_a_project_without_checkpoints_has_no_numbers(
    served: Served, page: Page
) -> None:
    with served.serving() as address:
        page.goto(address)
        page.goto(address.partition("/enter")[0] + "/stats")
        expect(page.locator(".page-stats")).to_contain_text("No checkpoints here yet")
