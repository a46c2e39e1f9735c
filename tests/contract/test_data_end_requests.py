"""Requests of ended sessions: durable first, done after."""

from dataclasses import replace
from pathlib import Path

from holdfast.data_directory.requests import DirectoryRequests
from holdfast.domain.client import EndRequest

REQUEST = EndRequest(
    key="clear-1",
    session_id="7670db3a-2057-406a-a109-afcedef1cb97",
    transcript="/t.jsonl",
    directory="/work",
    type="before-clear",
    trigger="clear",
)


def test_a_request_waits_until_it_is_done(tmp_path: Path) -> None:
    """Another process finishes what a killed hook asked for."""
    DirectoryRequests(str(tmp_path / "r")).add(REQUEST)
    DirectoryRequests(str(tmp_path / "r")).add(REQUEST)
    later = DirectoryRequests(str(tmp_path / "r"))

    assert later.waiting() == (REQUEST,)
    later.done(REQUEST)
    later.done(REQUEST)
    assert later.waiting() == ()


def test_a_file_that_is_no_request_is_passed_over(tmp_path: Path) -> None:
    """One damaged file must not keep the others from being carried out."""
    requests = DirectoryRequests(str(tmp_path / "r"))
    requests.add(replace(REQUEST, key="other"))
    (tmp_path / "r" / "bad.json").write_text('{"key": 1')

    assert [request.key for request in requests.waiting()] == ["other"]


def test_only_one_process_carries_requests_out(tmp_path: Path) -> None:
    """Two would do the same work twice."""
    requests = DirectoryRequests(str(tmp_path / "r"))

    with requests.working(0) as first, requests.working(0) as second:
        assert (first, second) == (True, False)
    with requests.working(0) as again:
        assert again


def test_a_directory_never_made_has_nothing_waiting(tmp_path: Path) -> None:
    """A reader makes nothing."""
    assert DirectoryRequests(str(tmp_path / "r")).waiting() == ()
    assert not (tmp_path / "r").exists()
