"""Whether a text speaks of a thing: by most of the words that carry meaning."""

import re
from functools import cache, lru_cache

from holdfast.kernel.lazy_patterns import pattern

_MOST_OF = 0.6  # share of an item's words that a prompt must have to speak of it
FEWEST_WORDS = 2
_SHORTEST_WORD = 3
_STOP_WORDS = frozenset(
    [
        "the", "and", "for", "with", "that", "this", "from", "into", "not", "but",
        "are", "was", "were", "will", "can", "should", "must", "have", "has", "had",
        "you", "your", "our", "its", "use", "using", "when", "then", "than", "them",
        "they", "all", "any", "each", "also", "only", "just", "please", "don", "does",
        "make", "sure", "after", "before", "about", "there", "here", "what", "which",
        "who", "how", "why",
    ]
)  # fmt: skip
UNSPACED = "\u0e00"  # where such scripts begin; they are compared by pairs
FORBIDS = pattern(
    r"\b(?:not?|never|without|avoid|nicht|kein\w*|pas|jamais|nunca|sin|nie(?:mals)?|đừng|không|cấm)\b|n't\b"
    r"|ไม่|ห้าม|อย่า|않|말|지\s?마|금지|ない|しない|禁止|不|别|勿"
)


def covers(words: frozenset[str], wanted: frozenset[str]) -> bool:
    """Say whether most of the wanted words are there, and more than a chance one."""
    if not wanted:
        return False
    found = len(words & wanted)
    return found >= min(FEWEST_WORDS, len(wanted)) and found >= _MOST_OF * len(wanted)


@lru_cache(maxsize=512)  # each rule is asked by each prompt after it
def words_in(folded: str) -> frozenset[str]:
    """Return the words of a text that carry meaning."""
    found: set[str] = set()
    for run in runs_of().findall(folded):
        if run[0] >= UNSPACED:
            found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif len(run) >= _SHORTEST_WORD and run not in _STOP_WORDS:
            found.add(run)
    return frozenset(found)


# Compiled when first needed: a hook that only asks what was left open pays for none.
@cache
def runs_of() -> re.Pattern[str]:
    """Return what a word is, or a run of a script that puts no space between words."""
    return re.compile(
        r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
        r"|[^\W_]+"
    )
