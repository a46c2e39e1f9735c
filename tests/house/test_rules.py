"""Rules of the house that no linter knows."""

import ast
import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_MODULES = sorted((_ROOT / "src").rglob("*.py"))
_CODE = [*_MODULES, *sorted((_ROOT / "tests").rglob("*.py"))]
_MOST_LINES = 400


def _name(path: Path) -> str:
    return str(path.relative_to(_ROOT))


@pytest.mark.parametrize("path", _MODULES, ids=_name)
def test_a_file_fits_in_a_head(path: Path) -> None:
    """Aim at 200 lines, stop at 400: longer files want to be two."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= _MOST_LINES


@pytest.mark.parametrize("path", _MODULES, ids=_name)
def test_a_module_says_what_it_is(path: Path) -> None:
    """The first thing a reader sees is one sentence about the file."""
    assert path.read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("path", _CODE, ids=_name)
def test_a_suppression_carries_its_reason(path: Path) -> None:
    """A `noqa` or `type: ignore` without a reason is a rule nobody can question."""
    bare = [
        line.strip()
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"#\s*(noqa|type: ignore)", line)
        and not re.search(r"(noqa: [A-Z0-9, ]+|ignore\[[\w, -]+\])\s+#\s*\S", line)
        and "re.search" not in line
    ]

    assert bare == []


@pytest.mark.parametrize("path", _CODE, ids=_name)
def test_a_to_do_names_its_issue(path: Path) -> None:
    """`TODO(#123)` or not at all."""
    text = path.read_text(encoding="utf-8")

    assert not re.search(r"#\s*(TODO|FIXME|XXX)(?!\(#\d+\))", text)


_PORTS = [
    path
    for path in _MODULES
    if path.stem.endswith("port") and path.parent.name in ("store", "data_directory")
]
_MOST_PROMISES = 12


@pytest.mark.parametrize("path", _PORTS, ids=_name)
def test_a_role_is_a_handful_of_promises(path: Path) -> None:
    """Whoever writes a second adapter reads a role at one sitting."""
    roles = [
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    promises = {
        role.name: sum(isinstance(part, ast.FunctionDef) for part in role.body)
        for role in roles
    }

    assert {n: many for n, many in promises.items() if many > _MOST_PROMISES} == {}
