"""How an agent says that something holds, is next or is about to be done, language by
language. English stands with the passes that ask; these are the eight others.

Chinese, Japanese, Korean, French, Spanish, German, Vietnamese, Thai.
"""

import re

from holdfast.kernel.lazy_patterns import pattern

DECIDED = r"""决定|采用|我们?选择|決め(?:た|まし)|採用|ことにし(?:た|まし)|결정했|기로 했|(?:을|를) 선택했
|décidé|(?:j'ai|nous avons|on a) (?:choisi|opté|retenu)|(?:on part|nous partons) sur
|decid(?:imos|ido|í)\b|(?:he|hemos) (?:elegido|optado)|\b(?:elegimos|optamos)\b
|entschieden|beschlossen|quyết định|đã chọn|ตัดสินใจ|(?:ผม|ฉัน|เรา)เลือก|ตกลง(?:ว่า|ใช้)""".replace(
    "\n", ""
)
DECIDED_WORDS = (
    "决定", "采用", "选择", "決め", "採用", "ことにし", "결정했", "기로 했", "선택했", "décidé",
    "choisi", "opté", "retenu", "part sur", "partons sur", "decid", "elegi", "optado", "optamos", "entschieden",
    "beschlossen", "quyết định", "đã chọn", "ตัดสินใจ", "เลือก", "ตกลง",
)  # fmt: skip
# Told as a decision, a sentence need not say that it is one.
SAYS_DECIDED = r"""j'ai décidé (?:de |d'|que )|(?:nous avons|on a) décidé (?:de |d'|que )
|(?:he decidido|hemos decidido|decidimos|decidí) |ich habe (?:mich )?entschieden,? |(?:我们|我)?决定
|(?:wir haben|ich habe) beschlossen, |(?:chúng tôi |tôi )?(?:đã )?quyết định """.replace(
    "\n", ""
)
FOUND = r"""原因|问题(?:在于|出在|是)|原来.*(?:因为|是)|問題(?:です|でした|は)|(?:分か|わか)りました|判明し
|원인|문제(?:였|입니다|는)|확인했|밝혀졌|la cause|le problème (?:vient|est|était)|il s'avère que
|la causa|el problema (?:está|es|era|viene)|resulta que|ursache|das problem (?:liegt|ist|war|lag)
|stellte? sich heraus|nguyên nhân|vấn đề (?:là|nằm)|h(?:óa|oá) ra|สาเหตุ|ปัญหาคือ|ปรากฏว่า""".replace(
    "\n", ""
)
FOUND_WORDS = (
    "原因", "问题", "原来", "問題", "りました", "判明", "원인", "문제", "확인했", "밝혀졌", "la cause",
    "le problème", "s'avère", "la causa", "el problema", "resulta que", "ursache", "das problem",
    "stellt sich heraus", "stellte sich", "nguyên nhân", "vấn đề", "hóa ra", "hoá ra", "สาเหตุ", "ปัญหาคือ", "ปรากฏว่า",
)  # fmt: skip
# What takes back a finding, names the cause behind another one, or the last of all.
NOT_IT = r"""不是(?:这个|根本)?(?:原因|问题)|我(?:之前|刚才)?(?:错了|弄错|搞错|判断错)|原因では(?:あり|な)|間違(?:って|えて)い(?:た|まし)
|원인이 아니|제가 틀렸|잘못 (?:판단|생각)|ce n'(?:est|était) pas (?:ça|cela|la cause|le problème)|je me (?:suis trompé|trompais)
|\bno (?:era|es) (?:eso|la causa|el problema)|me equivoqu[ée]|estaba equivocad|das war es nicht
|(?:war|ist) nicht (?:die ursache|das problem)|ich (?:lag falsch|habe mich geirrt)|không phải (?:là )?nguyên nhân
|tôi đã (?:sai|nhầm)|ไม่ใช่สาเหตุ|(?:ผม|ฉัน)(?:เข้าใจ)?ผิด""".replace("\n", "")
NOT_IT_WORDS = (
    "不是", "错", "原因では", "間違", "원인이 아니", "틀렸", "잘못", "n'est pas", "n'était pas", "me suis tromp",
    "me tromp", "no era", "no es", "equivoc", "equivoq", "war es nicht", "nicht die ursache", "nicht das problem",
    "lag falsch", "geirrt", "không phải", "tôi đã", "ไม่ใช่สาเหตุ", "ผิด",
)  # fmt: skip
REAL_CAUSE = r"""真正的?(?:原因|问题)|本当の原因|真の原因|진짜 (?:원인|문제)|(?:vraie|véritable) cause|vrai problème
|verdadera causa|causa real|verdadero problema|(?:eigentliche|wahre|tatsächliche) ursache|eigentliche problem
|nguyên nhân (?:thật|thực) sự|สาเหตุที่แท้จริง""".replace("\n", "")
REAL_CAUSE_WORDS = (
    "vraie cause", "véritable cause", "vrai problème", "verdadera causa", "causa real", "verdadero problema",
    "eigentliche", "true cause", "true reason",
)  # fmt: skip
ROOT_CAUSE = r"根本原因|根因|근본 원인|cause (?:racine|profonde)|causa raíz|nguyên nhân gốc|สาเหตุหลัก"
# What gives a reason or says what is not so.
REASON = (
    r"\b(?:parce qu|car|lorsqu|quand|après|avant|porque|cuando|después|antes|weil|wenn|nicht"
    r"|bevor|erst|dass|vì|khi|chưa|không)"
)
# What may be so: in words that are written apart, and in scripts without blanks.
SUPPOSED_WORDS = (
    "peut-être|probablement|sans doute|quizás|probablemente|vielleicht|wahrscheinlich"
    "|vermutlich|có lẽ|có thể"
)
SUPPOSED = "可能|也许|大概|かもしれ|おそらく|たぶん|아마|것 같|อาจ|น่าจะ|คงจะ"
POINTS_BACK = (
    r"^(?:cela|ça|c'est|ceci|eso|esto|das(?= (?:ist|war|liegt|heißt))|dies(?:es|er)?|đó|điều này)\b|^(?:这|那)(?:是|个|样)"
    r"|^(?:これ|それ)(?:は|が)"
)
NEXT = r"""^(?:接下来|下一步)(?!我|让)|还需要|尚未|还没有?(?:完成|实现|测试|提交)|^次[にはの].*(?:必要|べき|予定)
|まだ.*(?:残|てい?(?:ない|ません))|(?:^다음(?:으로|은|에는).*(?:합니다|한다|해야))|아직.*(?:남|않|못)
|\bil reste (?:à|encore)|\breste à\b|\bprochaine étape\b|\bpas encore (?:fait|testé|écrit|validé)
|\bfaltan? \w+r\b|\b(?:siguiente|próximo) paso\b|\bquedan? por\b|\b(?:todavía|aún) no (?:est|se |hay)
|^als nächstes (?:muss|müss|soll|steh)|\bnächster? schritt\b|\b(?:fehlt|fehlen|bleibt|steht|stehen) noch\b
|\bnoch nicht (?:fertig|getestet|umgesetzt|gemacht)|\bbước tiếp theo\b|\bcòn phải\b|\bvẫn cần\b
|\bchưa (?:xong|hoàn thành|kiểm thử|làm)\b|ขั้นตอน(?:ถัดไป|ต่อไป)|ยังต้อง|ยังไม่ได้""".replace(
    "\n", ""
)
# What is still to be done to something, or not as it should be.
WANTED = pattern(
    r"""\b(?:needs?|should|must|have to|has to|still|remaining|remains?|not yet|todo|i'll|will need)\b
|还需|需要|应该|まだ|必要|べき|아직|해야|필요|\b(?:faut|reste|manquent?|doit|encore|falta|queda|todavía|debe|muss|fehlt|noch|sollte)\b|còn|cần|chưa|ยัง|ต้อง|ควร""".replace(
        "\n", ""
    ),
    re.IGNORECASE,
)
# What stands behind "remaining" must be work: 残り and 剩余 also count what is fine.
NEXT_HEADING = (
    r"下一步|后续(?:步骤|工作|任务|事项|计划)|剩余(?:的)?(?:工作|任务|步骤|问题|事项)|待办|^\W*(?:后续|剩余)\W*$"
    r"|次の(?:ステップ|手順|作業|タスク|課題)|残りの?(?:作業|タスク|課題)|今後の(?:作業|課題|予定|対応)|^\W*(?:残り|今後)\W*$"
    r"|다음 (?:단계|작업)|남은 (?:작업|일|단계|문제|과제)|ขั้นตอนถัดไป|ต่อไป(?!นี้)|ที่(?:ยัง)?เหลือ\W*$|งานที่เหลือ"
    r"|prochaines? étapes?|reste à faire|à faire|(?:próximos|siguientes) pasos|pendientes?"
    r"|nächste schritte|noch offen|offen(?:e punkte)?:|bước tiếp theo|việc còn lại"
)
# What is listed below such a heading needs nothing.
LEFT_ALONE = (
    r"没问题|无需|不需要|問題(?:あり)?(?:ない|ません)|不要です|문제\s?없|괜찮|ไม่ต้อง|ไม่มีปัญหา"
    r"|\b(?:inchangé|sans changement|sin cambios|in ordnung|unverändert|không cần)"
)
ANNOUNCED = pattern(
    r"""^(?:
        (?:好的?[，,。！]\s*)?(?:首先|现在|接下来|然后)?[，,]?(?:让我|我来|我先|我将|我会先|我们来)
      | (?:まず|では|それでは|次に|続いて|これから|今から)[^。]*(?:(?<!があり)ます|ましょう)[。：:]?$
      | [^は。]*(?:てみます|みましょう|ていきます)[。：:]?$
      | [^.\n]*(?:겠습니다|할게요?|볼게요?|보자)[.:]?$
      | (?:(?:maintenant|d'abord|ensuite|bien|ok|parfait)[,.!]?\s+)?(?:je\s+(?:vais|commence|regarde|lance)
          |laisse[rz]?[-\s]moi|voyons|regardons|commençons|lançons|vérifions|passons)\b
      | (?:(?:ahora|primero|bien|luego)[,.]?\s+)?(?:voy\s+a|vamos\s+a|déjame|permíteme|veamos|empiezo
          |ejecuto|compruebo|reviso|miro)\b
      | (?:lass(?:en\s+sie)?\s+mich|schauen\s+wir|ich\s+(?:schaue|prüfe|werde|führe|starte|beginne|lese)
          |(?:jetzt|nun|zuerst|als\s+nächstes|dann)\s+(?:schaue|prüfe|führe|starte|lese|werde|teste|mache)\s+ich)\b
      | (?:(?:hãy|giờ|bây\s+giờ|trước\s+tiên|tiếp\s+theo)[,]?\s+)?(?:để\s+tôi|tôi\s+sẽ|hãy\s+xem)\b
      | (?:ขอ(?:ดู|ตรวจ|ลอง|เช็ค|อ่าน|รัน)|ตอนนี้(?:ผม|ฉัน|เรา)?(?:จะ|ขอ)|(?:ผม|ฉัน|เรา|ดิฉัน)จะ|มาดู|ลองดู|(?:ก่อนอื่น|จากนั้น)(?:จะ|ผม|ขอ))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
# Letters and small words that English does without.
_FOREIGN = pattern(
    r"[^\x00-\x7f\u2000-\u2fff]|\b(?:le|les|est|une|pour|avec|dans|el|los|las|del|para|está|der|das|und|ist"
    r"|mit|nach|nicht)\b",
    re.IGNORECASE,
)


def is_foreign(sentence: str) -> bool:
    """Say whether a sentence is in another language than English."""
    return _FOREIGN.search(sentence) is not None
