"""What an agent's last message names as next: lists that say so, and sentences that do;
and what only the user can do, by hand.

"Remaining work:" heads steps; "Remaining calls are fine:" heads what needs none.
"""

from collections.abc import Iterator

from holdfast.domain.session import Said
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues
from holdfast.language.prose import (
    is_bullet,
    is_heading,
    is_question,
    plain,
    sentences,
    without_code,
)

_HEADING = Cues(lambda spoken: spoken.next_steps.heading)
# What is listed there needs nothing, or has it already.
_LEFT_ALONE = Cues(lambda spoken: spoken.next_steps.left_alone, common="✅")
_DONE = pattern(r"^\s*(?:[-*•+]|\d{1,3}[.)])?\s*(?:\[[xX]\]|✅|☑|~~)")
_SAYS_NEXT = Cues(lambda spoken: spoken.next_steps.says)
# What is named or put in brackets is not said; what is to be looked at is not known.
_ASIDE = pattern(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\([^)]*\)")
_BY_HAND = Cues(lambda spoken: spoken.next_steps.by_hand)
_SHORTEST, _LONGEST = 15, 300  # characters of what the user must do
_TO_BE_SEEN = Cues(lambda spoken: spoken.next_steps.unsure)


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


def manual_texts_of(said: Said) -> Iterator[str]:
    """Yield what a message says that the user must do by hand, in its own words."""
    for line in without_code(said.text):
        for sentence in () if _DONE.match(line) else sentences(line):
            leads = _BY_HAND.match(sentence)
            deed = sentence[leads.end() :] if leads else ""
            if _SHORTEST <= len(deed) <= _LONGEST and not is_question(sentence):
                yield deed


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
