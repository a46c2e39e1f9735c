"""Install holdfast into an agent, check that everything works, and repair it in steps.

There is one finding per thing, each with what to do. A step that cannot be done does not
keep the others from it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from holdfast.agents.port import InstallScope, Wiring, WiringChange
from holdfast.app.ports import Ports
from holdfast.domain.amounts import counted, waiting_saves
from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import HoldfastError, StoreDamaged, StoreNotFound
from holdfast.kernel.lazy_tuples import NamedTuple

_REPAIR = "`holdfast doctor --repair` keeps what can be read and moves the rest aside"
_SAVE_AGAIN = "the record itself is intact; `holdfast save` stores the current code"

Step = Callable[[], Iterable[str]]


def doctor(
    ports: Ports, surroundings: Iterable[HealthResult]
) -> tuple[HealthResult, ...]:
    """Return every finding: the store's own, the spool's, then the surroundings'."""
    return (*_store(ports), _spool(ports), *_code(ports), *_off(ports), *surroundings)


def _store(ports: Ports) -> Iterator[HealthResult]:
    try:
        store = ports.open_store()
    except StoreNotFound as missing:
        yield HealthResult("store", "warn", missing.message, missing.hint)
        return
    except StoreDamaged as trouble:
        yield HealthResult("store", "fail", trouble.message, _REPAIR)
        return
    except HoldfastError as trouble:
        yield HealthResult("store", "fail", trouble.message, trouble.hint)
        return
    try:
        yield from store.check()
    except HoldfastError as trouble:
        yield HealthResult("store", "fail", trouble.message, trouble.hint)


def _code(ports: Ports) -> Iterator[HealthResult]:
    """Say whether every snapshot that a checkpoint names is whole."""
    try:
        rows = tuple(ports.open_store().retention_rows())
    except HoldfastError:
        return  # the store's own finding says so
    snapshots = ports.snapshots
    held, released = frozenset(snapshots.held()), snapshots.released()
    named = {row.tree for row in rows if row.tree} - (released - held)
    lost = snapshots.damage(named)
    for tree, reason in sorted(lost.items()):
        ids = [row.checkpoint_id for row in rows if row.tree == tree]
        yield HealthResult("code", "fail", f"{reason} (of `{ids[0]}`)", _SAVE_AGAIN)
    if not lost:
        size = f"{snapshots.size() / 1_000_000:,.1f} MB"
        yield HealthResult(
            "code", "ok", f"{counted(len(named), 'snapshot')} whole, {size}"
        )


def _off(ports: Ports) -> Iterator[HealthResult]:
    """What the user turned off is often why nothing is saved any more."""
    try:
        switches = ports.open_store().switches()
    except HoldfastError:
        return
    now = ports.clock.now_ms()
    for switch in switches:
        if switch.until is None or now < switch.until:
            where = {"all": "everywhere", "project": "in a project"}
            message = f"holdfast is off {where.get(switch.kind, 'in a session')}"
            yield HealthResult(
                "switch", "warn", message, "run `holdfast on` there to turn it on"
            )


def _spool(ports: Ports) -> HealthResult:
    waiting, aside = ports.spool.waiting(), ports.spool.set_aside()
    if aside:
        return HealthResult(
            "spool",
            "warn",
            f"{counted(aside, 'save')} cannot be read, and {waiting} wait",
            "they stay beside the others, in files that end in `.bad`",
        )
    if not waiting:
        return HealthResult("spool", "ok", "nothing waits")
    return HealthResult(
        "spool",
        "warn",
        waiting_saves(waiting),
        "`holdfast save` or `holdfast doctor --repair` stores them",
    )


def repair(steps: Sequence[tuple[str, Step]]) -> tuple[HealthResult, ...]:
    """Return what each step did, and what could not be done."""
    done: list[HealthResult] = []
    for name, step in steps:
        try:
            for said in step():
                done.append(HealthResult(name, "ok", said))  # noqa: PERF401  # stays if it fails
        except HoldfastError as trouble:
            done.append(HealthResult(name, "fail", trouble.message, trouble.hint))
        except OSError as problem:
            message = f"cannot be repaired: {problem.strerror or problem}"
            done.append(
                HealthResult(name, "fail", message, "check free space and permissions")
            )
    return tuple(done)


class Installed(NamedTuple):
    changes: tuple[WiringChange, ...]  # empty: everything was there already
    checks: tuple[HealthResult, ...]

    @property
    def works(self) -> bool:
        return all(check.state != "fail" for check in self.checks)


def install(
    wiring: Wiring,
    ports: Ports,
    *,
    scope: InstallScope,
    mcp: bool,
    dry_run: bool,
    permissions: bool = True,
) -> Installed:
    """Wire it in and check it end to end; with `dry_run` only say what would change.

    Raises:
        WiringFailed: a file is not ours to change; nothing of it was changed.
    """
    changes = wiring.install(
        scope=scope, mcp=mcp, dry_run=dry_run, permissions=permissions
    )
    checks = () if dry_run else (*wiring.check(), *_store_opened(ports))
    return Installed(changes, checks)


def uninstall(wiring: Wiring, *, dry_run: bool) -> tuple[WiringChange, ...]:
    """Undo every install; the data stays.

    Raises:
        WiringFailed: a file is not ours to change.
    """
    return wiring.uninstall(dry_run=dry_run)


def _store_opened(ports: Ports) -> Iterator[HealthResult]:
    try:
        ports.open_store()
    except HoldfastError as trouble:
        yield HealthResult("store", "fail", trouble.message, trouble.hint)
    else:
        yield HealthResult("store", "ok", "store writable")
