"""What a token grants, and what is said to whoever has none that is good."""

import pytest

from holdfast.domain.access import (
    AccessToken,
    Grant,
    digest_of,
    granted,
    has_scope,
    presented_form,
)
from tests.builders import NOON

_SECRET = "5" * 64
_ID = "0a1b2c3d"


def _kept(**told: object) -> AccessToken:
    usual: dict[str, object] = {
        "token_id": _ID, "name": "laptop", "scope": "write", "projects": ("p-1",),
        "created_ms": NOON, "until_ms": NOON + 10, "digest": digest_of(_SECRET),
    }  # fmt: skip
    return AccessToken(**{**usual, **told})  # type: ignore[arg-type]  # the fields it has


def test_a_token_grants_what_it_was_made_for() -> None:
    found = granted(presented_form(_ID, _SECRET), [_kept()], NOON)

    assert found == Grant(
        token_id=_ID,
        name="laptop",
        scope="write",
        projects=("p-1",),
        until_ms=NOON + 10,
    )


@pytest.mark.parametrize(
    "presented",
    [
        "", "hft_", _SECRET, presented_form(_ID, "7" * 64), presented_form("ffffffff", _SECRET),
        presented_form(_ID, _SECRET + "5"), presented_form(_ID, _SECRET[1:]), "hft_é",
        f" {presented_form(_ID, _SECRET)}", f"{presented_form(_ID, _SECRET)}\n",
        presented_form(_ID.upper(), _SECRET), presented_form(_ID, digest_of(_SECRET)),
    ],
)  # fmt: skip
def test_what_is_not_exactly_a_token_is_unknown(presented: str) -> None:
    assert granted(presented, [_kept()], NOON) == "unknown"


def test_only_its_owner_learns_what_became_of_a_token() -> None:
    """Whoever has the id alone, which a list shows, learns nothing."""
    old, revoked = _kept(until_ms=NOON), _kept(revoked_ms=NOON - 1)

    assert granted(presented_form(_ID, _SECRET), [old], NOON) == "expired"
    assert granted(presented_form(_ID, _SECRET), [revoked], NOON) == "revoked"
    assert granted(presented_form(_ID, "7" * 64), [old], NOON) == "unknown"
    assert granted(presented_form(_ID, "7" * 64), [revoked], NOON) == "unknown"


@pytest.mark.parametrize(
    ("scope", "may"),
    [
        ("read", [True, False, False]),
        ("write", [True, True, False]),
        ("admin", [True, True, True]),
    ],
)
def test_a_scope_holds_those_before_it(scope: str, may: list[bool]) -> None:
    grant = _kept(scope=scope).grant

    assert [has_scope(grant, "read"), has_scope(grant, "write")] == may[:2]
    assert grant.allows("admin", "p-1") is may[2]


def test_a_grant_of_one_project_reaches_no_other_and_not_all_at_once() -> None:
    one, every = _kept().grant, _kept(projects=()).grant

    assert one.allows("read", "p-1")
    assert not one.allows("read", "p-2")
    assert not one.allows("read", "")
    assert not one.allows("read")
    assert every.allows("read", "p-2")
    assert every.allows("read")
