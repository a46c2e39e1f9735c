"""From lines to events: what each kind of line says about the work.

One `Interpreter` reads one file. It knows no decoder and opens nothing; what it keeps
from line to line is the last place told, the last line's id and the queue of prompts.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from holdfast.agents.claude_code.tools import TOOLS
from holdfast.agents.claude_code.transcript.lines import (
    Attachment,
    Line,
    MessageBlock,
)
from holdfast.agents.claude_code.transcript.messages import acted, noted
from holdfast.agents.claude_code.transcript.prompts import added, said
from holdfast.agents.claude_code.transcript.queued_prompts import Queue, QueueStep
from holdfast.agents.claude_code.transcript.results import (
    files_listed,
    names_written,
    returned,
    text_of,
    written,
)
from holdfast.agents.claude_code.transcript.speakers import (
    is_typed_midway,
    not_from_user,
)
from holdfast.agents.redact_events import CONTEXT, DETAIL, SUMMARY, Cleaner
from holdfast.domain.event import (
    EDITING,
    ContextAdded,
    Event,
    Listed,
    Located,
    Origin,
    Passed,
    Planned,
    Summarised,
    Titled,
    Unrecognised,
    UserSaid,
    Wrote,
)
from holdfast.kernel.clock import parse_iso

# Lines that say nothing about the work. A `summary` is the title of some session, but
# mostly of another one (72 of 92 in 71 transcripts name a line that is not in the file).
_SILENT = frozenset(
    [
        "progress", "file-history-snapshot", "summary", "mode", "permission-mode",
        "last-prompt", "agent-name", "agent-color", "agent-setting", "pr-link", "tag",
        "task-summary", "worktree-state", "content-replacement", "attribution-snapshot",
    ]
)  # fmt: skip
_HOOK_TEXTS = ("hook_additional_context", "hook_blocking_error")
_MOST_WRITTEN, _MOST_SEARCHES = 16, 16
_MINUTE = len("2026-11-15T19:41:")
_MOMENT = len("2026-11-15T19:41:39.677Z")

Earlier = Callable[[], Iterable[Line]]


# A fifth of the lines of older clients. Their links are not needed: a rewind to one is
# seen by the parent it shares with the prompt it takes back.
_PROGRESS = (Passed("progress"),)


class Interpreter:
    """Reads the lines of one file in order: the main one, or a sub-agent's."""

    def __init__(
        self, clean: Cleaner, *, agent: str = "", earlier: Earlier | None = None
    ) -> None:
        """Begin where `earlier` ends.

        It gives the lines before this pass that concern the queue, and the last one
        with an id; it is asked only when an answer depends on them.
        """
        self._clean = clean
        self._agent = agent
        self._earlier = earlier
        self._queue = Queue(self._steps_before if earlier else None)
        self._place: tuple[object, ...] = ()
        self._raw_last = self._last = ""  # of any line: mostly the next one's parent
        self._leaf = ""  # of the main chain
        self._leaf_before = ""
        # What was read last; most of it is never looked at.
        self._written: deque[tuple[str | None, str]] = deque(maxlen=_MOST_WRITTEN)
        self._searches: deque[tuple[str | None, object]] = deque(maxlen=_MOST_SEARCHES)
        self._minute = ""
        self._minute_ms = 0
        self._readers: dict[str | None, Callable[[Line, Origin], Sequence[Event]]] = {
            **dict.fromkeys(_SILENT, _passed),
            "assistant": self._assistant,
            "user": self._user,
            "system": self._system,
            "attachment": self._attachment,
            "queue-operation": self._queue_operation,
            "custom-title": self._titled,
            "ai-title": self._titled,
        }

    def events(self, line: Line) -> Sequence[Event]:
        """Return what a line says: at least one event, so that every line is counted."""
        if line.type == "progress":
            return _PROGRESS
        read = self._readers.get(line.type, self._unknown)
        if line.uuid is None:
            return read(line, Origin("", None, self._moment(line.at), self._agent))
        identifier = self._clean.identifier
        # After a compaction the chain goes on under another name.
        parent = line.parent or line.logical_parent
        after = self._last if parent == self._raw_last else identifier(parent) or None
        uuid = identifier(line.uuid)
        self._raw_last, self._last = line.uuid, uuid
        agent = self._agent
        if not agent and line.is_side is True:
            agent = identifier(line.agent_id) or "sidechain"
        told = read(line, Origin(uuid, after, self._moment(line.at), agent))
        if agent:
            return told
        self._leaf = uuid
        place = (line.session_id, line.cwd, line.branch, line.version, line.entrypoint)
        if place == self._place or line.cwd is None:
            return told
        self._place = place
        return (self._located(line), *told)

    def at_hand(self) -> list[Event]:
        """Return the names written last, and the files that were found last."""
        clean = self._clean
        named = (
            (clean.identifier(call_id), names_written(text, clean))
            for call_id, text in self._written
        )
        listed = (
            (clean.identifier(call_id), clean.output(files_listed(text_of(content))))
            for call_id, content in self._searches
        )
        return [
            *(Wrote(call_id, names) for call_id, names in named if names),
            *(Listed(call_id, paths) for call_id, paths in listed if paths),
        ]

    def _unknown(self, line: Line, origin: Origin) -> Sequence[Event]:
        unknown = Unrecognised(self._clean.names[line.type] or "no-type")
        return (unknown, Passed("unrecognised", origin)) if origin.uuid else (unknown,)

    def _located(self, line: Line) -> Located:
        clean = self._clean
        return Located(
            clean.identifier(line.session_id),
            clean.places[line.cwd],
            clean.names[line.branch],
            clean.names[line.version],
            clean.names[line.entrypoint],
        )

    def _moment(self, at: str | None) -> int:
        """Return Unix ms; lines follow each other closely, so minutes come again."""
        if at is None:
            return 0
        if len(at) != _MOMENT or at[19] != ".":
            return parse_iso(at)
        if at[:_MINUTE] != self._minute:
            self._minute = at[:_MINUTE]
            self._minute_ms = parse_iso(self._minute + "00.000Z")
        seconds = at[17:19] + at[20:23]
        if not seconds.isdecimal() or not self._minute_ms:
            return parse_iso(at)
        return self._minute_ms + int(seconds)

    def _assistant(self, line: Line, origin: Origin) -> Sequence[Event]:
        content = line.message.content if line.message else None
        if not origin.agent and isinstance(content, list):
            for block in content:
                if block.name and TOOLS.role_of(block.name) in EDITING:
                    self._written.append((block.id, written(block.input)))
        return acted(line, origin, self._clean)

    def _user(self, line: Line, origin: Origin) -> Sequence[Event]:
        content = line.message.content if line.message else None
        if isinstance(content, list):
            if len(content) == 1 and content[0].type == "tool_result":
                if not origin.agent:
                    self._remember(content[0], line.result)
                return (returned(content[0], line.result, origin, self._clean),)
            if any(block.type == "tool_result" for block in content):
                return self._answered(line, content, origin)
        texts = _texts(content)
        if line.is_summary is True and not origin.agent:
            text = "\n".join(texts)
            return (Summarised(origin, self._clean.text(text, SUMMARY), len(text)),)
        if kind := not_from_user(line, origin.agent):
            events = added(texts, kind, origin, self._clean)
        elif (step := _step(line)) and not self._queue.words(step):
            events = [Passed("queued-prompt", origin)]
        else:
            events = said(texts, origin, self._clean)
        return events or (Passed("user", origin),)

    def _remember(self, answer: MessageBlock, result: object) -> None:
        if getattr(result, "files_found", None) is not None:
            self._searches.append((answer.call_id, answer.content))

    def _answered(
        self, line: Line, content: list[MessageBlock], origin: Origin
    ) -> Sequence[Event]:
        """What stands beside a tool's answer may come from the tool: not the user's,
        but for the words that they allowed the call with."""
        results = [block for block in content if block.type == "tool_result"]
        result = line.result if len(results) == 1 else None
        texts = _texts(content)
        if _is_allowed_with_words(line, content) and not not_from_user(
            line, origin.agent
        ):
            beside = said(texts, origin, self._clean)
        else:
            beside = added(texts, "beside-result", origin, self._clean)
        return (*(returned(b, result, origin, self._clean) for b in results), *beside)

    def _system(self, line: Line, origin: Origin) -> Sequence[Event]:
        return noted(line, origin, self._clean)

    def _attachment(self, line: Line, origin: Origin) -> Sequence[Event]:
        attachment = line.attachment or Attachment()
        clean = self._clean
        if attachment.type == "queued_command":
            events = self._heard_midway(line, origin)
            return events or (Passed("attachment/queued_command", origin),)
        if attachment.type == "plan_mode" and attachment.plan_path:
            return (Planned(origin, clean.places[attachment.plan_path]),)
        if attachment.type in _HOOK_TEXTS:
            text = clean.text(text_of(attachment.content), CONTEXT)
            return (ContextAdded(origin, "hook", text),)
        return (Passed(f"attachment/{clean.names[attachment.type]}", origin),)

    def _heard_midway(self, line: Line, origin: Origin) -> Sequence[Event]:
        step = _step(line)
        if step is None or origin.agent:
            text = text_of(line.attachment.prompt if line.attachment else None)
            return added([text], "notification", origin, self._clean)
        return self._heard(step, origin)

    def _queue_operation(self, line: Line, origin: Origin) -> Sequence[Event]:
        step = _step(line)
        events = self._heard(step, origin) if step and not origin.agent else ()
        return events or (Passed("queue-operation"),)

    def _heard(self, step: QueueStep, origin: Origin) -> Sequence[Event]:
        """Return the prompt that the agent hears in mid-turn by this step, if any."""
        words = self._queue.words(step)
        if not origin.uuid:
            # The line has no id: the words were heard after the last one that has.
            leaf = self._leaf or self._leaf_before
            origin = Origin(leaf, leaf or None, origin.at)
        return [
            event._replace(midway=True) if isinstance(event, UserSaid) else event
            for event in said([words], origin, self._clean)
        ]

    def _steps_before(self) -> Iterator[QueueStep]:
        for line in self._earlier() if self._earlier else ():
            if line.uuid is not None and line.is_side is not True:
                self._leaf_before = self._clean.identifier(line.uuid)
            if step := _step(line):
                yield step

    def _titled(self, line: Line, origin: Origin) -> Sequence[Event]:
        title = line.custom_title if line.type == "custom-title" else line.own_title
        if title is None:
            return (Passed("title", origin if origin.uuid else None),)
        return (Titled(self._clean.text(title, DETAIL)),)


def _passed(line: Line, origin: Origin) -> Sequence[Event]:
    return (Passed(line.type or "", origin if origin.uuid else None),)


def _is_allowed_with_words(line: Line, content: list[MessageBlock]) -> bool:
    """Say whether a line is an answer and what the user typed to allow its call.

    The client writes these words as one text behind the only answer, and nothing else
    there but pictures. What an edit or a shell command gives back is inside the answer;
    behind those of others the client puts words of its own.
    """
    answer, *behind = content
    kinds = [block.type for block in behind]
    return (
        answer.type == "tool_result"
        and answer.is_error is not True
        and not (line.result is None or isinstance(line.result, (str, list)))
        and (isinstance(line.result.patch, list) or line.result.stderr is not None)
        and kinds[:1] == ["text"]
        and set(kinds[1:]) <= {"image"}
    )


def _texts(content: str | list[MessageBlock] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [
        block.text
        for block in content or ()
        if block.type == "text" and block.text is not None
    ]


def _step(line: Line) -> QueueStep | None:
    """Return what a line means for the queue of prompts, if anything."""
    if line.is_side is True:
        return None
    if line.type == "queue-operation":
        is_heard = line.reason in (None, "absorbed_mid_turn")
        operation = line.operation or ""
        if operation == "remove" and not is_heard:
            operation = "dropped"
        return QueueStep(operation, text_of(line.content))
    if (
        line.type == "attachment"
        and line.attachment
        and is_typed_midway(line.attachment)
    ):
        return QueueStep("heard", text_of(line.attachment.prompt))
    is_queued = line.type == "user" and line.prompt_source == "queued"
    if is_queued and line.message and not not_from_user(line, ""):
        return QueueStep("line", "\n".join(_texts(line.message.content)))
    return None
