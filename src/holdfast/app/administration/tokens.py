"""Make, list and revoke the tokens that let others use the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.access import AccessToken, digest_of, presented_form
from holdfast.domain.text import one_line, plain
from holdfast.kernel.clock import iso
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.data_directory.port import AccessTokens
    from holdfast.domain.access import AccessScope
    from holdfast.domain.record_content import Json

_DAY_MS = 86_400_000
_LONGEST_NAME = 64
_ID_BYTES, _SECRET_BYTES = 4, 32  # 256 bits, which nobody guesses


class TokenRequest(NamedTuple):
    """What a token is to be good for."""

    scope: AccessScope
    days: int
    name: str = ""  # for whoever reads the list
    project: str = ""  # its id; empty: every project


class NewToken(NamedTuple):
    """A token with its secret, which is told once and kept by nobody here."""

    token: AccessToken
    presented: str


def create_token(
    wanted: TokenRequest,
    tokens: AccessTokens,
    now_ms: int,
    random: Callable[[int], bytes],
) -> NewToken:
    """Make a token.

    Raises:
        TokensUnreadable: what is kept cannot be read, and stays as it is.
    """
    known = {each.token_id for each in tokens.every()}
    token_id = random(_ID_BYTES).hex()
    while token_id in known:
        token_id = random(_ID_BYTES).hex()
    secret = random(_SECRET_BYTES).hex()
    token = AccessToken(
        token_id=token_id,
        name=one_line(plain(wanted.name), _LONGEST_NAME),
        scope=wanted.scope,
        projects=(wanted.project,) if wanted.project else (),
        created_ms=now_ms,
        until_ms=now_ms + wanted.days * _DAY_MS,
        digest=digest_of(secret),
    )
    tokens.add(token)
    return NewToken(token, presented_form(token_id, secret))


def token_state(token: AccessToken, now_ms: int) -> str:
    """Return in a word whether a token is good, and why not."""
    if token.revoked_ms is not None:
        return "revoked"
    return "good" if token.is_good(now_ms) else "expired"


def token_answer(token: AccessToken, now_ms: int) -> Json:
    """Return a token as JSON; there is nothing of its secret in it."""
    revoked = token.revoked_ms
    return {
        "id": token.token_id,
        "name": token.name or None,
        "scope": token.scope,
        "project": token.projects[0] if token.projects else None,
        "created_at": iso(token.created_ms),
        "expires_at": iso(token.until_ms),
        "revoked_at": None if revoked is None else iso(revoked),
        "last_used": token.last_used or None,
        "state": token_state(token, now_ms),
    }
