"""Of which commands of a line its status says nothing."""

import pytest

from holdfast.domain.checkpoint import is_open
from holdfast.facts.commands.lines import hidden_in, piped_in, segments_of
from holdfast.facts.commands.runs import run_of, shown_command
from holdfast.facts.content import content_of, facts_of
from tests.sessions import asks, edits, runs, session, uses


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        pytest.param("make && make test", [], id="a chain"),
        pytest.param("make || true", ["make", "true"], id="a failure let pass"),
        pytest.param(
            "which a && a || echo no", ["which a", "a", "echo no"], id="guard"
        ),
        pytest.param(
            "test -d x || make x && make", ["test -d x", "make x"], id="behind"
        ),
        pytest.param("cd x || exit 1; make", [], id="gives up"),
        pytest.param("make || exit 0", ["make", "exit 0"], id="gives up in peace"),
        pytest.param("make; true", ["make"], id="true"),
        pytest.param("make\necho done", ["make"], id="a word at the end"),
        pytest.param("set -e\nmake\necho done", [], id="stops at a failure"),
        pytest.param("make; make test", [], id="judged by what they print"),
        pytest.param("grep 'a || b' x && make", [], id="quoted"),
    ],
)
def test_a_status_says_nothing_of_what_may_have_failed(
    line: str, hidden: list[str]
) -> None:
    """Whatever stands behind `||` makes the whole end well."""
    found = hidden_in(tuple(segments_of(line)))

    assert [segment.text.strip() for segment in found] == hidden


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        pytest.param("make | tail -3", ["make"], id="one pipe"),
        pytest.param("cat a | make 2>&1 | tee b", ["cat a", "make 2>&1"], id="two"),
        pytest.param("set -euo pipefail; make | tail", [], id="fails with any"),
        pytest.param("grep 'a|b' x && make", [], id="quoted"),
    ],
)
def test_a_pipe_ends_as_its_last_command_does(line: str, hidden: list[str]) -> None:
    """`tail` always ends well."""
    found = piped_in(tuple(segments_of(line)))

    assert [segment.text.strip() for segment in found] == hidden


@pytest.mark.parametrize(
    ("line", "output", "exits"),
    [
        pytest.param(
            'which pytest && pytest -q && echo PASS || echo "no pytest here"',
            "no pytest here",
            {"pytest -q": None},
            id="never ran",
        ),
        pytest.param("pytest -q || true", "5 passed", {"pytest -q": 0}, id="told"),
        pytest.param(
            "pytest -q || true",
            "FAILED a.py::b\n2 failed in 0.1s",
            {"pytest -q": None},
            id="failed",
        ),
        pytest.param(
            "scripts/deploy.sh; true", "", {"scripts/deploy.sh": None}, id="no suite"
        ),
        pytest.param(
            "ruff check . || true; pytest -q",
            "",
            {"pytest -q": 0, "ruff check .": None},
            id="only the part",
        ),
        pytest.param("pytest | tail -3", "5 passed", {"pytest": 0}, id="piped, passed"),
        pytest.param(
            "pytest | tail -3",
            "1 failed, 9 passed",
            {"pytest": None},
            id="piped, failed",
        ),
        pytest.param(
            "pytest | tail -3", "see report.html", {"pytest": None}, id="piped, untold"
        ),
        pytest.param("pytest | grep x", "", {"pytest": None}, id="a silent test"),
        pytest.param("tsc | head", "", {"tsc": 0}, id="a check speaks if it fails"),
        pytest.param(
            "tsc > log | head", "", {"tsc": None}, id="unless it spoke elsewhere"
        ),
        pytest.param("./seed.sh | tail", "rows", {"./seed.sh": None}, id="a program"),
        pytest.param("git push | tail -1", "a -> a", {"git push": 0}, id="git"),
        pytest.param(
            "git push | tail -1",
            "error: failed to push some refs",
            {"git push": None},
            id="git speaks if it fails",
        ),
        pytest.param(
            "pytest",
            "log: 1 failed\n2 passed",
            {"pytest": 0},
            id="a status is believed",
        ),
    ],
)
def test_a_hidden_result_is_told_only_where_the_output_tells_it(
    line: str, output: str, exits: dict[str, int | None]
) -> None:
    """A brief claims of no check that it passed which may not have run."""
    content = content_of(session(asks("go"), runs(line, output=output)))

    assert {one.command: one.exit for one in content.commands} == exits


def test_a_program_that_spoke_of_no_failure_behind_a_pipe_fails_no_more() -> None:
    """Whether it went well is not known, but what it failed with is not said again."""
    state = session(
        asks("go"),
        runs("./seed.sh", fails="error: no database"),
        runs("./seed.sh | tail -3", output="9 rows"),
    )

    content = content_of(state)

    assert [is_open(error) for error in content.errors] == [False]
    assert [command.exit for command in content.commands] == [None]


def test_a_hidden_result_mends_nothing_and_is_no_outcome() -> None:
    """What failed before is open until a run is known to have passed."""
    guarded = "command -v pytest >/dev/null && pytest -q || echo skipped"
    state = session(
        asks("go"),
        runs("pytest -q", fails="1 failed"),
        edits("a.py"),
        runs(guarded, output="skipped"),
    )

    content = content_of(state)

    assert [is_open(error) for error in content.errors] == [True]
    assert not any("passes" in item.text for item in content.key_outcomes)


def test_of_a_command_in_the_background_only_its_start_is_known() -> None:
    """It may fail a second after it was started."""
    state = session(
        asks("go"),
        runs("make bench", background=True, exit_status=None, output="Running"),
        runs("make docs", reference="b1", exit_status=None, output="moved"),
    )

    content = content_of(state)

    assert {c.command: c.exit for c in content.commands} == {
        "make bench": None,
        "make docs": None,
    }


def test_asking_a_shell_for_its_output_is_no_command() -> None:
    """The id of a shell is nothing that the next session could run."""
    state = session(asks("go"), uses("BashOutput", "bash1", output="still running"))

    assert content_of(state).commands == ()
    assert facts_of(state).commands_executed == 0


@pytest.mark.parametrize(
    "going",
    [
        pytest.param('cd "C:\\Users\\ada\\shop\\web"', id="as Windows writes it"),
        pytest.param("cd C:/Users/ada/shop/web", id="with slashes"),
        pytest.param("cd /c/Users/ada/shop/web", id="as a shell there writes it"),
    ],
)
def test_a_place_on_windows_is_one_place_however_it_is_written(going: str) -> None:
    """An error in one spelling stayed open though the other one went well."""
    (_, step) = segments_of(f"{going} && npm test", "C:\\Users\\ada\\shop")

    assert step.place == "web"


def test_the_lines_of_a_program_are_not_told_as_commands() -> None:
    """`node -e` with forty lines is one command, however well each of them went."""
    body = "\n".join(
        f"const sheet_{n} = book.sheet('accounts of {n}')" for n in range(9)
    )
    state = session(asks("fill it in"), runs(f'node -e "\n{body}\n"; make check', "ok"))

    told = [command.command for command in content_of(state).commands]

    assert not any(command.startswith("const") for command in told)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("npx prisma init", "npx prisma init"),
        ("sudo -E apt-get update", "sudo -E apt-get update"),
        ("FOO=1 nohup npx -y serve . &", "npx -y serve ."),
        ("make -j$(nproc)", "make -j$(nproc)"),
        ("docker stop $(docker ps -aq | head -1; true)", "docker stop $(docker ps -aq | head -1; true)"),
        ('V="a b" make all; "$V" go', "make all"),
        ("for f in *; do\n  # don't stop; go on\n  make $f # all; of it\ndone", "make $f"),
        ("(cd a; make)", "cd a && make"),
        (f'python load.py && node -e "a(); b() && c()\n{"x" * 2000}', "python load.py"),
    ],
)  # fmt: skip
def test_a_command_is_told_as_it_can_be_typed(line: str, shown: str) -> None:
    """With who runs it, whole, and without remarks or pieces of code."""
    assert shown_command(line) == shown


def test_two_runs_are_compared_without_who_runs_them() -> None:
    """`npx tsc` is `tsc`, and `sudo make install` is `make install`."""
    pairs = [("npx tsc --noEmit", "tsc --noEmit"), ("sudo -u me make x", "make x")]
    for told, bare in pairs:
        one, other = run_of(told), run_of(bare)
        assert one is not None
        assert other is not None
        assert (one.key, one.kind) == (other.key, other.kind)
