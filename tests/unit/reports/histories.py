"""Made-up histories: checkpoints in outline, in the order they were kept."""

from typing import Any

from hypothesis import strategies as st

from holdfast.domain.checkpoint import Trigger
from holdfast.domain.outline import Outline
from tests.builders import NOON

_TYPES = {"command": "manual", "restore": "manual", "clear": "before-clear"}


class Told:
    """A history that is told checkpoint by checkpoint."""

    def __init__(self) -> None:
        self.outlines: list[Outline] = []
        self.parents: dict[str, str] = {}
        self._started: dict[str, int] = {}

    def begins(self, session: str, parent: str = "", *, copied: bool = False) -> None:
        """Let a session begin, from another or from its very lines."""
        if parent:
            self.parents[session] = parent
        known = self._started.get(parent) if copied else None
        self._started[session] = known or len(self._started) + 1

    def keeps(
        self, session: str, title: str = "", trigger: Trigger = "command", **more: Any
    ) -> str:
        """Keep a checkpoint of a session and return its id."""
        number = len(self.outlines) + 1
        before = sum(one.session_id == session for one in self.outlines)
        if session not in self._started:
            self.begins(session)
        outline = Outline(
            f"ccp-{number}",
            number,
            session,
            before + 1,
            "project",
            "/code/tokens",
            _TYPES.get(trigger, "auto"),  # type: ignore[arg-type]  # one of three
            trigger,
            NOON + number * 60_000,
            None,
            title or f"{session} {before + 1}",
            "main",
            started_at=self._started[session],
        )
        self.outlines.append(outline._replace(**more))
        return outline.checkpoint_id


def a_week() -> Told:
    """Return a fork, a clear, a rewind, a merge, a crash and a second clear."""
    told = Told()
    told.keeps("a0000000", "API design agreed: tokens rotate on use")
    told.begins("f0000000", "a0000000", copied=True)
    told.keeps("f0000000", "Tried Redis for rate limits", branch="spike/redis")
    told.keeps("a0000000", "Auth middleware reads the new token", "threshold",
               context_percent=71.2)  # fmt: skip
    fork = told.keeps("f0000000", "Redis deadlocks", "exit", branch="spike/redis")
    told.keeps("a0000000", "JWT refresh works", "clear", files=3)
    told.begins("b0000000", "a0000000")
    told.keeps("b0000000", "Rate limits by user", last_turn=1)
    told.keeps("b0000000", "ตัวนับในหน่วยความจำ แบบผิดทาง", last_turn=3)
    back = ((2, 4),)
    told.keeps("b0000000", "速率限制存入数据表", last_turn=5, abandoned=back)
    told.keeps("c0000000", "Docs for the limits")
    told.keeps("b0000000", "What Redis taught, brought home", last_turn=6,
               abandoned=back, merged_from=(fork,))  # fmt: skip
    told.keeps("c0000000", "Docs half written", "rescue")
    told.keeps("a0000000", "Looked at refresh again", is_dirty=True, uncommitted=2)
    told.keeps("a0000000", "Lifetime is 7 days", "clear")
    told.begins("d0000000", "a0000000")
    told.keeps("d0000000", "Reuse is detected 🎉", "compact", files=9)
    told.keeps("b0000000", "Limits done", last_turn=7, abandoned=back)
    return told


@st.composite
def histories(draw: st.DrawFn) -> Told:
    """Draw any history: sessions that part, end, rewind and merge as they like."""
    told = Told()
    ids: list[str] = []
    sessions = [f"{letter}0000000" for letter in "abcdefgh"]
    triggers: tuple[Trigger, ...] = ("command", "clear", "exit", "threshold", "rescue")
    for place, session in enumerate(sessions):
        if place and draw(st.booleans()):
            parent = draw(st.sampled_from(sessions[:place]))
            told.begins(session, parent, copied=draw(st.booleans()))
    for turn in range(draw(st.integers(0, 40))):
        first = draw(st.integers(0, max(0, turn - 1)))
        is_rewound = turn and not draw(st.integers(0, 4))
        merges = ids and not draw(st.integers(0, 4))
        ids.append(
            told.keeps(
                draw(st.sampled_from(sessions)),
                trigger=draw(st.sampled_from(triggers)),
                last_turn=turn,
                abandoned=((first, turn),) if is_rewound else (),
                merged_from=(draw(st.sampled_from(ids)),) if merges else (),
            )
        )
    return told
