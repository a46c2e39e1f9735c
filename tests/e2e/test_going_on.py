"""A session that resumes a checkpoint by hand goes on from it (B5)."""

import os

import pytest

from holdfast.bootstrap import Container
from tests.e2e.conftest import SAMPLES, SESSION, Cli

NEXT = "157e3abc-c05f-483e-89d7-1e9fcee58c4e"
_NEXT_SAMPLE = SAMPLES / "print-tools.jsonl"


def _parent_of(cli: Cli, session: str) -> str | None:
    container = Container(environ=os.environ, project=str(cli.project))
    try:
        record = container.store().session(session)
        return record.parent_session if record else None
    finally:
        container.close()


def _resume_in(
    session: str, cli: Cli, monkeypatch: pytest.MonkeyPatch, *words: str
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)
    ran = cli("resume", *words)
    assert ran.status == 0, ran


def test_the_skills_resume_makes_the_session_a_child(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a child inherits what is open, and so the next `/clear` keeps it."""
    cli.save()

    _resume_in(NEXT, cli, monkeypatch, "--consume")

    assert _parent_of(cli, NEXT) == SESSION


def test_what_was_left_open_is_in_the_next_checkpoint(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The point of being a child: the user's rules come along, with their origin."""
    first = cli.save()["checkpoint"]
    _resume_in(NEXT, cli, monkeypatch, "--consume")

    second = cli.save("--session", NEXT, transcript=_NEXT_SAMPLE)["checkpoint"]

    origins = {file.get("from") for file in second["content"]["files_referenced"]}
    assert second["relations"]["parent_session"] == SESSION
    assert first["id"] in origins


def test_only_reading_links_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """`holdfast resume` without `--consume` is a look, not a beginning."""
    cli.save()

    _resume_in(NEXT, cli, monkeypatch)

    assert _parent_of(cli, NEXT) is None


@pytest.mark.parametrize(
    ("own", "parent"),
    [
        pytest.param(SESSION, NEXT, id="its own session"),
        pytest.param(None, NEXT, id="a session that nothing names"),
        pytest.param("0" * 8 + SESSION[8:], None, id="another session"),
    ],
)
def test_a_shell_names_the_parent_of_its_own_session_only(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, own: str | None, parent: str | None
) -> None:
    """B4 sets it in each session's shell; an old session is saved from there, too."""
    monkeypatch.setenv("CLAUDE_SESSION_PARENT", NEXT)
    if own:
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", own)

    saved = cli.save("--session", SESSION)["checkpoint"]

    assert saved["relations"]["parent_session"] == parent


def test_a_family_never_becomes_a_ring(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first session that looks at its child's checkpoint stays the first."""
    cli.save()
    _resume_in(NEXT, cli, monkeypatch, "--consume")
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    cli.save("--session", NEXT, transcript=_NEXT_SAMPLE)

    _resume_in(SESSION, cli, monkeypatch, "2", "--consume")

    assert _parent_of(cli, SESSION) is None
