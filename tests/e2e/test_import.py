"""Somebody comes from another program: what it kept is found here, once, and never more."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.domain.checkpoint import Checkpoint, PutResult
from holdfast.kernel.errors import StoreBusy
from holdfast.store.sqlite.store import SqliteStore
from tests.e2e.conftest import Cli
from tests.neighbours import (
    CODESEARCH,
    CONTEXTD,
    GOLDFISH,
    GOLDFISH_DAY,
    GUARDZ,
    MEMORY_FACT,
    MEMORY_INDEX,
    TOKEN,
    ClaudeMem,
    entire_commit,
    entire_files,
)
from tests.unit.snapshot.world import World, fingerprint

ULID = "01KVBJCWYA4YW6J5M9GP655HZN"


def goldfish(root: Path) -> Path:
    path = root / ".memories" / "2026-04-16" / "120000_1ebe.md"
    path.parent.mkdir(parents=True)
    path.write_text(GOLDFISH)
    return root


def guardz(root: Path) -> Path:
    path = root / "checkpoint-quotes.md"
    path.write_text(GUARDZ)
    return path


def contextd(root: Path) -> Path:
    path = root / "checkpoints.json"
    path.write_text(json.dumps({"checkpoints": [{**CONTEXTD, "project_path": ""}]}))
    return path


def codesearch(root: Path) -> Path:
    path = root / "memories_20260416_130000.json"
    memories = [CODESEARCH["memories"][0]]  # type: ignore[index]  # made above
    path.write_text(json.dumps({**CODESEARCH, "memories": memories}))
    return path


def claude_mem(root: Path) -> Path:
    made = ClaudeMem(root / "claude-mem.db")
    made.session("m1", "project")
    made.observes("m1", "Quotes nest by a stack", "decision")
    made.sums_up("m1", "Nested quotes in the parser")
    return made.close()


def entire(root: Path) -> Path:
    world = World(root)
    repository = world.repository("app")
    world.commit(repository)
    ref = f"refs/entire/checkpoints/{ULID[-2:]}/{ULID}"
    entire_commit(world, repository, ref, entire_files())
    return repository


def auto_memory(root: Path) -> Path:
    (root / "MEMORY.md").write_text(MEMORY_INDEX)
    (root / "quotes.md").write_text(MEMORY_FACT)
    return root


Source = Callable[[Path], Path]
SOURCES = [goldfish, guardz, contextd, codesearch, claude_mem, entire, auto_memory]


@pytest.fixture
def there(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "there"
    made.mkdir()
    return made


@pytest.mark.parametrize("source", SOURCES)
def test_what_a_program_kept_is_found_here_once(
    cli: Cli, there: Path, source: Source
) -> None:
    """Recognised by itself, told apart by the program's name, searched, and twice is
    once; the program's own files stay as they are."""
    path = source(there)
    kind = source.__name__.replace("_", "-")
    before = fingerprint(there)

    first = cli("import", str(path), "--json").json
    again = cli("import", str(path), "--json").json
    told = cli("import", str(path))

    assert (first["type"], first["kind"]) == ("imported", kind)
    assert first["new"] == first["checkpoints"]
    assert again["new"] == again["changed"] == []
    assert sorted(again["checkpoints"]) == sorted(first["checkpoints"])
    assert "already here: " in told.err
    (row, *_) = cli("search", "quotes", "--json").json["checkpoints"]
    assert row["machine"] == kind
    shown = cli("show", row["id"], "--json").json
    assert shown["foreign"]["origin"]["path"].startswith(str(there))
    assert shown["foreign"]["origin"]["id"]
    assert f"@{kind}" in cli("list").out
    assert cli("doctor", "--json").status in (0, 4)
    assert fingerprint(there) == before


@pytest.mark.parametrize("source", SOURCES)
def test_it_is_never_told_unasked(cli: Cli, there: Path, source: Source) -> None:
    """Neither a start nor `latest` means what another program kept."""
    cli("import", str(source(there)))

    preview = cli("brief", "--preview", "--json")

    assert preview.json["what"] == "nothing"
    assert "uotes" not in preview.out
    assert cli("resume", "latest").status == 12
    ran = cli("resume")
    assert ran.status == 12
    assert f"@{source.__name__.replace('_', '-')}`" in ran.err


def test_numbers_are_those_of_the_program_where_it_has_them(
    cli: Cli, there: Path
) -> None:
    cli("import", str(codesearch(there)))

    ran = cli("show", "42@codesearch")

    assert ran.out.startswith("CHECKPOINT-00042@codesearch · manual · ")
    assert "from     CHECKPOINT-00042 · " in ran.out


def test_what_comes_later_is_counted_on(cli: Cli, there: Path) -> None:
    goldfish(there)
    cli("import", str(there))
    (there / ".memories" / "2026-04-15.md").write_text(GOLDFISH_DAY)

    ran = cli("import", str(there))

    assert ran.out == (
        "00002@goldfish  Lexer drops trailing blanks\n"
        "00003@goldfish  Began with quotes\n"
    )
    assert "Nested quotes" in cli("show", "1@goldfish").out


def test_a_brief_of_it_says_whose_it_is(cli: Cli, there: Path) -> None:
    cli("import", str(goldfish(there)))

    brief = cli("resume", "1@goldfish").out

    assert "Kept by another program, `goldfish`" in brief
    assert "Commit the slice" in brief
    assert "▸ " not in brief.replace("▸ marks", "")


def test_what_another_program_kept_is_not_merged(cli: Cli, there: Path) -> None:
    cli("import", str(goldfish(there)))
    cli.save("--title", "mine")

    ran = cli("merge", "1", "1@goldfish")

    assert "`1@goldfish` was made by another program" in ran.err


def test_a_preview_keeps_nothing_and_makes_no_store(cli: Cli, there: Path) -> None:
    """Who comes from elsewhere looks first."""
    path = goldfish(there)

    ran = cli("import", str(path), "--dry-run")
    answer = cli("import", str(path), "--dry-run", "--json").json

    assert ran.status == 0
    assert ran.out == "00001@goldfish  Nested quotes in the parser\n"
    assert "nothing was imported: 1 checkpoint would come from goldfish" in ran.err
    assert (answer["preview"], len(answer["new"])) == (True, 1)
    assert not (cli.home / "holdfast.db").exists()
    cli("import", str(path))
    assert cli("import", str(path), "--dry-run", "--json").json["new"] == []


def test_what_could_not_be_read_is_counted_and_the_rest_comes(
    cli: Cli, there: Path
) -> None:
    goldfish(there)
    (there / ".memories" / "broken.md").write_text("nothing")
    (there / ".memories" / "passwd.md").symlink_to("/etc/passwd")

    ran = cli("import", str(there))
    answer = cli("import", str(there), "--json").json

    assert ran.status == 3
    assert (
        "1 could not be read: no checkpoint of goldfish (.memories/broken.md)"
        in ran.err
    )
    assert "symbolic links are not followed (.memories/passwd.md)" in ran.err
    assert [(each["why"], each["count"]) for each in answer["unread"]] == [
        ("no checkpoint of goldfish", 1),
        ("symbolic links are not followed", 1),
    ]
    assert "root:" not in cli("search", "root").out


def test_what_was_forgotten_stays_forgotten(cli: Cli, there: Path) -> None:
    path = goldfish(there)
    cli("import", str(path))
    forgotten = cli("forget", "1@goldfish", "--yes")
    assert (
        "stays on in its session" not in forgotten.err
    )  # no transcript brings it back

    answer = cli("import", str(path), "--json").json

    assert (answer["new"], len(answer["forgotten"])) == ([], 1)
    assert "quotes" not in cli("search", "quotes").out
    told = cli("import", str(path)).err
    assert told == "forgotten here, so not imported again: 1 checkpoint\n"


def test_secrets_stay_where_they_are(cli: Cli, there: Path) -> None:
    path = goldfish(there)
    file = path / ".memories" / "2026-04-16" / "120000_1ebe.md"
    file.write_text(GOLDFISH.replace("users of the linter", TOKEN))

    cli("import", str(path))

    assert TOKEN not in cli("show", "1@goldfish", "--json").out
    assert "redacted" in cli("show", "1@goldfish").out
    kept = b"".join(p.read_bytes() for p in cli.home.rglob("*") if p.is_file())
    assert TOKEN.encode() not in kept


def test_other_projects_of_claude_mem_stay_out_unless_asked_for(
    cli: Cli, there: Path
) -> None:
    made = ClaudeMem(there / "claude-mem.db")
    for name, project in (("m1", "project"), ("m2", "other")):
        made.session(name, project)
        made.observes(name, f"Quotes of {project}")
    path = str(made.close())

    some = cli("import", path, "--json").json
    told = cli("import", path)
    everything = cli("import", path, "--all", "--json").json

    assert (len(some["new"]), some["of_other_projects"]) == (1, 1)
    assert "of other projects: 1 record; `--all` imports them here" in told.err
    assert len(everything["new"]) == 1


def test_a_session_that_grew_there_comes_again(cli: Cli, there: Path) -> None:
    """What came before stays; the newer one tells all."""
    path = claude_mem(there)
    cli("import", str(path))
    again = ClaudeMem(path)
    again.observes("m1", "The linter counts quotes, too")
    again.close()

    answer = cli("import", str(path), "--json").json

    assert len(answer["new"]) == 1
    assert "linter counts" in cli("search", "linter counts").out
    assert len(cli("list", "--json").json["checkpoints"]) == 2


def test_what_was_changed_there_is_said(cli: Cli, there: Path) -> None:
    path = goldfish(there)
    cli("import", str(path))
    file = path / ".memories" / "2026-04-16" / "120000_1ebe.md"
    file.write_text(GOLDFISH.replace("by a stack", "by counting"))

    ran = cli("import", str(path))

    assert ran.status == 0
    assert "changed there since; unchanged here: 1 checkpoint" in ran.err
    assert "by a stack" in cli("show", "1@goldfish").out


def test_a_named_checkpoint_of_ours_is_not_taken_for_guardz(
    cli: Cli, there: Path
) -> None:
    """Both write the same file into the same directory."""
    slug = re.sub("[^a-zA-Z0-9]", "-", str(cli.project))
    memory = there.parent / "claude" / "projects" / slug / "memory"
    memory.mkdir(parents=True)
    cli.save("--name", "mine", "--title", "My own")
    named = memory / "checkpoint-mine.md"

    ran = cli("import", str(named))

    assert ran.out == ""
    assert "named checkpoints of holdfast are here already" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "cannot be read"),
        (["nowhere", "--from", "goldfish"], "cannot be read"),
        (["no\0where"], "cannot be read"),
        (["empty"], "cannot tell which program"),
        (["text"], "cannot tell which program"),
        (["text", "--from", "claude-mem"], "not a claude-mem database"),
        (["text", "--from", "entire"], "not a repository"),
        (["text", "--from", "holdfast"], "not a file that `holdfast export` made"),
        (["both"], "several programs: codesearch, goldfish"),
    ],
)
def test_what_cannot_be_taken_in_is_a_sentence(
    cli: Cli, there: Path, words: list[str], said: str
) -> None:
    (there / "empty").mkdir()
    (there / "text").write_text("hello")
    for name in (".memories", ".codesearch"):
        (there / "both" / name).mkdir(parents=True)

    ran = cli("import", str(there / words[0]), *words[1:])

    assert ran.status in (1, 13)
    assert said in ran.err
    assert ran.err.startswith("error[")


def test_all_is_nothing_to_a_file_of_ours(cli: Cli, there: Path) -> None:
    cli.save("--title", "mine")
    path = there / "mine.zip"
    cli("export", "1", "-o", str(path))

    assert cli("import", str(path), "--all").status == 2
    preview = cli("import", str(path), "--dry-run", "--json").json
    assert (preview["preview"], preview["new"]) == (True, [])


def test_nothing_there_is_said(cli: Cli, there: Path) -> None:
    (there / ".memories").mkdir()

    ran = cli("import", str(there))

    assert (ran.status, ran.out) == (0, "")
    assert "nothing from goldfish was found" in ran.err


def test_an_import_that_was_stopped_is_finished_by_the_next(
    cli: Cli, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record is kept whole or not at all; what is here is not taken in again."""
    goldfish(there)
    (there / ".memories" / "2026-04-15.md").write_text(GOLDFISH_DAY)
    adopt, calls = SqliteStore.adopt, list[str]()

    def busy_at_the_second(store: SqliteStore, checkpoint: Checkpoint) -> PutResult:
        calls.append(checkpoint.checkpoint_id)
        if len(calls) == 2:
            raise StoreBusy("the store is busy")
        return adopt(store, checkpoint)

    monkeypatch.setattr(SqliteStore, "adopt", busy_at_the_second)
    stopped = cli("import", str(there))
    finished = cli("import", str(there), "--json").json

    assert stopped.status == 11
    assert (len(finished["new"]), len(finished["checkpoints"])) == (2, 3)
    numbers = {row["number"] for row in cli("list", "--json").json["checkpoints"]}
    assert numbers == {1, 2, 3}
