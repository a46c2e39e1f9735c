"""Whose the other end of a connection is, by the list that the system keeps."""

import os
import socket
from pathlib import Path

import pytest

from holdfast.kernel.connections import connections, is_from_another

_TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0100007F:122D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000
   1: 0100007F:C350 0100007F:122D 01 00000000:00000000 00:00000000 00000000  1001
   2: 0100007F:122D 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000
   3: 0100007F:C351 0100007F:122D 01 00000000:00000000 00:00000000 00000000  1000
   4: 0100007F:C352 0100007F:122D 01 00000000:00000000 00:00000000 00000000     0
   5: 0100007F:C353 0100007F:122E 01 00000000:00000000 00:00000000 00000000  1001
"""


@pytest.mark.parametrize(
    ("peer", "is_refused"),
    [
        pytest.param(0xC350, True, id="another user asks"),
        pytest.param(0xC351, False, id="this one asks"),
        pytest.param(0xC352, False, id="root, as before a container"),
        pytest.param(0xC353, False, id="another user asks somebody else"),
        pytest.param(0xC354, False, id="nobody can tell"),
    ],
)
def test_who_asks_is_known_by_the_port_it_asks_from(
    peer: int,
    is_refused: bool,  # noqa: FBT001  # what is expected
) -> None:
    assert is_from_another(0x122D, peer, _TABLE, 1000) is is_refused


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="no such list here")
def test_the_real_list_says_whose_a_connection_is() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        port, peer = server.getsockname()[1], client.getsockname()[1]
        table = connections()

    assert f":{peer:04X} 0100007F:{port:04X}" in table
    assert not is_from_another(port, peer, table, os.getuid())
