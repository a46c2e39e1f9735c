"""The list of tokens for `holdfast serve`, without their secrets.

    access/tokens.json   ids, names, scopes, projects, days, hashes
    access/lock          held by whoever changes it

They belong to the machine that serves: no record names them, and no export, sync or mirror
takes them along. The file is replaced as a whole, so a reader needs no lock.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from holdfast.domain.access import ACCESS_SCOPES, AccessToken
from holdfast.domain.record_content import Json
from holdfast.kernel.directories import make_own_directory
from holdfast.kernel.errors import HoldfastError, TokensUnreadable, TokenUnknown
from holdfast.kernel.files import read_with_status, replace_file
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import replace
from holdfast.kernel.locks import Lock

NAME = "access"
_FORMAT = 1
_MOST = 4_000_000  # bytes: thousands of tokens
_PATIENCE = 10.0  # seconds
_ID = pattern(r"[0-9a-f]{8}")
_DIGEST = pattern(r"[0-9a-f]{64}")

_Sign = tuple[int, ...]  # which file it was, how long, changed when, and its rights


class TokenFile:
    """Does what `port.AccessTokens` says."""

    def __init__(self, home: str) -> None:
        self._directory = os.path.join(home, NAME)
        self._path = os.path.join(self._directory, "tokens.json")
        self._known: tuple[_Sign, tuple[AccessToken, ...]] | None = None

    def every(self) -> tuple[AccessToken, ...]:
        known = self._known
        self._refuse_link()
        try:
            # A server asks at every request, and reads what it has not read yet.
            if known is not None and _sign(os.stat(self._path)) == known[0]:
                return known[1]
            data, seen = read_with_status(self._path, limit=_MOST)
        except FileNotFoundError:
            return ()
        except OSError as problem:
            raise self._unreadable(problem.strerror or "it cannot be read") from None
        try:
            tokens = _read(json.loads(data))
        except (ValueError, RecursionError):
            raise self._unreadable("it is not as holdfast wrote it") from None
        self._known = _sign(seen), tokens
        return tokens

    def add(self, token: AccessToken) -> None:
        with self._changing() as tokens:
            self._write((*tokens, token))

    def revoke(self, token_id: str, now_ms: int) -> AccessToken:
        def revoked(token: AccessToken) -> AccessToken:
            return token if token.revoked_ms else replace(token, revoked_ms=now_ms)

        with self._changing() as tokens:
            return self._change(token_id, tokens, revoked)

    def used(self, token_id: str, day: str) -> None:
        with suppress(OSError, HoldfastError), self._changing() as tokens:
            self._change(token_id, tokens, lambda token: replace(token, last_used=day))

    @contextmanager
    def _changing(self) -> Iterator[tuple[AccessToken, ...]]:
        self._refuse_link()
        make_own_directory(self._directory)
        with Lock(f"{self._directory}/lock", None, _PATIENCE).held():
            self._known = None  # two changes may be closer than a clock can tell
            yield self.every()

    def _change(
        self,
        token_id: str,
        tokens: Sequence[AccessToken],
        changed: Callable[[AccessToken], AccessToken],
    ) -> AccessToken:
        found = next((each for each in tokens if each.token_id == token_id), None)
        if found is None:
            raise TokenUnknown(
                "no token has this id", hint="see them with `holdfast token list`"
            )
        now = changed(found)
        if now != found:
            self._write([now if each is found else each for each in tokens])
        return now

    def _write(self, tokens: Sequence[AccessToken]) -> None:
        told = {"format": _FORMAT, "tokens": [_told(each) for each in tokens]}
        replace_file(self._path, json.dumps(told, indent=1).encode())
        self._known = None

    def _refuse_link(self) -> None:
        """Raises:
        TokensUnreadable: a link stands where the directory was: whoever can write where
            it leads says who may ask.
        """
        if os.path.islink(self._directory):
            raise TokensUnreadable(
                f"the tokens in `{self._directory}` are not read: it is a symbolic link",
                hint="put a real directory there; until then no token is accepted, and"
                " `holdfast token create` makes one",
            )

    def _unreadable(self, why: str) -> TokensUnreadable:
        return TokensUnreadable(
            f"the tokens in `{self._path}` cannot be read: {why}",
            hint="repair that file or move it away; without it no token is accepted, and"
            " `holdfast token create` makes new ones",
        )


def _sign(seen: os.stat_result) -> _Sign:
    return seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns


def _told(token: AccessToken) -> Json:
    return {
        "id": token.token_id,
        "name": token.name,
        "scope": token.scope,
        "projects": list(token.projects),
        "created": token.created_ms,
        "expires": token.until_ms,
        "revoked": token.revoked_ms,
        "last_used": token.last_used,
        "sha256": token.digest,
    }


def _read(value: Any) -> tuple[AccessToken, ...]:
    """Return the tokens of a file.

    Raises:
        ValueError: it is none of ours. A list that was changed by hand in one place is
            believed in none: what is missing there may be that a token was revoked.
    """
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise ValueError("another format")
    tokens = value.get("tokens")
    if not isinstance(tokens, list):
        raise ValueError("no list")  # noqa: TRY004  # one outcome for every shape
    return tuple(map(_token, tokens))


def _token(row: Any) -> AccessToken:
    if not isinstance(row, dict) or not _is_sound(row):
        raise ValueError("not a token")
    return AccessToken(
        token_id=row["id"],
        name=row["name"],
        scope=row["scope"],
        projects=tuple(row["projects"]),
        created_ms=row["created"],
        until_ms=row["expires"],
        revoked_ms=row["revoked"],
        last_used=row["last_used"],
        digest=row["sha256"],
    )


def _is_sound(row: dict[str, Any]) -> bool:
    texts = [row.get(key) for key in ("id", "name", "scope", "last_used", "sha256")]
    projects, revoked = row.get("projects"), row.get("revoked", "")
    moments = [
        row.get("created"),
        row.get("expires"),
        0 if revoked is None else revoked,
    ]
    return (
        all(isinstance(text, str) for text in texts)
        and all(type(moment) is int for moment in moments)
        and isinstance(projects, list)
        and len(projects) <= 1
        and all(isinstance(project, str) and project for project in projects)
        and row["scope"] in ACCESS_SCOPES
        and _ID.fullmatch(row["id"]) is not None
        and _DIGEST.fullmatch(row["sha256"]) is not None
    )
