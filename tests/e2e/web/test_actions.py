"""What a page can have done: a name is given, a checkpoint forgotten; and the palette."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.web.conftest import Served
from tests.e2e.web.history import a_week


def _opened(page: Page, address: str, ref: str) -> None:
    page.goto(address)
    page.goto(f"{address.partition('/enter')[0]}/c/{ref}")
    expect(page.locator(".page-checkpoint h1")).to_be_visible()


def test_a_checkpoint_is_named_and_its_name_taken_away(
    served: Served, page: Page
) -> None:
    """As a command would name it; one that is taken is told, and nothing changes."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        _opened(page, address, ids[0])
        page.get_by_role("button", name="Name…").click()
        dialog = page.locator("dialog.ask")
        dialog.get_by_label("Name").fill("release-1-4")
        page.keyboard.press("Enter")
        expect(dialog.locator(".ask-trouble")).to_contain_text("release-1-4")
        dialog.get_by_label("Name").fill("Token Sketch")
        dialog.get_by_role("button", name="Save").click()

        expect(dialog).to_be_hidden()
        expect(page.locator(".page-checkpoint .eyebrow")).to_contain_text(
            "token-sketch"
        )
        expect(page.locator(".row.selected .tag.name")).to_have_text("token-sketch")
        page.get_by_role("button", name="Rename…").click()
        dialog.get_by_label("Name").fill("")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Name…")).to_be_visible()
    with served.store() as store:
        assert store.get(ids[0]).name is None


def test_forgetting_says_what_goes_and_asks(served: Served, page: Page) -> None:
    """The safe button has the focus; only the other one forgets."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        _opened(page, address, ids[4])
        button = page.get_by_role("button", name="Forget…")
        button.click()
        dialog = page.locator("dialog.ask")
        expect(dialog).to_contain_text("CHECKPOINT-00005")
        expect(dialog).to_contain_text("Spike: sign tokens")
        expect(dialog).to_contain_text("cannot be undone")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        expect(button).to_be_focused()
        expect(page.locator(".row")).to_have_count(len(ids))

        button.click()
        dialog.get_by_role("button", name=re.compile("^Forget 1")).click()
        expect(page.locator(".panel")).to_be_hidden()
        expect(page.locator(".row")).to_have_count(len(ids) - 1)
        expect(page.locator(".rows")).not_to_contain_text("Spike: sign tokens")


def test_a_file_has_no_actions(served: Served, page: Page) -> None:
    """Read-only: what it cannot show it says, and nothing can be changed."""
    with served.store() as store:
        ids = a_week(store, served.project_id)
    path = served.project / "week.html"
    served.run("timeline", "-o", str(path))

    page.goto(f"{path.as_uri()}#/c/{ids[10]}")
    expect(page.locator(".kin-link")).to_have_count(3)
    expect(page.get_by_role("button", name=re.compile("Name|Forget"))).to_have_count(0)
    page.locator(".around").scroll_into_view_if_needed()
    expect(page.locator(".around")).to_contain_text("not in this file")
    expect(page.locator(".code-since")).to_contain_text("not in this file")
    page.keyboard.press("Control+k")
    expect(page.locator("dialog.palette")).to_be_visible()
    page.keyboard.type("forget")
    expect(page.locator(".palette-none")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("spike sign")
    page.keyboard.press("Enter")
    expect(page.locator(".page-checkpoint h1")).to_contain_text("Spike")


def test_the_palette_finds_checkpoints_from_anywhere(
    served: Served, page: Page
) -> None:
    """By keys alone, also while typing."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        expect(page.locator(".row")).to_have_count(len(ids))
        page.keyboard.press("/")
        page.keyboard.press("Meta+k")
        expect(page.get_by_role("combobox", name="Go to or do")).to_be_focused()
        page.keyboard.type("clock skew")
        expect(page.locator(".palette-option")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".page-checkpoint h1")).to_contain_text("Clock skew")


def test_the_palette_does_what_can_be_done(served: Served, page: Page) -> None:
    """Arrows choose, and a screen reader is told which one is chosen."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        _opened(page, address, ids[7])
        field = page.get_by_role("combobox", name="Go to or do")
        page.keyboard.press("Control+k")
        page.keyboard.type("do")
        options = page.locator(".palette").get_by_role("option")
        expect(options.first).to_have_attribute("aria-selected", "true")
        page.keyboard.press("ArrowDown")
        expect(field).to_have_attribute("aria-activedescendant", "palette-1")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(options.last).to_have_attribute("aria-selected", "true")
        field.fill("name checkpoint-00008")
        page.keyboard.press("Enter")
        expect(page.locator("dialog.ask")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("Control+k")
        field.fill("light or dark")
        page.keyboard.press("Enter")
        expect(page.locator("dialog.palette")).to_be_hidden()
        expect(page.locator("html[data-theme=dark]")).to_have_count(1)


def test_the_palette_keeps_the_focus_and_gives_it_back(
    served: Served, page: Page
) -> None:
    """Tab does not leave it; Escape leads back to where one was."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        page.goto(address)
        row = page.locator(".row-link").nth(2)
        row.focus()
        page.keyboard.press("Control+k")
        expect(page.locator(".palette-field")).to_be_focused()
        for _ in range(4):
            page.keyboard.press("Tab")
            within = "document.activeElement.closest('.palette') || document.activeElement === document.body"
            assert page.evaluate(f"Boolean({within})")
        page.locator(".palette-field").fill("nothing is called like this")
        expect(page.locator(".palette-none")).to_be_visible()
        page.locator(".palette-field").press("Escape")
        expect(page.locator("dialog.palette")).to_be_hidden()
        expect(row).to_be_focused()
