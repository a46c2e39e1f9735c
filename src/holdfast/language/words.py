"""Which words carry meaning, and whether a text speaks of a thing by most of them.

A language has several lists of words that do not: docs/design/013-a-language-is-a-file.md.
"""

import re
from functools import cache, lru_cache
from typing import Literal

from holdfast.language.languages import Cues, latin_letters

_MOST_OF = 0.6  # share of an item's words that a prompt must have to speak of it
FEWEST_WORDS = 2
_SHORTEST_WORD = 3
UNSPACED = "\u0e00"  # where such scripts begin; they are compared by pairs
FORBIDS = Cues(lambda spoken: spoken.rules.forbids)


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
        elif len(run) >= _SHORTEST_WORD and run not in word_list("unspoken"):
            found.add(run)
    return frozenset(found)


@cache
def word_list(
    name: Literal["small", "common", "unspoken", "fillers", "articles", "negations"],
) -> frozenset[str]:
    """Return a list of words in the languages with Latin letters, by its name there."""
    lists = (getattr(each.words, name).split() for each in latin_letters())
    return frozenset(word for words in lists for word in words)


# Compiled when first needed: a hook that only asks what was left open pays for none.
@cache
def runs_of() -> re.Pattern[str]:
    """Return what a word is, or a run of a script that puts no space between words."""
    return re.compile(
        r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
        r"|[^\W_]+"
    )
