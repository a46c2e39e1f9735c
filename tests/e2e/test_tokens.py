"""`holdfast token`: made once, listed without secrets, taken back."""

import json
import re
from pathlib import Path

import pytest

from holdfast.surfaces.cli.main import run
from tests.e2e.conftest import Cli, Ran


def _token(cli: Cli, *words: str) -> Ran:
    """Run it without a project: it is of every one."""
    cli.capsys.readouterr()
    status = run(["token", *words])
    captured = cli.capsys.readouterr()
    return Ran(status, captured.out, captured.err)


def test_a_secret_is_printed_once_and_kept_nowhere(cli: Cli) -> None:
    made = _token(cli, "create", "--name", "eve's laptop")
    secret = made.out.strip()

    assert re.fullmatch(r"hft_[0-9a-f]{72}", secret)
    assert made.out.count("\n") == 1
    assert "may read in every project" in made.err
    assert secret not in made.err
    listed = _token(cli, "list")
    assert re.match(
        rf"{secret[4:12]} +eve's laptop +read +every project +until \S+ +never used\n",
        listed.out,
    )
    kept = [path.read_bytes() for path in cli.home.rglob("*") if path.is_file()]
    assert not [one for one in kept if secret[12:].encode() in one]
    assert secret[12:] not in listed.out + _token(cli, "list", "--json").out


def test_what_scripts_get(cli: Cli) -> None:
    made = _token(cli, "create", "--scope", "write", "--days", "1", "--json").json
    (listed,) = _token(cli, "list", "--json").json["tokens"]
    revoked = _token(cli, "revoke", listed["id"], "--json").json

    assert (made["type"], made["token"]) == ("token_created", listed)
    assert made["secret"].startswith(f"hft_{listed['id']}")
    assert (listed["scope"], listed["project"], listed["state"]) == (
        "write",
        None,
        "good",
    )
    assert listed["name"] is None
    assert listed["last_used"] is None
    assert (revoked["type"], revoked["token"]["state"]) == ("token_revoked", "revoked")
    assert revoked["token"]["revoked_at"].endswith("Z")
    assert [one["state"] for one in _token(cli, "list", "--json").json["tokens"]] == [
        "revoked"
    ]


def test_a_token_of_a_project_names_it(cli: Cli) -> None:
    """Also of one of which nothing is kept yet: somebody may be the first to save."""
    made = cli("token", "create", "--json").json["token"]
    here = _token(cli, "create", "--json", "--project").json["token"]
    told = cli("token", "list").out
    saved = cli.save()["checkpoint"]

    assert made["project"] == saved["project"]["id"]
    assert here["project"] not in (None, made["project"])
    assert str(cli.project) in told
    assert "every project" not in told


@pytest.mark.parametrize(
    ("words", "status", "hint"),
    [
        (("revoke", "0badc0de"), 12, "holdfast token list"),
        (("revoke",), 2, "token revoke ID"),
        (("create", "x"), 2, "token create"),
        (("list", "--scope", "read"), 2, "token list"),
        (("make",), 2, "token create"),
        (("create", "--days", "0"), 2, "token --help"),
        (("create", "--scope", "root"), 2, "token --help"),
    ],
)
def test_what_makes_no_sense_says_what_does(
    cli: Cli, words: tuple[str, ...], status: int, hint: str
) -> None:
    ran = _token(cli, *words)

    assert ran.status == status
    assert hint in ran.err


def test_tokens_that_cannot_be_read_are_left_and_told(cli: Cli) -> None:
    _token(cli, "create")
    path = cli.home / "access" / "tokens.json"
    path.write_text("[]")

    for words in (("list",), ("create",), ("revoke", "0badc0de")):
        ran = _token(cli, *words, "--json")
        assert ran.status == 13
        assert ran.json["code"] == "TOKN_001"
        assert str(path) in ran.json["message"]
    assert path.read_text() == "[]"


def test_a_scan_a_check_and_forgetting_leave_tokens_alone(cli: Cli) -> None:
    """They are of no record, and a hash is no secret."""
    cli.save()
    made = _token(cli, "create", "--name", "SALAMANDER").out.strip()
    path = cli.home / "access" / "tokens.json"
    before = path.read_bytes()

    assert cli("doctor", "--scan").status == 0
    assert cli("doctor", "--repair").status == 0
    assert cli("forget", "1", "--yes").status == 0
    checked = {
        one["name"]: one["state"] for one in cli("doctor", "--json").json["checks"]
    }

    assert path.read_bytes() == before
    assert json.loads(before)["tokens"][0]["id"] == made[4:12]
    assert checked["permissions"] == checked["leftovers"] == "ok"


def test_no_token_leaves_with_what_is_shared(cli: Cli, tmp_path: Path) -> None:
    """They belong to the machine that serves."""
    cli.save()
    made = _token(cli, "create", "--name", "SALAMANDER").out.strip()
    file = tmp_path / "out.zip"
    bundle = tmp_path / "bundle.txt"
    assert cli("export", "1", "-o", str(file), "--yes").status == 0
    cli("doctor", "--bundle", str(bundle))

    for path in (file, bundle):
        data = path.read_bytes()
        assert b"SALAMANDER" not in data
        assert made[4:12].encode() not in data


def test_a_name_that_is_a_secret_is_not_kept(cli: Cli) -> None:
    """Somebody pastes the wrong thing."""
    other = _token(cli, "create").out.strip()
    _token(cli, "create", "--name", other)

    assert other not in (cli.home / "access" / "tokens.json").read_text()
