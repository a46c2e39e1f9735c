"""What sessions were told, and what it cost. Each sentence is a contract test."""

from typing import Protocol

from holdfast.domain.client import Delivery, Given, HookCost, Pressure


class Deliveries(Protocol):
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

    def receivers(self, checkpoint_id: str) -> tuple[str, ...]:
        """Return the sessions that a checkpoint's brief was delivered to."""
        ...

    def add_cost(self, session_id: str, cost: HookCost) -> None:
        """Add what a hook cost to its session's account."""
        ...

    def hook_cost(self, session_id: str) -> HookCost:
        """Return what hooks cost a session so far; nothing for one never seen."""
        ...

    def pressure(self, session_id: str) -> Pressure:
        """Return what is remembered of a session's context."""
        ...

    def keep_pressure(self, session_id: str, pressure: Pressure) -> None:
        """Remember it, replacing what was remembered."""
        ...
