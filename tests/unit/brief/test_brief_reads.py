"""A brief as the person reads it who gets it on a Monday morning."""

from dataclasses import replace

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.brief.phrases import shortened
from holdfast.domain.event import Todo
from holdfast.domain.session import SessionState
from holdfast.facts.content import content_of
from tests.sessions import (
    Step,
    asks,
    edits,
    reads,
    refused,
    runs,
    says,
    session,
    uses,
)


def _told(state: SessionState, budget: int = 1000) -> str:
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=budget, now_ms=state.ended_at, fit=fit).text


def test_a_task_is_told_with_what_it_takes_where_there_is_room() -> None:
    """A subject of four words says what to do only to who wrote it."""
    todos = (Todo("1", "update the display", "pending"),)
    takes = "show intent and outcome in view.py"
    task = uses("TaskCreate", "update the display", detail=takes, todos=todos)
    state = session(asks("add summaries"), task)

    assert "- update the display: show intent and outcome in view.py" in _told(state)


def test_what_a_request_came_to_is_not_told_again_on_the_way() -> None:
    """The same sentence twice is the same sentence."""
    done = "Removed the two lines about the main branch from the report."
    state = session(
        asks("begin with the report, please, and show me what it has to say"),
        says("The report has two lines about the main branch."),
        asks("take the lines about the main branch out of the report again"),
        says(done),
        asks("and what does it test?"),
        says("It tests the branch and the files that changed since the last run."),
    )

    assert _told(state).count(done) == 1


def test_what_a_goal_came_to_half_way_is_not_told_when_it_went_on() -> None:
    """A sentence such as "progress is saved" is no result of a goal that was reached since."""
    half = "Saved the progress of the release in the notes of the project."
    state = session(
        asks("finish the two tasks that are left and release version 0.16"),
        edits("notes.md"),
        says(half),
        asks("proceed"),
        edits("version.py"),
        says("Version 0.16 is released and tagged; the pipeline publishes it."),
    )

    assert f"→ {half}" not in _told(state)
    assert "Last said: Version 0.16 is released" in _told(state)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "Look at the list of sessions: 1. it is slow and long",
            "Look at the list of sessions […]",
            id="a list's number",
        ),
        pytest.param(
            "Other failures are wrapped (e.g. those of the hooks)",
            "Other failures are wrapped (e.g. those…",
            id="an abbreviation",
        ),
        pytest.param(
            "There is a conflict of names - which we keep seeing",
            "There is a conflict of names […]",
            id="a dash",
        ),
    ],
)
def test_a_text_is_not_cut_behind_what_ends_nothing(text: str, told: str) -> None:
    """ "… sessions: 1. […]" looks as if something had been lost in mid-word."""
    assert shortened(text, 40) == told


@pytest.mark.parametrize(
    ("text", "limit", "told"),
    [
        pytest.param(
            "It is done, and the rest of this sentence is a little longer. More follows here.",
            52,
            "It is done, and the rest of this sentence is a little longer. […]",
            id="a sentence may take a little more to end",
        ),
        pytest.param(
            "All five are fixed. What changed:\n- the first of all the things that follow",
            50,
            "All five are fixed. […]",
            id="what announces something is no end",
        ),
        pytest.param(
            "One clause, another clause that goes on, " + "and on " * 30,
            50,
            "One clause, another clause that goes on […]",
            id="only a much longer sentence ends at a clause",
        ),
    ],
)
def test_nothing_is_cut_in_the_middle_of_a_sentence(
    text: str, limit: int, told: str
) -> None:
    """Half a sentence may say the opposite of the whole."""
    assert shortened(text, limit) == told


def _with_much_to_quote(*steps: Step) -> SessionState:
    """A session with more failures and names than any brief has room for."""
    failing = "\n".join(f"test_case_{n}: AssertionError: {n} != 7" for n in range(40))
    noise = [
        runs(f"pytest tests/test_part_{n}.py", fails=failing.replace("case", f"x{n}"))
        for n in range(12)
    ]
    names = "The names are " + ", ".join(f"`handle_part_{n}`" for n in range(60)) + "."
    return session(asks("make the parts pass"), *noise, says(names), *steps)


def test_what_the_user_must_answer_comes_before_what_tools_printed() -> None:
    """The options are what the next message speaks of; output can be had again."""
    options = "\n".join(
        f"{n}. Way {n} keeps the index in one table, but {word} has to be written twice."
        for n, word in enumerate(("each key", "each row", "each file", "the head"), 1)
    )
    state = _with_much_to_quote(
        asks("how could we store the index of the parts?"),
        says(f"There are four ways:\n\n{options}\n\nWhich way shall we go?"),
    )

    told = _told(state)

    assert all(line in told for line in ("Way 1 keeps", "Way 4 keeps", "the head has"))


def test_a_long_request_comes_before_what_tools_printed() -> None:
    """The user's own words are what all of it is for."""
    wish = " ".join(f"Wish {n} is about the way part {n} is told." for n in range(16))
    told = _told(_with_much_to_quote(asks(wish), says("I look at it.")))

    assert "Wish 15 is about the way part 15 is told." in told


@pytest.mark.parametrize("budget", [300, 1000])
def test_a_rule_at_the_end_of_the_current_request_is_told_once(budget: int) -> None:
    """Twice the same words are room that an older rule needs."""
    wish = " ".join(f"Wish {n} is about the way part {n} is told." for n in range(8))
    older = ("Never use sleep.", "Always run the linter.", "Only use the given clock.")
    state = session(*map(asks, older), asks(f"{wish} Never drop a table."))

    told = _told(state, budget)

    assert told.count("Never drop a table") == 1
    assert all(rule.rstrip(".") in told for rule in older)
    assert "rules" not in told.split("Left out:")[1]


def test_a_yes_is_told_with_what_was_proposed() -> None:
    """`Shall I do that?` says as little as `yes`."""
    state = session(
        asks("why is it slow?"),
        says("The index is rebuilt at each call. I would keep it.\n\nShall I do that?"),
        asks("yes please"),
    )

    assert (
        "(to: The index is rebuilt at each call. I would keep it. Shall I do that?)"
        in _told(state)
    )


def test_what_the_agent_said_is_told_as_its_words() -> None:
    """Advice is no fact, and `all green` is what somebody said."""
    state = session(asks("how do I get a token?"), says("Go to Settings, then Tokens."))

    assert "\nLast said: Go to Settings, then Tokens." in _told(state)


def test_what_was_said_before_the_last_request_is_told_as_that() -> None:
    """`All is done` is no answer to what was asked afterwards."""
    state = session(
        asks("mend the parser, please, and its tests"),
        says("All of the work on the parser is done and its tests are green."),
        asks("where else is the old name of the parser used?"),
        reads("parser.py"),
    )

    assert (
        "\nSaid before this was asked: All of the work on the parser is done"
        in _told(state)
    )


def test_what_was_pasted_into_the_goal_is_left_out_and_said_so() -> None:
    """ "Left out: nothing" stood below a goal of which most was not told."""
    page = "\n".join(f"<div>row {number} of the page</div>" for number in range(40))
    state = session(
        asks(f"put this page into the repository:\n{page}"), edits("a.html")
    )

    assert "Left out: the rest of" in _told(state)


def test_a_step_that_is_told_as_next_is_not_told_as_said_last_too() -> None:
    """Twice the room, and no word more."""
    state = session(
        asks("add refresh tokens"),
        edits("src/auth.py"),
        says(
            "The tokens rotate on use.\n\nRemaining work:\n"
            "- store the family of each token in the session table\n"
            "- revoke the family when an old one comes back"
        ),
    )

    told = _told(state)

    assert "The tokens rotate on use." in told
    assert told.count("revoke the family when an old one comes back") == 1


def test_finished_work_says_what_was_said_last() -> None:
    """A request may wait there for a word of the user's: "say merge it"."""
    state = session(
        asks("mend the parser of quoted strings"),
        edits("parser.py"),
        runs('git add -A && git commit -m "parser: quoted strings"'),
        says("The change is on the branch; say merge it when the preview looks right."),
    )

    told = _told(state, budget=400)

    assert told.startswith("# Finished:")
    assert "Last said: The change is on the branch; say merge it" in told


def test_finished_work_says_what_is_next() -> None:
    """What the agent named as next is taken out of its words, and told in its place."""
    state = session(
        asks("mend the parser of quoted strings"),
        edits("parser.py"),
        runs('git add -A && git commit -m "parser: quoted strings"'),
        says(
            "Committed as one change.\n\n## Next steps\n1. `make deploy` to the server"
        ),
    )

    told = _told(state, budget=400)

    assert told.startswith("# Finished:")
    assert "\nNext: `make deploy` to the server\n" in told


def test_a_long_place_outside_of_the_project_is_named_once() -> None:
    """Scripts in a directory of scratch files have names of a hundred letters."""
    place = "/private/tmp/scratch-501/2858302e-f8b4-49f9/scratchpad"
    state = session(
        asks("check every page of the site"),
        *(edits(f"{place}/{name}.py") for name in ("fetch", "parse", "report")),
        says("Every page answers but two, and both of those are of the shop."),
    )

    told = _told(state, budget=400)

    assert f"In paths, … is {place}." in told
    assert told.count(place) == 1
    assert "…/report.py" in told


def test_finished_work_names_a_few_of_its_files() -> None:
    """Who comes back to it looks there first."""
    state = session(
        asks("split the parser of quoted strings into its six parts"),
        *(edits(f"parser/part_{n}.py") for n in range(6)),
        runs('git add -A && git commit -m "parser: six parts"'),
        says("The parser of quoted strings has six parts now."),
    )

    told = _told(state, budget=400)

    assert " Files: parser/part_5.py, parser/part_4.py, " in told
    assert " and 2 more. It was asked: " in told
    assert "Left out: 2 edits" in told


def test_finished_work_that_began_with_a_paste_says_what_it_was_for() -> None:
    """ "[pasted 40 lines]" was asked by nobody."""
    page = "\n".join(f'<div class="row{n}">{n}</div>' for n in range(40))
    state = session(
        asks("Put the parts of the page that I send you into files of their own"),
        says("Send it, please."),
        asks(page),
        edits("page.html"),
        runs('git add -A && git commit -m "page: parts"'),
        says("The page has its parts in files of their own now."),
    )

    told = _told(state, budget=400)
    assert 'It was asked: ▸ "Put the parts of the page' in told


def test_finished_work_that_was_only_a_paste_tells_of_it() -> None:
    page = "\n".join(f'<div class="row{n}">{n}</div>' for n in range(40))
    state = session(
        asks(page),
        edits("page.html"),
        runs('git add -A && git commit -m "page: parts"'),
        says("The page has its parts in files of their own now."),
    )

    assert '(from the paste: `<div class="row0">' in _told(state, budget=400)


@pytest.mark.parametrize("words", ["", "it does not start, what now?\n"])
def test_a_log_that_was_pasted_is_told_by_what_went_wrong_in_it(words: str) -> None:
    """It begins with twenty lines that tell nobody anything."""
    log = [f"2026-01-18 15:23:{n:02} INFO loaded plugin {n}" for n in range(30)]
    log[20] = "sqlite3.OperationalError: no such column: rounds.best"
    state = session(asks("mend it"), edits("a.py"), asks(words + "\n".join(log)))

    told = _told(state, budget=400)

    assert (
        "(from the paste: `sqlite3.OperationalError: no such column: rounds.best"
        in told
    )


def test_of_a_page_that_speaks_of_errors_the_beginning_is_told() -> None:
    """A line of it that says "error" is not what it was pasted for."""
    page = [f"The chapter on tides says in part {n} what ebbs." for n in range(30)]
    page[20] = "Error: a tide that never ebbs is a lake."
    state = session(asks("put this into the book:\n\n" + "\n".join(page)))

    assert "(from the paste: `The chapter on tides says in part 0" in _told(
        state, budget=400
    )


def test_what_was_answered_before_the_goal_is_told_and_counted() -> None:
    """The error that it is all about may have been said in an answer."""
    state = session(
        asks("The page of the staff answers with an error 500, mend it please"),
        says("Which error stands in the log?"),
        asks("undefined method `downcase` for nil in staff_search"),
        edits("staff.rb"),
        says("It reads the name only where there is one."),
        asks("Now give the table of the staff a column for the harbour"),
        edits("table.rb"),
    )

    told = _told(state)

    assert "undefined method `downcase` for nil in staff_search" in told
    assert "Carried: all 3 requests" in told


def test_where_room_is_short_the_first_request_is_told_of_many() -> None:
    """It says what it is all about; the later ones are steps on the way."""
    later = (
        (asks(f"and give the table number {n} a column for the {what} of each boat"), edits("a.py"))
        for n, what in enumerate(["colour", "length", "harbour", "owner", "crew", "age"] * 3)
    )  # fmt: skip
    first = "Build a register of all boats in the harbour, with a page for each"
    steps = (step for pair in later for step in pair)
    state = session(asks(first), edits("a.py"), *steps, asks("Now print it on paper"))

    assert first in _told(state, budget=300)


def _page(*steps: Step, branch: str = "") -> SessionState:
    made = session(asks("make a page with three columns"), edits("page.html"), *steps)
    return replace(made, branch=branch)


def test_where_there_is_no_repository_nothing_is_not_committed() -> None:
    """A page that is written is written; nobody waits for a commit."""
    told = _told(_page(says("The page has three columns.")), budget=400)

    assert told.startswith("# Earlier work:")
    assert "\nChanged: page.html" in told
    assert "ommitted" not in told


def test_in_a_repository_what_is_changed_is_not_committed() -> None:
    """There it is work that can be lost."""
    told = _told(_page(says("The page has three columns."), branch="main"), budget=400)

    assert told.startswith("# Unfinished work:")
    assert "\nNot committed: page.html" in told


def test_what_waits_for_an_answer_is_unfinished_without_a_repository() -> None:
    """It is not only files that can be left open."""
    told = _told(_page(says("Which colour shall the header have?")), budget=400)

    assert told.startswith("# Unfinished work:")


def test_what_was_learned_names_something() -> None:
    """How the work went is nothing to go on with."""
    state = session(
        asks("find out why the export is slow"),
        says(
            "I have now understood how the whole of the project is put together here."
        ),
        says("The export reads `orders` once per row. On to what `tests/` says of it."),
        runs("pytest -q", "3 passed"),
        says("The index is missing; the export takes 40 s without it."),
    )

    told = _told(state)

    assert "The export reads `orders` once per row." in told
    assert "put together" not in told
    assert "On to what" not in told


def test_what_was_learned_is_told_once() -> None:
    """An agent that searches says what it found again and again, in other words."""
    again = "So Docker adds `CMD-SHELL` by itself when `--health-cmd` is used."
    other = "The volume of `n8n` lies on the host and survives a recreate."
    state = session(
        asks("mend the health checks"),
        says("Docker adds `CMD-SHELL` by itself as soon as `--health-cmd` is used."),
        says(again),
        says(other),
        says("Mended the checks of both containers with `wget`."),
        asks("and now?"),
        says("Nothing is left to do for the two containers."),
    )

    told = _told(state).partition("## Learned")[2]

    assert again in told
    assert other in told
    assert told.count("CMD-SHELL") == 1


def test_words_that_end_in_dots_by_themselves_are_not_cut() -> None:
    """Who types "…" left nothing out."""
    state = session(
        asks("rewrite the date parser, and after that we will see…"), edits("a.py")
    )

    assert "the rest of" not in _told(state, budget=400)


def test_a_long_list_gives_way_to_what_was_said_last() -> None:
    """The files stand in `git status`; that the goal is reached was said once."""
    paths = [
        f"cmd/service/internal/strategies/content_overlap_{n}.go" for n in range(20)
    ]
    goal = (
        "any suggestions for this: short files lose the detection of an overlap, because"
        " two lines must match and lines with fewer than ten letters are dropped, so that"
        " compact files have none, and a commit of a part of them counts as unrelated to"
        " the session although it has the agent's own lines in it, all of them"
    )
    state = session(
        asks(goal),
        *(edits(path) for path in paths),
        says("`has_overlap` asks for one matching line where a file has one only."),
    )
    told = _told(replace(state, branch="main"), 300)

    assert "Last said: `has_overlap` asks for one matching line" in told
    assert "In paths, … is cmd/service/internal/strategies." in told
    files = next(line for line in told.split("\n") if line.startswith("Not committed"))
    assert f"and {20 - files.count('.go')} more" in files


def test_all_files_of_a_list_are_told_without_a_rest() -> None:
    """ "and 0 more" would be a riddle."""
    state = session(asks("make the two pages warmer"), edits("a.css"), edits("b.css"))

    assert "more" not in _told(replace(state, branch="main"), 300)


def test_a_rule_that_was_added_to_the_goal_is_told_once() -> None:
    """The same words twice in five lines look like two orders."""
    rule = "Never wrap the lines of our Markdown files"
    state = session(
        asks("split the drafter into two agents and keep the entry point"),
        edits("agents/drafter.md"),
        asks(rule),
        edits("agents/checker.md"),
    )
    first, second = state.turns
    state = replace(state, turns=(first, replace(second, midway=True)))

    assert _told(state, 400).count(rule) == 1
    assert _told(state, 1000).count(rule) == 1


def test_of_what_was_added_the_last_is_told_where_room_is_short() -> None:
    """Five remarks on the way must not push out where the work stands."""
    remarks = [f"and mind the case of chapter {n} in it, too" for n in range(1, 6)]
    state = session(
        asks("write the chapters of the handbook anew, in plain words"),
        edits("handbook.md"),
        *(asks(remark) for remark in remarks),
        says("Chapter one is written anew, the others follow tomorrow."),
    )
    told = _told(state, 150)

    assert remarks[-1] in told
    assert remarks[0] not in told
    assert remarks[0] in _told(state, 1000)


def test_a_question_that_waits_is_not_said_last_as_well() -> None:
    """It stands in a line of its own."""
    asked = "Could you paste the whole trace of the error in `reef.rb`?"
    state = session(
        asks("the page of the reef is still broken"),
        says(
            f"I cannot see the picture that was sent to me here. {asked} Then I can go on."
        ),
    )

    assert _told(state, 400).count(asked) == 1
    assert "Last said: I cannot see the picture" in _told(state, 400)


def test_where_a_turn_was_cut_off_is_told_in_a_short_brief() -> None:
    """ "at […]" is a riddle, and a path that is cut opens nothing."""
    path = ".claude/skills/work-session/references/milestones/labels_of_all_teams.md"
    begun = "Now I have everything that I need to write the labels of all teams: go"
    state = session(
        asks("write the labels"),
        says(begun),
        uses("Edit", path, outcome="pending"),
    )

    assert f'About to change {path}, at: "{begun}"' in _told(state, 400)


@pytest.mark.parametrize(
    ("last", "begins"),
    [
        pytest.param(
            says("I removed both headings from `page.tsx`, as you wanted."),
            "# Said to be done, not committed: ",
            id="the agent says what it did",
        ),
        pytest.param(
            says("Now remove the second heading from `page.tsx`."),
            "# Unfinished work: ",
            id="it was on its way",
        ),
        pytest.param(
            says("I removed one heading from `page.tsx`. Still to do: the second one."),
            "# Unfinished work: ",
            id="it names a next step",
        ),
        pytest.param(
            says("I removed the headings of `page.tsx`. Shall I remove the footer?"),
            "# Unfinished work: ",
            id="it waits for an answer",
        ),
    ],
)
def test_work_of_which_only_the_commit_is_left_says_so(last: Step, begins: str) -> None:
    """Who reads "unfinished" looks for what is missing, and nothing is."""
    state = session(asks("take the headings out"), edits("page.tsx"), last)

    assert _told(replace(state, branch="main"), 400).startswith(begins)


def test_a_goal_that_was_sent_twice_is_told_once() -> None:
    """It is one wish."""
    words = "install the client anew and then show me its version"
    state = session(
        asks(words), says("It failed: no network."), asks("why is that so, please"),
        says("The proxy is off."), asks(words), runs("install"),
    )  # fmt: skip

    assert _told(state, 400).count(words) == 1
    assert _told(state, 1000).count(words) == 1


def test_what_was_said_to_a_refused_plan_adds_to_the_goal() -> None:
    """It is told nowhere else once something else was said."""
    state = session(
        asks("check the facts of this talk and propose a plan for the vault"),
        refused("ExitPlanMode", "# Plan for the vault"),
        asks("make sure that all other agents will see it, too"),
        says("Added to the plan."),
        asks("what a bullshitter"),
        says("Yes."),
        asks("[Image #1]"),
        says("I cannot see it."),
    )

    assert "make sure that all other agents will see it" in _told(state, 1000)
    assert "Image" not in _told(state, 1000)


def test_what_runs_is_told_with_what_it_is_for_in_a_short_brief() -> None:
    """The command is cut first; its id says where it prints."""
    meant = "Generate the dataset with all workers"
    command = f"python scripts/datasets/generators/{'long_' * 10}name.py --workers 48"
    state = session(
        asks("make the dataset"),
        runs(command, detail=meant, background=True, reference="b42"),
        says("It runs."),
    )

    assert f'("{meant}", id b42)' in _told(state, 400)


def test_a_question_that_is_told_in_part_is_counted_as_such() -> None:
    """ "Left out: nothing" below a "[…]" is a lie."""
    proposed = [
        f"The loss of part {n} is scaled twice, in it and outside." for n in range(9)
    ]
    state = session(
        asks("look at the log of the training and tell me what is wrong"),
        says(" ".join(proposed) + " Want me to compare both or to fix it?"),
        asks("yes apply all fixes"),
        says("Started."),
    )
    told = _told(state, 200)

    assert " […]" in told.partition("Now: ")[2].partition("\n")[0]
    assert "Left out: nothing" not in told


def test_what_the_client_told_of_a_session_that_was_left_is_said_last() -> None:
    """It says in two sentences what the work is for and what comes next."""
    recap = "Goal: free 5 GB of the root volume. Next: run pip cache purge."
    state = session(
        asks("where does the space on the root volume go?"),
        says("The dump in `/tmp` has 1.1 GB. The cache of pip has 553 MB. Purge it?"),
    )
    (turn,) = state.turns
    told = _told(replace(state, turns=(replace(turn, recap=recap),)), 400)

    assert "Last said: The dump in `/tmp` has 1.1 GB." in told
    assert "\n  Goal: free 5 GB of the root volume.\n" in told
    assert "\nNext: run pip cache purge." in told
    assert "Waiting for an answer: " in told
