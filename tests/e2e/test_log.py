"""`holdfast log`: the history of a project, on a terminal, in a pipe and as JSON."""

import os
import re
import sys
from pathlib import Path

import apsw
import pytest
from rich.cells import cell_len

from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.cli.pager import has_unicode
from tests.builders import a_draft
from tests.e2e.conftest import SESSION, Cli, on_a_terminal

_ESCAPES = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")
_FORK = "91e0cc11-8f0e-4c0e-9d36-000000000002"


def kept(cli: Cli, *drafts: tuple[str, str, str]) -> list[str]:
    """Keep records of this project beside the real one: session, title, parent."""
    (real,) = cli("list", "--json").json["checkpoints"][:1]
    project, place = real["project"]["id"], real["project"]["root"]
    ids = []
    with open_store(str(cli.home), create=False) as store:
        for session, title, parent in drafts:
            draft = a_draft(
                title,
                session_id=session,
                project_id=project,
                project_root=place,
                parent_session=parent or None,
                workspace=place,
                started_at=real["session_state"]["started_at_unix"],
            )
            ids.append(store.put(draft).checkpoint.checkpoint_id)
    return ids


@pytest.fixture
def forked(cli: Cli) -> tuple[Cli, list[str]]:
    """A session with a fork, both gone on."""
    first = cli.save("--title", "API design agreed")["checkpoint"]["id"]
    ids = kept(cli, (_FORK, "Tried Redis", SESSION), (SESSION, "解析器 修复", ""))
    return cli, [first, *ids]


def test_the_json_says_lane_and_parents(forked: tuple[Cli, list[str]]) -> None:
    """What a page or a script draws from; newest first."""
    cli, (first, fork, last) = forked

    answer = cli("log", "--json").json

    assert answer["type"] == "log"
    told = [(r["checkpoint"], r["lane"], r["parents"]) for r in answer["rows"]]
    assert told == [(last, 0, [first]), (fork, 1, [first]), (first, 0, [])]
    assert [row["siblings"] for row in answer["rows"]] == [[fork], [last], []]
    assert [row["how"] for row in answer["rows"]] == [["goes on"], ["fork"], []]


def test_a_pipe_gets_the_whole_of_it_without_colour(
    forked: tuple[Cli, list[str]],
) -> None:
    """`holdfast log --graph | less` and a file are read by people, too."""
    cli, _ = forked

    lines = cli("log", "--graph").out.splitlines()

    assert [line[:4].rstrip() for line in lines] == ["●", "│ ●", "├─╯", "●"]
    assert "解析器 修复" in lines[0]
    assert lines[2].endswith(f"fork: session {_FORK[:8]}")
    assert "\x1b" not in "".join(lines)


def test_a_locale_without_unicode_gets_ascii(
    forked: tuple[Cli, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines are ours to choose; a title is not."""
    cli, _ = forked
    monkeypatch.setenv("LC_ALL", "C")

    lines = cli("log", "--graph").out.splitlines()

    assert [line[:4].rstrip() for line in lines] == ["*", "| *", "|-'", "*"]


@pytest.mark.parametrize(
    ("environ", "answer"),
    [
        ({}, True),
        ({"LANG": "en_US.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "en_US.ISO-8859-1"}, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "de_DE", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, False),
    ],
)
def test_the_locale_says_what_can_be_shown(
    environ: dict[str, str], *, answer: bool
) -> None:
    """As the C library reads it; `C.UTF-8` may be Python's own doing."""
    assert has_unicode(environ) is answer


def on_terminal(cli: Cli, *words: str, **environ: str) -> list[str]:
    seen = on_a_terminal(cli, *words, **{"PAGER": "cat", "LANG": "C.UTF-8"} | environ)
    return _ESCAPES.sub(b"", seen).decode().splitlines()


def test_a_terminal_gets_colour_and_no_long_line(
    forked: tuple[Cli, list[str]],
) -> None:
    """Lanes are told apart by colour, and at 80 columns nothing wraps."""
    cli, _ = forked
    cli.save("--title", "ยาวมาก " * 30)

    raw = on_a_terminal(cli, "log", "--graph", PAGER="cat", LANG="C.UTF-8")
    plain = on_a_terminal(
        cli, "log", "--graph", PAGER="cat", LANG="C.UTF-8", NO_COLOR="1"
    )

    assert b"\x1b[36m" in raw
    assert b"\x1b" not in plain
    # But for the age, which may have grown by a second meanwhile.
    bare = [_ESCAPES.sub(b"", line)[:12] for line in raw.splitlines()]
    assert bare == [line[:12] for line in plain.splitlines()]
    assert all(cell_len(line) <= 80 for line in plain.decode().splitlines())


def test_a_pager_reads_it_and_may_be_left(
    forked: tuple[Cli, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's own, without a shell, and none of the project's; one that leaves at
    once is no error."""
    cli, _ = forked
    script = tmp_path / "my pager.py"
    script.write_text("import sys\nprint('paged', len(sys.stdin.readlines()))\n")
    gone = tmp_path / "gone.py"
    gone.write_text("raise SystemExit(0)\n")

    own = cli.project / "less.py"
    own.write_text("print('the project was here')\n")

    monkeypatch.chdir(cli.project)

    seen = on_terminal(cli, "log", PAGER=f"{sys.executable} -u '{script}'")
    theirs = on_terminal(cli, "log", PAGER=f"{sys.executable} {own}")
    left = on_terminal(cli, "log", PAGER=f"{sys.executable} {gone}")
    missing = on_terminal(cli, "log", PAGER="/nowhere/less")
    unclosed = on_terminal(cli, "log", PAGER="less '")
    shell = on_terminal(cli, "log", PAGER=f"sh -c '{sys.executable} {own}'")

    assert seen == ["paged 3"]
    assert not left
    assert len(missing) == len(unclosed) == len(theirs) == len(shell) == 3


def test_without_checkpoints_it_says_what_to_do(cli: Cli, tmp_path: Path) -> None:
    """No store, no checkpoint here, none of that time: each has a next step."""
    nothing = cli("log")
    assert (nothing.status, "holdfast save" in nothing.err) == (10, True)

    cli.save("--title", "Here")
    elsewhere = Cli(cli.home, tmp_path / "other", cli.capsys)
    elsewhere.project.mkdir()
    empty = elsewhere("log", "--graph")
    assert (empty.status, empty.out) == (0, "")
    assert "no checkpoints here yet" in empty.err
    assert "--all" in empty.err
    assert elsewhere("log", "--json").json["rows"] == []
    assert len(elsewhere("log", "--all", "--json").json["rows"]) == 1

    later = cli("log", "--since", "tomorrow")
    assert (later.status, later.out) == (0, "")
    assert "leave out `--since`" in later.err


@pytest.mark.parametrize("since", ["2001-01-01", "3 weeks ago", "yesterday"])
def test_since_takes_every_date_that_a_search_takes(cli: Cli, since: str) -> None:
    """One way to say when, wherever it is asked."""
    cli.save("--title", "Here")

    assert len(cli("log", "--since", since, "--json").json["rows"]) == 1


def test_a_date_that_is_none_is_wrong_usage(cli: Cli) -> None:
    """Guessing would show too little or too much."""
    cli.save("--title", "Here")

    ran = cli("log", "--since", "when pigs fly")

    assert ran.status == 2
    assert "`when pigs fly` is not a date" in ran.err
    assert "yesterday" in ran.err


def test_a_session_is_named_by_the_beginning_of_its_id(
    forked: tuple[Cli, list[str]],
) -> None:
    """Unknown and ambiguous ones are told apart."""
    cli, (_, fork, _) = forked
    kept(cli, ("91e0cc11-0000-4c0e-9d36-000000000003", "Another", ""))

    found = cli("log", "--session", _FORK[:10], "--json").json["rows"]
    unknown = cli("log", "--session", "ffff")
    several = cli("log", "--session", "91e0")

    assert [row["checkpoint"] for row in found] == [fork]
    assert (unknown.status, several.status) == (1, 12)
    assert "no session begins with `ffff`" in unknown.err
    assert "2 sessions begin with it" in several.err
    assert "more of the id" in several.err


def test_two_projects_are_named_where_both_are_shown(cli: Cli, tmp_path: Path) -> None:
    """A number alone is of no project."""
    other = Cli(cli.home, tmp_path / "kelp-forest", cli.capsys)
    other.project.mkdir()
    cli.save("--title", "Banana")
    other.save("--title", "Kelp")

    mine, both = cli("log").out, cli("log", "--all").out

    assert "kelp-forest" not in mine
    assert "Kelp" not in mine
    told = [line.split("manual")[1].split()[0] for line in both.splitlines()]
    assert told == ["kelp-forest", "project"]


def test_a_damaged_record_keeps_its_row(forked: tuple[Cli, list[str]]) -> None:
    """One bad record must not hide the rest, nor look like a good one."""
    cli, (first, *_) = forked
    damage = apsw.Connection(str(cli.home / "holdfast.db"))
    change = "UPDATE checkpoint SET body = replace(body, 'API', 'XPI') WHERE number = 1"
    damage.execute(change)
    damage.close()

    ran = cli("log", "--graph")

    last = ran.out.splitlines()[-1]
    assert (ran.status, last[:1]) == (0, "!")
    assert "damaged: run `holdfast doctor --repair`" in last
    (row,) = [r for r in cli("log", "--json").json["rows"] if r["checkpoint"] == first]
    assert (row["whole"], row["title"]) == (False, "")


def test_a_reader_that_left_is_no_error(forked: tuple[Cli, list[str]]) -> None:
    """`holdfast log | head -1` is how people look."""
    cli, _ = forked
    reader, writer = os.pipe()
    os.close(reader)
    call = [sys.executable, "-m", "holdfast", "log", "--project", str(cli.project)]
    child = os.posix_spawn(
        sys.executable,
        call,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, writer, 1)],
    )
    os.close(writer)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
