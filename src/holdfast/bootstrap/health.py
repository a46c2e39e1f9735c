"""What `doctor` checks and repairs outside the store: the data directory and the wiring."""

import os
from collections.abc import Iterator

from holdfast.app.administration.health import Step
from holdfast.app.administration.understood import understood
from holdfast.app.checkpoints.save import drain
from holdfast.app.forgetting.forget import finish
from holdfast.bootstrap import Container
from holdfast.bootstrap.agents import AGENTS, WIRED
from holdfast.bootstrap.archive import check_archive
from holdfast.bootstrap.forgetting import forget_means
from holdfast.data_directory.health import (
    check_leftovers,
    check_locks,
    check_modes,
    close_modes,
    remove_leftovers,
)
from holdfast.data_directory.requests import DirectoryOrders, DirectoryRequests
from holdfast.domain.amounts import counted
from holdfast.domain.query import HealthResult
from holdfast.reports.saved import went_in
from holdfast.store.quarantine import Quarantine
from holdfast.store.sqlite.repair.repairing import repair
from holdfast.store.sqlite.schema.backups import Backups

_LOW_SPACE_MB = 200


def check_data_directory(container: Container) -> Iterator[HealthResult]:
    """Yield what there is to say of the data directory itself."""
    home = container.home
    if not os.path.isdir(home):
        return
    yield _requests(home)
    yield from _orders(home)
    yield check_locks(home)
    yield check_leftovers(home, container.clock.now_ms())
    yield check_modes(home)
    yield from _quarantine(home)
    yield from _backups(home)
    if container.config.mirrors:
        from holdfast.bootstrap.mirrors import check_mirrors

        yield from check_mirrors(container)
    if container.config.team is not None:
        from holdfast.bootstrap.team import check_team

        yield from check_team(container)


def repair_steps(container: Container) -> tuple[tuple[str, Step], ...]:
    """Return what a repair does, in order; each says what it did."""
    home = container.home

    def store() -> Iterator[str]:
        container.close()  # a repair may put another file in its place
        yield from repair(home, container.clock.now_ms())

    def forgetting() -> Iterator[str]:
        done = finish(container.ports(), forget_means(container))
        if done.checkpoint_ids:
            yield f"{len(done.checkpoint_ids)} checkpoints that were being forgotten are"

    def spool() -> Iterator[str]:
        ports = container.ports()
        if ports.spool.waiting():
            if lost := ports.spool.give_up_unreadable():
                saves = counted(lost, "save")
                yield f"{saves} that the disk cannot read: set aside as `.bad` in `{home}/spool`"
            went, missing = drain(ports, ports.open_store())
            yield f"{counted(len(went), 'save')} that waited: stored now"
            yield from map(went_in, went)
            yield from missing

    return (
        ("permissions", lambda: close_modes(home)),
        ("store", store),
        ("forgetting", forgetting),
        ("spool", spool),
        ("leftovers", lambda: remove_leftovers(home, container.clock.now_ms())),
    )


def _requests(home: str) -> HealthResult:
    requests = DirectoryRequests(f"{home}/requests")
    waiting, unreadable = len(requests.waiting()), requests.unreadable()
    if unreadable:
        return HealthResult(
            "requests",
            "warn",
            f"{unreadable} cannot be read and were left alone",
            f"look into `{home}/requests`",
        )
    if waiting:
        return HealthResult(
            "requests",
            "warn",
            f"{waiting} ended sessions are still to be saved",
            "the next session start saves them",
        )
    return HealthResult("requests", "ok", "every ended session is saved")


def _orders(home: str) -> Iterator[HealthResult]:
    waiting = DirectoryOrders(f"{home}/forgetting").waiting()
    if waiting:
        count = sum(len(order.checkpoint_ids) for order in waiting)
        yield HealthResult(
            "forgetting",
            "warn",
            f"{count} checkpoints are not completely forgotten yet",
            "finish with `holdfast doctor --repair`",
        )


def _quarantine(home: str) -> Iterator[HealthResult]:
    quarantine = Quarantine(home)
    count = quarantine.count()
    unfinished = quarantine.unfinished()
    missing = quarantine.missing(unfinished)
    if unfinished:
        places = ", ".join(f"`{folder}`" for folder in unfinished)
        lost = f"{missing:,} of its entries are" if missing else "its records may be"
        yield HealthResult(
            "quarantine",
            "fail",
            f"a broken store is kept in {places}; {lost} not in the new one",
            "try `holdfast doctor --repair`; to give them up, remove that folder first",
        )
    elif count:
        yield HealthResult(
            "quarantine",
            "warn",
            f"{count} damaged things are kept in `{quarantine.path}`",
            "look at them, then remove the directory yourself",
        )


def _backups(home: str) -> Iterator[HealthResult]:
    names = Backups(home).names()
    if names:
        yield HealthResult("backups", "ok", f"from before upgrades: {', '.join(names)}")


def check_surroundings(container: Container) -> Iterator[HealthResult]:
    """Yield what can be said of where this works."""
    for warning in container.config.warnings:
        yield HealthResult("settings", "warn", warning, "see `holdfast config list`")
    if not container.config.warnings:
        yield HealthResult("settings", "ok", "all understood")
    yield _space(container.home)
    yield container.agent().health()
    yield from check_archive(container)
    yield from container.wiring().check()
    yield from _agents(container)


def _agents(container: Container) -> Iterator[HealthResult]:
    """Yield what there is to say of each agent whose sessions are here."""
    wired = {agent: name for name, agent in WIRED.items()}
    for name in AGENTS:
        agent = container.agent(name)
        if agent.health().state == "ok":
            found = understood(agent.transcripts(container.redact_name, bulk=True))
            if found is not None:
                yield found
        is_other = name != container.agent_name and name in wired
        if is_other and os.path.isdir(f"{container.places.home}/{wired[name]}"):
            yield from container.wiring(name).check()


def _space(home: str) -> HealthResult:
    place = home
    while not os.path.isdir(place):
        place = os.path.dirname(place)
    if not os.access(place, os.W_OK):
        hint = "nothing is saved until it can be written: check its mount and its permissions"
        return HealthResult("disk", "warn", f"`{place}` cannot be written", hint)
    disk = os.statvfs(place)
    free_mb = disk.f_bavail * disk.f_frsize // 1_000_000
    if free_mb < _LOW_SPACE_MB:
        return HealthResult("disk", "warn", f"{free_mb:,} MB left", "make room soon")
    return HealthResult("disk", "ok", f"{free_mb:,} MB free")
