"""The pictures of the docs: each small, each drawn by `make pictures`, each shown."""

import re
from pathlib import Path

from docs.clear_picture import PICTURE
from docs.pictures import SHOTS, SHOTS_OF_A_FILE

_ROOT = Path(__file__).parents[2]
_PAGES = {f"{shot.name}.webp" for shot in (*SHOTS, *SHOTS_OF_A_FILE)}
_FIRST_SCREEN = 24  # lines of the README


def test_every_picture_is_drawn_from_a_made_up_week_and_small() -> None:
    """None was put there by hand: it could be of somebody's work."""
    found = {path.name: path for path in (_ROOT / "docs" / "pictures").iterdir()}

    assert {*found} == _PAGES | {PICTURE}
    sizes = {name: path.stat().st_size for name, path in found.items()}
    assert {name: size for name, size in sizes.items() if size > 150_000} == {}
    heads = {path.read_bytes()[:4] for path in found.values()}
    assert heads == {b"RIFF", b"<svg"}


def test_the_picture_of_a_clear_shows_no_directory_and_fetches_nothing() -> None:
    """It is drawn from a real screen, on which the client tells where it runs."""
    drawn = (_ROOT / "docs" / "pictures" / PICTURE).read_text(encoding="utf-8")
    text = drawn.replace("&#160;", " ")

    assert "Checkpoint saved:" in text
    assert "All: holdfast show 1" in text
    assert not re.search(r"/(?:tmp|home|root|Users)/|url\(http|@import|<script", text)


def test_every_picture_is_shown_with_words_for_who_does_not_see_it() -> None:
    guides = _ROOT / "docs" / "guides"
    browser = (guides / "browser.md").read_text(encoding="utf-8")
    automation = (guides / "checkpoint-automation.md").read_text(encoding="utf-8")
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    first_screen = "\n".join(readme.splitlines()[:_FIRST_SCREEN])

    assert [name for name in _PAGES if f"](../pictures/{name})" not in browser] == []
    assert f"](../pictures/{PICTURE})" in automation
    assert f"](docs/pictures/{PICTURE})" in first_screen
    assert "](docs/pictures/timeline.webp)" in readme
    assert "![](" not in browser + automation + readme
