"""What a hook works with, and the variables of a session's own shell (B4).

Starting fast matters more than reading in bulk.
"""

import os
from typing import TYPE_CHECKING

from holdfast.app.hooks.event import HookContext, HookSettings
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import agent_of
from holdfast.data_directory.markers import FileMarkers
from holdfast.data_directory.processes import SystemProcesses
from holdfast.data_directory.requests import DirectoryRequests
from holdfast.kernel.errors import MetadataUnwritable

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from holdfast.app.ports import Ports


def hook_context(
    container: Container,
    client_pid: int,
    *,
    is_headless: bool,
    has_windows: bool = False,
) -> HookContext:
    """Return what a hook of this client works with."""
    home = container.places.home

    def audit(entry: str) -> None:
        from holdfast.data_directory.plain_files import audit

        audit(home, entry, container.clock.now_ms())

    def write_variables(session_id: str) -> None:
        try:
            write_shell_variables(container, session_id)
        except MetadataUnwritable as trouble:
            container.log_hook("variables", trouble)

    def may_lose_lines() -> bool:
        return container.agent().may_lose_lines(container.workspace(), client_pid)

    def tidy() -> None:
        from holdfast.bootstrap.forgetting import prune_daily

        prune_daily(container)
        if container.config.archive.auto_archive:
            from holdfast.bootstrap.archive import archive_daily

            archive_daily(container)

    def unhurried() -> "AbstractContextManager[None]":
        return container.deadline.unhurried()

    return HookContext(
        ports=container.ports(create=True, bulk=False),
        agent=container.agent_name,
        ports_of=lambda *asked: _ports_of(container, *asked),
        markers=FileMarkers(home),
        processes=SystemProcesses(),
        requests=DirectoryRequests(f"{home}/requests"),
        settings=_settings(container),
        scope=container.scope,
        workspace=container.workspace(),
        client_pid=client_pid,
        has_windows=has_windows,
        is_headless=is_headless,
        may_lose_lines=may_lose_lines,
        close_store=container.close,
        write_variables=write_variables,
        audit=audit,
        log=lambda problem: container.log_hook("save", problem),
        tidy=tidy,
        unhurried=unhurried,
    )


def _ports_of(container: Container, agent: str, transcript: str) -> "Ports":
    """Return what reads a transcript, by what is said of it, else by where it lies."""
    name = agent or agent_of(transcript, container.places, container.agent_name)
    return container.ports(agent=name, create=True, bulk=False)


def _settings(container: Container) -> HookSettings:
    hooks, guard = container.config.hooks, container.config.guard
    return HookSettings(
        resume=hooks.auto_resume_on_start,
        save_on_clear=hooks.auto_checkpoint_on_clear,
        threshold=hooks.checkpoint_threshold_percent,
        verify=hooks.verify_before_clear,
        headless=hooks.headless,
        nudge=hooks.nudge == "on",
        budget=container.config.brief.budget_tokens,
        guard=guard.require_checkpoint,
        allow_force=guard.allow_force,
    )


def write_shell_variables(container: Container, session_id: str) -> None:
    """Write what a session's own shell is to see.

    Raises:
        MetadataUnwritable: it sees what it saw before; nothing else is lost.
    """
    from holdfast.data_directory import variables

    store = container.store()
    record = store.session(session_id)
    came_from = store.session(record.parent_session or "") if record else None
    before = came_from.checkpoints[-1] if came_from and came_from.checkpoints else ""
    now = container.clock.now_ms()
    values = variables.variables_of(
        session_id, record, container.directory, now, before=before
    )
    env_file = variables.env_file_of(container.environ, container.places.claude_dir)
    variables.write_variables(container.places.home, session_id, values, env_file)


def refresh_variables(container: Container, session_id: str) -> str:
    """Do that for a session whose shell has them: one that hooks saw start.

    Returns what went wrong: the save that comes before is kept in any case.
    """
    try:
        if os.path.exists(f"{container.places.home}/env/{session_id}.sh"):
            write_shell_variables(container, session_id)
    except MetadataUnwritable as trouble:
        return f"{trouble.code}: {trouble.message}"
    return ""
