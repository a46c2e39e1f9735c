"""Blame on made-up histories: no line is given to the wrong prompt, and few are unknown."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.blame_histories import History, tell
from tests.unit.app.blame_backends import MemoryHistory

_FOUND = 0.95  # of the lines that agents made


def in_memory(place: Path, seed: int, *, opaque: bool = False) -> Counter[str]:
    """Let a history happen, ask, and count what the answers are worth."""
    root = place / "project"
    root.mkdir(parents=True)
    slug = re.sub(r"[^a-zA-Z0-9]", "-", str(root))
    transcripts = place / "claude" / "projects" / slug
    transcripts.mkdir(parents=True)
    backend = MemoryHistory(root, transcripts)
    history = tell(seed, backend, opaque=opaque)
    return judged(history, backend) if history.path.exists() else Counter()


def judged(history: History, backend: MemoryHistory) -> Counter[str]:
    found = backend.blame(history.name).lines
    assert [line.text for line in found] == [line.text for line in history.lines]
    worth: Counter[str] = Counter()
    for answer, truth in zip(found, history.lines, strict=True):
        origin = answer.origin
        said = origin.by
        if said == "agent" and origin.step is not None:
            is_right = (truth.by, truth.prompt) == ("agent", origin.step.prompt.text)
        else:
            is_right = said in ("unknown", truth.by)
        worth["right" if is_right else f"wrong: {answer.text}"] += 1
        worth[f"{truth.by} {said}"] += 1
    return worth


def _all(place: Path, seeds: Iterable[int], *, opaque: bool = False) -> Counter[str]:
    worth: Counter[str] = Counter()
    for seed in seeds:
        worth += in_memory(place / str(seed), seed, opaque=opaque)
    return worth


def _wrong(worth: Counter[str]) -> list[str]:
    return [what for what in worth if what.startswith("wrong")]


def _share_found(worth: Counter[str]) -> float:
    made = sum(count for what, count in worth.items() if what.startswith("agent "))
    return worth["agent agent"] / made


@pytest.mark.timeout(300)  # a busy machine needs a minute
def test_no_line_is_given_to_the_wrong_prompt(tmp_path: Path) -> None:
    """Edits, writes, shell, formatters, renames, reverts, merges, and hands in between."""
    worth = _all(tmp_path, range(80))

    assert _wrong(worth) == []
    assert _share_found(worth) >= _FOUND
    assert worth["user user"] > 0


@pytest.mark.timeout(300)
def test_what_a_command_does_not_tell_is_nobodys(tmp_path: Path) -> None:
    """A script writes lines while a person may type: neither is named for them."""
    worth = _all(tmp_path, range(500, 530), opaque=True)

    assert _wrong(worth) == []
    assert worth["agent unknown"] > 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_line_is_given_to_the_wrong_prompt_in_many_histories(tmp_path: Path) -> None:
    """The same, at length."""
    worth = _all(tmp_path, range(1_000))
    opaque = _all(tmp_path / "opaque", range(1_000, 1_400), opaque=True)

    assert _wrong(worth + opaque) == []
    assert _share_found(worth) >= _FOUND
