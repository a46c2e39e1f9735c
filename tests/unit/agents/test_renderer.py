"""Which way the client draws, as far as its variables, settings and state tell."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.claude_code.wiring.screen_mode import draws_lines, may_lose_lines

PID = 4711
VERSION = "2.1.325"
CONTROL = {"TMUX": "/run/tmux/default,1,0", "TERM_PROGRAM": "iTerm.app"}
STRIKE = {"fullscreenBootStrikes": {"count": 1, "version": VERSION}}
TURNED_OFF = {"fullscreenAutoDisabled": {"version": VERSION, "strikes": 2}}
NEW = {"firstStartTime": "2026-11-01", "firstStartVersion": "2.1.300"}
OLD = {"firstStartTime": "2025-11-01"}
CLASSIC, FULL = {"tui": "default"}, {"tui": "fullscreen"}
LINES, WHOLE = {"CLAUDE_CODE_NO_FLICKER": "0"}, {"CLAUDE_CODE_NO_FLICKER": "1"}
READS_ALOUD = {"axScreenReader": True}


def flags(*, brook: bool | None, creek: bool | None = None) -> dict[str, Any]:
    said = {"tengu_pewter_brook": brook, "tengu_amber_creek": creek, "other": 1}
    return {
        "cachedGrowthBookFeatures": {k: v for k, v in said.items() if v is not None}
    }


def case(name: str, environ: Any = (), settings: Any = (), state: Any = ()) -> Any:
    return pytest.param(dict(environ), dict(settings), dict(state), id=name)


@pytest.mark.parametrize(
    ("environ", "settings", "state"),
    [
        case("a variable", LINES),
        case("a variable in words", {"CLAUDE_CODE_NO_FLICKER": " False "}),
        case("the other variable", {"CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN": "1"}),
        case("a variable goes before the settings", LINES, FULL),
        case("the settings", settings=CLASSIC),
        case("a screen reader by a variable", {"CLAUDE_AX_SCREEN_READER": "1"}),
        case("a screen reader by the settings", WHOLE, READS_ALOUD),
        case("one that was killed", state=STRIKE),
        case("one that was killed goes before the settings", (), FULL, STRIKE),
        case("turned off after two", state=TURNED_OFF),
        case("windows of tmux", {**CONTROL, "TERM": "xterm-256color"}),
        case("a flag", state=flags(brook=False)),
        case("a flag of a new user", state={**NEW, **flags(brook=False)}),
        case("an old installation without flags", state=OLD),
        case("refused three times", state={**NEW, "fullscreenUpsellSeenCount": 3}),
    ],
)
def test_line_after_line(
    environ: dict[str, str], settings: dict[str, Any], state: dict[str, Any]
) -> None:
    """D1: there, what a start says after a clear is not seen."""
    assert draws_lines(environ, settings, state, version=VERSION, pid=PID)


@pytest.mark.parametrize(
    ("environ", "settings", "state"),
    [
        case("nothing is known"),
        case("a new user", state=NEW),
        case("a variable", WHOLE),
        case("a variable goes before the settings", WHOLE, CLASSIC),
        case("a variable goes before one that was killed", WHOLE, (), STRIKE),
        case("a variable that says nothing", {"CLAUDE_CODE_NO_FLICKER": ""}),
        case("the settings", (), FULL, flags(brook=False)),
        case("settings nobody knows", settings={"tui": ["default"]}),
        case("no screen reader", {"CLAUDE_AX_SCREEN_READER": "0"}, READS_ALOUD),
        case("in the background", {**LINES, "CLAUDE_CODE_SESSION_KIND": "bg"}),
        case(
            "another version was killed",
            state={"fullscreenBootStrikes": {"count": 1, "version": "2.1.324"}},
        ),
        case(
            "it tries again after one that was killed",
            state={**STRIKE, "fullscreenBootPending": {str(PID): {}}},
        ),
        case("inside tmux", {**CONTROL, "TERM": "tmux-256color"}),
        case("a flag", state={**OLD, **flags(brook=True)}),
        case("the other flag", state=flags(brook=False, creek=True)),
        case("a flag that is no more", state={**OLD, **flags(brook=None)}),
        case(
            "a state of another form",
            state={
                "fullscreenBootStrikes": [VERSION],
                "fullscreenAutoDisabled": VERSION,
                "cachedGrowthBookFeatures": 1,
                "fullscreenUpsellSeenCount": "3",
            },
        ),
    ],
)
def test_the_whole_screen(
    environ: dict[str, str], settings: dict[str, Any], state: dict[str, Any]
) -> None:
    """Nothing is said twice where it is seen."""
    assert not draws_lines(environ, settings, state, version=VERSION, pid=PID)


TERMINAL = {"AI_AGENT": "claude-code_2-1-325_harness", "CLAUDE_CODE_ENTRYPOINT": "cli"}


def asked(root: Path, **environ: str) -> bool:
    places = (str(root / ".claude"), str(root / "project"))
    return may_lose_lines({**TERMINAL, **environ}, *places, PID)


def put(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


@pytest.mark.parametrize(
    "path",
    [
        ".claude/settings.json",
        "project/.claude/settings.json",
        "project/.claude/settings.local.json",
    ],
)
def test_settings_are_read_where_the_client_reads_them(
    tmp_path: Path, path: str
) -> None:
    """The nearest one decides."""
    put(tmp_path / path, CLASSIC)
    assert asked(tmp_path)

    put(tmp_path / "project/.claude/settings.local.json", FULL)
    assert not asked(tmp_path)


def test_a_repository_turns_no_screen_reader_on(tmp_path: Path) -> None:
    """The client ignores it there as well."""
    put(tmp_path / "project/.claude/settings.json", READS_ALOUD)
    assert not asked(tmp_path)

    put(tmp_path / ".claude/settings.json", READS_ALOUD)
    assert asked(tmp_path)


def test_the_state_lies_beside_the_directory_or_in_a_chosen_one(tmp_path: Path) -> None:
    """`~/.claude.json`, or that name in `CLAUDE_CONFIG_DIR`."""
    put(tmp_path / ".claude.json", STRIKE)
    chosen = str(tmp_path / ".claude")

    assert asked(tmp_path)
    assert not asked(tmp_path, CLAUDE_CONFIG_DIR=chosen)

    put(tmp_path / ".claude" / ".claude.json", STRIKE)
    assert asked(tmp_path, CLAUDE_CONFIG_DIR=chosen)


@pytest.mark.parametrize(
    "environ",
    [
        pytest.param({"AI_AGENT": "claude-code_2-1-197_harness"}, id="draws it always"),
        pytest.param({"AI_AGENT": ""}, id="names no version"),
        pytest.param({"CLAUDE_CODE_ENTRYPOINT": "claude-vscode"}, id="an editor"),
        pytest.param({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, id="a program"),
    ],
)
def test_a_client_that_always_shows_it(tmp_path: Path, environ: dict[str, str]) -> None:
    """However it draws."""
    assert asked(tmp_path, **LINES)
    assert not asked(tmp_path, **LINES, **environ)


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    """A repository may hold a pipe that nobody writes to; a state may be huge."""
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    os.mkfifo(tmp_path / "project/.claude/settings.json")
    (tmp_path / "project/.claude/settings.local.json").write_text("[" * 100_000)
    (tmp_path / ".claude" / "settings.json").mkdir(parents=True)
    put(tmp_path / ".claude.json", {**STRIKE, "projects": "x" * (1 << 20)})

    assert not asked(tmp_path)
