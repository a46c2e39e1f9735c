"""Answer one event: read it, do the work, print one JSON object, never fail.

The agent never notices a failure; the user is told once, and the log has the rest.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from holdfast.app.hooks.event import HookContext, HookEvent, Reply
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import agent_of, hook_input
from holdfast.bootstrap.hooks import hook_context
from holdfast.domain.client import INTERACTIVE, HookCost
from holdfast.kernel.errors import STORE_TROUBLE, HoldfastError, SessionUnknown
from holdfast.kernel.ids import session_id
from holdfast.surfaces.hooks.events import ANSWERS

_UNHEARD = ("Stop", "SessionEnd")  # nobody reads what these say
_BLOCKS = 2
GIT_SECONDS = 3.0  # of the ten that the client gives a start and a prompt
_QUICK = 0.1  # seconds for one answer at a start, on a machine that is not busy
_AS_LONG_AGAIN = 2.0  # times what it took to get here, on one that is

_LONGEST_WORD = 32
_NO = ("", "0", "false", "no", "off")


def answer(
    name: str, raw: bytes, client_pid: int, agent: str = "", spelled: str = ""
) -> int:
    """Return the exit status of one event that is not idle.

    `agent` is who calls, where that was said, and `spelled` its name of the event.
    """
    environ = dict(os.environ)
    event = read_event(name, raw, agent, client_pid)
    if isinstance(event, str):
        if event:
            Container(environ=environ, tolerant=True).log_hook(name, event)
        return 0
    container = _container(event, environ, agent)
    try:
        return _answer(event, container, client_pid, spelled or name)
    except BaseException as problem:  # noqa: BLE001  # logged; the agent must not notice
        container.log_hook(name, problem)
        return 0
    finally:
        container.close()


def _container(event: HookEvent, environ: Mapping[str, str], agent: str) -> Container:
    place = event.directory if os.path.isdir(event.directory) else None
    seconds = git_seconds(event, _running_for)
    container = Container(
        environ=environ, project=place, tolerant=True, git_seconds=seconds
    )
    container.agent_name = agent or _caller(event, container)
    return container


def _caller(event: HookEvent, container: Container) -> str:
    """Return who calls a hook that was written for Claude Code: others read its
    settings, too. Its own transcripts are named by their session."""
    if event.transcript.endswith(f"{event.session_id}.jsonl"):
        return container.agent_name
    return agent_of(event.transcript, container.places, container.agent_name)


def _running_for() -> float:
    from holdfast.surfaces.hooks.detach import running_for

    return running_for()


def git_seconds(
    event: HookEvent, running_for: Callable[[], float]
) -> tuple[float, ...]:
    """Return how long git may take: all answers together, and each of them.

    Nobody sees a session that has not started. One pipe among the repository's objects
    would hold it up as long as it is waited for, and all it costs is the name of a
    commit; only a save may take its time.
    """
    if event.name in _UNHEARD and event.reason != "clear":
        return ()
    if event.name != "SessionStart":
        return (GIT_SECONDS,)
    return GIT_SECONDS, min(GIT_SECONDS, max(_QUICK, _AS_LONG_AGAIN * running_for()))


def _answer(
    event: HookEvent, container: Container, client_pid: int, spelled: str
) -> int:
    if container.config.is_off_in(event.directory):
        return 0
    is_alone = is_headless(container.environ, event.headless)
    context = hook_context(
        container, client_pid, is_headless=is_alone, has_windows=event.has_windows
    )
    try:
        reply = ANSWERS[event.name](event, context)
        _add_cost(event, context, reply)
        if event.name == "SessionStart":
            context.markers.forget_notice("store")
    except STORE_TROUBLE as trouble:
        container.log_hook(event.name, trouble)
        is_heard = event.name not in _UNHEARD
        reply = Reply(line=_told_once(trouble, context) if is_heard else "")
    return _printed(spelled, reply)


def _add_cost(event: HookEvent, context: HookContext, reply: Reply) -> None:
    if event.name == "SessionEnd":
        return  # its work is done by another process
    spent = HookCost(1, int(time.process_time() * 1000), reply.tokens, reply.octets)
    try:
        context.ports.open_store().add_cost(event.session_id, spent)
    except HoldfastError:
        return


def _told_once(trouble: HoldfastError, context: HookContext) -> str:
    if context.is_quiet or not context.markers.claim_notice("store"):
        return ""
    if context.ports.spool.try_writing():
        kept = "Nothing is lost: saves wait and are stored when the store works again."
    else:
        kept = "Saves cannot wait either: nothing is saved until the store works again."
    todo = f" What to do: {trouble.hint}." if trouble.hint else ""
    return f"holdfast: {trouble.message}. {kept}{todo}"


def _printed(spelled: str, reply: Reply) -> int:
    if reply.blocked:
        os.write(2, reply.blocked.encode("utf-8", "replace"))
        return _BLOCKS
    said: dict[str, object] = {}
    if reply.context:
        said["hookSpecificOutput"] = {
            "hookEventName": spelled,
            "additionalContext": reply.context,
        }
    if reply.line:
        said["systemMessage"] = reply.line
    if said:
        os.write(1, (json.dumps(said) + "\n").encode("ascii"))
    return 0


def read_event(
    name: str, raw: bytes, agent: str = "", client_pid: int = 0
) -> HookEvent | str:
    """Return the event, or why there is none."""
    try:
        given = json.loads(raw)
    except (ValueError, RecursionError):
        return "the input is not JSON"
    if not isinstance(given, dict):
        return "the input is not an object"
    if given.get("agent_id"):
        return ""
    if agent:
        given = hook_input(agent, given, client_pid)
    try:
        session = session_id(_text(given, "session_id"), agent=agent or "claude-code")
    except SessionUnknown:
        return "the input has no session id"
    return HookEvent(
        name=name,
        session_id=session,
        transcript=_text(given, "transcript_path"),
        directory=_text(given, "cwd"),
        source=_word(given, "source"),
        reason=_word(given, "reason"),
        prompt=_text(given, "prompt"),
        model=_text(given, "model"),
        last_message=_text(given, "last_assistant_message"),
        headless=given.get("headless") if agent else None,
        is_deaf=bool(agent and given.get("is_deaf")),
        has_windows=bool(agent and given.get("has_windows")),
    )


def is_headless(environ: Mapping[str, str], said: bool | None = None) -> bool:  # noqa: FBT001  # what the client says
    """Say whether no person is using this client."""
    if environ.get("CI", "").strip().lower() not in _NO:
        return True
    if said is not None:
        return said
    return environ.get("CLAUDE_CODE_ENTRYPOINT", "").strip().lower() not in INTERACTIVE


def _word(given: Mapping[str, Any], key: str) -> str:
    """Return one of the client's own words; anything else is none, and not kept."""
    word = _text(given, key)
    is_plain = word.isascii() and word.replace("_", "").replace("-", "").isalpha()
    return word if is_plain and len(word) <= _LONGEST_WORD else ""


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""
