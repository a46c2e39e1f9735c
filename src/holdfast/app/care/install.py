"""Wire holdfast into an agent, look whether it answers, and undo it again."""

from collections.abc import Iterator

from holdfast.agents.port import InstallScope, Wiring, WiringChange
from holdfast.app.ports import Ports
from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_tuples import NamedTuple


class Installed(NamedTuple):
    changes: tuple[WiringChange, ...]  # empty: everything was there already
    checks: tuple[HealthResult, ...]

    @property
    def works(self) -> bool:
        return all(check.state != "fail" for check in self.checks)


def install(
    wiring: Wiring, ports: Ports, *, scope: InstallScope, mcp: bool, dry_run: bool
) -> Installed:
    """Wire it in and check it end to end; with `dry_run` only say what would change.

    Raises:
        WiringFailed: a file is not ours to change; nothing of it was changed.
    """
    changes = wiring.install(scope=scope, mcp=mcp, dry_run=dry_run)
    checks = () if dry_run else (*wiring.check(), *_store(ports))
    return Installed(changes, checks)


def uninstall(wiring: Wiring, *, dry_run: bool) -> tuple[WiringChange, ...]:
    """Undo every install; the data stays.

    Raises:
        WiringFailed: a file is not ours to change.
    """
    return wiring.uninstall(dry_run=dry_run)


def _store(ports: Ports) -> Iterator[HealthResult]:
    try:
        ports.open_store()
    except HoldfastError as trouble:
        yield HealthResult("store", "fail", trouble.message, trouble.hint)
    else:
        yield HealthResult("store", "ok", "store writable")
