"""What an agent said last, shorter: what is well is left out before what is open."""

from holdfast.brief.shorten import shortened
from holdfast.domain.text import extent
from holdfast.language.languages import Cues

# What a reader can do without: praise, and what is ticked off.
_WELL = Cues(
    lambda spoken: spoken.statements.heads_well, common=r"^[\s-]*(?:[✅✓✔☑🎉]|\[x\])"
)
# What the next session must know: what is wrong, what is left, what is asked.
_OPEN = Cues(lambda spoken: spoken.statements.heads_open, common=r"^[\s-]*[⚠❌✗❓]")
_LEAST_FOR_BOTH = 200  # letters in which two parts can be told
_SHARE = 60  # per cent of the room that what is open may take


def said_forms(text: str, *limits: int) -> tuple[str, ...]:
    """Return what was said in growing lengths; equal ones once."""
    return tuple(dict.fromkeys(_said_within(text, limit) for limit in limits))


def _said_within(text: str, limit: int) -> str:
    if extent(text) <= limit:
        return shortened(text, limit)
    first, *rest = text.split("\n")
    lines = [first, *(line for line in rest if not _WELL.match(line))]
    place = next((n for n, line in enumerate(lines) if n and _OPEN.match(line)), 0)
    bare = "\n".join(lines)
    if not place or limit < _LEAST_FOR_BOTH or extent(bare) <= limit:
        return shortened(bare, limit)
    open_part = shortened("\n".join(lines[place:]), limit * _SHARE // 100)
    before = shortened("\n".join(lines[:place]), limit - extent(open_part))
    return f"{before}\n{open_part}"
