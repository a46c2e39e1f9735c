"""Which failures leave something open, and which do not."""

import pytest

from holdfast.domain.checkpoint import is_open
from holdfast.domain.fact import Failure
from holdfast.facts.commands.failures import ended_since
from holdfast.facts.commands.runs import runs_of
from holdfast.facts.content import content_of
from tests.sessions import HOME, Step, asks, edits, runs, says, session, uses


def _open(*steps: Step) -> list[str]:
    errors = content_of(session(asks("go"), *steps)).errors
    facts = [error.fact for error in errors if is_open(error)]
    return [fact.command for fact in facts if isinstance(fact, Failure)]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pyhton load.py", "bash: line 1: pyhton: command not found"),
        ("cmake --version && cl", "bash: cmake: command not found"),
        ("pytset -q", "zsh: command not found: pytset"),
        ("pytset -q", "pytset : Befehl nicht gefunden"),
        ("npm run tst", 'npm error Missing script: "tst"'),
        ("pytest --colour", "error: unrecognized arguments: --colour"),
        ("helm upgrde x", 'Error: unknown command "upgrde" for "helm"'),
        ("go test -unknown ./...", "unknown flag: -unknown"),
        ("cd api && npm test", "/bin/bash: line 1: cd: api: No such file or directory"),
        ("npm test )", "bash: syntax error near unexpected token `)'"),
        ("python3 --version && python3 load.py", "Error: no Python"),
        ("uv pip show thing", "error: Package not found"),
        ("curl http://localhost:3000/health", "curl: (7) Failed to connect"),
        ("py.exe -c 'import x'", "ModuleNotFoundError: No module named 'x'"),
        ("bundle exec rails runner 'User.find(1)'", "RecordNotFound: error: no user"),
        ("git checkout nowhere", "error: pathspec 'nowhere' did not match any file(s)"),
        ("python one.py && python two.py", "ValueError: one of them broke"),
        ("python report.py", "all is well"),
        ("npm install", "Command timed out after 2m 0.0s"),
        ("pytest -q", "This command requires approval"),
        ("npx prisma migrate status", "Error: P1001: cannot reach the database"),
        ("terraform state list", "Error: no state file was found"),
    ],
)
def test_a_slip_leaves_nothing_open(command: str, output: str) -> None:
    """Mistyped, tried out, only looked or only stopped: nobody comes back to it."""
    assert _open(runs(command, fails=output)) == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q", "FAILED tests/test_a.py::test_x - assert 1 == 2"),
        ("make test", "make: tsc: command not found"),
        (
            "powershell.exe -Command \"& 'C:\\VS\\Bin\\MSBuild.exe' 'C:\\a\\b.sln'\"",
            "b.cpp(4,2): error C2065: 'x': undeclared identifier",
        ),
        ("npm run build", "error TS2304: Cannot find name 'x'."),
        ("python load.py", "KeyError: 'params'"),
        ("python load.py", "Fehler: error: Datei fehlt"),
        ("kubectl apply -f pod.yaml", 'error: pods "x" is forbidden'),
        ("git push", "! [rejected] main -> main (fetch first)"),
        ("pip install thing", "ERROR: No matching distribution found for thing"),
        ("pytest -k list", "FAILED tests/test_x.py::test_list - assert 1 == 2"),
        ("npx jest status", "FAIL src/status.test.js"),
    ],
)
def test_work_that_broke_is_open(command: str, output: str) -> None:
    """A suite that is red, a script of the project that says what is wrong."""
    assert _open(runs(command, fails=output)) == [command]


def test_a_commit_that_failed_is_open_whatever_its_message_says() -> None:
    """`status` asks only a program that answers."""
    unsigned = runs("git commit -m status", fails="error: gpg failed to sign the data")

    assert _open(unsigned) == ["git commit"]


@pytest.mark.parametrize("tool", ["AskUserQuestion", "ExitPlanMode", "SendMessage"])
def test_a_tool_used_in_a_wrong_way_leaves_nothing_open(tool: str) -> None:
    """The agent asks again; the work is not broken."""
    assert _open(uses(tool, "x", outcome="failed", output="summary is required")) == []


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("npm install -g thing", "npm install thing"),
        ("npm config set prefix x && npm install -g thing", "npm install thing"),
        ("npm install --timeout=9", "npm install prisma next-auth"),
        ("pip install thing other", "pip install other thing --user"),
    ],
)
def test_a_package_that_is_there_now_is_there(failed: str, green: str) -> None:
    """Other flags and another place do not matter to who needs it."""
    assert _open(runs(failed, fails="error: EACCES"), runs(green, "added 3")) == []


def test_a_package_besides_mends_nothing() -> None:
    """What was not installed is still missing."""
    failed = runs("npm install left", fails="npm error 404 not found")

    assert _open(failed, runs("npm install right", "added 1")) == ["npm install left"]


def test_a_red_suite_that_was_committed_past_is_not_told_as_open() -> None:
    """Long after, with the work committed, nobody knows what it would say."""
    red = runs("pytest -q", fails="FAILED test_a.py::test_x - assert 0")
    later = [edits(f"m{n}.py") for n in range(90)]
    commit = runs("git commit -m done", "[main 1a2b3c4] done")

    assert _open(red, *later) == ["pytest -q"]
    assert _open(red, *later, commit) == []


@pytest.mark.parametrize(
    ("failure", "green"),
    [
        (Failure("pytest tests/test_a.py", "1 failed"), "pytest"),
        (Failure("npm test", "1 failed", place="api"), "cd api && npm test"),
        (Failure("npm install -g thing", "EACCES"), "npm install thing"),
    ],
)
def test_a_failure_of_the_session_before_ends_when_it_goes_well_here(
    failure: Failure, green: str
) -> None:
    """Also by a wider run, in the same place, with other flags."""
    state = session(asks("go on"), runs(green, "3 passed"))
    calls = tuple(state.live_calls())

    done = ended_since([failure], calls, runs_of(calls, HOME), HOME)

    assert done == {failure}


def test_a_failure_of_the_session_before_stands_until_then() -> None:
    """A run of something else says nothing about it."""
    failure = Failure("npm test", "1 failed", place="api")
    state = session(asks("go on"), runs("cd web && npm test", "3 passed"))
    calls = tuple(state.live_calls())

    assert ended_since([failure], calls, runs_of(calls, HOME), HOME) == frozenset()


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cd api && npm test", "(eval):cd:1: no such file or directory: api"),
        ("make clean", "make: *** No rule to make target 'clean'.  Stop."),
        ("make -j4", "make: *** No targets specified and no makefile found.  Stop."),
        ("dir /a", "dir: cannot access '/a': No such file or directory"),
    ],
)
def test_what_the_machine_does_not_have_is_no_work_that_broke(
    command: str, output: str
) -> None:
    """A directory or a target that is not there."""
    assert _open(runs(command, fails=output)) == []


def test_a_password_that_only_the_user_can_type_holds_the_work_up() -> None:
    """Until something else is asked for: then somebody knew of it."""
    failing = runs("sudo apt install -y jq", fails="sudo: a password is required")
    later = (says("You must install `jq` yourself."), asks("now the parser"))

    assert _open(failing) == ["sudo apt install -y jq"]
    assert _open(failing, *later) == []


def test_a_target_that_a_build_needs_is_work_that_broke() -> None:
    """What another target is made from is missing: somebody must write it."""
    output = "make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop."
    assert _open(runs("make", fails=output)) == ["make"]


@pytest.mark.parametrize(
    ("failed", "green"),
    [
        ("pytest -q", "docker exec -it web pytest -q"),
        ("pytest -q", "docker compose exec -T web pytest -q"),
        ("pytest -q", "kubectl exec -n shop web -- pytest -q"),
        (
            "cd build && cmake --build . --target core",
            "podman exec -w /src/build box cmake --build . --target app core",
        ),
    ],
)
def test_what_goes_well_in_a_container_went_well(failed: str, green: str) -> None:
    """There the same work has another place, and perhaps another path."""
    broke = runs(failed, fails="error: it broke")
    assert _open(broke) != []
    assert _open(broke, runs(green, "1 passed")) == []


def test_another_command_in_a_container_mends_nothing() -> None:
    """That the container can be asked says nothing about the tests."""
    broke = runs("pytest -q", fails="error: it broke")
    assert _open(broke, runs("docker exec web ruff check", "ok")) == ["pytest -q"]


def test_what_failed_in_passing_is_over_once_it_was_told_of() -> None:
    """The agent said what came of it, and the user asked for something else."""
    broke = runs("python load.py", fails="KeyError: 'params'")
    told = (broke, says("It needs params."))
    assert _open(*told) == ["python load.py"]
    assert _open(*told, asks("write the page"), says("Done.")) == []
    assert _open(broke, asks("go on"), says("Done.")) == ["python load.py"]
    needs = runs("python3 -m venv .v && pip install x", fails="error: no ensurepip")
    assert _open(needs, says("It needs a right."), asks("and now?")) == []


def test_a_red_suite_stays_red_whatever_is_asked() -> None:
    """Tests, builds and what git could not do wait for whoever goes on."""
    red = runs("pytest -q", fails="FAILED test_a.py::test_x - assert 1 == 2")
    push = runs("git push", fails="! [rejected] main -> main (fetch first)")
    rest = (says("It is red."), asks("write the page"), says("Done."))
    assert _open(red, push, *rest) == ["pytest -q", "git push"]


def test_a_step_that_fails_in_a_chain_now_is_told_with_the_chain() -> None:
    """What the step said before is what it says no more."""
    alone = runs("make core", fails="core.c:1:2: error: no core")
    chain = runs("cmake .. && make core", fails="core.c:7:1: error: no such thing")
    assert _open(alone, chain) == ["cmake .. && make core"]


def test_what_another_tool_of_the_server_did_is_done() -> None:
    """A page that one tool could not open was opened by another."""
    page = {"url": "http://localhost:8099/humans"}
    failed = uses(
        "mcp__browser__navigate", page["url"], outcome="failed", output="blocked: no"
    )
    assert _open(failed) != []
    assert _open(failed, uses("mcp__browser__open", page["url"])) == []
    other = uses("mcp__browser__open", "http://localhost:8099/rooms")
    assert _open(failed, other) != []
