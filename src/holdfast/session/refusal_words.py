"""What the user typed to refuse a call, told from what others say in that place."""

from holdfast.domain.event import ToolReturned
from holdfast.session.turns import EDITORS

# Tools whose refusal is in the client's own words from the first letter on: what others
# wrote comes back from them, if at all, behind words of the client.
_ANSWERED_BY_CLIENT = EDITORS | frozenset(
    [
        "Read", "NotebookRead", "LS", "Glob", "Grep", "EnterPlanMode", "ExitPlanMode",
        "TodoWrite", "TaskCreate", "TaskUpdate",
    ]
)  # fmt: skip
_REFUSED = "The user doesn't want to "
_TYPED = "To tell you how to proceed, the user said:\n"
# What the client may add behind these words.
_ADDED = "Note: The user's next message may contain"


def typed_at_refusal(event: ToolReturned, tool: str) -> str:
    """Return what the user typed to refuse a call, if nobody else can have said it.

    A server's tool can answer anything, and so can a command that was stopped: what it
    printed comes first. Behind a refused question stands what the agent had asked.
    """
    if event.outcome != "interrupted" or tool not in _ANSWERED_BY_CLIENT:
        return ""
    is_refused = event.output.startswith(_REFUSED)
    return words_behind(_TYPED, event.output) if is_refused else ""


def words_behind(mark: str, refusal: str) -> str:
    """Return what a refusal says behind a mark, without what the client adds."""
    return refusal.partition(mark)[2].partition(_ADDED)[0].strip()
