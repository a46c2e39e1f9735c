"""Whose the other end of a connection on this machine is, by the system's own list.

Another user reaches every port here. Where there is no such list, nobody can tell; root
may read everything anyway, and containers and other systems are reached through it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_LISTENS = "0A"
_LOOPBACKS = (
    "0100007F",
    "00000000000000000000000001000000",
    "0000000000000000FFFF00000100007F",
)


def connections() -> str:
    """Return the system's list of connections; empty where there is none."""
    told = ""
    for table in _TABLES:
        with suppress(OSError), open(table, encoding="ascii") as rows:
            told += rows.read()
    return told


def is_anothers(port: int, table: str, uid: int) -> bool:
    """Say whether only somebody else's program can have answered at a port here."""
    found: dict[bool, set[int]] = {True: set(), False: set()}
    for row, owner in _rows(table):
        address, _, number = row[1].partition(":")
        is_near = address in _LOOPBACKS
        is_here = is_near or not address.strip("0")
        if is_here and row[3] == _LISTENS and number == f"{port:04X}":
            found[is_near].add(owner)
    owners = found[True] or found[False]
    return bool(owners) and not owners & {0, uid}


def is_from_another(port: int, peer: int, table: str, uid: int) -> bool:
    """Say whether somebody else's program asks at a port of ours, from the port `peer`."""
    ends = (f":{peer:04X}", f":{port:04X}")
    owners = {
        owner
        for row, owner in _rows(table)
        if row[3] != _LISTENS and row[1].endswith(ends[0]) and row[2].endswith(ends[1])
    }
    return bool(owners) and not owners & {0, uid}


def _rows(table: str) -> Iterator[tuple[list[str], int]]:
    """Yield each connection's columns, and whose it is."""
    for row in map(str.split, table.splitlines()):
        with suppress(ValueError, IndexError):
            yield row, int(row[7])
