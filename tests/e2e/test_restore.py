"""`restore` and `undo` as a user has them, in a repository of their own."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SAMPLE, Cli
from tests.e2e.repository import commit_all, git, worktree_of, write
from tests.unit.snapshot.world import fingerprint


@pytest.fixture
def project(cli: Cli) -> Path:
    """A repository with one commit and a checkpoint of it, number 1."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    (cli.project / ".gitignore").write_text("build/\n*.log\n")
    write(cli.project, src__a_py="print(1)\n", README_md="hello\n")
    commit_all(cli.project)
    cli.save("--title", "first")
    return cli.project


def _restore(cli: Cli, *words: str) -> Any:
    ran = cli("restore", *words, "--json")
    assert ran.status == 0, ran
    return ran.json


def test_code_comes_back_and_undo_takes_it_back(cli: Cli, project: Path) -> None:
    """The whole point: then, and exactly what was there before that."""
    write(project, src__a_py="print(2)\n", src__new_py="new\n")
    (project / "README.md").unlink()
    before = worktree_of(project)

    done = _restore(cli, "1")
    restored = worktree_of(project)
    undone = cli("undo", "--json")

    assert done["written"] == ["README.md", "src/a.py"]
    assert done["kept"] == ["src/new.py"]
    assert done["preview"] is False
    assert restored["src/a.py"][1] == b"print(1)\n"
    assert restored["README.md"][1] == b"hello\n"
    assert restored["src/new.py"][1] == b"new\n"
    assert undone.json["type"] == "restored"
    assert worktree_of(project) == before


def test_t28_the_present_is_saved_first(cli: Cli, project: Path) -> None:
    """A checkpoint like any other: listed, shown, and restorable by its number."""
    write(project, src__a_py="precious\n")

    saved = _restore(cli, "1")["saved_first"]
    again = _restore(cli, saved)

    shown = cli("show", saved, "--json").json
    assert shown["content"]["title"].endswith("(before restoring CHECKPOINT-00001)")
    assert shown["number"] == 2
    assert again["written"] == ["src/a.py"]
    assert (project / "src/a.py").read_text() == "precious\n"


def test_the_present_is_saved_though_its_transcript_is_gone(
    cli: Cli, tmp_path: Path
) -> None:
    """Clients delete transcripts after 30 days; code must not wait for them."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(SAMPLE.read_bytes())
    write(cli.project, a_py="1\n")
    cli.save("--title", "old", transcript=transcript)
    transcript.unlink()
    write(cli.project, a_py="2\n")

    done = _restore(cli, "1")
    told = cli("resume").out
    cli("undo")

    assert done["saved_first"].startswith("ccp-")
    assert (cli.project / "a.py").read_text() == "2\n"
    assert "# Resuming CHECKPOINT-00002" in told
    assert "(the goal)" in told  # what was known is still what is told


def test_exact_removes_newer_files_and_never_ignored_ones(
    cli: Cli, project: Path
) -> None:
    """Ignored build outputs take hours to make; peers have deleted them."""
    write(project, src__new_py="new\n", build__out_o="slow to make", debug_log="log")

    done = _restore(cli, "1", "--exact")

    assert done["removed"] == ["src/new.py"]
    assert (project / "build/out.o").read_text() == "slow to make"
    assert (project / "debug.log").read_text() == "log"


def test_exact_keeps_what_the_rules_of_then_ignored(cli: Cli, project: Path) -> None:
    """Without today's `.gitignore` the outputs look new; they were there all along."""
    write(project, build__out_o="slow to make")
    (project / ".gitignore").unlink()

    done = _restore(cli, "1", "--exact")

    assert done["removed"] == []
    assert "build/out.o" in done["kept"]
    assert (project / "build/out.o").read_text() == "slow to make"


def test_exact_keeps_what_a_rule_made_since_protects(cli: Cli, project: Path) -> None:
    """The restored `.gitignore` no longer has the rule; the files behind it stay."""
    (project / ".gitignore").write_text("build/\n*.log\n/results/\n")
    write(project, results__run1_json="hours of work")

    done = _restore(cli, "1", "--exact")

    assert done["written"] == [".gitignore"]
    assert done["removed"] == []
    assert (project / "results/run1.json").read_text() == "hours of work"


def test_a_safety_copy_is_named_after_the_work(cli: Cli, project: Path) -> None:
    """It is the newest checkpoint, so it is what the next session is offered."""
    write(project, src__a_py="print(2)\n")

    _restore(cli, "1")
    undone = cli("undo", "--json").json

    shown = cli("show", undone["saved_first"], "--json").json
    assert shown["content"]["title"].startswith("first (before undoing a restore")


def test_untracked_results_of_other_programs_come_back_with_undo(
    cli: Cli, project: Path
) -> None:
    """Asked to be exact it removes them, and nothing of them is lost."""
    write(project, output__a_jsonl="{}\n" * 1000, output__b_csv="1,2\n")
    before = worktree_of(project)

    done = _restore(cli, "1", "--exact")
    cli("undo")

    assert done["removed"] == ["output/b.csv", "output/a.jsonl"]
    assert worktree_of(project) == before


def test_a_snapshot_that_left_out_too_much_does_not_empty_a_repository(
    cli: Cli, project: Path
) -> None:
    """What it could not hold then looks newer now; `--exact` must not believe that."""
    cli("config", "set", "snapshot.max_file_mb", "1")
    for number in range(101):
        with (project / f"asset{number}.bin").open("wb") as file:
            file.truncate(1_100_000)
    cli.save("--title", "assets left out")
    for path in project.glob("asset*.bin"):
        path.write_bytes(b"small")

    exact = cli("restore", "2", "--exact")
    kept = _restore(cli, "2")

    assert exact.status == 4
    assert "does not list every file it left out" in exact.err
    assert len(kept["kept"]) == 101
    assert len(list(project.glob("asset*.bin"))) == 101


def test_the_users_git_is_untouched(cli: Cli, project: Path) -> None:
    """Index, HEAD, branches, stash, reflog: byte for byte, times included."""
    write(project, src__a_py="staged\n")
    git(project, "add", "-A")
    write(project, src__a_py="changed\n")
    before = fingerprint(project / ".git")

    _restore(cli, "1", "--exact")
    restored = fingerprint(project / ".git")
    cli("undo")

    assert restored == before
    assert fingerprint(project / ".git") == before


def test_no_program_of_the_repository_runs_and_no_byte_is_translated(
    cli: Cli, project: Path
) -> None:
    """Filters, hooks, monitors and line endings are git's business, not ours."""
    mark, trap = cli.home.parent / "mark", cli.home.parent / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    trap.chmod(0o755)
    for key in ("filter.trap.clean", "filter.trap.smudge", "core.fsmonitor"):
        git(project, "config", key, str(trap))
    hook = project / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to(trap)
    (project / ".gitattributes").write_text("* text eol=crlf filter=trap ident\n")
    content = b"$Id$\none\r\ntwo\nthree\r"
    (project / "mixed.txt").write_bytes(content)
    cli.save("--title", "mixed")
    (project / "mixed.txt").write_bytes(b"other")

    _restore(cli, "2", "--exact")
    restored = (project / "mixed.txt").read_bytes()
    cli("undo")

    assert restored == content
    assert (project / "mixed.txt").read_bytes() == b"other"
    assert not mark.exists()


def test_commits_made_since_are_not_dropped(cli: Cli, project: Path) -> None:
    """HEAD never moves; that it is elsewhere is only said."""
    write(project, src__a_py="print(2)\n")
    newer = commit_all(project, "user's own")

    ran = cli("restore", "1")

    assert git(project, "rev-parse", "HEAD") == newer
    assert f"HEAD is {newer[:7]} now" in ran.err
    assert (project / "src/a.py").read_text() == "print(1)\n"


def test_after_amend_branch_deletion_gc_and_a_move_it_still_restores(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    """A snapshot leans on nothing of the repository's."""
    git(project, "checkout", "-q", "-b", "side")
    write(project, src__a_py="on the side\n")
    commit_all(project)
    cli.save("--title", "side")
    git(project, "commit", "-q", "--amend", "-m", "amended")
    git(project, "checkout", "-q", "main")
    git(project, "branch", "-D", "side")
    git(project, "reflog", "expire", "--expire=now", "--all")
    git(project, "gc", "-q", "--prune=now")
    moved = tmp_path / "moved"
    project.rename(moved)
    cli.project = moved

    _restore(cli, "2")

    assert (moved / "src/a.py").read_text() == "on the side\n"


@pytest.mark.parametrize(
    "name",
    [pytest.param(".env", id="a secret by name"), pytest.param("id_rsa", id="key")],
)
def test_a_file_that_is_protected_stays_as_it_is(
    cli: Cli, project: Path, name: str
) -> None:
    """Not in the snapshot, so neither written nor removed, even exactly."""
    (project / name).write_text("API_TOKEN=then\n")
    cli.save("--title", "with secret")
    (project / name).write_text("API_TOKEN=now\n")
    write(project, src__a_py="changed\n")

    _restore(cli, "2", "--exact")
    kept = (project / name).read_text()
    cli("undo")

    assert kept == "API_TOKEN=now\n"
    assert (project / name).read_text() == "API_TOKEN=now\n"


def test_a_file_that_was_too_large_then_is_not_newer(cli: Cli, project: Path) -> None:
    """It was left out, not absent: `--exact` must not remove it."""
    (project / "data.bin").write_bytes(bytes(6_000_000))
    cli.save("--title", "large")
    (project / "data.bin").write_bytes(b"small now")

    done = _restore(cli, "2", "--exact")

    assert done["removed"] == []
    assert (project / "data.bin").read_bytes() == b"small now"


def test_a_preview_writes_nothing(cli: Cli, project: Path) -> None:
    """Not a file of the user's, and no checkpoint."""
    write(project, src__a_py="print(2)\nprint(3)\n")
    before = fingerprint(project)

    ran = cli("restore", "1", "--preview")
    told = cli("restore", "1", "--preview", "--exact", "--json").json

    assert fingerprint(project) == before
    assert "M  src/a.py  +1  −2" in ran.out
    assert "1 file to write" in ran.out
    assert (told["preview"], told["saved_first"]) == (True, None)
    assert len(cli("list", "--json").json["checkpoints"]) == 1


def test_restoring_what_is_there_already_does_nothing(cli: Cli, project: Path) -> None:
    """No file is written and no checkpoint made; a second run changes nothing."""
    before = fingerprint(project)

    done = _restore(cli, "1")

    assert (done["written"], done["saved_first"]) == ([], None)
    assert fingerprint(project) == before
    assert "nothing to restore" in cli("restore", "1").out


def test_only_the_paths_named_are_restored(cli: Cli, project: Path) -> None:
    """Files and directories; outside the worktree is refused, nowhere is said."""
    write(project, src__a_py="2\n", README_md="2\n")

    done = _restore(cli, "1", "src")
    outside = cli("restore", "1", "../x")
    nowhere = cli("restore", "1", "no/such")

    assert done["written"] == ["src/a.py"]
    assert (project / "README.md").read_text() == "2\n"
    assert (outside.status, nowhere.status) == (2, 2)
    assert "outside the worktree" in outside.err
    assert "has nothing at `no/such`" in nowhere.err


@pytest.mark.parametrize(
    ("sign", "said"),
    [
        pytest.param("rebase-merge", "a rebase", id="rebase"),
        pytest.param("MERGE_HEAD", "a merge", id="merge"),
        pytest.param("CHERRY_PICK_HEAD", "a cherry-pick", id="cherry-pick"),
        pytest.param("BISECT_LOG", "a bisect", id="bisect"),
    ],
)
def test_an_operation_that_is_not_finished_is_not_disturbed(
    cli: Cli, project: Path, sign: str, said: str
) -> None:
    """Refused with the reason and a way out; into a new directory it still works."""
    write(project, src__a_py="conflict\n")
    (project / ".git" / sign).write_text("x")
    into = project.parent / "copy"

    refused = cli("restore", "1")
    elsewhere = cli("restore", "1", "--into", str(into))

    assert refused.status == 4
    assert f"error[REST_001]: {said} is not finished here" in refused.err
    assert "--into DIR" in refused.err
    assert (project / "src/a.py").read_text() == "conflict\n"
    assert elsewhere.status == 0
    assert (into / "src/a.py").read_text() == "print(1)\n"
    assert not (into / ".git").exists()


def test_a_new_directory_must_be_new(cli: Cli, project: Path) -> None:
    """Files of two places are never mixed."""
    refused = cli("restore", "1", "--into", str(project / "src"))
    inside = cli("restore", "1", "--into", str(project / ".git" / "x"))

    assert (refused.status, inside.status) == (4, 4)
    assert "is not empty" in refused.err
    assert "git directory" in inside.err


def test_a_directory_in_the_way_with_ignored_files_is_refused(
    cli: Cli, project: Path
) -> None:
    """The whole restore is refused before its first file is written."""
    write(project, thing="a file\n", other="1\n")
    cli.save("--title", "file")
    (project / "thing").unlink()
    write(project, thing__debug_log="precious log", other="2\n")

    refused = cli("restore", "2")

    assert refused.status == 4
    assert "thing/debug.log" in refused.err
    assert (project / "thing/debug.log").read_text() == "precious log"
    assert (project / "other").read_text() == "2\n"


def test_undo_goes_back_one_restore_at_a_time(cli: Cli, project: Path) -> None:
    """As in an editor; at the end it says that nothing is left."""
    write(project, src__a_py="two\n")
    cli.save("--title", "second")
    write(project, src__a_py="three\n")
    _restore(cli, "1")
    _restore(cli, "2")

    seen = []
    for _ in range(2):
        cli("undo")
        seen.append((project / "src/a.py").read_text())
    over = cli("undo", "--json")

    assert seen == ["print(1)\n", "three\n"]
    assert (over.status, over.json["code"]) == (1, "REST_003")


def test_undo_works_after_pruning(cli: Cli, project: Path) -> None:
    """What was saved first is no ordinary automatic checkpoint: it stays."""
    write(project, src__a_py="precious\n")
    _restore(cli, "1")
    cli.save("--title", "later")

    pruned = cli("prune", "--json")
    cli("undo")

    assert pruned.status == 0
    assert (project / "src/a.py").read_text() == "precious\n"


def test_undo_leaves_later_work_elsewhere_alone(cli: Cli, project: Path) -> None:
    """It takes back what the restore did, not what the user did after it."""
    write(project, src__a_py="two\n")
    _restore(cli, "1")
    write(project, README_md="edited after\n", mine_py="made after\n")

    cli("undo")

    assert (project / "src/a.py").read_text() == "two\n"
    assert (project / "README.md").read_text() == "edited after\n"
    assert (project / "mine.py").read_text() == "made after\n"


def test_a_path_may_be_typed_by_way_of_a_link(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    """Shells show the path one came by, not the real one."""
    (tmp_path / "link").symlink_to(project)
    write(project, src__a_py="2\n", README_md="2\n")

    done = _restore(cli, "1", str(tmp_path / "link" / "README.md"))

    assert done["written"] == ["README.md"]


def test_what_undo_takes_away_can_be_had_again(cli: Cli, project: Path) -> None:
    """It is saved first, too."""
    write(project, src__a_py="two\n")
    _restore(cli, "1")
    write(project, src__a_py="edited after the restore\n")

    saved = cli("undo", "--json").json["saved_first"]
    _restore(cli, saved)

    assert (project / "src/a.py").read_text() == "edited after the restore\n"


def test_case_only_renames_come_back(cli: Cli, project: Path) -> None:
    """`Readme` became `readme`: exactly then there was one of them, and it was that."""
    (project / "README.md").rename(project / "readme.md")
    before = worktree_of(project)

    _restore(cli, "1", "--exact")
    names = {p.name for p in project.iterdir()} - {".git"}
    cli("undo")

    assert names == {".gitignore", "README.md", "src"}
    assert worktree_of(project) == before


def test_a_project_without_git_is_restored_the_same(cli: Cli) -> None:
    """Not everything is a repository."""
    write(cli.project, a_py="1\n")
    cli.save("--title", "one")
    write(cli.project, a_py="2\n", b_py="new\n")
    before = worktree_of(cli.project)

    done = _restore(cli, "1", "--exact")
    cli("undo")

    assert (done["written"], done["removed"]) == (["a.py"], ["b.py"])
    assert worktree_of(cli.project) == before


@pytest.mark.usefixtures("project")
def test_a_checkpoint_of_another_project_is_not_written_here(
    cli: Cli, tmp_path: Path
) -> None:
    """An id finds it everywhere; its files belong elsewhere."""
    other = tmp_path / "other"
    other.mkdir()
    write(other, a_py="1\n")
    saved = cli.save("--title", "mine")["checkpoint"]["id"]
    cli.project = other
    cli.save("--title", "theirs")

    refused = cli("restore", saved)
    copied = cli("restore", saved, "--into", str(tmp_path / "copy"))

    assert refused.status == 4
    assert "another project" in refused.err
    assert copied.status == 0


def test_code_and_conversation_come_in_one_command(cli: Cli, project: Path) -> None:
    """`--brief`: the files are back and the next session can be told."""
    write(project, src__a_py="2\n")

    ran = cli("restore", "1", "--brief")
    told = _restore(cli, "1", "--brief")

    assert "# Resuming CHECKPOINT-00001" in ran.out
    assert told["brief"].startswith("# Resuming CHECKPOINT-00001")


def test_a_checkpoint_without_code_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home directory is no project, so its snapshot was never taken."""
    monkeypatch.setenv("HOME", str(cli.project))
    cli.save("--title", "no code")

    ran = cli("restore", "1", "--json")

    assert (ran.status, ran.json["code"]) == (1, "SNAP_002")
