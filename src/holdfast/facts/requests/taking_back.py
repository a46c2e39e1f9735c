"""Which of the user's rules a prompt takes back, of this session and of earlier ones.

Said without a name ("forget that"), it means what was said just before. Said with one,
it must name most of the rule. Whatever is in doubt stays.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache

from holdfast.facts.requests.rule_cues import holds_anywhere
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.prose import is_question, sentences
from holdfast.language.speaking_of import (
    FEWEST_WORDS,
    FORBIDS,
    UNSPACED,
    covers,
    words_in,
)

_POINTS_BACK = pattern(
    r"""^(?:(?:actually|ok|okay|no|wait|sorry|please|oh|hm+)[,\s]+)*(?:
        (?:forget|scratch|ignore|disregard|cancel)\s+(?:that|it|this|what\s+i\s+(?:just\s+)?said
          |my\s+last\s+(?:message|instruction|request)|about\s+(?:it|that))
      | never\s?mind(?:\s+(?:that|it|this))?
      | oubliez?\s+(?:ça|cela) | laissez?\s+tomber | olvida(?:lo|\s+eso) | vergiss\s+(?:das|es)
      | (?:that|this)\s+rule\s+(?:no\s+longer\s+applies|is\s+(?:gone|off|void)) | (?:diese|die)\s+regel\s+gilt\s+nicht\s+mehr
      | cette\s+règle\s+ne\s+s['’]applique\s+plus | esa\s+regla\s+ya\s+no\s+(?:aplica|vale)
      | (?:这|那)条规则(?:不再适用|作废|取消) | 算了 | 忘了[它这那]?[个吧]* | (?:今の|さっきの)?は?(?:忘れて|なしで) | (?:그건|방금\s건)?\s*(?:잊어|취소)
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
_SENTENCE_END = pattern(r"[.!;](?=\s|$)|[。！；\n]|(?<=[?？])")
_BESIDES, _BESIDES_IN_PAIRS = 5, 15  # words, or pairs of characters
_ALLOWS = pattern(
    r"""^(?:(?:actually|ok|okay|fine|alright|now|jetzt|ahora|maintenant)[,\s]+)?(?:you\s+(?:can|may)
      | it'?s\s+(?:ok|okay|fine|allowed)\s+to | feel\s+free\s+to | tu\s+peux | vous\s+pouvez | puedes | ya\s+puedes
      | du\s+(?:darfst|kannst)(?!\s+nicht) | bạn\s+có\s+thể | giờ\s+(?:bạn\s+)?có\s+thể)\b
  | \b(?:is|are)\s+(?:fine|ok|okay|allowed|welcome)\s+(?:again|now|after\s+all)\b
  | \b(?:ist|sind|darf\w*|dürfen)\s+(?:\S+\s+){0,5}?(?:jetzt\s+)?wieder\b(?!.*\bnicht\b)
  | \b(?:est|sont)\s+(?:de\s+nouveau|à\s+nouveau)\s+(?:permis|autorisé|ok)
  | (?<!不)可以 | ても?(?:いい|良い|大丈夫|構わない|構いません|かまいません) | [아어해여써]도\s?(?:돼|됩니다|괜찮) | ได้(?:แล้ว|อีกครั้ง)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What makes a rule of a sentence is not what the rule is about.
_ONLY_RULES = pattern(
    r"\b(?:always|never|please|immer|nie(?:mals)?|bitte|toujours|jamais|siempre|nunca|luôn|đừng|không\s+được)\b"
    r"|千万|不要|别|禁止|必须|不许|不准|务必|一定要|ห้าม|อย่า|ต้อง|เสมอ|ทุกครั้ง"
    r"|必ず|絶対に?|ないで(?:ください|下さい)?|ないこと|ください|지\s?(?:마세요|마|말아\S*)|절대|반드시|항상"
)
# What takes back and cannot be meant as a rule itself.
_ONLY_TAKES_BACK = pattern(
    r"^\W*(?:forget|disregard|oubli|vergiss|olvid)|ยกเลิก|取消|忘[记掉了]|忘れて|取り消|잊어|취소"
    r"|no\s+longer\s+appl|gilt\s+nicht\s+mehr|作废|不再适用",
    re.IGNORECASE,
)


def points_back(sentence: str) -> bool:
    """Say whether a sentence takes back what was said just before, without naming it."""
    return _POINTS_BACK.match(sentence) is not None


class TakenBack(NamedTuple):
    """What a prompt ends, and the sentences of it that do, which are no rules."""

    rules: frozenset[str]
    said: frozenset[str]


class Revocation(NamedTuple):
    """A sentence in which the user takes something back."""

    sign: str  # the words that say so
    is_weak: bool  # "no longer" also confirms what was forbidden before
    words: frozenset[str]


def taken_back(
    words: str, rules: Collection[str], last: Collection[str] = ()
) -> TakenBack:
    """Return which rules a prompt takes back, by their folded text.

    `last` are those that the prompt before it laid down.
    """
    gone: set[str] = set()
    said: set[str] = set()
    for sentence in sentences(words):
        if is_question(sentence):
            continue
        ended = {*_by_name(sentence, rules), *_allowed(sentence, rules)}
        if points_back(sentence):
            ended.update(key for key in last if key in rules)
        is_of_rules = _NAMES_A_RULE.search(sentence) is not None
        if ended or (is_of_rules and _ONLY_TAKES_BACK.search(sentence)):
            said.add(sentence)
        gone.update(ended, _forbidden(sentence, rules))
    return TakenBack(frozenset(gone), frozenset(said))


def revocations(prompt: str) -> Iterator[Revocation]:
    """Yield the sentences of a prompt, folded to one case, that take something back."""
    for sentence in _SENTENCE_END.split(prompt):
        bare = sentence.strip()
        if not bare or bare[-1] in "?？":
            continue
        if found := _takes_back().search(bare):
            yield Revocation(found[1] or found[2], is_weak=False, words=words_in(bare))
        elif found := _ends().search(bare):
            yield Revocation(found[0], is_weak=True, words=words_in(bare))


def _by_name(sentence: str, rules: Collection[str]) -> Iterator[str]:
    speaks_of_rules = _NAMES_A_RULE.search(sentence) is not None
    for revocation in revocations(sentence.casefold()):
        named = revocation.words - _SAYS_NO_MORE
        for key in rules:
            weak = revocation.is_weak and FORBIDS.search(key)
            is_meant = covers(revocation.words, _about(key)) or (
                speaks_of_rules and bool(named) and named <= words_in(key)
            )
            if is_meant and not weak and revocation.sign not in key:
                yield key


def _allowed(sentence: str, rules: Collection[str]) -> Iterator[str]:
    """Yield what a sentence allows that was forbidden."""
    if _ALLOWS.search(sentence) and not _forbids(sentence):
        yield from (k for k in _spoken_of(sentence, rules) if FORBIDS.search(k))


def _forbidden(sentence: str, rules: Collection[str]) -> Iterator[str]:
    """Yield what a sentence forbids that was wanted: it is a rule in its place."""
    if _forbids(sentence):
        yield from (k for k in _spoken_of(sentence, rules) if not FORBIDS.search(k))


def _forbids(sentence: str) -> bool:
    return bool(FORBIDS.search(sentence.casefold())) and holds_anywhere(sentence)


def _spoken_of(sentence: str, rules: Collection[str]) -> Iterator[str]:
    folded = " ".join(sentence.casefold().split())
    spoken = words_in(folded)
    besides = _BESIDES if max(folded) < UNSPACED else _BESIDES_IN_PAIRS
    for key in rules:
        # Who speaks of much else does not speak of this rule.
        is_short = len(spoken) <= len(words_in(key)) + besides
        if is_short and key not in folded and covers(spoken, _about(key)):
            yield key


def _about(key: str) -> frozenset[str]:
    """Return what a rule is about: its words without those that make it one."""
    about = words_in(_ONLY_RULES.sub(" ", key))
    return about if len(about) >= FEWEST_WORDS else words_in(key)


@cache
def _takes_back() -> re.Pattern[str]:
    """Return how a sentence says that something is to be forgotten."""
    return re.compile(
        r"""^(?:\W*\b(?:ok|okay|please|actually|now|and|so|then|just|lets|let's|you\scan|we\scan
              |yes|no(?=,)|alors|bitte|por\sfavor)\b){0,3}
            \W*\b(forget|ignore|disregard|drop|skip|cancel|scrap|abandon|never\s?mind
              |oubli(?:e|ez|ons)|ignorez|laissez?\stomber|annulez?|vergiss|vergesst|ignoriere
              |olvid(?:a|e|ad)|ignora|cancela|esque(?:ce|ça))\b(?!\s(?:pas|nicht)\b)
          | (\bno\slonger\s(?:appl(?:y|ies)|holds?|counts?|valid|needed|necessary|required)\b | \bgilt\snicht\smehr\b
          | \bs['’]applique\splus\b | \bya\sno\s(?:aplica|vale|hace\sfalta)\b | không\scòn\s(?:áp\sdụng|cần) | もう(?:適用|無効|必要ない)
          | \bno\sneed\s(?:to|for)\b | \bnot\sneeded\b | ไม่ต้อง | ยกเลิก | เลิกใช้ | (?<!อย่า)ลืม
          | 잊어 | 무시(?!하지) | 취소 | 필요\s?없 | 忘れて | 無視して | もう不要 | 取り消 | 必要(?:は)?ない
          | (?<!不要)(?<!别)忘(?:记|掉|了) | (?<!不要)(?<!别)忽略 | 取消 | 不用再 | 不需要)
        """,
        re.VERBOSE,
    )


@cache
def _ends() -> re.Pattern[str]:
    """Return how a sentence says that something is no longer so."""
    return re.compile(
        r"\bno\slonger\b|\bany\s?more\b|\bplus\sbesoin\b|\bnicht\smehr\b|\bya\sno\b"
        r"|\bnão\smais\b|더\s?이상|不再"
    )
