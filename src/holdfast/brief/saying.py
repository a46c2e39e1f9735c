"""What an agent said last, shorter: what is well is left out before what is open."""

import re

from holdfast.brief.shorten import shortened
from holdfast.domain.text import extent
from holdfast.kernel.lazy_patterns import pattern

# What a reader can do without: praise, and what is ticked off.
_WELL = pattern(
    r"^[\s-]*(?:[✅✓✔☑🎉]|\[x\]|all (?:\w+ )*(?:tests?|checks|lint\w*|green|pass\w*)\b.{0,60}$"
    r"|(?:great|good|nice|excellent|perfect|solid|well[ -](?:done|written|structured))\b|(?:strengths?|positives?|what'?s good)\b.*[:：])",
    re.IGNORECASE,
)
# What the next session must know: what is wrong, what is left, what is asked.
_OPEN = pattern(
    r"^[\s-]*(?:[⚠❌✗❓]|(?:\w+ ){0,2}(?:issues?|problems?|bugs?|remaining|left|open|questions?|concerns?|caveats?|warnings?|blockers?"
    r"|not (?:done|yet|fixed)|to-?dos?|next steps?|limitations?|problèmes?|restes?|problemas?|pendientes?|probleme?|offen\w*|frage|pregunta"
    r"|vấn đề|còn lại|câu hỏi)\b[^.]{0,40}[:：]|(?:问题|剩余|待办|課題|残り|質問|문제|남은|질문|ปัญหา|เหลือ|คำถาม)[^。]{0,20}[:：])",
    re.IGNORECASE,
)
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
