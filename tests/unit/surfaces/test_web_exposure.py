"""Under which names a server answers, and what a page of its own is: T17, T21."""

import pytest
from starlette.requests import Request

from holdfast.kernel.errors import UsageWrong
from holdfast.surfaces.web.exposure import (
    Exposure,
    is_loopback_request,
    public_address,
)
from holdfast.surfaces.web.failures import MOST, WINDOW_MS, Failures

_HERE = Exposure(port=4653)
_OPEN = Exposure(port=4653, is_open=True, has_loopback=False, names=("desk",))
_BEHIND = Exposure(port=4653, is_open=True, public="https://checkpoints.example.com")
_ODD = Exposure(port=80, is_open=True, public="http://[fd00::1]:8080", names=("desk",))


@pytest.mark.parametrize(
    ("exposure", "host", "local"),
    [
        (_HERE, "127.0.0.1:4653", "127.0.0.1"),
        (_HERE, "localhost:4653", "127.0.0.1"),
        (_HERE, "[::1]:4653", "::1"),
        (_OPEN, "192.168.1.5:4653", "192.168.1.5"),
        (_OPEN, "desk:4653", "192.168.1.5"),
        (_OPEN, "[fe80::5]:4653", "fe80::5"),
        (_OPEN, "192.168.1.5:4653", "::ffff:192.168.1.5"),
        (_BEHIND, "checkpoints.example.com", "127.0.0.1"),
        (_BEHIND, "checkpoints.example.com:443", "127.0.0.1"),
        (_BEHIND, "127.0.0.1:4653", "127.0.0.1"),
        (_ODD, "desk", "192.168.1.5"),
        (_ODD, "[fd00::1]:8080", "127.0.0.1"),
    ],
)
def test_it_answers_to_its_own_names(exposure: Exposure, host: str, local: str) -> None:
    assert exposure.answers_to(host, local)
    assert not exposure.answers_to(f"{host}.", local)
    assert not exposure.answers_to(f"evil.{host}", local)


@pytest.mark.parametrize(
    ("exposure", "host"),
    [
        (_HERE, ""), (_HERE, "127.0.0.1"), (_HERE, "127.0.0.1:80"), (_HERE, "192.168.1.5:4653"),
        (_HERE, "desk:4653"), (_OPEN, "127.0.0.1:4653"), (_OPEN, "192.168.1.6:4653"),
        (_OPEN, "192.168.1.5"), (_OPEN, "192.168.1.5:04653"), (_OPEN, ":4653"), (_OPEN, ""),
        (_OPEN, "localhost:4653"), (_OPEN, "desk"), (_OPEN, "192.168.1.5:4653@evil.example"),
        (_BEHIND, "checkpoints.example.com:4653"), (_BEHIND, "checkpoints.example.com:80"),
        (_BEHIND, "checkpoints.example.com.evil.example"), (_BEHIND, "example.com"),
    ],
)  # fmt: skip
def test_t17_it_answers_to_no_name_that_somebody_leads_here(
    exposure: Exposure, host: str
) -> None:
    assert not exposure.answers_to(host, "192.168.1.5")


def test_t17_a_page_of_its_own_has_the_same_name_and_scheme() -> None:
    public, local = "checkpoints.example.com", "192.168.1.5:4653"
    assert _BEHIND.is_own_page("https://checkpoints.example.com", public)
    assert _BEHIND.is_own_page("http://localhost:4653", "localhost:4653")
    assert _OPEN.is_own_page(f"http://{local}", local)
    for origin in ("null", "", "http://checkpoints.example.com", "https://example.com"):
        assert not _BEHIND.is_own_page(origin, public)
    for origin in (
        "null",
        "",
        f"https://{local}",
        "http://192.168.1.5",
        "http://desk:4653",
    ):
        assert not _OPEN.is_own_page(origin, local)


def test_a_cookie_that_came_by_tls_never_goes_without() -> None:
    """`__Host-` lets no neighbour under the same domain set it."""
    public = "checkpoints.example.com"

    assert _BEHIND.is_secure(public)
    assert _BEHIND.cookie(public) == "__Host-holdfast"
    assert _BEHIND.cookie("localhost:4653") == _HERE.cookie("localhost:4653")
    assert not _BEHIND.is_secure("localhost:4653")
    assert _BEHIND.is_secret
    assert _HERE.is_secret
    assert not _OPEN.is_secret
    assert not _ODD.is_secret


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://Checkpoints.Example.com/", "https://checkpoints.example.com"),
        ("http://desk:8080", "http://desk:8080"),
        (" https://[fd00::1] ", "https://[fd00::1]"),
    ],
)
def test_a_public_address_is_kept_as_browsers_write_it(
    text: str, expected: str
) -> None:
    assert public_address(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "checkpoints.example.com", "ftp://x", "https://", "https://x/path", "https://x?q",
        "https://eve@x", "https://x:0", "https://x:99999", "https://x:y", "https://ก.example",
        "https://x#f", "https://[::1", "https://[x]", "javascript://x", "https://x y",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageWrong) as refused:
        public_address(text)

    assert "--public https://" in refused.value.hint


def _asked(client: str, **headers: str) -> Request:
    told = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "client": (client, 1), "headers": told})


def test_who_asks_is_believed_to_a_proxy_of_ours_and_to_nobody_else() -> None:
    """Or each try would come from another address."""
    assert _OPEN.peer(_asked("192.168.1.7", x_forwarded_for="1.1.1.1")) == "192.168.1.7"
    assert (
        _BEHIND.peer(_asked("192.168.1.7", x_forwarded_for="1.1.1.1")) == "192.168.1.7"
    )
    assert (
        _BEHIND.peer(_asked("127.0.0.1", x_forwarded_for="9.9.9.9, 1.1.1.1"))
        == "1.1.1.1"
    )
    assert _BEHIND.peer(_asked("127.0.0.1", x_forwarded_for="x" * 9)) == ""
    assert _OPEN.peer(_asked("fd00::1")) == _OPEN.peer(_asked("fd00::2"))
    assert _OPEN.peer(_asked("fd00::1")) != _OPEN.peer(_asked("fd00:0:0:1::1"))


def test_t18_what_a_proxy_passes_on_is_not_from_here() -> None:
    """The printed address lets in whoever sits here, and nobody through a proxy."""
    assert is_loopback_request(_asked("127.0.0.1"))
    assert is_loopback_request(_asked("::ffff:127.0.0.1"))
    assert not is_loopback_request(_asked("127.0.0.1", x_forwarded_for="1.1.1.1"))
    assert not is_loopback_request(_asked("127.0.0.1", via="1.1 x"))
    assert not is_loopback_request(_asked("192.168.1.7"))


def test_what_is_remembered_of_failed_tries_does_not_grow() -> None:
    failures = Failures()
    for number in range(5_000):
        assert not failures.add(f"place {number}", 0)
    assert len(failures) == 1_024

    tries = [failures.add("one", 5) for _ in range(MOST + 3)]
    assert tries == [False] * MOST + [True] * 3
    assert not failures.add("one", 5 + WINDOW_MS)
