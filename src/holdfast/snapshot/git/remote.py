"""A repository's address in one form, however it was cloned: `host/owner/name`."""

import re

from holdfast.kernel.lazy_patterns import pattern
from holdfast.snapshot.git import gitconfig

_URL = pattern(r"([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)", re.IGNORECASE)
_SCP = pattern(r"(?:[^@/\[]*@)?(\[[^\]/]+\]|[^:/\[\]]+):(?!:)(.*)", re.DOTALL)
_HOST = pattern(r"(?:.*@)?(\[[^\]]*\]|[^:]*)(?::\d*)?")
_NETWORK = frozenset(
    ["ssh", "git", "http", "https", "ftp", "ftps", "git+ssh", "ssh+git", "git+https"]
)
_ORIGIN = "origin"


def normalised(url: str) -> str | None:
    """Return `host/owner/name`, without credentials; None for a path or a helper."""
    host, path = _parts(url.strip())
    name = "/".join(part for part in path.split("/") if part)
    name = name.removesuffix(".git").rstrip("/")
    if not host or not name or not f"{host}{name}".isprintable():
        return None
    return f"{host.lower()}/{name}"


def of(values: gitconfig.Values, branch: str | None) -> str | None:
    """Return the normalised address of the remote that stands for the repository.

    That is `origin`; without it the one the branch follows; without that the only one.
    """
    urls = {
        name.removeprefix("remote.").removesuffix(".url"): found[0]
        for name, found in values.items()
        if name.startswith("remote.") and name.endswith(".url") and found[0]
    }
    upstream = gitconfig.last(values, f"branch.{branch}.remote") if branch else None
    if _ORIGIN in urls:
        return normalised(urls[_ORIGIN])
    if upstream in urls:
        return normalised(urls[upstream])
    return normalised(next(iter(urls.values()))) if len(urls) == 1 else None


def _parts(url: str) -> tuple[str, str]:
    """Return host and path, or two empty texts."""
    if found := _URL.match(url):
        host = _HOST.fullmatch(found[2])
        known = found[1].lower() in _NETWORK and host is not None
        return (_bare(host[1]), found[3]) if known and host else ("", "")
    # `C:\work` is a path on a drive, and one letter is nobody's host.
    if (found := _SCP.fullmatch(url)) and len(found[1]) > 1:
        return _scp_host(found[1]), found[2]
    return "", ""


def _scp_host(text: str) -> str:
    """Return the host of `host`, `[host:port]` or `[::1]`."""
    inner = _bare(text)
    if inner is text or inner.count(":") != 1:
        return inner
    return inner.split(":")[0].rpartition("@")[2]


def _bare(host: str) -> str:
    return host[1:-1] if host.startswith("[") else host
