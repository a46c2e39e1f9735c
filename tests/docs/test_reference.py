"""The docs tell the truth about this commit."""

import re
from pathlib import Path

import pytest

from docs.build import pages
from docs.house import layers
from holdfast import __version__
from holdfast.config import KEYS
from holdfast.kernel import errors
from holdfast.surfaces.cli.commands import SUMMARIES

_ROOT = Path(__file__).parents[2]
_REFERENCE = _ROOT / "docs" / "reference"
_PAGES = sorted(_ROOT.glob("*.md")) + sorted((_ROOT / "docs").rglob("*.md"))
_NOTES = sorted((_ROOT / "benchmarks").rglob("*.md"))


@pytest.mark.parametrize("name", sorted(pages()))
def test_the_reference_is_what_the_code_says(name: str) -> None:
    """Run `make reference` after changing a command, a key, an error or a module."""
    assert (_REFERENCE / name).read_text(encoding="utf-8") == pages()[name]


@pytest.mark.parametrize("command", sorted(SUMMARIES))
def test_every_command_is_documented(command: str) -> None:
    """A command nobody can read about does not exist."""
    text = (_REFERENCE / "commands.md").read_text(encoding="utf-8")

    assert f"## holdfast {command}\n" in text


def test_every_config_key_is_documented() -> None:
    """With its default, what is allowed, and what it means."""
    text = (_REFERENCE / "config.md").read_text(encoding="utf-8")

    assert [key.key for key in KEYS if f"`{key.key}`" not in text] == []


def test_every_error_code_is_documented() -> None:
    """G8: each code with what it means and its exit status."""
    text = (_REFERENCE / "errors.md").read_text(encoding="utf-8")
    codes = {
        value.code
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.HoldfastError)
    }

    assert {"SESS_001", "SESS_002", "CKPT_001", "CKPT_002", "META_001"} <= codes
    assert {code for code in codes if f"`{code}`" not in text} == set()


def test_error_codes_are_told_apart() -> None:
    """Two outcomes with one code could not be scripted against."""
    kinds = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.HoldfastError)
    ]

    assert len({kind.code for kind in kinds}) == len(kinds)


def test_the_changelog_knows_this_version() -> None:
    """The version has one place in the code and one entry for people."""
    assert f"## {__version__}" in (_ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_changes_of_a_version_are_read_in_one_go() -> None:
    """Whoever upgrades wants to know what is new, not how it came about."""
    text = (_ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.split(r"(?m)^## ", text)[1:]

    assert {v.split()[0] for v in versions if len(v.splitlines()) > 60} == set()


def test_the_page_on_the_house_knows_every_room() -> None:
    """In the order of the layers that are enforced, each with what it may never do."""
    text = (_ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| ([a-z_]+) \| .+ \| .+ \|$", text, re.MULTILINE)

    assert rooms == ["room", *(room for layer in layers() for room in layer)]


def test_contributing_draws_the_layers_that_are_enforced() -> None:
    """Line by line, as `pyproject.toml` has them."""
    text = (_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = re.search(r"^```\n(surfaces .*?)^```", text, re.MULTILINE | re.DOTALL)

    assert drawn
    found = [line.partition("  ")[0] for line in drawn[1].splitlines()]
    assert found == [" | ".join(layer) for layer in layers()]


def test_the_glossary_is_in_order_and_names_each_word_once() -> None:
    """Who looks a word up finds it where the alphabet says."""
    text = (_ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| \*\*([^*]+)\*\* \|", text, re.MULTILINE)

    assert len(words) == text.count("\n| ") - 1
    assert words == sorted(set(words))


@pytest.mark.parametrize("page", [*_PAGES, *_NOTES], ids=str)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """A reader who follows a link finds the page."""
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", text)

    assert [t for t in targets if not (page.parent / t).exists()] == []


@pytest.mark.parametrize("page", [*_PAGES, *_NOTES], ids=str)
def test_links_to_a_heading_find_it(page: Path) -> None:
    """A heading that was renamed takes its links along."""
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", text)

    assert [
        (name, anchor)
        for name, anchor in targets
        if anchor not in _anchors(page.parent / name if name else page)
    ] == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", _PAGES, ids=str)
def test_commands_shown_in_the_docs_exist(page: Path) -> None:
    """Every `holdfast WORD` in a code block or backticks is a command of this version."""
    text = page.read_text(encoding="utf-8")
    shown = set(re.findall(r"(?:^\$ |^|`)holdfast ([a-z]+)", text, re.MULTILINE))

    assert shown - set(SUMMARIES) == set()
