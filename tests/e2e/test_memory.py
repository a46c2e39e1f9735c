"""`holdfast memory` as a user and a script have it."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Cli
from tests.unit.agents.building import Json, agent, raw, user


def reviews(count: int) -> list[Json]:
    """Lines of a session that reviews one module after the other."""
    lines: list[Json] = []
    for number in range(count):
        first = 1 + number * 10
        lines.append(user(f"review the module number {number}", first))
        for place, (tool, given) in enumerate(
            (
                ("Read", {"file_path": "/code/here/a.py"}),
                ("Edit", {"file_path": "/code/here/a.py", "old_string": "a", "new_string": "b"}),
                ("Bash", {"command": "pytest -q"}),
            )
        ):  # fmt: skip
            at = first + 1 + 2 * place
            name = f"toolu_{at}"
            call = {"type": "tool_use", "id": name, "name": tool, "input": given}
            result = {"type": "tool_result", "tool_use_id": name, "content": "ok"}
            lines += [agent(call, number=at), user([result], at + 1)]
        said = {"type": "text", "text": "Reviewed it and fixed one thing."}
        lines.append(agent(said, number=first + 7))
    return lines


def test_an_empty_memory_is_empty_lists(cli: Cli) -> None:
    """The contract's answer, whatever there is."""
    ran = cli("memory", "--json")

    assert ran.status == 0
    assert ran.json == {
        "type": "memory", "facts": [], "log": [], "lessons": [], "workflows": [],
    }  # fmt: skip
    assert list(cli.project.iterdir()) == []


def test_what_is_added_is_shown(cli: Cli) -> None:
    """By a person on the command line, by a script as JSON."""
    cli("memory", "facts", "add", "port", "is", "8080")
    cli("memory", "log", "add", "tokens rotate", "--type", "decision")
    cli("memory", "lessons", "add", "run the tests first")

    shown = cli("memory", "show").out
    told = cli("memory", "--json").json

    assert "facts (1)\n  Facts: port is 8080\n" in shown
    assert "[DECISION] [ttl:permanent] [ref:0] tokens rotate" in shown
    assert "run the tests first (conf 0.5, seen " in shown
    assert told["facts"] == [
        {"text": "port is 8080", "section": "Facts", "by": "holdfast"}
    ]
    assert (told["lessons"][0]["conf"], told["lessons"][0]["obs"]) == (0.5, 1)


def test_a_contradicted_fact_is_shown_as_it_was(cli: Cli) -> None:
    """The user sees what is gone."""
    cli("memory", "facts", "add", "port is 8080")

    ran = cli("memory", "facts", "add", "port is 9090")
    told = cli("memory", "facts", "add", "port is 9091", "--json").json

    assert ran.out == "replaced: port is 9090 (was: port is 8080)\n"
    assert (told["did"], told["old"]) == ("replaced", "port is 9090")
    assert [fact["text"] for fact in told["facts"]] == ["port is 9091"]


def test_one_part_is_shown_alone(cli: Cli) -> None:
    """`memory lessons` is about lessons."""
    cli("memory", "facts", "add", "port is 8080")
    cli("memory", "lessons", "add", "run the tests first")

    assert cli("memory", "lessons").out.startswith("lessons (1)\n")
    assert cli("memory", "lessons", "--json").json["facts"] == []


def test_a_violated_lesson_loses_trust(cli: Cli) -> None:
    """S1: on user correction after a violation."""
    cli("memory", "lessons", "add", "run the tests first")

    ran = cli("memory", "lessons", "add", "run the tests first", "--violated", "--json")

    assert (ran.json["did"], ran.json["lessons"][0]["conf"]) == ("violated", 0.4)


def test_tidying_tells_what_it_did(cli: Cli) -> None:
    """Expiry, promotion, archive, old names: each is named."""
    memory = cli.project / "memory"
    memory.mkdir()
    (memory / "context-log.md").write_text(
        "[2020-01-01] [EVENT] [ttl:30d] [ref:0] demo day\n"
        "[2020-01-01] [EVENT] [ttl:permanent] [ref:3] staging is rebuilt every night\n"
    )
    (memory / "MEMORY.md").write_text("- see session-handoff-v1.md\n")
    tasks = cli.project / "tasks"
    tasks.mkdir()
    (tasks / "lessons.md").write_text(
        "### [2020-01-01] Weak\n> conf: 0.3 · seen: 2020-01-01 · obs: 1\nbody\n"
    )

    ran = cli("memory", "tidy")

    assert ran.out.splitlines() == [
        "promoted to a fact: staging is rebuilt every night",
        "expired: demo day",
        "archived: Weak",
        "unified: old handoff names in memory/MEMORY.md",
    ]
    assert cli("memory", "tidy").out == "nothing to tidy\n"
    assert cli("memory", "tidy", "--json").json["tidied"] == []


def test_a_repeated_workflow_is_proposed_and_can_be_declined(
    cli: Cli, tmp_path: Path
) -> None:
    """S1's form; nothing is created; a declined one is logged."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(raw(*reviews(3)))
    words = ("memory", "workflows", "--transcript", str(transcript))

    proposed = cli(*words)
    name = cli(*words, "--json").json["workflows"][0]["name"]
    untouched = list(cli.project.iterdir())
    cli(*words, "--decline", name)

    assert proposed.out == (
        "[Repeated workflow candidate detected]\n"
        "- Signature: review + Read → Edit → test + code change\n"
        "- Frequency: 3 this session / 0 accumulated\n"
        "- Suggestion: this workflow might benefit from a dedicated skill\n"
        "- Proposed skill name: review_module\n"
        '- Proposed triggers: "review the module number 0", "review the module number 1",'
        ' "review the module number 2"\n'
    )
    assert untouched == []
    assert cli(*words, "--json").json["workflows"] == []
    log = (cli.project / "memory" / "context-log.md").read_text()
    assert "[DECLINED] [ttl:permanent] [ref:0] review_module" in log


def test_an_installed_skill_that_covers_it_silences_the_proposal(
    cli: Cli, tmp_path: Path
) -> None:
    """The user has it already."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(raw(*reviews(3)))
    skill = tmp_path / "claude" / "skills" / "review" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: review\ndescription: Reviews code, runs each test\n---\n"
    )

    ran = cli("memory", "workflows", "--transcript", str(transcript))

    assert (ran.out, ran.err) == ("", "no workflow was repeated often enough\n")


def test_the_first_file_says_how_to_keep_it_out_of_git(cli: Cli) -> None:
    """Only where there is a git to keep it out of."""
    (cli.project / ".git" / "info").mkdir(parents=True)
    (cli.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (cli.project / ".git" / name).mkdir()

    first = cli("memory", "facts", "add", "port is 8080")
    second = cli("memory", "facts", "add", "host is here", "--exclude")

    assert "keep these files out of git with: holdfast memory --exclude" in first.err
    assert "excluded from git in `.git/info/exclude`" in second.err


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["tidy", "add", "x"], id="adding to what takes no `add`"),
        pytest.param(["facts", "add"], id="nothing to add"),
        pytest.param(["facts", "--decline", "x"], id="declining a fact"),
        pytest.param(
            ["workflows", "--decline", "nope"], id="declining what nobody proposes"
        ),
        pytest.param(["nonsense"], id="no such part"),
    ],
)
def test_what_makes_no_sense_is_refused(cli: Cli, words: list[str]) -> None:
    """With a hint that works when pasted."""
    ran = cli("memory", *words, "--json")

    assert (ran.status, ran.json["code"]) == (2, "USE_001")
    assert ran.json["hint"]


def test_a_linked_file_is_an_error_and_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    """Nothing is written through a link."""
    (tmp_path / "theirs.md").write_text("theirs")
    (cli.project / "memory").mkdir()
    (cli.project / "memory" / "MEMORY.md").symlink_to(tmp_path / "theirs.md")

    ran = cli("memory", "facts", "add", "port is 8080", "--json")

    assert (ran.status, ran.json["code"]) == (1, "FILE_001")
    assert (tmp_path / "theirs.md").read_text() == "theirs"


def test_a_mistake_the_user_calls_repeated_is_a_candidate_for_a_lesson(
    cli: Cli, tmp_path: Path
) -> None:
    """S1: shown in the user's words, written only when somebody says so."""
    transcript = tmp_path / "t.jsonl"
    told = "I told you already: use pnpm, not npm."
    said = {"type": "text", "text": "Sorry, pnpm it is."}
    transcript.write_bytes(raw(user(told, 1), agent(said, number=2)))
    words = ("memory", "lessons", "--transcript", str(transcript))

    shown = cli(*words)
    listed = cli(*words, "--json").json
    untouched = list(cli.project.iterdir())
    cli("memory", "lessons", "add", told)

    assert shown.out == f"lessons (0)\ncandidates (1)\n  {told}\n"
    assert listed["candidates"] == [told]
    assert untouched == []
    assert told in (cli.project / "tasks" / "lessons.md").read_text()
    assert "candidates" not in cli(*words).out
