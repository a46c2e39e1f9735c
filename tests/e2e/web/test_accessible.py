"""Every page can be used by whoever cannot see it well, in both colours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.web.axe import AxeMissing, violations
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import a_week
from tests.e2e.web.talks import ran, talked
from tests.e2e.web.test_file_page import a_parser
from tests.missing import without
from tests.past import asked, compacted

_Colour = Literal["light", "dark"]
_COLOURS: tuple[_Colour, ...] = ("light", "dark")
# Each page: its address, and what is there once it is drawn. A new page gets a line here.
PAGES = (
    ("/", ".row"),
    ("/c/latest", ".page-checkpoint h1"),
    ("/s/00000002", ".page-session h1"),
    ("/s/00000001", ".spoken.user"),
    ("/c/999", ".trouble"),
    ("/compare/4/5", ".page-compare h1"),
    ("/file/src/parser.py", ".line.first"),
    ("/search?q=login", ".hit"),
    ("/search", ".search-help"),
    ("/stats", ".bars"),
    ("/?q=nothing-says-this", ".empty h2"),
)


@contextmanager
def _opened(chromium: Browser, colour: _Colour, width: int) -> Iterator[Page]:
    context = chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=colour,
        reduced_motion="reduce",
        bypass_csp=True,  # axe is put into the page
    )
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("colour", _COLOURS)
def test_axe_finds_nothing_on_any_page(
    served: Served, chromium: Browser, colour: _Colour
) -> None:
    """Contrast, names, roles, order, on a screen and on a telephone."""
    with served.store() as store:
        a_week(store, served.project_id)
    talked(served, 1, asked("write it"), ran("make", "done"), compacted("Written."))
    a_parser(served)
    found: dict[str, list[str]] = {}

    with served.serving() as address, _opened(chromium, colour, 1280) as page:
        base = address.partition("/enter")[0]
        page.goto(address)
        for path, drawn in PAGES:
            for width in (1280, 390):
                page.set_viewport_size({"width": width, "height": 800})
                page.goto(base + path)
                expect(page.locator(drawn).first).to_be_visible()
                try:
                    found[f"{path} {width}"] = violations(page)
                except AxeMissing as missing:
                    without(str(missing))
        found |= _in_dialogs(page, base)

    assert {where: each for where, each in found.items() if each} == {}


def _in_dialogs(page: Page, base: str) -> dict[str, list[str]]:
    """Return what is found while a dialog is open, each by its name."""
    found: dict[str, list[str]] = {}
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{base}/c/release-1-4")
    expect(page.locator(".page-checkpoint h1")).to_be_visible()
    for key, drawn in (("?", "dialog.help"), ("Control+k", ".palette-option")):
        page.keyboard.press(key)
        expect(page.locator(drawn).first).to_be_visible()
        found[key] = violations(page)
        page.keyboard.press("Escape")
    for button in ("Rename…", "Forget…"):
        page.get_by_role("button", name=button).click()
        expect(page.locator("dialog.ask")).to_be_visible()
        found[button] = violations(page)
        page.keyboard.press("Escape")
    return found
