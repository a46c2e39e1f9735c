"""Kept folds: one row for the head of a session's state, and one per turn.

A fold can be made again from its transcript, so a damaged one is none, and keeping one
does not wait for the disk.
"""

import json
import os
from binascii import crc32
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from holdfast.domain.session import Cursor, KeptFold, Mark, Turn
from holdfast.domain.text import storable
from holdfast.kernel.errors import SessionDamaged, StoreDamaged
from holdfast.kernel.lazy_values import dataclass
from holdfast.session.lazy_turns import LateTurns
from holdfast.session.state_codec import (
    Upgrade,
    decode_head,
    decode_turn,
    encode_head,
    encode_turn,
)
from holdfast.store.sqlite.database import Database, Row

_HEAD = """
    SELECT stamp, transcript, cursor, head, turns, checksum
    FROM fold
    WHERE session_id = :session_id
"""
_TURNS = """
    SELECT turn, checksum FROM fold_turn
    WHERE session_id = :session_id
    ORDER BY place
"""
_LAST_PLACE = "SELECT max(place) FROM fold_turn WHERE session_id = :session_id"
_TURN = """
    SELECT turn, checksum FROM fold_turn
    WHERE session_id = :session_id AND place = :place
"""
_STAMP = "SELECT stamp FROM fold WHERE session_id = :session_id"
_KEEP_HEAD = """
    INSERT INTO fold (session_id, stamp, transcript, cursor, head, turns, checksum)
    VALUES (:session_id, :stamp, :transcript, :cursor, :head, :turns, :checksum)
    ON CONFLICT (session_id) DO UPDATE SET
        stamp = excluded.stamp,
        transcript = excluded.transcript,
        cursor = excluded.cursor,
        head = excluded.head,
        turns = excluded.turns,
        checksum = excluded.checksum
"""
_KEEP_TURN = """
    INSERT INTO fold_turn (session_id, place, turn, checksum)
    VALUES (:session_id, :place, :turn, :checksum)
    ON CONFLICT (session_id, place) DO UPDATE SET
        turn = excluded.turn, checksum = excluded.checksum
"""
_CUT = "DELETE FROM fold_turn WHERE session_id = :session_id AND place >= :turns"


@dataclass(frozen=True, slots=True)
class _Seen:
    """The turns behind a stamp: while it stands, nobody else has kept any."""

    stamp: str
    turns: Sequence[Turn]


class FoldTable:
    def __init__(self, database: Database, upgrade: Upgrade | None = None) -> None:
        self._database = database
        self._upgrade = upgrade
        self._seen: dict[str, _Seen] = {}

    def fold(self, session_id: str, *, late: bool) -> KeptFold | None:
        """Return the kept fold of a session, or None if it has to be made again."""
        wanted = {"session_id": storable(session_id)}
        self._seen.pop(session_id, None)
        try:
            with self._database.reading():
                head = self._database.row(_HEAD, wanted)
                if head is None:
                    return None
                turns = self._late(wanted) if late else self._turns(wanted)
            kept = self._fold_of(head, turns)
        except (SessionDamaged, StoreDamaged, ValueError, TypeError, LookupError):
            return None
        self._seen[session_id] = _Seen(head[0], turns)
        return kept

    def keep(self, session_id: str, fold: KeptFold) -> None:
        """Keep a fold, replacing the one before. Writes only turns that changed.

        Turns that were not even read are the store's own; if somebody else has kept
        some since, theirs stay.
        """
        turns = fold.state.turns
        stamp = os.urandom(8).hex()
        values = {"session_id": storable(session_id), "stamp": stamp, **_head_of(fold)}
        with self._database.writing(durable=False):
            seen = self._standing(session_id, values)
            if seen is None and isinstance(turns, LateTurns):
                return
            self._database.rows(_KEEP_HEAD, values)
            self._database.rows(_CUT, values)
            for place, turn in _to_look_at(turns):
                if seen is None or not _stands(turn, place, seen.turns):
                    text = _text(encode_turn(turn))
                    kept = {"place": place, "turn": text, "checksum": _checksum(text)}
                    self._database.rows(_KEEP_TURN, {**values, **kept})
        self._seen[session_id] = _Seen(stamp, turns)

    def _turns(self, wanted: dict[str, Any]) -> tuple[Turn, ...]:
        return tuple(self._turn_of(*row) for row in self._database.rows(_TURNS, wanted))

    def _late(self, wanted: dict[str, Any]) -> LateTurns:
        def read(place: int) -> Turn:
            row = self._database.row(_TURN, {**wanted, "place": place})
            if row is None:
                raise SessionDamaged("a turn of the kept fold is gone")
            return self._turn_of(*row)

        last = self._database.one(_LAST_PLACE, wanted)[0]
        return LateTurns(0 if last is None else last + 1, cache(read))

    def _standing(self, session_id: str, values: dict[str, Any]) -> _Seen | None:
        """Return the turns that stand in the store, if we can be sure of them."""
        seen = self._seen.get(session_id)
        if seen is None or self._database.row(_STAMP, values) != (seen.stamp,):
            return None
        return seen

    def _turn_of(self, text: str, checksum: int) -> Turn:
        if checksum != _checksum(text):
            raise SessionDamaged("a turn of the kept fold was changed")
        return decode_turn(json.loads(text), self._upgrade)

    def _fold_of(self, row: Row, turns: Sequence[Turn]) -> KeptFold:
        _, transcript, cursor_text, head, count, checksum = row
        if checksum != _checksum(transcript, cursor_text, head) or count != len(turns):
            raise SessionDamaged("the kept fold was changed")
        cursor = json.loads(cursor_text)
        return KeptFold(
            transcript=transcript,
            cursor=Cursor(
                main=_mark_from(cursor["main"]),
                agents=tuple(
                    (name, _mark_from(mark)) for name, mark in cursor["agents"]
                ),
            ),
            state=decode_head(json.loads(head), turns, self._upgrade),
        )


def _to_look_at(turns: Sequence[Turn]) -> Iterable[tuple[int, Turn]]:
    return turns.seen() if isinstance(turns, LateTurns) else enumerate(turns)


def _stands(turn: Turn, place: int, kept: Sequence[Turn]) -> bool:
    """Turns are shared between states, so most are the same object."""
    return place < len(kept) and (turn is kept[place] or turn == kept[place])


def _head_of(fold: KeptFold) -> dict[str, Any]:
    transcript = storable(fold.transcript)
    cursor = _text(
        {
            "main": _mark_json(fold.cursor.main),
            "agents": [[name, _mark_json(mark)] for name, mark in fold.cursor.agents],
        }
    )
    head = _text(encode_head(fold.state))
    return {
        "transcript": transcript,
        "cursor": cursor,
        "head": head,
        "turns": len(fold.state.turns),
        "checksum": _checksum(transcript, cursor, head),
    }


def _mark_json(mark: Mark) -> list[object]:
    return [mark.offset, mark.head, mark.tail]


def _mark_from(raw: list[Any]) -> Mark:
    offset, head, tail = raw
    return Mark(offset, head, tail)


def _text(value: object) -> str:
    return storable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _checksum(*texts: str) -> int:
    total = 0
    for text in texts:
        total = crc32(text.encode(), total)
    return total
