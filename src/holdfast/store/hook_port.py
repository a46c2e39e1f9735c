"""What hooks keep in a store beside checkpoints, in roles as `port` has them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from holdfast.domain.client import (
    Client,
    Delivery,
    Given,
    HookCost,
    Pressure,
    Switch,
    SwitchKind,
)
from holdfast.domain.session import KeptFold


class Folds(Protocol):
    """What was understood of a transcript so far: it can always be made again."""

    def fold(self, session_id: str, *, late: bool = False) -> KeptFold | None:
        """Return the kept fold of a session, or None if there is none or it is
        damaged or of another format: it can always be made again.

        With `late`, a turn may be read when it is first looked at, which then raises
        SessionDamaged if it is damaged or gone."""
        ...

    def keep_fold(self, session_id: str, fold: KeptFold) -> None:
        """Keep a fold, replacing the one before. Writes only turns that changed.

        One with turns that were never read is left if somebody else has kept another
        since: those turns are no longer there."""
        ...

    def drop_folds(self, session_ids: Sequence[str]) -> None:
        """Let the kept folds of sessions go; they are made again when needed."""
        ...

    def drop_unclean_folds(self, is_clean: Callable[[Any], bool]) -> int:
        """Drop each kept fold whose text is not clean, and return how many.

        `is_clean` is asked with the JSON value of each part. A fold can be made again.
        """
        ...


class Clients(Protocol):
    """Which session a running client is in."""

    def note_client(self, client: Client) -> Client | None:
        """Keep which session a client is in now; return what was kept of it before."""
        ...

    def client(self, pid: int, started: str) -> Client | None:
        """Return a client that did not end, or None: same id, same start time."""
        ...

    def clients(self, workspace: str | None = None) -> tuple[Client, ...]:
        """Return clients that did not end, the one noted last first."""
        ...

    def end_client(self, pid: int, started: str) -> None:
        """Forget a client. Forgetting one that is not known changes nothing."""
        ...


class Deliveries(Protocol):
    """What sessions were offered and told."""

    def offer(self, delivery: Delivery) -> None:
        """Keep what a start offers. The same start again replaces its offer, unless
        that was delivered; a delivered one stays."""
        ...

    def offered(self, session_id: str) -> Delivery | None:
        """Return a session's newest offer, delivered or not."""
        ...

    def newest_offer(self, workspace: str) -> Delivery | None:
        """Return the newest offer made in a workspace."""
        ...

    def deliver(
        self, session_id: str, what: Given, *, tokens: int = 0, sign: str = ""
    ) -> bool:
        """Record what reached the model; say False if that offer was delivered before
        or there is none."""
        ...

    def deliveries(self) -> tuple[Delivery, ...]:
        """Return everything that reached a model, oldest first."""
        ...

    def receivers(self, checkpoint_id: str) -> tuple[str, ...]:
        """Return the sessions that a checkpoint's brief was delivered to."""
        ...

    def told_of(self, checkpoint_ids: Sequence[str]) -> tuple[str, ...]:
        """Return the sessions that were offered one of these, or got its brief."""
        ...


class HookAccounts(Protocol):
    """What hooks cost a session, and what they remember of its context."""

    def add_cost(self, session_id: str, cost: HookCost) -> None:
        """Add what a hook cost to its session's account."""
        ...

    def hook_cost(self, session_id: str) -> HookCost:
        """Return what hooks cost a session so far; nothing for one never seen."""
        ...

    def hook_costs(self) -> Mapping[str, HookCost]:
        """Return what hooks cost each session that they cost something."""
        ...

    def pressure(self, session_id: str) -> Pressure:
        """Return what is remembered of a session's context."""
        ...

    def keep_pressure(self, session_id: str, pressure: Pressure) -> None:
        """Remember it, replacing what was remembered."""
        ...


class Switches(Protocol):
    """What the user turned off."""

    def switch_off(self, switch: Switch) -> None:
        """Keep a switch, replacing the one of the same kind and value."""
        ...

    def switch_on(self, kind: SwitchKind, value: str = "") -> bool:
        """Take a switch away; say whether there was one."""
        ...

    def switches(self) -> tuple[Switch, ...]:
        """Return every switch, expired ones too: the caller knows the time."""
        ...

    def ask_fresh(self, workspace: str) -> None:
        """Keep that the next session in a workspace is to be told nothing."""
        ...

    def is_fresh(self, workspace: str) -> bool:
        """Say whether a clean start was asked for and not used yet."""
        ...

    def spend_fresh(self, workspace: str) -> None:
        """Use it up: the session after the next is told as usual."""
        ...
