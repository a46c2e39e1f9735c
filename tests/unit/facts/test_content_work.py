"""What was done: files, commands, errors, dead ends, tasks, what still runs."""

from dataclasses import replace

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.checkpoint import CommandRef, FileRef, Plan, is_open
from holdfast.domain.event import ToolCalled, Wrote
from holdfast.domain.session import AgentWork, Turn
from holdfast.facts.commands.command_kinds import kind_of
from holdfast.facts.commands.runs import commit_subject, shown_command
from holdfast.facts.content import content_of
from holdfast.session.fold import begin, fold
from tests.conversation import Conversation
from tests.sessions import (
    HOME,
    Step,
    asks,
    creates,
    edits,
    follows,
    interrupts,
    lists,
    reads,
    rewinds,
    runs,
    says,
    searches,
    session,
    task,
    task_is,
    uses,
)


def test_files_are_told_by_what_happened_to_them() -> None:
    """Lines are summed over all edits, and paths are relative to the session's place."""
    state = session(
        asks("go"),
        creates("src/new.py", added=10),
        edits("src/new.py", added=2, removed=1),
        edits("src/old.py", added=3, removed=4),
        edits("src/old.py", added=1),
        reads("src/known.py"),
        reads("/etc/hosts"),
        edits("src/gone.py"),
        runs("rm src/gone.py"),
    )

    files = {file.path: file for file in content_of(state).files}

    assert files["src/new.py"] == FileRef("src/new.py", "created", 12, 1)
    assert files["src/old.py"] == FileRef("src/old.py", "edited", 4, 4)
    assert files["src/known.py"].change == "read"
    assert files["/etc/hosts"].change == "read"
    assert files["src/gone.py"].change == "deleted"


def test_files_touched_last_come_first() -> None:
    """What was worked on last is what the next session opens first."""
    state = session(asks("go"), *(edits(f"src/m{n}.py") for n in range(9)))

    assert [file.path for file in content_of(state).files][:2] == [
        "src/m8.py",
        "src/m7.py",
    ]


def test_a_file_that_an_open_error_names_moves_up() -> None:
    """Where it is broken is where the work goes on."""
    state = session(
        asks("go"),
        edits("src/broken.py"),
        *(edits(f"src/m{n}.py") for n in range(9)),
        runs("make build", fails="broken.py:7: SyntaxError: invalid syntax"),
    )

    paths = [file.path for file in content_of(state).files]

    assert paths.index("src/broken.py") < paths.index("src/m0.py")


def test_only_the_current_request_moves_the_files_it_names_up() -> None:
    """What was asked before it is done; its files come back no sooner than others."""
    state = session(
        asks("mend done.py"),
        edits("src/done.py"),
        asks("now mend wanted.py"),
        edits("src/wanted.py"),
        *(edits(f"src/m{n}.py") for n in range(5)),
    )

    paths = [file.path for file in content_of(state).files]

    assert paths[:2] == ["src/m4.py", "src/wanted.py"]
    assert paths[-1] == "src/done.py"


def test_an_edit_that_failed_changes_no_file() -> None:
    """A file that was not changed must not be told as changed."""
    state = session(asks("go"), uses("Edit", "/home/me/shop/a.py", outcome="failed"))

    assert content_of(state).files == ()


def test_what_a_sub_agent_edited_was_edited() -> None:
    """The files are changed, whoever did it; what it read, the main agent did not."""
    helper = session(asks("x"), edits("src/by_helper.py"), reads("src/seen.py"))
    work = AgentWork("a1", Turn(calls=helper.turns[0].calls))
    state = session(asks("go"), agents=(work,))

    assert [file.path for file in content_of(state).files] == ["src/by_helper.py"]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param("ls -la && cat a.py | head", "", id="only looks"),
        pytest.param("pytest -q 2>&1 | tail -5", "pytest -q", id="pipes"),
        pytest.param("FOO=1 timeout 60 make test", "make test", id="wrapping"),
        pytest.param("git status && git diff", "", id="git that looks"),
        pytest.param(
            "git -C sub push origin main", "git -C sub push origin main", id="git"
        ),
        pytest.param("python - <<'E'\nimport os\nE", "", id="here document"),
        pytest.param(
            "git add -A && git commit -m \"$(cat <<'EOF'\nFix it && that\n\nBecause.\nEOF\n)\" && git push",
            "git commit && git push",
            id="commit",
        ),
        pytest.param("git fetch origin && git log", "git fetch origin", id="fetch"),
        pytest.param(
            "make \t\t test" + " " * 9 + "> log.txt", "make test", id="blanks"
        ),
        pytest.param(
            "go test ./... -run 'A|B'", "go test ./... -run 'A|B'", id="quoted"
        ),
        pytest.param("x=$(git log -1) && echo $x", "", id="assignment"),
        pytest.param("gh pr view 12", "", id="gh that looks"),
        pytest.param("gh --repo me/shop pr view 12", "", id="gh elsewhere"),
        pytest.param("kubectl --context prod get pods", "", id="kubectl that looks"),
        pytest.param("kubectl -n prod logs web-1", "", id="kubectl in a namespace"),
        pytest.param(
            "kubectl --context prod apply -f a.yaml",
            "kubectl --context prod apply -f a.yaml",
            id="kubectl that acts",
        ),
        pytest.param("docker --host ssh://build ps", "", id="docker elsewhere"),
        pytest.param("docker compose logs web", "", id="compose that looks"),
        pytest.param("git stash list", "", id="stashes"),
        pytest.param("git stash pop", "git stash pop", id="a stash that is used"),
        pytest.param("git --no-pager log -3", "", id="an option without a value"),
        pytest.param(
            "git --no-pager push", "git --no-pager push", id="and what acts behind it"
        ),
        pytest.param(
            "gh --repo me/shop pr merge 12",
            "gh --repo me/shop pr merge 12",
            id="gh that acts elsewhere",
        ),
    ],
)
def test_a_command_is_shown_by_what_it_does(command: str, shown: str) -> None:
    """Nobody repeats an `ls`; the next session repeats a test run."""
    assert shown_command(command) == shown


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        pytest.param("pytest -q", "test", id="pytest"),
        pytest.param("mise run test:ci", "test", id="task runner"),
        pytest.param("cargo clippy", "check", id="linter"),
        pytest.param("go build ./...", "build", id="build"),
        pytest.param("npm run dev", "server", id="server"),
        pytest.param("git push", "git", id="git"),
        pytest.param("./entire list", "run", id="program"),
    ],
)
def test_a_command_has_a_kind(command: str, kind: str) -> None:
    """A broken test stands longer than a failed `curl`."""
    assert kind_of(command) == kind


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        pytest.param('git commit -m "Fix parser"', "Fix parser", id="double quotes"),
        pytest.param("git commit -am 'Fix it'", "Fix it", id="single quotes"),
        pytest.param(
            "git commit -m \"$(cat <<'EOF'\nAdd tokens\n\nBody\nEOF\n)\"",
            "Add tokens",
            id="here document",
        ),
        pytest.param("git commit --amend --no-edit", "", id="none"),
        pytest.param(
            "git commit -q -F - <<'MSG' && git push\nfix: the page\n\nwhy\nMSG",
            "fix: the page",
            id="on standard input, in a chain",
        ),
    ],
)
def test_a_commit_is_known_by_its_subject(command: str, subject: str) -> None:
    """Commits are the outcomes people remember."""
    assert commit_subject(command) == subject


def test_the_last_run_of_a_command_counts() -> None:
    """Yesterday's red is no news once it is green."""
    state = session(
        asks("go"),
        runs("pytest -q", fails="1 failed, 3 passed"),
        runs("pytest -q", "4 passed in 0.2s"),
        runs("make migrate"),
    )

    assert [(c.command, c.exit, c.output) for c in content_of(state).commands] == [
        ("pytest -q", 0, "4 passed in 0.2s"),
        ("make migrate", 0, ""),
    ]


def test_a_chain_that_went_well_is_told_by_its_steps() -> None:
    """`fmt && lint` and `lint` are two ways to the same knowledge."""
    state = session(asks("go"), runs("make fmt && make lint", "0 issues"))

    assert [(c.command, c.output) for c in content_of(state).commands] == [
        ("make lint", "0 issues"),
        ("make fmt", ""),
    ]


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        pytest.param(
            "make fmt && pytest", "make fmt && pytest && make docs", id="a longer chain"
        ),
        pytest.param(
            "python3 load.py && python3 sum.py",
            "python3 load.py && python3 sum.py && python3 plot.py",
            id="a chain of scripts",
        ),
    ],
)
def test_a_chain_whose_steps_went_well_since_is_told_by_them(
    failed: str, later: str
) -> None:
    """A brief that says "passes again" and "exit 1" is believed in neither."""
    state = session(asks("go"), runs(failed, fails="boom"), runs(later, "ok"))

    content = content_of(state)

    assert [c.command for c in content.commands if c.exit] == []
    assert {c.command for c in content.commands} == set(later.split(" && "))
    assert not any(is_open(error) for error in content.errors)


def test_a_command_whose_work_went_well_since_is_told_without_a_result() -> None:
    """It is how to run that part; what it came to before says nothing now."""
    state = session(
        asks("go"),
        runs("pytest tests/test_a.py", fails="1 failed"),
        runs("pytest", "48 passed"),
    )

    assert [(c.command, c.exit, c.output) for c in content_of(state).commands] == [
        ("pytest", 0, "48 passed"),
        ("pytest tests/test_a.py", None, ""),
    ]


def test_a_command_that_nothing_mended_is_told_as_failing() -> None:
    """What failed last is what the next session begins with."""
    state = session(
        asks("go"), runs("make fmt && pytest", fails="boom"), runs("make fmt")
    )

    assert ("make fmt && pytest", 1) in [
        (c.command, c.exit) for c in content_of(state).commands
    ]


def test_a_failure_that_a_pipe_hid_is_still_one() -> None:
    """`make test | tail` ends with 0, whatever the tests did."""
    state = session(
        asks("go"), runs("go test ./... | tail -5", "--- FAIL: TestReuse (0.00s)\nFAIL")
    )

    content = content_of(state)

    assert (content.commands[0].exit, content.commands[0].ended) == (None, "failed")
    assert [is_open(error) for error in content.errors] == [True]


def test_an_error_says_what_failed_and_why() -> None:
    """The line that tells is worth more than the status."""
    state = session(
        asks("go"),
        runs("pytest -q", fails="FAILED\nAssertionError: 200 != 401", status=2),
    )

    (error,) = content_of(state).errors

    assert error.text == "`pytest -q` → exit 2: AssertionError: 200 != 401"
    assert error.source == "tool"
    assert error.evidence == (state.turns[0].calls[0].uuid,)


@pytest.mark.parametrize(
    ("later", "open_errors"),
    [
        pytest.param("go test ./x -run TestA", 0, id="same command"),
        pytest.param("go test ./...", 0, id="whole suite"),
        pytest.param("make lint && go test ./...", 0, id="in a chain"),
        pytest.param("go test ./x -run TestB", 1, id="another test"),
        pytest.param("go build ./...", 1, id="another kind"),
    ],
)
def test_an_error_is_open_until_a_success_that_covers_it(
    later: str, open_errors: int
) -> None:
    """A mended error in the brief sends the next session after ghosts."""
    failing = runs("go test ./x -run TestA", fails="--- FAIL: TestA")
    state = session(asks("go"), failing, runs(later, "ok"))

    assert sum(map(is_open, content_of(state).errors)) == open_errors


@pytest.mark.parametrize(
    ("later", "open_errors"),
    [
        pytest.param("git add -A && git commit -m 'merge main'", 0, id="committed"),
        pytest.param("GIT_EDITOR=true git rebase --continue", 0, id="rebase goes on"),
        pytest.param("git merge --continue", 0, id="merge goes on"),
        pytest.param("git push", 1, id="something else"),
    ],
)
def test_a_conflict_is_over_when_it_was_committed(later: str, open_errors: int) -> None:
    """A merge is never run again once its conflicts are resolved by hand."""
    conflict = runs("git pull", fails="CONFLICT (content): Merge conflict in a.py")
    state = session(asks("go"), conflict, edits("a.py"), runs(later))

    assert sum(map(is_open, content_of(state).errors)) == open_errors


def test_a_commit_mends_no_other_trouble_of_git() -> None:
    """A push that was rejected is still to be done."""
    rejected = runs("git push", fails="! [rejected] main -> main (fetch first)")
    state = session(asks("go"), rejected, runs("git commit -m 'fix'"))

    assert sum(map(is_open, content_of(state).errors)) == 1


def test_open_errors_come_before_mended_ones() -> None:
    """What is broken now is read first."""
    state = session(
        asks("go"),
        runs("make test", fails="error: broken"),
        runs("make lint", fails="lint error: unused"),
        runs("make lint", "0 issues"),
    )

    told = [error.text for error in content_of(state).errors]

    assert told == [
        "`make test` → exit 1: error: broken",
        "`make lint` → exit 1: lint error: unused (fixed since)",
    ]


def test_an_edit_that_was_taken_back_is_a_dead_end() -> None:
    """What was tried and undone need not be tried again."""
    state = session(
        asks("go"),
        says("Let me try SELECT FOR UPDATE in rotate()."),
        edits("src/refresh.py", before="aa", after="bb"),
        says("That blocks every reader."),
        edits("src/refresh.py", before="bb", after="aa"),
    )

    (end,) = content_of(state).dead_ends

    assert end.text == (
        'src/refresh.py: an edit was taken back ("try SELECT FOR UPDATE in rotate().")'
    )
    assert len(end.evidence) == 2


@pytest.mark.parametrize(
    ("said", "count"),
    [
        pytest.param("Now the bodies.", 0, id="of anything"),
        pytest.param("Try `rotate()` without the lock.", 1, id="named"),
        pytest.param("높이를 제거하겠습니다", 1, id="in another language"),
    ],
)
def test_an_edit_that_was_taken_back_is_told_if_it_says_what_not_to_do(
    said: str, count: int
) -> None:
    """ "An edit was taken back" warns nobody of anything."""
    state = session(
        asks("mend it"),
        says(said),
        edits("src/refresh.py", before="a", after="b"),
        says("Hm."),
        edits("src/refresh.py", before="b", after="a"),
    )

    assert len(content_of(state).dead_ends) == count


@pytest.mark.parametrize(
    "between",
    [
        (),
        (runs("cd lib/lib && go test ./...", fails="bash: cd: lib/lib: No such file"),),
    ],
    ids=["at once", "behind a slip of the hand"],
)
def test_an_edit_that_was_taken_back_without_a_word_was_a_slip(
    between: tuple[Step, ...],
) -> None:
    """Neither a failure nor anybody says that it was the wrong way."""
    state = session(
        asks("go"),
        says("Let me try SELECT FOR UPDATE in rotate()."),
        edits("src/refresh.py", before="aa", after="bb"),
        *between,
        edits("src/refresh.py", before="bb", after="aa"),
    )

    assert content_of(state).dead_ends == ()


def test_an_edit_that_was_made_again_after_all_is_no_dead_end() -> None:
    """It stands now: whoever is told not to repeat it would take it out."""
    there = edits("src/refresh.py", before="aa", after="bb")
    state = session(
        asks("go"),
        says("Let me try SELECT FOR UPDATE in rotate()."),
        there,
        edits("src/refresh.py", before="bb", after="aa"),
        there,
    )

    assert content_of(state).dead_ends == ()


@pytest.mark.parametrize(
    "asked",
    [
        "please undo that",
        "mach das rückgängig",
        "改回原来的样子",
        "바꾸기 전으로 돌려줄래?",
    ],
)
def test_an_edit_that_the_user_asked_to_take_back_did_not_fail(asked: str) -> None:
    """Nobody gave the way up: the user wants it otherwise."""
    state = session(
        asks("go"),
        says("Let me try SELECT FOR UPDATE in rotate()."),
        edits("src/refresh.py", before="aa", after="bb"),
        asks(asked),
        edits("src/refresh.py", before="bb", after="aa"),
    )

    assert content_of(state).dead_ends == ()


def test_what_announces_a_taking_back_is_not_what_was_tried() -> None:
    """The edit before it was tried, and that one has another name."""
    state = session(
        asks("go"),
        says("I'll revert rotate() to the plain SELECT."),
        edits("src/refresh.py", before="aa", after="bb"),
        says("Better so."),
        edits("src/refresh.py", before="bb", after="aa"),
    )

    assert [e.text for e in content_of(state).dead_ends if "taken back" in e.text] == []


def test_a_command_that_kept_failing_and_was_left_is_a_dead_end() -> None:
    """Three failures and silence say more than one."""
    state = session(
        asks("go"),
        *(runs("python fetch.py", fails="OSError: no space left on device"),) * 2,
        *(edits(f"src/m{n}.py") for n in range(15)),
    )

    content = content_of(state)

    assert [item.text for item in content.dead_ends] == [
        "`python fetch.py` failed 2 times and was left: OSError: no space left on device"
    ]
    assert content.errors == ()


def test_what_the_agent_gave_up_is_a_dead_end_in_its_own_words() -> None:
    """Why a way was left is told best by who left it."""
    state = session(
        asks("go"),
        says(
            "That didn't work because the lock is held by the middleware. Let me look."
        ),
    )

    assert [item.text for item in content_of(state).dead_ends] == [
        "That didn't work because the lock is held by the middleware."
    ]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param(
            "Now let me revert my change to `load()` since the cache is the cause:",
            "Given up: my change to `load()` since the cache is the cause",
            id="announced",
        ),
        pytest.param(
            "I'll also roll back the second index because it locks the table.",
            "Given up: the second index because it locks the table.",
            id="in other words",
        ),
        pytest.param(
            "Let me revert that and read the file twice because seeking fails.",
            "Revert that and read the file twice because seeking fails.",
            id="without a name",
        ),
        pytest.param(
            "You're right - the retry didn't help, it didn't fix the lock.",
            "The retry didn't help, it didn't fix the lock.",
            id="with a nod",
        ),
    ],
)
def test_a_way_that_was_left_is_told_without_its_announcement(
    said: str, told: str
) -> None:
    """ "Now let me revert …" reads as something to do, and it is done."""
    state = session(asks("go"), says(said))

    (dead_end,) = content_of(state).dead_ends

    assert dead_end.text == told
    assert dead_end.excerpt == said


def test_a_tool_that_failed_is_an_error_and_a_slip_is_none() -> None:
    """A server that is down is news; a file name mistyped by the agent is not."""
    state = session(
        asks("go"),
        uses(
            "mcp__linear__list",
            "issues",
            outcome="failed",
            output="error: token expired",
        ),
        uses(
            "Read", "/home/me/shop/nope.py", outcome="failed", output="does not exist"
        ),
        uses("Edit", "/home/me/shop/a.py", outcome="failed", output="String not found"),
    )

    assert [item.text for item in content_of(state).errors] == [
        "`mcp__linear__list issues` → failed: error: token expired"
    ]


@pytest.mark.parametrize(
    ("tool", "open_errors"), [("mcp__linear__get_issue", 0), ("Edit", 1)]
)
def test_a_servers_tool_that_answers_again_is_not_broken(
    tool: str, open_errors: int
) -> None:
    """A number that was mistyped is not looked up again; a file not written is missing."""
    state = session(
        asks("have a look at MCP-108"),
        uses(tool, "MCP-108", outcome="failed", output="EACCES: Entity not found"),
        asks("ENT-108, I mean"),
        uses(tool, "ENT-108", output="Sort the branches"),
    )

    assert sum(map(is_open, content_of(state).errors)) == open_errors


def test_rewound_turns_are_dead_ends_and_nothing_else() -> None:
    """The user went back; what happened there is not where the work stands."""
    state = session(
        asks("add a cache"),
        says("Added."),
        asks("use redis. Always use redis."),
        edits("src/redis.py"),
        rewinds(1),
        asks("in memory, then"),
    )

    content = content_of(state)

    assert [item.text for item in content.requests] == [
        "add a cache",
        "in memory, then",
    ]
    assert content.files == ()
    assert content.instructions == ()
    assert content.dead_ends[0].text == (
        'the user went back before asking "use redis. Always use redis."'
        "; it had changed src/redis.py"
    )


def test_what_the_user_refused_is_a_dead_end_unless_it_was_done_later() -> None:
    """A refusal is an answer; one that was withdrawn is none."""
    no = "The user doesn't want to proceed with this tool use. It was rejected."
    state = session(
        asks("go"),
        *(
            uses("Edit", f"{HOME}/{name}", outcome="interrupted", output=no)
            for name in ("CLAUDE.md", "README.md")
        ),
        asks("change the second of them, and say there why"),
        edits("README.md"),
    )

    told = [item.text for item in content_of(state).dead_ends]

    assert told == ["stopped or refused by the user: Edit CLAUDE.md"]


def test_a_list_that_is_written_anew_replaces_the_old_one() -> None:
    """Only the last list says what is left."""
    state = session(
        asks("go"),
        lists(("a", "pending"), ("b", "pending")),
        lists(("a", "completed"), ("c", "pending"), ("b", "in_progress")),
    )

    content = content_of(state)

    assert [item.text for item in content.pending] == ["b", "c"]
    assert [item.text for item in content.next_steps] == ["b", "c"]
    assert "a" in [item.text for item in content.key_outcomes]


def test_tasks_are_changed_one_by_one() -> None:
    """The other kind of list has ids."""
    state = session(
        asks("go"),
        task("1", "write rotate()"),
        task("2", "test it"),
        task("3", "drop it"),
        task_is("1", "completed"),
        task_is("3", "deleted"),
    )

    assert [item.text for item in content_of(state).pending] == ["test it"]


def test_the_plan_tells_its_step() -> None:
    """Step N of M is counted from the tasks, not guessed."""
    state = session(
        asks("go"),
        follows("/home/me/.claude/plans/curried-turtle.md"),
        lists(("a", "completed"), ("b", "in_progress"), ("c", "pending")),
    )

    assert content_of(state).plan == Plan(
        "/home/me/.claude/plans/curried-turtle.md", 2, 3
    )


def test_background_work_without_an_end_is_in_flight() -> None:
    """A server that still runs holds a port; a result that is missing is waited for."""
    state = session(
        asks("go"),
        runs("npm run dev", background=True, reference="b1"),
        runs("npm run build -- --watch", background=True, reference="b2"),
        uses("KillShell", "b2"),
        uses("Task", "review the diff", outcome="pending"),
        says("Both run."),
    )

    assert [item.text for item in content_of(state).in_flight] == [
        "Server: npm run dev (id b1)",
        "Sub-agent without a result: review the diff",
    ]


def test_background_work_that_was_told_to_be_over_is_not_in_flight() -> None:
    """Nobody looks for a server or an agent that has ended."""
    state = session(
        asks("go"),
        runs("npm run dev", background=True, reference="b1"),
        uses("Task", "review the diff", background=True, reference="a7"),
        says("Both run."),
        ended=("a7",),
    )

    assert [item.text for item in content_of(state).in_flight] == [
        "Server: npm run dev (id b1)"
    ]


def _note(status: str, summary: str) -> str:
    return (
        "<task-notification>\n<task-id>b1</task-id>\n<output-file>/tmp/b1</output-file>"
        f"\n<status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
    )


@pytest.mark.parametrize("is_later", [False, True], ids=["at once", "a turn later"])
@pytest.mark.parametrize(
    ("note", "status", "failed"),
    [
        pytest.param(
            _note("completed", 'Background command "t" completed (exit code 0)'),
            0, [], id="went well",
        ),
        pytest.param(
            _note("failed", 'Background command "exit code 7" failed with exit code 2'),
            2, ["`pytest -q` → exit 2"], id="failed",
        ),
        pytest.param(
            _note("failed", "It did not"), None, ["`pytest -q` → failed"], id="no code"
        ),
        pytest.param(_note("killed", "stopped"), None, [], id="stopped"),
        pytest.param("", None, [], id="nothing told yet"),
    ],
)  # fmt: skip
def test_a_background_command_came_to_what_the_client_tells(
    note: str,
    status: int | None,
    failed: list[str],
    is_later: bool,  # noqa: FBT001  # pytest passes values by name
) -> None:
    """That it was started says nothing of how it went."""
    talk = Conversation()
    talk.asks("test it")
    call = ToolCalled(
        talk.line(), "m", "c", "Bash", "run", "pytest -q", background=True
    )
    talk.add(call)
    output = "Command running in background with ID: b1"
    talk.returns("c", output=output, reference="b1")
    if is_later:
        talk.asks("and then?")
    if note:
        talk.notifies(note)
    talk.says("I see.")

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [(c.command, c.exit) for c in content.commands] == [("pytest -q", status)]
    assert [item.text for item in content.errors] == failed
    assert len(content.in_flight) == (0 if note else 1)
    assert not any("passes" in o.text for o in content.key_outcomes if status != 0)


@pytest.mark.parametrize(
    ("steps", "doubt"),
    [
        ((asks("what about the till?"), says("It is fine.")), ""),
        ((asks("continue"), says("So."), asks("go on"), says("So.")), ""),
        (
            (
                asks("Paint the gate green."),
                edits("gate.css"),
                says("It is green."),
                asks("Move the gate to the left."),
                edits("gate.css", added=2),
                says("It is left."),
            ),
            "untouched for 2 requests",
        ),
        (
            (
                asks("Paint the gate green."),
                edits("gate.css"),
                says("It is green."),
                lists(("shelves", "completed"), ("tables", "pending")),
                asks("Move the gate to the left."),
                edits("gate.css", added=2),
                says("It is left."),
            ),
            "",
        ),
    ],
    ids=["one question", "nods", "two other requests", "touched in between"],
)
def test_a_list_that_was_left_alone_says_so(
    steps: tuple[Step, ...], doubt: str
) -> None:
    """What was to be done for a request of long ago is not what is next."""
    listed = lists(("shelves", "in_progress"), ("tables", "pending"))
    state = session(asks("Tidy the shop."), listed, says("I began."), *steps)

    content = content_of(state)

    assert {item.doubt for item in content.pending} == {doubt}
    text = brief(
        subject_of_session(state, content), budget=1000, now_ms=0, fit=fit
    ).text
    assert (f"- tables ({doubt})" in text) is bool(doubt)


def test_a_change_that_waits_to_be_allowed_is_told() -> None:
    """Whoever resumes must know that the file is not as the agent meant it to be."""
    state = session(
        asks("go"),
        says("Let me mend the parser:"),
        uses("Edit", f"{HOME}/src/parse.py", outcome="pending"),
        uses("Write", f"{HOME}/src/lex.py", outcome="pending"),
    )

    (item,) = content_of(state).in_flight

    files = "src/parse.py, src/lex.py"
    assert item.text == (
        f'The agent was about to change {files}, at: "Let me mend the parser"'
    )
    said, *calls = (state.turns[0].said[0].uuid, *(c.uuid for c in state.live_calls()))
    assert item.evidence == (said, *calls, state.turns[0].uuid)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        pytest.param(
            (says("Now let me run the tests:"), runs("pytest")),
            'The agent was cut off in its work, at: "Now let me run the tests"'
            "; done since: pytest → ok",
            id="killed at work",
        ),
        pytest.param(
            (says("Now the parser:"), reads("src/parse.py")),
            'The agent was cut off in its work, at: "Now the parser"',
            id="only looked since",
        ),
        pytest.param(
            (
                says("Let me cut the release:"),
                edits("CHANGELOG.md"),
                runs("git tag v2 && git push origin v2", "v2 -> v2"),
                edits("README.md"),
            ),
            'The agent was cut off in its work, at: "Let me cut the release"'
            "; done since: git tag v2 && git push origin v2 → ok, Edit README.md"
            " (the last of 3)",
            id="long done what it announced",
        ),
        pytest.param(
            (says("Now the tests:"), runs("pytest", fails="1 failed")),
            'The agent was cut off in its work, at: "Now the tests"',
            id="what failed is told as an error",
        ),
        pytest.param(
            (says("Clean up:"), runs("lsof -ti:3100 | xargs kill; sleep 1")),
            'The agent was cut off in its work, at: "Clean up"'
            "; done since: lsof -ti:3100 | xargs kill; sleep 1",
            id="how a pipe ended is not known",
        ),
        pytest.param(
            (runs("python3 - <<'E'\nprint(1)\nE", detail="Print it"),),
            "The agent was cut off in its work, after: Print it",
            id="in silence, a program with a word about it",
        ),
        pytest.param(
            (reads("src/parse.py"),),
            'The agent was cut off in its work, at: "Read src/parse.py"',
            id="in silence, at a file",
        ),
        pytest.param(
            (
                says("First the schema."),
                lists(("schema", "completed"), ("the page", "in_progress")),
            ),
            'The agent was cut off in its work, at: "First the schema."',
            id="at the next task",
        ),
        pytest.param((), "The agent had not answered yet.", id="no answer"),
        pytest.param(
            (says("Let me think."), interrupts()),
            'The user stopped the agent, at: "Let me think."',
            id="stopped",
        ),
    ],
)
def test_a_turn_that_did_not_end_is_told(steps: tuple[Step, ...], told: str) -> None:
    """Whoever resumes must know that something was left half done."""
    state = session(asks("go"), *steps)

    assert [item.text for item in content_of(state).in_flight] == [told]


@pytest.mark.parametrize(
    "saving",
    [
        pytest.param(
            runs("holdfast save --notes -", outcome="pending"), id="by the command"
        ),
        pytest.param(
            uses(
                "mcp__plugin_holdfast_holdfast__checkpoint_save", "", outcome="pending"
            ),
            id="by the tool",
        ),
    ],
)
def test_the_call_that_makes_the_checkpoint_is_not_in_flight(saving: Step) -> None:
    """A save that the agent asks for interrupts nothing: it is what the agent is at."""
    state = session(asks("save this"), says("Saving."), saving)

    assert content_of(state).in_flight == ()


def test_a_finished_turn_leaves_nothing_in_flight() -> None:
    """Silence where there is nothing to say."""
    state = session(asks("go"), runs("pytest", "3 passed"), says("All green."))

    assert content_of(state).in_flight == ()


@pytest.mark.parametrize("command", ["/exit", "/clear", "/model opus", "/cost"])
def test_a_command_for_the_client_is_no_question_to_the_agent(command: str) -> None:
    """A session that was ended or measured is not waiting for the agent."""
    done = session(asks("go"), says("All green."), asks(command, "command"))
    stopped = session(asks("go"), runs("pytest"), asks(command, "command"))

    assert content_of(done).in_flight == ()
    assert [item.text for item in content_of(stopped).in_flight] == [
        "The agent was cut off in its work, after: pytest → ok"
    ]


def test_a_command_the_user_ran_alone_waits_for_no_answer() -> None:
    """The client runs it without the agent."""
    state = session(asks("go"), says("All green."), asks("git status", "shell"))

    assert content_of(state).in_flight == ()


def test_a_question_stays_open_when_only_the_client_was_told_something() -> None:
    """Who leaves without an answer finds the question again."""
    asked = "Shall I also rename the table?"
    state = session(asks("go"), says(f"Done. {asked}"), asks("/exit", "command"))
    answered = session(
        asks("go"),
        says(f"Done. {asked}"),
        asks("/model opus", "command"),
        asks("yes"),
    )

    assert [item.text for item in content_of(state).open_questions] == [asked]
    assert asked in content_of(answered).requests[-1].about


def test_names_in_play_are_those_written_and_searched_last() -> None:
    """Exact names are what the next session searches for."""
    state = session(
        asks("go"),
        searches("rotateToken|reuse_detected"),
        edits("src/refresh.py", "def rotate_refresh(tokenStore): ..."),
    )

    assert set(content_of(state).names) == {
        "rotateToken", "reuse_detected", "rotate_refresh", "tokenStore",
    }  # fmt: skip


def test_names_of_an_edit_come_from_all_of_it_where_that_is_known() -> None:
    """A call keeps the beginning of what it wrote; names at the end matter as much."""
    state = session(asks("go"), edits("src/refresh.py", "def rotate_refresh(): ..."))
    [call] = state.live_calls()
    told = fold(state, [Wrote(call.call_id, "rotate_refresh at_the_end")])

    assert set(content_of(told).names) == {"rotate_refresh", "at_the_end"}


def test_an_empty_session_has_content_without_claims() -> None:
    """Nothing happened, and nothing is said to have."""
    content = content_of(session())

    assert content.title == "Nothing done yet"
    assert content.files == ()
    assert content.commands == ()
    assert isinstance(content.summary, str)


def test_commands_keep_the_line_they_came_from() -> None:
    """Evidence for every statement, commands included."""
    state = session(asks("go"), runs("make test", "3 passed"))

    assert content_of(state).commands == (
        CommandRef("make test", 0, "3 passed", state.turns[0].calls[0].uuid),
    )


@pytest.mark.parametrize(
    ("cwd", "told"),
    [
        ("/home/me/shop", []),
        ("/home", []),
        ("/home/me", [".claude/plans/a.md"]),
        ("/home/me/.claude", ["plans/a.md"]),
    ],
)
def test_a_clients_own_file_is_the_projects_only_inside_it(
    cwd: str, told: list[str]
) -> None:
    """Its plans and notes are no work on the code, unless somebody works on those."""
    plan = creates("/home/me/.claude/plans/a.md")
    state = session(asks("go"), plan, cwd=cwd)

    assert [file.path for file in content_of(state).files] == told


def test_the_output_of_what_runs_behind_is_no_file_of_the_work() -> None:
    """The client writes it, and it is gone with the session."""
    output = "/private/tmp/claude-501/-home-me-shop/2858302e/tasks/b30fcdf.output"
    state = session(asks("go"), reads("a.py"), reads(output), cwd="/home/me/shop")

    assert [file.path for file in content_of(state).files] == ["a.py"]


def test_what_was_changed_since_the_last_commit_is_not_committed() -> None:
    """Where nobody asks git, the session itself tells; what lies outside is no project."""
    state = session(
        asks("go"),
        edits("src/a.py"),
        runs("git commit -m one", "[main 1a2b3c4] one"),
        edits("src/b.py"),
        edits("src/c.py"),
        edits("src/b.py"),
        edits("/elsewhere/scratch.py"),
        runs("git commit -m two", fails="nothing added to commit"),
    )

    assert content_of(state).uncommitted == ("src/b.py", "src/c.py")


def test_a_prompt_that_was_only_typed_again_is_no_dead_end() -> None:
    """Nothing was tried; the service had failed."""
    state = session(asks("is all well?"), asks("is all well?"))
    gone = replace(state, abandoned=((0, 1),))

    assert content_of(gone).dead_ends == ()


def test_what_came_before_the_goal_says_so() -> None:
    """A commit and a red test of the request before are not of this one."""
    red = runs("pytest -q", fails="FAILED test_a.py::test_x - assert 1 == 2")
    commit = runs('git commit -m "Add a"', "[main 3f2c1a9] Add a")
    before = (asks("add refresh tokens to the login"), commit, red)
    now = content_of(session(*before, asks("write the page about refunds")))
    then = content_of(session(*before))
    facts = [(*c.key_outcomes[:1], *c.errors) for c in (now, then)]
    told = [[getattr(i.fact, "before_goal", None) for i in items] for items in facts]
    assert told == [[True, True], [False, False]]


def test_a_list_that_is_ticked_off_behind_the_last_words_cuts_nothing_off() -> None:
    """The agent had told what came of it; the client then shows the list as done."""
    steps = (asks("go"), edits("a.py"), says("All is done."))
    ticked = lists(("write a", "completed"))
    assert content_of(session(*steps, ticked)).in_flight == ()
    assert content_of(session(*steps, runs("pytest", "1 passed"))).in_flight != ()


def test_a_plan_of_the_request_before_is_in_use_while_its_tasks_are_open() -> None:
    """Else it is as old as what it was made for."""
    first = (asks("add refresh tokens to the login"), follows("/plans/tokens.md"))
    done = lists(("write a", "completed"))
    left = lists(("write b", "pending"), ("write a", "completed"))
    asked = asks("write the page about refunds")
    assert content_of(session(*first, done, asked)).plan is None
    assert content_of(session(*first, left, asked)).plan == Plan(
        "/plans/tokens.md", 1, 2
    )
