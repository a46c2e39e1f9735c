"""`holdfast doctor --scan`: what older rules let through is taken out, everywhere."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from holdfast.app.checkpoints.drafting import with_receipt
from holdfast.app.forgetting.scan import scan
from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import scan_means
from holdfast.data_directory.spool import DirectorySpool
from holdfast.domain.checkpoint import Draft, Item
from holdfast.domain.query import Scope
from holdfast.domain.session import Cursor, KeptFold, SessionState, Turn
from holdfast.kernel.lazy_values import replace
from holdfast.store.port import Store
from holdfast.store.sqlite.store import SqliteStore, open_store
from tests.builders import a_draft, session_number
from tests.e2e.conftest import Cli
from tests.e2e.test_named import Memory

SECRET = "ghp_" + "k3Zt9QwX" * 5  # as a store holds it that older rules wrote
PASSWORD = "Walrus" + "77!tide"


def a_leaky_draft(number: int, **changes: object) -> Draft:
    return a_draft(
        f"Deploy with {SECRET}",
        summary=f"the password is {PASSWORD} for now",
        decisions=(Item(f"use {SECRET}", "user", (), f"say {SECRET}"),),
        tags=("deploy",),
        session_id=session_number(number),
        **changes,
    )


def leaks(root: Path) -> list[str]:
    return [
        path.name
        for path in root.rglob("*")
        if path.is_file()
        and any(s.encode() in path.read_bytes() for s in (SECRET, PASSWORD))
    ]


@pytest.fixture
def leaky(cli: Cli) -> Cli:
    """A data directory into which older rules let secrets."""
    with open_store(str(cli.home), create=True) as store:
        store.put(a_leaky_draft(1, name="release"))
        store.put(a_draft("Clean", session_id=session_number(2)))
        state = SessionState(session_id=session_number(2), turns=(Turn(prompt=SECRET),))
        store.keep_fold(session_number(2), KeptFold("/t", Cursor(), state))
    DirectorySpool(str(cli.home / "spool")).add(a_leaky_draft(3), "the disk was full")
    log = cli.home / "log"
    log.mkdir()
    copies = cli.home / "backups"
    copies.mkdir()
    (copies / "schema-3.db").write_text(f"an older form with {SECRET}")
    (log / "hook.log").write_text(f"Stop: {SECRET} was refused\n", encoding="utf-8")
    return cli


def test_a_scan_leaves_no_byte_of_a_secret_in_the_data_directory(leaky: Cli) -> None:
    """Records, index, folds, spool, logs: a byte search finds nothing."""
    assert len(leaks(leaky.home)) >= 3

    ran = leaky("doctor", "--scan", "--json")

    assert leaks(leaky.home) == []
    states = {check["name"]: check["state"] for check in ran.json["checks"]}
    assert (states["chain"], states["index"], states["scan"]) == ("ok", "ok", "warn")


def test_a_scan_tells_what_it_took_out_of_which_record(leaky: Cli) -> None:
    """A receipt without content: the user must know which secrets to replace."""
    ran = leaky("doctor", "--scan", "--json")

    told = [c for c in ran.json["checks"] if c["name"] == "scan"]
    assert "CHECKPOINT-00001" in told[0]["message"]
    assert "github" in told[0]["message"]
    assert "password" in told[0]["message"]
    assert "replace them where they are used" in told[0]["hint"]
    assert not any(secret in ran.out for secret in (SECRET, PASSWORD))


def test_what_is_left_of_a_scanned_record_reads_and_is_found(leaky: Cli) -> None:
    """Only the secret goes: the record keeps its place, its name and its sense."""
    leaky("doctor", "--scan")

    listed = leaky("list", "--all", "--json").json["checkpoints"]
    shown = next(each for each in listed if each["name"] == "release")
    assert shown["content"]["title"].startswith("Deploy with [redacted:github:")
    assert shown["number"] == 1
    assert leaky("search", "deploy", "--all", "--json").json["checkpoints"]
    assert leaky("search", SECRET, "--all", "--json").json["checkpoints"] == []


def test_the_receipt_of_a_rewritten_record_is_made_anew(leaky: Cli) -> None:
    """It counts what a brief carries of what the record says now."""
    with open_store(str(leaky.home), create=False) as store:
        before = next(iter(store.every(Scope()))).draft

    leaky("doctor", "--scan")

    with open_store(str(leaky.home), create=False) as store:
        after = next(iter(store.every(Scope()))).draft
    assert (before.receipt, after.receipt["decisions"]) == ({}, (1, 1))
    assert after == with_receipt(after, 1000)


def test_a_second_scan_finds_nothing_to_do(leaky: Cli) -> None:
    """Idempotent, so it can be run from cron and after an interruption."""
    leaky("doctor", "--scan")
    before = (leaky.home / "head").read_bytes()

    ran = leaky("doctor", "--scan", "--json")

    scans = [c for c in ran.json["checks"] if c["name"].startswith("scan")]
    assert {check["state"] for check in scans} == {"ok"}
    assert (leaky.home / "head").read_bytes() == before


def test_a_named_file_that_holds_a_secret_is_cleaned(cli: Cli) -> None:
    """It lies in the client's memory, which every session reads."""
    memory = Memory(cli)
    cli.save("--name", "release")
    file = memory.file("release")
    file.write_text(f"{file.read_text()}\nthe token is {SECRET}\n", encoding="utf-8")
    (memory.directory / "notes.md").write_text(f"mine: {SECRET}\n", encoding="utf-8")

    ran = cli("doctor", "--scan", "--json")

    told = next(c for c in ran.json["checks"] if c["name"] == "scan named files")
    assert str(file) in told["message"]
    assert SECRET not in file.read_text()
    assert "[redacted:github:" in file.read_text()
    assert leaks(memory.directory) == ["notes.md"]  # a person's file is theirs


def test_the_bullet_of_a_cleaned_file_is_made_anew(cli: Cli) -> None:
    """The index is read by every session, and its bullet quotes the file."""
    memory = Memory(cli)
    cli.save("--name", "release")
    file, index = memory.file("release"), memory.directory / "MEMORY.md"
    file.write_text(f"{file.read_text()}\nthe token is {SECRET}\n", encoding="utf-8")
    bullet = rf"\1 — Deploy with {SECRET}"
    index.write_text(re.sub(r"(\*\*release\*\* .*?) — .*", bullet, memory.index()))
    before = leaks(memory.directory)

    cli("doctor", "--scan")

    assert sorted(before) == ["MEMORY.md", "checkpoint-release.md"]
    assert leaks(memory.directory) == []


def test_a_scan_leaves_no_byte_in_pages_that_earlier_work_freed(leaky: Cli) -> None:
    """A record that is gone leaves its text in free pages until the file is new."""
    with open_store(str(leaky.home), create=False) as store:
        (row,) = (
            r for r in store.retention_rows() if r.session_id == session_number(1)
        )
        store.rewrite(row.checkpoint_id, a_draft("x" * 200_000), "scan")
        store.rewrite(row.checkpoint_id, a_draft("x"), "scan")
    size = (leaky.home / "holdfast.db").stat().st_size

    leaky("doctor", "--scan")

    assert leaks(leaky.home) == []
    assert (leaky.home / "holdfast.db").stat().st_size < size


def test_a_retry_key_that_is_a_secret_is_hidden_and_still_repeats(leaky: Cli) -> None:
    """A key is free text; its digest answers a retry of the same save as well."""
    with open_store(str(leaky.home), create=False) as store:
        kept = store.put(a_draft("Keyed", key=SECRET, session_id=session_number(5)))

    leaky("doctor", "--scan")

    with open_store(str(leaky.home), create=False) as store:
        key = store.get(kept.checkpoint.checkpoint_id).draft.key
        again = store.put(a_draft("Other", key=key, session_id=session_number(5)))
    assert leaks(leaky.home) == []
    assert again.checkpoint.checkpoint_id == kept.checkpoint.checkpoint_id


def test_what_lies_in_the_quarantine_is_named(leaky: Cli) -> None:
    """Nobody can rewrite what nobody can read: its owner has to look."""
    aside = leaky.home / "quarantine" / "checkpoint-0123456789abcdef.row.json"
    aside.parent.mkdir()
    aside.write_text(SECRET)

    ran = leaky("doctor", "--scan", "--json")

    told = next(c for c in ran.json["checks"] if c["name"] == "scan quarantine")
    assert told["state"] == "warn"
    assert str(aside) in told["message"]
    assert "remove it yourself" in told["hint"]
    assert aside.read_text() == SECRET


@dataclass
class DyingStore:
    """A store whose second rewrite never comes back, as if the process were killed."""

    inner: SqliteStore
    rewrites: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def rewrite(
        self, checkpoint_id: str, draft: Draft, reason: str, key: str
    ) -> object:
        self.rewrites += 1
        if self.rewrites == 2:
            raise KeyboardInterrupt
        return self.inner.rewrite(checkpoint_id, draft, reason, key)


def test_a_scan_that_was_killed_goes_on_at_the_next_call(leaky: Cli) -> None:
    """Each record is one transaction: nothing is half rewritten, nothing forgotten."""
    container = Container(environ=os.environ, project=str(leaky.project))
    dying = DyingStore(open_store(str(leaky.home), create=False))
    dying.inner.put(a_leaky_draft(4))
    ports = replace(container.ports(), open_store=lambda: cast("Store", dying))
    with pytest.raises(KeyboardInterrupt):
        list(scan(ports, scan_means(container)))
    dying.inner.close()
    assert "holdfast.db" in leaks(leaky.home)

    ran = leaky("doctor", "--scan", "--json")

    assert leaks(leaky.home) == []
    assert {c["state"] for c in ran.json["checks"] if c["name"] == "chain"} == {"ok"}


def test_a_scan_without_a_store_says_so(cli: Cli) -> None:
    """There is nothing to scan, and nothing is made."""
    ran = cli("doctor", "--scan", "--json")

    told = next(c for c in ran.json["checks"] if c["name"] == "scan")
    assert told["state"] == "warn"
    assert not (cli.home / "holdfast.db").exists()
