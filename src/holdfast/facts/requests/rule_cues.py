"""How a sentence says that it holds from now on, language by language.

Two strengths: what says so anywhere in a sentence, and what says so only where the
sentence does not begin as a description ("it always fails", "ça ne marche toujours pas").
"""

import re

from holdfast.facts.requests import rule_shapes as shapes
from holdfast.kernel.lazy_patterns import pattern

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
_ENGLISH = rf"""
    {_CLAUSE}(?:pl(?:ea)?se?\s+)?(?:
        always | never | (?:do\s?n[o']t | do\s+not | dont){_NOT_DESCRIBED}
      | make\s+sure | be\s+sure | stop\s+\w+ing
      | only\s+(?:use|do|change|touch|add|edit|run|show|allow|write|fix|commit|test|keep|look|read)
      | (?:use|change|touch|edit|run)\s+(?:only|nothing)
      | remember\s+(?:to|that)
    )\b
  | {_BEGINNING}(?:avoid | prefer | ensure | only\s+(?:in|for) | keep\s+(?:it|the|every|each|all|in\s+mind|using|this|that))\b
  | (?<!\bto\s)(?<!\bcan\s)(?<!\bwe\s)(?<!\bI\s)(?<!\bwould\s)\bmake\s+sure\b
  | \bplease\s+(?:use|keep|stick|follow|no)\b
  | \b(?:must(?:n'?t)? | should(?:n'?t|\s+(?:not|never|always|only)) | shall\s+not
      | you\s+(?:should|need\s+to|have\s+to) | needs?\s+to\s+(?:be|stay) | not\s+allowed
      | no\s+need\s+to | I\s+(?:do\s?n'?t|do\s+not|never)\s+want
      | I(?:'d|\s+would)?\s+(?:prefere?|rather) | from\s+now\s+on | every\s+time\s+you
      | whenever\s+you | at\s+all\s+times | under\s+no\s+circumstances
      | no\s+matter\s+what | on\s+purpose | most\s+important
      | (?:top|first|highest)\s+priority | prioriti[sz]e | above\s+all )\b
  | ^(?:no|nope|wrong|not\s+quite|wait|again|stop)(?:[,:!.]|\s+(?=I\b|we\b|it\b|this|that|you\b
        |wait|remove|revert|keep|use|don|just|not\b)).{{15,}}
  | \b(?:is|was|are|were|that'?s|it'?s)\s+(?:still\s+)?(?:not\s+(?:correct|right|what)|wrong)\b
        (?!\s+(?:when|whenever|if|after|once)\b)  # that reports a fault
  | \bI\s+meant\b | \bI\s+mean\s+not\b | \byou\s+(?:forgot|misunderstood|missed)\b
  | ^(?:actually|sorry|correction)[,:]?\s+(?:please\s+)?(?:use|keep|make|put|leave|let'?s|call|name
      |rename|remove|drop|only|it\s+should|we\s+want|I\s+want|don'?t|do\s+not|never|always)\b
"""
_THAI = r"""
    ห้าม | อย่า(?!ง) | (?<!ไม่)ต้อง(?!การ) | ไม่ต้อง(?!การ) | เท่านั้น | เสมอ | ทุกครั้ง | ให้ใช้ | ควรใช้
  | กรุณาใช้ | ต่อจากนี้ | จากนี้ไป | ตั้งแต่นี้ | ไม่ใช่แบบนั้น | (?:ผม|ฉัน|ดิฉัน|เรา)หมายถึง | ผิดแล้ว | สำคัญที่สุด
"""
_KOREAN = r"""
    반드시 | 절대 | 지\s?(?:마|말)(?=$|[\s.!,요세고]) | 금지 | 꼭\s | 말고
  | 만\s?(?:사용|수정|변경|고쳐|고치|써) | 면\s?안\s?(?:돼|됩|되) | 야\s?(?:해|합니다|한다|돼|됩니다)
  | 그게\s?아니 | ^아니[요오]?[,\s] | [이가]\s?아니라 | 최우선 | 우선순위
  | (?:항상|언제나|앞으로|매번).*(?:세요|십시오|줘|주라|해라|하자|할\s?것|합니다)[\s.!]*$
"""
_JAPANESE = r"""
    必ず | ないで(?:ください|下さい|ほしい|$|[。！!\s]) | ては(?:いけ|なら|だめ) | 禁止 | 絶対 | 決して
  | なければ(?:なら|いけ) | ないと(?:いけ|だめ) | いけない | のみ | だけ(?:を)?(?:変更|使|修正|編集)
  | 使ってください | を使用して | 最優先 | を優先 | ^違(?:い|う) | ^そう(?:では|じゃ)な | ではなくて?[、\s]?.*(?:ください|下さい|ほしい|して|だ|です)[。！!\s]*$
  | (?:常に|いつも|今後|これから|毎回).*(?:ください|下さい|こと|して|する|ように)[。！!\s]*$
"""
_CHINESE = r"""
    (?<!要)不要 | 必须 | 必須 | 不可以 | 不得(?!不) | 务必 | 務必 | 禁止 | 一定要 | 始终 | 只能 | 只用 | 只[改动] | 只修改
  | 优先 | 請使用 | 请使用 | 请用 | 请保持 | 确保 | 统一 | 千万 | 别[用改动删加碰再] | 永远(?:不要|别|使用|用)
  | 不能(?:再|改|修改|用|使用|动|删|提交|推送|破坏|依赖|影响|超过|出现|直接|写死|丢) | 不用(?:改|管|写|加|动|处理|考虑)
  | 只需 | 一定(?:得|记得|不) | 应该(?:用|使用|放在|写|先|保持|返回) | 总是(?:要|用|使用)
  | (?:以后|今后|从现在(?:开始|起)).*[用要别不写] | 每次.*(?:要|必须|都)
  | ^(?:不对|不是|错了)[，,。！!\s] | 我[说指]的是 | 最重要 | 首要
"""
_FRENCH = r"""
    \b(?:il\s+faut | désormais | dorénavant | à\s+partir\s+de\s+maintenant | priorité | je\s+préfère
      | je\s+(?:voulais\s+dire|parlais\s+d) | c'est\s+faux | ce\s+n'est\s+pas\s+ce\s+que
      | tu\s+dois(?!\s+(?:avoir|être)) | vous\s+devez | je\s+ne\s+veux\s+pas | merci\s+de\s+ne | interdit | obligatoire | en\s+aucun\s+cas
      | le\s+plus\s+important | assure(?:-toi|z-vous) | veille[rz]?\s+à
      | ne\s+doi(?:t|s|vent)\s+(?:pas|jamais) | doi(?:t|vent)(?!\s+(?:avoir|marcher|fonctionner|passer)) )\b | \bje\s+parlais\s+d
"""
_FRENCH_WEAK = r"""
    \b(?:toujours | jamais | uniquement | évite[rz]? | seulement )\b
  | \bn(?:e\s|['’])\w+\s+(?:pas|jamais|plus|que|rien)\b | \bne\s+(?:pas|jamais)\b
"""
_SPANISH = r"""
    \b(?:a\s+partir\s+de\s+ahora | de\s+ahora\s+en\s+adelante | hay\s+que | prioridad | prefiero
      | me\s+refer[íi]a | quer[íi]a\s+decir | es(?:o|to)\s+(?:est[áa]\s+mal|no\s+es\s+(?:correcto|as[íi]))
      | aseg[úu]r(?:ate|ese) | no\s+quiero\s+que | bajo\s+ninguna\s+circunstancia | prohibido
      | lo\s+m[áa]s\s+importante | obligatorio | no\s+debe[ns]? | debe[ns]?(?!\s+(?:de|haber|funcionar|pasar|tardar)) )\b
"""
_SPANISH_WEAK = r"""
    \b(?:nunca | siempre | jam[áa]s | [úu]nicamente | evita[r]? )\b
  | \bs[oó]lo\s+(?:usa|cambia|toca|haz|modifica|edita)\w*
  | \bno\s+(?:uses|toques|cambies|hagas|modifiques|borres|escribas|agregues|añadas|pongas|subas
      |rompas|olvides|elimines|crees|ejecutes)\b
"""
_GERMAN = r"""
    \b(?:ab\s+(?:jetzt|sofort) | von\s+nun\s+an | auf\s+keinen\s+fall | (?:oberste|höchste)\s+priorität
      | hat\s+vorrang | ich\s+(?:bevorzuge|meinte) | ist\s+(?:falsch|nicht\s+(?:richtig|korrekt))
      | stell\w*\s+sicher | achte\s+darauf | d[aü]rf(?:st|en)?(?:\s+[^\s,]+){0,6}?\s+(?:nicht|nie|kein\w*) | du\s+(?:musst|sollst)
      | ich\s+(?:will|möchte)\s+(?:nicht|kein\w*) | am\s+wichtigsten | m[uü]ss(?:en)?(?!\s+(?:ich|wir)) | verboten )\b
"""
_GERMAN_WEAK = r"""
    \b(?:niemals | nie | immer(?!\s+(?:noch|wieder)) | vermeide | bevorzuge )\b
  | \bbitte\s+(?:nur|kein\w*|nicht|nutze|verwende|benutze|immer)\b
  | ^(?:bitte\s+)?(?:fass|ändere?|lösch\w*|nutze|verwende|benutze|schreib\w*|füg\w*|mach\w*|committe|push\w*
      |rühr\w*|entferne|starte|führe?|lass|bearbeite)\b[^,;:]*\b(?:nicht|kein\w*|nur)\b
"""
_VIETNAMESE_START = r"(?:^|[,;]\s*|\b(?:nhưng|hãy|bạn|anh|em|và)\s+)"
_VIETNAMESE = rf"""
    \b(?:từ\s+(?:giờ|nay) | không\s+bao\s+giờ | bắt\s+buộc | ưu\s+tiên | đừng | ý\s+tôi\s+là | sai\s+rồi
      | đảm\s+bảo\s+(?:rằng|mỗi|là|các|mọi) | tuyệt\s+đối | quan\s+trọng\s+nhất | cấm
      | chỉ\s+(?:dùng|sửa|sử\s+dụng|thay\s+đổi|được) )\b
  | ^không\s+phải,
  | {_VIETNAMESE_START}(?:không\s+được|luôn|phải|cần\s+phải|tránh)\b
"""
_FLAGS = re.VERBOSE | re.IGNORECASE
# Most sentences are plain ASCII, where half of the languages cannot be.
_IN_ASCII = (
    _ENGLISH, _FRENCH, _SPANISH, _GERMAN,
    shapes.ENGLISH, shapes.FRENCH, shapes.SPANISH, shapes.GERMAN,
)  # fmt: skip
_IN_OTHERS = (
    _THAI, _KOREAN, _JAPANESE, _CHINESE, _VIETNAMESE,
    shapes.THAI, shapes.KOREAN, shapes.JAPANESE, shapes.CHINESE, shapes.VIETNAMESE,
)  # fmt: skip
_ANYWHERE_ALL = pattern("|".join((*_IN_ASCII, *_IN_OTHERS)), _FLAGS)
_ANYWHERE_ASCII = pattern("|".join(_IN_ASCII), _FLAGS)
UNLESS_DESCRIBED = pattern(f"{_FRENCH_WEAK}|{_SPANISH_WEAK}|{_GERMAN_WEAK}", _FLAGS)
# How a sentence begins that tells of something: a subject, or what something always does.
DESCRIBES = pattern(
    r"""^(?:(?:oui|non|ok|mais|et|donc|alors|bon|sí|pero|y|aber|und|ja|also)[,\s]+)*(?:
        (?:je | ça | cela | cet? | cette | ces | c'est | il | elle | ils | elles | on | nous | le | la | les
          | une? | el | los | las | un[ao]s? | yo | es[ot][aoe]? | est[aoe] | es | das | die | der | dies\w*
          | ich | wir | er | sie | eine? | im | in\s+der )\b | [jl]['’]
      | siempre\s+(?:da|devuelve|falla|sale|pasa|es|hay|tengo|me|se|está|estoy)\b
      | nunca\s+(?:funciona|pasa|termina|he|se|me|lo|da|devuelve|llega)\b
      | no\s+sé\b | me\s+da\b
    )""",
    _FLAGS,
)
# Asked, though not always with a question mark.
ASKED = pattern(
    r"""^(?:(?:and|so|ok|now|or|but|also|then|well|hm+|wait|yes|yeah),?\s+)*(?:
          (?:can|could|would|should|shall|does|did|is|are|why|what|how|where|which|who)
            \s+(?:you|we|i|it|this|that|there|they|the)
        | do\s+(?:you|we|i|they|these|those))\b
      | ^should\s+(?:we|i|it|this|the)\b | ^¿
      | ^(?:est-ce | pourquoi | comment | quel\w* | faut-il | peux-tu | pouvez-vous)\b
      | ^(?:por\s+qué | cómo | qué | cuál | puedes | deberíamos)\b
      | ^(?:warum | wieso | weshalb | wie | was | soll(?:en|te|ten)? | kannst | können\s+wir | darf\s+ich)\b
      | ^(?:tại\s+sao | vì\s+sao | làm\s+sao | có\s+phải | có\s+nên)\b | \bkhông[\s.]*$
      | ทำไม | ตรงไหน | ที่ไหน | อย่างไร | ยังไง | อะไร | เมื่อไหร่ | หรือยัง
      | ^왜\s | 어떻게 | ^なぜ | ^どう(?:して|やって|すれば)
      | 为什么 | 為什麼 | 怎么 | 要不要 | 是否 | (?<!功)能不能 | 是不是
    """,
    _FLAGS,
)
# Somebody else's words, told: "the log says: you must restart".
REPORTED = pattern(
    r"(?<!\bi )(?<!\bwe )\b(?:says?|said|reads?|states?|prints?|printed|shows?|warns?|complains?)"
    r"(?:\s+that)?\s*:",
    re.IGNORECASE,
)
# What stands in quotation marks or backticks is named, not said.
QUOTED = pattern(
    r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』"
)
CODE = pattern(
    r"^\s*(?://|at |go: |[⏺⎿❯✓✗]|v \* |File \"|\d+:|import |const |def |func |[+-]{2,}|[$❯>|{}<])"
)


def holds_anywhere(sentence: str) -> bool:
    """Say whether a sentence holds from now on, wherever in it that is said."""
    cues = _ANYWHERE_ASCII if sentence.isascii() else _ANYWHERE_ALL
    return cues.search(sentence) is not None
