"""The rules for words that are written without a store: errors, logs, reports."""

import json
from pathlib import Path

import pytest

from holdfast.bootstrap import Container
from holdfast.bootstrap.bug_reports import keep_bug_report
from holdfast.bootstrap.redacting import redactor_for_words
from tests.secret_lines import Line, vectors

TOKEN = "ghp_" + "a1B2c3D4e5" * 4
OWN = "ACM-walrus-7"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "HOLDFAST_HOME": str(tmp_path / "holdfast")}


def settle(environ: dict[str, str], text: str) -> None:
    path = Path(environ["HOME"]) / ".config" / "holdfast" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def settings(**redaction: list[str]) -> str:
    return json.dumps({"redaction": redaction})


def test_a_report_of_a_bug_follows_the_users_own_rules(environ: dict[str, str]) -> None:
    """A traceback quotes whatever was at hand, and reports are pasted into issues."""
    settle(environ, settings(rules=["ACM-*"]))

    path = keep_bug_report(ValueError(f"{TOKEN} and {OWN}"), environ)

    assert path is not None
    said = Path(path).read_text(encoding="utf-8")
    assert "[redacted:github:" in said
    assert "[redacted:own:" in said
    assert not {TOKEN, OWN} & set(said.split())


def test_what_goes_wrong_in_one_place_is_reported_once_a_day(
    environ: dict[str, str],
) -> None:
    """Whoever can bring a bug about can do so a thousand times; the disk is ours."""

    def reported(wrong: str, times: int = 1) -> str | None:
        try:
            return reported(wrong, times - 1) if times > 1 else str(int(wrong))
        except ValueError as problem:
            return keep_bug_report(problem, environ)

    def elsewhere() -> str | None:
        try:
            return str(int("y"))
        except ValueError as problem:
            return keep_bug_report(problem, environ)

    first = {reported(f"x{number}", number) for number in range(1, 9)}
    other = elsewhere()

    kept = {str(path) for path in Path(environ["HOLDFAST_HOME"], "log").iterdir()}
    assert len(first) == 1
    assert kept == {*first, other}


def test_the_log_of_hooks_follows_the_users_own_rules(environ: dict[str, str]) -> None:
    """It stays for weeks, and `doctor` tells people to look at it."""
    settle(environ, settings(rules=["ACM-*"]))

    Container(environ=environ, project=environ["HOME"], tolerant=True).log_hook(
        "Stop", OWN
    )

    said = (Path(environ["HOLDFAST_HOME"]) / "log" / "hook.log").read_text()
    assert "[redacted:own:" in said
    assert OWN not in said


def test_what_is_told_in_lower_case_is_found_by_the_same_rule(
    environ: dict[str, str],
) -> None:
    """References and names are lowered before an error repeats them."""
    settle(environ, settings(rules=["ACM-*"]))

    said = redactor_for_words(environ).text(f"there is no `{OWN.lower()}`")

    assert OWN.lower() not in said


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{", id="settings that cannot be read"),
        pytest.param(settings(rules=["*"]), id="a rule that is none"),
        pytest.param(
            settings(allow=["ghp_*"]), id="an allow list, which may be planted"
        ),
    ],
)
def test_nothing_in_the_settings_weakens_what_words_pass(
    environ: dict[str, str], text: str
) -> None:
    """Where they are looked for is a variable, and a repository can set those."""
    settle(environ, text)

    assert TOKEN not in redactor_for_words(environ).text(TOKEN)


@pytest.mark.parametrize("line", vectors("listed.txt"), ids=lambda line: line.group)
def test_no_branch_carries_a_token_past_the_rules(
    environ: dict[str, str], tmp_path: Path, line: Line
) -> None:
    """A hook leaves the rules unloaded for plain names: no token may look like one."""
    container = Container(environ=environ, project=str(tmp_path))

    for name in (line.value, f"fix/{line.value}", line.text):
        assert container.redact_name(name) == container.redactor.text(name)


@pytest.mark.parametrize(
    "token",
    ["glpat-Ab1xY-cd2efghZ3ij4kl", "sk-ant-api03-Ab1-Cd2-Ef3-Gh4-Ij5-Kl6-Mn7-Op8"],
)
def test_a_token_of_short_runs_is_none_the_less_one(
    environ: dict[str, str], tmp_path: Path, token: str
) -> None:
    """Its separators break what a quick look takes for a word."""
    container = Container(environ=environ, project=str(tmp_path))

    assert token not in container.redact_name(f"fix/{token}")
