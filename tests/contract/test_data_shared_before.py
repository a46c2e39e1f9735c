"""What is known of a remote: it saves a question and time, and can be found out again."""

from pathlib import Path

import pytest

from holdfast.data_directory.port import RefMark, SharedBefore
from holdfast.data_directory.share_marks import ShareDirectory, ShareMarks
from holdfast.domain.forgetting import Order
from holdfast.kernel.errors import RemoteFailed


def marks(home: Path, address: str = "host/a", project: str = "p") -> SharedBefore:
    return ShareMarks(str(home), address, project)


def test_what_was_agreed_and_seen_is_known_again(tmp_path: Path) -> None:
    seen = {"refs/holdfast/a": RefMark("1" * 40, "d"), "refs/b": RefMark("", "")}
    assert not marks(tmp_path).is_agreed()
    assert marks(tmp_path).refs() == {}

    marks(tmp_path).agree()
    marks(tmp_path).keep({"gone": RefMark("", "")})
    marks(tmp_path).keep(seen)

    assert marks(tmp_path).is_agreed()
    assert marks(tmp_path).refs() == seen


@pytest.mark.parametrize(("address", "project"), [("host/b", "p"), ("host/a", "q")])
def test_another_address_or_project_is_asked_about_anew(
    tmp_path: Path, address: str, project: str
) -> None:
    """A repository that names another host gets nothing that was meant for the first."""
    marks(tmp_path).agree()
    marks(tmp_path).keep({"a": RefMark("", "")})

    assert not marks(tmp_path, address, project).is_agreed()
    assert marks(tmp_path, address, project).refs() == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"refs": 5}', '{"refs": {"a": 1}}'])
def test_what_cannot_be_read_is_not_known(tmp_path: Path, text: str) -> None:
    marks(tmp_path).keep({"a": RefMark("", "")})
    (file,) = (tmp_path / "share").glob("*.json")
    file.write_text(text)

    assert marks(tmp_path).refs() == {}
    assert not marks(tmp_path).is_agreed()


def test_one_sync_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two would send the same; what the first has on its way is not taken from it."""
    monkeypatch.setattr("holdfast.data_directory.share_marks._PATIENCE", 0.0)
    place = ShareDirectory(str(tmp_path))
    with place.held() as path:
        draft = Path(path) / "drafts" / "x"
        draft.parent.mkdir()
        draft.write_text("on its way")

        with (
            pytest.raises(RemoteFailed, match="another sync"),
            ShareDirectory(str(tmp_path)).held(),
        ):
            pass
        (told,) = ShareDirectory(str(tmp_path)).forget(Order(at=1))

        assert "at work" in told
        assert draft.exists()
    with place.held():
        assert not draft.exists()
