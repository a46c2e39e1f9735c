"""`merge` as a user has it: a fork comes home, and nothing of either is lost."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.branching import Branch
from tests.e2e.conftest import Cli, Ran, answering
from tests.e2e.repository import git

_LINES = "".join(f"line {number}\n" for number in range(40))


@pytest.fixture
def home(cli: Cli) -> Branch:
    """A session with a fork: 1 is what both came from, 2 the fork, 3 the session."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    home = Branch(cli, 1)
    home.user("Add refresh tokens to the auth module. Never use sleep in tests.")
    home.edits("src/auth.py", _LINES)
    home.plans(write_the_rotation="pending", detect_reuse="pending", document="pending")
    home.agent("Started with the rotation.")
    home.saves("Auth started", decisions=["tokens rotate on use"])
    fork = home.fork(2)
    fork.user("Try Redis for the rate limits in here, please.")
    fork.edits("src/auth.py", _LINES.replace("line 3\n", "line three\n"))
    fork.edits("src/limits.py", "import redis\n")
    fork.plans(
        write_the_rotation="pending", detect_reuse="completed", document="pending"
    )
    fork.agent("Redis works.")
    fork.saves(
        "Redis for rate limits",
        decisions=["use Redis for rate limits", "limits live in one module"],
        dead_ends=["SELECT FOR UPDATE in rotate deadlocks"],
        instructions=["always ship on friday"],
    )
    (cli.project / "src" / "limits.py").unlink()
    home.user("Go on with the rotation. Errors must be in Thai for end users.")
    home.edits("src/auth.py", _LINES.replace("line 3\n", "line drei\n"))
    home.plans(
        write_the_rotation="completed", detect_reuse="pending", document="pending"
    )
    home.agent("Rotation is done.")
    home.saves("Rotation done", decisions=["use Postgres for rate limits"])
    return home


def _texts(record: Any, kind: str) -> list[str]:
    return [item["text"] for item in record["content"][kind]]


def _id(cli: Cli, ref: str) -> str:
    return str(cli("show", ref, "--json").json["id"])


@pytest.mark.usefixtures("home")
def test_a_fork_comes_home_in_one_command(cli: Cli) -> None:
    """What each knows is there, done is done, and each statement says where it is from."""
    fork, rotation = _id(cli, "2"), _id(cli, "3")

    answer = cli("merge", "2", "--json").json

    made = answer["checkpoint"]
    assert (answer["type"], answer["outcome"]) == ("merged", "saved")
    assert made["relations"]["merged_from"] == [rotation, fork]
    assert answer["ancestor"] == _id(cli, "1")
    assert made["content"]["title"] == "Rotation done (merged with 00002)"
    assert _texts(made, "decisions") == [
        "use Redis for rate limits",
        "limits live in one module",
        "tokens rotate on use",
        "use Postgres for rate limits",
    ]
    assert _texts(made, "pending") == ["document"]
    assert {"write the rotation", "detect reuse"} <= {*_texts(made, "key_outcomes")}
    assert _texts(made, "dead_ends") == ["SELECT FOR UPDATE in rotate deadlocks"]
    assert "Try Redis for the rate limits in here, please." in _texts(made, "requests")
    origins = {i["text"]: i["from"] for i in made["content"]["decisions"]}
    assert origins["limits live in one module"] == fork
    assert (
        origins["use Postgres for rate limits"] is None
    )  # of the session that goes on


@pytest.mark.usefixtures("home")
def test_a_merged_checkpoint_is_like_any_other(cli: Cli) -> None:
    """It resumes, lists, shows, is found, and is the latest of the session it is in."""
    cli("merge", "3", "2")

    told = cli("resume").out
    listed = cli("list", "--json").json["checkpoints"]
    found = cli("search", "deadlocks", "--json").json["checkpoints"]
    session = cli("session", listed[0]["session_id"], "--json").json["session"]

    assert "Resuming CHECKPOINT-00004" in told
    assert "SELECT FOR UPDATE" in told
    assert [c["number"] for c in listed] == [4, 3, 2, 1]
    assert listed[0]["latest_checkpoint"] is True
    assert (listed[0]["sequence"], listed[0]["session_id"]) == (
        3,
        listed[1]["session_id"],
    )
    assert {4, 2} <= {c["number"] for c in found}
    assert session["latest_checkpoint"] == listed[0]["id"]
    assert cli("doctor").status == 0


@pytest.mark.parametrize(
    ("words", "number"),
    [
        pytest.param(("3", "3"), 3, id="itself"),
        pytest.param(("3", "1"), 3, id="what it came from"),
        pytest.param(("1", "3"), 3, id="what came of it"),
        pytest.param(("1", "2"), 2, id="what a fork came from"),
    ],
)
@pytest.mark.usefixtures("home")
def test_nothing_new_makes_no_record(
    cli: Cli, words: tuple[str, ...], number: int
) -> None:
    """With itself or an ancestor nothing changes, and that is said."""
    answer = cli("merge", *words, "--json").json
    told = cli("merge", *words)

    assert (answer["outcome"], answer["conflicts"]) == ("unchanged", [])
    assert answer["checkpoint"]["number"] == number
    assert (
        f"nothing to merge: CHECKPOINT-{number:05d} already has all of it" in told.out
    )
    assert len(cli("list", "--json").json["checkpoints"]) == 3


@pytest.mark.usefixtures("home")
def test_a_dry_run_says_where_there_is_nothing_to_do(cli: Cli) -> None:
    """With what it came from, with itself, and where the very merge is there already."""
    would = cli("merge", "3", "2", "--dry-run", "--json").json
    promised = cli("merge", "3", "2", "--dry-run").err
    nothing = cli("merge", "3", "1", "--dry-run")
    none = cli("merge", "3", "1", "--dry-run", "--json").json
    made = cli("merge", "3", "2", "--json").json["checkpoint"]["id"]
    again = cli("merge", "3", "2", "--dry-run")
    repeated = cli("merge", "3", "2", "--dry-run", "--json").json

    assert (would["would"], would["in"]) == ("save", None)
    assert "leave out `--dry-run`" in promised
    assert "nothing to merge: CHECKPOINT-00003 already has all of it" in nothing.out
    assert nothing.err == again.err == ""
    assert (none["would"], none["in"]) == ("unchanged", _id(cli, "3"))
    assert "nothing to merge: CHECKPOINT-00004 already is this merge" in again.out
    assert (repeated["would"], repeated["in"]) == ("repeated", made)


@pytest.mark.usefixtures("home")
def test_merging_twice_is_merging_once(cli: Cli) -> None:
    """The same call again is the same checkpoint; what is home stays home."""
    first = cli("merge", "3", "2", "--json").json
    again = cli("merge", "3", "2", "--json").json
    home = cli("merge", "4", "2", "--json").json

    assert (again["outcome"], home["outcome"]) == ("repeated", "unchanged")
    assert again["checkpoint"]["id"] == home["checkpoint"]["id"]
    assert first["checkpoint"]["id"] == home["checkpoint"]["id"]


@pytest.mark.usefixtures("home")
def test_the_order_is_only_how_it_is_told(cli: Cli) -> None:
    """Whoever is home, both know the same, and the same is to be chosen."""
    forth = cli("merge", "3", "2", "--json").json
    back = cli("merge", "2", "3", "--json").json

    assert forth["checkpoint"]["session_id"] != back["checkpoint"]["session_id"]
    for kind in ("decisions", "pending", "dead_ends", "key_outcomes", "instructions"):
        known = (_texts(answer["checkpoint"], kind) for answer in (forth, back))
        assert len({frozenset(texts) for texts in known}) == 1
    asked = (
        {
            *_texts(answer["checkpoint"], "goal"),
            *_texts(answer["checkpoint"], "requests"),
        }
        for answer in (forth, back)
    )
    assert len(set(map(frozenset, asked))) == 1
    chosen = (
        [c["options"] for c in a["conflicts"] if "options" in c] for a in (forth, back)
    )
    first, second = chosen
    assert first == second


@pytest.mark.usefixtures("home")
def test_a_conflict_keeps_both_until_somebody_chooses(cli: Cli) -> None:
    """Each side says what speaks against it; a choice leaves one, and the other stays in
    the checkpoint that said it."""
    answer = cli("merge", "3", "2", "--json").json
    told = cli("merge", "3", "2")
    chosen = cli("merge", "3", "2", "--choose", "1=2", "--json").json
    by_name = cli("merge", "3", "2", "--choose", "all=CHECKPOINT-00003", "--json").json

    (conflict,) = (c for c in answer["conflicts"] if c["kind"] != "code")
    assert (conflict["number"], conflict["kind"], conflict["why"]) == (
        1,
        "decisions",
        "differ",
    )
    assert [(o["label"], o["text"], o["choose"]) for o in conflict["options"]] == [
        ("CHECKPOINT-00002", "use Redis for rate limits", "1=2"),
        ("CHECKPOINT-00003", "use Postgres for rate limits", "1=3"),
    ]
    assert answer["undecided"] == [1]
    assert "(doubtful: CHECKPOINT-00003 says: use Postgres" in cli("show", "4").out
    assert "1 conflict not settled" in told.err
    assert "holdfast merge 3 2 --choose 1=2" in told.err
    assert "use Postgres for rate limits" not in _texts(
        chosen["checkpoint"], "decisions"
    )
    assert chosen["undecided"] == []
    assert "use Redis for rate limits" not in _texts(by_name["checkpoint"], "decisions")
    assert _texts(cli("show", "2", "--json").json, "decisions")[0].startswith(
        "use Redis"
    )


@pytest.mark.parametrize(
    ("choice", "code", "words"),
    [
        pytest.param("1=99", "USE_001", "names no side", id="no side"),
        pytest.param("7=2", "MERG_001", "there is no conflict `7`", id="no conflict"),
        pytest.param("Redis", "USE_001", "names no side", id="no choice"),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_choice_that_means_nothing_is_refused(
    cli: Cli, choice: str, code: str, words: str
) -> None:
    """Nothing is written, and the hint offers choices that work."""
    answer = cli("merge", "3", "2", "--choose", choice, "--json").json

    assert (answer["type"], answer["code"]) == ("error", code)
    assert words in answer["message"]
    assert len(cli("list", "--json").json["checkpoints"]) == 3


@pytest.mark.usefixtures("home")
def test_code_is_tried_and_never_written(cli: Cli) -> None:
    """Which files would conflict, and not one byte of the worktree changes."""
    before = _files(cli.project)

    answer = cli("merge", "3", "2", "--dry-run", "--json").json
    told = cli("merge", "3", "2").out

    assert [c for c in answer["conflicts"] if c["kind"] == "code"] == [
        {
            "kind": "code",
            "path": "src/auth.py",
            "why": "lines",
            "with": "CHECKPOINT-00002",
        }
    ]
    assert answer["code"] == {"merging": 1, "conflicting": 1, "reason": ""}
    assert answer["checkpoint"] is None
    assert "code: 1 file would merge, 1 file would conflict; no file is written" in told
    assert "C  src/auth.py  both changed the same lines" in told
    assert _files(cli.project) == before


def _files(root: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_the_session_goes_on_with_what_was_merged(cli: Cli, home: Branch) -> None:
    """Later saves of the session carry it, and so does what a clear begins: until it is
    done there."""
    cli("merge", "3", "2")
    unchanged = home.saves("Rotation done")
    home.user("And now write down how the limits work.")
    home.plans(document="completed", detect_reuse="completed")
    home.agent("Written down.")
    later = home.saves("Documented")
    heir = home.cleared(9)
    heir.user("What did we decide about the limits module?")
    heir.agent("One module.")
    child = heir.saves("Asked")

    assert unchanged["number"] >= 4
    for record in (later, child):
        assert "limits live in one module" in _texts(record, "decisions")
        assert "SELECT FOR UPDATE in rotate deadlocks" in _texts(record, "dead_ends")
    assert _texts(later, "pending") == []


def test_two_that_went_on_are_merged_beside_their_sessions(
    cli: Cli, home: Branch
) -> None:
    """Each session keeps its own newest, and the merge is a child of the first."""
    for branch, number in ((home.fork(3), 4), (home.fork(4), 6)):
        branch.user(f"Try queue {number}.")
        branch.agent("It works.")
        branch.saves("Queue", decisions=[f"queue {number} in between"])
        branch.user("Polish it.")
        branch.agent("Polished.")
        branch.saves("Queue, polished")

    made = cli("merge", "4", "6", "--json").json["checkpoint"]
    session = cli("session", made["session_id"], "--json")

    assert made["relations"]["parent_session"].startswith("00000003")
    assert {"queue 4 in between", "queue 6 in between"} <= {*_texts(made, "decisions")}
    assert all(item["from"] for item in made["content"]["decisions"])
    assert _id(cli, "session:00000003") == _id(cli, "5")
    assert _id(cli, "session:00000004") == _id(cli, "7")
    assert cli("resume", "8").status == session.status == 0


@pytest.mark.usefixtures("home")
def test_the_first_that_can_go_on_is_home(cli: Cli) -> None:
    """Whatever the order: what is no session's newest is merged into one that is."""
    cli("merge", "3", "2")

    answer = cli("merge", "1", "2", "3", "--json").json

    assert answer["checkpoint"]["session_id"].startswith("00000002")
    assert len(answer["checkpoint"]["relations"]["merged_from"]) == 2


@pytest.mark.usefixtures("home")
def test_a_merge_made_again_names_the_same_in_log_and_graph(cli: Cli) -> None:
    """It came from what it was merged of, not from the merge before it; every row of the
    graph begins its words in one column."""
    cli("merge", "3", "2")
    cli("merge", "3", "2", "--choose", "1=2")

    log = cli("log").out.splitlines()
    graph = cli("log", "--graph").out.splitlines()
    (row, *_) = _rows(cli)

    assert (row["number"], row["parents"]) == (5, [_id(cli, "3"), _id(cli, "2")])
    assert [line.count("merges 00003, 00002") for line in log] == [1, 1, 0, 0, 0]
    assert sum("merges 00003, 00002" in line for line in graph) == 2
    assert any("merged again as 00005" in line for line in graph)
    numbered = [line for line in graph if " 0000" in line and "merge" not in line[7:16]]
    starts = {line.index(f"0000{n}") for n in range(1, 6) for line in numbered
              if f"  0000{n}  " in line}  # fmt: skip
    assert len(starts) == 1


@pytest.mark.usefixtures("home")
def test_a_merge_is_shown_as_one_and_tells_what_is_left(cli: Cli) -> None:
    """What one side finished is no next step of both, and what both sides count is
    counted once."""
    cli("merge", "3", "2")

    shown = cli("show", "4").out
    listed = cli("list").out.splitlines()

    assert shown.startswith("CHECKPOINT-00004 · merge · ")
    assert "Next: document." in shown
    assert "detect reuse; document" not in shown
    assert shown.count("- changed 2 files (+81 −0)") == 1
    assert shown.count("- changed ") == 1
    assert ["  merge   " in line for line in listed] == [True, False, False, False]


@pytest.mark.usefixtures("home")
def test_a_file_that_both_sides_made_is_made_once(cli: Cli, home: Branch) -> None:
    """Each session counts it by itself; together it is one file."""
    for number, text in ((3, "import redis\n"), (4, "import redis\nimport time\n")):
        branch = home.fork(number)
        branch.user("Make a module for the limits, please.")
        branch.tool(
            "Write",
            {"file_path": str(cli.project / "made.py"), "content": text},
            {
                "text": "File created successfully",
                "structured": {
                    "type": "create",
                    "filePath": str(cli.project / "made.py"),
                    "content": text,
                    "structuredPatch": [],
                },
            },
        )
        branch.agent("Made.")
        branch.saves(f"Made {number}")

    made = cli("merge", "5", "4", "--json").json["checkpoint"]

    assert [one for one in _texts(made, "key_outcomes") if "created" in one] == [
        "created made.py (+2)"
    ]


def test_each_side_s_decision_is_told_wherever_it_stands_elsewhere(cli: Cli) -> None:
    """Home said its own last of all; a reader must not take the fork's for the only one."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    home = Branch(cli, 1)
    home.user("Add rate limits to the API.")
    home.edits("a", _LINES)
    home.agent("Begun.")
    home.saves("Begun")
    fork = home.fork(2)
    fork.user("Try Redis for the limits.")
    fork.agent("It works.")
    fork.saves("Redis", decisions=["use Redis for rate limits"])
    home.user("Try a table for the limits.")
    home.agent("We keep counters in one table. Done.")
    home.saves("Table", decisions=["keep counters in one table"])

    cli("merge", "2")
    told = cli("resume").out

    assert "Decided: use Redis for rate limits" in told
    assert "Decided: keep counters in one table" in told


def test_a_rule_that_was_taken_back_on_one_side_is_told_with_that(cli: Cli) -> None:
    """Both ways are kept, and the brief says so."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    home = Branch(cli, 1)
    home.user("Refactor it. Never touch the session table.")
    home.edits("s", _LINES)
    home.agent("Begun.")
    home.saves("Begun")
    fork = home.fork(2)
    fork.user("Forget the rule about the session table.")
    fork.agent("Forgotten.")
    fork.saves("Forgotten")
    home.user("Use a side file.")
    home.agent("Used.")
    home.saves("Used")

    cli("merge", "2")

    doubt = "(doubtful: taken back in CHECKPOINT-00002)"
    assert f'"Never touch the session table." {doubt}' in cli("resume").out


@pytest.fixture
def late_fork(cli: Cli) -> Branch:
    """1 is what both came from, 2 the session that went on, 3 the fork: made behind 1 and
    saved for the first time only now."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    home = Branch(cli, 1)
    home.user("Add refresh tokens to the auth module.")
    home.edits("auth.py", _LINES)
    home.agent("Begun.")
    home.saves("Auth started", decisions=["tokens rotate on use"])
    fork = home.fork(2)
    home.user("Go on with the rotation. Errors must be in Thai for end users.")
    home.edits("auth.py", _LINES + "rotated\n")
    home.agent("Done.")
    home.saves("Rotation done", decisions=["rotate at midnight"])
    fork.user("Try Redis for the rate limits.")
    fork.edits("auth.py", _LINES.replace("line 3\n", "redis\n"))
    fork.agent("It works.")
    fork.saves("Redis", decisions=["limits live in Redis"])
    return fork


def test_a_fork_knows_what_it_saw_and_not_what_its_parent_did_since(
    cli: Cli, late_fork: Branch
) -> None:
    """Saved late, it still goes on from where it was made: by its lines."""
    record = cli("show", "3", "--json").json
    late_fork.user("Polish it.")
    late_fork.agent("Polished.")
    polished = late_fork.saves("Polished")

    assert {*_texts(record, "decisions")} == {
        "tokens rotate on use",
        "limits live in Redis",
    }
    assert _texts(record, "instructions") == []
    for one in (record, polished):
        assert one["relations"]["forked_at"] == _id(cli, "1")


@pytest.mark.usefixtures("late_fork")
def test_a_fork_that_was_saved_late_comes_home(cli: Cli) -> None:
    """Both sides are told, and the log draws it where it parted."""
    drawn = {row["number"]: row for row in _rows(cli)}
    answer = cli("merge", "3", "--json").json

    assert (answer["outcome"], answer["ancestor"]) == ("saved", _id(cli, "1"))
    assert {*_texts(answer["checkpoint"], "decisions")} == {
        "tokens rotate on use",
        "rotate at midnight",
        "limits live in Redis",
    }
    assert (drawn[3]["parents"], drawn[3]["how"]) == ([_id(cli, "1")], ["fork"])


def test_a_fork_of_what_was_not_saved_yet_goes_on_from_what_that_came_from(
    cli: Cli,
) -> None:
    """Its parent's first checkpoint came later, and is none of its ancestors."""
    git(cli.project, "init", "-q", "-b", "main", ".")
    first = Branch(cli, 1)
    first.user("Plan the billing.")
    first.edits("b", _LINES)
    first.agent("Planned.")
    first.saves("Plan", decisions=["one invoice a month"])
    home = first.cleared(2)
    home.user("Do the taxes in here.")
    home.edits("t", _LINES)
    home.agent("Begun.")
    fork = home.fork(3)
    home.user("Now the rounding.")
    home.agent("Rounded.")
    home.saves("Taxes", decisions=["round half up"])
    fork.user("Try a table of rates.")
    fork.agent("A table.")
    record = fork.saves("Rates")
    drawn = {row["number"]: row for row in _rows(cli)}

    assert _texts(record, "decisions") == ["one invoice a month"]
    assert record["relations"]["forked_at"] == ""
    assert drawn[3]["parents"] == [_id(cli, "1")]
    assert cli("merge", "3", "--json").json["ancestor"] == _id(cli, "1")


def _rows(cli: Cli) -> Any:
    return cli("log", "--json").json["rows"]


def _refused(ran: Ran) -> tuple[int, str]:
    answer = json.loads(ran.out)
    assert answer["hint"]
    return ran.status, str(answer["code"])


def test_without_checkpoints_it_says_what_to_do(cli: Cli) -> None:
    """No store, no checkpoint, one checkpoint: a sentence and a hint each."""
    assert _refused(cli("merge", "1", "2", "--json"))[0] == 10
    only = Branch(cli, 1)
    only.user("Say hello.")
    only.agent("Hello.")
    only.saves("Hello")

    assert _refused(cli("merge", "1", "2", "--json")) == (12, "FIND_001")
    assert _refused(cli("merge", "1", "--json")) == (12, "FIND_001")
    assert "belongs to no session that is known here" in cli("merge", "1").err
    assert _refused(cli("merge", "1", "nonsense", "--json")) == (12, "FIND_001")


@pytest.mark.usefixtures("home")
def test_an_ambiguous_reference_names_candidates(cli: Cli) -> None:
    """As everywhere."""
    status, code = _refused(cli("merge", "session:0000000", "3", "--json"))

    assert (status, code) == (12, "FIND_002")


@pytest.mark.usefixtures("home")
def test_checkpoints_of_two_projects_are_not_merged(cli: Cli, tmp_path: Path) -> None:
    """A merge stays in one project; comparing does not have to."""
    here = _id(cli, "3")
    there = Cli(cli.home, tmp_path / "elsewhere", cli.capsys)
    there.project.mkdir()
    other = Branch(there, 7)
    other.user("Something else entirely.")
    other.agent("Done.")
    foreign = other.saves("Elsewhere")["id"]

    ran = cli("merge", here, foreign)
    hinted = ran.err.split("`")[-2].split()[1:]

    assert (ran.status, len(cli("list", "--json").json["checkpoints"])) == (1, 3)
    assert "are of different projects, and a merge stays in one" in ran.err
    assert cli(*hinted).status == 0


@pytest.mark.usefixtures("home")
def test_a_damaged_record_is_refused(cli: Cli) -> None:
    """Half a truth is none: doctor says what is wrong."""
    with sqlite3.connect(cli.home / "holdfast.db") as database:
        database.execute(
            "UPDATE checkpoint SET body = replace(body, 'Redis', 'Radis') WHERE number = 2"
        )
    database.close()

    assert _refused(cli("merge", "3", "2", "--json"))[0] == 13
    assert len(cli("list", "--json").json["checkpoints"]) == 2


@pytest.mark.usefixtures("home")
def test_a_forgotten_ancestor_takes_nothing_away(cli: Cli) -> None:
    """Without what both came from, nobody knows what was done since: all of both stays,
    and that is said."""
    cli("forget", "1", "--yes")

    told = cli("merge", "3", "2")
    made = cli("show", "latest", "--json").json

    assert told.status == 0
    assert (
        "from   a checkpoint that no longer exists: all statements of both are kept"
        in told.out
    )
    assert {"document", "detect reuse"} <= {*_texts(made, "pending")}


@pytest.mark.usefixtures("home")
def test_turned_off_nothing_is_merged(cli: Cli) -> None:
    """Off means that nothing is recorded."""
    (cli.project / ".holdfast.json").write_text('{"enabled": false}')

    told = cli("merge", "3", "2")
    answer = cli("merge", "3", "2", "--json").json

    assert "holdfast is off here" in told.err
    assert (answer["type"], answer["checkpoint"]) == ("unchanged", None)
    (cli.project / ".holdfast.json").unlink()
    assert len(cli("list", "--json").json["checkpoints"]) == 3


@pytest.mark.usefixtures("home")
def test_an_agents_notes_stay_an_agents(cli: Cli) -> None:
    """A fork's agent wrote an instruction; merged, it is still no word of the user's."""
    made = cli("merge", "3", "2", "--json").json["checkpoint"]

    sources = {i["text"]: i["source"] for i in made["content"]["instructions"]}
    assert sources["always ship on friday"] == "agent"
    assert sources["Never use sleep in tests."] == "user"
    shown = cli("show", "latest").out
    assert "- noted: always ship on friday" in shown
    assert "▸ always ship" not in cli("resume", "latest", "--budget", "4000").out


@pytest.mark.parametrize(
    ("forgotten", "gone", "stays"),
    [
        pytest.param("2", "Redis", "Postgres", id="the fork"),
        pytest.param("3", "Postgres", "Redis", id="home"),
        pytest.param("session:00000002", "Redis", "Postgres", id="its session"),
    ],
)
@pytest.mark.usefixtures("home")
def test_what_is_forgotten_goes_from_the_merge_too(
    cli: Cli, forgotten: str, gone: str, stays: str
) -> None:
    """It is made anew of what is left: no statement, title, command or doubt repeats it,
    and a merge of that merge does not either."""
    cli("merge", "3", "2")
    third = Branch(cli, 8)
    third.user("Write a changelog.")
    third.agent("Written.")
    third.saves("Changelog")
    cli("merge", "5", "4")

    done = cli("forget", forgotten, "--yes")

    assert done.status == 0, done
    for merge in ("4", "6"):
        told = json.dumps(cli("show", merge, "--json").json)
        assert gone not in told
        assert stays in told
    assert cli("search", gone, "--json").json["checkpoints"] == []
    assert gone.encode() not in (cli.home / "holdfast.db").read_bytes()
    assert cli("doctor").status == 0


@pytest.mark.usefixtures("home")
def test_a_merge_of_nothing_that_is_left_goes(cli: Cli) -> None:
    """When all that it was made of is forgotten, it is, too."""
    cli("merge", "3", "2")
    cli("forget", "2", "--yes")
    cli("forget", "3", "--yes")

    assert [c["number"] for c in cli("list", "--json").json["checkpoints"]] == [1]
    assert "was removed" in cli("show", "4").err


def test_a_terminal_is_asked_which_is_right(cli: Cli, home: Branch) -> None:
    """By a letter or a number; the rest is as it would be without a terminal."""
    del home

    seen = answering(cli, "merge", "3", "2", answers=b"b\n")

    assert b"Conflict 1: they contradict each other" in seen
    assert b"a) 00002: use Redis for rate limits" in seen
    assert b"Which is right? [a/b, Enter keeps both]" in seen
    assert "use Redis for rate limits" not in _texts(
        cli("show", "latest", "--json").json, "decisions"
    )


def test_a_terminal_may_leave_both(cli: Cli, home: Branch) -> None:
    """Enter, and nothing is lost."""
    del home

    answering(cli, "merge", "3", "2", answers=b"\n")

    made = cli("show", "latest", "--json").json
    assert made["number"] == 4
    assert len(_texts(made, "decisions")) == 4
