"""The page in a real browser: what is drawn, where links lead, what keys do, what is new."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from holdfast.domain.checkpoint import CommandRef, FileRef, Item
from tests.builders import (
    OTHER_PROJECT,
    a_draft,
    a_foreign_checkpoint,
    session_number,
)
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import Week, a_week

_HOSTILE = (
    "</script><script>window.broken = 1</script>"
    "<img src=x onerror='window.broken = 2'>\"'`${window.broken = 3}"
    "\u202egnp.exe\u2066\u200b javascript:window.broken=4 "
)


def test_the_page_opens_once_and_shows_a_week(
    served: Served, new_page: Callable[[], Page]
) -> None:
    """What happened this week is there without a click, at a clean address."""
    with served.store() as store:
        ids = a_week(store, served.project_id)
    page = new_page()

    with served.serving() as address:
        page.goto(address)

        expect(page.locator(".row")).to_have_count(len(ids))
        assert page.url == f"{address.partition('/enter')[0]}/"
        expect(page.locator(".row").first).to_contain_text("Release 1.4 is cut")
        expect(page.locator(".row").first).to_contain_text("you are here")
        expect(page.locator(".dot")).to_have_count(len(ids))
        expect(page.locator(".dot .errors")).to_have_count(3)
        expect(page.locator(".edge.how-clear .arrow")).to_have_count(2)
        expect(page.locator(".dot .notch")).to_have_count(1)
        expect(page.locator(".dot .crash")).to_have_count(1)
        expect(page.locator(".edge.how-fork")).to_have_count(1)
        expect(page.locator(".edge.how-merge")).to_have_count(1)


def test_what_came_from_elsewhere_is_not_where_you_are(
    served: Served, page: Page
) -> None:
    """Work goes on from what was done here, whatever was taken in since."""
    with served.store() as store:
        ids = a_week(store, served.project_id)
        store.adopt(a_foreign_checkpoint(3, "laptop", project_id=served.project_id))

    with served.serving() as address:
        page.goto(address)

        expect(page.locator(".row")).to_have_count(len(ids) + 1)
        expect(page.locator(".row", has_text="you are here")).to_have_count(1)
        expect(page.locator(".row", has_text="you are here")).to_contain_text("#13")


def test_a_checkpoint_opens_beside_the_timeline(served: Served, page: Page) -> None:
    """Its address can be sent, and leads back to it; Escape closes it."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        page.locator(".row-link").first.click()

        beside = page.locator(".page-checkpoint")
        expect(beside.locator("h1")).to_have_text("Release 1.4 is cut and tagged")
        expect(beside.locator(".brief")).to_contain_text("CHECKPOINT-00013")
        expect(beside).to_contain_text("rotate on use instead of renewing")
        expect(beside).to_contain_text("src/auth/limits.py")
        expect(beside.locator(".copy").first).to_contain_text("holdfast resume 13")
        expect(page.locator(".row.selected")).to_have_count(1)

        page.goto(f"{address.partition('/enter')[0]}/c/{ids[4]}")
        expect(beside.locator("h1")).to_have_text(
            "Spike: sign tokens with a hardware key"
        )
        expect(page.locator(".row.selected")).to_contain_text("Spike")
        page.keyboard.press("Escape")
        expect(page.locator(".panel")).to_be_hidden()


def test_keys_walk_open_and_filter(served: Served, page: Page) -> None:
    """Nobody needs a mouse."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".row")).to_have_count(len(ids))

        page.keyboard.press("j")
        page.keyboard.press("j")
        expect(page.locator(".row.selected")).to_contain_text("Docs of the login flow")
        page.keyboard.press("k")
        page.keyboard.press("Enter")
        expect(page.locator(".page-checkpoint h1")).to_contain_text("Release 1.4")
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        page.keyboard.type("hardware key")
        expect(page.locator(".row")).to_have_count(2)
        expect(page).to_have_url(re.compile(r"\?q=hardware\+key$"))
        page.reload()
        expect(page.locator(".row")).to_have_count(2)
        page.locator(".field").press("Escape")
        expect(page.locator(".row")).to_have_count(len(ids))
        page.locator(".field").press("Escape")
        page.keyboard.press("?")
        expect(page.locator("dialog.help")).to_be_visible()


def test_filters_stand_in_the_address(served: Served, page: Page) -> None:
    """A filtered view is a link, too."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        page.get_by_label("Branch").select_option("spike-keys")

        expect(page.locator(".row")).to_have_count(2)
        expect(page).to_have_url(re.compile(r"branch=spike-keys"))
        page.get_by_label("Type").select_option("crash")
        expect(page.locator(".row")).to_have_count(1)


def test_pointing_at_a_row_shows_its_receipt(served: Served, page: Page) -> None:
    """H1, as a picture: what was carried of what was there."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        page.locator(".row-link").first.hover()

        expect(page.locator(".card")).to_contain_text("Release 1.4")
        expect(page.locator(".card .receipt")).to_contain_text("23 of 61")


def test_new_work_appears_by_itself(served: Served, page: Page) -> None:
    """The page follows a session that another process saves."""
    with served.store() as store:
        a_week(store, served.project_id)

        with served.serving() as address:
            page.goto(address)
            expect(page.locator(".live")).to_have_text("live")
            Week(store, served.project_id).put("Just saved", 2, worked=200)

            expect(page.locator(".row").first).to_contain_text("Just saved")
            expect(page.locator(".row")).to_have_count(14)


def test_a_server_that_was_away_is_found_again(served: Served, page: Page) -> None:
    """A lid was closed, or the server started anew: what was missed comes in."""
    with served.store() as store:
        a_week(store, served.project_id)

        with served.serving() as address:
            page.route("**/api/events*", lambda route: route.fulfill(status=401))
            page.goto(address)
            expect(page.locator(".live")).to_have_text("offline")
            Week(store, served.project_id).put("Saved meanwhile", 2, worked=200)
            page.unroute("**/api/events*")

            expect(page.locator(".live")).to_have_text("live")
            expect(page.locator(".row").first).to_contain_text("Saved meanwhile")


def test_rows_of_every_project_name_theirs(served: Served, page: Page) -> None:
    """A number alone says nothing there; a command to copy has the id."""
    with served.store() as store:
        a_week(store, served.project_id)
        Week(store, OTHER_PROJECT).put("Elsewhere", 9, project_root="/code/other")

    with served.serving() as address:
        page.goto(address)
        page.get_by_label("Project").select_option("all")

        expect(page.locator(".row")).to_have_count(14)
        expect(page.locator(".row").first).to_contain_text("other")
        page.locator(".row-link").first.click()
        expect(page.locator(".copy").first).to_contain_text("holdfast resume ccp-")


def test_only_what_is_on_the_screen_is_in_the_document(
    served: Served, page: Page
) -> None:
    """Five thousand checkpoints cost what one screen costs."""
    with served.store() as store:
        for count in range(5_000):
            session = session_number(1 + count // 40)
            store.put(
                a_draft(
                    f"Step {count}", project_id=served.project_id, session_id=session
                )
            )

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".count")).to_have_text("5,000 checkpoints")
        assert page.locator(".row").count() < 60
        assert page.locator(".graph *").count() < 400

        page.keyboard.press("G")
        expect(page.locator(".day-now")).not_to_be_empty()
        expect(
            page.locator(".row-title", has_text=re.compile("^Step 0$"))
        ).to_be_visible()
        assert page.locator(".row").count() < 60


def test_hostile_texts_change_nothing_but_texts(served: Served, page: Page) -> None:
    """T5: scripts, bidi and a megabyte in every field of a record."""
    long = _HOSTILE + "x" * 1_000_000
    with served.store() as store:
        week = Week(store, served.project_id)
        evil = week.put(long, 1, branch=_HOSTILE, **_hostile_parts())

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".row")).to_have_count(1)
        page.locator(".row-link").hover()
        page.locator(".row-link").click()
        expect(page.locator(".page-checkpoint h1")).to_contain_text("</script>")

        assert page.evaluate("window.broken") is None
        assert page.locator("#app img, #app script, #app iframe").count() == 0
        assert "\u202e" not in page.content()
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        assert evil in page.url


def _hostile_parts() -> dict[str, object]:
    item = (Item(_HOSTILE, "user", (_HOSTILE,), _HOSTILE),)
    kinds = ("goal", "requests", "decisions", "pending", "errors", "dead_ends")
    return {
        **dict.fromkeys(kinds, item),
        "summary": _HOSTILE,
        "topics": (_HOSTILE,),
        "files": (FileRef(_HOSTILE, "edited", 1, 1),),
        "commands": (CommandRef(_HOSTILE, 1, _HOSTILE),),
        "agent": _HOSTILE,
        "tags": (_HOSTILE,),
    }


def test_an_empty_project_says_how_to_begin(served: Served, page: Page) -> None:
    """The first look must not be a blank sheet."""
    with served.serving() as address:
        page.goto(address)

        expect(page.locator(".empty")).to_contain_text("No checkpoints yet")
        expect(page.locator(".empty")).to_contain_text("holdfast save")


def test_what_is_not_there_is_said(served: Served, page: Page) -> None:
    """A link to something forgotten leads to a sentence."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".row").first).to_be_visible()
        page.evaluate(
            "history.pushState(null, '', '/c/999'); dispatchEvent(new PopStateEvent('popstate'))"
        )

        expect(page.locator(".trouble")).to_contain_text("999")
