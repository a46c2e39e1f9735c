"""Refs of ours in a repository that others share: sent, fetched, refused, never in the way."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.kernel.errors import RemoteFailed
from holdfast.snapshot.git import team_remote as adapter
from holdfast.snapshot.git.team_remote import GitTeamRemote, team_remote
from holdfast.snapshot.remote_port import RefChange
from tests.e2e.repository import commit_all, git, state_of, write
from tests.git_server import serving

pytestmark = pytest.mark.process
REF = "refs/holdfast/project/laptop-00000000/one"
OTHER = "refs/holdfast/project/laptop-00000000/two"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    place = tmp_path / "team.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(place))
    return place


@pytest.fixture
def clone(tmp_path: Path, bare: Path) -> Path:
    place = tmp_path / "clone"
    place.mkdir()
    git(place, "init", "-q", "-b", "main", ".")
    write(place, code_py="x = 1\n")
    commit_all(place)
    git(place, "remote", "add", "origin", str(bare))
    git(place, "push", "-q", "origin", "main")
    return place


def environ(tmp_path: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "user")}


@pytest.fixture
def remote(tmp_path: Path, clone: Path) -> Iterator[GitTeamRemote]:
    scratch = str(tmp_path / "scratch")
    with team_remote(scratch, environ(tmp_path), str(clone), "origin") as found:
        yield found


def change(
    name: str = REF, text: bytes = b"{}", before: str | None = None
) -> RefChange:
    return RefChange(name, {"record.json": text}, before, 1_768_737_600)


def test_what_one_sends_another_fetches(remote: GitTeamRemote, tmp_path: Path) -> None:
    made = remote.sent([change(), change(OTHER, b"two\n")])

    assert remote.listed() == made
    assert remote.refusals == {}
    found = list(remote.fetched([REF, OTHER], "record.json"))
    assert [(one.name, one.content) for one in found] == [
        (REF, b"{}"),
        (OTHER, b"two\n"),
    ]
    assert [one.commit for one in found] == [made[REF], made[OTHER]]
    assert remote.address == str(tmp_path / "team.git")


def test_the_same_files_are_the_same_commit(remote: GitTeamRemote) -> None:
    """A sync that was killed after it sent finds that there is nothing to send."""
    assert remote.sent([change()]) == remote.sent([change()])


def test_a_ref_goes_on_from_what_it_was(remote: GitTeamRemote, bare: Path) -> None:
    first = remote.sent([change()])[REF]
    list(remote.fetched([REF], "record.json"))

    second = remote.sent([change(text=b"renamed", before=first)])[REF]

    assert git(bare, "rev-parse", f"{REF}^") == first
    assert remote.listed() == {REF: second}


def test_nothing_is_forced(remote: GitTeamRemote) -> None:
    """What stands there under a name stays until whoever put it there takes it away."""
    first = remote.sent([change()])

    again = remote.sent([change(text=b"another")])

    assert again == {}
    assert "non-fast-forward" in remote.refusals[REF]
    assert remote.listed() == first


def test_a_ref_that_goes_is_gone(remote: GitTeamRemote) -> None:
    remote.sent([change(), change(OTHER)])

    assert remote.sent([RefChange(REF, None)]) == {REF: ""}
    assert list(remote.listed()) == [OTHER]


def test_the_users_repository_is_not_touched(
    remote: GitTeamRemote, clone: Path, tmp_path: Path
) -> None:
    """Neither refs nor objects, index, configuration, nor what a hook would do."""
    hook = clone / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    hook.chmod(0o755)
    before = state_of(clone)

    remote.sent([change()])
    list(remote.fetched([REF], "record.json"))

    assert state_of(clone) == before
    assert not (tmp_path / "ran").exists()
    git(clone, "fetch", "-q", "origin")
    assert "holdfast" not in git(clone, "for-each-ref")


def test_what_is_refused_together_goes_in_halves(
    remote: GitTeamRemote, bare: Path
) -> None:
    """A remote that takes only small pushes takes all of them, and a bad one is named."""
    hook = bare / "hooks" / "pre-receive"
    hook.write_text(
        "#!/bin/sh\nn=0\nwhile read old new name; do n=$((n+1));"
        ' case "$name" in *bad) exit 1;; esac; done\n[ $n -le 2 ]\n'
    )
    hook.chmod(0o755)
    names = [f"{REF}-{n}" for n in range(9)]
    bad = f"{REF}-bad"

    made = remote.sent([change(name) for name in (*names, bad)])

    assert sorted(made) == names == sorted(remote.listed())
    assert list(remote.refusals) == [bad]
    assert "pre-receive hook declined" in remote.refusals[bad]


def test_one_that_is_not_sound_does_not_keep_the_others(
    remote: GitTeamRemote, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing file, a huge one and a ref that holds no commit are refused alone."""
    monkeypatch.setattr(adapter, "_MOST_BYTES", 1000)
    remote.sent(
        [
            change(),
            change(f"{REF}-large", b"x" * 1001),
            RefChange(f"{REF}-empty", {"other": b""}),
        ]
    )
    blob = git(bare, "hash-object", "-w", "--stdin")
    git(bare, "update-ref", f"{REF}-blob", blob)

    names = sorted(remote.listed())
    found = {one.name: one for one in remote.fetched(names, "record.json")}

    assert found[REF].content == b"{}"
    assert found[f"{REF}-large"].refused == "it is larger than 1,000 bytes"
    assert found[f"{REF}-empty"].refused == "it holds no `record.json`"
    assert found[f"{REF}-blob"].refused == "it holds no `record.json`"
    assert sum(one.content is not None for one in found.values()) == 1


def test_one_that_went_meanwhile_is_refused_alone(remote: GitTeamRemote) -> None:
    remote.sent([change()])

    found = list(remote.fetched([OTHER, REF], "record.json"))

    assert {one.name: one.content for one in found} == {OTHER: None, REF: b"{}"}


def test_a_remote_that_is_gone_is_a_sentence(
    remote: GitTeamRemote, bare: Path, tmp_path: Path
) -> None:
    bare.rename(tmp_path / "elsewhere")

    for attempt in (
        remote.listed,
        lambda: list(remote.fetched([REF, OTHER], "record.json")),
        lambda: remote.sent([change(), change(OTHER)]),
    ):
        with pytest.raises(RemoteFailed, match="cannot be shared with: fatal"):
            attempt()


def test_over_http_it_is_the_same(tmp_path: Path, clone: Path, bare: Path) -> None:
    """As a server of a team has it: a request for each question, nobody asked."""
    git(bare, "config", "http.receivepack", "true")
    scratch = str(tmp_path / "scratch")
    with serving(bare) as address:
        git(clone, "remote", "set-url", "origin", address)
        with team_remote(scratch, environ(tmp_path), str(clone), "origin") as remote:
            made = remote.sent([change()])
            found = list(remote.fetched([REF], "record.json"))

            assert remote.listed() == made
            assert [one.content for one in found] == [b"{}"]


def test_a_server_that_wants_a_password_is_a_sentence(
    tmp_path: Path, clone: Path, bare: Path
) -> None:
    """Nobody is asked: a cron job would wait for ever."""
    scratch = str(tmp_path / "scratch")
    with serving(bare, status=401) as address:
        secret = address.replace("://", "://eve:hunter2secret@")
        git(clone, "remote", "set-url", "origin", secret)
        with (
            team_remote(scratch, environ(tmp_path), str(clone), "origin") as remote,
            pytest.raises(RemoteFailed) as refused,
        ):
            remote.listed()
    assert "hunter2secret" not in refused.value.message


@pytest.mark.parametrize(
    "address",
    [
        "ext::sh -c touch% /tmp/never",
        "fd::17",
        "-oProxyCommand=touch",
        "--upload-pack=touch",
        "ssh://-oProxyCommand=touch/x",
        "evil.git",
        "./evil.git",
        "file://{clone}/evil.git",
        "FILE:///{clone}/evil.git",
        "file://localhost{clone}/evil.git",
        "git://example.com/x",
    ],
)
def test_an_address_that_would_run_something_is_refused(
    tmp_path: Path, clone: Path, address: str
) -> None:
    """A repository that somebody sent brings its configuration, and hooks beside it."""
    git(clone, "init", "-q", "--bare", "evil.git")
    git(clone, "config", "remote.origin.url", address.format(clone=clone))
    scratch = str(tmp_path / "scratch")

    with pytest.raises(RemoteFailed, match="not an address"):  # noqa: SIM117  # one raises, the other lends
        with team_remote(scratch, environ(tmp_path), str(clone), "origin"):
            pass


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example#@git.example/team.git",
        "https://evil.example?@git.example/team.git",
        "https://evil.example\\@git.example/team.git",
        "ssh://evil.example%2F@git.example/team.git",
        "https://git.example\u200b/team.git",
    ],
)
def test_an_address_that_leads_elsewhere_than_it_reads_is_refused(
    tmp_path: Path, clone: Path, address: str
) -> None:
    """The user agreed to `git.example`; a repository may say another place's name so."""
    git(clone, "config", "remote.origin.url", address)
    scratch = str(tmp_path / "scratch")

    with pytest.raises(RemoteFailed, match="not an address"):  # noqa: SIM117  # one raises, the other lends
        with team_remote(scratch, environ(tmp_path), str(clone), "origin"):
            pass


@pytest.mark.parametrize(
    "address",
    [
        "http://git.example/team.git",
        "HTTP://git.example/team.git",
        "http://localhost.evil.example/team.git",
        "http://127.0.0.1@git.example/team.git",
        "http://127.0.0.1:80@git.example/team.git",
    ],
)
def test_an_address_of_another_machine_without_encryption_is_refused(
    tmp_path: Path, clone: Path, address: str
) -> None:
    """Whoever sits between the two would read every record, and the password."""
    git(clone, "config", "remote.origin.url", address)
    scratch = str(tmp_path / "scratch")

    with pytest.raises(RemoteFailed, match="not an address"):  # noqa: SIM117  # one raises, the other lends
        with team_remote(scratch, environ(tmp_path), str(clone), "origin"):
            pass


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8080/x.git", "http://ada@localhost/x.git"]
)
def test_this_machine_is_reached_without_encryption(
    tmp_path: Path, clone: Path, address: str
) -> None:
    """A tunnel ends on loopback, and nobody sits between."""
    git(clone, "config", "remote.origin.url", address)
    scratch = str(tmp_path / "scratch")

    with team_remote(scratch, environ(tmp_path), str(clone), "origin") as remote:
        assert remote.address == address.replace("ada@", "")


def test_a_password_is_not_shown_whatever_is_in_it(tmp_path: Path, clone: Path) -> None:
    git(clone, "config", "remote.origin.url", "https://eve:hun@ter@git.example/x.git")
    scratch = str(tmp_path / "scratch")

    with team_remote(scratch, environ(tmp_path), str(clone), "origin") as remote:
        assert remote.address == "https://git.example/x.git"


def test_a_program_that_the_repository_names_is_not_started(
    remote: GitTeamRemote, clone: Path, tmp_path: Path
) -> None:
    program = clone / "helper"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    for name in (
        "core.sshCommand",
        "credential.helper",
        "core.askPass",
        "core.fsmonitor",
    ):
        git(clone, "config", name, str(program))
    git(clone, "config", "remote.origin.receivepack", str(program))

    remote.sent([change()])
    remote.listed()

    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME"])
def test_settings_inside_the_project_are_nobodys(
    tmp_path: Path, clone: Path, bare: Path, variable: str
) -> None:
    """Whoever can set the environment could name a program in them."""
    program = tmp_path / "helper"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    text = f'[credential]\n\thelper = "!{program}"\n[core]\n\tsshCommand = {program}\n'
    (clone / "git").mkdir()
    for name in (".gitconfig", "git/config"):
        (clone / name).write_text(text)
    inside = {**environ(tmp_path), variable: str(clone)}
    scratch = str(tmp_path / "scratch")
    with serving(bare, status=401) as address:
        for url in (address, "ssh://nobody@127.0.0.1:1/x"):
            git(clone, "remote", "set-url", "origin", url)
            with (
                team_remote(scratch, inside, str(clone), "origin") as remote,
                pytest.raises(RemoteFailed),
            ):
                remote.listed()

    assert not (tmp_path / "ran").exists()


def test_no_remote_and_no_repository_are_sentences(tmp_path: Path, clone: Path) -> None:
    scratch = str(tmp_path / "scratch")
    (tmp_path / "plain").mkdir()

    with (
        pytest.raises(RemoteFailed, match="no remote `other`"),
        team_remote(scratch, environ(tmp_path), str(clone), "other"),
    ):
        pass
    with (
        pytest.raises(RemoteFailed, match="no git repository"),
        team_remote(scratch, environ(tmp_path), str(tmp_path / "plain"), "origin"),
    ):
        pass


def test_nothing_is_left_behind(remote: GitTeamRemote, tmp_path: Path) -> None:
    """What was sent and fetched lies in a directory that goes."""
    remote.sent([change(text=b"marmalade")])

    inside = [p for p in (tmp_path / "scratch").rglob("*") if p.is_file()]

    assert inside
    with team_remote(
        str(tmp_path / "own"), environ(tmp_path), str(tmp_path / "clone"), "origin"
    ) as other:
        other.sent([change(OTHER)])
    assert [p for p in (tmp_path / "own").rglob("*") if p.is_file()] == []
