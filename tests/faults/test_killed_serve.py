"""A server that is killed, or told to end, while others save over HTTP."""

import signal
import threading
from pathlib import Path

import pytest

from holdfast.store.sqlite.store import open_store
from tests.over_http import Address, Asking, Office

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]
_CALLERS = 8
_ENOUGH = 60  # saves before the signal


class _Saving:
    """Callers that save until the server is gone, and note what it acknowledged."""

    def __init__(self, address: Address, token: str) -> None:
        self.acknowledged: list[str] = []
        self.enough = threading.Event()
        self._address, self._token = address, token

    def __call__(self, caller: int) -> None:
        asking = Asking(self._address, self._token)
        turn = 0
        try:
            while True:
                use = f"toolu_{caller}_{turn}"
                told = asking.tool("checkpoint_save", use, summary=f"Step {use}.").told
                self.acknowledged.append(told["checkpoint"]["id"])
                if len(self.acknowledged) >= _ENOUGH:
                    self.enough.set()
                turn += 1
        except Exception:  # noqa: BLE001  # it is gone in whatever way that shows
            asking.close()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_what_it_acknowledged_is_there(tmp_path: Path, end: signal.Signals) -> None:
    """Every one, once, in a store that is whole; told to end, it ends well."""
    office = Office(tmp_path, "eve")
    with office.serving("--port", "0") as (address, server):
        port = int(address.rpartition(":")[2])
        saving = _Saving(Address(port), office.secret)
        callers = [threading.Thread(target=saving, args=(n,)) for n in range(_CALLERS)]
        for each in callers:
            each.start()
        saving.enough.wait(60)
        server.send_signal(end)
        for each in callers:
            each.join()
        server.wait(30)

    assert server.returncode == (0 if end == signal.SIGTERM else -end)
    assert len(saving.acknowledged) >= _ENOUGH
    kept = [one.checkpoint_id for one in office.told()]
    assert set(saving.acknowledged) <= set(kept)
    assert len(set(saving.acknowledged)) == len(saving.acknowledged)
    assert len(kept) <= len(saving.acknowledged) + _CALLERS
    with open_store(office.store, create=False) as store:
        assert "fail" not in {found.state for found in store.check()}
