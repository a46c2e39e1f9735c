"""`holdfast stats`: the numbers of a project, for people and as JSON."""

from pathlib import Path

import apsw

from tests.e2e.conftest import SESSION, Cli, on_a_terminal
from tests.past import PastDisk, asked, edited


def test_the_numbers_are_those_of_the_transcript(cli: Cli) -> None:
    """Counted by hand in the sample; nothing is made up."""
    saved = cli.save("--title", "Here")["checkpoint"]["session_state"]

    answer = cli("stats", "--json").json

    totals = answer["totals"]
    assert answer["type"] == "stats"
    assert (totals["sessions"], totals["checkpoints"]) == (1, 1)
    assert totals["messages"] == saved["message_count"]
    assert totals["prompts"] == saved["prompts"] > 0
    assert totals["tokens"]["output"] == saved["spent"]["output_tokens"] > 0
    assert totals["cost_usd"] is None
    assert totals["unknown"]["cost"] == 1
    (day,) = answer["days"]
    assert day["checkpoints"] == 1
    assert [one["project"] for one in answer["projects"]] == [str(cli.project)]
    assert [one["agent"] for one in answer["agents"]] == ["claude-code"]
    own = answer["holdfast"]
    assert own["saves"] == 1
    assert own["disk_bytes"] > own["record_bytes"] > 1_000


def test_a_session_of_the_past_met_what_failed_in_it(cli: Cli, tmp_path: Path) -> None:
    """It is kept once, at its end, when all is mended."""
    fails = edited("a.py")
    fails[1]["message"]["content"][0] |= {"is_error": True, "content": "Error: no room"}
    PastDisk(tmp_path / "claude", str(cli.project)).write(
        1, asked("write it"), fails, edited("a.py"), asked("and polish it")
    )
    cli("backfill")

    totals = cli("stats", "--json").json["totals"]

    assert (totals["checkpoints"], totals["errors"]) == (1, 1)


def test_people_read_lines_and_bars(cli: Cli) -> None:
    """In a pipe without colour, on a terminal with it."""
    cli.save("--title", "Here")

    told = cli("stats").out
    seen = on_a_terminal(cli, "stats", PAGER="cat", LANG="C.UTF-8")

    assert told.startswith("sessions    1, ")
    assert "checkpoints 1: 1 by hand" in told
    assert "cost        unknown" in told
    assert "█" in told
    assert "\x1b" not in told
    assert b"\x1b[1mholdfast's own" in seen


def test_a_locale_without_unicode_gets_ascii_bars(cli: Cli) -> None:
    """The same numbers."""
    cli.save("--title", "Here")
    seen = on_a_terminal(cli, "stats", PAGER="cat", LC_ALL="C", NO_COLOR="1").decode()

    assert "####" in seen
    assert "█" not in seen


def test_without_checkpoints_it_says_what_to_do(cli: Cli, tmp_path: Path) -> None:
    """No store, and none of this project."""
    nothing = cli("stats")
    assert (nothing.status, "holdfast save" in nothing.err) == (10, True)

    cli.save("--title", "Here")
    elsewhere = Cli(cli.home, tmp_path / "other", cli.capsys)
    elsewhere.project.mkdir()
    empty = elsewhere("stats")
    assert (empty.status, empty.out) == (0, "")
    assert "--all" in empty.err
    assert elsewhere("stats", "--json").json["totals"]["checkpoints"] == 0
    assert elsewhere("stats", "--json", "--all").json["totals"]["checkpoints"] == 1


def test_two_projects_are_counted_apart(cli: Cli, tmp_path: Path) -> None:
    """And together with `--all`."""
    other = Cli(cli.home, tmp_path / "kelp-forest", cli.capsys)
    other.project.mkdir()
    cli.save("--title", "Banana")
    other.save("--title", "Kelp", "--session", SESSION)

    assert cli("stats", "--json").json["totals"]["checkpoints"] == 1
    assert "kelp-forest" in cli("stats", "--all").out
    assert "kelp-forest" not in cli("stats").out


def test_a_damaged_record_is_not_counted_and_said(cli: Cli) -> None:
    """Numbers that cannot be trusted are none; what to do is told."""
    cli.save("--title", "One")
    cli.save("--title", "Two")
    damage = apsw.Connection(str(cli.home / "holdfast.db"))
    damage.execute("UPDATE checkpoint SET body = '{' || body WHERE number = 1")
    damage.close()

    ran = cli("stats")

    assert ran.status == 0
    assert "checkpoints 1: " in ran.out
    assert "1 record is damaged and not counted" in ran.err
    assert "holdfast doctor --repair" in ran.err
    assert cli("stats", "--json").json["damaged"] == 1
