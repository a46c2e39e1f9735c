"""Who is logged in: the browser that opened the printed address, and owners of tokens.

A browser gets a cookie for either. What is kept of a cookie is its hash, looked up as such,
so how long that takes tells nothing of another's. A token is looked up at each request: one
that is revoked is good for nothing from the next request on, and so is its cookie.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from holdfast.domain.access import LOCAL, Grant, digest_of, granted
from holdfast.kernel.clock import iso
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.data_directory.port import AccessTokens
    from holdfast.domain.access import Refused
    from holdfast.kernel.clock import Clock
    from holdfast.surfaces.web.exposure import Exposure

ENTER = "/enter/"
_LIFETIME_MS = 12 * 3_600_000
MOST_SESSIONS = 20  # of one token: who logs in again and again ends their own
_DAY = len("2026-11-18")


@dataclass(frozen=True, slots=True)
class WebSession:
    """A browser that was let in."""

    token: str  # for what changes something
    grant: Grant  # of this session: it ends with it


class NewCookie(NamedTuple):
    """What a browser keeps, and nobody here."""

    value: str


class Access:
    """Who was let in, and what the next one has to show."""

    def __init__(self, exposure: Exposure, clock: Clock, tokens: AccessTokens) -> None:
        self.exposure = exposure
        self.clock = clock
        self._tokens = tokens
        self._once = secrets.token_urlsafe(32) if exposure.has_loopback else None
        self._sessions: dict[str, WebSession] = {}
        self._used: dict[str, str] = {}  # the day on which a token was used last

    @property
    def path(self) -> str:
        """Return where the first browser comes in, and no second one."""
        return f"{ENTER}{self._once or ''}"

    def enter(self, once: str) -> str | None:
        """Return a new cookie for the one-time word, which is then spent."""
        if self._once is None or not is_same(once, self._once):
            return None
        self._once = None
        until = self.clock.now_ms() + _LIFETIME_MS
        grant = Grant(
            token_id=LOCAL, name="this machine", scope="admin", until_ms=until
        )
        return self._begun(grant)

    def log_in(self, presented: str) -> NewCookie | Refused:
        """Return a new cookie for a token, or why there is none.

        Raises:
            TokensUnreadable
        """
        found = self.bearer(presented)
        if not isinstance(found, Grant):
            return found
        until = min(found.until_ms, self.clock.now_ms() + _LIFETIME_MS)
        return NewCookie(self._begun(replace(found, until_ms=until)))

    def log_out(self, cookie: str) -> None:
        self._sessions.pop(digest_of(cookie), None)

    def session(self, cookie: str) -> WebSession | None:
        """Return whom a cookie belongs to, if it is still good.

        Raises:
            TokensUnreadable
        """
        session = self._sessions.get(digest_of(cookie))
        return session if session and self.is_good(session.grant) else None

    def bearer(self, presented: str) -> Grant | Refused:
        """Return what a token grants, or why nothing.

        Raises:
            TokensUnreadable
        """
        now_ms = self.clock.now_ms()
        found = granted(presented, self._tokens.every(), now_ms)
        if isinstance(found, Grant):
            self._note_use(found.token_id, iso(now_ms)[:_DAY])
        return found

    def is_good(self, grant: Grant) -> bool:
        """Say whether a grant is still what it was when it was given.

        Raises:
            TokensUnreadable
        """
        now_ms = self.clock.now_ms()
        if now_ms >= grant.until_ms:
            return False
        if grant.token_id == LOCAL:
            return True
        kept = (t for t in self._tokens.every() if t.token_id == grant.token_id)
        return any(each.is_good(now_ms) for each in kept)

    def _begun(self, grant: Grant) -> str:
        cookie = secrets.token_urlsafe(32)
        self._end_oldest(grant.token_id)
        self._sessions[digest_of(cookie)] = WebSession(secrets.token_urlsafe(32), grant)
        return cookie

    def _end_oldest(self, token_id: str) -> None:
        """Make room for one more session of a token, and leave those of others alone."""
        grants = ((key, each.grant) for key, each in self._sessions.items())
        theirs = [key for key, grant in grants if grant.token_id == token_id]
        for key in theirs[: max(0, len(theirs) + 1 - MOST_SESSIONS)]:
            del self._sessions[key]

    def _note_use(self, token_id: str, day: str) -> None:
        """A token that is used all day is written down once."""
        if self._used.get(token_id) != day:
            self._used[token_id] = day
            self._tokens.used(token_id, day)


def is_same(given: str, expected: str) -> bool:
    return secrets.compare_digest(given.encode(), expected.encode())
