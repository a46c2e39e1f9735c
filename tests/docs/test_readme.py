"""The README: what it quotes is what is printed, and its first screen says what it is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")
_GAP = "   …"


@pytest.mark.process
def test_the_demo_prints_what_the_readme_quotes(tmp_path: Path) -> None:
    """In its order, line by line; `…` stands for what is left out."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "demo"],
        env=environ, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8",
        check=True,
    )  # fmt: skip
    (quoted,) = re.findall(r"```\n(   ✓ .*?)\n```", _README, re.DOTALL)
    parts = quoted.split(f"{_GAP}\n")

    places = [done.stdout.find(part.rstrip("\n")) for part in parts]

    assert len(parts) == 2
    assert -1 not in places
    assert places == sorted(places)


def test_the_ten_commands_are_ten() -> None:
    """A newcomer counts them."""
    block = _README.partition("## Ten commands")[2].split("```")[1]

    assert len(re.findall(r"^holdfast ", block, re.MULTILINE)) == 10


def test_every_page_of_the_docs_is_in_the_index() -> None:
    """A guide or a concept that nobody is led to is not read."""
    index = (_ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [
        path.relative_to(_ROOT / "docs").as_posix()
        for folder in ("guides", "concepts", "reference")
        for path in (_ROOT / "docs" / folder).glob("*.md")
    ]

    assert [page for page in pages if f"]({page})" not in index] == []
