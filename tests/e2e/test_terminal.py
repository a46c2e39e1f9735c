"""What a person sees: tables on a real terminal, plain text when piped, a sign of life."""

import io
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.cells import cell_len

from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import Column, print_rows, spinner
from tests.e2e.conftest import SAMPLE, SESSION, Cli, on_a_terminal
from tests.e2e.repository import git
from tests.e2e.work import Work

_ESCAPE = b"\x1b["
_ESCAPES = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")


@pytest.mark.parametrize(
    "words", [["list"], ["search", "banana"], ["doctor"], ["config"]]
)
def test_a_terminal_gets_a_table_with_colour(cli: Cli, words: list[str]) -> None:
    """Good to look at, and no line is longer than the terminal is wide."""
    cli.save("--title", "Banana " * 20)

    seen = on_a_terminal(cli, *words)

    assert _ESCAPE in seen
    assert b"Traceback" not in seen


def test_a_long_title_leaves_room_for_the_rest(cli: Cli) -> None:
    """At 80 columns the number, the age and the files are still there."""
    for title in ("Banana " * 20, "解析器" * 40):
        cli.save("--title", title)

    seen = _ESCAPES.sub(b"", on_a_terminal(cli, "list")).decode().splitlines()

    assert [line[:5] for line in seen] == ["00002", "00001"]
    assert all(line.endswith("1 file") for line in seen)
    assert all(cell_len(line) <= 80 for line in seen)
    assert all("manual" in line and "…" in line for line in seen)


def test_a_list_of_every_project_fits_the_terminal(cli: Cli, tmp_path: Path) -> None:
    """Long names of a project and of a branch leave room for the title."""
    project = tmp_path / "a-rather-long-name-of-a-project"
    other = Cli(cli.home, project, cli.capsys)
    project.mkdir()
    git(project, "init", "-q", "-b", "feature/a-rather-long-name-of-a-branch", ".")
    (project / "a").write_text("x\n")
    cli.save("--title", "Banana " * 20)
    other.save("--title", "Kelp " * 20)

    seen = _ESCAPES.sub(b"", on_a_terminal(cli, "list", "--all")).decode().splitlines()

    assert len(seen) == 2
    assert all(cell_len(line) <= 80 for line in seen)
    assert all("Kelp" in line or "Banana" in line for line in seen)


def test_a_sentence_is_no_wider_than_the_terminal(cli: Cli) -> None:
    """Broken between words, never inside of a command that is there to be pasted."""
    cli.save("--title", "Banana")

    shown = on_a_terminal(cli, "merge", "1", COLUMNS="50")
    seen = _ESCAPES.sub(b"", shown).decode().splitlines()

    assert len(seen) > 2
    assert all(cell_len(line) <= 50 for line in seen)
    assert any("`holdfast merge HOME FORK`" in line for line in seen)


def test_a_list_of_every_project_says_which(cli: Cli, tmp_path: Path) -> None:
    """A title alone does not tell where work is from."""
    other = Cli(cli.home, tmp_path / "kelp-forest", cli.capsys)
    other.project.mkdir()
    cli.save("--title", "Banana")
    other.save("--title", "Kelp")

    everywhere = [line.split()[-4:] for line in cli("list", "--all").out.splitlines()]

    assert everywhere == [
        ["kelp-forest", "Kelp", "1", "file"],
        ["project", "Banana", "1", "file"],
    ]
    assert "project" not in cli("list").out


def test_what_is_said_stands_below_what_was_printed(cli: Cli) -> None:
    """An agent reads both streams through one pipe; stdout is then buffered."""
    (cli.project / ".env").write_text("TOKEN=canary-0123456789abcdef\n")
    words = ["save", "--transcript", str(SAMPLE), "--project", str(cli.project)]

    done = subprocess.run(
        [sys.executable, "-m", "holdfast", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=True,
    )

    assert done.stdout.rstrip().endswith(
        "not in the snapshot: `.env`: may hold a secret"
    )


def test_no_colour_where_none_is_wanted(cli: Cli) -> None:
    """NO_COLOR, and everything that is not a terminal."""
    cli.save("--title", "Banana")

    assert _ESCAPE not in on_a_terminal(cli, "list", NO_COLOR="1")
    assert "\x1b" not in cli("list").out


def test_a_wide_script_keeps_the_columns_straight(cli: Cli) -> None:
    """A Chinese character takes two cells; the branch column must not move."""
    cli.save("--title", "解析器")
    cli.save("--title", "parser")

    first, second = cli("list").out.splitlines()

    assert first.index("1 file") == second.index("1 file") + len("解析器")


def test_piped_answers_are_plain(cli: Cli) -> None:
    """The text form of every command that lists something."""
    for number in range(13):
        cli.save("--title", f"Banana {number}", "--type", "auto")

    assert "Banana 12" in cli("search", "banana").out
    assert "nothing found" in cli("search", "zebra").err
    assert "3 automatic checkpoints would go" in cli("prune", "--dry-run").out
    assert "brief.budget_tokens" in cli("config").out
    assert cli("config", "set", "brief.budget_tokens", "700").status == 0
    assert "1 file" in cli("list", "--limit", "1").out


def test_the_demo_shows_a_brief_of_the_newest_session(cli: Cli) -> None:
    """If the machine has transcripts, their newest, and that all can be searched; nothing
    is stored."""
    place = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "-p"
    place.mkdir(parents=True)
    shutil.copy(SAMPLE, place / f"{SESSION}.jsonl")

    shown = cli("demo").out

    assert "nothing was stored" in shown
    assert "makes 1 earlier session on this machine searchable" in shown
    assert not cli.home.exists()


class _Terminal(io.StringIO):
    """A stream that says it is a terminal, and tells when something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


def test_who_waits_sees_what_is_being_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress on anything over a second."""
    monkeypatch.setenv("TERM", "xterm")  # a dumb one cannot show it
    stderr = _Terminal()
    output = Output(json=False, quiet=False, colour=True, stdout=io.StringIO(), stderr=stderr)  # fmt: skip

    with spinner(output, "reading the transcript", after=0):
        assert stderr.written.wait(5)

    assert "reading the transcript" in stderr.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_scripts_see_no_spinner(quiet: bool) -> None:  # noqa: FBT001  # a column of the table
    """With --json or --quiet, stderr stays silent."""
    stderr = _Terminal()
    output = Output(json=not quiet, quiet=quiet, colour=True, stdout=io.StringIO(), stderr=stderr)  # fmt: skip

    with spinner(output, "reading", after=0):
        pass

    assert stderr.getvalue() == ""


@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("how", [">&-", "2>&-", ">&- 2>&- <&-", "| true", ">/dev/full"])
@pytest.mark.parametrize(
    "command", ["list", "show 7 --json", "--version", "statusline"]
)
def test_a_stream_that_nobody_has_is_no_bug(
    cli: Cli, command: str, how: str, buffered: str
) -> None:
    """A closed stream, a reader that left, a full disk: no traceback, no report."""
    if how == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no device that is always full")

    done = _in_shell(cli, f"{command} {how}", PYTHONUNBUFFERED=buffered)

    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert not list((cli.home / "log").glob("bug-*"))


def test_what_is_printed_to_nobody_goes_into_no_file(cli: Cli) -> None:
    """The next file that is opened gets the number of a stream that was closed."""
    cli.save()

    done = [_in_shell(cli, f"{command} >&-") for command in ("list --json", "mcp")]

    assert [one.stderr for one in done] == ["", ""]
    assert cli("doctor").status == 0


def test_what_we_start_has_the_streams_that_we_opened() -> None:
    """A git without a stream would write its words into the next file that it opens."""
    code = (
        "import os, sys; from holdfast.kernel.streams import open_streams; open_streams()\n"
        "sys.exit(not all(map(os.get_inheritable, range(3))))"
    )

    done = subprocess.run(
        ["sh", "-c", '"$0" -c "$1" >&- 2>&- <&-', sys.executable, code], check=False
    )

    assert done.returncode == 0


def test_a_reader_that_wants_one_line_gets_one(cli: Cli) -> None:
    """`| head -1`: that is its right."""
    cli.save()
    cli.save("--title", "Another one")

    done = _in_shell(cli, "list | head -1")

    assert done.stdout.startswith("00002* ")
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


def _in_shell(
    cli: Cli, command: str, **environ: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", f'"$0" -m holdfast {command}', sys.executable],
        env={**os.environ, **environ},
        cwd=cli.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_a_save_is_told_in_two_lines_and_whole_when_asked(cli: Cli) -> None:
    """What was saved and how to go on; all that was found stays one option away."""
    words = ["save", "--transcript", str(SAMPLE), "--title"]

    saved = cli(*words, "Banana").out.splitlines()
    whole = cli(*words, "Apple", "--verbose").out

    assert saved[0].startswith('✓ Checkpoint saved: "Banana" · 00001')
    assert saved[1].endswith("continue with: holdfast resume 1")
    assert len(saved) == 2
    for part in ("Session Information:", "Checkpoint Created: CHECKPOINT-00002"):
        assert part in whole


def test_a_list_says_how_much_is_older_and_how_to_see_it(cli: Cli) -> None:
    """Nobody knows that twenty is not all."""
    for number in range(4):
        cli.save("--title", f"Banana {number}")

    some = cli("list", "--limit", "1")
    everything = cli(*some.err.split("holdfast ")[1].split())

    assert "3 older: holdfast list --limit 4\n" in some.err
    assert len(everything.out.splitlines()) == 4
    assert "older" not in everything.err
    assert [line[5] for line in everything.out.splitlines()] == ["*", " ", " ", " "]


def test_a_list_tells_branch_time_and_files_that_are_not_committed(cli: Cli) -> None:
    work = Work(cli)
    work.asks("add a")
    for name in ("a.py", "b.py", "c.py"):
        work.edits(name, "a = 1\n")
    work.saves("Letters")

    (line,) = cli("list").out.splitlines()

    assert re.search(r"^00001\*  \d\d:\d\d just now  manual  Letters  main \+3", line)


def test_a_mark_is_coloured_where_colour_is_wanted(cli: Cli) -> None:
    """And is a mark without it: colour never carries meaning alone."""
    saving = ["save", "--transcript", str(SAMPLE), "--title"]

    seen = on_a_terminal(cli, *saving, "Banana").decode()
    plain = on_a_terminal(cli, *saving, "Apple", NO_COLOR="1").decode()

    assert "\x1b[32m✓\x1b[0m Checkpoint saved" in seen
    assert plain.startswith("✓ Checkpoint saved")
    assert b"\x1b[32m\xe2\x9c\x93" in on_a_terminal(cli, "doctor")


def test_what_is_read_on_a_terminal_breaks_between_words(cli: Cli) -> None:
    """A brief has long lines; through a pipe it stays as the model gets it."""
    work = Work(cli)
    work.asks("make the 解析器 accept nested quotes in every place ⚠️ " * 6)
    work.edits("a.py", "a = 1\n")
    work.saves("Nested quotes")

    for words in (["show", "latest"], ["resume"]):
        seen = _ESCAPES.sub(b"", on_a_terminal(cli, *words)).decode().splitlines()
        told = set(cli(*words).out.split())

        wide = [line for line in seen if cell_len(line) > 80]
        assert all(" " not in line.strip() for line in wide)
        assert told <= {word for line in seen for word in line.split()}


@pytest.mark.parametrize("colour", [True, False])
def test_a_column_that_folds_goes_on_below_itself(
    colour: bool,  # noqa: FBT001  # a column of the table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What `doctor` says is read down one edge, however narrow the terminal is."""
    monkeypatch.setenv("COLUMNS", "40")
    screen = _Terminal()
    output = Output(json=False, quiet=False, colour=colour, stdout=screen, stderr=screen)  # fmt: skip
    rows = [["!", "mirror", "nobody answers at this place, and 2 wait"], ["✓", "disk", "free"]]  # fmt: skip

    print_rows(output, (Column(), Column(), Column(folds=True)), rows)

    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    assert plain.splitlines() == [
        "!  mirror  nobody answers at this place,",
        "           and 2 wait",
        "✓  disk    free",
    ]
