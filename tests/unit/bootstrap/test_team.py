"""How a team's database is connected to: encrypted, unless nothing leaves the machine."""

import pytest

from holdfast.bootstrap.team import _dsn
from holdfast.domain.team import TeamAddress
from holdfast.kernel.errors import TeamRefused


@pytest.mark.parametrize(
    ("dsn", "mode"),
    [
        ("postgresql://me@db.example.org/team", "require"),
        ("postgresql://me@db.example.org/team?sslmode=verify-full", "verify-full"),
        ("postgresql:///team?host=/run/postgresql&user=me", None),
        ("postgresql://me@localhost/team", None),
    ],
)
def test_over_a_network_it_is_encrypted(dsn: str, mode: str | None) -> None:
    told = dict(word.split("=", 1) for word in _dsn(TeamAddress(dsn=dsn)).split())

    assert told.get("sslmode") == mode


def test_a_password_file_that_is_not_there_is_told(tmp_path: object) -> None:
    missing = f"{tmp_path}/none"
    address = TeamAddress(dsn="postgresql://me@h/db", password_file=missing)

    with pytest.raises(TeamRefused, match="password"):
        _dsn(address)
