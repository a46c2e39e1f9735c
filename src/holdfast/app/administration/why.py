"""Which rule decided what a session was told, and what it cost."""

from holdfast.app.ports import Ports
from holdfast.domain.client import Delivery, HookCost
from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True)
class Why:
    offer: Delivery | None
    cost: HookCost

    @property
    def sign(self) -> str:
        """By what a prompt decided, if one did."""
        return self.offer.sign if self.offer else ""

    @property
    def delivered(self) -> str:
        """What reached the model: until a prompt that is nothing."""
        return (self.offer.delivered if self.offer else None) or "nothing"

    @property
    def is_waiting(self) -> bool:
        """Say whether something was offered, and the first prompt is still to come."""
        offer = self.offer
        return offer is not None and offer.delivered is None and offer.what != "nothing"


def why(session_id: str | None, workspace: str, ports: Ports) -> Why:
    """Return what a session was told; without one, the newest that started here."""
    store = ports.open_store()
    offer = store.offered(session_id) if session_id else store.newest_offer(workspace)
    session = session_id or (offer.session_id if offer else "")
    return Why(offer, store.hook_cost(session))
