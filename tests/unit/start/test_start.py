"""What a new session is told: the product's table, row by row."""

from dataclasses import replace
from typing import Any

import pytest

from holdfast.start.decision import (
    RULES,
    Situation,
    StartCandidate,
    StartDecision,
    decide,
)

HOUR = 3600
DAY = 24 * HOUR
OPEN = StartCandidate(unfinished=True, age_seconds=HOUR)
DONE = StartCandidate(unfinished=False, age_seconds=HOUR)
CRASHED = replace(OPEN, crashed=True)


def at(source: str, candidate: StartCandidate | None = None, **more: Any) -> Situation:
    return Situation(source=source, candidate=candidate, **more)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        # startup
        pytest.param(at("startup"), ("nothing", "no-candidate"), id="nothing to continue"),
        pytest.param(at("startup", OPEN), ("short", "unfinished"), id="unfinished: the short brief"),
        pytest.param(at("startup", DONE), ("card", "finished"), id="finished today: the card"),
        pytest.param(
            at("startup", replace(OPEN, age_seconds=14 * DAY)),
            ("short", "unfinished"),
            id="unfinished for 14 days: still the short brief",
        ),
        pytest.param(
            at("startup", replace(OPEN, age_seconds=14 * DAY + 1)),
            ("nothing", "too-old"),
            id="unfinished for longer: silence",
        ),
        pytest.param(
            at("startup", replace(DONE, age_seconds=DAY)),
            ("card", "finished"),
            id="finished a day ago: still the card",
        ),
        pytest.param(
            at("startup", replace(DONE, age_seconds=DAY + 1)),
            ("nothing", "too-old"),
            id="finished before yesterday: silence",
        ),
        pytest.param(at("startup", CRASHED), ("brief", "crashed"), id="crash: the brief at once"),
        pytest.param(
            at("startup", replace(CRASHED, age_seconds=2 * HOUR + 1)),
            ("short", "unfinished"),
            id="an old crash: the short brief",
        ),
        pytest.param(
            at("startup", replace(CRASHED, unfinished=False)),
            ("card", "finished"),
            id="a crash after the work was done: the card",
        ),
        pytest.param(
            at("startup", replace(CRASHED, branch="differs")),
            ("card", "branch-differs"),
            id="a crash on another branch: the card",
        ),
        # clear
        pytest.param(at("clear", OPEN), ("brief", "cleared-unfinished"), id="clear, unfinished"),
        pytest.param(at("clear", DONE), ("card", "cleared-finished"), id="clear, finished"),
        pytest.param(at("clear"), ("nothing", "no-candidate"), id="clear of nothing"),
        pytest.param(
            at("clear", replace(OPEN, age_seconds=20 * DAY)),
            ("nothing", "too-old"),
            id="clear of an empty session whose candidate is old",
        ),
        pytest.param(
            at("clear", OPEN, asks_at_clear=True), ("card", "prompt"), id="clear asks first"
        ),
        # reserve, whatever the source
        pytest.param(
            at("clear", replace(OPEN, branch="differs")),
            ("card", "branch-differs"),
            id="the branch differs",
        ),
        pytest.param(
            at("clear", replace(OPEN, branch="merged")),
            ("card", "branch-merged"),
            id="the branch is merged",
        ),
        pytest.param(
            at("clear", replace(OPEN, branch="gone")),
            ("card", "branch-gone"),
            id="the branch is gone",
        ),
        pytest.param(
            at("startup", replace(CRASHED, is_alive=True)),
            ("card", "alive-elsewhere"),
            id="the session runs in another window",
        ),
        pytest.param(
            at("clear", replace(OPEN, is_delivered=True)),
            ("card", "delivered-elsewhere"),
            id="its brief went to another session",
        ),
        pytest.param(
            at("startup", replace(CRASHED, is_here=False)),
            ("card", "elsewhere"),
            id="another worktree or a sibling directory",
        ),
        pytest.param(
            at("clear", replace(OPEN, is_delivered=True), mode="prompt"),
            ("card", "prompt"),
            id="asking comes before every reserve",
        ),
        # what it could be told of is not saved yet
        pytest.param(at("clear", OPEN, is_late=True), ("nothing", "late"), id="late clear"),
        pytest.param(at("startup", is_late=True), ("nothing", "late"), id="late rescue"),
        pytest.param(
            at("clear", OPEN, is_late=True, mode="always"),
            ("nothing", "late"),
            id="always waits, too",
        ),
        # compact, resume, fork
        pytest.param(at("compact"), ("lost", "compaction"), id="compaction"),
        pytest.param(
            at("compact", is_boundary_told=True),
            ("nothing", "compaction-already-told"),
            id="not twice for one boundary",
        ),
        pytest.param(at("resume", OPEN), ("nothing", "resumed"), id="resume"),
        pytest.param(
            at("resume", OPEN, has_drift=True),
            ("drift", "resumed-files-changed"),
            id="resume after files changed",
        ),
        pytest.param(at("fork", OPEN), ("nothing", "fork"), id="fork"),
        pytest.param(at("teleport", OPEN), ("nothing", "unknown-source"), id="unknown source"),
        pytest.param(at("", OPEN), ("nothing", "unknown-source"), id="no source at all"),
        # settings and switches
        pytest.param(at("startup", DONE, mode="always"), ("brief", "always"), id="always"),
        pytest.param(
            at("startup", replace(OPEN, branch="differs", age_seconds=30 * DAY), mode="always"),
            ("brief", "always"),
            id="always means always",
        ),
        pytest.param(
            at("startup", replace(OPEN, is_here=False), mode="always"),
            ("card", "elsewhere"),
            id="always stays in the worktree",
        ),
        pytest.param(at("startup", CRASHED, mode="prompt"), ("card", "prompt"), id="prompt: a crash"),
        pytest.param(at("clear", OPEN, mode="prompt"), ("card", "prompt"), id="prompt: a clear"),
        pytest.param(
            at("compact", mode="prompt"), ("lost", "compaction"), id="prompt: same conversation"
        ),
        pytest.param(at("clear", OPEN, mode=False), ("nothing", "resume-is-false"), id="false"),
        pytest.param(at("compact", mode=False), ("nothing", "resume-is-false"), id="false: compact"),
        pytest.param(at("clear", OPEN, is_off=True), ("nothing", "switched-off"), id="off"),
        pytest.param(at("startup", CRASHED, is_fresh=True), ("nothing", "fresh"), id="fresh"),
        pytest.param(
            at("compact", is_fresh=True), ("lost", "compaction"), id="fresh is for new sessions"
        ),
        pytest.param(
            at("clear", OPEN, is_fresh=True), ("nothing", "fresh"), id="fresh after a clear"
        ),
        pytest.param(
            at("resume", OPEN, is_fresh=True, has_drift=True),
            ("drift", "resumed-files-changed"),
            id="fresh is not spent by a resume",
        ),
        # nobody there
        pytest.param(
            at("startup", CRASHED, is_headless=True), ("nothing", "headless"), id="headless start"
        ),
        pytest.param(
            at("resume", OPEN, is_headless=True, has_drift=True),
            ("nothing", "headless"),
            id="headless resume",
        ),
        pytest.param(
            at("clear", OPEN, is_headless=True),
            ("brief", "cleared-unfinished"),
            id="a clear inside a headless process",
        ),
        pytest.param(
            at("compact", is_headless=True),
            ("lost", "compaction"),
            id="a compaction inside a headless process",
        ),
    ],
)  # fmt: skip
def test_the_situation_decides_what_is_told(
    now: Situation, told: tuple[Any, str]
) -> None:
    """One table in the product's words; each row names the rule that wins."""
    assert decide(now) == StartDecision(*told)
    assert told[1] in RULES


def test_only_places_next_door_want_the_checkpoint_named() -> None:
    """Worktrees, windows and siblings do not get each other's brief by a phrase, nor
    does whoever wanted a clean start."""
    named = {rule for rule in RULES if StartDecision("card", rule).wants == "naming"}

    assert named == {"elsewhere", "alive-elsewhere", "fresh"}
    assert StartDecision("card", "prompt").wants == "answering"
