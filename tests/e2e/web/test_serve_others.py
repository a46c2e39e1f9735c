"""`holdfast serve` for others than its user: tokens, the page for them, and its end."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders import a_draft
from tests.e2e.web.conftest import Served

pytestmark = pytest.mark.process
_PUBLIC = ("--public", "http://team.localhost")


class _Server:
    def __init__(self, process: subprocess.Popen[str], told: Any) -> None:
        self.process = process
        self.told = told
        address = told["address"].partition("//")[2].partition("/")[0]
        self.port = int(address.rpartition(":")[2])
        self.said = ""
        self.opened: list[HTTPConnection | HTTPResponse] = []

    def ask(
        self,
        token: str,
        path: str = "/api/projects",
        at: str = "127.0.0.1",
        **more: str,
    ) -> HTTPResponse:
        connection = HTTPConnection(at, self.port, timeout=60)
        self.opened.append(connection)
        headers = {"Host": f"{at}:{self.port}", **more}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection.request("GET", path, headers=headers)
        found = connection.getresponse()
        self.opened.append(found)
        return found

    def close(self) -> None:
        for each in self.opened:
            each.close()


@contextmanager
def _serving(served: Served, *words: str, json_form: bool = True) -> Iterator[_Server]:
    form = ("--json",) if json_form else ()
    command = served.command("serve", "--port", "0", "--no-browser", *words, *form)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=served.environ, stdout=pipe, stderr=pipe, text=True
    ) as process:
        assert process.stdout
        line = process.stdout.readline()
        told = json.loads(line) if json_form else {"address": line.split(": ")[1]}
        server = _Server(process, told)
        try:
            yield server
        finally:
            server.close()
            process.terminate()
            _, server.said = process.communicate(timeout=60)
    assert process.returncode == 0


def _token(served: Served, *words: str) -> str:
    """Make a token of every project, or of the one that `--project` behind it means."""
    command = [word for word in served.command("token", "create", *words) if word]
    place = command.index("--project")
    done = subprocess.run(
        command[:place], env=served.environ, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def kept(served: Served) -> Served:
    with served.store() as store:
        for title in ("First", "Second"):
            store.put(
                a_draft(
                    title, project_id=served.project_id, workspace=str(served.project)
                )
            )
    return served


@pytest.mark.parametrize("words", [("--host", "0.0.0.0"), ("--host", "::"), _PUBLIC])  # noqa: S104  # they must be refused
def test_t21_nobody_is_served_before_somebody_has_a_token(
    kept: Served, words: tuple[str, str]
) -> None:
    """Nor when all of them are revoked or expired."""

    def refused() -> Any:
        done = subprocess.run(
            kept.command("serve", "--port", "0", "--no-browser", "--json", *words),
            env=kept.environ, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2
        return json.loads(done.stdout)

    assert "holdfast token create" in refused()["hint"]
    token = _token(kept)
    kept.run("token", "revoke", token[4:12])
    assert refused()["code"] == "USE_001"


def test_t21_tokens_that_cannot_be_read_are_told_and_nothing_is_served(
    kept: Served,
) -> None:
    _token(kept)
    path = kept.home / "access" / "tokens.json"
    path.write_text("{")

    done = subprocess.run(
        kept.command("serve", "--port", "0", "--no-browser", "--json", *_PUBLIC),
        env=kept.environ, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert done.returncode == 13
    assert json.loads(done.stdout)["code"] == "TOKN_001"
    assert str(path) in json.loads(done.stdout)["message"]


def test_a_program_asks_with_its_token_until_that_is_revoked(kept: Served) -> None:
    """While the server runs; what it says of each request names nobody and nothing."""
    read, write = _token(kept), _token(kept, "--scope", "write")
    with _serving(kept, *_PUBLIC, json_form=False) as server:
        found = server.ask(read, "/api/search?q=First")
        assert found.status == 200
        assert b"First" in found.read()
        assert server.ask("").status == 401
        assert server.ask(write, Host="evil.example").status == 421
        assert server.ask(write, Host="team.localhost").status == 200
        kept.run("token", "revoke", read[4:12])
        gone = server.ask(read)
        assert gone.status == 401
        assert b"revoked" in gone.read()
        assert server.ask(write).status == 200

    lines = server.said.splitlines()
    assert "warning: the connection is not encrypted" in lines[1]
    requests = [line.split(" ", 2)[1:] for line in lines if " GET " in line]
    assert requests[0][1].startswith("/api/search 200 ")
    assert requests[0][1].endswith(read[4:12])
    assert len(requests) == 6
    assert not [line for line in lines if "First" in line or read in line]


def test_a_signal_lets_streams_end_and_answers_come_whole(kept: Served) -> None:
    """Nobody is cut off in a sentence, and nobody is waited for who only listens."""
    token = _token(kept)
    with _serving(kept, *_PUBLIC) as server:
        stream = server.ask(token, "/api/events?project=all&known=0")
        assert stream.status == 200
        assert b"event: rows" in stream.readline() + stream.readline()
        server.process.send_signal(signal.SIGTERM)
        rest = stream.read()  # to its end, which is no broken one

        assert rest.endswith(b"\r\n")
        assert server.process.wait(60) == 0


def test_a_stream_ends_when_its_token_does(kept: Served) -> None:
    """Whoever may no longer ask hears no more news."""
    token = _token(kept)
    with _serving(kept, *_PUBLIC) as server:
        stream = server.ask(token, "/api/events?project=all&known=0")
        assert b"event: rows" in stream.readline() + stream.readline()
        kept.run("token", "revoke", token[4:12])

        assert stream.read().count(b"event: rows") == 0


def test_the_one_who_started_it_still_comes_in_by_the_address(kept: Served) -> None:
    """At loopback, and not through a proxy that speaks for somebody else."""
    _token(kept)
    with _serving(kept, *_PUBLIC) as server:
        path = server.told["address"].partition("//")[2].partition("/")[2]
        assert server.told["others"] == "http://team.localhost"
        assert server.told["tokens"] == 1

        def status(**headers: str) -> int:
            return server.ask("", f"/{path}", **headers).status

        assert status(Host="team.localhost") == 401
        assert status(**{"X-Forwarded-For": "192.168.1.9"}) == 401
        assert status() == 303


def _address() -> str:
    """Return an address of this machine that is not loopback, where it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        try:
            found.connect(
                ("192.0.2.1", 9)
            )  # sends nothing: it asks which way it would go
        except OSError:
            pytest.skip("this machine has no address but loopback")
        return str(found.getsockname()[0])


def test_it_listens_at_an_address_that_others_reach(kept: Served) -> None:
    """By that address, and by no name that somebody leads to it."""
    host, token = _address(), _token(kept)
    with _serving(kept, "--host", host) as server:
        assert server.told["address"] == server.told["others"]

        def status(name: str) -> int:
            return server.ask(token, at=host, Host=name).status

        assert status(f"{host}:{server.port}") == 200
        assert status(f"{os.uname().nodename}:{server.port}") == 200
        assert status(f"localhost:{server.port}") == 421
        assert status(f"evil.example:{server.port}") == 421


def _at(server: _Server, path: str) -> str:
    return f"http://localhost:{server.port}{path}"


def test_a_browser_shows_a_token_and_goes_where_it_wanted(
    kept: Served, new_page: Callable[[], Page], tmp_path: Path
) -> None:
    """The way of somebody who was given a token and an address."""
    token = _token(kept)
    with _serving(kept, "--public", "http://localhost:1") as server:
        page = new_page()
        page.goto(_at(server, "/c/2"))
        box = page.get_by_label("Token")
        expect(box).to_be_focused()
        assert box.get_attribute("type") == "password"
        box.fill("hft_wrong")
        page.get_by_role("button", name="Open").click()
        expect(page.get_by_role("alert")).to_have_text(
            "this is not a token of this server"
        )
        assert page.screenshot(path=str(tmp_path / "login.png"))
        page.get_by_label("Token").fill(token)
        page.keyboard.press("Enter")

        expect(page).to_have_url(_at(server, "/c/2"))
        expect(page.get_by_role("heading", name="Second")).to_be_visible()
        (cookie,) = page.context.cookies()
        assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
        assert token not in str(page.evaluate("document.cookie + location.href"))


def test_a_guest_sees_who_made_it_and_is_offered_what_they_may(
    kept: Served, new_page: Callable[[], Page]
) -> None:
    """A colleague's checkpoint has its author; nothing here speaks of `you`."""
    token = _token(kept)
    with _serving(kept, "--public", "http://localhost:1") as server:
        page = new_page()
        page.goto(_at(server, "/c/2"))
        page.get_by_label("Token").fill(token)
        page.keyboard.press("Enter")

        expect(page.get_by_text("claude-code on desk")).to_be_visible()
        for name in ("Name…", "Forget…"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        page.goto(_at(server, "/"))
        expect(page.get_by_text("First").first).to_be_visible()
        expect(page.get_by_text("you are here")).to_have_count(0)
        kept.run("token", "revoke", token[4:12])
        page.goto(_at(server, "/c/1"))
        expect(page.get_by_label("Token")).to_be_visible()
