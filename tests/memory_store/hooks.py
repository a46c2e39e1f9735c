"""Clients, deliveries, switches and costs of the store in memory."""

import threading

from holdfast.domain.client import (
    Client,
    Delivery,
    Given,
    HookCost,
    Pressure,
    Switch,
    SwitchKind,
)
from holdfast.kernel.lazy_values import replace


class HooksInMemory:
    """Each method does what the ports of clients, deliveries and switches say of it."""

    def __init__(self) -> None:
        self._hooks_guard = threading.RLock()
        self._clients: dict[tuple[int, str], Client] = {}  # in the order of last note
        self._deliveries: list[Delivery] = []
        self._switches: dict[tuple[SwitchKind, str], Switch] = {}
        self._fresh: set[str] = set()
        self._costs: dict[str, HookCost] = {}
        self._pressures: dict[str, Pressure] = {}

    def note_client(self, client: Client) -> Client | None:
        with self._hooks_guard:
            before = self._clients.pop((client.pid, client.started), None)
            self._clients[client.pid, client.started] = client
            return before

    def client(self, pid: int, started: str) -> Client | None:
        return self._clients.get((pid, started))

    def clients(self, workspace: str | None = None) -> tuple[Client, ...]:
        with self._hooks_guard:
            newest = reversed(self._clients.values())
            return tuple(c for c in newest if workspace in (None, c.workspace))

    def end_client(self, pid: int, started: str) -> None:
        self._clients.pop((pid, started), None)

    def offer(self, delivery: Delivery) -> None:
        start = _start_of(delivery)
        with self._hooks_guard:
            same = [d for d in self._deliveries if _start_of(d) == start]
            if any(d.delivered for d in same):
                return
            self._deliveries = [d for d in self._deliveries if _start_of(d) != start]
            self._deliveries.append(replace(delivery, delivered=None))

    def offered(self, session_id: str) -> Delivery | None:
        own = (d for d in reversed(self._deliveries) if d.session_id == session_id)
        return next(own, None)

    def deliveries(self) -> tuple[Delivery, ...]:
        return tuple(d for d in self._deliveries if d.delivered)

    def hook_costs(self) -> dict[str, HookCost]:
        return {s: cost for s, cost in self._costs.items() if cost.events}

    def newest_offer(self, workspace: str) -> Delivery | None:
        here = (d for d in reversed(self._deliveries) if d.workspace == workspace)
        return next(here, None)

    def deliver(
        self, session_id: str, what: Given, *, tokens: int = 0, sign: str = ""
    ) -> bool:
        with self._hooks_guard:
            newest = self.offered(session_id)
            if newest is None or newest.delivered is not None:
                return False
            place = self._deliveries.index(newest)
            told = replace(newest, delivered=what, tokens=tokens, sign=sign)
            self._deliveries[place] = told
            return True

    def receivers(self, checkpoint_id: str) -> tuple[str, ...]:
        return tuple(
            d.session_id
            for d in self._deliveries
            if d.checkpoint_id == checkpoint_id and d.delivered == "brief"
        )

    def add_cost(self, session_id: str, cost: HookCost) -> None:
        with self._hooks_guard:
            self._costs[session_id] = self.hook_cost(session_id) + cost

    def hook_cost(self, session_id: str) -> HookCost:
        return self._costs.get(session_id, HookCost())

    def pressure(self, session_id: str) -> Pressure:
        return self._pressures.get(session_id, Pressure())

    def keep_pressure(self, session_id: str, pressure: Pressure) -> None:
        self._pressures[session_id] = pressure

    def switch_off(self, switch: Switch) -> None:
        self._switches[switch.kind, switch.value] = switch

    def switch_on(self, kind: SwitchKind, value: str = "") -> bool:
        return self._switches.pop((kind, value), None) is not None

    def switches(self) -> tuple[Switch, ...]:
        return tuple(self._switches.values())

    def ask_fresh(self, workspace: str) -> None:
        self._fresh.add(workspace)

    def is_fresh(self, workspace: str) -> bool:
        return workspace in self._fresh

    def spend_fresh(self, workspace: str) -> None:
        self._fresh.discard(workspace)


def _start_of(delivery: Delivery) -> tuple[str, str, str]:
    return (delivery.session_id, delivery.boundary, delivery.source)
