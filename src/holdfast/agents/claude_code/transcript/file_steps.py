"""What of a transcript can change files: edits with their texts, commands, other tools.

Read on its own, and not from events: those carry no text of a file, and most lines need
not be understood for it. Texts of files and commands are handed on as they are, since
they are compared and kept nowhere; a prompt has passed the redaction.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping

from holdfast.agents.claude_code.tools import TOOLS
from holdfast.agents.claude_code.transcript import locations
from holdfast.agents.claude_code.transcript.events import Interpreter
from holdfast.agents.claude_code.transcript.lines import Line, objects
from holdfast.agents.growing_files import Oversized, Tail, open_file, unreadable
from holdfast.agents.redact_events import Cleaner
from holdfast.domain.event import Role, UserSaid
from holdfast.domain.file_history import (
    UNENDED,
    AgentStep,
    PromptHeard,
    Replacement,
)
from holdfast.kernel.clock import parse_iso
from holdfast.kernel.errors import SaveFailed
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_Json = Mapping[str, object]
# Tools that may write somewhere though nothing says where.
_MAY_WRITE: frozenset[Role] = frozenset(["server", "other", "agent", "skill"])
_RESULT_OF = pattern(rb'"tool_use_id":\s?"([^"\\]{1,200})"')
_AGENT_OF = pattern(rb'"agentId":\s?"([0-9A-Za-z_-]{1,80})"')
_PROMPT_SIGNS = (b'"user"', b'"queue-operation"', b'"queued_command"')
_CALLS_WITHIN = b'"tool_use"'
_ANSWERS_WITHIN = b'"tool_result"'
_PIECE = 1 << 22
_LONGEST_COMMAND = 200_000  # one that is taken apart to see what it wrote


class _Called(NamedTuple):
    """A call whose answer has not been read yet."""

    role: Role
    tool: str
    fields: _Json
    prompt: PromptHeard
    at: int
    offset: int
    cwd: str


class StepReader:
    """Reads the files of one session's transcript, the main one first."""

    def __init__(self, session_id: str, clean: Cleaner) -> None:
        self._session_id = session_id
        self._clean = clean
        self._asked_by: dict[str, PromptHeard] = {}  # a sub-agent's id: who wanted it
        self._steps: list[AgentStep] = []

    def read(self, path: str) -> tuple[AgentStep, ...]:
        """Return the steps of a session in the order in which they ended.

        Raises:
            SaveFailed: the main file is missing or unreadable.
        """
        self._read_file(path, PromptHeard(), is_main=True)
        for file in locations.sub_agent_files(path, self._session_id):
            asked = self._asked_by.get(locations.sub_agent_of(file), PromptHeard())
            try:
                self._read_file(file, asked, is_main=False)
            except SaveFailed:
                continue  # it costs no more than itself: what it did is not known
        return tuple(sorted(self._steps, key=_end))

    def _read_file(self, path: str, prompt: PromptHeard, *, is_main: bool) -> None:
        heard = Interpreter(self._clean) if is_main else None
        calls: dict[str, _Called] = {}
        for offset, raw in _lines(path):
            at = offset if is_main else -1
            if _ANSWERS_WITHIN in raw:
                if known := [i for i in _ids(raw) if i in calls]:
                    answered = {i: calls.pop(i)._replace(offset=at) for i in known}
                    self._answered(raw, answered)
            elif _CALLS_WITHIN in raw:
                calls.update(_calls(raw, prompt, at))
            elif heard and any(sign in raw for sign in _PROMPT_SIGNS):
                prompt = _prompt(raw, heard) or prompt
        for call_id, call in calls.items():
            self._keep(self._unanswered(call_id, call))

    def _answered(self, raw: bytes, calls: Mapping[str, _Called]) -> None:
        found = _object(raw)
        at = parse_iso(str(found.get("timestamp", "")))
        for call_id, is_error in _answers(found):
            call = calls.get(call_id)
            if call is None:
                continue
            if call.role == "agent" and (agent := _AGENT_OF.search(raw)):
                self._asked_by[agent[1].decode()] = call.prompt
            told = found.get("toolUseResult")
            result = told if isinstance(told, dict) else {}
            ended = max(at, call.at)
            self._keep(self._step(call_id, call, result, ended, is_error=is_error))

    def _step(
        self, call_id: str, call: _Called, result: _Json, ended: int, *, is_error: bool
    ) -> AgentStep | None:
        bare = self._bare(call_id, call, ended)
        if call.role == "run":
            is_over = result.get("backgroundTaskId") is None and not call.fields.get(
                "run_in_background"
            )
            return bare._replace(
                kind="run",
                command=_text(call.fields, "command")[:_LONGEST_COMMAND],
                ended=ended if is_over else UNENDED,
                is_done=is_over and not is_error and not result.get("interrupted"),
            )
        if call.role in ("edit", "write"):
            return None if is_error else _edited(bare, call, result)
        return bare

    def _unanswered(self, call_id: str, call: _Called) -> AgentStep | None:
        """A call that nothing came of yet may be at work; an edit waits to be allowed."""
        if call.role in ("edit", "write"):
            return None
        bare = self._bare(call_id, call, UNENDED)
        command = _text(call.fields, "command")[:_LONGEST_COMMAND]
        is_run = call.role == "run"
        return bare._replace(
            kind="run" if is_run else "other", command=command, is_done=False
        )

    def _bare(self, call_id: str, call: _Called, ended: int) -> AgentStep:
        return AgentStep(
            session_id=self._session_id,
            prompt=call.prompt,
            call_id=call_id,
            kind="other",
            begun=call.at,
            ended=ended,
            offset=call.offset,
            cwd=call.cwd,
        )

    def _keep(self, step: AgentStep | None) -> None:
        if step is not None:
            self._steps.append(step)


def _end(step: AgentStep) -> int:
    """What goes on in the background began at some moment, and has no end."""
    return step.begun if step.ended == UNENDED else step.ended


def names_any(path: str, names: Collection[str]) -> bool:
    """Say whether a transcript, or one of its sub-agents', has one of some words in it.

    A name stands in JSON as it is or with its characters beyond ASCII escaped.
    """
    forms = {form for name in names for form in _forms(name)}
    longest = max(map(len, forms), default=0)
    stem = locations.stem_of(path)
    return any(
        _has_any(file, forms, longest)
        for file in (path, *locations.sub_agent_files(path, stem))
    )


def _forms(name: str) -> Iterator[bytes]:
    for is_ascii in (True, False):
        text = json.dumps(name, ensure_ascii=is_ascii)[1:-1]
        yield text.encode("utf-8", "surrogatepass")


def _has_any(path: str, forms: Collection[bytes], longest: int) -> bool:
    try:
        descriptor = open_file(path, locations.MISSING)
    except SaveFailed:
        return False
    try:
        rest = b""
        while piece := os.read(descriptor, _PIECE):
            window = rest + piece
            if any(form in window for form in forms):
                return True
            rest = window[-longest:]
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Yield each whole line with where it begins; one that is too long is left out."""
    descriptor = open_file(path, locations.MISSING)
    try:
        tail, offset = Tail(descriptor, 0), 0
        for raw in tail.lines():
            if isinstance(raw, Oversized):
                offset += len(raw.beginning) + raw.dropped + 1
                continue
            line = bytes(raw)
            yield offset, line
            offset += len(line) + 1
        if tail.rest:
            yield offset, tail.rest
    except OSError as problem:
        raise unreadable(path, problem) from problem
    finally:
        os.close(descriptor)


def _ids(raw: bytes) -> list[str]:
    return [found.decode("utf-8", "replace") for found in _RESULT_OF.findall(raw)]


def _object(raw: bytes) -> _Json:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _blocks(found: _Json) -> Iterator[_Json]:
    message = found.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def _calls(
    raw: bytes, prompt: PromptHeard, offset: int
) -> Iterator[tuple[str, _Called]]:
    """Yield the calls of a line that may change files, by their ids."""
    found = _object(raw)
    at, cwd = parse_iso(str(found.get("timestamp", ""))), _text(found, "cwd")
    for block in _blocks(found):
        call_id, tool = _text(block, "id"), _text(block, "name")
        if block.get("type") != "tool_use" or not call_id or not tool:
            continue
        role = TOOLS.role_of(tool)
        if role in _MAY_WRITE or role in ("edit", "write", "run"):
            given = block.get("input")
            fields = given if isinstance(given, dict) else {}
            yield call_id, _Called(role, tool, fields, prompt, at, offset, cwd)


def _answers(found: _Json) -> Iterator[tuple[str, bool]]:
    for block in _blocks(found):
        if block.get("type") == "tool_result":
            yield _text(block, "tool_use_id"), block.get("is_error") is True


def _edited(bare: AgentStep, call: _Called, result: _Json) -> AgentStep:
    fields = call.fields
    path = (
        _text(result, "filePath")
        or _text(fields, "file_path")
        or _text(fields, "notebook_path")
    )
    before = result.get("originalFile", result.get("originalFileContents"))
    step = bare._replace(
        path=path,
        before=before if isinstance(before, str) else None,
        is_new=result.get("type") == "create",
        is_altered=result.get("userModified") is True,
    )
    if call.role == "write":
        content = result.get("content", fields.get("content"))
        return step._replace(
            kind="write", content=content if isinstance(content, str) else None
        )
    replacements = tuple(_replacements(fields, result))
    return (
        step._replace(kind="edit", replacements=replacements) if replacements else step
    )


def _replacements(fields: _Json, result: _Json) -> Iterator[Replacement]:
    edits = fields.get("edits")
    if isinstance(edits, list):
        for edit in edits:
            if isinstance(edit, dict):
                yield Replacement(
                    _text(edit, "old_string"),
                    _text(edit, "new_string"),
                    edit.get("replace_all") is True,
                )
        return
    old, new = result.get("oldString"), result.get("newString")
    if not isinstance(old, str) or not isinstance(new, str):
        old, new = fields.get("old_string"), fields.get("new_string")
    if isinstance(old, str) and isinstance(new, str):
        yield Replacement(old, new, fields.get("replace_all") is True)


def _prompt(raw: bytes, heard: Interpreter) -> PromptHeard | None:
    """Return the prompt that a line brings to the agent, if it brings one."""
    for line in objects(raw):
        if not isinstance(line, Line):
            continue
        for event in heard.events(line):
            if isinstance(event, UserSaid) and event.via in ("typed", "command"):
                return PromptHeard(event.origin.uuid, event.text, event.origin.at)
    return None


def _text(fields: _Json, key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""
