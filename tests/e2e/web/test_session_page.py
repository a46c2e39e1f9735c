"""The page of a session: how it went, what was said, and checkpoints in the margin."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.builders import session_number
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import a_week
from tests.e2e.web.talks import disk_of, kept, ran, said, talked
from tests.past import asked, compacted, edited


def _open(page: Page, address: str, path: str) -> None:
    page.goto(address)
    page.goto(address.partition("/enter")[0] + path)


def test_a_session_tells_how_it_went(served: Served, page: Page) -> None:
    """Vitals first, then each side's words, calls in one line, and events."""
    talked(
        served, 1, asked("write the parser"), edited("src/parser.py"),
        ran("pytest -q", "all good"), compacted("We wrote a parser."),
        said("# Done\nIt **works**, see `src/parser.py`\n```\nparse()\n```"),
    )  # fmt: skip
    kept(served, 1, "Parser written", 5, trigger="exit", type="auto")

    with served.serving() as address:
        _open(page, address, "/s/00000001")

        vitals = page.locator(".vitals")
        expect(vitals).to_contain_text(re.compile(r"Outcome\s*ended"))
        expect(vitals).to_contain_text(re.compile(r"Prompts\s*1"))
        expect(vitals).to_contain_text(re.compile(r"Files\s*1"))
        expect(page.locator(".spoken.user")).to_contain_text("write the parser")
        expect(page.locator(".spoken.call")).to_have_count(2)
        expect(page.locator(".spoken.event").first).to_contain_text("90,000 tokens")
        expect(page.locator(".prose-head")).to_have_text("Done")
        expect(page.locator(".prose b")).to_have_text("works")
        expect(page.locator(".prose-code")).to_have_text("parse()")
        call = page.locator(".spoken.call").nth(1)
        call.locator("summary").click()
        expect(call.locator(".output")).to_contain_text("all good")
        places = page.locator(".talk .spoken").evaluate_all(
            "nodes => nodes.map((node) => node.className)"
        )
        assert places.index("spoken mark-of") == 4  # where it was made
        page.locator(".mark-of a").click()
        expect(page.locator(".page-checkpoint h1")).to_have_text("Parser written")


def test_a_long_session_costs_what_is_on_the_screen(served: Served, page: Page) -> None:
    """Thousands of entries, and a jump to each checkpoint."""
    turns = [asked(f"step {count}") for count in range(1_500)]
    talked(served, 1, *turns)
    first = kept(served, 1, "Early", 21)
    last = kept(served, 1, "Late", 2_900)

    with served.serving() as address:
        _open(page, address, "/s/00000001")
        expect(page.locator(".page-session")).to_contain_text("3,000 entries")
        expect(page.locator(".spoken.user").first).to_contain_text("step 0")
        assert page.locator(".spoken").count() < 500

        page.locator(".jump button").nth(1).click()
        expect(page.locator(f'[data-of="{last}"] a')).to_be_focused()
        expect(page.locator(f'[data-of="{last}"]')).to_be_in_viewport()
        expect(page.locator(".spoken", has_text="step 1449").first).to_be_attached()
        expect(page.locator('[data-place="0"]')).to_have_count(0)
        assert page.locator(".spoken").count() < 700
        page.keyboard.press("p")
        expect(page.locator(f'[data-of="{first}"]')).to_be_in_viewport()
        page.keyboard.press("n")
        expect(page.locator(f'[data-of="{last}"]')).to_be_in_viewport()


def test_long_outputs_are_folded(served: Served, page: Page) -> None:
    """Their beginning, and a button for the rest, which takes the focus along."""
    talked(served, 1, asked("go"), ran("make", "\n".join(map(str, range(500)))))

    with served.serving() as address:
        _open(page, address, "/s/00000001")
        call = page.locator(".spoken.call")
        call.locator("summary").click()
        expect(call.locator(".unfold")).to_have_text("Show all 500 lines")
        expect(call).not_to_contain_text("499")
        call.locator(".unfold").click()
        expect(call).to_contain_text("499")


@pytest.mark.parametrize("more", ["", "\nand so on" * 8])
def test_a_link_leads_to_a_checkpoint_within_its_session(
    served: Served, page: Page, more: str
) -> None:
    """What is sent to a teammate is the place, not the beginning, however tall that is
    which is drawn above it."""
    talked(served, 1, *[asked(f"step {count}{more}") for count in range(400)])
    own = kept(served, 1, "Midway", 500)

    with served.serving() as address:
        _open(page, address, f"/s/{session_number(1)}?at={own}")

        expect(page.locator(f'[data-of="{own}"]')).to_be_in_viewport()


def test_a_session_that_grew_shows_more(served: Served, page: Page) -> None:
    """The server reads what is new, and a page that is opened again has it."""
    talked(served, 1, asked("first"))
    kept(served, 1, "One", 3)
    path = disk_of(served).path(1)
    before = path.read_text()

    with served.serving() as address:
        _open(page, address, "/s/00000001")
        expect(page.locator(".spoken.user")).to_have_count(1)
        line = json.loads(before.splitlines()[0])
        line |= {"uuid": "00000001-0000-4000-8000-00000000ffff"}
        line["message"] = {"role": "user", "content": "second"}
        path.write_text(f"{before}{json.dumps(line)}\n")
        page.reload()

        expect(page.locator(".spoken.user")).to_have_count(2)
        expect(page.locator(".spoken.user").last).to_contain_text("second")


def test_secrets_of_a_transcript_are_not_shown(served: Served, page: Page) -> None:
    """What was said passes the same chokepoint as what is kept."""
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    talked(served, 1, asked(f"use {secret}"), ran("env", f"TOKEN={secret}"))
    own = kept(served, 1, "Token", 60)

    with served.serving() as address:
        for path in ("/s/00000001", f"/c/{own}"):
            _open(page, address, path)
            page.locator(".talk").scroll_into_view_if_needed()
            expect(page.locator(".spoken.user")).to_contain_text("use")
            page.locator(".spoken.call summary").click()
            assert secret not in page.content()


def test_what_is_gone_or_unknown_is_said(served: Served, page: Page) -> None:
    """A session whose transcript is gone still has its checkpoints and its family."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        _open(page, address, "/s/00000002")
        expect(page.locator(".page-session .honest")).to_contain_text("no longer where")
        expect(page.locator(".jump li")).to_have_count(5)
        page.locator(".kin a").first.click()
        expect(page.locator(".eyebrow")).to_contain_text("00000001")
        _open(page, address, "/s/deadbeef")
        expect(page.locator(".trouble")).to_contain_text("deadbeef")
