"""The house as it stands in the tree: layers, rooms, modules and who imports whom.

Layers come from import-linter's contract in `pyproject.toml`, everything else from
the sources, which are parsed and never imported.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[1]
_SOURCE = _ROOT / "src" / "holdfast"
_PACKAGE = "holdfast"


@dataclass(frozen=True, slots=True)
class Module:
    """One file: its path below the package, what it says it is, its size."""

    path: str
    says: str
    lines: int
    imports: tuple[str, ...]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def room(self) -> str:
        return self.path.partition("/")[0]

    @property
    def is_folder(self) -> bool:
        return self.path.endswith("/__init__.py")


def layers() -> tuple[tuple[str, ...], ...]:
    """Return the rooms of each layer, the highest first."""
    return tuple(tuple(line.split(" | ")) for line in _contract("layers")["layers"])


def pure_rooms() -> frozenset[str]:
    """Return the rooms that do no input and output, as import-linter guards it."""
    guarded = _contract("forbidden")["source_modules"]
    return frozenset(name.removeprefix(f"{_PACKAGE}.") for name in guarded)


@cache
def modules() -> tuple[Module, ...]:
    """Return every module of a room, in the order of their paths."""
    found = (_module(path) for path in _SOURCE.rglob("*.py"))
    return tuple(sorted((m for m in found if m.folder), key=lambda m: m.path))


def says(folder: str) -> str:
    """Return the sentence with which a room or a folder in it introduces itself."""
    inside = f"{folder}/__init__.py"
    return next((m.says for m in modules() if m.path == inside), "")


def lines(room: str) -> int:
    """Return how many lines a room has."""
    return sum(m.lines for m in modules() if m.room == room)


def imports() -> Counter[tuple[str, str]]:
    """Return how often modules of one room name modules of another."""
    pairs = ((m.room, other) for m in modules() for other in m.imports)
    return Counter((room, other) for room, other in pairs if room != other)


@cache
def _contract(kind: str) -> dict[str, list[str]]:
    """Return the first contract of a kind: the rooms, and those that are pure."""
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return next(each for each in contracts if each["type"] == kind)


def _module(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    return Module(
        path=path.relative_to(_SOURCE).as_posix(),
        says=_first_paragraph(ast.get_docstring(tree) or ""),
        lines=len(text.splitlines()),
        imports=tuple(_rooms_imported(tree)),
    )


def _first_paragraph(docstring: str) -> str:
    return " ".join(docstring.partition("\n\n")[0].split())


def _rooms_imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(name)):
                names = [name]
            case ast.Import(names=aliases):
                names = [alias.name for alias in aliases]
            case _:
                continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == _PACKAGE and rest:
                yield rest.partition(".")[0]
