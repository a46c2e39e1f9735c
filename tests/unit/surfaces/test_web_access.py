"""Every route, tried with every kind of token: T18, T19, T21, T22."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlencode

import pytest

from holdfast.app.administration.tokens import TokenRequest, create_token
from holdfast.bootstrap import Container
from holdfast.bootstrap.serving import access_tokens
from holdfast.domain.access import ACCESS_SCOPES, AccessScope
from holdfast.domain.checkpoint import Item
from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.web.access import MOST_SESSIONS
from holdfast.surfaces.web.exposure import Exposure
from holdfast.surfaces.web.failures import MOST
from holdfast.surfaces.web.live import MOST_STREAMS
from holdfast.surfaces.web.routes import ROUTES, WebRoute
from tests.builders import OTHER_SESSION, SESSION, a_draft, identity, session_number
from tests.past import PastDisk, asked
from tests.web_visitor import PORT, SAMPLES, Reply, Visitor, VisitorsClock, path_of

_DAY = 86_400_000
_HERS, _HIS = (
    "alligator",
    "basilisk",
)  # in every text of the one and of the other project
_WALK = [
    pytest.param(method, route, id=f"{method} {route.path}")
    for route in ROUTES
    for method in route.methods
]
_WITHOUT_STORE = ("/assets/{name:path}",)


@dataclass
class _Open:
    """A server that others reach, with a project of hers, where it runs, and one of his."""

    visitor: Visitor
    hers: str
    his: str
    ids: dict[str, str]  # a checkpoint of each project

    def token(
        self, scope: AccessScope = "read", project: str = "", days: int = 9
    ) -> str:
        tokens = access_tokens(self.container)
        wanted = TokenRequest(scope, days, "a laptop", project)
        made = create_token(wanted, tokens, self.visitor.clock.now, _bytes)
        return made.presented

    container: Container

    def __call__(
        self, token: str, method: str, path: str, body: bytes = b"{}", **more: str
    ) -> Reply:
        told = {"authorization": f"Bearer {token}"} if token else {}
        return self.visitor(method, path, body, **told, **more)


_serial = iter(range(1, 10**9))


def _bytes(count: int) -> bytes:
    return next(_serial).to_bytes(count, "big")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[_Open]:
    home, project = tmp_path / "home", tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "auth.py").write_text(f"{_HERS} = None\n")
    ids: dict[str, str] = {}
    with open_store(str(home), create=True) as store:
        hers = store.project(identity(str(project))).project_id
        his = store.project(identity(str(tmp_path / "other"))).project_id
        for name, project_id, session in (
            (_HERS, hers, SESSION),
            (_HIS, his, OTHER_SESSION),
        ):
            for number in (1, 2):
                kept = store.put(
                    a_draft(
                        f"{name} {number}",
                        project_id=project_id,
                        session_id=session,
                        name=f"{name}-{number}",
                        decisions=(Item(text=f"{name} decided", source="agent"),),
                    )
                )
                ids[project_id] = kept.checkpoint.checkpoint_id
    clock = VisitorsClock()
    container = Container(
        environ={"HOLDFAST_HOME": str(home), "HOME": str(tmp_path / "user")},
        project=str(project),
        clock=clock,
    )
    exposure = Exposure(port=PORT, is_open=True)
    visitor = Visitor(container, clock, exposure)
    yield _Open(visitor, hers, his, ids, container)
    container.close()


def _about(
    route: WebRoute, project: str, checkpoint: str, session: str, name: str
) -> list[str]:
    """Return a route's addresses that name what is of a project in every way."""
    refs = (
        checkpoint,
        checkpoint[:50],
        "1",
        "latest",
        f"{name}-1",
        name[:5],
        f"session:{session}",
    )
    found = []
    for ref in refs:
        told = {
            **SAMPLES,
            "ref": ref,
            "a": ref,
            "b": checkpoint,
            "session": session,
            "project": project,
        }
        path = route.path
        for key, value in told.items():
            path = path.replace(f"{{{key}}}", value).replace(f"{{{key}:path}}", value)
        found += [
            path,
            f"{path}?project={project}",
            f"{path}?project={project}&q={name}",
            f"{path}?project=all&q={name}&known=0",
        ]
    return [*dict.fromkeys(found)]


def _is_stream(route: WebRoute) -> bool:
    return route.path == "/api/events"


@pytest.mark.parametrize(("method", "route"), _WALK)
def test_t18_no_route_answers_without_a_good_token(
    served: _Open, method: str, route: WebRoute
) -> None:
    """None, nonsense, one that expired, one that was revoked, one of another server."""
    path = path_of(route.path)
    old, revoked = served.token("admin", days=1), served.token("admin")
    served.visitor.clock.now += _DAY
    access_tokens(served.container).revoke(revoked[4:12], served.visitor.clock.now)
    presented = (
        "",
        "x",
        "é",
        old,
        revoked,
        f"hft_{'0' * 72}",
        old[:-1],
        f"{old} {old}",
    )

    replies = [served(each, method, path) for each in presented]
    schemes = [
        served.visitor(method, path, authorization=told)
        for told in ("", "Bearer", f"Basic {old}", f"Token {served.token()}")
    ]

    assert {reply.status for reply in (*replies, *schemes)} == {401}
    assert not [one for one in (*replies, *schemes) if _HERS.encode() in one.body]
    words = [reply.body.decode() for reply in replies]
    assert "expired" in words[3]
    assert "revoked" in words[4]


@pytest.mark.parametrize("scope", ACCESS_SCOPES)
@pytest.mark.parametrize(("method", "route"), _WALK)
def test_t19_a_token_may_do_what_its_scope_says_and_no_more(
    served: _Open, method: str, route: WebRoute, scope: AccessScope
) -> None:
    """What each route needs it says itself; what is too much is refused before it is read."""
    may = ACCESS_SCOPES.index(scope) >= ACCESS_SCOPES.index(route.needs)

    reply = served(served.token(scope), method, path_of(route.path))

    assert (reply.status == 403) is not may
    assert reply.status < 500
    if not may:
        assert reply.status == 403
        assert route.needs in reply.body.decode()


def test_t19_each_route_says_what_it_needs() -> None:
    """Whoever adds one has to say it; what changes something is never for readers."""
    with pytest.raises(TypeError):
        WebRoute("/api/new", path_of)  # type: ignore[call-arg]  # which is the point

    assert {route.needs for route in ROUTES} <= set(get_args(AccessScope))
    changing = [route for route in ROUTES if set(route.methods) - {"GET", "HEAD"}]
    assert {
        route.path: route.needs for route in changing if not route.is_for_programs
    } == {
        "/api/checkpoint/{ref}/name": "write",
        "/api/checkpoint/{ref}/forget": "admin",
        "/api/merge": "write",
    }


@pytest.mark.parametrize(("method", "route"), _WALK)
def test_t22_a_token_of_one_project_learns_nothing_of_another(
    served: _Open, method: str, route: WebRoute
) -> None:
    """No row, hit, session, file or number, whatever is asked for by whatever name."""
    token = served.token("admin", served.his)
    body = json.dumps(
        {"a": served.ids[served.hers], "b": served.ids[served.hers], "name": "x"}
    )
    asked = _about(route, served.hers, served.ids[served.hers], SESSION, _HERS)
    # What was not typed: titles, words, the name and the id that nobody asked for.
    own = f"ccp-{SESSION}-01-"
    secrets = (f"{_HERS} 1", f"{_HERS} 2", f"{_HERS} decided", f"{_HERS}-2", own)

    for path in asked:
        reply = served(token, method, path, body.encode())

        told = reply.body.decode()
        assert not [one for one in secrets if one in told], path
        assert reply.status < 500, (path, told)


@pytest.mark.parametrize(("method", "route"), _WALK)
def test_t22_that_a_checkpoint_is_there_is_not_told_either(
    served: _Open, method: str, route: WebRoute
) -> None:
    """One of another project and one that never was are answered alike."""
    token = served.token("admin", served.his)
    there = served.ids[served.hers]
    never = there[:-1] + ("0" if there[-1] != "0" else "1")

    def answered(name: str) -> tuple[int, str]:
        path = route.path
        for key, value in {**SAMPLES, "ref": name, "a": name, "b": name}.items():
            path = path.replace(f"{{{key}}}", value).replace(f"{{{key}:path}}", value)
        body = json.dumps({"a": name, "b": name}).encode()
        reply = served(token, method, path, body)
        return reply.status, reply.body.decode().replace(name, "")

    assert answered(there) == answered(never)


def test_t22_a_token_of_one_project_works_as_ever_in_it(served: _Open) -> None:
    for project, name, other in (
        (served.hers, _HERS, _HIS),
        (served.his, _HIS, _HERS),
    ):
        token = served.token("admin", project)

        def told(path: str, token: str = token, other: str = other) -> Any:
            reply = served(token, "GET", path)
            assert reply.status == 200, (path, reply.body)
            assert other not in reply.body.decode()
            return reply.json

        assert [each["count"] for each in told("/api/projects")["projects"]] == [2]
        assert len(told("/api/rows")["columns"]["id"]) == 2
        assert len(told(f"/api/search?q={name}&project=all")["hits"]) == 2
        assert told(f"/api/search?q={other}&project=all")["hits"] == []
        assert (
            told("/api/checkpoint/1")["checkpoint"]["content"]["title"] == f"{name} 1"
        )
        assert told(f"/api/checkpoint/{served.ids[project]}")
        assert told("/api/stats?project=all")["totals"]["checkpoints"] == 2
        assert told("/api/compare/1/2")["type"] == "diff"


def test_t22_the_files_here_are_shown_to_who_may_know_this_project(
    served: _Open,
) -> None:
    """Those of another project are not where this server was started."""
    own = served(served.token("read", served.hers), "GET", "/api/file/src/auth.py")
    other = served(served.token("read", served.his), "GET", "/api/file/src/auth.py")
    now = served(served.token("read", served.his), "GET", "/api/compare/1/now")

    assert own.status == 200
    assert _HERS in own.body.decode()
    assert (other.status, now.status) == (404, 404)
    assert _HERS not in other.body.decode() + now.body.decode()


def test_t19_a_write_token_names_and_an_admin_forgets_in_its_project_only(
    served: _Open,
) -> None:
    hers = served.ids[served.hers]
    write, admin = (
        served.token("write", served.hers),
        served.token("admin", served.hers),
    )
    stranger = served.token("admin", served.his)

    named = served(write, "POST", f"/api/checkpoint/{hers}/name", b'{"name": "mine"}')
    refused = served(stranger, "POST", f"/api/checkpoint/{hers}/name", b'{"name": "x"}')
    planned = served(stranger, "POST", f"/api/checkpoint/{hers}/forget")
    gone = served(
        stranger,
        "POST",
        f"/api/checkpoint/{hers}/forget",
        json.dumps({"ids": [hers]}).encode(),
    )
    done = served(
        admin,
        "POST",
        f"/api/checkpoint/{hers}/forget",
        json.dumps({"ids": [hers]}).encode(),
    )

    assert (named.status, named.json["name"]) == (200, "mine")
    assert {each.status for each in (refused, planned, gone)} == {404}
    assert (done.status, done.json["checkpoints"]) == (200, [hers])


def test_a_browser_logs_in_with_a_token_and_is_what_that_grants(served: _Open) -> None:
    token = served.token("read", served.his)
    page = served.visitor("GET", "/c/2", accept="text/html,*/*;q=0.8")
    sent = served.visitor(
        "POST",
        "/login",
        f"token={token}&next=%2Fc%2F2".encode(),
        origin=f"http://127.0.0.1:{PORT}",
    )
    cookie = sent.headers["set-cookie"].partition(";")[0]
    rows = served.visitor("GET", "/api/rows", cookie=cookie)

    assert (page.status, sent.status) == (401, 303)
    assert 'value="/c/2"' in page.body.decode()
    assert (
        page.headers["referrer-policy"] == "same-origin"
    )  # else a form says `Origin: null`
    assert sent.headers["location"] == "/c/2"
    assert "HttpOnly" in sent.headers["set-cookie"]
    assert "SameSite=strict" in sent.headers["set-cookie"]
    assert "Secure" not in sent.headers["set-cookie"]
    assert token not in str(sent.headers)
    assert _HIS in rows.body.decode()
    assert _HERS not in rows.body.decode()
    named = served.visitor("POST", "/api/checkpoint/1/name", b"{}", cookie=cookie)
    assert named.status == 403


def test_a_cookie_is_good_as_long_as_its_token(served: _Open) -> None:
    """Revoked or expired: the browser that it let in is out with the next request."""
    served.token("admin", days=400)

    def cookie_of(token: str) -> str:
        sent = served.visitor("POST", "/login", f"token={token}".encode())
        return sent.headers["set-cookie"].partition(";")[0]

    def status(cookie: str) -> int:
        return served.visitor("GET", "/api/projects", cookie=cookie).status

    revoked, short = served.token(), served.token(days=1)
    first = cookie_of(revoked)
    assert status(first) == 200
    access_tokens(served.container).revoke(revoked[4:12], served.visitor.clock.now)
    assert status(first) == 401
    served.visitor.clock.now += _DAY - 3_600_000
    second = cookie_of(short)
    assert status(second) == 200
    served.visitor.clock.now += 3_600_000
    assert status(second) == 401
    forged = f"{second}x", second[:-1], f"holdfast-{PORT}=", f"holdfast-{PORT}={short}"
    assert {status(each) for each in forged} == {401}


def test_who_logs_in_again_and_again_ends_nobody_elses_session(served: _Open) -> None:
    """A guest who may only read must not be able to put the owner out, nor a colleague."""
    token, colleague = served.token(), served.token()

    def cookie_of(token: str) -> str:
        sent = served.visitor("POST", "/login", f"token={token}".encode())
        return sent.headers["set-cookie"].partition(";")[0]

    def is_in(cookie: str) -> bool:
        return served.visitor("GET", "/api/projects", cookie=cookie).status == 200

    others = served.visitor.entered(), cookie_of(colleague)
    own = [cookie_of(token) for _ in range(1_001)]

    assert [is_in(each) for each in others] == [True, True]
    assert [is_in(each) for each in own[-MOST_SESSIONS - 1 :]] == [
        False,
        *[True] * MOST_SESSIONS,
    ]


def test_a_number_of_any_length_is_a_number_everywhere(served: _Open) -> None:
    """Python refuses to read one of 5000 digits: that was a bug, and a file, a request."""
    token, many = served.token(), "9" * 5_000
    paths = (f"/api/events?known={many}", f"/api/rows?before={many}&limit={many}")

    assert {served(token, "GET", path).status for path in paths} == {200}


def test_where_a_report_of_a_bug_is_the_owner_is_told_and_no_guest(
    served: _Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path of this machine is nobody else's business, and a thousand times one bug is
    one report."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("holdfast.surfaces.web.live.number_of", broken)
    token, log = served.token(), Path(served.container.home, "log")

    def hint(**more: str) -> str:
        told: dict[str, str] = served.visitor.broken("GET", "/api/events", **more).json
        assert told["code"] == "BUG_001"
        return told["hint"]

    guests = {hint(authorization=f"Bearer {token}") for _ in range(5)}
    owners = hint(cookie=served.visitor.entered())

    (report,) = log.glob("bug-*.md")
    assert str(report) in owners
    assert not [one for one in guests if str(log.parent) in one or not one]


@pytest.mark.parametrize(
    ("going_to", "place"),
    [
        ("/c/42", "/c/42"), ("/file/a%20b.py", "/file/a%20b.py"), ("//evil.example", "/"),
        ("https://evil.example", "/"), ("/\\evil.example", "/"), ("/\r\nset-cookie: x=1", "/"),
        ("javascript:alert(1)", "/"), ("", "/"), ("/x?y", "/"), ('/"><script>', "/"),
    ],
)  # fmt: skip
def test_t17_a_login_leads_to_no_other_place(
    served: _Open, going_to: str, place: str
) -> None:
    told = urlencode({"token": served.token(), "next": going_to}).encode()
    wrong = urlencode({"token": "x", "next": going_to}).encode()

    assert served.visitor("POST", "/login", told).headers["location"] == place
    page = served.visitor("POST", "/login", wrong)
    assert page.status == 401
    assert f'name="next" value="{place}"' in page.body.decode()
    assert "<script" not in page.body.decode()


@pytest.mark.parametrize(
    "body",
    [b"", b"token", b"token=" + b"x" * 5_000, b"\xff=\xfe", b"&" * 4_000, b"token=%00"],
)
def test_a_login_that_is_nonsense_is_the_page_again(served: _Open, body: bytes) -> None:
    reply = served.visitor("POST", "/login", body)

    assert (reply.status, "set-cookie" in reply.headers) == (401, False)


def test_t17_a_login_comes_from_our_own_page(served: _Open) -> None:
    """Nobody logs a browser in as somebody else."""
    token = served.token().encode()
    for origin in ("null", "http://evil.example", f"https://127.0.0.1:{PORT}"):
        assert (
            served.visitor("POST", "/login", b"token=" + token, origin=origin).status
            == 403
        )


def test_t27_a_token_in_an_address_is_refused_and_in_no_log(served: _Open) -> None:
    token = served.token("admin")
    for path in (
        f"/api/projects?token={token}",
        f"/api/projects?access_token={token}",
        f"/c/{token}",
        f"/api/projects?t=%68ft_{token[4:]}",
        f"/api/projects?t=%68%66%74%5F{token[4:]}",
        "/api/search?access_token=x",
    ):
        reply = served.visitor("GET", path)
        with_header = served(token, "GET", path)

        assert (reply.status, with_header.status) == (400, 400)
        assert "revoke" in reply.body.decode()
        assert token not in reply.body.decode()
    assert served.visitor.lines
    assert not [
        line for line in served.visitor.lines if "hft_" in line or "/c/" in line
    ]


def test_t27_a_log_has_the_route_and_the_token_s_id_and_nothing_typed(
    served: _Open,
) -> None:
    token = served.token()
    served(token, "GET", f"/api/search?q={_HERS}")
    served(token, "GET", f"/api/checkpoint/{_HERS}-1")
    served("", "GET", f"/api/checkpoint/{_HERS}")
    served(token, f"X{_HERS}", "/api/projects")

    lines = served.visitor.lines
    assert _HERS not in "".join(lines)
    assert "GET /api/search 200 " in lines[0]
    assert lines[0].endswith(f" ms {token[4:12]}")
    assert "GET /api/checkpoint/{ref} 200 " in lines[1]
    assert "GET - 401 " in lines[2]
    assert lines[2].endswith(" ms -")
    assert "? - " in lines[3]


def test_too_many_tries_are_turned_away_and_fill_no_log(served: _Open) -> None:
    """But whoever has a good token is let in from the same place."""
    good = served.token()
    first = [served("hft_no", "GET", "/api/projects").status for _ in range(MOST)]
    logged = len(served.visitor.lines)
    later = [served("hft_no", "GET", "/api/projects") for _ in range(50)]
    page = served.visitor("POST", "/login", b"token=x")

    assert set(first) == {401}
    assert {each.status for each in (*later, page)} == {429}
    assert later[0].headers["retry-after"] == "60"
    assert len(served.visitor.lines) == logged
    assert served(good, "GET", "/api/projects").status == 200
    served.visitor.client = "192.168.1.9"
    assert served("hft_no", "GET", "/api/projects").status == 401
    served.visitor.client = "127.0.0.1"
    served.visitor.clock.now += 60_000
    assert served("hft_no", "GET", "/api/projects").status == 401


@pytest.mark.parametrize("damage", ["text", "rights", "directory"])
def test_tokens_that_cannot_be_read_let_nobody_in(
    served: _Open, tmp_path: Path, damage: str
) -> None:
    """A sentence; where they lie is told to whoever runs the server, once."""
    token = served.token()
    cookie = served.visitor("POST", "/login", b"token=" + token.encode()).headers[
        "set-cookie"
    ]
    path = tmp_path / "home" / "access" / "tokens.json"
    text = path.read_text()
    if damage == "text":
        path.write_text(text[:-20])
    else:
        path.unlink()
        path.mkdir()

    replies = [
        served(token, "GET", "/api/projects"),
        served.visitor("GET", "/api/projects", cookie=cookie.partition(";")[0]),
        served.visitor("POST", "/login", b"token=" + token.encode()),
    ]

    assert {each.status for each in replies} == {503}
    assert not [each for each in replies if str(tmp_path) in each.body.decode()]
    told = [line for line in served.visitor.lines if "TOKN_001" in line]
    assert len(told) == 1
    assert str(path) in told[0]


def test_a_day_of_use_is_remembered(served: _Open) -> None:
    token = served.token()
    served(token, "GET", "/api/projects")

    (kept,) = access_tokens(served.container).every()
    assert kept.last_used == "2026-01-18"


def test_pages_that_listen_are_counted_by_token_and_only_while_they_do(
    served: _Open,
) -> None:
    """One who opens too many keeps nobody else from news."""
    mine, yours = served.token(), served.token()
    site = served.visitor.site
    assert served(mine, "GET", "/api/events?project=all").status == 200
    assert site.streams[mine[4:12]] == 0

    site.streams[mine[4:12]] = MOST_STREAMS
    assert served(mine, "GET", "/api/events?project=all").status == 503
    assert served(yours, "GET", "/api/events?project=all").status == 200


def test_t18_the_address_for_programs_wants_a_token_also_here(served: _Open) -> None:
    """A browser's cookie is sent by whatever page asks; a header is not."""
    sent = served.visitor("POST", "/login", f"token={served.token('admin')}".encode())
    local = served.visitor.entered()

    for cookie in ("", local, sent.headers["set-cookie"].partition(";")[0]):
        reply = served.visitor("GET", "/mcp", b"{}", cookie=cookie)

        assert reply.status == 401
        assert reply.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer" in reply.json["message"]


def test_t22_what_was_said_is_told_to_who_may_know_its_session(
    served: _Open, tmp_path: Path
) -> None:
    """All transcripts lie in one place. One of a session that was in both projects has
    the words of both, so it is for nobody who may know only one."""
    disk = PastDisk(tmp_path / "user" / ".claude", str(tmp_path / "project"))
    with open_store(str(tmp_path / "home"), create=False) as store:
        for number, projects in ((1, (served.hers, served.his)), (2, (served.hers,))):
            disk.write(number, asked(f"{_HERS} was said"))
            for each in projects:
                session = session_number(number)
                store.put(a_draft("both", project_id=each, session_id=session))
    his, hers = (served.token("admin", each) for each in (served.his, served.hers))
    found = served(his, "GET", "/api/search?q=both").json["hits"]
    spans, own = session_number(1), session_number(2)
    asked_for = [f"/api/session/{each}" for each in (spans, own, own[:-1])]
    asked_for += [f"{path}/spoken" for path in asked_for]
    asked_for += [f"/api/checkpoint/{each['id']}/around" for each in found]

    def told(token: str, path: str) -> str:
        return served(token, "GET", path).body.decode()

    assert len(found) == 1
    assert not [path for path in asked_for if "was said" in told(his, path)]
    assert "was said" not in told(hers, f"/api/session/{spans}/spoken")
    assert "was said" in told(hers, f"/api/session/{own}/spoken")
    assert "was said" in told(served.token(), f"/api/session/{spans}/spoken")
