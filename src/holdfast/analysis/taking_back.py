"""Which of their own rules the user took back later in the same session.

Said without a name ("forget that"), it means what was said just before. Said with one,
it must name most of the rule. Whatever is in doubt stays.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from holdfast.analysis.inheritance import FORBIDS, covers, revocations, words_in
from holdfast.analysis.prose import is_question, sentences
from holdfast.analysis.rule_cues import holds_anywhere
from holdfast.domain.checkpoint import Item
from holdfast.patterns import pattern

_POINTS_BACK = pattern(
    r"""^(?:(?:actually|ok|okay|no|wait|sorry|please|oh|hm+)[,\s]+)*(?:
        (?:forget|scratch|ignore|disregard|cancel)\s+(?:that|it|this|what\s+i\s+(?:just\s+)?said
          |my\s+last\s+(?:message|instruction|request)|about\s+(?:it|that))
      | never\s?mind(?:\s+(?:that|it|this))?
      | oubliez?\s+(?:ça|cela) | laissez?\s+tomber | olvida(?:lo|\s+eso) | vergiss\s+(?:das|es)
      | 算了 | 忘了[它这那]?[个吧]* | (?:今の|さっきの)?は?(?:忘れて|なしで) | (?:그건|방금\s건)?\s*(?:잊어|취소)
      | ลืม(?:มัน|ที่พูด)\S* | ช่างมัน | quên\s+(?:đi|nó|điều\s+đó) | bỏ\s+qua\s+(?:đi|điều\s+đó)
    )[吧了啦요]{0,2}(?:ください|下さい|주세요|ครับ|ค่ะ|đi)?\s*(?:[,.!;:。，！]|[-–—]\s|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_NAMES_A_RULE = pattern(
    r"\b(?:rules?|said|told|instructions?|requirement|about)\b|规则|說的|说的|ルール|규칙|กฎ|règle|regla|regel",
    re.IGNORECASE,
)
_SAYS_NO_MORE = frozenset(
    ["forget", "ignore", "disregard", "drop", "skip", "cancel", "scrap", "said", "told",
     "rule", "rules", "instruction", "instructions", "requirement", "earlier", "before",
     "actually", "okay", "now", "longer", "need", "again"]
)  # fmt: skip
_BESIDES = 5  # words
_ALLOWS = pattern(
    r"^(?:actually|ok|okay|fine|alright|now)?[,\s]*(?:you\s+(?:can|may)|it'?s\s+(?:ok|okay|fine|allowed)\s+to"
    r"|feel\s+free\s+to|tu\s+peux|puedes|du\s+(?:darfst|kannst)(?!\s+nicht)|可以|(?:今は|もう)?.*てもいい|이제\s.*해도\s?돼"
    r"|bạn\s+có\s+thể|ตอนนี้.*ได้แล้ว)",
    re.IGNORECASE,
)


def points_back(sentence: str) -> bool:
    """Say whether a sentence takes back what was said just before, without naming it."""
    return _POINTS_BACK.match(sentence) is not None


def taken_back(
    words: str, rules: Mapping[str, Item], last: Collection[str]
) -> frozenset[str]:
    """Return the keys of the rules that a prompt takes back.

    `last` are those that the prompt before it laid down.
    """
    if not rules:
        return frozenset()
    spoken = [s for s in sentences(words) if not is_question(s)]
    gone = set(_by_name(words, rules))
    if any(map(points_back, spoken)):
        gone.update(key for key in last if key in rules)
    for sentence in spoken:
        gone.update(_turned_around(sentence, rules))
    return frozenset(gone)


def _by_name(words: str, rules: Mapping[str, Item]) -> Iterator[str]:
    for revocation in revocations(words.casefold()):
        named = revocation.words - _SAYS_NO_MORE
        speaks_of_rules = _NAMES_A_RULE.search(words) is not None
        for key in rules:
            wanted = words_in(key)
            weak = revocation.is_weak and FORBIDS.search(key)
            is_meant = covers(revocation.words, wanted) or (
                speaks_of_rules and bool(named) and named <= wanted
            )
            if is_meant and not weak and revocation.sign not in key:
                yield key


def _turned_around(sentence: str, rules: Mapping[str, Item]) -> Iterator[str]:
    """Yield what a sentence allows that was forbidden, or forbids that was wanted."""
    folded = " ".join(sentence.casefold().split())
    spoken = words_in(folded)
    forbids = FORBIDS.search(folded) is not None
    forbids = forbids and holds_anywhere(sentence)
    allows = _ALLOWS.match(sentence) is not None and not forbids
    if not (allows or forbids):
        return
    for key in rules:
        was_forbidden = FORBIDS.search(key) is not None
        is_turned = (allows and was_forbidden) or (forbids and not was_forbidden)
        wanted = words_in(key)
        # Who speaks of much else does not speak of this rule.
        is_short = len(spoken) <= len(wanted) + _BESIDES
        if is_turned and is_short and key not in folded and covers(spoken, wanted):
            yield key
