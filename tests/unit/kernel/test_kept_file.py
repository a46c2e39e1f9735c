"""A file of values by their keys, each read and parsed when it is asked for."""

import marshal
from pathlib import Path
from typing import Any

import pytest

from holdfast.kernel import kept_file
from holdfast.kernel.kept_file import KeptFile, file_of, sealed

_OWNER = b"this build"
_VALUES = {("a", 1): ("one", b"\0" * 40), "b": ("two", b"\1" * 40)}


def _kept(place: Path, data: bytes, owner: bytes = _OWNER) -> KeptFile:
    place.write_bytes(data)
    return KeptFile(str(place), owner)


def test_what_was_kept_is_found_by_its_key(tmp_path: Path) -> None:
    kept = _kept(tmp_path / "file", file_of(_VALUES, _OWNER))

    assert kept.value(("a", 1)) == _VALUES["a", 1]
    assert kept.value("a") is None
    assert dict(kept.values()) == _VALUES


def test_nothing_is_read_of_the_file_of_another_owner(tmp_path: Path) -> None:
    """Numbers that mean one thing to one build mean another to the next."""
    kept = _kept(tmp_path / "file", file_of(_VALUES, _OWNER), owner=b"another build")

    assert dict(kept.values()) == {}


def test_damage_costs_the_value_it_is_in(tmp_path: Path) -> None:
    """Each has a seal of its own, so that only what is asked for is read."""
    whole = file_of(_VALUES, _OWNER)
    at = whole.index(b"\1" * 40)
    kept = _kept(tmp_path / "file", whole[:at] + b"\2" + whole[at + 1 :])

    assert dict(kept.values()) == {("a", 1): _VALUES["a", 1]}


def test_what_is_not_asked_for_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing a thousand expressions took a hook 3 ms, and it needs a few of them."""
    kept = _kept(tmp_path / "file", file_of(_VALUES, _OWNER))
    parsed: list[bytes] = []
    real = marshal.loads

    def noted(told: bytes) -> Any:
        parsed.append(told)
        return real(told)

    monkeypatch.setattr(marshal, "loads", noted)

    kept.value("b")
    kept.value("c")

    assert parsed == [marshal.dumps(_VALUES["b"])]


@pytest.mark.parametrize(
    "place",
    [
        pytest.param((1 << 40, 8, b""), id="behind the end"),
        pytest.param((-(1 << 40), 8, b""), id="before the beginning"),
        pytest.param((0, -1, b""), id="less than nothing"),
        pytest.param((0, 8), id="without a seal"),
        pytest.param(7, id="a number"),
    ],
)
def test_a_place_that_is_none_holds_nothing(tmp_path: Path, place: object) -> None:
    kept = _kept(tmp_path / "file", sealed(marshal.dumps({"b": place}), _OWNER))

    assert kept.value("b") is None


def test_more_than_a_file_may_hold_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_file, "_MOST_OCTETS", 100)

    assert file_of(_VALUES, _OWNER) == b""
