"""Whether the user turned holdfast off where an agent calls a tool that writes."""

from holdfast.app.care.switches import is_off
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.kernel.errors import STORE_TROUBLE

# An agent may write on its own account; what the user turned off stays off for it.
OFF = "the user turned holdfast off here; `holdfast on` turns it on again"


def is_switched_off(session_id: str, container: Container, ports: Ports) -> bool:
    try:
        store = ports.open_store()
        return is_off(store, session_id, container.scope, container.clock.now_ms())
    except STORE_TROUBLE:
        return False  # a store in trouble must not keep a save from being spooled
