"""The real client as a child process, spoken to in its stream-json mode."""

import json
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

Line = Mapping[str, Any]
_PATIENCE = 60.0  # seconds until a silent client counts as broken
_STREAMING = (
    "-p",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--verbose",
    "--include-hook-events",
)


class ClientSilent(AssertionError):
    """The client ended or said nothing for too long."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the client said from one line of input to its result."""

    lines: tuple[Line, ...]

    @property
    def result(self) -> str:
        return str(self.lines[-1].get("result", ""))

    @property
    def session_id(self) -> str:
        return str(self.lines[-1]["session_id"])

    def hooks(self, event: str) -> tuple[Line, ...]:
        """The answers of every hook of ours that ran at an event in this turn."""
        return tuple(
            line
            for line in self.lines
            if line.get("subtype") == "hook_response" and line["hook_event"] == event
        )

    @property
    def shown(self) -> tuple[str, ...]:
        """The lines that hooks showed to the user."""
        return tuple(filter(None, map(_system_message, self.lines)))


@dataclass(slots=True)
class Conversation:
    """One running client."""

    process: "subprocess.Popen[str]"
    turns: list[Turn] = field(default_factory=list)
    _lines: "queue.SimpleQueue[Line | None]" = field(default_factory=queue.SimpleQueue)

    @property
    def pid(self) -> int:
        return self.process.pid

    def ask(self, text: str) -> Turn:
        """Send one line as the user and wait until the client is done with it."""
        message = {"role": "user", "content": text}
        assert self.process.stdin
        self.process.stdin.write(
            json.dumps({"type": "user", "message": message}) + "\n"
        )
        self.process.stdin.flush()
        turn = Turn(tuple(self._until_result()))
        self.turns.append(turn)
        return turn

    def leave(self) -> int:
        """Close the input, as at the end of a pipe, and wait for the client to exit."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(_PATIENCE)

    def farewell(self) -> Turn:
        """Leave, and return what the client said after the last turn."""
        self.leave()
        return Turn(tuple(iter(lambda: self._lines.get(timeout=_PATIENCE), None)))

    def kill(self) -> None:
        """End the client without any chance to say goodbye."""
        self.process.kill()
        self.process.wait(_PATIENCE)

    def listen(self) -> None:
        """Read the client's output as it comes; ends with the client."""
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _until_result(self) -> Iterator[Line]:
        while True:
            try:
                line = self._lines.get(timeout=_PATIENCE)
            except queue.Empty:
                raise ClientSilent(f"nothing for {_PATIENCE} s") from None
            if line is None:
                raise ClientSilent(f"it ended with {self.process.wait(_PATIENCE)}")
            yield line
            if line["type"] == "result":
                return


@contextmanager
def talking(
    command: Sequence[str], environ: Mapping[str, str], directory: Path
) -> Iterator[Conversation]:
    """Run the client in stream-json mode until the block ends."""
    with subprocess.Popen(
        [*command, *_STREAMING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environ),
        cwd=directory,
        text=True,
        encoding="utf-8",
    ) as process:
        conversation = Conversation(process)
        listener = threading.Thread(target=conversation.listen, daemon=True)
        listener.start()
        try:
            yield conversation
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            listener.join()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Look again and again until something holds that nobody announces."""
    until, pause = monotonic() + _PATIENCE, threading.Event()
    while not holds():
        if monotonic() > until:
            raise ClientSilent(f"waited for {what} in vain")
        pause.wait(0.02)


def _system_message(line: Line) -> str:
    if line.get("subtype") != "hook_response":
        return ""
    try:
        answer = json.loads(line.get("stdout") or "{}")
    except ValueError:
        return ""
    return str(answer.get("systemMessage", "")) if isinstance(answer, dict) else ""
