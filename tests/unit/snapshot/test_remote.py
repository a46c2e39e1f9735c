"""One address per repository, however it was cloned."""

import pytest
from hypothesis import given, strategies as st

from holdfast.snapshot.git import gitconfig, identity


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Owner/Name",
        "https://github.com/Owner/Name.git",
        "https://github.com/Owner/Name.git/",
        "https://github.com//Owner//Name///",
        "https://GitHub.com:443/Owner/Name.git",
        "https://user@github.com/Owner/Name",
        "https://user:s3cret@github.com/Owner/Name.git",
        "https://x-access-token:p@ss@github.com/Owner/Name.git",
        "https://github.com/Owner/Name?token=s3cret#frag",
        "HTTPS://GITHUB.COM/Owner/Name",
        "http://github.com/Owner/Name.git",
        "ssh://git@github.com/Owner/Name.git",
        "ssh://git@github.com:22/Owner/Name.git",
        "ssh://github.com/Owner/Name",
        "git+ssh://git@github.com/Owner/Name.git",
        "git://github.com/Owner/Name.git",
        "git@github.com:Owner/Name.git",
        "git@github.com:/Owner/Name.git",
        "github.com:Owner/Name",
        "oauth2:s3cret@github.com:Owner/Name.git",
        "[git@github.com:22]:Owner/Name.git",
        "[github.com]:Owner/Name.git",
        "  git@github.com:Owner/Name.git\n",
    ],
)
def test_every_form_of_an_address_is_one(url: str) -> None:
    """A clone by ssh and one by https are the same project."""
    assert identity.normalised_address(url) == "github.com/Owner/Name"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        pytest.param("https://[::1]:8080/a/b.git", "::1/a/b", id="IPv6"),
        pytest.param("git@[::1]:a/b", "::1/a/b", id="IPv6, short form"),
        pytest.param("https://h/a/b/c/d.git", "h/a/b/c/d", id="nested groups"),
        pytest.param("host:~me/x", "host/~me/x", id="home"),
        pytest.param("https://h/a/b.github", "h/a/b.github", id="not .git"),
        pytest.param("https://h/a/.git", "h/a", id="a worktree served as is"),
        pytest.param("https://h/กล้วย/b", "h/กล้วย/b", id="another script"),
    ],
)
def test_unusual_addresses_are_understood(url: str, expected: str) -> None:
    """Ports and users go, the path stays as it is."""
    assert identity.normalised_address(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/a.git",
        "../a.git",
        "./a:b",
        "dir/a:b",
        "~/a.git",
        "file:///srv/git/a.git",
        "C:\\work\\a",
        "C:/code/a",
        "ext::sh -c 'touch x' %S /a",
        "codecommit::eu-west-1://a",
        "https://",
        "https://host",
        "https://host/",
        "https://host/.git",
        "git@host:",
        "https://::1/a",
        "https://host/a\x1b[2J/b",
        "https://host/a\nb",
        "javascript:alert(1)\n//",
        "unknown://host/a/b",
    ],
)
def test_what_is_no_network_address_is_none(url: str) -> None:
    """A path means something on this machine only."""
    assert identity.normalised_address(url) is None


@given(st.text())
def test_any_text_can_be_asked(url: str) -> None:
    """An address never carries a line break or an invisible command."""
    found = identity.normalised_address(url)

    assert found is None or found.isprintable()


@pytest.mark.parametrize(
    ("text", "branch", "expected"),
    [
        pytest.param(
            '[remote "fork"]\nurl = h:f/r\n[remote "origin"]\nurl = h:o/r\n'
            '[branch "main"]\nremote = fork\n',
            "main",
            "h2/o/r",
            id="origin before the branch's own",
        ),
        pytest.param(
            '[remote "a"]\nurl = h:a/r\n[remote "b"]\nurl = h:b/r\n'
            '[branch "main"]\nremote = b\n',
            "main",
            "h2/b/r",
            id="the branch's own without origin",
        ),
        pytest.param(
            '[remote "a"]\nurl = h:a/r\n', "main", "h2/a/r", id="the only one"
        ),
        pytest.param(
            '[remote "a"]\nurl = h:a/r\n[remote "b"]\nurl = h:b/r\n',
            "main",
            None,
            id="two, and nothing to choose by",
        ),
        pytest.param(
            '[remote "a"]\nurl = h:a/r\n[branch "main"]\nremote = .\n',
            None,
            "h2/a/r",
            id="a branch that follows a local one",
        ),
        pytest.param(
            '[remote "origin"]\nurl = h:one/r\nurl = h:two/r\n',
            "main",
            "h2/one/r",
            id="the address it fetches from",
        ),
        pytest.param('[remote "origin"]\nurl =\n', "main", None, id="no address"),
    ],
)
def test_one_remote_stands_for_the_repository(
    text: str, branch: str | None, expected: str | None
) -> None:
    """`origin`, else what the branch follows, else the only one."""
    values = gitconfig.parse(text.replace("h:", "h2:"))

    assert identity.remote_address(values, branch) == expected
