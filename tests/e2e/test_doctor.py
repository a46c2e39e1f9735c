"""`doctor` as a user meets it: what is wrong, what to do, and a repair that loses nothing."""

import errno
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast.app.forgetting.forget import ForgetRequest, plan_forget
from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import forget_means
from holdfast.kernel.ids import reference
from tests.e2e.conftest import SAMPLE, SESSION, Cli
from tests.e2e.test_forget import NAME, WORDS, told
from tests.e2e.work import Work


def checks(cli: Cli, *words: str) -> dict[str, Any]:
    return {c["name"]: c for c in cli("doctor", "--json", *words).json["checks"]}


def titles(cli: Cli) -> list[str]:
    kept = cli("list", "--json").json["checkpoints"]
    return [each["content"]["title"] for each in kept]


def damaged(home: Path, edit: str) -> None:
    connection = apsw.Connection(str(home / "holdfast.db"))
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.execute(edit)
    connection.close()


def test_a_healthy_store_has_one_line_for_each_thing(cli: Cli) -> None:
    """Everything that can be wrong is named, so that nobody has to guess what was seen."""
    cli.save()

    found = checks(cli)

    assert [*found] == [
        "structure", "chain", "head", "rows", "index", "log", "journal", "spool",
        "code", "requests", "locks", "leftovers", "permissions", "settings", "disk",
        "transcripts", "claude code",
    ]  # fmt: skip
    assert {c["state"] for c in found.values()} <= {"ok", "warn"}


def test_repair_says_what_it_did_and_then_how_things_are(cli: Cli) -> None:
    """One damaged record of two: it comes back from the journal."""
    cli.save("--title", "one")
    cli.save("--title", "two")
    damaged(cli.home, "UPDATE checkpoint SET body = '{}' WHERE number = 1")

    before = cli("doctor", "--json")
    ran = cli("doctor", "--repair", "--json")
    again = cli("doctor", "--repair")

    assert before.status == 13
    assert "doctor --repair" in before.json["checks"][1]["hint"]
    assert ran.status == 0
    said = [done["message"] for done in ran.json["repairs"]]
    assert "a record was brought back from the journal" in said
    assert "nothing to do" in again.out
    assert titles(cli) == ["two", "one"]
    assert checks(cli)["quarantine"]["state"] == "warn"


def test_a_record_that_is_gone_is_named_until_it_is_given_up(cli: Cli) -> None:
    """Two faults at once; "done" over a loss would be the third."""
    cli.save("--title", "one")
    cli.save("--title", "two")
    shutil.rmtree(cli.home / "journal")
    damaged(cli.home, "UPDATE checkpoint SET body = '{}' WHERE number = 1")

    ran = cli("doctor", "--repair", "--json")
    later = cli("doctor", "--json")
    shutil.rmtree(cli.home / "quarantine")
    given_up = cli("doctor", "--json")

    told = [done["message"] for done in ran.json["repairs"] if done["state"] == "fail"]
    assert ran.status == later.status == 13
    assert told[0].startswith("00001 is gone and could not be found again")
    assert {c["name"]: c["message"] for c in later.json["checks"]}["records"] == told[0]
    assert given_up.status == 0
    assert titles(cli) == ["two"]


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_a_store_that_is_gone_comes_back_and_numbers_go_on(cli: Cli, left: str) -> None:
    """What lies beside it knows of it: nobody begins at 00001 over it."""
    for title in ("one", "two", "three"):
        cli.save("--title", title)
    (cli.home / "holdfast.db").unlink()
    if left == "an empty file":
        (cli.home / "holdfast.db").touch(mode=0o600)
    words = ["save", "--transcript", str(SAMPLE), "--title", "four", "--key", "k"]

    before, waits = cli("doctor", "--json"), cli(*words)
    ran = cli("doctor", "--repair", "--json")

    told = {c["name"]: c for c in before.json["checks"]}["store"]
    assert (before.status, told["state"]) == (13, "fail")
    assert (
        "is gone or empty, but the files beside it show that it had records"
        in told["message"]
    )
    assert "doctor --repair" in told["hint"]
    assert waits.status == 3
    assert ran.status == 0
    kept = cli("list", "--json").json["checkpoints"]
    assert [c["number"] for c in kept] == [4, 3, 2, 1]
    assert titles(cli) == ["four", "three", "two", "one"]
    assert (cli.home / "quarantine" / "store-001" / "holdfast.db-wal").exists()


def test_where_only_the_head_is_left_numbers_still_go_on(cli: Cli) -> None:
    """Nothing can be brought back: which ones are gone is said, none is given again."""
    cli.save("--title", "one")
    cli.save("--title", "two")
    shutil.rmtree(cli.home / "journal")
    for path in cli.home.glob("holdfast.db*"):
        path.unlink()

    ran = cli("doctor", "--repair", "--json")

    told = [done["message"] for done in ran.json["repairs"] if done["state"] == "fail"]
    assert ran.status == 13
    assert told[0].startswith("entry 1 to entry 2 are gone")
    assert cli.save("--title", "three")["checkpoint"]["number"] == 3


def test_repair_puts_what_waited_into_the_rebuilt_store(cli: Cli) -> None:
    """While the store was broken, a save went to the spool."""
    cli.save("--title", "one")
    for name in ("holdfast.db-wal", "holdfast.db-shm"):
        (cli.home / name).unlink(missing_ok=True)
    whole = (cli.home / "holdfast.db").read_bytes()
    (cli.home / "holdfast.db").write_bytes(b"\0" * 20 + whole[20:])
    words = ["save", "--transcript", str(SAMPLE), "--title", "two", "--key", "k"]
    assert cli(*words).status == 3

    ran = cli("doctor", "--repair", "--json")

    said = " ".join(done["message"] for done in ran.json["repairs"])
    assert "1 save that waited: stored now" in said
    titles = [c["content"]["title"] for c in cli("list", "--json").json["checkpoints"]]
    assert "two" in titles


def test_a_save_that_the_disk_lost_holds_the_others_up_until_a_repair(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ordinary saves wait behind it, as it may come back; a repair is where that ends."""
    words = ["save", "--transcript", str(SAMPLE), "--title"]
    cli.save("--title", "before")
    store, away = cli.home / "holdfast.db", cli.home / "away.db"
    store.rename(away)
    store.write_bytes(b"no database" * 100)
    assert cli(*words, "lost", "--key", "lost").status == 3
    away.replace(store)
    [entry] = (cli.home / "spool").glob("*.json")
    real = os.open

    def fail(path: Any, *rest: Any, **more: Any) -> int:
        if path == entry.name:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", fail)
    assert cli(*words, "behind", "--key", "behind").status == 3

    ran = cli("doctor", "--repair", "--json")

    told = [done["message"] for done in ran.json["repairs"] if done["name"] == "spool"]
    aside = (
        f"1 save that the disk cannot read: set aside as `.bad` in `{cli.home}/spool`"
    )
    assert told[:2] == [aside, "1 save that waited: stored now"]
    assert " is now CHECKPOINT-" in told[2]
    assert Path(f"{entry}.bad").exists()
    kept = cli("list", "--json").json["checkpoints"]
    assert [c["content"]["title"] for c in kept] == ["behind", "before"]
    assert cli(*words, "after", "--key", "after").status == 0


def test_everything_of_ours_is_private_whatever_the_umask(
    cli: Cli, tmp_path: Path
) -> None:
    """Sessions say things that are nobody else's business."""
    work = Work(cli)
    usual = os.umask(0)
    try:
        (tmp_path / "claude" / "projects").mkdir(parents=True)
        told(work)
        cli("doctor", "--bundle", str(tmp_path / "bundle.md"))
        cli("forget", "latest", "--dry-run")
    finally:
        os.umask(usual)
    ours = [cli.home, *cli.home.rglob("*"), tmp_path / "bundle.md"]
    ours += [p for p in (tmp_path / "claude").rglob("*") if "memory" in p.parts]

    loose = [str(path) for path in ours if stat.S_IMODE(path.lstat().st_mode) & 0o077]

    assert list((tmp_path / "claude").rglob(f"checkpoint-{NAME}.md"))
    assert loose == []


def test_wrong_settings_are_a_finding_not_a_crash(cli: Cli, tmp_path: Path) -> None:
    """`doctor` is what people run when something is wrong."""
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text('{"hooks": {"nudge": 7}, "colour": "red"}')
    cli.save()

    ran = cli("doctor", "--json")

    told_of = [c["message"] for c in ran.json["checks"] if c["name"] == "settings"]
    assert ran.status == 0
    assert any("nudge" in message for message in told_of)
    assert any("colour" in message for message in told_of)


def test_a_newer_store_is_told_and_not_repaired(cli: Cli) -> None:
    """What looks wrong may only be newer."""
    cli.save()
    damaged(cli.home, "PRAGMA user_version = 9999; CREATE TABLE of_the_future (x)")
    before = (cli.home / "holdfast.db").read_bytes()

    ran = cli("doctor", "--repair", "--json")

    assert ran.status == 13
    assert "newer holdfast" in ran.json["repairs"][0]["message"]
    assert (cli.home / "holdfast.db").read_bytes() == before


def test_an_unfinished_forgetting_is_told_and_finished(cli: Cli) -> None:
    """A kill between the order and the last byte leaves the order."""
    cli.save()
    container = Container(environ=os.environ, project=str(cli.project))
    plan = plan_forget(
        ForgetRequest(reference=reference("latest")),
        container.scope(),
        container.ports(),
    )
    forget_means(container).orders.add(plan.order)
    container.close()

    found = checks(cli)["forgetting"]
    cli("doctor", "--repair")

    assert (found["state"], "1 checkpoints" in found["message"]) == ("warn", True)
    assert "forgetting" not in checks(cli)
    assert cli("list", "--json").json["checkpoints"] == []


def test_a_bundle_holds_nothing_personal(cli: Cli, tmp_path: Path) -> None:
    """A canary in every place that a report could take something from: none gets in."""
    work = Work(cli)
    record = told(work)
    canary = "zibbledore"
    log = cli.home / "log"
    log.mkdir(mode=0o700, exist_ok=True)
    (log / "hook.log").write_text(
        f"2026-01-18T12:00:00.000Z Stop: CKPT_001: `{canary}` cannot be read\n"
        f"2026-01-18T12:00:01.000Z save: Traceback (most recent call last):\n"
        f'  File "/home/{canary}/lib/holdfast/app/checkpoints/save.py", line 12, in save\n'
        f"    use({canary!r})\n"
        f"KeyError: '{canary}'\n"
    )
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text(
        f'{{"exclude": ["/home/{canary}"], "brief": {{"budget_tokens": 1234}},'
        f' "mirrors": [{{"kind": "memora", "url": "http://{canary}:8000/mcp"}}],'
        f' "{canary}": 1}}'
    )
    damaged(cli.home, "UPDATE checkpoint SET checkpoint_id = 'zibbledore'")
    (cli.home / f"{canary}.txt").write_text(canary)
    (cli.home / "env").mkdir(exist_ok=True)
    (cli.home / "env" / f"{canary}.sh.999999999").write_text("")
    bundle = tmp_path / "bundle.md"

    ran = cli("doctor", "--bundle", str(bundle), "--json")

    text = bundle.read_text(encoding="utf-8")
    assert ran.json["bundle"] == str(bundle)
    personal = (canary, *WORDS, str(tmp_path), str(cli.project), record["id"], SESSION)
    assert [word for word in personal if word in text] == []
    assert "- brief.budget_tokens = 1234 (from user)" in text
    assert "2026-01-18T12:00:00.000Z Stop CKPT_001" in text
    assert "holdfast/app/checkpoints/save.py:12" in text
    assert "KeyError" in text
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600


def test_a_bundle_never_replaces_a_file(cli: Cli, tmp_path: Path) -> None:
    """The name may be a typo, or a link to something precious."""
    cli.save()
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")

    for name in ("precious", "link", "missing/dir"):
        assert cli("doctor", "--bundle", str(tmp_path / name)).status == 1

    assert precious.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_a_repair_that_finds_less_than_there_was_fails_and_says_so(cli: Cli) -> None:
    """An empty store with a tick behind every line would hide the loss."""
    cli.save()
    path = cli.home / "holdfast.db"
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    path.write_bytes(path.read_bytes()[:4096])
    shutil.rmtree(cli.home / "journal")

    ran = cli("doctor", "--repair", "--json")
    later = cli("doctor", "--json")

    told = [done for done in ran.json["repairs"] if done["state"] == "fail"]
    assert ran.status == later.status == 13
    assert f"{cli.home}/quarantine" in told[0]["message"]
    assert {"records", "quarantine"} <= {
        check["name"] for check in later.json["checks"] if check["state"] == "fail"
    }
