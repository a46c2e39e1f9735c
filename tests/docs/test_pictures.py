"""The pictures of the guide: each small, each drawn by `make pictures`, each shown."""

from pathlib import Path

from docs.pictures import SHOTS, SHOTS_OF_A_FILE

_ROOT = Path(__file__).parents[2]
_DRAWN = {f"{shot.name}.webp" for shot in (*SHOTS, *SHOTS_OF_A_FILE)}


def test_every_picture_is_drawn_from_a_made_up_week_and_small() -> None:
    """None was put there by hand: it could be of somebody's work."""
    found = {path.name: path for path in (_ROOT / "docs" / "pictures").iterdir()}

    assert {*found} == _DRAWN
    sizes = {name: path.stat().st_size for name, path in found.items()}
    assert {name: size for name, size in sizes.items() if size > 150_000} == {}
    heads = {path.read_bytes()[:4] for path in found.values()}
    assert heads == {b"RIFF"}


def test_every_picture_is_shown_with_words_for_who_does_not_see_it() -> None:
    guide = (_ROOT / "docs" / "guides" / "browser.md").read_text(encoding="utf-8")
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")

    assert [name for name in _DRAWN if f"](../pictures/{name})" not in guide] == []
    assert "](docs/pictures/timeline.webp)" in "\n".join(readme.splitlines()[:24])
    assert "![](" not in guide + readme
