"""What the docs name in the tree is there: files, tests and modules."""

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PACKAGE = _ROOT / "src" / "holdfast"
_PAGES = sorted(_ROOT.glob("*.md")) + sorted((_ROOT / "docs").rglob("*.md"))
_FILE = re.compile(r"(?<![\w/.~$-])(?:[\w-]+/)+[\w*-]+\.(?:py|sql)\b")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)  # often a user's project
_TEST = re.compile(r"(?<![\w/])test_\w+\.py\b")
_MODULE = re.compile(r"\bholdfast(?:\.[a-z_]+)+\b(?!\.?[A-Z(/])")
_EXAMPLES = ("auth/", "src/auth/")  # the project of the guides
_NO_MODULES = ("holdfast.ts", "holdfast.db", "holdfast.fish", "holdfast.json")


def _name(path: Path) -> str:
    return str(path.relative_to(_ROOT))


@pytest.mark.parametrize("page", _PAGES, ids=_name)
def test_every_file_that_is_named_exists(page: Path) -> None:
    """A path in the docs is below the repository or below the package."""
    named = set(_FILE.findall(_FENCED.sub("", page.read_text(encoding="utf-8"))))

    gone = {
        path
        for path in named
        if not path.startswith(_EXAMPLES)
        and not any(list(root.glob(path)) for root in (_ROOT, _PACKAGE))
    }

    assert gone == set()


@pytest.mark.parametrize("page", _PAGES, ids=_name)
def test_every_test_that_is_named_exists(page: Path) -> None:
    """Who is sent to a test by its bare name finds it."""
    named = set(_TEST.findall(page.read_text(encoding="utf-8")))

    gone = {name for name in named if not any((_ROOT / "tests").rglob(name))}

    assert gone == set()


@pytest.mark.parametrize("page", _PAGES, ids=_name)
def test_every_module_that_is_named_exists(page: Path) -> None:
    """`holdfast.room.module`, or a name inside it."""
    named = set(_MODULE.findall(page.read_text(encoding="utf-8")))

    gone = {name for name in named if not _is_there(name)} - set(_NO_MODULES)

    assert gone == set()


def _is_there(name: str) -> bool:
    place = _PACKAGE.joinpath(*name.split(".")[1:])
    return (
        place.is_dir()
        or place.with_suffix(".py").is_file()
        or (
            place.parent.with_suffix(".py").is_file()
            and place.name in place.parent.with_suffix(".py").read_text("utf-8")
        )
    )
