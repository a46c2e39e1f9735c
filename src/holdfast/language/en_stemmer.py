"""English words to what their forms share: `rotating`, `rotation` and `rotates` alike.

M. F. Porter's rules of 1980, after forms that no rule tells (`wrote`) became their word.
The result need not be a word, and a word of another language loses at most an ending:
both sides of a search go through here. The forms that no ending tells are a closed list of
the grammar: left out are those that are mostly another word (`bit`, `lives`, `ground`) and
those that are no different from their word (`set`, `read`).
"""

from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern

MOST_KNOWN = 16_384
_SHORTEST = 3

# Letters with accents count as vowels; `y` is one after a consonant. Said by what is
# not a vowel: a set up to the end of Unicode takes 20 ms to compile.
_NO_VOWEL = r"\x00-`b-df-hj-np-tv-z{-\x7f"
_V = rf"(?:[^{_NO_VOWEL}]|(?<=[{_NO_VOWEL}])y)"
_C = rf"(?:(?!y)[{_NO_VOWEL}]|(?<![{_NO_VOWEL}])y)"
_HAS_VOWEL = pattern(_V)
_MEASURED = pattern(rf"{_V}+{_C}")  # as often as a vowel is followed by a consonant
_SHORT_END = pattern(rf"{_C}{_V}(?![wxy]){_C}$")
_ADVERBS = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al",
    "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_SHORTER = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic",
    "ful": "", "ness": "",
}  # fmt: skip
_ENDINGS = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti",
    "ous", "ive", "ize", "sion", "tion", "al", "er", "ic", "ou",
)  # fmt: skip

_VERBS = """
    become became, begin began begun, bend bent, bind bound, bleed bled, blow blew blown,
    break broke broken, breed bred, bring brought, build built, burn burnt, buy bought,
    catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt,
    dig dug, do done, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven,
    eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found,
    flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
    forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given,
    go goes went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held,
    keep kept, know knew known, lay laid, lead led, learn learnt, leave left, lend lent,
    lose lost, make made, mean meant, meet met, mistake mistook mistaken,
    override overrode overridden, overwrite overwrote overwritten, pay paid,
    rebuild rebuilt, redo redid redone, resend resent, rethink rethought,
    rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise rose risen,
    run ran, say said, see saw seen, seek sought, sell sold, send sent,
    shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk,
    sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken,
    spend spent, spin spun, stand stood, steal stole stolen, stick stuck,
    strike struck stricken, swear swore sworn, sweep swept, swim swam swum, swing swung,
    take took taken, teach taught, tear tore torn, tell told, think thought,
    throw threw thrown, understand understood, undo undid undone, unwind unwound,
    wake woke woken, wear wore worn, weave wove woven, win won, wind wound,
    withdraw withdrew withdrawn, write wrote written
"""
_NOUNS = """
    analysis analyses, child children, criterion criteria, foot feet, goose geese,
    half halves, hypothesis hypotheses, index indices, knife knives, man men,
    matrix matrices, mouse mice, person people, phenomenon phenomena, shelf shelves,
    tooth teeth, vertex vertices, wife wives, woman women
"""


@lru_cache(MOST_KNOWN)
def stem(word: str) -> str:
    """Return what the forms of a lower-case word share."""
    if len(word) < _SHORTEST:
        return word
    word = _without_past(_without_plural(BASES.get(word, word)))
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, _ADVERBS), _SHORTER)
    return _without_e(_without_ending(word))


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    ending = next((e for e in ("ing", "ed") if word.endswith(e)), "")
    base = word.removesuffix(ending)
    if not ending or not _HAS_VOWEL.search(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    return base + "e" if _measure(base) == 1 and _SHORT_END.search(base) else base


def _replaced(word: str, endings: dict[str, str]) -> str:
    """Return the word with its longest ending of a table replaced."""
    for size in range(min(7, len(word)), 1, -1):
        instead = endings.get(word[-size:])
        if instead is not None:
            base = word[:-size]
            return base + instead if _measure(base) > 0 else word
    return word


def _without_ending(word: str) -> str:
    ending = next((e for e in _ENDINGS if word.endswith(e)), "")
    if ending in ("sion", "tion"):
        ending = "ion"
    base = word.removesuffix(ending)
    return base if ending and _measure(base) > 1 else word


def _without_e(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _SHORT_END.search(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _measure(base: str) -> int:
    return len(_MEASURED.findall(base))


def _bases() -> dict[str, str]:
    entries = (entry.split() for entry in f"{_VERBS},{_NOUNS}".split(","))
    return {form: base for base, *forms in entries for form in forms}


BASES = _bases()
