"""Two machines and a database that both know: cut off for a while, both work on, both agree."""

import threading
from pathlib import Path

import pytest

from holdfast.bootstrap import sync_process
from holdfast.data_directory.share_marks import ShareDirectory
from holdfast.domain.query import Scope
from holdfast.kernel.errors import TeamUnreachable
from holdfast.store.postgres.database import Limits
from holdfast.store.postgres.store import open_team_store
from tests.e2e.conftest import Ran
from tests.e2e.fellows import Fellows, fellows, syncs, team_server
from tests.neighbours import GOLDFISH
from tests.postgres_server import Server

__all__ = ["fellows", "team_server"]
pytestmark = pytest.mark.process
START = sync_process._start


def test_both_work_on_and_both_agree(fellows: Fellows) -> None:
    """What each did alone, both know afterwards, each once, with who made it."""
    one = fellows.laptop.saves("parser", "--name", "quotes")
    syncs(fellows.laptop)
    two = fellows.desk.saves("lexer")
    three = fellows.laptop.saves("docs")

    fellows.converge()

    assert fellows.laptop.knows() == fellows.desk.knows()
    assert set(fellows.desk.knows()) == {one, two, three}
    assert fellows.desk.knows()[one] == ("parser", "quotes")
    assert fellows.kept() == {one: "parser", two: "lexer", three: "docs"}
    assert "00001@laptop" in fellows.desk("list").out
    assert "Of another machine, `laptop`" in fellows.desk("resume", "1@laptop").out
    assert fellows.desk("show", "latest", "--json").json["id"] == two


def test_a_sync_says_what_it_did_and_a_second_does_nothing(fellows: Fellows) -> None:
    fellows.laptop.saves("parser")

    before = syncs(fellows.laptop)
    again = syncs(fellows.laptop)
    told = fellows.desk("sync", "team")

    assert before == {
        "type": "synced", "target": "team", "sent": 1, "waiting": 0,
        "received": [], "removed": [], "refused": [], "held": [],
    }  # fmt: skip
    assert (again["sent"], again["waiting"], again["received"]) == (0, 0, [])
    assert told.out == "team: 0 sent, 1 checkpoint received\n"
    assert "00001@laptop  parser" in told.err


def test_what_is_forgotten_is_forgotten_by_all(fellows: Fellows) -> None:
    """And does not come back from whoever still had it."""
    one = fellows.laptop.saves("secret plan")
    two = fellows.laptop.saves("parser")
    fellows.converge()

    assert fellows.laptop("forget", one, "--yes").status == 0
    fellows.converge()

    assert set(fellows.kept()) == {two}
    assert set(fellows.desk.knows()) == set(fellows.laptop.knows()) == {two}
    assert fellows.desk("search", "secret", "--json").json["checkpoints"] == []


def test_forgetting_a_fellow_s_work_takes_it_from_nobody_else(
    fellows: Fellows,
) -> None:
    one = fellows.laptop.saves("parser")
    fellows.converge()

    assert fellows.desk("forget", one, "--yes").status == 0
    fellows.converge()

    assert set(fellows.kept()) == {one}
    assert set(fellows.laptop.knows()) == {one}
    assert fellows.desk.knows() == {}


def test_a_team_takes_nothing_that_came_from_another_program(
    fellows: Fellows, tmp_path: Path
) -> None:
    """Whoever has the database may say of any id that it was taken back."""
    fellows.laptop.saves("parser")
    syncs(fellows.laptop)
    (tmp_path / "quotes.md").write_text(GOLDFISH)
    ran = fellows.desk("import", str(tmp_path / "quotes.md"), "--from", "goldfish")
    assert ran.status == 0, ran
    (brought,) = fellows.desk.knows()
    values = {"checkpoint_id": brought, "machine": "goldfish"}
    with fellows.store() as store:
        store._database.write(
            lambda run: run.do(
                "UPDATE shared SET checkpoint_id = %(checkpoint_id)s,"
                " machine = %(machine)s, body = NULL",
                values,
            )
        )

    assert syncs(fellows.desk)["removed"] == []
    assert brought in fellows.desk.knows()


def test_a_renamed_one_is_called_so_everywhere(fellows: Fellows) -> None:
    first = fellows.laptop.saves("parser", "--name", "quotes")
    fellows.converge()

    second = fellows.laptop.saves("parser again", "--name", "quotes", "--force")
    fellows.converge()

    assert fellows.desk.knows()[second] == ("parser again", "quotes")
    assert fellows.desk.knows()[first] == ("parser", None)
    assert fellows.desk.knows() == fellows.laptop.knows()


def test_a_server_that_is_down_loses_nothing(fellows: Fellows, tmp_path: Path) -> None:
    """What waits is told, and goes when it is back."""
    fellows.set(dsn=f"postgresql:///x?host={tmp_path}&user=me", tenant=fellows.tenant)
    one = fellows.laptop.saves("parser")

    down = fellows.laptop("sync", "team", "--json")
    told = fellows.laptop("sync")
    health = fellows.laptop("doctor", "--json").json["checks"]
    later = fellows.laptop("sync", "team", "--due", "--json")

    assert (down.status, down.json["code"]) == (3, "TEAM_001")
    assert told.status == 3
    assert "the team's database does not answer" in told.err
    (team,) = [check for check in health if check["name"] == "team"]
    assert team["state"] == "warn"
    assert "1 waiting" in team["message"]
    assert later.json["waiting"] == 1  # asked nobody: it was down a moment ago

    fellows.set(tenant=fellows.tenant)
    syncs(fellows.laptop)

    assert set(fellows.kept()) == {one}
    (team,) = [
        check
        for check in fellows.laptop("doctor", "--json").json["checks"]
        if check["name"] == "team"
    ]
    assert (team["state"], team["message"]) == ("ok", "answers, 1 projects; 0 waiting")


def test_only_projects_that_the_user_named_are_shared(
    fellows: Fellows, tmp_path: Path
) -> None:
    fellows.set(tenant=fellows.tenant, projects=[str(tmp_path / "desk" / "**")])
    fellows.laptop.saves("private")
    two = fellows.desk.saves("shared")

    fellows.converge()

    assert set(fellows.kept()) == {two}
    assert len(fellows.laptop.knows()) == 1


def test_a_search_may_ask_the_whole_team(fellows: Fellows, tmp_path: Path) -> None:
    """What was never taken in is found, and where nobody answers, what is here."""
    one = fellows.laptop.saves("parser of quotes")
    two = fellows.desk.saves("lexer of quotes")
    syncs(fellows.laptop)

    def found(*words: str) -> set[str]:
        ran = fellows.desk("search", "quotes", "--json", *words)
        assert ran.status == 0, ran
        return {each["id"] for each in ran.json["checkpoints"]}

    assert found() == {two}
    assert found("--team") == found("--team", "--all") == {one}
    assert "00001@laptop" in fellows.desk("search", "--team", "quotes").out

    fellows.set(dsn=f"postgresql:///x?host={tmp_path}&user=me")
    told = fellows.desk("search", "--team", "quotes")

    assert found("--team") == {two}
    assert "does not answer" in told.err
    assert "only this machine was searched" in told.err


def test_a_fellow_s_checkpoint_is_fetched_when_it_is_named(
    fellows: Fellows, tmp_path: Path
) -> None:
    one = fellows.laptop.saves("parser of quotes")
    two = fellows.laptop.saves("unasked")
    syncs(fellows.laptop)

    resumed = fellows.desk("resume", "1@laptop")
    missing = fellows.desk("resume", "7@laptop")

    assert "Of another machine, `laptop`" in resumed.out
    assert set(fellows.desk.knows()) == {one}
    assert missing.status == 12
    assert fellows.desk("resume", two).status == 0

    fellows.set(dsn=f"postgresql:///x?host={tmp_path}&user=me")
    away = fellows.desk("resume", "7@laptop")

    assert away.status == 12
    assert "only this machine was searched" in away.err
    assert fellows.desk("resume", "1@laptop").status == 0


@pytest.mark.timeout(120)
def test_a_server_that_stands_still_is_not_waited_for(
    fellows: Fellows, team_server: Server
) -> None:
    """It took the connection, or the question, and says nothing: then it is down."""
    one = fellows.laptop.saves("parser of quotes")
    limits = Limits(connections=1, patience=0.0, statement_ms=2000)
    with open_team_store(
        fellows.dsn, create=False, tenant=fellows.tenant, limits=limits
    ) as store:
        assert store.list(Scope(), limit=1) == ()
        with team_server.standing_still():
            with pytest.raises(TeamUnreachable):
                store.list(Scope(), limit=1)
            found = fellows.laptop("search", "--team", "quotes", "--json")
            resumed = fellows.laptop("resume", "1@desk")

    assert [each["id"] for each in found.json["checkpoints"]] == [one]
    assert "only this machine was searched" in found.err
    assert "only this machine was searched" in resumed.err
    syncs(fellows.laptop)
    assert set(fellows.kept()) == {one}


def test_without_a_team_it_is_told_how_to_have_one(fellows: Fellows) -> None:
    fellows.laptop("config", "set", "team", "null")

    ran: Ran = fellows.laptop("sync", "team")

    assert ran.status == 1
    assert "no team is set" in ran.err
    assert "holdfast config set team postgresql://" in ran.err


def test_the_environment_says_nothing_about_the_database(
    fellows: Fellows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository can set it, and would be told what everybody gave."""
    one = fellows.laptop.saves("parser")
    monkeypatch.setenv("PGHOSTADDR", "127.0.0.9")
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGOPTIONS", "-c holdfast.tenant=evil")

    syncs(fellows.laptop)

    assert set(fellows.kept()) == {one}


def test_a_password_is_never_shown(fellows: Fellows, tmp_path: Path) -> None:
    """Neither kept in settings nor told by anything that fails."""
    ran = fellows.laptop("config", "set", "team", "postgresql://me:hunter2@h/db")
    assert ran.status == 1
    assert "hunter2" not in ran.out + ran.err
    secret = tmp_path / "password"
    secret.write_text("hunter2\n", encoding="utf-8")
    dsn = f"postgresql:///x?host={tmp_path}&user=me"

    fellows.set(dsn=dsn, password_file=str(secret))
    open_to_all = fellows.laptop("sync", "team")
    secret.chmod(0o600)
    unreachable = fellows.laptop("sync", "team")

    assert "chmod 600" in open_to_all.err
    assert "does not answer" in unreachable.err
    told = fellows.laptop("config", "list").out + fellows.laptop("doctor").out
    assert "hunter2" not in told + unreachable.err + unreachable.out
    for file in fellows.laptop.home.rglob("*"):
        assert not file.is_file() or b"hunter2" not in file.read_bytes()


def test_a_save_has_it_sent_by_a_process_that_nobody_waits_for(
    fellows: Fellows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the next save, if not with this one: nothing has to be remembered."""
    monkeypatch.setattr(sync_process, "_start", START)
    one = fellows.laptop.saves("parser")

    polling = threading.Event()
    for _ in range(1200):
        if set(fellows.kept()) == {one}:
            break
        polling.wait(0.05)

    assert set(fellows.kept()) == {one}
    with ShareDirectory(str(fellows.laptop.home)).held():  # it has ended
        assert fellows.laptop("doctor", "--json").status == 0
