"""The files sent to the browser: the page and its modules.

They are read once, by names from a list that the package makes; a request can only name
one of them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_PAGE = "index.html"
_STYLE = "style.css"
_TOKEN = "{{token}}"  # noqa: S105  # where it goes
_GUEST = "{{guest}}"


class Asset(NamedTuple):
    name: str  # `pages/checkpoint.js`
    text: str
    media_type: str


@cache
def assets() -> Mapping[str, Asset]:
    """Return every file a page loads, by its name; all styles are one."""
    found = list(_found(files("holdfast.surfaces.web") / "page", ""))
    sheets = [each for each in found if each.name.endswith(".css")]
    sheets.sort(key=lambda each: each.name != _STYLE)  # a page's own come after it
    style = Asset(_STYLE, "\n".join(each.text for each in sheets), _TYPES[".css"])
    others = {each.name: each for each in found if each not in sheets}
    return {**others, _STYLE: style}


@cache
def page_template() -> str:
    """Return the page with a place for its token."""
    root = files("holdfast.surfaces.web") / "page"
    return (root / _PAGE).read_text(encoding="utf-8")


def index_page(token: str, guest: str = "") -> str:
    """Return the page for a browser that was let in; `guest` is what somebody may do who
    is not the user of this machine."""
    return page_template().replace(_TOKEN, token).replace(_GUEST, guest)


def _found(place: Traversable, prefix: str) -> Iterator[Asset]:
    for each in sorted(place.iterdir(), key=lambda one: one.name):
        name = f"{prefix}{each.name}"
        kind = _TYPES.get(f".{each.name.rpartition('.')[2]}")
        if each.is_dir():
            yield from _found(each, f"{name}/")
        elif kind:
            yield Asset(name, each.read_text(encoding="utf-8"), kind)
