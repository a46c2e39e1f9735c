"""What a hook works with. Starting fast matters more than reading in bulk."""

from typing import TYPE_CHECKING

from holdfast.app.hooks.event import Hands, Wishes
from holdfast.bootstrap import Desk
from holdfast.data_directory.markers import FileMarkers
from holdfast.data_directory.processes import SystemProcesses
from holdfast.data_directory.requests import DirectoryRequests
from holdfast.kernel.errors import MetadataUnwritable

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


def hands_at(desk: Desk, client_pid: int, *, is_headless: bool) -> Hands:
    """Return what a hook of this client needs at this desk."""
    home = desk.places.home

    def audit(entry: str) -> None:
        from holdfast.data_directory.variables import audit

        audit(home, entry, desk.clock.now_ms())

    def write_variables(session_id: str) -> None:
        from holdfast.bootstrap.shells import write_variables

        try:
            write_variables(desk, session_id)
        except MetadataUnwritable as trouble:
            desk.log_hook("variables", trouble)

    def may_lose_lines() -> bool:
        from holdfast.agents.claude_code.wiring.renderer import (
            may_lose_lines,
        )

        client = desk.places.claude_dir
        return may_lose_lines(desk.environ, client, desk.workspace(), client_pid)

    def tidy() -> None:
        from holdfast.bootstrap.tidying import tidy_daily

        tidy_daily(desk)

    def unhurried() -> "AbstractContextManager[None]":
        return desk.patience.unhurried()

    return Hands(
        tools=desk.tools(create=True, bulk=False),
        markers=FileMarkers(home),
        processes=SystemProcesses(),
        requests=DirectoryRequests(f"{home}/requests"),
        wishes=_wishes(desk),
        scope=desk.scope,
        workspace=desk.workspace(),
        client_pid=client_pid,
        is_headless=is_headless,
        may_lose_lines=may_lose_lines,
        close_store=desk.close,
        write_variables=write_variables,
        audit=audit,
        log=lambda problem: desk.log_hook("save", problem),
        tidy=tidy,
        unhurried=unhurried,
    )


def _wishes(desk: Desk) -> Wishes:
    hooks, guard = desk.config.hooks, desk.config.guard
    return Wishes(
        resume=hooks.auto_resume_on_start,
        save_on_clear=hooks.auto_checkpoint_on_clear,
        threshold=hooks.checkpoint_threshold_percent,
        verify=hooks.verify_before_clear,
        headless=hooks.headless,
        nudge=hooks.nudge == "on",
        budget=desk.config.brief.budget_tokens,
        guard=guard.require_checkpoint,
        allow_force=guard.allow_force,
    )
