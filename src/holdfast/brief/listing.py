"""Ages, branches and rows: what a list of checkpoints shows of each."""

from holdfast.domain.cells import cut
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.project import CodeState
from holdfast.domain.text import visible

SHORT_HASH = 7
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
# Up to which age (in seconds) a unit is told, in short and in words.
_UNITS = (
    (_MINUTE, 1, "s", "second"),
    (_HOUR, _MINUTE, "min", "minute"),
    (2 * _DAY, _HOUR, "h", "hour"),
    (14 * _DAY, _DAY, "d", "day"),
    (60 * _DAY, 7 * _DAY, "weeks", "week"),
    (730 * _DAY, 30 * _DAY, "months", "month"),
)
_YEAR = 365 * _DAY
_MOST_OF_A_BRANCH = 20  # cells
_MOST_OF_A_PROJECT = 20


def age(now_ms: int, then_ms: int) -> str:
    """Return how long ago something was, in words: `2 hours ago`."""
    count, _, unit = _age(now_ms, then_ms)
    if count == 0:
        return "just now"
    return f"{count} {unit}{'' if count == 1 else 's'} ago"


def short_age(now_ms: int, then_ms: int) -> str:
    """Return how long ago something was, in short: `2 h ago`."""
    count, unit, _ = _age(now_ms, then_ms)
    return f"{count} {unit} ago" if count else "just now"


def branch_mark(code: CodeState) -> str:
    """Return where the code stood: `main@3f2c1a9 +`, the plus for uncommitted work."""
    head = f"@{code.head[:SHORT_HASH]}" if code.head else ""
    mark = visible(code.branch or ("detached" if head else "")) + head
    return f"{mark} +" if mark and code.dirty else mark


def row(checkpoint: Checkpoint, now_ms: int) -> tuple[str, ...]:
    """Return number, age, type, title, branch and files of a checkpoint as text."""
    draft = checkpoint.draft
    changed = sum(1 for file in draft.content.files if file.change != "read")
    at = f"@{checkpoint.machine}" if checkpoint.machine else ""
    name = f" ({checkpoint.name})" if checkpoint.name else ""
    return (
        f"{checkpoint.number:05d}{at}",
        short_age(now_ms, draft.created_at),
        draft.type,
        visible(draft.content.title + name).replace("\n", " "),
        cut(_branch(draft.code), _MOST_OF_A_BRANCH),
        counted(changed, "file") if changed else "",
    )


def project_name(checkpoint: Checkpoint) -> str:
    """Return what a project is called among others: the name of its directory."""
    name = visible(checkpoint.draft.project_root).rstrip("/").rpartition("/")[2]
    return cut(name, _MOST_OF_A_PROJECT)


def waiting_saves(count: int) -> str:
    return f"{counted(count, 'save')} wait{'s' if count == 1 else ''} for the store"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `3 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _branch(code: CodeState) -> str:
    """Return the branch without the commit: a list has no room for it."""
    name = visible(code.branch or ("detached" if code.head else ""))
    return f"{name} +" if name and code.dirty else name


def _age(now_ms: int, then_ms: int) -> tuple[int, str, str]:
    seconds = max(0, now_ms - then_ms) // 1000
    for limit, size, short, long in _UNITS:
        if seconds < limit:
            return seconds // size, short, long
    return seconds // _YEAR, "years", "year"
