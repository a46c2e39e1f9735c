"""A team that keeps checkpoints together: where, as whom, and what it tells."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from holdfast.domain.foreign import RecordProof
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass

DEFAULT_TENANT = "team"
_TENANT = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TEXTS = ("dsn", "tenant", "password_file")
_KEYS = frozenset([*_TEXTS, "projects"])
_SCHEMES = ("postgresql", "postgres")
# What the environment would fill in: a repository can set that.
_NEEDED = ("host", "user", "database")


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamAddress:
    """Where a team's database is, without its password: that stands in a file of the
    user's, in `~/.pgpass`, or is not asked for."""

    dsn: str
    tenant: str = DEFAULT_TENANT
    password_file: str = ""
    projects: tuple[str, ...] = ()  # globs of directories; none: every project


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamNews:
    """A record that a machine gave, or that was removed: then without a proof."""

    change: int  # grows within a project
    checkpoint_id: str
    machine: str
    proof: RecordProof | None


def team_address(value: Any) -> TeamAddress | str:
    """Return the address that a setting means, or what is wrong with it."""
    told = {"dsn": value} if isinstance(value, str) else value
    if not isinstance(told, Mapping):
        return "is not an address, or an object with `dsn`"
    unknown = sorted(set(told) - _KEYS)
    if unknown:
        return f"has an unknown field `{unknown[0]}`"
    projects = told.get("projects", [])
    texts = [told.get(name, "") for name in _TEXTS]
    if not isinstance(projects, list) or not _are_texts([*texts, *projects]):
        return "has a field that is not text"
    if _TENANT.fullmatch(told.get("tenant", DEFAULT_TENANT)) is None:
        return "has a `tenant` that is not a plain word"
    wrong = _wrong(told.get("dsn", ""))
    return wrong or TeamAddress(**{**told, "projects": tuple(projects)})


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _wrong(dsn: str) -> str:
    """Return what is wrong with an address, without repeating what it says."""
    try:
        parts = urlsplit(dsn)
        options = dict(parse_qsl(parts.query))
        password = parts.password
    except ValueError:
        return "has a `dsn` that is not an address"
    if parts.scheme not in _SCHEMES:
        return "has a `dsn` that does not begin with `postgresql://`"
    if password is not None or "password" in options:
        return "has a password in its `dsn`: put it into `~/.pgpass`, or a file that `password_file` names"
    named = {
        "host": parts.hostname or options.get("host"),
        "user": parts.username or options.get("user"),
        "database": parts.path.strip("/") or options.get("dbname"),
    }
    missing = [each for each in _NEEDED if not named[each]]
    return f"has a `dsn` that names no {missing[0]}" if missing else ""
