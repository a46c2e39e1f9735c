"""A made-up week of work: sessions, a clear, a fork, a compaction, a crash and a merge."""

from dataclasses import replace
from typing import Any

from holdfast.domain.checkpoint import CommandRef, FileRef, Item
from holdfast.domain.code import CodeState
from holdfast.store.port import Store
from tests.builders import NOON, PROJECT, a_draft, session_number

HOUR = 3_600_000
DAY = 24 * HOUR


class Week:
    """Puts checkpoints into a store, each a while after the one before."""

    def __init__(self, store: Store, project: str = PROJECT, now: int = NOON) -> None:
        self._store = store
        self._project = project
        self._at = now - 5 * DAY
        self._messages: dict[str, int] = {}

    def put(self, title: str, session: int, **changes: Any) -> str:
        """Keep a checkpoint of a numbered session, and return its id."""
        session_id = session_number(session)
        worked = changes.pop("worked", 20)
        self._at += changes.pop("later", 2 * HOUR)
        messages = self._messages.get(session_id, 0) + worked
        self._messages[session_id] = messages
        draft = a_draft(
            title,
            session_id=session_id,
            project_id=self._project,
            created_at=self._at,
            message_count=messages,
            commands_executed=messages // 3,
            files_modified=messages // 9,
            started_at=changes.pop("started_at", NOON - 5 * DAY + session),
            code=CodeState(branch=changes.pop("branch", "main"), dirty=worked > 50),
            receipt={
                "instructions": (6, 6),
                "files_edited": (min(9, messages // 9), messages // 9),
                "files_read": (23, 61),
                "commands": (12, max(12, messages // 3)),
                "decisions": (3, 3),
            },
            **changes,
        )
        return self._store.put(draft).checkpoint.checkpoint_id


def a_week(store: Store, project: str = PROJECT, now: int = NOON) -> list[str]:
    """Fill a store with a week that has one of everything; return ids, oldest first."""
    week = Week(store, project, now)
    auto: dict[str, Any] = {
        "type": "auto",
        "trigger": "threshold",
        "context_percent": 71.0,
    }
    clear: dict[str, Any] = {"type": "before-clear", "trigger": "clear"}
    failed = Item("AssertionError: 401 != 200 in test_refresh", "tool", ("line-9",))
    ids = [
        week.put("Sketch the token store and its tests", 1, worked=25),
        week.put("Refresh tokens rotate on use", 1, worked=90, **auto),
        week.put("Sessions survive a restart of the server", 1, worked=40, **clear),
        week.put("Rate limits for the login route", 2, worked=30, parent_session=session_number(1)),
        week.put("Spike: sign tokens with a hardware key", 3, worked=60, branch="spike-keys",
                 parent_session=session_number(2), started_at=NOON - 5 * DAY + 2),
        week.put("Login is limited per account, not per address", 2, worked=55, type="auto",
                 trigger="compact", errors=(failed,), later=9 * HOUR),
        week.put("Hardware keys sign; the emulator is too slow", 3, worked=35, branch="spike-keys",
                 type="auto", trigger="rescue", later=4 * HOUR),
        week.put("Clock skew of two minutes is tolerated", 2, worked=20, errors=(failed,), later=11 * HOUR),
        week.put("ออกแบบหน้าเข้าสู่ระบบใหม่ 登录页面", 4, worked=15, branch="login-page", later=3 * HOUR),
        week.put("تسجيل الدخول يعمل على الهاتف", 4, worked=44, branch="login-page", **clear),
    ]  # fmt: skip
    merged = (ids[7], ids[6])
    ids.append(
        week.put("Keys and limits together", 2, worked=12, trigger="merge",
                 merged_from=merged, later=14 * HOUR)
    )  # fmt: skip
    ids.append(week.put("Docs of the login flow", 5, worked=18, branch="docs",
                        parent_session=session_number(4), later=3 * HOUR))  # fmt: skip
    ids.append(
        week.put(
            "Release 1.4 is cut and tagged", 2, worked=70, name="release-1-4", **whole()
        )
    )
    return ids


def whole() -> dict[str, Any]:
    """Return something for each part of a page about a checkpoint."""
    return {
        "summary": "The token store is in production. Refresh rotates on use, login is "
        "limited per account, and keys can be held in hardware.",
        "goal": (Item("ship hardware-backed tokens in 1.4", "user"),),
        "instructions": (
            replace(Item("never log a token, not even its beginning", "user"), excerpt="please never log a token, not even its beginning: we had that once"),
            Item("every route has a limit", "user"),
        ),
        "decisions": (Item("rotate on use instead of renewing: a stolen one is seen at once", "agent"),),
        "pending": (Item("tell support about the new error page", "agent"),),
        "next_steps": (Item("watch the login dashboard for a day", "agent"),),
        "dead_ends": (Item("signing in the emulator: 40 s for each test", "agent"),),
        "errors": (Item("TimeoutError in tests/keys/test_emulator.py", "tool"),),
        "files": (
            FileRef("src/auth/refresh.py", "edited", 96, 4),
            FileRef("src/auth/limits.py", "created", 140, 0),
            FileRef("tests/auth/test_refresh.py", "edited", 60, 12),
        ),
        "commands": (CommandRef("pytest tests/auth -q", 0, "42 passed"),),
    }  # fmt: skip
