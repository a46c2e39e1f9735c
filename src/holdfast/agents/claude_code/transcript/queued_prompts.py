"""Prompts that were typed while the agent worked, and what became of them.

A client writes `enqueue` with the text, then one of: `dequeue`, and the prompt follows
as a line of its own; `popAll`, and the user takes it back into the input; `remove`, and
the agent hears it in mid-turn. About the last case older clients write nothing else, so
the queue is the only place where those words are (12 prompts in 71 transcripts). Newer
ones repeat the text in the `remove`, in a `queued_command` attachment before or after
it, or in both. Pure.
"""

from collections import deque
from collections.abc import Callable, Iterable

from holdfast.kernel.lazy_tuples import NamedTuple

_MOST = 64


class QueueStep(NamedTuple):
    """What a line means for the queue.

    Beside the client's own operations: `heard`, the text came as an attachment; `line`,
    a queued prompt came as a line of its own; `dropped`, removed and not heard.
    """

    operation: str
    text: str = ""


_ANSWERED = frozenset(["remove", "heard", "line"])


class Queue:
    """The queue as of a place in the transcript.

    What lies before the pass is looked up only when an answer depends on it, so that a
    transcript gives the same prompts wherever its reading was split.
    """

    def __init__(
        self, earlier: Callable[[], Iterable[QueueStep]] | None = None
    ) -> None:
        self._earlier = earlier
        self._later: list[QueueStep] = []
        self._waiting: deque[str] = deque(maxlen=_MOST)
        self._due: deque[str] = deque(maxlen=_MOST)  # left the queue to be a line
        self._removed: deque[str] = deque(maxlen=_MOST)  # an attachment may follow
        self._attached: deque[str] = deque(maxlen=_MOST)  # a `remove` may follow
        self._heard: deque[str] = deque(maxlen=_MOST)

    def words(self, step: QueueStep) -> str:
        """Return the words that a step brings to the agent for the first time."""
        if self._earlier is not None:
            if step.operation not in _ANSWERED:
                self._later.append(step)
                return ""
            for earlier in (*self._earlier(), *self._later):
                self._taken(earlier)
            self._earlier = None
            self._later.clear()
        return self._taken(step)

    def _taken(self, step: QueueStep) -> str:
        operation, text = step
        if operation in _ANSWERED:
            return self._answer(operation, text)
        if operation == "enqueue":
            self._waiting.append(text)
        elif operation == "popAll":
            self._waiting.clear()
        elif operation == "dequeue":
            self._due.append(self._leave(text))
        elif operation == "dropped":
            self._leave(text)
        return ""

    def _answer(self, operation: str, text: str) -> str:
        if operation == "line":
            is_repeat = not _drop(self._due, text) and _drop(self._heard, text)
            return "" if is_repeat else text
        if operation == "heard":
            return self._first_time(self._leave(text), self._removed, self._attached)
        if not text and self._attached:  # the `remove` of what an attachment told
            self._attached.popleft()
            return ""
        return self._first_time(self._leave(text), self._attached, self._removed)

    def _leave(self, text: str) -> str:
        """Take a prompt out of the queue: the one named, or else the oldest."""
        if text:
            _drop(self._waiting, text)
            return text
        return self._waiting.popleft() if self._waiting else ""

    def _first_time(self, text: str, told: deque[str], tell: deque[str]) -> str:
        if not text or _drop(told, text):
            return ""
        tell.append(text)
        self._heard.append(text)
        return text


def _drop(texts: deque[str], text: str) -> bool:
    if text not in texts:
        return False
    texts.remove(text)
    return True
