"""T5, T10 and T16–T22: doors that are not there yet stay shut, and who holds those that are.

A page is served on loopback by one command; there is no network store in this version. Each
test proves that a door is shut, and says what is expected of whoever opens it.
"""

import ast
import json
import pickle
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.agents.claude_code.transcript.native import ClaudeCodeConversations
from holdfast.kernel.errors import NativeRefused
from holdfast.language.languages import language
from tests.e2e.conftest import SAMPLE, SESSION, Cli

_SOURCES = sorted(Path(holdfast.__file__).parent.rglob("*.py"))
_SERVERS = {
    "aiohttp", "asyncio", "fastapi", "flask", "ftplib", "http", "httpx", "requests",
    "smtplib", "socket", "socketserver", "ssl", "starlette", "uvicorn", "wsgiref",
    "xmlrpc",
}  # fmt: skip
_ARCHIVES = {"bz2", "gzip", "lzma", "tarfile", "zipfile"}
_UNSAFE = {"cloudpickle", "dill", "joblib", "marshal", "msgpack", "pickle", "shelve", "yaml"}  # fmt: skip
# Ends the process at the first socket, and at the first unpickling.
_GUARD = """
import sys, os
def guard(event, details):
    if event in ("socket.bind", "socket.connect", "socket.getaddrinfo", "pickle.find_class"):
        os.write(2, f"DOOR OPENED: {event} {details}".encode())
        os._exit(99)
sys.addaudithook(guard)
from holdfast.surfaces.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def _imports() -> Iterator[tuple[str, str]]:
    for path in _SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                yield str(path), name.partition(".")[0]


def _guarded(
    cli: Cli, *words: str, stdin: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", _GUARD, *words, "--project", str(cli.project)],
        input=stdin, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_guard_bites(tmp_path: Path) -> None:
    """A guard that hears nothing would let every test here pass."""
    opened = (
        _GUARD.split("from holdfast", maxsplit=1)[0]
        + "import socket; socket.create_server(('', 0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", opened], cwd=tmp_path, capture_output=True, check=False
    )

    assert done.returncode == 99
    assert b"DOOR OPENED" in done.stderr


def test_t05_no_source_makes_markup_of_words() -> None:
    """A page is made of our own files, and a browser makes its nodes of texts: nothing
    here escapes, because nothing here writes HTML, but for the form that asks for a
    token, which has no script. What a browser makes of hostile words is tried in
    `tests/e2e/web`."""
    writing = {
        (Path(path).name, name)
        for path, name in _imports()
        if name in {"html", "jinja2", "markdown"}
    }

    assert writing == {("login.py", "html")}


def test_t10_nothing_is_ever_unpickled(cli: Cli) -> None:
    """Checkpoints are JSON: a record must not be able to run anything when read."""
    unsafe = {(Path(path).name, name) for path, name in _imports() if name in _UNSAFE}
    # What Python compiled of ours lies with its own compiled modules, trusted as they are.
    assert unsafe == {("kept_file.py", "marshal")}

    payload = pickle.dumps(print)
    evil = cli.project.parent / "evil"
    evil.write_bytes(payload)
    spool = cli.home / "spool"
    cli.save()
    (spool / "00000000000000000001-x.json").write_bytes(payload)

    notes = _guarded(cli, "save", "--transcript", str(SAMPLE), "--notes", str(evil))
    brief = _guarded(cli, "brief", str(evil))
    again = _guarded(cli, "save", "--transcript", str(SAMPLE), "--title", "again")

    assert (notes.returncode, brief.returncode, again.returncode) == (1, 1, 3)
    assert "could not be read: 1" in again.stdout + again.stderr
    assert "NOTE_001" in notes.stderr or "not JSON" in notes.stderr
    assert [p.name for p in spool.glob("*-x.json*")] != ["00000000000000000001-x.json"]


def test_t10_no_text_is_run_as_code() -> None:
    """What is left takes its names from our sources: classes, whose methods are kept
    compiled, and a language's module, which no code outside the table can name."""
    called = {
        (Path(path).name, node.func.id)
        for path in map(str, _SOURCES)
        for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"eval", "exec", "compile", "__import__"}
    }

    assert called == {
        ("kept_code.py", "compile"),
        ("languages.py", "__import__"),
        ("lazy_tuples.py", "exec"),
        ("lazy_values.py", "exec"),
    }
    with pytest.raises(KeyError):
        language("en.rules")


def test_t16_an_archive_is_read_and_never_unpacked(cli: Cli, tmp_path: Path) -> None:
    """A shared file's parts are read by two fixed names, in memory, each up to a size."""
    path = tmp_path / "slip.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../slipped", "/slipped", "manifest.json", "records.jsonl"):
            archive.writestr(name, "{}")
    before = sorted(tmp_path.rglob("*"))

    ran = cli("import", str(path), "--json")

    assert ran.json["code"] == "SHARE_001"
    readers = [Path(file).name for file, module in _imports() if module in _ARCHIVES]
    assert readers == ["share_file.py"]
    assert sorted(tmp_path.rglob("*")) == before


def test_t17_no_command_opens_a_socket(cli: Cli) -> None:
    """Nothing listens but `serve`, whose door is tried in
    `tests/unit/surfaces/test_web_door.py`, and nothing calls out."""
    save = ("save", "--transcript", str(SAMPLE), "--name", "api")
    hello = (Path(__file__).parents[1] / "fixtures" / "mcp-hello.jsonl").read_text()

    ran = {
        " ".join(words[:1]): _guarded(cli, *words, stdin=stdin)
        for words, stdin in (
            (save, ""),
            (("list",), ""),
            (("resume", "1"), ""),
            (("search", "quotes"), ""),
            (("status",), ""),
            (("handoff", "write", "--transcript", str(SAMPLE)), ""),
            (("memory",), ""),
            (("doctor",), ""),
            (("prune",), ""),
            (("backfill", str(SAMPLE.parent)), ""),
            (("archive",), ""),
            (("timeline", "-o", str(cli.home / "timeline.html")), ""),
            (("hook", "SessionStart"), json.dumps({"session_id": SESSION})),
            (("mcp",), hello),
        )
    }

    assert not {name: done for name, done in ran.items() if "DOOR" in done.stderr}
    assert {done.returncode for done in ran.values()} <= {0, 3, 4}


def test_t18_only_the_page_knows_how_to_serve() -> None:
    """What it asks of whoever comes in is tried on each of its routes, in
    `tests/unit/surfaces/test_web_door.py`. Mirrors are asked; they ask nobody here."""
    found = {
        (Path(path).parent.name, name) for path, name in _imports() if name in _SERVERS
    }

    assert {pair for pair in found if pair[0] != "mirrors"} == {
        ("mcp", "starlette"),
        ("web", "asyncio"),
        ("web", "socket"),
        ("web", "starlette"),
        ("web", "uvicorn"),
    }
    asking = [path for path in _SOURCES if path.parent.name == "mirrors"]
    texts = "".join(path.read_text(encoding="utf-8") for path in asking)
    assert not re.search(r"\.(?:bind|listen|accept)\(|http\.server", texts)


def test_t19_a_token_can_do_no_more_than_it_was_made_for(cli: Cli) -> None:
    """It looks and does nothing unless somebody says so, ends by itself, and is kept as a
    hash. Every route and tool is tried with each scope in `test_web_access.py` and
    `test_over_http.py`."""
    made = cli("token", "create", "--json").json
    (token,) = cli("token", "list", "--json").json["tokens"]
    kept = [p.read_text("utf-8") for p in cli.home.rglob("tokens.json")]

    assert (token["scope"], cli("token", "create", "--scope", "all").status) == (
        "read",
        2,
    )
    assert token["expires_at"]
    assert len(kept) == 1
    assert made["secret"] not in kept[0]


def test_t20_no_answer_shows_a_password_of_the_settings(
    cli: Cli, tmp_path: Path
) -> None:
    """Expected of a settings page: the same. The commands that show settings are it."""
    secret = "hunter2hunter2"  # noqa: S105  # made up
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text(
        json.dumps(
            {
                "store": f"postgresql://me:{secret}@db.example/x",
                "mirrors": [{"kind": "memora", "url": f"http://h/?token={secret}"}],
            }
        )
    )

    shown = [
        cli(*words)
        for words in (
            ("config", "list"),
            ("config", "list", "--json"),
            ("config", "get", "store"),
            ("config", "get", "mirrors", "--json"),
            ("doctor",),
            ("save", "--transcript", str(SAMPLE)),
            ("list", "--json"),
        )
    ]

    assert not [ran for ran in shown if secret in ran.out + ran.err]
    assert "***" in shown[0].out


def test_t21_nothing_can_be_bound_to_all_the_world(cli: Cli) -> None:
    """There is no TLS, and nobody has a token yet: other hosts are refused, unasked."""
    for host in ("0.0.0.0", "::", "192.168.1.5", "example.com"):  # noqa: S104  # they must be refused
        ran = _guarded(cli, "serve", "--host", host, "--json")

        assert ran.returncode == 2
        assert json.loads(ran.stdout)["code"] == "USE_001"


def test_t22_a_store_of_a_team_is_refused_until_it_keeps_tenants_apart(
    cli: Cli, tmp_path: Path
) -> None:
    """Expected of PostgreSQL: row security forced, a role that owns nothing, tenants
    set per transaction; every table tried as the other tenant."""
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text('{"store": "postgresql://db.example/x"}')

    ran = cli("list", "--json")

    assert (ran.status, ran.json["code"]) == (10, "STOR_001")
    assert "sqlite" in ran.json["hint"]


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "subagents/../evil", ""])
def test_t16_what_is_archived_is_unpacked_nowhere_else(
    tmp_path: Path, name: str
) -> None:
    """Whoever wrote its list: a name has one of two forms, and nothing is written."""
    sessions = ClaudeCodeConversations(str(tmp_path / "claude"))
    files = [("main", b"{}\n"), (name, b"evil")]

    with pytest.raises(NativeRefused):
        sessions.unpack(SESSION, str(tmp_path), files)

    assert list(tmp_path.rglob("*")) == []
