"""A file in the browser: which prompt made each line, and what no address may show."""

import json
import os
import re
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import cast
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Cli
from tests.e2e.repository import git
from tests.e2e.web.conftest import Served
from tests.e2e.work import Work

_FIRST = "def begin(work):\n    return work.start()\n"
_HAND = "def by_hand():\n    return 42 + offset\n"
_MORE = "def finish(work):\n    return work.stop()\n"
HOSTILE = "</script><img src=x onerror='window.broken = 1'>\u202egnp.exe"
_KEY = "AKIA" + "Q3EGRTKW7XN5PLMB"  # of nobody


def _work(served: Served) -> Work:
    return Work(cast("Cli", served))  # which is asked for no more than saving


def a_parser(served: Served, asked: str = "now let it finish") -> Work:
    """A file that two prompts and a person made."""
    work = _work(served)
    work.asks("start the parser")
    work.edits("src/parser.py", _FIRST)
    work.saves("The parser begins")
    work.path("src/parser.py").write_text(_FIRST + _HAND)
    work.asks(asked)
    work.saves("By hand")
    work.edits("src/parser.py", _FIRST + _HAND + _MORE)
    work.saves("The parser ends")
    return work


def opened(page: Page, address: str, path: str) -> None:
    page.goto(address)
    page.goto(address.partition("/enter")[0] + path)


def test_each_line_has_the_colour_of_its_prompt(served: Served, page: Page) -> None:
    """As `holdfast blame` tells it; what a person typed is theirs."""
    a_parser(served)
    wanted = json.loads(served.run("blame", "src/parser.py", "--json"))["lines"]

    with served.serving() as address:
        opened(page, address, "/file/src/parser.py")
        lines = page.locator(".line")
        expect(lines).to_have_count(len(wanted))
        told = [line.rstrip() for line in lines.locator("code").all_inner_texts()]
        kinds = lines.evaluate_all("all => all.map((one) => one.classList[1])")
        expect(page.locator(".page-file .when").first).to_have_text(
            "6 lines · 4 by 2 prompts · 2 by you"
        )
        expect(page.locator(".line.first .gutter-words").first).to_contain_text("#1")
        lines.nth(4).locator("code").hover()
        expect(page.locator(".page-file .card")).to_contain_text("now let it finish")
        page.get_by_role("button", name="start the parser").click()
        expect(page.locator(".line.faint")).to_have_count(4)
        lines.nth(4).locator("code").click()
        expect(page.locator(".page-checkpoint h1")).to_have_text("The parser ends")
        page.go_back()
        page.locator("a.gutter").first.click()
        expect(page.locator(".page-checkpoint h1")).to_have_text("The parser begins")

    assert told == [line["text"] for line in wanted]
    assert kinds == ["lane-0", "lane-0", "by-user", "by-user", "lane-1", "lane-1"]


def test_compared_files_lead_to_it_and_a_line_has_an_address(
    served: Served, page: Page
) -> None:
    a_parser(served)

    with served.serving() as address:
        opened(page, address, "/compare/1/3")
        page.locator(".file-list a", has_text="src/parser.py").click()
        expect(page.locator(".page-file h1")).to_have_text("src/parser.py")
        opened(page, address, "/file/src/parser.py?line=3")
        expect(page.locator(".line.marked code")).to_have_text("def by_hand():")


def test_ten_thousand_lines_cost_what_a_screen_costs(
    served: Served, page: Page
) -> None:
    work = _work(served)
    work.asks("write many")
    work.edits("many.py", "".join(f"value_{n} = {n}\n" for n in range(10_000)))
    work.saves("Many")

    with served.serving() as address:
        opened(page, address, "/file/many.py")
        expect(page.locator(".count")).to_have_text("1 checkpoint")
        expect(page.locator(".page-file .when").first).to_contain_text("10,000 lines")
        assert page.locator(".line").count() < 120
        page.locator(".code").focus()
        page.keyboard.press("End")
        expect(page.locator(".line", has_text="value_9999 = 9999")).to_be_visible()
        assert page.locator(".line").count() < 120


def test_what_nobody_recorded_is_unknown_and_says_why(
    served: Served, page: Page
) -> None:
    work = _work(served)
    work.path("old.py").write_text("was_here = True\n")
    work.asks("begin")
    work.edits("new.py", "a = 1\n")
    work.saves("First")

    with served.serving() as address:
        opened(page, address, "/file/old.py")
        expect(page.locator(".line.by-unknown")).to_have_count(1)
        expect(page.locator(".maker.by-unknown")).to_contain_text("unknown: ")


def test_hostile_names_prompts_and_lines_are_texts(served: Served, page: Page) -> None:
    name = "<img src=x onerror=alert(1)> 'a' \"b\".py"
    work = a_parser(served, f"please {HOSTILE}")
    work.asks(f"please {HOSTILE}")
    work.edits(name, f"x = 1  # {HOSTILE}\n" + "y" * 5_000 + "\n")
    work.saves(HOSTILE)

    with served.serving() as address:
        page.goto(address)
        base = address.partition("/enter")[0]
        page.goto(base + "/file/" + quote(name))
        expect(page.locator(".page-file h1")).to_have_text(name)
        page.locator(".line code").first.hover()
        expect(page.locator(".page-file .card")).to_contain_text("please </script><img")
        page.goto(base + "/file/src/parser.py")
        expect(page.locator(".maker", has_text="</script><img")).to_be_visible()
        assert page.locator(".page img, .card img").count() == 0
        assert page.evaluate("window.broken") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


class _Asking:
    """Asks as a program does, which no browser tidies paths for."""

    def __init__(self, address: str) -> None:
        self.base = address.partition("/enter")[0]
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(jar)
        self._opener.open(address, timeout=60).close()

    def __call__(self, path: str) -> tuple[int, str]:
        try:
            with self._opener.open(f"{self.base}/api/file/{path}", timeout=60) as told:
                return told.status, told.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()


def _temptations(served: Served, work: Work) -> list[str]:
    """Lay out what must not be read, and return every way to ask for it."""
    root, outside = work.root, Path(served.environ["HOME"])
    outside.mkdir(exist_ok=True)
    (outside / "private.txt").write_text("do-not-show\n")
    work.path(".gitignore").write_text("ignored.txt\n")
    for name in ("ignored.txt", ".env", ".env.local", "id_rsa", ".git/config"):
        work.path(name).write_text("do-not-show\n")
    work.path("conf.py").write_text(f'key = "{_KEY}"  # do-not-show\n')
    (root / "link.txt").symlink_to(outside / "private.txt")
    (root / "linked").symlink_to(outside)
    os.mkfifo(root / "pipe")
    away = os.path.relpath(outside / "private.txt", root)
    absolute = str(outside / "private.txt")
    plain = [
        "ignored.txt", ".env", ".env.local", "id_rsa", ".git/config", "conf.py",
        "link.txt", "linked/private.txt", "pipe", away, absolute, "src", "", "src/",
        f"src/../{away}", "src/../.env", "./.env", "src/./../.env", ".GIT/config",
        f"{root}/src/parser.py", "src//parser.py", "src/parser.py/", "./src/parser.py",
        "src/parser.py\0.txt", "src/parser.py:1", ".env\n", "~/private.txt",
        "*.py", ":/", ":(top)src/parser.py", "-rf", "HEAD:.env", "x" * 9_000,
    ]  # fmt: skip
    quoted = [quote(each, safe="/") for each in plain]
    twice = [quote(each, safe="") for each in plain]
    return [*quoted, *twice, "..%5c..%5cprivate.txt", "%ff%fe", "%ed%a0%80"]


@pytest.mark.process
def test_t06_no_address_reads_what_a_snapshot_would_not_have(served: Served) -> None:
    """Out of the project, by links, ignored, secret by name or by content."""
    work = a_parser(served)
    asked = _temptations(served, work)

    with served.serving() as address:
        asking = _Asking(address)
        answers = {path: asking(path) for path in asked}
        good, told = asking("src/parser.py")

    assert {
        path: one for path, one in answers.items() if one[0] not in {404, 400}
    } == {}
    said = "".join(text for _, text in answers.values())
    assert not re.search("do-not-show|def begin|Traceback", said)
    assert (good, "def begin(work):" in told) == (200, True)


@pytest.mark.process
def test_a_project_without_snapshots_has_its_files_and_an_unknown_one_none(
    served: Served, tmp_path: Path
) -> None:
    """What was backfilled has no code kept; what was never seen has nothing to show."""
    git(served.project, "init", "-q", "-b", "main", ".")
    (served.project / "a.py").write_text("a = 1\n")
    (tmp_path / "b.py").write_text("do-not-show = 1\n")

    with served.serving() as address:
        known = _Asking(address)("a.py")
    served.project = tmp_path
    with served.serving() as address:
        unknown = _Asking(address)("b.py")

    assert known[0] == 200
    assert json.loads(known[1])["makers"][0]["by"] == "unknown"
    assert (unknown[0], json.loads(unknown[1])["code"]) == (404, "BLAM_002")
