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
        ("postgresql://me@localhost,db.example.org/team", "require"),
        ("postgresql://me@localhost/team?hostaddr=192.0.2.7", "require"),
        ("postgresql:///team?host=/run/postgresql,db.example.org&user=me", "require"),
    ],
)
def test_over_a_network_it_is_encrypted(dsn: str, mode: str | None) -> None:
    told = dict(word.split("=", 1) for word in _dsn(TeamAddress(dsn=dsn)).split())

    assert told.get("sslmode") == mode


@pytest.mark.parametrize("mode", ["disable", "allow", "prefer", "Require", ""])
def test_over_a_network_it_is_not_switched_off(mode: str) -> None:
    """What is shared would be everybody's on the way; on this machine it may be."""
    query = f"team?sslmode={mode}" if mode else "team?sslmode="

    with pytest.raises(TeamRefused, match="read the connection"):
        _dsn(TeamAddress(dsn=f"postgresql://me@db.example.org/{query}"))
    if mode in ("disable", "prefer"):
        assert mode in _dsn(TeamAddress(dsn=f"postgresql://me@localhost/{query}"))


def test_a_password_file_that_is_not_there_is_told(tmp_path: object) -> None:
    missing = f"{tmp_path}/none"
    address = TeamAddress(dsn="postgresql://me@h/db", password_file=missing)

    with pytest.raises(TeamRefused, match="password"):
        _dsn(address)
