"""The card, the drift note, and the one line a user sees. Short, and exactly bounded."""

from collections.abc import Sequence

from holdfast.brief.phrases import FETCH, named, told_name
from holdfast.domain.amounts import age, counted, short_age
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.client import Wants
from holdfast.domain.code import WITHOUT_CODE, switch_command, why_without_code
from holdfast.domain.text import one_line, plain, tokens
from holdfast.kernel.ids import label

MOST_CARD_TOKENS = 120
MOST_DRIFT_TOKENS = 100
_TITLE = 80
_SHORTEST_TITLE = 16
_LONGEST_BRANCH = 40
_SHOWN_PATH = 60
_LONGEST_PLACE = 120
_MOST_NAMED = 5  # files in a line
NO_GOODBYE = "ended without a goodbye"
_WAYS: dict[Wants, str] = {
    "continuing": f"If the user's message continues it, {FETCH}",
    "answering": "The user is asked whether to go on with it, and its brief comes with"
    " the answer; until then never mention it.",
    "naming": f"If the user asks for it, {FETCH}",
}
LATE_LINE = (
    "✓ Checkpoint: the cleared session is still being saved; more at your next prompt"
)


def card(
    checkpoint: Checkpoint, now_ms: int, *, note: str = "", wants: Wants = "continuing"
) -> str:
    """Return two lines of at most 120 tokens: a checkpoint is there, and how to get it."""
    way = _WAYS[wants].format(checkpoint.number)
    for room in range(_TITLE, _SHORTEST_TITLE, -8):
        text = _card(checkpoint, now_ms, room, note, way)
        if tokens(text) <= MOST_CARD_TOKENS:
            return text
    return _card(checkpoint, now_ms, _SHORTEST_TITLE, "", way)


def _card(checkpoint: Checkpoint, now_ms: int, room: int, note: str, way: str) -> str:
    when = short_age(now_ms, checkpoint.draft.created_at)
    about = f"{label(checkpoint.number)} {quoted_title(checkpoint, room)} ({when})"
    more = f" {note}" if note else ""
    return f"An earlier session here was saved: {about}.{more}\n{way}"


def branch_note(branch: str, fate: str = "differs") -> str:
    """Return which branch the work is on, and the command that switches to it, or what
    became of it."""
    name = one_line(told_name(branch), _LONGEST_BRANCH)
    if fate == "merged":
        return f"Its branch `{name}` was merged."
    if fate == "gone":
        return f"Its branch `{name}` is gone."
    if name != branch:
        return f"It is on branch `{name}`."
    return f"It is on branch `{name}`: {switch_command(branch)}."


def place_note(directory: str) -> str:
    """Return where the work was, if that is not here."""
    return f"It was in {named(one_line(directory, _LONGEST_PLACE))}."


def drift_note(changes: Sequence[tuple[str, str]]) -> str:
    """Return what became of known files, in at most 100 tokens."""
    intro = "Changed since this session last worked (read them again before editing): "
    shown: list[str] = []
    for path, change in changes:
        name = named(path[-_SHOWN_PATH:]) + (" (gone)" if change == "gone" else "")
        rest = len(changes) - len(shown) - 1
        tail = f" and {rest} more" if rest else ""
        if tokens(intro + ", ".join([*shown, name]) + tail + ".") > MOST_DRIFT_TOKENS:
            break
        shown.append(name)
    rest = len(changes) - len(shown)
    tail = f" and {rest} more" if rest else ""
    return intro + ", ".join(shown) + tail + "."


def how_to_ask(checkpoint: Checkpoint, wants: Wants) -> str:
    """Return what the user says to get the brief."""
    return f'say "{checkpoint.number:05d}"' if wants == "naming" else 'say "continue"'


def offer_line(
    checkpoint: Checkpoint, now_ms: int, *, wants: Wants = "continuing", why: str = ""
) -> str:
    """Return the line at a start where there is something to continue."""
    parts = [
        f"↻ {checkpoint.number:05d} {quoted_title(checkpoint)}",
        short_age(now_ms, checkpoint.draft.created_at),
        _branch(checkpoint),
        why,
        how_to_ask(checkpoint, wants),
        f"full chat: holdfast open {checkpoint.number}",
    ]
    return " · ".join(filter(None, parts))


def resumed_line(checkpoint: Checkpoint, now_ms: int, *, crashed: bool = False) -> str:
    when = age(now_ms, checkpoint.draft.created_at)
    line = f"↻ Resumed from checkpoint: {quoted_title(checkpoint)} (saved {when})"
    if not crashed:
        return line
    left = _not_committed(checkpoint)
    return " · ".join(filter(None, (line, NO_GOODBYE, left)))


def crash_note(checkpoint: Checkpoint) -> str:
    """Return what a brief says beside itself of a session whose end nobody saw."""
    left = _not_committed(checkpoint)
    return f"The session {NO_GOODBYE}: its last step may be half done{left and '; '}{left}."


def _not_committed(checkpoint: Checkpoint) -> str:
    """Return the files of the work that no commit has, as far as there is room."""
    paths = checkpoint.draft.content.uncommitted
    shown = [named(path[-_SHOWN_PATH:]) for path in paths[:_MOST_NAMED]]
    rest = len(paths) - len(shown)
    shown += [f"{rest} more"] if rest else []
    return f"not committed: {', '.join(shown)}" if shown else ""


def with_left_out(line: str, left_out: Sequence[str]) -> str:
    """Return the line, with what a brief had no room for, if the user should hear it."""
    if not line or not left_out:
        return line
    return f"{line} · left out: {', '.join(left_out)}"


def cleared_line(checkpoint: Checkpoint, given: str, work: str, cost: int) -> str:
    """Return the one line that stands on a cleared screen."""
    parts = [
        f"✓ Checkpoint saved: {quoted_title(checkpoint)}",
        f"{checkpoint.number:05d}",
        given,
        work,
        _without_code(checkpoint),
        f"{cost} tokens" if cost else "",
    ]
    return " · ".join(filter(None, parts))


def _without_code(checkpoint: Checkpoint) -> str:
    """Say that the code was to be kept and could not be."""
    why = why_without_code(checkpoint.draft.code)
    return f"{WITHOUT_CODE}: {one_line(plain(why), _LONGEST_PLACE)}" if why else ""


def quoted_title(checkpoint: Checkpoint, room: int = _TITLE) -> str:
    """Return the title in quotation marks that its own cannot close."""
    title = plain(checkpoint.draft.content.title).replace('"', "'")
    return f'"{one_line(title, room)}"'


def _branch(checkpoint: Checkpoint) -> str:
    code = checkpoint.draft.code
    name = one_line(plain(code.branch or ""), 40)
    if not name or not code.dirty:
        return name
    return f"{name} +{len(checkpoint.draft.content.uncommitted) or ''}"


def numbers(checkpoint: Checkpoint, before: Checkpoint | None, now_ms: int) -> str:
    """Return the work since the checkpoint before, if any: `3 files, +127 −9`."""
    known = {file.path: file for file in before.draft.content.files} if before else {}
    files = added = removed = 0
    for file in checkpoint.draft.content.files:
        if file.change == "read" or file.origin is not None:
            continue
        last = known.get(file.path)
        more = file.lines_added - (last.lines_added if last else 0)
        less = file.lines_removed - (last.lines_removed if last else 0)
        if last is None or last.change == "read" or more or less:
            files, added, removed = files + 1, added + more, removed + less
    if not files:
        return ""
    when = short_age(now_ms, before.draft.created_at) if before else ""
    since = f", last checkpoint {when}" if when else ""
    return f"{counted(files, 'file')}, +{max(0, added)} −{max(0, removed)}{since}"
