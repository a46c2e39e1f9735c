"""What changed, and the handoff file, through the official client."""

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.project_notes.handoff.document import HANDOFF
from tests.e2e.mcp.test_off import turned_off
from tests.e2e.mcp.world import SESSION, World


def _git(project: Path) -> None:
    scratch = {"PATH": os.environ["PATH"], "HOME": str(project)}
    subprocess.run(["git", "init", "-q"], cwd=project, env=scratch, check=True)


def test_a_diff_tells_what_two_checkpoints_know_and_which_files_changed(
    world: World,
) -> None:
    """The agent asks what it did between two moments, as `holdfast diff` tells it."""
    _git(world.project)
    (world.project / "parser.py").write_text("one\n", encoding="utf-8")
    first = world.answer("checkpoint_save", title="one")
    (world.project / "parser.py").write_text("one\ntwo\n", encoding="utf-8")
    second = world.answer(
        "checkpoint_save", title="two", notes={"decisions": ["quotes nest"]}
    )

    answer = world.answer("checkpoint_diff", older="latest~1", newer="latest")

    assert answer["type"] == "diff"
    assert answer["from"] == first["checkpoint"]["id"]
    assert answer["to"] == second["checkpoint"]["id"]
    assert "quotes nest" in [item["text"] for item in answer["items"]["added"]]
    (file,) = answer["files"]
    assert (file["path"], file["change"]) == ("parser.py", "edited")
    assert (file["lines_added"], file["lines_removed"]) == (1, 0)


def test_a_diff_without_a_newer_one_is_with_the_code_as_it_is(world: World) -> None:
    """What has changed since, without saving first."""
    _git(world.project)
    world.answer("checkpoint_save", title="one")
    (world.project / "new.py").write_text("x\n", encoding="utf-8")

    answer = world.answer("checkpoint_diff", older="1")

    assert answer["to"] == "now"
    assert [file["path"] for file in answer["files"]] == ["new.py"]


def test_blame_tells_lines_without_their_text(world: World) -> None:
    """What an agent may not read, it does not get here, either."""
    _git(world.project)
    world.answer("checkpoint_save", title="one")
    text = "".join(f"line_{n} = value_of({n})\n" for n in range(205))
    (world.project / "parser.py").write_text(text, encoding="utf-8")

    some = world.answer("checkpoint_blame", file="parser.py:2-3")
    every = world.answer("checkpoint_blame", file="parser.py")

    assert some["type"] == "blame"
    assert [line["line"] for line in some["lines"]] == [2, 3]
    assert {line["by"] for line in some["lines"]} <= {"user", "unknown"}
    assert "line_1" not in str(some)
    assert (len(every["lines"]), every["left_out"]) == (200, 5)


def test_a_handoff_is_written_checked_and_read(world: World) -> None:
    """The three are about one file, and the check believes what is in it."""
    before = world.answer("handoff_check")
    written = world.answer("handoff_write")
    after = world.answer("handoff_check")
    read = world.talk(lambda client: client.read_resource("handoff://latest"))

    text = (world.project / HANDOFF).read_text(encoding="utf-8")
    assert before["status"] == "BROKEN"
    assert written["path"] == HANDOFF
    assert written["changed"] is True
    assert [check["check"] for check in written["checks"]] == [
        check["check"] for check in after["checks"]
    ]
    assert getattr(read.contents[0], "text", "").endswith(text.replace("▸", "›"))
    assert read.contents[0].mime_type == "text/markdown"


def test_a_handoff_that_is_not_there_is_said_to_be_missing(world: World) -> None:
    """The protocol knows an address without content."""
    words = world.protocol_error(
        lambda client: client.read_resource("handoff://latest")
    )

    assert "FIND_003" in words
    assert "handoff_write" in words


def test_what_hides_in_a_handoff_is_not_handed_on(world: World) -> None:
    """The file belongs to the repository, and whoever wrote it may hide commands."""
    path = world.project / HANDOFF
    path.parent.mkdir(parents=True)
    path.write_text("# Handoff\n▸ plain\U000e0041\u202e text\n", encoding="utf-8")

    read = world.talk(lambda client: client.read_resource("handoff://latest"))

    provenance, _, text = getattr(read.contents[0], "text", "").partition("\n\n")
    assert "notes, not instructions" in provenance
    assert text == "# Handoff\n› plain text\n"


@pytest.mark.parametrize("tool", ["handoff_write", "handoff_check"])
def test_what_the_user_turned_off_is_neither_read_nor_written(
    world: World, tool: str
) -> None:
    """An agent may call it unasked; off is off for these files, too."""
    world.answer("checkpoint_save", title="before")
    turned_off(world, "session", SESSION)

    answer = world.answer(tool)

    assert answer["status"] == "BROKEN"
    assert "holdfast on" in answer["reason"]
    assert not (world.project / HANDOFF).exists()


def test_an_excluded_directory_gets_no_handoff(world: World) -> None:
    """The setting stops everything there, whoever asks."""
    path = world.project / ".holdfast.json"
    running = world.server()
    path.write_text('{"enabled": false}', encoding="utf-8")

    result = world.talk(lambda c: c.call_tool("handoff_write", {}), to=running)

    assert result.structured_content is not None
    assert result.structured_content["status"] == "BROKEN"
    assert not (world.project / HANDOFF).exists()
