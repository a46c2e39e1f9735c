"""What an agent's last message names as next: lists that say so, and sentences that do.

"Remaining work:" heads steps; "Remaining calls are fine:" heads what needs none.
"""

import re
from collections.abc import Iterator

from holdfast.domain.session import Said
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.prose import (
    is_bullet,
    is_heading,
    is_question,
    plain,
    sentences,
    without_code,
)
from holdfast.language.statement_cues import LEFT_ALONE, NEXT, NEXT_HEADING

_STEPS = (
    r"(?:work|tasks?|items?|steps?|to-?dos?|issues?|problems?|failures?|gaps?|questions?|blockers?"
    r"|concerns?)"
)
_HEADS = (
    rf"(?:next (?:steps?|up|actions?|tasks?)|remaining {_STEPS}|remaining(?=\W*$)|(?:what )?still (?:to do|open|left"
    r"|missing)|to-?dos?|follow-?ups?|what(?:'s|’s| is) (?:next|left|missing|still \w+)|left to do)"
)
# A heading says so where it begins or where it ends; "I fixed the follow-up, see:" does not.
_HEADING = pattern(
    rf"^\W*(?:(?:the|my|your|some|possible|suggested|recommended|open|only|other)\s)*{_HEADS}\b"
    rf"|\b{_HEADS}(?:\s(?:are|is|would be|include|for (?:you|later|now)))?\W*$|{NEXT_HEADING}",
    re.IGNORECASE,
)
# What is listed there needs nothing, or has it already.
_LEFT_ALONE = pattern(
    r"\b(?:fine|ok(?:ay)?|correct|appropriate|intentional(?:ly)?|as[- ]is|unrelated|unchanged|expected"
    r"|nothing|none|no action|not needed)\b|✅|\((?:all )?(?:done|completed?|fixed|resolved)\)"
    rf"|{LEFT_ALONE}",
    re.IGNORECASE,
)
_DONE = pattern(r"^\s*(?:[-*•+]|\d{1,3}[.)])?\s*(?:\[[xX]\]|✅|☑|~~)")
_SAYS_NEXT = pattern(
    r"^(?:next,|next step|the next step|still (?:need|needs|to do)|todo:"
    rf"|(?:the )?remaining(?: {_STEPS})?:)"
    r"|\b(?:still needs? (?:to|work|fixing|testing|updating|doing)|remains to be|left to do"
    r"|not yet (?:done|implemented|tested|committed))\b"
    rf"|{NEXT}",
    re.IGNORECASE,
)
# What is named or put in brackets is not said; what is to be looked at is not known.
_ASIDE = pattern(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\([^)]*\)")
_TO_BE_SEEN = pattern(
    r"\b(?:let me|i'll)\b|\b(?:if|whether)\b.*\b(?:still|not yet|remains|left)\b",
    re.IGNORECASE,
)


def next_texts_of(said: Said) -> Iterator[str]:
    """Yield what a message names as next."""
    is_listing = False
    for line in without_code(said.text):
        if not line.strip():
            continue
        if is_listing and is_bullet(line):
            if not _DONE.match(line) and not is_question(text := plain(line)):
                yield text
            continue
        is_listing = is_heading(line) and _heads_steps(plain(line))
        if not is_listing:
            yield from filter(_says_next, sentences(line))


def _heads_steps(heading: str) -> bool:
    spoken = sentences(heading)
    last = spoken[-1] if spoken else heading
    return bool(_HEADING.search(last)) and not _LEFT_ALONE.search(last)


def _says_next(sentence: str) -> bool:
    said = _ASIDE.sub("“”", sentence)
    return (
        _SAYS_NEXT.search(said) is not None
        and not _TO_BE_SEEN.search(said)
        and not is_question(sentence)
    )
