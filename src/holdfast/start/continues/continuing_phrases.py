"""What people say when they go on with their work, or do not: phrases in six languages."""

import re

from holdfast.kernel.lazy_patterns import pattern

# Stands before what is said, and says nothing itself.
FILLER = pattern(
    r"""^(?:(?:hi|hey|hello|yo|good\s+(?:morning|evening)|morning|evening|ok|okay|okey|alright
          |all\s+right|right|yes|yeah|yep|yup|sure|cool|great|nice|perfect|fine|lgtm|got\s+it
          |(?:sounds|looks)\s+good|no\s+problem|good|thanks|thank\s+you
          |please|pls|so|and|now|then|well|hm+|let'?s|can\s+you|could\s+you|just
          |bonjour|salut|coucou|oui|bon|alors|allez|d'accord|merci|parfait|on|et|donc
          |สวัสดี(?:ครับ|ค่ะ)?|โอเค|ตกลง|ครับ|ค่ะ|งั้น|안녕(?:하세요)?|(?:네|예|응|그래|자|그럼)(?![가-힣])|좋아요?|그대로|이거|그거
          |こんにちは|おはよう(?:ございます)?|はい|では|じゃあ|よし
          |你好|您好|嗨|没问题|嗯|来吧|好的?|行|可以|那|请|我们|咱们)(?!\w*[a-zà-ÿ])[\s,，、.!！。?]*)+""",
    re.VERBOSE,
)
# Nothing but a word of consent: what was proposed is wanted.
AGREES = pattern(
    r"(?:.*[\s,])?(?:ok|okay|yes|yeah|yep|yup|sure|oui|d'accord|โอเค|ตกลง|네|예|응|그래|はい|好的?|行|可以)\W*$"
)
# Says "the work before" wherever it stands.
STRONG = pattern(
    r"""\b(?:where\s+(?:we|you|i)\s+(?:left|stopped)|where\s+(?:were|are)\s+we
      |(?:where|how\s+far)\s+did\s+(?:we|you)\s+(?:get|stop|leave)|left\s+off
      |pick(?:ing)?\s+(?:(?:it|this|that)\s+)?(?:back\s+)?up\s+(?:again|where|from)
      |coming\s+along|the\s+remaining\s+\w+\W*$|what'?s\s+(?:left|next|still)|what\s+else\s+is\s+(?:open|left|missing)
      |what\s+(?:is|was|were)\s+(?:left|next|we\s+doing|i\s+doing)|last\s+(?:time|session)
      |back\s+to\s+(?:it|work|where)|finish\s+(?:it|that|this|what|the\s+rest)
      |the\s+(?:previous|last|earlier)\s+(?:work|task|session)
      |you\s+were\s+(?:about|going|supposed)\s+to|i(?:'ve)?\s+(?:tested|tried|ran|checked)\s+(?:it|that|them)
      |the\s+next\s+(?:one|step|item|task|point|thing)
      |as\s+(?:before|discussed|agreed|planned)|(?:as|like|that|what)\s+(?:i|you|we)\s+
        (?:said|agreed|discussed|planned|proposed|suggested|talked\s+about|have|had))\b
      |\bon\s+reprend\b|là\s+où\s+on|où\s+(?:en\s+)?(?:était|étions|en\s+(?:est|es|sommes))
      |\ben\s+(?:es|était|étions|est|sommes)(?:-(?:on|tu|nous))?\s+où|manqu(?:e|ait)\s+quoi|^la\s+suite\b|passons\s+à\s+la\s+suite
      |(?:qu'est-ce|ce)\s+qu(?:'il|i)\s+reste|restait|reste\s+(?:à\s+faire|quoi)
      |reprends?\s+(?:le|là|où|ce)|et\s+ensuite|comme\s+(?:avant|prévu|convenu)
      |comme\s+tu\s+(?:l'as\s+)?(?:dis|dit|proposé)
      |ต่อจาก|งานเดิม|ทำต่อ|ลุยต่อ|เอาต่อ|มาต่อ|ต่อกัน|ถึงไหน|เหลืออะไร|ค้างไว้|ค้างตรงไหน|ครั้งที่แล้ว
      |เมื่อกี้|ขั้น(?:ตอน)?(?:ถัดไป|ต่อไป)|ตามที่(?:เสนอ|คุย|บอก|ตกลง|ว่า)
      |이어서|이어\s?가|어디까지|하던\s?|남은\s?(?:일|작업|거)|아까|지난번|마저
      |(?:말|제안)한\s?대로|다음\s?(?:단계|할\s?일)
      |続き|続け|続行|どこまで|残り(?:は|の)|前回|さっき|(?:言った|提案の?)(?:とおり|通り)
      |接着|上次|做到哪|做到一半|到哪[里了]|还剩|剩下|刚才|没做完|之前(?:做|的|那|没)
      |(?:就?按|照)(?:照|你|我们?)?.{0,2}(?:说|提)的""",
    re.VERBOSE,
)
# Says it only as the first words, and only if little that is new follows.
WEAK = pattern(
    r"""^(?:continue[rsz]?|carry\s+on|go\s+on|go\s+ahead|go\s+for\s+it|keep\s+going|keep\s+on
        |resume|proceed|next(?![.\s]?js)|continuons|poursui(?:s|vons|vez)|vas-y|allons-y|lance-toi|fonce|enchaîne|s'y\s+rem\w+|y\s+va
        |repren(?:ds|ons|ez)|ไปต่อ|ต่อ(?:เลย|ไป|ครับ|ค่ะ|นะ|$)|ดำเนินการต่อ|จัดการเลย|ลุยเลย
        |계속|진행|다음으로|再開|継続|次に|次へ|進めて|进行下一|继续|下一步|往下)
      (?!\w*\s*(?:statement|keyword))""",
    re.VERBOSE,
)
# The same wherever it stands: then it must also speak of the work.
WEAK_ANYWHERE = pattern(
    r"""계속|이어|진행해|继续|継続|再開|ต่อ(?:ไป|เลย|กัน|ครับ|ค่ะ|นะ|\W*$)
      |\b(?:on\s+continue|keep\s+going|carry\s+on|go\s+on)\b""",
    re.VERBOSE,
)
# Says that it is something else, whatever else it says.
OTHER = pattern(
    r"""\b(?:new\s+(?:task|topic|project|question|feature)|something\s+(?:else|different|new)
      |unrelated|from\s+scratch|start(?:ing)?\s+(?:over|fresh|anew)|different\s+(?:task|topic)
      |forget\s+(?:that|it|about|everything)|never\s?mind
      |ignore\s+(?:that|the\s+(?:previous|last)))\b
      |nouvelle\s+tâche|autre\s+(?:chose|sujet)|rien\s+à\s+voir|oublie|laisse\s+tomber
      |งานใหม่|เปลี่ยนเรื่อง|เรื่องอื่น|เริ่มใหม่|ไม่เกี่ยว
      |새\s?(?:작업|로운\s?작업|프로젝트)|다른\s?(?:작업|얘기|이야기|주제)|처음부터
      |別の(?:作業|話|件)|新しい(?:作業|タスク)|最初から
      |新任务|换个话题|别的事|重新开始""",
    re.VERBOSE,
)
# Says that it is not to go on.
REFUSES = pattern(
    r"""\b(?:do\s?n['’]?t|do\s+not|no\s+need\s+to|never)\s+
      (?:resume|continue|go\s+on|carry\s+on|keep\s+going|pick\s+(?:it\s+|that\s+)?up)\b
      |\bne\s+(?:continue|reprends?|poursuis)\s+pas\b|\bon\s+arrête\b
      |(?:อย่า|ไม่ต้อง)(?:ทำ)?ต่อ|(?:계속|이어서)\s?하지\s?(?:마|말)|続けな(?:いで|くて)
      |(?:不要|别|不用)(?:再)?继续""",
    re.VERBOSE,
)
# All that is said is that it is over.
ENDS = pattern(
    r"""(?:(?:ok|okay|thanks|thank\s+you|merci|no|please)[\s,.!]*)*
      (?:bye|goodbye|stop|cancel|that['’]?s\s+all|au\s+revoir|c['’]est\s+fini
      |we(?:\s+are|['’]re)\s+done(?:\s+with\s+(?:this|that|it))?
      |พอแล้ว|บาย|그만(?:해)?|됐어|終わり|もういい|算了|结束|再见)[\s.!。]*""",
    re.VERBOSE,
)
NO = pattern(r"(?:no|nope|non|ไม่|아니(?:요|오)?|いいえ|不|不要)[\s.!。]*")
# Refers to something that only what went before can tell.
REFERS = pattern(
    r"\b(?:it|this|that|them|those|what\s+we\s+have|comme\s+ça|ça|le\s+tout|fais-le)\b"
    r"|(?:แบบ|ตาม|อัน)นั้น|그(?:거|걸|대로|렇게)|その(?:方針|まま|通り|案|方向)|それ(?:で|を)|那(?:个|样)"
)
