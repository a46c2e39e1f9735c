"""Which settings name a team's database, and which are refused before anybody connects."""

from typing import Any

import pytest

from holdfast.domain.team import TeamAddress, team_address

DSN = "postgresql://me@db.example.org/holdfast"


def test_an_address_is_enough() -> None:
    assert team_address(DSN) == TeamAddress(dsn=DSN, tenant="team")


def test_an_object_says_more() -> None:
    told: dict[str, Any] = {
        "dsn": f"{DSN}?sslmode=verify-full",
        "tenant": "compilers",
        "password_file": "~/.config/holdfast/team-password",
        "projects": ["~/code/**"],
    }

    assert team_address(told) == TeamAddress(**{**told, "projects": ("~/code/**",)})


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://me:hunter2@db.example.org/holdfast",
        "postgresql://me@db.example.org/holdfast?password=hunter2",
    ],
)
def test_a_password_does_not_stand_in_settings(dsn: str) -> None:
    """They are shown, copied and committed; and what is wrong is told without it."""
    wrong = team_address(dsn)

    assert isinstance(wrong, str)
    assert "password" in wrong
    assert "hunter2" not in wrong


@pytest.mark.parametrize(
    ("dsn", "missing"),
    [
        ("postgresql:///holdfast", "host"),
        ("postgresql://db.example.org/holdfast", "user"),
        ("postgresql://me@db.example.org", "database"),
    ],
)
def test_nothing_is_left_to_the_environment(dsn: str, missing: str) -> None:
    """A repository can set the environment: it would say where to connect."""
    assert team_address(dsn) == f"has a `dsn` that names no {missing}"


def test_a_socket_is_a_host() -> None:
    dsn = "postgresql:///holdfast?host=/run/postgresql&user=me"

    assert isinstance(team_address(dsn), TeamAddress)


@pytest.mark.parametrize(
    "value",
    [
        7,
        [],
        {},
        "sqlite:///x",
        "mysql://me@host/db",
        "postgresql://me@[::1/db",
        {"dsn": DSN, "tenant": "a b"},
        {"dsn": DSN, "tenant": ""},
        {"dsn": DSN, "passwort": "x"},
        {"dsn": 7},
        {"dsn": DSN, "projects": "~/work"},
        {"dsn": DSN, "projects": [7]},
    ],
    ids=repr,
)
def test_what_is_no_address_is_told(value: object) -> None:
    assert isinstance(team_address(value), str)
