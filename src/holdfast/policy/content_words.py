"""Which words of a text say what it is about, in scripts with and without spaces.

Rougher than the search index on purpose: two texts that share two of these words are
probably about one thing, and words of politeness or of work in general never count.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from holdfast.patterns import pattern

# Thai vowels and tones above and below are marks, and no letters to a regular expression.
_LETTER = "(?:[^\\W_]|[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])"
_WORD = pattern(f"{_LETTER}+(?:[_'’\\-]{_LETTER}+)*")
_NUMBER = pattern(r"(?<![\w.])\d+(?:\.\d+)+(?![\w.])")
_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff"
_THAI = "\u0e00-\u0e7f"
_KATAKANA = "\u30a0-\u30ff"
_HANGUL = "\uac00-\ud7af"
_RUN = pattern(f"([{_HAN}]+|[{_THAI}]+|[{_KATAKANA}]+|[{_HANGUL}]+|[\u3041-\u309f]+)")
_KANA = pattern("[\u3041-\u30ff]")
# Chinese signs that bind words together and belong to none; Japanese builds words of them.
_CHINESE_EMPTY = pattern(
    "[了吗呢吧啊的又还没再就都把给要能会很太我你他们这那么是在有个]"
)
_ELISION = pattern(r"\b(?:[ldsnjcmt]|qu|jusqu|lorsqu)['’](?=\w)")
# How long a shared stretch of a script must be to count as a word.
_PAIR, _THAI_STRETCH, _KATAKANA_STRETCH = 2, 5, 3
_SHORTEST_WORD = 3
_SHORTEST_STEM, _LONGEST_STEM = 4, 7
_LONG_ENOUGH_TO_STEM = 5
# A stretch that two texts share to the letter, with so many signs that carry meaning.
_RUN_LENGTH, _RUN_MEANING = 6, 3
_MOST_RUN_TEXT = 400
_MEANING = pattern(f"[{_HAN}{_KATAKANA}]")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ers", "er", "ed", "es", "s", "e")

# Words that name nothing: of grammar, of politeness, and of work whatever it is about.
_EMPTY_WORDS_TEXT = """
    a about above after again all also am an and any are as at back be because been before
    but by can could did do does doing done don't down each else even every few first for
    from get gets give go goes going got had has have he her here him his how i i'd i'll
    i'm if in instead into is it it's its just last let let's like look make many may me
    might more most much must my need needs new no not now of off ok okay on once one only
    open or other our out over own please put really right same say see set she should show
    so some something start still such sure take tell than thank thanks that that's the
    their them then there these they thing things this those three to together too two up
    us use used using very want wants was way we we're well were what what's when where
    which while who why will with without work works would write yes yet you your
    add added break breaks broken bug bugs change changed check code commit crash create
    error errors fail failed failing fails file files find finish fix fixed good slow wrong
    day days function help hour hours issue line lines minute minutes problem push retry
    run second seconds test tests todo try update
    au aux avec ce ces cette c'est dans de des du elle en encore est et fais fait faire il
    ils j'ai je la le les leur leurs lui ma mais me mes moi mon ne nos notre nous on ou où
    par pas plus pour qu'est-ce que quel quelle qui sa sans se ses son sont sur ta te toi
    ton tous tout très tu un une vos votre vous y ajoute affiche ajouter aussi crée écris
    montre s'il plaît plait quoi comment pourquoi oui non merci ensuite tests relance
    """
EMPTY_WORDS = frozenset(_EMPTY_WORDS_TEXT.split())
_EMPTY_STRETCHES = (
    "ช่วย", "หน่อย", "ครับ", "ค่ะ", "คะ", "ให้", "แล้ว", "หรือยัง", "ยัง", "ไหม", "อะไร", "เป็น",
    "ทำ", "เพิ่ม", "แก้", "ไฟล์", "ด้วย", "และ", "แต่", "อย่า", "ของ", "ได้", "ไม่", "ที่", "การ",
    "จัดการ", "วันนี้", "แบบนั้น", "แหละ", "อยู่", "อีก", "เสร็จ", "เอา", "ต่อ", "กัน", "ตอน", "แสดง",
    "อย่างไร", "ยังไง", "เขียน", "สร้าง", "ระบบ", "หน้า", "ทุก", "ใหม่", "เลย", "นี้", "ว่า",
)  # fmt: skip
_EMPTY_PAIRS_TEXT = """
    问题 一个 一下 什么 怎么 为什 我们 可以 需要 不要 帮我 支持 添加 增加 实现 修改 写完 完成 生成
    出来 这个 那个 如何 接口 进行 使用 功能 追加 実装 変更 処理 作成 教え 作業 方法 一つ 三つ 新し
    部分 开始 现在 出来 情况 怎样 看看 时候 效果 继续 设计 解释 统计 每小 问号 请求 用户 自动
    """
_EMPTY_PAIRS = frozenset(_EMPTY_PAIRS_TEXT.split())
_EMPTY_HANGUL_TEXT = """
    해줘 해주 주세 주세요 추가 추가하 만들 만들어 고쳐 수정 작업 어떻 어떻게 설명 방법 있는 없는 하는 그리 그리고
    에서 하고 기능 해결 확인 보여 보여줘 알려 알려줘 사용 사용자 처리 적용 적용해 났어 나와 떴어 있어 없어 안돼 이상 부탁 봐줘 계속 이어 진행 했어 됐어 이거 그거 다시 아직 여전 여전히 결과 싶어 하지
    """
_EMPTY_HANGUL = frozenset(_EMPTY_HANGUL_TEXT.split())


def folded(text: str) -> str:
    """Return text as it is compared: one form of each letter, no case, single spaces."""
    flat = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    flat = flat.replace(
        "\u0e4d\u0e32", "\u0e33"
    )  # Thai sara am, which NFKC takes apart
    return " ".join(flat.split())


def content_words(text: str) -> frozenset[str]:
    """Return the words that carry what a text is about."""
    return frozenset(_words(folded(text)))


def has_run(text: str, others: Iterable[str]) -> bool:
    """Say whether a text shares a stretch with others that nobody writes by chance.

    For scripts that mix signs of meaning with signs of sound, which pairs miss.
    """
    theirs = folded("\n".join(others))
    text = text[:_MOST_RUN_TEXT]
    if not _MEANING.search(text):
        return False
    for start in range(len(text) - _RUN_LENGTH + 1):
        end = start + _RUN_LENGTH
        if text[start:end] not in theirs:
            continue
        while end < len(text) and text[start : end + 1] in theirs:
            end += 1
        if len(_MEANING.findall(text[start:end])) >= _RUN_MEANING:
            return True
    return False


def _words(text: str) -> Iterator[str]:
    yield from _NUMBER.findall(text)
    if not _KANA.search(text):
        text = _CHINESE_EMPTY.sub(" ", text)
    for piece in _WORD.findall(_ELISION.sub("", text)):
        for stretch in _RUN.split(piece):
            if not stretch:
                continue
            if _RUN.fullmatch(stretch):
                yield from _dense_words(stretch)
            elif stretch not in EMPTY_WORDS and len(stretch) >= _SHORTEST_WORD:
                yield _stem(stretch)


def _dense_words(run: str) -> Iterator[str]:
    first = run[0]
    if re.match(f"[{_HAN}]", first):
        pairs = (run[i : i + _PAIR] for i in range(len(run) - 1))
        yield from (pair for pair in pairs if pair not in _EMPTY_PAIRS)
    elif re.match(f"[{_THAI}]", first):
        yield from _thai_words(run)
    elif re.match(f"[{_KATAKANA}]", first):
        if len(run) >= _KATAKANA_STRETCH:
            yield run
    elif re.match(f"[{_HANGUL}]", first) and not {run, run[:_PAIR]} & _EMPTY_HANGUL:
        # Particles and endings are glued to the end; two syllables name the thing.
        yield from (run[:_PAIR],) if len(run) >= _PAIR else ()


def _thai_words(run: str) -> Iterator[str]:
    for empty in _EMPTY_STRETCHES:
        run = run.replace(empty, " ")
    for part in run.split():
        if len(part) <= _THAI_STRETCH:
            if len(part) >= _SHORTEST_WORD:
                yield part
            continue
        for i in range(len(part) - _THAI_STRETCH + 1):
            yield part[i : i + _THAI_STRETCH]


def shared(ours: frozenset[str], theirs: frozenset[str]) -> int:
    """Return how many words two texts share; overlapping stretches are counted once."""
    common = ours & theirs
    spaced = {word for word in common if not _RUN.fullmatch(word)}
    return len(spaced) + _apart(common - spaced)


def _apart(stretches: frozenset[str]) -> int:
    """Count the words in stretches that overlap: five in a row of Thai are two words."""
    left = set(stretches)
    count = 0
    while left:
        first = min(left)
        left.discard(first)
        reached, grown = 1, [first]
        while grown:
            end = grown.pop()
            near = {one for one in left if _overlap(end, one)}
            left -= near
            grown += near
            reached += len(near)
        count += 1 + (reached - 1) // len(first)
    return count


def _overlap(a: str, b: str) -> bool:
    most = min(len(a), len(b)) - 1
    return any(a.endswith(b[:n]) or b.endswith(a[:n]) for n in range(1, most + 1))


def _stem(word: str) -> str:
    """Return what words of one kind share: `refund`, `refunds`, `réservé`, `réserver`."""
    if not word.isascii():
        parts = unicodedata.normalize("NFD", word)
        word = "".join(sign for sign in parts if not unicodedata.combining(sign))
    if len(word) < _LONG_ENOUGH_TO_STEM:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _undoubled(word[: -len(ending)])[:_LONGEST_STEM]
    return word[:_LONGEST_STEM]


def _undoubled(stem: str) -> str:
    """`embedding` is of `embed`; `class` stays itself."""
    is_doubled = stem[-1] == stem[-2] and stem[-1] not in "aeiousl"
    return stem[:-1] if is_doubled else stem
