"""Which of the user's sentences hold beyond the request they stood in.

Whole sentences, verbatim: rules, corrections and priorities. A question or a plain
request is none. Only what the user typed is looked at, so no tool can give one.
"""

import re
from collections.abc import Iterator, Sequence

from holdfast.analysis.prose import is_question, sentences
from holdfast.analysis.requests import is_request, words_of
from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Turn

_SHORTEST, _LONGEST = 6, 400  # characters of a sentence that can be a rule
_MOST = 60
# Where an imperative can begin in English: not after a subject, as in "I don't know".
_CLAUSE = r"""(?:^["'(]?|[,;:(–—]\s*|\s-\s|\b(?:please|but|and|so|then|also|just|let'?s|yes|ok)\s+)"""
# A narrower place for verbs that also tell of someone else: "and avoid the issue".
_BEGINNING = (
    r"""(?:^["'(]?|[:(–—]\s*|\s-\s|\b(?:please|but|also|just|let'?s|fine,)\s+)"""
)
_NOT_DESCRIBED = (
    r"(?!\s+(?:know|think|see|understand|recall|remember|have|get|mean|you|we|they|mind"
    r"|believe|expect|seem|need\s+it|work)\b)"
)
_CUES = re.compile(
    rf"""
    {_CLAUSE}(?:pl(?:ea)?se?\s+)?(?:
        always | never | (?:do\s?n[o']t | do\s+not | dont){_NOT_DESCRIBED}
      | make\s+sure | be\s+sure | stop\s+\w+ing
      | only\s+(?:use|do|change|touch|add|edit|run|show|allow|write|fix|commit|test|keep|in|for)
      | remember\s+(?:to|that)
    )\b
  | {_BEGINNING}(?:avoid | prefer | ensure | keep\s+(?:it|the|in\s+mind|using|this|that))\b
  | \bplease\s+(?:use|keep|stick|follow|no)\b
  | \b(?:must(?:n'?t)? | should(?:n'?t|\s+(?:not|never|always|only)) | shall\s+not
      | you\s+(?:should|need\s+to|have\s+to) | needs?\s+to\s+(?:be|stay) | not\s+allowed
      | no\s+need\s+to | I\s+(?:do\s?n'?t|do\s+not|never)\s+want
      | I(?:'d|\s+would)?\s+(?:prefere?|rather) | from\s+now\s+on | every\s+time\s+you
      | whenever\s+you | at\s+all\s+times | under\s+no\s+circumstances
      | no\s+matter\s+what | on\s+purpose | most\s+important
      | (?:top|first|highest)\s+priority | prioriti[sz]e | above\s+all )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"""^(?:no|nope|wrong|not\s+quite|wait|again|stop)(?:[,:!.]|\s+(?=I\b|we\b|it\b|this|that|you\b
        |wait|remove|revert|keep|use|don|just|not\b))(?!\s*(?:this|it|that)\s+is\s+(?:fine|ok|good)).{15,}
      | \b(?:is|was|are|were|that'?s|it'?s)\s+(?:still\s+)?(?:not\s+(?:correct|right|what)|wrong)\b
      | \bI\s+meant\b | \bI\s+mean\s+not\b | \byou\s+(?:forgot|misunderstood|missed)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Asked, though not always with a question mark.
_ASKED = re.compile(
    r"^(?:and\s+|so\s+|ok,?\s+|now\s+)?(?:can|could|would|should|shall|do|does|did|is|are|why"
    r"|what|how|where|which|who)\s+(?:you|we|i|it|this|that|there|the)\b",
    re.IGNORECASE,
)
_OTHER_LANGUAGES = re.compile(
    r"""ห้าม|อย่า|ต้อง(?!การ)|เท่านั้น|เสมอ|ทุกครั้ง|ให้ใช้|ควรใช้|กรุณาใช้
      | 반드시|항상|절대|하지\s?마|하지\s?말|지\s?마세요|금지|꼭\s|만\s?사용|말고|해야\s?(?:해|합니다|한다)
      | 必ず|しないで|禁止|常に|絶対|決して|いけない|しなければ|使ってください|を使用して|のみ
      | 不要|必须|必須|不能|不可以|务必|務必|禁止|一定要|总是|始终|永远|只能|只用|优先|请使用|请用|请保持|确保|统一|别用|别改
      | \b(?:jamais|toujours|uniquement|il\s+faut|évite[rz]?|préfère[rz]?|assure-toi|veille[rz]?)\b
      | \bn(?:e\s|')\w+\s+(?:pas|jamais|plus)\b | \bne\s+(?:pas|jamais)\b
      | \b(?:nunca|siempre|jamás|únicamente|evita[r]?|prefiero|asegúrate|hay\s+que|debe[ns]?)\b
      | \b(?:solo|sólo)\s+(?:usa|cambia|toca|haz)\w* | \bno\s+(?:uses|toques|cambies|hagas|modifiques|borres|escribas)\b
      | \b(?:niemals|immer|auf\s+keinen\s+fall|bevorzuge|vermeide|stell\w*\s+sicher|achte\s+darauf)\b
      | \bbitte\s+(?:nur|kein\w*|nicht|nutze|verwende|benutze)\b | \bdarf(?:st)?\s+(?:nicht|kein)\w*
      | \b(?:không\s+được|phải|luôn|đừng|không\s+bao\s+giờ|bắt\s+buộc|ưu\s+tiên|chỉ\s+(?:dùng|sửa|sử\s+dụng))\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CODE = re.compile(
    r"^\s*(?://|at |go: |[⏺⎿❯✓✗]|v \* |File \"|\d+:|import |const |def |func |[+-]{2,}|[$❯>|{}<])"
)


def instructions_of(turns: Sequence[Turn]) -> tuple[Item, ...]:
    """Return the user's rules, corrections and priorities, oldest first, each once."""
    found: dict[str, Item] = {}
    for turn in turns:
        if not is_request(turn):
            continue
        for sentence in _rules(words_of(turn)):
            key = " ".join(sentence.lower().split())
            found.setdefault(key, Item(sentence, "user", (turn.uuid,), sentence[:300]))
    return tuple(found.values())[-_MOST:]


def is_rule(sentence: str) -> bool:
    """Say whether a sentence holds beyond the moment it was said in."""
    if not _SHORTEST <= len(sentence) <= _LONGEST or sentence.endswith((":", "：")):
        return False
    if _CODE.match(sentence) or _ASKED.match(sentence) or is_question(sentence):
        return False
    return bool(
        _CUES.search(sentence)
        or _OTHER_LANGUAGES.search(sentence)
        or _CORRECTION.search(sentence)
    )


def _rules(words: str) -> Iterator[str]:
    for sentence in sentences(words):
        if is_rule(sentence):
            yield sentence
