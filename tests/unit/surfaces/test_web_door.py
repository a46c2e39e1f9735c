"""Every route of the page, tried by whoever must not come in: T17, T18, T21."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.bootstrap import Container
from holdfast.kernel.errors import MachineFailed
from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.web.assets import assets, page_template
from holdfast.surfaces.web.door import POLICY
from holdfast.surfaces.web.serving import bound, can_open
from tests.builders import a_draft, identity
from tests.web_visitor import HOST, PATHS, PORT, Visitor, VisitorsClock

_HOURS = 3_600_000


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    home, project = tmp_path / "home", tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "auth.py").write_text("token = None\n")
    with open_store(str(home), create=True) as store:
        known = store.project(identity(str(project))).project_id
        for title in ("first", "second", "third"):
            store.put(a_draft(title, project_id=known))
    clock = VisitorsClock()
    container = Container(
        environ={"HOLDFAST_HOME": str(home), "HOME": str(tmp_path / "user")},
        project=str(project),
        clock=clock,
    )
    yield Visitor(container, clock)
    container.close()


def test_the_table_has_every_route_and_a_sample_for_each() -> None:
    """What is not in the table is not tried below."""
    assert len(PATHS) >= 19
    assert ("GET", "/api/checkpoint/latest") in PATHS


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_t18_no_route_answers_without_its_cookie(
    visitor: Visitor, method: str, path: str
) -> None:
    """None, a wrong one, that of another port, one that expired, and after that."""
    cookie = visitor.entered()
    name, _, value = cookie.partition("=")
    cookies = ("", f"{name}=", f"{name}={value}x", f"holdfast-1={value}", f"{name}=é")
    replies = [visitor(method, path, cookie=each) for each in cookies]
    visitor.clock.now += 12 * _HOURS
    replies.append(visitor(method, path, cookie=cookie))

    assert {reply.status for reply in replies} == {401}
    assert not [reply for reply in replies if b"third" in reply.body]


def test_t18_another_user_who_saw_the_address_does_not_come_in(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is among the arguments of the program that opens the browser; the user's own
    browser, which is slower, still comes in with it."""
    table = tmp_path / "tcp"
    monkeypatch.setattr("holdfast.kernel.connections._TABLES", [str(table)])
    ends = f"0: 0100007F:0001 0100007F:{PORT:04X} 01 0:0 00:0 0"

    table.write_text(f"{ends} {os.getuid() + 1}\n")
    refused = visitor("GET", visitor.site.access.path)
    table.write_text(f"{ends} {os.getuid()}\n")

    assert refused.status == 401
    assert "set-cookie" not in refused.headers
    assert visitor.entered()


@pytest.mark.parametrize(("method", "path"), [*PATHS, ("GET", "/enter/x")])
def test_t17_no_route_answers_for_another_host_or_origin(
    visitor: Visitor, method: str, path: str
) -> None:
    """A name that leads to loopback, and a page that calls it with our cookie."""
    cookie = visitor.entered()
    hosts = ("", "evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1")
    origins = (
        "http://evil.example",
        "null",
        f"https://{HOST}",
        "http://127.0.0.1:1",
        "",
    )

    foreign = {visitor(method, path, cookie=cookie, host=each).status for each in hosts}
    calls = {
        visitor(method, path, cookie=cookie, origin=each).status for each in origins
    }

    assert (foreign, calls) == ({421}, {403})


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_t17_nothing_is_changed_without_the_token_of_the_page(
    visitor: Visitor, method: str, path: str
) -> None:
    """A form of another page sends a cookie; it cannot send our header."""
    del method
    cookie = visitor.entered()

    tried = [
        visitor(verb, path, cookie=cookie, x_holdfast_token=token).status
        for verb in ("POST", "PUT", "DELETE", "PATCH")
        for token in ("", "guess")
    ]

    assert set(tried) == {403}


def _token(visitor: Visitor, cookie: str) -> str:
    page = visitor("GET", "/", cookie=cookie).body.decode()
    token = re.search(r'name="holdfast-token" content="([\w-]+)"', page)
    assert token
    return token[1]


def test_an_action_with_its_token_is_let_through(visitor: Visitor) -> None:
    """The door is open for actions; what only reads takes none."""
    cookie = visitor.entered()
    own = {"cookie": cookie, "x_holdfast_token": _token(visitor, cookie)}
    path = "/api/checkpoint/latest/name"

    named = visitor("POST", path, b'{"name": "Api Design"}', **own)

    assert (named.status, named.json["name"]) == (200, "api-design")
    assert visitor("POST", "/api/projects", b"", **own).status == 405


@pytest.mark.parametrize("action", ["name", "forget"])
@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff", b"[" * 60_000])
def test_an_action_that_is_told_nonsense_does_nothing(
    visitor: Visitor, action: str, body: bytes
) -> None:
    """A sentence, and no bug report."""
    cookie = visitor.entered()
    token = _token(visitor, cookie)
    path = f"/api/checkpoint/latest/{action}"

    reply = visitor("POST", path, body, cookie=cookie, x_holdfast_token=token)

    assert (reply.status, reply.json["code"]) == (400, "USE_001")
    assert (
        visitor("GET", "/api/projects", cookie=cookie).json["projects"][0]["count"] == 3
    )


def test_what_goes_is_what_was_shown(visitor: Visitor) -> None:
    """Forgetting is told first, and other ids than those are not forgotten."""
    cookie = visitor.entered()
    own = {"cookie": cookie, "x_holdfast_token": _token(visitor, cookie)}
    path = "/api/checkpoint/2/forget"

    plan = visitor("POST", path, b"{}", **own).json
    other = visitor("POST", path, b'{"ids": ["ccp-x"]}', **own).json
    done = visitor("POST", path, json.dumps({"ids": plan["ids"]}).encode(), **own).json

    assert (plan["type"], other["type"]) == ("would_forget", "would_forget")
    assert [each["title"] for each in plan["checkpoints"]] == ["second"]
    assert (done["type"], done["checkpoints"]) == ("forgotten", plan["ids"])
    assert visitor("GET", "/api/checkpoint/2", cookie=cookie).status == 404


def test_t17_another_page_cannot_even_ask(visitor: Visitor) -> None:
    """Browsers say where a request comes from."""
    cookie = visitor.entered()

    def status(site: str) -> int:
        return visitor(
            "GET", "/api/projects", cookie=cookie, sec_fetch_site=site
        ).status

    assert (status("cross-site"), status("same-site")) == (403, 403)
    assert (status("same-origin"), status("none")) == (200, 200)


def test_the_address_works_once_and_becomes_a_cookie(visitor: Visitor) -> None:
    """Whoever finds it in a history or a log is too late."""
    address = visitor.site.access.path
    first = visitor("GET", address)
    again = visitor("GET", address)
    guessed = visitor("GET", "/enter/")

    assert (first.status, first.headers["location"]) == (303, "/")
    kept = first.headers["set-cookie"]
    assert "HttpOnly" in kept
    assert "SameSite=strict" in kept
    assert (again.status, guessed.status) == (401, 401)
    assert "holdfast serve" in again.body.decode()


def test_who_is_in_already_may_open_the_address_again(visitor: Visitor) -> None:
    """A browser that restores its tabs."""
    address = visitor.site.access.path
    cookie = visitor.entered()

    assert visitor("GET", address, cookie=cookie).status == 303


@pytest.mark.parametrize(
    ("method", "path"), [each for each in PATHS if "events" not in each[1]]
)
def test_every_answer_carries_the_policy(
    visitor: Visitor, method: str, path: str
) -> None:
    """T5: what a page may load and run is said with every answer, refusals too."""
    cookie = visitor.entered()

    replies = [visitor(method, path, cookie=cookie), visitor(method, path)]

    usual = 401 if path == "/mcp" else 200  # which is for no browser
    assert replies[0].status == (usual if method == "GET" else 403)  # without a token
    for reply in replies:
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    "name",
    [
        "../door.py",
        "..%2fdoor.py",
        "/etc/passwd",
        "index.html",
        "pages/../dom.js",
        "%00",
    ],
)
def test_t06_a_request_names_no_file(visitor: Visitor, name: str) -> None:
    """Assets are looked up in a list, not on a disk."""
    reply = visitor("GET", f"/assets/{name}", cookie=visitor.entered())

    assert reply.status == 404


def test_there_is_no_inline_script_or_style() -> None:
    """The policy would keep it from running; a file of ours has none."""
    page = page_template()

    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page) == []
    scripts = [each for each in assets().values() if each.name.endswith(".js")]
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc\s*="
    assert [each.name for each in scripts if re.search(forbidden, each.text)] == []


def test_the_page_is_light() -> None:
    """Under 200 kB without data, all of it."""
    size = sum(len(each.text.encode()) for each in assets().values())

    assert size + len(page_template().encode()) < 200_000


def test_a_bad_question_is_answered_with_a_sentence(visitor: Visitor) -> None:
    """As on the command line: code, message, hint."""
    cookie = visitor.entered()
    missing = visitor("GET", "/api/checkpoint/999", cookie=cookie)
    nowhere = visitor("GET", "/api/rows?project=none&before=x&limit=-1", cookie=cookie)

    assert (missing.status, missing.json["code"]) == (404, "FIND_001")
    assert (nowhere.status, nowhere.json["type"]) == (404, "error")
    assert visitor("GET", "/api/unknown", cookie=cookie).status == 404


def test_a_port_that_was_asked_for_and_is_taken_is_told() -> None:
    """The usual one gives way to a free one; one that was asked for does not."""
    with bound("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(MachineFailed, match=str(taken)), bound("127.0.0.1", taken):
            pass
    with bound("127.0.0.1", None) as one, bound("127.0.0.1", None) as two:
        assert one.getsockname() != two.getsockname()
    with pytest.raises(MachineFailed, match="99999"), bound("127.0.0.1", 99999):
        pass


def test_a_browser_is_opened_where_there_is_a_screen() -> None:
    """Over ssh the address is all there is."""
    assert can_open({"DISPLAY": ":0"}, "linux")
    assert can_open({}, "darwin")
    assert not can_open({"DISPLAY": ""}, "linux")
