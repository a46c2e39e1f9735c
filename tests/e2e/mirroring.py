"""What tests with real mirrors share: set one up, wait for the background, save aloud."""

import json
import os

from holdfast.bootstrap import sync_process
from tests.e2e.conftest import Cli, Ran
from tests.e2e.work import SESSION

MEM, GRAPH = "claude-mem", "memora"
LONG = 600.0  # seconds; ended by an answer, however busy the machine is


def set_up(cli: Cli, *settings: dict[str, str]) -> None:
    """Let saves go to these mirrors."""
    assert cli("config", "set", "mirrors", json.dumps(settings)).status == 0


def settle() -> None:
    """Wait for what saves have started in the background."""
    while sync_process.started:
        os.waitpid(sync_process.started.pop(), 0)


def saving(cli: Cli, *words: str) -> Ran:
    """Save what the session's transcript says, as a person does."""
    transcript = cli.home.parent / f"{SESSION}.jsonl"
    return cli("save", "--transcript", str(transcript), *words)
