"""The page of a checkpoint: what is known and where it was said, its code, what was said."""

import re

from playwright.sync_api import Page, expect

from holdfast.domain.checkpoint import CommandRef, FileRef, Item
from tests.builders import a_foreign_checkpoint
from tests.e2e.test_doctor import damaged
from tests.e2e.web.conftest import Served
from tests.e2e.web.history import a_week
from tests.e2e.web.talks import Working, kept, ran, said, talked
from tests.past import asked

_HOSTILE = (
    "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"
    "\u202egnp.exe\u2066\u200b ```\n<b>bold</b>\n``` **<i>x</i>** `<u>y</u>` "
)
_ARABIC, _THAI = "تسجيل الدخول يعمل على الهاتف", "ออกแบบหน้าเข้าสู่ระบบใหม่ 登录页面"


def _open(page: Page, address: str, path: str) -> None:
    page.goto(address)
    page.goto(address.partition("/enter")[0] + path)
    expect(page.locator(".panel h1").first).to_be_visible()


def test_h1_the_receipt_is_a_picture_and_evidence_opens_in_place(
    served: Served, page: Page
) -> None:
    """What was carried of what was there; who said it, and in which words."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        _open(page, address, "/c/latest")

        beside = page.locator(".page-checkpoint")
        expect(beside.locator(".receipt .bar").first).to_be_visible()
        fact = beside.locator(".kind-instructions details").first
        expect(fact.locator("blockquote")).to_be_hidden()
        fact.locator("summary").click()
        expect(fact.locator("blockquote")).to_contain_text("we had that once")
        expect(fact).to_contain_text("You said it")
        expect(beside.locator(".kind-dead_ends")).to_contain_text("emulator")
        copies = beside.locator(".copy code")
        assert copies.all_text_contents() == [
            "holdfast resume 13",
            "holdfast open 13",
            "holdfast restore 13 --preview",
        ]


def test_kin_are_links(served: Served, page: Page) -> None:
    """From one to where it came from, to what followed, and to what stands beside."""
    with served.store() as store:
        ids = a_week(store, served.project_id)

    with served.serving() as address:
        _open(page, address, f"/c/{ids[10]}")  # the merge

        kin = page.locator(".kin-link")
        expect(kin).to_have_count(3)
        expect(kin.nth(1)).to_contain_text("merged")
        kin.nth(2).click()
        expect(page.locator(".page-checkpoint h1")).to_contain_text("Release 1.4")
        expect(page).to_have_url(re.compile(ids[12]))


def test_files_open_as_coloured_patches(served: Served, page: Page) -> None:
    """Only what is opened is asked for; what a file holds is text."""
    work = Working(served)
    work.saves("First", {"app.py": "one\ntwo\n", "old.txt": "x\n"})
    evil = "one\n<script>window.broken = 1</script>\n"
    work.saves("Second", {"app.py": evil, "old.txt": None, "ไฟล์.md": "ไทย\n"})
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))

    with served.serving() as address:
        _open(page, address, "/c/latest")
        page.locator(".code-since").scroll_into_view_if_needed()

        boxes = page.locator(".patch-box")
        expect(boxes).to_have_count(3)
        expect(page.locator(".code-since")).to_contain_text("since CHECKPOINT-00001")
        assert not [url for url in asked_for if re.search(r"/code/\d", url)]
        boxes.first.locator("summary").click()
        lines = boxes.first.locator(".line")
        expect(lines).to_have_count(4)
        expect(boxes.first.locator(".line.minus")).to_contain_text("two")
        expect(boxes.first.locator(".line.plus")).to_contain_text("window.broken")
        boxes.nth(2).locator("summary").click()
        expect(boxes.nth(2).locator(".line.plus")).to_contain_text("ไทย")
        assert page.evaluate("window.broken") is None


def test_code_without_any_before_it_says_so(served: Served, page: Page) -> None:
    """The first one has nothing to be compared with."""
    Working(served).saves("First", {"app.py": "one\n"})

    with served.serving() as address:
        _open(page, address, "/c/1")
        page.locator(".code-since").scroll_into_view_if_needed()

        expect(page.locator(".code-since")).to_contain_text("no checkpoint before it")


def test_what_was_said_last_stands_below(served: Served, page: Page) -> None:
    """Up to the moment it was made, and a link to the rest."""
    talked(
        served, 1, asked("write the parser"), ran("pytest -q", "2 failed"),
        asked("now the docs"),
    )  # fmt: skip
    own = kept(served, 1, "Parser", 4)

    with served.serving() as address:
        _open(page, address, f"/c/{own}")
        page.locator(".around").scroll_into_view_if_needed()

        around = page.locator(".around .spoken")
        expect(around).to_have_count(3)
        expect(around.first).to_contain_text("write the parser")
        expect(around.nth(2)).to_contain_text("pytest -q")
        expect(page.locator(".around")).not_to_contain_text("now the docs")
        page.get_by_role("link", name="The whole session").click()
        expect(page.locator(".page-session")).to_contain_text("now the docs")


def test_a_transcript_that_is_gone_is_said_to_be(served: Served, page: Page) -> None:
    """An honest sentence instead of an empty place."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        _open(page, address, "/c/latest")
        page.locator(".around").scroll_into_view_if_needed()

        expect(page.locator(".around .honest")).to_contain_text("no longer where")


def test_one_of_another_machine_says_so(served: Served, page: Page) -> None:
    """Its code and its words are there, and its name is not ours to give."""
    with served.store() as store:
        a_week(store, served.project_id)
        foreign = a_foreign_checkpoint(42, "laptop", project_id=served.project_id)
        store.adopt(foreign)

    with served.serving() as address:
        _open(page, address, f"/c/{foreign.checkpoint_id}")

        expect(page.locator(".page-head .honest")).to_contain_text("Made on laptop")
        expect(page.get_by_role("button", name="Name…")).to_have_count(0)
        expect(page.locator(".copy").first).to_contain_text("resume 42@laptop")
        page.locator(".around").scroll_into_view_if_needed()
        expect(page.locator(".around .honest")).to_contain_text("is on laptop")
        page.get_by_role("link", name="The whole session").click()
        expect(page.locator(".page-session .honest")).to_contain_text("is on laptop")


def test_a_damaged_record_is_told(served: Served, page: Page) -> None:
    """What does not match its hash is not shown as if it did."""
    with served.store() as store:
        ids = a_week(store, served.project_id)
    damaged(
        served.home, "UPDATE checkpoint SET body = replace(body, 'Release', 'Relaese')"
    )

    with served.serving() as address:
        page.goto(address)
        page.goto(f"{address.partition('/enter')[0]}/c/{ids[-1]}")

        expect(page.locator(".trouble")).to_contain_text("hash")
        expect(page.locator(".row").first).to_contain_text("damaged")


def test_hostile_words_everywhere_are_words(served: Served, page: Page) -> None:
    """T5: in every field of a record, and in everything that was said."""
    item = (Item(_HOSTILE, "user", (_HOSTILE,), _HOSTILE + "!", doubt=_HOSTILE),)
    kinds = ("goal", "requests", "decisions", "errors", "dead_ends", "notes")
    talked(
        served, 1, asked(_HOSTILE), ran(_HOSTILE, _HOSTILE), said(_HOSTILE + "x" * 1_000_000)
    )  # fmt: skip
    own = kept(
        served, 1, _HOSTILE, 60, **dict.fromkeys(kinds, item), summary=_HOSTILE,
        files=(FileRef(_HOSTILE, "edited", 1, 1), FileRef(_HOSTILE, "read")),
        commands=(CommandRef(_HOSTILE, 1, _HOSTILE),), tags=(_HOSTILE,),
    )  # fmt: skip

    with served.serving() as address:
        for path in (f"/c/{own}", "/s/00000001"):
            _open(page, address, path)
            for fold in page.locator(".panel summary").all():
                fold.click()
            page.locator(":is(.around, .talk)").first.scroll_into_view_if_needed()
            expect(page.locator(".spoken").last).to_contain_text("</script>")

            assert page.evaluate("window.broken") is None
            found = page.locator(".panel :is(img, script, iframe, u, i)")
            assert found.count() == 0
            assert "\u202e" not in page.content()
            assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        page.keyboard.press("Control+k")
        page.keyboard.type("checkpoint script")
        expect(page.locator(".palette-option").first).to_contain_text("</script>")
        assert page.evaluate("window.broken") is None


def test_words_keep_their_direction_and_the_page_can_turn(
    served: Served, page: Page
) -> None:
    """Arabic in an English page, and the whole page for who reads from the right."""
    item = (Item(_ARABIC, "user", (), f"{_ARABIC} {_THAI}"),)
    own = kept(served, 1, _ARABIC, 60, decisions=item, goal=(Item(_THAI, "user"),))
    talked(served, 1, asked(_ARABIC), asked(_THAI))

    with served.serving() as address:
        for path in (f"/c/{own}", "/s/00000001"):
            _open(page, address, path)
            title = page.locator(".panel h1 bdi")
            assert title.evaluate("node => getComputedStyle(node).direction") == "rtl"
            page.evaluate("document.documentElement.dir = 'rtl'")
            panel = page.locator(".panel").bounding_box()
            timeline = page.locator(".timeline").bounding_box()
            assert panel
            assert timeline
            assert panel["x"] < timeline["x"]
            for width in (1280, 390):
                page.set_viewport_size({"width": width, "height": 800})
                wide = "document.documentElement.scrollWidth"
                assert page.evaluate(wide) <= width
            page.set_viewport_size({"width": 1280, "height": 800})


def test_paper_gets_the_page_and_not_its_controls(served: Served, page: Page) -> None:
    """All of a brief, and no bar above it."""
    with served.store() as store:
        a_week(store, served.project_id)

    with served.serving() as address:
        _open(page, address, "/c/latest")
        page.keyboard.press("t")  # dark, which paper is not
        page.emulate_media(media="print", color_scheme="dark")

        expect(page.locator(".top")).to_be_hidden()
        expect(page.locator(".actions")).to_be_hidden()
        expect(page.locator(".brief")).to_be_visible()
        brief = page.locator(".brief")
        assert brief.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
        assert page.locator(".panel").evaluate(
            "node => getComputedStyle(node).overflowY"
        ) in ("visible", "clip")
        shade = brief.evaluate("node => getComputedStyle(node).backgroundColor")
        assert shade == "rgb(238, 237, 231)"
