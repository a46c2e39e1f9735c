"""Processes and marks: what hooks ask of the machine."""

from pathlib import Path

from holdfast.data_directory.markers import FileMarkers

SESSION = "7670db3a-2057-406a-a109-afcedef1cb97"


def test_a_mark_is_left_read_and_taken_away(tmp_path: Path) -> None:
    """A prompt hook looks for this one file and for nothing else."""
    markers = FileMarkers(str(tmp_path / "home"))
    assert markers.text(SESSION) is None

    markers.set(SESSION, "note")

    assert markers.text(SESSION) == "note"
    assert [f.name for f in (tmp_path / "home" / "pending").iterdir()] == [SESSION]
    markers.drop(SESSION)
    markers.drop(SESSION)
    assert markers.text(SESSION) is None


def test_a_mark_cannot_leave_its_directory(tmp_path: Path) -> None:
    """A session id comes from outside."""
    markers = FileMarkers(str(tmp_path / "home"))

    markers.set("../../escaped", "x")

    assert markers.text("../../escaped") == "x"
    assert not (tmp_path / "escaped").exists()


def test_a_notice_is_news_once_until_its_trouble_is_over(tmp_path: Path) -> None:
    """The user is told once, and again when it happens again."""
    markers = FileMarkers(str(tmp_path / "home"))

    assert [markers.claim_notice("store"), markers.claim_notice("store")] == [
        True,
        False,
    ]
    markers.forget_notice("store")
    assert markers.claim_notice("store")


def test_a_home_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    """A hook must never stop the agent."""
    (tmp_path / "home").write_text("a file where a directory should be")
    markers = FileMarkers(str(tmp_path / "home"))

    markers.set(SESSION)

    assert markers.text(SESSION) is None
    assert markers.claim_notice("store")
