"""Who may do what at a server: tokens as they are kept, and what one of them grants.

Pure: what was presented, what is kept and the time in; a grant or a refusal out.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING, Literal, get_args

from holdfast.kernel.digests import sha256
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

AccessScope = Literal["read", "write", "admin"]  # each may do what those before it may
ACCESS_SCOPES: tuple[AccessScope, ...] = get_args(AccessScope)
Refused = Literal["unknown", "expired", "revoked"]
LOCAL = "local"  # the token id of whoever started the server: there is no token
_PRESENTED = pattern(r"hft_([0-9a-f]{8})([0-9a-f]{64})")
_NOBODYS = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What whoever asks may do: it stands behind every request that is answered."""

    token_id: str
    name: str
    scope: AccessScope
    projects: tuple[str, ...] = ()  # ids; none: every project
    until_ms: int

    def allows(self, needed: AccessScope, project_id: str | None = None) -> bool:
        """Say whether this may be done in a project; `None` is every project at once,
        which is more than a grant of some projects allows."""
        return has_scope(self, needed) and self.is_for(project_id)

    def is_for(self, project_id: str | None) -> bool:
        return not self.projects or project_id in self.projects


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token as it is kept: all but its secret.

    Of the secret there is its SHA-256. That is enough: a slow hash protects words that
    people think of, and nobody can try 2^256 random ones; it would only make every
    request slow.
    """

    token_id: str
    name: str
    scope: AccessScope
    projects: tuple[str, ...] = ()
    created_ms: int
    until_ms: int
    revoked_ms: int | None = None
    last_used: str = ""  # a day; empty: never
    digest: str

    @property
    def grant(self) -> Grant:
        return Grant(
            token_id=self.token_id,
            name=self.name,
            scope=self.scope,
            projects=self.projects,
            until_ms=self.until_ms,
        )

    def is_good(self, now_ms: int) -> bool:
        return self.revoked_ms is None and now_ms < self.until_ms


def has_scope(grant: Grant, needed: AccessScope) -> bool:
    """Say whether a grant goes as far, whatever the project."""
    return ACCESS_SCOPES.index(needed) <= ACCESS_SCOPES.index(grant.scope)


def presented_form(token_id: str, secret: str) -> str:
    """Return what a client is given: the id says which hash to compare with.

    It is one word, which a double click takes whole and redaction knows.
    """
    return f"hft_{token_id}{secret}"


def digest_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def granted(
    presented: str, tokens: Iterable[AccessToken], now_ms: int
) -> Grant | Refused:
    """Return what a presented token grants, or why nothing.

    Only whoever has the secret learns that a token expired or was revoked. Hashes are
    compared, in constant time: how long it takes tells nothing of a secret.
    """
    found = _PRESENTED.fullmatch(presented)
    token_id, secret = (found[1], found[2]) if found else ("", "")
    kept = next((each for each in tokens if each.token_id == token_id), None)
    is_its = compare_digest(digest_of(secret), kept.digest if kept else _NOBODYS)
    if kept is None or not is_its:
        return "unknown"
    if kept.revoked_ms is not None:
        return "revoked"
    return kept.grant if kept.is_good(now_ms) else "expired"
