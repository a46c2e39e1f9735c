"""What a command line does to files."""

import pytest

from holdfast.domain.code import ShellChange
from holdfast.domain.session import Call
from holdfast.facts.commands.file_changes import changes_by, changes_of

CWD = "/home/dev/shop"


def told(command: str, cwd: str = CWD) -> list[str]:
    """Each change as `deed path`, with the old path of what was moved."""
    return [
        f"{one.deed} {one.source + ' -> ' if one.source else ''}{one.path}".rstrip()
        for one in changes_of(command, cwd)
    ]


def call(command: str, outcome: str = "ok", output: str = "") -> Call:
    return Call("c1", "Bash", command, "u1", 1, "run", outcome=outcome, output=output)  # type: ignore[arg-type]  # the tests' own words


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        # redirections and here-documents
        ("cat > src/a.py <<'EOF'\nrm -rf b.py; sed -i x c.py\nEOF", ["written src/a.py"]),
        ("cat <<EOF > src/a.py\nx\nEOF\ntouch b.py", ["written src/a.py", "written b.py"]),
        ("cat <<-END >> 'my file.txt'\n\tx\n\tEND", ["extended my file.txt"]),
        ("cat <<EOF | tee -a conf.ini\nx\nEOF", ["extended conf.ini"]),
        ("echo 'a > b' > out.txt", ["written out.txt"]),
        ("jq '.a > 1' p.json > q.json", ["written q.json"]),
        ("npm test > test.log 2>&1", []),
        ("npm test 2>&1 | tee test.log", []),
        ("make 2> errors.txt > /dev/null", []),
        ("if [ 3 -gt 2 ]; then echo x >> notes.md; fi", ["extended notes.md"]),
        ("diff <(sort a) <(sort b)", []),
        ('python3 -c "print(1 << x)\nprint(2)"; touch q', ["written q"]),
        # editors
        ("sed -i 's/a/b/' src/a.py src/b.py", ["edited src/a.py", "edited src/b.py"]),
        ("sed -i '' -e 's/a/b/' a.py", ["edited a.py"]),
        ("sed -i.bak -E 's/a/b/' a.py", ["edited a.py"]),
        ("sed -ne '/x/p' a.py && sed 's/a/b/' a.py", []),
        ("perl -pi -e 's/a/b/' a.py", ["edited a.py"]),
        ("perl -i.bak -0pe 's/a/b/' a.py b.py", ["edited a.py", "edited b.py"]),
        ("perl -ne 'print if /i/' a.py", []),
        # moving, copying, removing
        ("mv a.py lib/", ["moved a.py -> lib/a.py"]),
        ("mv a.py lib", ["moved a.py -> lib/a.py"]),
        ("mv -f a.py b.py", ["moved a.py -> b.py"]),
        ("mv a.py b.py lib", ["moved a.py -> lib/a.py", "moved b.py -> lib/b.py"]),
        ("git mv old.py new.py", ["moved old.py -> new.py"]),
        ("cp a.py b.py && rm -rf a.py build", ["written a.py -> b.py", "removed a.py", "removed build"]),
        ("git rm a.py && git rm --cached b.py", ["removed a.py"]),
        ("touch src/{a,b}.ts", ["written src/a.ts", "written src/b.ts"]),
        # where it runs
        ("cd api && touch x.py && cd .. && touch y.py", ["written api/x.py", "written y.py"]),
        ("(cd api && touch x.py) && touch y.py", ["written api/x.py", "written y.py"]),
        (f"touch {CWD}/src/x.py", ["written src/x.py"]),
        ("cd /tmp && echo hi > x.py", ["written /tmp/x.py"]),
        ('cd "$(mktemp -d)" && echo hi > x.py', []),
        ("D=$(mktemp -d); echo hi > $D/x.py; echo hi > ~/x.py", []),
        # variables and loops
        ('F=src/a.py; cat >> "$F" <<EOF\nx\nEOF', ["extended src/a.py"]),
        (
            "for f in a.go b/c.go; do\n  sed -i '' 's/x/y/' \"$f\"\ndone",
            ["edited a.go", "edited b/c.go"],
        ),
        ("for f in *.go; do gofmt -w $f; done", ["edited *.go"]),
        # programs within
        ("bash -c 'cd api && touch x.py'", ["written api/x.py"]),
        ("sudo -E tee conf.ini <<EOF\nx\nEOF", ["written conf.ini"]),
        ("ssh host 'rm -rf a.py'; docker exec web sh -c 'rm b.py'", []),
        # formatters name files, or a directory of which nothing is known
        ("npx prettier --write src/a.ts", ["edited src/a.ts"]),
        ("prettier --check src/a.ts; black --check a.py; ruff format --diff a.py", []),
        ("black . && cargo fmt && ruff format src", []),
        ("uv run ruff check --fix src/a.py", ["edited src/a.py"]),
        # what git does
        ("git checkout -- src/a.py", ["restored src/a.py"]),
        ("git checkout main src/a.py", ["restored src/a.py"]),
        ("git checkout -b fix/a.py && git checkout main && git switch x", []),
        ("git restore src/a.py && git restore --staged b.py", ["restored src/a.py"]),
        ("git checkout . ; git reset --hard HEAD~1", ["restored", "restored"]),
        ("git stash && git stash list && git stash pop", ["stashed", "unstashed"]),
        ("git add a.py && git commit -m 'x > y'", ["staged a.py", "committed"]),
        ("git commit -am 'all of it'", ["staged", "committed"]),
        (
            'git add -A && git commit -m "$(cat <<\'EOF\'\nfix: rm "x" > y\nEOF\n)"',
            ["staged", "committed"],
        ),
        ("git commit --dry-run; git rm -n a.py; git status --porcelain", []),
        ("git -C api checkout -- x.py", ["restored api/x.py"]),
    ],
)  # fmt: skip
def test_a_line_says_what_it_does_to_files(command: str, expected: list[str]) -> None:
    """The next session must know of a file whoever changed it: a tool or the shell."""
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            (
                "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('src/a.py')\n"
                "p.write_text(p.read_text().replace('x', 'y'))\nEOF"
            ),
            ["written src/a.py"],
        ),
        (
            (
                "python - <<EOF\npath = 'a.py'\nwith open(path) as f: s = f.read()\n"
                "with open(path, 'w') as f: f.write(s)\nopen('log.txt', 'a').write('x')\nEOF"
            ),
            ["written a.py", "extended log.txt"],
        ),
        (
            "python3 -c \"import os; os.rename('a.py', 'b.py'); os.remove('c.py')\"",
            ["removed c.py", "moved a.py -> b.py"],
        ),
        (
            (
                "python3 - <<'EOF'\nfor f in ['a.py', 'b.py']:\n    s = open(f).read()\n"
                "    open(f, 'w').write(s)\nEOF"
            ),
            ["written a.py", "written b.py"],
        ),
        ("python3 -c \"print(open('a.py').read())\"", []),
        (
            "node -e \"const fs=require('fs'); fs.writeFileSync('a.json', '{}')\"",
            ["written a.json"],
        ),
        ("ruby -e \"File.write('a.rb', 'x')\"", ["written a.rb"]),
        ("python3 scripts/open.py 'w'", []),
    ],
)
def test_a_small_program_names_the_files_it_writes(
    command: str, expected: list[str]
) -> None:
    assert told(command) == expected


def test_a_patch_tells_its_files_and_lines() -> None:
    patch = (
        "git apply <<'EOF'\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,3 @@\n-x\n+y\n+z\n"
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n--- a/old.py\n+++ /dev/null\nEOF"
    )
    assert changes_of(patch, CWD) == (
        ShellChange("edited", "src/a.py", 2, 1),
        ShellChange("written", "new.py", 1, 0),
        ShellChange("removed", "old.py"),
    )
    assert told(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n"
        "@@\n-x\n+y\n*** Add File: c.py\n+z\n*** End Patch\nEOF"
    ) == ["moved a.py -> b.py", "written c.py"]
    assert told("patch -p1 < fix.patch; patch src/a.py fix.diff") == ["edited src/a.py"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("Set-Content -Path src\\a.ps1 -Value 'x'", ["written src/a.ps1"]),
        ("Get-Date | Out-File -FilePath out.txt", ["written out.txt"]),
        ("Add-Content notes.md 'more'", ["extended notes.md"]),
        ("Remove-Item -Recurse -Force build", ["removed build"]),
        ("Move-Item a.py lib\\b.py; Rename-Item c.py d.py",
         ["moved a.py -> lib/b.py", "moved c.py -> d.py"]),
        ("Copy-Item a.py b.py", ["written a.py -> b.py"]),
        ("New-Item -ItemType Directory -Path src", []),
        ("@'\nrm x.py\n'@ | Set-Content a.txt", ["written a.txt"]),
        ("del /Q old.txt", ["removed old.txt"]),
        ("Get-Content a.py > $null", []),
    ],
)  # fmt: skip
def test_windows_shells_are_read_too(command: str, expected: list[str]) -> None:
    assert told(command) == expected


def test_a_path_of_windows_is_one_file_however_its_drive_is_written() -> None:
    """What the agent wrote as `C:\\shop` and the shell removed as `/c/shop` is gone."""
    home = "C:\\Users\\dev\\shop"

    assert told("rm /c/Users/dev/shop/notes.md", home) == ["removed notes.md"]
    assert told("rm C:/Users/dev/shop/notes.md", home) == ["removed notes.md"]
    assert told("rm /c/Users/dev/other.md", home) == ["removed /c/Users/dev/other.md"]


def test_lines_are_counted_where_the_command_tells_them() -> None:
    found = changes_of("cat > a.py <<'EOF'\none\ntwo\n\nfour\nEOF\necho x >> b.py")
    assert [(one.path, one.added) for one in found] == [("a.py", 4), ("b.py", 1)]


def test_a_command_that_failed_wrote_nothing_but_before_the_end() -> None:
    """`cat > run.py <<EOF …` then `python run.py`: the file is there all the same."""
    assert changes_by(call("sed -i s/a/b/ a.py", "failed"), CWD) == ()
    assert changes_by(call("touch a.py", "interrupted"), CWD) == ()
    assert changes_by(call("touch a.py", "pending"), CWD) == ()
    done = changes_by(call("cat > run.py <<EOF\nx\nEOF\npython run.py", "failed"), CWD)
    assert [one.path for one in done] == ["run.py"]


def test_what_the_output_denies_was_not_done() -> None:
    denied = "cp: cannot stat 'a.py': No such file or directory"
    assert changes_by(call("cp a.py b.py; true", "ok", denied), CWD) == ()
    denied = "sed: can't read a.py: No such file or directory"
    assert changes_by(call("sed -i s/a/b/ a.py | cat", "ok", denied), CWD) == ()


def test_what_stands_behind_or_is_not_known_to_have_run() -> None:
    assert changes_by(call("npm test || touch failed.txt"), CWD) == ()


def test_a_line_that_lost_its_end_still_names_what_it_writes() -> None:
    """Long commands are kept shortened, and a document may have no end then."""
    long = "cat > big.py <<'EOF'\n" + "x = 1\n" * 400
    assert told(long[:2000]) == ["written big.py"]


def test_a_quotation_that_was_cut_is_no_command() -> None:
    """`=>` of a program that lost its last quote sends nothing anywhere."""
    assert told('node -e "const f = keys.filter(k => k[0]); rm') == []
