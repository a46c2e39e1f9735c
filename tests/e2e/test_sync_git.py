"""Two machines and a remote that both know: cut off for a while, both work on, both agree."""

import json
import shutil
import time
from pathlib import Path

import apsw
import pytest

from holdfast.store.sqlite.store import open_store
from tests.e2e.conftest import answering
from tests.e2e.repository import git, state_of
from tests.e2e.team import ON, Machine, Team, team
from tests.git_server import serving

__all__ = ["team"]
pytestmark = pytest.mark.process


def test_both_work_on_and_both_agree(team: Team) -> None:
    """What each did alone, both know afterwards, each once, with who made it."""
    one = team.laptop.saves("parser", "--name", "quotes")
    team.laptop.syncs()
    two = team.desk.saves("lexer")
    three = team.laptop.saves("docs")

    team.converge()

    assert team.laptop.knows() == team.desk.knows()
    assert set(team.desk.knows()) == {one, two, three}
    assert team.desk.knows()[one] == ("parser", "quotes")
    assert "00001@laptop" in team.desk("list").out
    assert "Of another machine, `laptop`" in team.desk("resume", "1@laptop").out
    assert team.desk("show", "latest", "--json").json["id"] == two


def test_a_sync_says_what_it_did_and_a_second_does_nothing(team: Team) -> None:
    team.laptop.saves("parser")
    before = team.laptop.syncs()
    refs = team.refs()

    again = team.laptop.syncs()
    told = team.desk("sync", "git", "--yes")

    assert before == {
        "type": "synced", "target": "git", "sent": 1, "waiting": 0,
        "received": [], "removed": [], "refused": [], "told": [],
    }  # fmt: skip
    assert (again["sent"], again["waiting"]) == (0, 0)
    assert team.refs() == refs
    assert told.out == "git: 0 sent, 1 checkpoint received\n"
    assert "00001@laptop  parser" in told.err


def test_nobody_s_repository_is_touched(team: Team) -> None:
    """Neither clone has a new ref, object or setting, and a fetch brings none."""
    team.laptop.saves("parser")
    before = state_of(team.laptop.project), state_of(team.desk.project)

    team.converge()

    assert (state_of(team.laptop.project), state_of(team.desk.project)) == before
    git(team.desk.project, "fetch", "-q")
    git(team.desk.project, "push", "-q")
    assert "holdfast" not in git(team.desk.project, "for-each-ref")
    (ref,) = team.refs()
    root = git(team.desk.project, "rev-list", "--max-parents=0", "HEAD")
    assert ref.startswith(f"refs/holdfast/{root}/laptop-")
    assert "parser" in git(team.bare, "show", f"{ref}:checkpoint.md")
    assert git(team.bare, "log", "-1", "--format=%an %ae", ref) == (
        "holdfast holdfast@invalid"
    )


def test_a_renamed_one_is_called_so_everywhere(team: Team) -> None:
    first = team.laptop.saves("parser", "--name", "quotes")
    team.converge()
    before = team.refs()
    second = team.laptop.saves("parser again", "--name", "quotes", "--force")

    team.converge()

    assert team.desk.knows() == team.laptop.knows()
    assert team.desk.knows()[first] == ("parser", None)
    assert team.desk.knows()[second] == ("parser again", "quotes")
    (ref,) = before
    assert git(team.bare, "rev-parse", f"{ref}^") == before[ref]


def test_a_forgotten_one_is_gone_everywhere_and_stays_so(team: Team) -> None:
    """From the remote, from who has a copy, and for who comes later."""
    one, two = team.laptop.saves("parser"), team.laptop.saves("docs")
    team.converge()
    forgot = team.laptop("forget", one, "--yes")
    assert "removed by the next `holdfast sync git`" in forgot.err

    team.laptop.syncs()
    removed = team.desk.syncs()
    late = team.machine("late", "33333333-2057-406a-a109-afcedef1cb97")
    late.syncs()
    team.converge()

    assert removed["removed"] == [one]
    assert set(team.laptop.knows()) == set(team.desk.knows()) == {two}
    assert set(late.knows()) == {two}
    left = [ref.rpartition("/")[2] for ref in team.refs()]
    assert sorted(left) == sorted([f"{one}.gone", two])
    assert team.desk("show", one).status == 12


def test_what_is_forgotten_by_another_stays_with_who_made_it(team: Team) -> None:
    """Everybody is in charge of their own store, and of nobody else's."""
    one = team.laptop.saves("parser")
    team.converge()
    team.desk("forget", one, "--yes")

    team.converge()

    assert team.desk.knows() == {}
    assert set(team.laptop.knows()) == {one}


def test_what_its_machine_only_pruned_others_keep(team: Team) -> None:
    one = team.laptop.saves("parser")
    two = team.laptop.saves("docs")
    team.converge()
    with open_store(str(team.laptop.home), create=False) as store:
        store.remove([one], "retention", 1)

    team.converge()

    assert set(team.desk.knows()) == {one, two}
    assert [ref.rpartition("/")[2] for ref in team.refs()] == [two]


def test_a_remote_that_lets_nothing_go_is_told_and_believed(team: Team) -> None:
    """The tombstone counts; what cannot be removed there is said."""
    one = team.laptop.saves("parser")
    team.converge()
    hook = team.bare / "hooks" / "update"
    hook.write_text('#!/bin/sh\ncase "$3" in *[!0]*) exit 0;; esac\nexit 1\n')
    hook.chmod(0o755)
    team.laptop("forget", one, "--yes")

    ran = team.laptop("sync", "git", "--json")
    team.desk.syncs()
    late = team.machine("late", "33333333-2057-406a-a109-afcedef1cb97")
    late.syncs()

    assert ran.status == 3
    assert "hook declined" in " ".join(ran.json["told"])
    assert team.desk.knows() == late.knows() == {}


def test_only_some_leave(team: Team) -> None:
    one, two = (
        team.laptop.saves("parser", "--name", "quotes"),
        team.laptop.saves("docs"),
    )

    told = team.laptop.syncs("--only", "quotes")
    team.desk.syncs()

    assert told["sent"] == 1
    assert set(team.desk.knows()) == {one}
    assert two not in " ".join(team.refs())
    theirs = team.desk("sync", "git", "--only", "1@laptop", "--json")
    assert theirs.status == 12
    assert "was not made here" in theirs.json["message"]


def test_a_damaged_record_keeps_nothing_else_away(team: Team) -> None:
    """It is not sent, nor taken from the remote for another's; `doctor` mends it."""
    one, two = team.laptop.saves("parser"), team.laptop.saves("docs")
    team.laptop.syncs()
    base = apsw.Connection(str(team.laptop.home / "holdfast.db"))
    changed = "UPDATE checkpoint SET body = replace(body, 'parser', 'phaser')"
    base.execute(f"{changed} WHERE checkpoint_id = ?", (one,))
    base.close()
    three = team.laptop.saves("more")

    told = team.laptop.syncs()
    team.desk.syncs()

    assert (told["sent"], told["received"]) == (1, [])
    assert set(team.desk.knows()) == {one, two, three}
    assert team.desk.knows()[one][0] == "parser"


def test_a_project_that_is_not_meant_is_not_shared(team: Team) -> None:
    team.laptop.saves("parser")
    elsewhere = json.dumps({"kind": "git", "projects": ["/somewhere/else/**"]})
    team.laptop("config", "set", "share", elsewhere)

    ran = team.laptop("sync", "git", "--yes", "--json")

    assert ran.json["code"] == "SHARE_004"
    assert "not switched on for this project" in ran.json["message"]
    assert team.laptop("sync").out.startswith("sharing is not set up")
    assert team.refs() == {}


def test_nothing_leaves_unless_it_was_switched_on(team: Team) -> None:
    """Neither a repository's file nor the environment switches it on."""
    team.laptop.saves("parser")
    team.laptop("config", "set", "share", "null")
    (team.laptop.project / ".holdfast.json").write_text(f'{{"share": {ON}}}')

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLDFAST_SHARE", ON)
        ran = team.laptop("sync", "git", "--yes", "--json")

    assert ran.status == 3
    assert "not switched on" in ran.json["message"]
    assert "config set share" in ran.json["hint"]
    assert team.refs() == {}


def test_an_address_is_agreed_to_once_by_a_person(team: Team, tmp_path: Path) -> None:
    """Whoever makes a repository names its remotes: the first time, somebody looks."""
    team.laptop.saves("parser")

    nobody = team.laptop("sync", "git", "--json")
    preview = team.laptop("sync", "git", "--preview")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLDFAST_HOME", str(team.laptop.home))
        no = answering(team.laptop, "sync", "git", answers=b"n\n").decode()
        assert team.refs() == {}
        yes = answering(team.laptop, "sync", "git", answers=b"y\n").decode()
    team.laptop.saves("docs")
    again = team.laptop("sync", "git", "--json")
    git(tmp_path, "init", "-q", "--bare", "evil.git")
    git(team.laptop.project, "remote", "set-url", "origin", str(tmp_path / "evil.git"))
    other = team.laptop("sync", "git", "--json")

    assert nobody.json["code"] == "SHARE_004"
    assert "you have not agreed yet" in nobody.json["message"]
    assert "what would leave this machine (1 checkpoint):" in preview.out
    assert str(team.bare) in preview.out
    assert "what would leave" in no
    assert "1 sent" in yes
    assert again.json["sent"] == 1
    assert "evil.git" in other.json["message"]
    assert other.status == 3


def test_what_newer_rules_find_does_not_leave(team: Team) -> None:
    """A record that was kept under older rules waits until it was cleaned."""
    team.laptop.saves("Nested quotes")
    team.laptop.saves("docs")
    team.laptop("config", "set", "redaction.rules", "Nested*")

    ran = team.laptop("sync", "git", "--yes", "--json")

    assert ran.status == 3
    assert (ran.json["sent"], ran.json["waiting"]) == (1, 1)
    assert "doctor --scan" in ran.json["told"][0]

    team.laptop("doctor", "--scan")
    assert team.laptop.syncs()["sent"] == 1


def test_what_was_cleaned_here_is_cleaned_there(team: Team) -> None:
    """A record that was rewritten takes the old one's place, and nobody is alarmed."""
    one = team.laptop.saves("Nested quotes")
    team.converge()
    team.laptop("config", "set", "redaction.rules", "Nested*")
    assert team.laptop("doctor", "--scan").status == 0
    team.laptop("config", "set", "redaction.rules", "[]")

    told = team.laptop.syncs()
    came = team.desk.syncs()

    assert told["sent"] == 1
    (ref,) = team.refs()
    assert ref.endswith(one)
    assert "Nested quotes" not in git(team.bare, "show", f"{ref}:record.json")
    assert git(team.bare, "rev-list", "--count", ref) == "1"
    assert came["refused"] == []


def test_a_clock_that_is_a_day_wrong_changes_nothing(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Order comes from numbers; what is newer is known by what the remote has."""
    now = time.time_ns
    with monkeypatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: now() + 86_400 * 10**9)
        one = team.laptop.saves("tomorrow", "--name", "x")
        team.laptop.syncs()
    with monkeypatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: now() - 86_400 * 10**9)
        two = team.desk.saves("yesterday")
        team.desk.syncs()
        three = team.laptop.saves("again", "--name", "x", "--force")

    team.converge()

    assert team.laptop.knows() == team.desk.knows()
    assert set(team.desk.knows()) == {one, two, three}


def test_over_http_it_is_the_same(team: Team) -> None:
    git(team.bare, "config", "http.receivepack", "true")
    with serving(team.bare) as address:
        for machine in (team.laptop, team.desk):
            git(machine.project, "remote", "set-url", "origin", address)
        one, two = team.laptop.saves("parser"), team.desk.saves("lexer")

        team.converge()

    assert set(team.laptop.knows()) == set(team.desk.knows()) == {one, two}


def test_a_remote_that_is_away_is_caught_up_with(team: Team, tmp_path: Path) -> None:
    """Down is exit 3 and a sentence; nothing is lost, and a later sync brings all."""
    one = team.laptop.saves("parser")
    team.bare.rename(tmp_path / "away.git")

    alone = team.laptop("sync", "git", "--yes", "--json")
    everything = team.laptop("sync", "--yes", "--json")
    (tmp_path / "away.git").rename(team.bare)
    team.converge()

    assert alone.status == everything.status == 3
    assert "cannot be shared with" in alone.json["message"]
    assert everything.json["targets"][0]["target"] == "git"
    assert set(team.desk.knows()) == {one}


def test_without_a_target_everything_that_is_on_is_synced(team: Team) -> None:
    team.laptop.saves("parser")

    ran = team.laptop("sync", "--yes", "--json")

    assert ran.status == 0
    assert (ran.json["target"], ran.json["sent"], ran.json["waiting"]) == (None, 1, 0)
    assert [each["target"] for each in ran.json["targets"]] == ["git"]


def test_a_shallow_clone_shares_with_the_one_project_there(
    team: Team, tmp_path: Path
) -> None:
    """It does not know its first commit; where there is one project, it is that."""
    one = team.laptop.saves("parser")
    late = Machine(
        tmp_path, "late", "33333333-2057-406a-a109-afcedef1cb97", team.laptop.capsys
    )
    git(team.laptop.project, "commit", "-q", "--allow-empty", "-m", "more")
    git(team.laptop.project, "push", "-q")
    address = f"file://{team.bare}"
    git(tmp_path, "clone", "-q", "--depth=1", address, str(late.project))

    before = late("sync", "git", "--yes", "--json")
    team.laptop.syncs()
    late.syncs()

    assert "git fetch --unshallow" in before.json["hint"]
    assert set(late.knows()) == {one}


def test_a_copy_of_a_home_gets_its_records_back(team: Team, tmp_path: Path) -> None:
    """A restored backup is behind its own refs: what it lost comes as another's."""
    one = team.laptop.saves("parser")
    shutil.copytree(team.laptop.home, tmp_path / "backup")
    two = team.laptop.saves("docs")
    team.laptop.syncs()
    shutil.rmtree(team.laptop.home)
    (tmp_path / "backup").rename(team.laptop.home)

    team.laptop.syncs()

    assert set(team.laptop.knows()) == {one, two}
    assert "@laptop-other" in team.laptop("list").out
