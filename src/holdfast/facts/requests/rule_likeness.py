"""What has the words of a rule and is none: an answer, a guess, a report, a comfort.

Such words are left out of a sentence before rules are looked for in it; what else the
sentence says still counts: "no, it still fails, but don't touch the schema".
"""

import re

from holdfast.kernel.lazy_patterns import pattern

_DID = r"(?:been|come|done|forgotten|gone|got|had|left|lost|made|put|seen|sent|slipped)"
# "No" before what somebody found, thinks or did corrects nobody.
_ANSWERS = r"""
    ^(?:no|nope|wait|again|stop)[,.!:]?\s+(?:
        (?:I\s+(?:think|guess|believe|feel|suppose|assume)\s+)?
        (?:(?:this|that|it|these|those|they|everything|all)(?:\s+one)?)
        (?:['’]s|['’]re|\s+(?:is|are|was|were|looks?|seems?|still|already|just))*\s+
        (?:fine|ok(?:ay)?|good|great|perfect|enough|better|the\s+same|broken|works?|worked|fails?|failed
          |happens?|happened|crash\w*|hangs?|there|gone|done|too)\b
      | (?:it|that|this)\s+was\s+(?:just\s+|only\s+)?(?:the|an?|my|me|because)\b(?![^;.]*\bnot\b)
      | I\s+need\s+to\s+(?:think|check|look|go|read|see)\b
      | (?:era|fue)\b
      | I(?:['’]m|\s+am)\s+not\s+sure\b
      | I\s+(?:have\s?n['’o]t|have\s+not|did\s?n['’]t|did\s+not|can(?:['’]t|not)|could\s?n['’]t|don['’]?t\s+(?:know|think|see|remember)
          |already|just|did|tried|checked|was)\b
    )
  | ^(?:ah+|oh|i\s+see)[,\s]+so\b[^.;]*\bwrong\b
  | \b(?:is|are|was|were)\s+(?:wrong|not\s+(?:right|correct))\s+then\b
"""
_GUESSES = rf"""
    \bI\s+must\s+(?:say|admit|confess)\b
  | \bmust\s+(?:have\s+(?:(?!need|feed|seed)\w+ed|{_DID})\b
      | be\s+(?:a\s+(?:bug|reason|way|problem|mistake|typo|race|misunderstanding)|something|some(?:one|body|where|how)
          |because|due|why|how|what)\b)
  | (?:^|\b(?:this|that|it|which|there)\s+)should(?:n['’]?t|\s+(?:not|never))\s+(?:really\s+|even\s+)?(?:
        be\s+(?:an?\s+|any\s+|too\s+|that\s+|much\s+)?
            (?:problem|issue|hard|difficult|big|much|bad|long|slow|trouble|necessary|needed)
      | matter | take | hurt | happen | occur | differ | make\s+a\s+difference | have\s+(?:been|happened|changed)
    )\b
  | \byou\s+should\s+(?:(?:now|already|then)\s+)*(?:see|be\s+able|get|find|notice
      |have\s+(?:access|everything|all|the|an?|it|enough|now|permissions?|got|received))\b
"""
_REPORTS = r"""
    \b(?:always|never)\s+(?!(?:this|its|thus|yes|need|feed|embed|seed|exceed|proceed|speed|shed)\b)
        (?:\w+[^su\W]s|\w{2,}ed|is|was|were|are|has|had|got|saw|came|went|ran|made|gave|took)\b
  | ^(?:they|these|those|some|most|many|both|the\s+\w+s)\s+(?!are\b|were\b|look|should|must|can\b)[^,;:.!?]*
        \b(?:and|but|so)\s+(?:don['’]?t|do\s+not)\b
  | \b(?:docs?|documentation|notes|manual|readme|page|error|message|logs?|output|linter|compiler|CI|it)
        \s+(?:still\s+)?(?:says?|said|claims?|states?|suggests?|recommends?|complains?)\s[^,;]*
  | \bif\s+you\s+(?:need|have)\s+to\s+(?:see|know|look|check|read|find)\b
  | \blet\s+me\s+know\s+if\s+you\s+(?:need|have)\s+to\b
  | \byou\s+(?:forgot|missed)\s+nothing\b
"""
_COMFORTS = r"""
    (?:\bdo(?:n['’]?t|\s+not)|\bno\s+need\s+to)\s+(?:worry|bother|panic|hurry|rush|apologi[sz]e|be\s+sorry)
        (?:\s+about\s+(?:it|that|this))?(?=\s*(?:[,.!;)–—-]|$))
  | \bnever\s?mind\b(?=\s*(?:[,.!;)–—-]|$|it\b|that\b|this\b))
  | \bkeep\s+it\s+up\b(?!\s+to\b)
"""
# "Don't fix anything, just look" says how far the request goes, not how to work.
_THIS_TIME = r"""
    \bdo(?:n['’]?t|\s+not)\s+\w+\s+(?:anything|it|this|that|them|any\s+\w+)\b[^.;]{0,20}?[,\s–—-]+(?:but\s+)?just\s+\w+
"""
_IN_OTHER_LANGUAGES = r"""
    ^아니[요오]?[,\s]+(?:괜찮|좋|됐|충분|문제\s?없)
  | ^(?:不对|不是)[，,\s]+(?:我(?:觉得|认为|想))?\S{0,6}(?:可以|没问题|挺好|不错|够了)
  | ^違(?:い|う)\S*[、,\s]+(?:大丈夫|問題)
  | \b(?:ça|cela)\s+doit\s+(?:être|venir) | \bil\s+doit\s+y\s+avoir\s+une?\s+(?:bug|erreur|problème)
  | \b(?:es|das|da)\s+muss\s+(?:am|an|wohl|irgend\w*|ein\w*\s+(?:fehler|bug|problem))\b
  | \bdebe\s+(?:ser|haber)\s+(?:un|algún|algo|por)\b
  | \bich\s+muss\b | \bmuss\s+(?:am|an|im|in)\s[^,;]{1,60}\bliegen\b | \bdu\s+musst\s+(?:es\s+)?selb(?:st|er)\s+wissen\b
  | \bwir\s+müssen\s+(?:das|es|uns)\s[^,;]{0,60}\b(?:an)?(?:sehen|schauen|reden|überlegen)\b
  | \bil\s+faut\s+(?:environ\s+)?\d
  | 必ず[^。、]{0,40}(?:出|失敗し?|失敗す|落ち|発生し|起き|再現し|なり)(?:ます|る)[。！!\s]*$
  | 必须(?:重启|刷新|重新)[^，。]{0,12}才
  | 반드시\s[^.,]{0,40}(?:에러|오류|실패)[^.,]{0,10}(?:나요|납니다|해요|합니다|떠요)[.!]*$
  | \bphải\s[^,;]{1,40}\smới\s+(?:chạy|được|hết)\b | ต้อง\S{1,40}ถึงจะ
"""
_LIKE_RULES = pattern(
    f"{_ANSWERS}|{_GUESSES}|{_REPORTS}|{_COMFORTS}|{_THIS_TIME}|{_IN_OTHER_LANGUAGES}",
    re.VERBOSE | re.IGNORECASE,
)


def without_likeness(sentence: str) -> str:
    """Return a sentence without the words in it that only sound like a rule."""
    return _LIKE_RULES.sub("“”", sentence)
