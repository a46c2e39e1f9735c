"""The few words that say alone whether earlier work is meant, in every language.

All of them stand here and not in the file of their language: each short prompt is held
against them, and importing eleven languages would cost it more than all the rest.
Phrases are parted by `/`. Those in Latin letters are written without accents.
"""

TYPE_CHECKING = False  # importing it would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Iterator

UNSPACED = ("th", "ko", "ja", "zh")  # what is polite is written right beside a word

# Agreeing: at the first prompt of a session there is nothing to agree to but the work
# that its start told of.
AGREEING: dict[str, str] = {
    "en": """ok / okay / k / yes / yeah / yep / yup / sure / alright / right / go ahead
        / do it / sounds good / yes go ahead / let's go""",
    "de": "ja / ok / klar / gut / genau / mach das / in ordnung / los / ja mach das",
    "fr": "oui / ok / d'accord / vas-y / vas y / allez-y / c'est bon / bien sur / ca marche",
    "es": "si / ok / vale / dale / claro / adelante / de acuerdo / hazlo",
    "pt": "sim / ok / claro / pode / pode ser / certo / vai / manda ver / beleza",
    "vi": "co / vang / da / duoc / ok / dong y / lam di",
    "ru": "да / ок / окей / хорошо / давай / ладно / конечно",
    "th": "ใช่ / โอเค / ได้ / ตกลง / ได้เลย",
    "ko": "네 / 예 / 응 / 좋아 / 좋아요 / 그래 / 그래요 / ㅇㅇ / 오케이",
    "ja": "はい / うん / 了解 / お願いします / いいよ / いいです / それで",
    "zh": "好 / 好的 / 可以 / 行 / 是 / 是的 / 嗯 / 没问题",
}

# For going on; for something new; and what may stand around either: politeness, and what
# leads from the word to a name.
EXPLICIT_WORDS: dict[str, tuple[str, str, str]] = {
    "en": (
        """continue / resume / go on / carry on / keep going / keep on / proceed
            / continue where we left off / resume where we left off
            / pick up where we left off / pick it up where we left off
            / continue last session / resume last session / continue the last session
            / resume the last session / continue the previous session""",
        """new task / new topic / new project / new session / new question / new work
            / something new / something else / something different / another task
            / a different task / different task / different topic / fresh start
            / start fresh / start over / start anew / start from scratch / from scratch
            / unrelated""",
        """please / pls / ok / okay / yes / yeah / yep / sure / hi / hello / hey
            / thanks / so / now / then / just / well / and / let's / lets / can / could
            / you / we / us / to / with / from / at / the / a / my / our / it / this
            / that / work / take / checkpoint / session / number""",
    ),
    "de": (
        """weiter / weitermachen / mach weiter / machen wir weiter / weiter geht's
            / weiterarbeiten / fortsetzen / fortfahren / fahr fort / fahre fort
            / setze fort / wo wir aufgehort haben
            / da weitermachen wo wir aufgehort haben""",
        """neue aufgabe / neues thema / neues projekt / neue sitzung / neue frage
            / etwas anderes / was anderes / etwas neues / was neues / andere aufgabe
            / anderes thema / von vorn / von vorne / neu anfangen""",
        """bitte / ja / hallo / danke / also / dann / jetzt / nun / mal / lass
            / uns / wir / an / mit / bei / der / die / das / sitzung / nummer""",
    ),
    "fr": (
        """continue / continuer / continuons / continuez / reprends / reprendre
            / reprenons / reprend / poursuis / poursuivre / poursuivons
            / reprends ou on en etait / reprend ou on en etait
            / reprenons ou on en etait""",
        """nouvelle tache / nouveau sujet / nouveau projet / nouvelle session
            / nouvelle question / autre chose / autre sujet / un autre sujet
            / autre tache / rien a voir / repartir de zero / on repart de zero""",
        """s'il / te / vous / plait / stp / svp / oui / bonjour / salut / merci
            / alors / bon / donc / allez / et / on / avec / le / la / de / du / au
            / numero""",
    ),
    "es": (
        """continua / continuar / continuemos / sigue / seguir / sigamos
            / seguimos / retoma / retomar / retomemos / reanuda / reanudar
            / sigue donde lo dejamos / continua donde lo dejamos""",
        """nueva tarea / nuevo tema / nuevo proyecto / nueva sesion / nueva pregunta
            / otra cosa / otra tarea / otro tema / algo nuevo / algo distinto
            / desde cero / empezar de cero""",
        """por / favor / si / vale / hola / gracias / bueno / entonces / ahora / y
            / con / el / la / los / desde / punto / sesion / numero / vamos / a""",
    ),
    "pt": (
        """continue / continua / continuar / continuemos / retoma / retome
            / retomar / prossiga / prosseguir / siga / seguir / de onde paramos
            / continue de onde paramos / continua de onde paramos""",
        """nova tarefa / novo assunto / novo tema / novo projeto / nova sessao
            / nova pergunta / outra coisa / outra tarefa / outro assunto / algo novo
            / do zero / comecar do zero""",
        """por / favor / sim / ola / oi / obrigado / obrigada / bom / entao / agora
            / e / com / o / a / do / da / de / sessao / numero / vamos""",
    ),
    "vi": (
        "tiep tuc / tiep / lam tiep / tiep tuc cong viec",
        """viec moi / nhiem vu moi / viec khac / nhiem vu khac / chuyen khac
            / chu de moi / chu de khac / du an moi / bat dau lai / lam lai tu dau""",
        """nhe / nha / di / oke / vang / da / xin / chao / cam / on / giup / voi
            / tu / hay / phien / so""",
    ),
    "ru": (
        """продолжай / продолжи / продолжить / продолжим / продолжаем
            / продолжайте / дальше / возобнови / возобновить
            / с того места где остановились""",
        """новая задача / новая тема / новый проект / новый вопрос / другая задача
            / другая тема / другое / что-то другое / с нуля / начать заново
            / начнем заново""",
        """пожалуйста / ок / да / привет / спасибо / ну / так / теперь / давай
            / давайте / и / с / работу / сессию / номер""",
    ),
    "th": (
        """ทำต่อ / ทำต่อไป / ทำงานต่อ / ต่อ / ต่อไป / ไปต่อ / ลุยต่อ / มาต่อ
            / ดำเนินการต่อ / ต่อจากเดิม / ทำต่อจากเดิม / ต่อจากครั้งที่แล้ว
            / ต่อจากเมื่อวาน""",
        """งานใหม่ / เรื่องใหม่ / หัวข้อใหม่ / โปรเจกต์ใหม่ / เรื่องอื่น / งานอื่น
            / เปลี่ยนเรื่อง / เริ่มใหม่""",
        """ครับ / ค่ะ / คะ / นะ / หน่อย / เลย / กัน / เถอะ / ช่วย / กรุณา / โอเค
            / สวัสดี / งั้น / ที / จาก / งาน / เช็คพอยต์ / หมายเลข""",
    ),
    "ko": (
        """계속 / 계속해 / 계속하자 / 계속 진행 / 계속 진행해 / 이어서 / 이어서 하자
            / 이어서 진행 / 이어가자 / 이어 하자 / 하던 거 계속 / 하던 일 계속 / 재개
            / 재개해 / 마저 하자""",
        """새 작업 / 새로운 작업 / 새 주제 / 새 프로젝트 / 새 질문 / 다른 작업 / 다른 일
            / 다른 주제 / 다른 얘기 / 처음부터 / 새로 시작""",
        """좀 / 줘 / 주세요 / 해줘 / 해주세요 / 해 / 하자 / 자 / 네 / 예 / 응 / 그럼
            / 이제 / 안녕 / 안녕하세요 / 부탁해 / 부탁해요 / 부탁합니다 / 번 / 을 / 를
            / 부터 / 체크포인트 / 세션 / 작업""",
    ),
    "ja": (
        """続けて / 続ける / 続けよう / 続けましょう / 続き / 続きをやって / 続行
            / 再開 / 継続 / 前回の続き""",
        """新しい作業 / 新しいタスク / 新しい話 / 別の作業 / 別のタスク / 別の話
            / 別の件 / 別件 / 新規タスク / 最初から / 一から""",
        """ください / 下さい / お願いします / お願い / して / します / よろしく
            / はい / では / じゃあ / こんにちは / おはよう / おはようございます / さあ
            / を / から / で / の / ね / 番 / チェックポイント / セッション / 作業""",
    ),
    "zh": (
        """继续 / 继续做 / 继续工作 / 接着 / 接着做 / 接着来 / 接着干 / 恢复
            / 继续上次 / 接着上次 / 从上次继续 / 繼續""",
        """新任务 / 新的任务 / 新话题 / 新项目 / 新问题 / 别的任务 / 别的事
            / 换个话题 / 换个任务 / 其他事情 / 重新开始 / 从头开始""",
        """请 / 吧 / 好 / 好的 / 你好 / 嗯 / 那 / 我们 / 咱们 / 一下 / 谢谢 / 现在
            / 的 / 工作 / 检查点 / 号 / 第 / 从""",
    ),
}


def spellings(text: str) -> "Iterator[str]":
    """Yield a text as it is compared: without case, and without accents."""
    if text.isascii():
        yield text.lower()
        return
    from unicodedata import combining, normalize  # noqa: PLC0415  # most are ASCII

    flat = normalize("NFKC", text).casefold().replace("’", "'")
    # Thai sara am, which NFKC takes apart.
    flat = flat.replace("\u0e4d\u0e32", "\u0e33")
    yield flat
    bare = "".join(sign for sign in normalize("NFD", flat) if not combining(sign))
    yield bare.replace("đ", "d")
