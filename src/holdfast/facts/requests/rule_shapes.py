"""Shapes of a sentence that say a lasting choice without a word for "always".

One thing and not another, nothing new, hands off, only here, in which language, what
comes first. A thing that is pointed at ("use the other file") is a plain request.
"""

_NEW_THINGS_EN = (
    r"(?:dep(?:endenc(?:y|ies)|s)|packages?|librar(?:y|ies)|modules?|crates?|gems?|plugins?|files?"
    r"|tables?|columns?|endpoints?|abstractions?)"
)
_TONGUES_EN = (
    r"(?:English|German|French|Spanish|Japanese|Chinese|Korean|Thai|Vietnamese|Portuguese|Italian"
    r"|Russian|Dutch)"
)
_START_EN = r"(?:^|[,;:–—]\s*|\b(?:please|and|but|so|also|ok)\s+)"
_POINTED_EN = r"(?!(?:the|this|that|these|those|it|my|your|an?|one|both|all|me|them)\b)"
ENGLISH = rf"""
    {_START_EN}(?:we\s+)?use\s+{_POINTED_EN}[^,;]{{1,40}}?(?:,?\s+(?:and\s+)?not|\s+instead\s+of|\s+rather\s+than)\s+{_POINTED_EN}
  | \bgo(?:es)?\s+(?:in|into|under)\s+[^\s,]{{1,40}}/,?\s+not\b
  | {_START_EN}no\s+(?:new|more|extra|additional)\s+{_NEW_THINGS_EN}\b
  | {_START_EN}no\s+(?:emojis?|semicolons?|default\s+exports?|force[-\s]push\w*|magic\s+numbers|inline\s+styles)\b
  | {_START_EN}(?:quit\s+\w+ing | hands\s+off | only\s+ever )\b
  | {_START_EN}leave\s+(?!(?:me|us|him|her)\b)[^,;]{{1,40}}?\s+(?:alone|untouched)\b
  | ^(?!(?:it|he|she|they|we|this|that|these|those|is|was|one|two|happens|fails|not|i|if|and)\b)(?:(?:on|in|for)\s+)?
        [a-z][\w./-]*(?:\s+[a-z][\w./-]*)?\s+only[.!]*$
  | (?:{_START_EN}|\b(?:write|keep|put|all)\s+)(?:your\s+|our\s+|the\s+|all\s+)?
        (?:commits?|comments?|docs|docstrings|documentation|answers|replies|names|everything|(?:commit|error)\s+messages)
        \s+(?:(?:must|should)\s+be\s+|always\s+|only\s+|stay\s+)?in\s+{_TONGUES_EN}\b(?!\s+(?:is|are|was|were|do|does|don|did|look|show|seem|class))
  | {_START_EN}(?:answer|reply|respond|talk|speak)\s+(?:to\s+me\s+|me\s+|always\s+|only\s+)?in\s+{_TONGUES_EN}\b
  | {_START_EN}in\s+(?:the\s+)?future,?\s+(?!(?:we|it|I|they|this|that|there|users?|maybe|could|someone|versions?|releases?)\b)\w
  | \bfrom\s+(?:here|today)\s+on\b
  | \b(?:is|are)\s+more\s+important\s+than\b | \bmatters?\s+more\s+than\b
  | ^first\s+(?:write|fix|run|ask|finish|make|check|read|update|test|the)\b[^;]*\bthen\s+(?!(?:show|tell|give|send|it|I|we)\b)
"""
_TONGUES_DE = r"(?:englisch|deutsch|französisch|spanisch|japanisch|chinesisch)"
GERMAN = rf"""
    \b(?:nutzen?|nimm|nehmen|verwenden?|benutzen?)\s+(?!(?:wir|d[aei]\w+|diese\w*|es)\b)[^,;]{{1,40}}?
        (?:\s+(?:an)?statt\b|\s+anstelle\b|,\s+(?:und\s+)?nicht\b)
  | \bwir\s+(?:nutzen|verwenden|benutzen)\s+kein\w*\b
  | (?:^|[,;:]\s*|\b(?:und|aber)\s+)keine?\w*\s+(?:neue\w*|weitere\w*)\s+(?:abhängigkeit\w*|dependenc\w+|pakete?|bibliothek\w*
      |libs?|librar\w+|crates?|module?|dateien|tabellen|features?)\b
  | ^(?:(?:bitte|und)\s+)?hör\w*\s+(?:bitte\s+)?auf,?\s+\w
  | \bfinger\s+(?:weg\s+)?von\b
  | ^lass\w*\s[^,;]{{1,60}}\s(?:in\s+ruhe|unangetastet|unverändert)\b | \bbleib(?:t|en)\s+(?:unangetastet|unverändert|tabu)\b
  | (?:commit\S{{0,20}}|\bkommentare|nachrichten|\bdoku\w*|\bantworten|\btexte|\bdocstrings)\s+(?:bitte\s+|immer\s+|nur\s+)?auf\s+{_TONGUES_DE}\b(?!\s+(?:sind|ist|w[ei]rde?n?|fehl))
  | ^antworte\w*\s+(?:bitte\s+|mir\s+)?auf\s+{_TONGUES_DE}\b
  | ^(?:künftig|zukünftig|in\s+zukunft)\b
  | ^(?:bitte\s+)?nicht\s+(?:\S+\s+){{0,3}}?\w+en,?\s+(?:bevor|solange|ohne|bis)\b
  | \b(?:ist|sind)\s+wichtiger\s+als\b
  | ^nur\s+(?:(?:auf|in|für)\s+)?(?!ein|so\b|kurz)[\w./-]+[.!]*$
  | ^(?:zu)?erst\s+(?:den|die|das)\s+\S+\s+\w+en,?\s+dann\b
"""
_TONGUES_FR = r"(?:français|francais|anglais|allemand|espagnol|japonais|chinois)\b"
FRENCH = rf"""
    \b(?:utilise[sz]?|utilisons|prends|prenez)\s+(?!l['’]|l[ea]s?\s|ce\w*\s)[^,;]{{1,40}}?
        (?:,?\s+(?:et\s+|mais\s+)?pas|\s+plutôt\s+qu|\s+au\s+lieu\s+d)
  | (?:^|[,;:]\s*|\bet\s+)(?:pas\s+de|aucune?|sans)\s+nouve\w+\s+(?:d[ée]pendances?|paquets?|packages?|biblioth\w+|librairies?|modules?|fichiers?)\b
  | (?:^|[,;:]\s*|\bet\s+)arrête[sz]?\s+(?:de\s|d['’])
  | (?:^|[,;:]\s*|\bet\s+)laisse[sz]?\s[^,;]{{1,40}}?\s(?:tranquilles?|tel(?:le)?s?\s+quel)
  | \b(?:commentaires|commits|messages(?:\s+de\s+commit)?|réponses|textes|noms|docs)\s+(?:toujours\s+|uniquement\s+)?en\s+{_TONGUES_FR}(?!\s+(?:ne\s|n['’]|s['’]|est|sont|ont))
  | ^répond\w*(?:-moi)?\s+(?:toujours\s+)?en\s+{_TONGUES_FR}
  | \btoujours\s+(?:au\s+format\b|en\s+{_TONGUES_FR})
  | ^à\s+l['’]avenir\b | \best\s+plus\s+importante?\s+qu
  | ^d['’]abord\s+(?:l[ea]s?\s|l['’]|une?\s|écri|fai|lanc|corrig)[^;]*\b(?:ensuite|puis)\b
"""
_TONGUES_ES = r"(?:español|inglés|ingles|francés|alemán|japonés|chino)\b"
SPANISH = rf"""
    \b(?:us[ae]|usad|usamos|utiliza|utilizamos)\s+(?!(?:el|l[ao]s?|es[aeo]s?|est[aeo]s?)\b)[^,;]{{1,40}}?
        (?:,\s+(?:y\s+)?no\s|\s+en\s+(?:vez|lugar)\s+de\b)
  | (?:^|[,;:]\s*|\by\s+)sin\s+(?:nuevas?\s+)?(?:dependencias|librerías|paquetes|archivos|módulos)\b
  | ^nada\s+de\s+(?!eso|esto|lo\b) | \bno\s+quiero\s+(?!decir|molestar)\w
  | (?:^|[,;:]\s*|\by\s+)deja\s+de\s+\w+r\b
  | \b(?:textos|commits|comentarios|mensajes(?:\s+de\s+commit)?|respuestas|nombres|docs)\s+(?:siempre\s+|sean\s+)?en\s+{_TONGUES_ES}(?!\s+(?:no|se|est|son|sal))
  | ^(?:responde|contesta)(?:me)?\s+(?:siempre\s+)?en\s+{_TONGUES_ES}
  | ^en\s+adelante\b | \bes\s+más\s+importante\s+que\b | \bno\s+se\s+(?:tocan?|modifican?|borran?)\b
  | ^s[oó]lo\s+(?:en|para)\s+[\w./-]+[.!]*$
  | ^primero\s+(?:el|la|los|las|escrib\w+|haz|arregla|ejecuta)\s[^;]*\b(?:luego|después)\b
"""
JAPANESE = r"""
    (?:ではなく|じゃなく|の代わりに).{0,40}(?:使って|使う|使用|で書|にして)
  | ないこと[。！!\s]*$ | ^[^が]*(?<!あ)(?<!い)[うくすつむるぐぶ]こと[。！!\s]*$ | ないように(?:$|[。！!\s]|して|お願い)
  | 統一(?:して|する|$|[。、！\s])
  | (?:コミット|コメント|メッセージ|回答|返事|ドキュメント|変数名|説明)[^。、]{0,6}は[^。、]{0,4}(?:英|日本|中国|韓国)語[でに](?!書かれ|表示|なっ)
  | そのままにし | (?:を|のは|は)やめて(?:ください|下さい|$|[。！!]) | だけに(?:して|する)
"""
CHINESE = r"""
    (?<![作引应常费信启])用(?![户例法途到完])[^，,。；]{1,30}[，,]?\s?(?:不要?用|别用|而不是|而非|代替|取代)
  | (?:注释|提交信息|回答|回复|文档|变量名|日志)[^，。]{0,4}用(?:英|中|日|韩)[文语]
  | 不许(?!愿) | 不准(?!确) | (?:^|[，,；])不(?:加|引入|新增|添加)新? | (?<!不)(?<!没有)保持一致
  | (?:提交|推送|部署|合并|删除|修改)(?:之|以)?前(?:要)?先 | 比[^，。]{1,15}重要 | ^先[写做改修跑][^，。]{1,20}[，,]?\s?再(?![说看])
  | ^停止(?:使用|添加|修改) | ^记得
"""
KOREAN = r"""
    \s대신\s.{1,40}(?:사용|써|쓰|이용) | 지\s?말아 | 통일(?=$|[\s.!해])
  | (?:커밋|주석|메시지|답변|문서|변수명|설명)[은는]\s(?:모두\s|항상\s)?(?:한국어|영어|일본어|중국어)로(?!\s?(?:되|나|표시|보))
  | 그만\s?(?:해|하세요) | 그대로\s?(?:둬|두세요|둘\s?것|유지) | 보다\s.{1,20}중요 | ^(?:이제부터|지금부터)\s
  | 먼저\s.{1,30}(?:하고|한\s?(?:뒤|다음))\s.{0,20}해(?:$|[\s.!줘요])
"""
VIETNAMESE = r"""
    \bdùng\s[^,;]{1,40}?(?:\s+thay\s+(?:vì|cho)\b|,?\s+(?:chứ\s+)?không\s+(?:dùng|phải)\b)
  | (?:^|[,;]\s*|\b(?:nhưng|và)\s+)không\s+(?:dùng|thêm|sửa|xóa|commit|push|đụng|tự|viết|đổi|tạo|cài)\b(?![^,;]*\b(?:được|nổi|nữa)\b)
  | \b(?:commit|comment|chú\s+thích|tài\s+liệu|trả\s+lời|tên\s+biến)(?:\s+message)?\s+bằng\s+tiếng\s
  | ^(?:hãy\s+)?ng[ừư]ng\s+\w | ^để\s+(?:yên|nguyên)\b | ^(?:sau\s+này|lần\s+sau)\b | ^nhớ\s | \bquan\s+trọng\s+hơn\b
  | ^(?:viết|làm|chạy|sửa)\s[^,;]{1,30}\strước,?\s+(?:rồi|sau\s+đó)\b
  | ^mỗi\s+(?:khi|lần)\s+(?!tôi|nó)[^;]*\bthì\s+(?!nó|bị|lỗi) | ^mỗi\s+\S+\s+tối\s+đa\b | ^chỉ\s+(?:trên|ở|trong)\s
"""
THAI = r"""
    ใช้\s?[^,]{1,30}(?:แทน|ไม่ใช่|ไม่ใช้)\s?[^\s,แ]
  | (?:commit|message|comment|คอมเมนต์|เอกสาร|ตัวแปร|ตอบ)\s?(?:message\s?)?(?:ให้)?เป็นภาษา
  | ^ไม่(?:เพิ่ม|ใส่|แก้|ลบ|แตะ)(?!.*(?:แล้ว|ได้)$) | ^(?:เลิก|หยุด)(?:ใช้|ใส่|เพิ่ม|ลบ|แก้|เขียน) | ถาม(?:ผม|ฉัน|เรา)?ก่อน
  | ต่อไปนี้ | สำคัญกว่า | ก่อน\s?แล้วค่อย | ไว้เหมือนเดิม | ^เฉพาะ\s?[A-Za-z][\w./-]*$
"""
