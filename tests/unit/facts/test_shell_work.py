"""Work by the shell is work: the files it changes are told as those of the tools are."""

import pytest

from holdfast.domain.checkpoint import FileRef
from holdfast.domain.event import Located, Origin, ToolCalled, ToolReturned, UserSaid
from holdfast.facts.content import content_of, facts_of
from holdfast.session.fold import begin, fold
from tests.sessions import (
    HOME,
    Step,
    asks,
    creates,
    edits,
    reads,
    runs,
    session,
)


def told(*steps: Step) -> dict[str, str]:
    """Each file with what happened to it."""
    return {f.path: f.change for f in content_of(session(asks("go"), *steps)).files}


def test_a_file_that_the_shell_wrote_is_an_edited_file() -> None:
    state = session(
        asks("Add a linter"),
        runs("cat > lint.toml <<'EOF'\n[lint]\nall = true\nEOF"),
        runs("sed -i 's/a/b/' src/main.py"),
    )
    files = content_of(state).files
    assert files == (
        FileRef("src/main.py", "edited"),
        FileRef("lint.toml", "edited", 2),
    )
    assert facts_of(state).files_modified == 2


def test_lines_of_shell_and_tools_are_summed() -> None:
    state = session(
        asks("go"),
        creates("notes.md", added=3),
        runs("cat >> notes.md <<EOF\none\ntwo\nEOF"),
    )
    assert content_of(state).files == (FileRef("notes.md", "created", 5, 0),)


@pytest.mark.parametrize(
    "command",
    [
        "echo hi > /tmp/x.txt",
        "cat > ~/notes.md <<EOF\nx\nEOF",
        "echo x >> ../other/a.py",
        "echo x > .git/info/exclude",
        "touch node_modules/a/index.js",
        "npm test > out.log",
    ],
)
def test_what_lies_outside_of_the_project_is_none_of_it(command: str) -> None:
    assert told(runs(command)) == {}


def test_a_file_outside_that_the_session_worked_on_is_known_all_the_same() -> None:
    """A second repository is worked on by its whole path."""
    outside = "/srv/site/index.html"
    assert told(reads(outside), runs(f"sed -i s/a/b/ {outside}")) == {outside: "edited"}


def test_a_moved_file_is_told_by_its_new_name() -> None:
    assert told(edits("src/a.py"), runs("git mv src/a.py src/b.py")) == {
        "src/a.py": "deleted",
        "src/b.py": "created",
    }
    assert told(creates("a.py"), runs("mv a.py lib/")) == {"lib/a.py": "created"}
    moved = told(reads("old/a.py"), reads("old/b/c.py"), runs("mv old new"))
    assert {path for path, change in moved.items() if change == "created"} == {
        "new/a.py",
        "new/b/c.py",
    }


def test_a_removed_file_is_told_unless_it_was_only_made_here() -> None:
    """A script that was written, run and removed leaves nothing."""
    assert told(runs("git rm src/legacy.py")) == {"src/legacy.py": "deleted"}
    assert told(reads("src/a.py"), reads("lib/b.py"), runs("rm -rf src")) == {
        "src/a.py": "deleted",
        "lib/b.py": "read",
    }
    script = "cat > probe.py <<EOF\nx\nEOF\npython probe.py"
    assert told(runs(script), runs("rm probe.py")) == {}
    assert told(runs("rm -rf dist node_modules")) == {}


def test_a_pattern_means_the_files_it_matches_of_those_known() -> None:
    found = told(reads("src/a.ts"), reads("src/b.py"), runs("sed -i s/a/b/ src/*.ts"))
    assert found == {"src/a.ts": "edited", "src/b.py": "read"}


def test_what_failed_or_was_tried_changed_nothing() -> None:
    assert told(runs("sed -i s/a/b/ a.py", fails="sed: bad")) == {}
    assert told(runs("git mv -n a.py b.py")) == {}


def test_work_taken_back_by_git_is_gone() -> None:
    """What a commit holds stays; what came after it was taken back."""
    state = session(
        asks("go"),
        edits("a.py", added=5),
        runs("git commit -am one"),
        edits("a.py", added=7),
        edits("b.py", added=2),
        runs("git checkout -- a.py b.py"),
    )
    files = {file.path: file for file in content_of(state).files}
    assert files["a.py"] == FileRef("a.py", "edited", 5, 0)
    assert files["b.py"].change == "read"
    assert content_of(state).uncommitted == ()


def _puts(after: str, before: str) -> Step:
    return edits(
        "a.py", added=len(after), removed=len(before), before=before, after=after
    )


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ((_puts("bb", "a"), _puts("a", "bb")), None),
        ((_puts("bb", "a"), _puts("ccc", "bb"), _puts("a", "ccc")), None),
        ((_puts("bb", "a"), _puts("y", "x"), _puts("a", "bb")), (1, 1)),
        ((_puts("bb", "a"), runs("sed -i s/q/r/ a.py"), _puts("a", "bb")), (0, 0)),
        ((_puts("bb", "a"), _puts("bb", "a"), _puts("a", "bb")), (2, 1)),
        ((_puts("bb", "a"), runs("git commit -am x"), _puts("a", "bb")), (3, 3)),
        ((creates("a.py", added=4), _puts("bb", "a"), _puts("a", "bb")), (4, 0)),
    ],
)
def test_an_edit_that_puts_back_what_was_there_leaves_nothing(
    steps: tuple[Step, ...], left: tuple[int, int] | None
) -> None:
    """Of a file that is as it was there is nothing to commit; of one that may not be,
    what is left is told."""
    content = content_of(session(asks("go"), *steps))

    (file,) = content.files
    assert content.uncommitted == (("a.py",) if left else ())
    assert (file.lines_added, file.lines_removed) == (left or (0, 0))


def test_uncommitted_files_are_told_newest_first() -> None:
    state = session(asks("go"), edits("a.py"), runs("touch b.py"), edits("c.py"))
    assert content_of(state).uncommitted == ("c.py", "b.py", "a.py")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("git commit -am done", ()),
        ("git add . && git commit -m done", ()),
        ("git add a.py && git commit -m done", ("b.py",)),
        ("git add a.py\ngit commit -m done -- b.py", ()),
        ("git commit -m 'staged by somebody'", ()),
        ("git stash", ()),
        ("git stash && npm test; git stash pop", ("b.py", "a.py")),
        ("git reset --hard", ()),
        ("git checkout .", ()),
        ("git restore a.py", ("b.py",)),
        ("git add a.py", ("b.py", "a.py")),
        ("git commit --dry-run", ("b.py", "a.py")),
        ("cd /srv/other && git commit -am done", ("b.py", "a.py")),
    ],
)
def test_what_git_does_is_followed(command: str, left: tuple[str, ...]) -> None:
    state = session(asks("go"), edits("a.py"), edits("b.py"), runs(command))
    assert content_of(state).uncommitted == left


def test_a_commit_that_failed_leaves_everything_open() -> None:
    state = session(
        asks("go"),
        edits("a.py"),
        runs("git add -A && git commit -m x", fails="hook: no"),
    )
    assert content_of(state).uncommitted == ("a.py",)


def test_git_itself_says_that_all_is_committed() -> None:
    clean = "On branch main\nnothing to commit, working tree clean"
    state = session(asks("go"), edits("a.py"), runs("git status", clean))
    assert content_of(state).uncommitted == ()


def test_a_path_is_seen_from_where_the_shell_stands() -> None:
    """A `cd` of an earlier command holds on: the client's lines say where it is."""
    origin = Origin("u1", None, 1)
    call = ToolCalled(origin, "m1", "c1", "Bash", "run", "touch x.py")
    state = fold(
        begin("s", "claude-code", ()),
        [
            Located("s", HOME, "main", "2", "cli"),
            UserSaid(origin, "go", 2),
            Located("s", f"{HOME}/api", "main", "2", "cli"),
            call,
            ToolReturned(origin, "c1", "ok"),
        ],
    )
    assert [file.path for file in content_of(state).files] == ["api/x.py"]


@pytest.mark.parametrize(
    "commit",
    [
        "cd .. && git add -A && git commit -m x",
        "cd /home/me && git add shop/web/a.py && git commit -m x",
        "git -C /home/me/shop commit -am x",
        'cd "$(git rev-parse --show-toplevel)" && git commit -am x',
    ],
)
def test_a_commit_above_the_sessions_directory_holds_its_files(commit: str) -> None:
    """The repository is mostly larger than the directory a client was started in."""
    steps = (asks("go"), edits(f"{HOME}/web/a.py"), runs(commit, "[main 3f2c1a9] x"))
    assert content_of(session(*steps, cwd=f"{HOME}/web")).uncommitted == ()


@pytest.mark.parametrize(
    ("commit", "output"),
    [
        ("cd ../api && git commit -am x", "[main 3f2c1a9] x"),
        ('cd "$ROOT" && git commit -am x', "nothing to commit"),
        ('cd "$(mktemp -d)" && git init && git commit -am x', "[main 3f2c1a9] x"),
    ],
)
def test_a_commit_elsewhere_commits_nothing_here(commit: str, output: str) -> None:
    """Nor does one that git did not tell of, or in a repository made for a try."""
    steps = (asks("go"), edits(f"{HOME}/web/a.py"), runs(commit, output))
    assert content_of(session(*steps, cwd=f"{HOME}/web")).uncommitted == ("a.py",)
