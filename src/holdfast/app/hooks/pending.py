"""What waits for a session's next prompt. Kept in its mark, which costs a hook one look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.kernel.lazy_values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.data_directory.port import Markers


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    late: bool = False  # the save that the start is about was not finished yet
    unseen: bool = False  # nobody knows whether the start's line was drawn
    left_out: tuple[str, ...] = ()  # which that line ends with
    words: str = ""  # for the model
    line: str = ""  # for the user


def read_pending(session_id: str, markers: Markers) -> Pending | None:
    """Return what waits for a session; None if nothing does."""
    mark = markers.text(session_id)
    if mark is None:
        return None
    try:
        kept = json.loads(mark or "{}")
        return Pending(
            late=bool(kept.get("late")),
            unseen=bool(kept.get("unseen")),
            left_out=tuple(map(str, kept.get("left_out", ()))),
            words=str(kept.get("words", "")),
            line=str(kept.get("line", "")),
        )
    except (ValueError, AttributeError, TypeError, RecursionError):
        return Pending()  # a mark that cannot be read still says: look at the offer


def keep_pending(waiting: Pending, session_id: str, markers: Markers) -> None:
    kept = {
        "late": waiting.late,
        "unseen": waiting.unseen,
        "left_out": waiting.left_out,
        "words": waiting.words,
        "line": waiting.line,
    }
    markers.set(
        session_id, json.dumps({key: value for key, value in kept.items() if value})
    )


def add_pending(
    session_id: str, markers: Markers, *, words: str = "", line: str = ""
) -> None:
    """Leave a word beside what waits already; a newer one replaces an older one."""
    before = read_pending(session_id, markers) or Pending()
    after = replace(before, words=words or before.words, line=line or before.line)
    keep_pending(after, session_id, markers)
