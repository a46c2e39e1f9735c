"""The tokens of whoever may ask a server: kept without secrets, and never half."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdfast.data_directory.access_tokens import TokenFile
from holdfast.data_directory.port import AccessTokens
from holdfast.domain.access import AccessToken, digest_of
from holdfast.kernel.errors import TokensUnreadable, TokenUnknown
from tests.builders import NOON

_DAY = 86_400_000


def tokens(home: Path) -> AccessTokens:
    return TokenFile(str(home))


def a_token(number: int = 1, **told: object) -> AccessToken:
    usual: dict[str, object] = {
        "token_id": f"{number:08x}", "name": f"laptop {number}", "scope": "read",
        "projects": ("p-1",), "created_ms": NOON, "until_ms": NOON + _DAY,
        "digest": digest_of(f"secret {number}"),
    }  # fmt: skip
    return AccessToken(**{**usual, **told})  # type: ignore[arg-type]  # the fields it has


def test_what_was_added_is_there_for_everybody_the_oldest_first(tmp_path: Path) -> None:
    """A server that runs for weeks sees what a command adds beside it."""
    server = tokens(tmp_path)
    assert server.every() == ()

    tokens(tmp_path).add(a_token(2))
    assert server.every() == (a_token(2),)
    tokens(tmp_path).add(a_token(1, scope="admin", projects=(), name="ก"))

    assert server.every() == (
        a_token(2),
        a_token(1, scope="admin", projects=(), name="ก"),
    )


def test_two_who_add_at_once_keep_both(tmp_path: Path) -> None:
    numbers = range(1, 25)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: tokens(tmp_path).add(a_token(number)), numbers))

    kept = tokens(tmp_path).every()
    assert sorted(each.token_id for each in kept) == [f"{n:08x}" for n in numbers]


def test_a_revoked_token_is_kept_with_its_first_moment(tmp_path: Path) -> None:
    """Who looks at the list later wants to know when, and revoking again says nothing new."""
    server = tokens(tmp_path)
    server.add(a_token(1))
    server.add(a_token(2))

    first = tokens(tmp_path).revoke("00000001", NOON + 5)
    again = tokens(tmp_path).revoke("00000001", NOON + 9)

    assert first == again == a_token(1, revoked_ms=NOON + 5)
    assert server.every() == (first, a_token(2))
    with pytest.raises(TokenUnknown):
        server.revoke("0000000f", NOON)


def test_the_day_of_its_last_use_is_remembered(tmp_path: Path) -> None:
    """What cannot be remembered is no reason to refuse a request."""
    server = tokens(tmp_path)
    server.add(a_token(1))

    server.used("00000001", "2026-11-18")
    server.used("0000000f", "2026-11-18")

    assert server.every() == (a_token(1, last_used="2026-11-18"),)


def test_no_secret_is_kept_and_nobody_else_reads_the_rest(tmp_path: Path) -> None:
    tokens(tmp_path).add(a_token(1))

    path = tmp_path / "access" / "tokens.json"
    assert b"secret 1" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def _told(**changed: object) -> str:
    row = {
        "id": "00000001", "name": "x", "scope": "read", "projects": ["p"], "created": 1,
        "expires": 2, "revoked": None, "last_used": "", "sha256": "0" * 64,
    }  # fmt: skip
    return json.dumps({"format": 1, "tokens": [{**row, **changed}]})


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", '{"format": 2, "tokens": []}', '{"format": 1}', "[" * 60_000,
        '{"format": 1, "tokens": [1]}', '{"format": 1, "tokens": [{}]}',
        _told(scope="root"), _told(projects=None), _told(projects="p"), _told(projects=[""]),
        _told(id="../x"), _told(sha256=""), _told(expires="never"), _told(expires=True),
        _told(revoked="no"), "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
    ],
)  # fmt: skip
def test_what_is_damaged_lets_nobody_in_and_is_left_as_it_is(
    tmp_path: Path, text: str
) -> None:
    """A list with a hole may have lost that a token was revoked, or for which project."""
    server = tokens(tmp_path)
    server.add(a_token(1))
    assert server.every()
    path = tmp_path / "access" / "tokens.json"
    path.write_text(text, "utf-8")

    with pytest.raises(TokensUnreadable, match=r"tokens\.json"):
        server.every()
    with pytest.raises(TokensUnreadable):
        server.add(a_token(2))
    with pytest.raises(TokensUnreadable):
        server.revoke("00000001", NOON)
    server.used("00000001", "2026-11-18")

    assert path.read_text("utf-8") == text


def test_a_list_that_became_a_link_or_a_directory_lets_nobody_in(
    tmp_path: Path,
) -> None:
    """Also where a server had read it before."""
    server = tokens(tmp_path)
    server.add(a_token(1))
    assert server.every()
    path = tmp_path / "access" / "tokens.json"
    path.rename(tmp_path / "elsewhere")

    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(TokensUnreadable):
        server.every()
    path.unlink()
    path.mkdir()
    with pytest.raises(TokensUnreadable):
        server.every()


def test_a_directory_that_became_a_link_lets_nobody_in(tmp_path: Path) -> None:
    """Whoever can write where it leads would say who may ask; nothing is written there."""
    server = tokens(tmp_path)
    server.add(a_token(1))
    assert server.every()
    (tmp_path / "access").rename(tmp_path / "elsewhere")
    (tmp_path / "access").symlink_to(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere" / "tokens.json").read_bytes()

    with pytest.raises(TokensUnreadable, match="symbolic link"):
        server.every()
    with pytest.raises(TokensUnreadable):
        tokens(tmp_path).add(a_token(2))
    with pytest.raises(TokensUnreadable):
        tokens(tmp_path).revoke("00000001", NOON)
    server.used("00000001", "2026-11-18")

    assert (tmp_path / "elsewhere" / "tokens.json").read_bytes() == before
