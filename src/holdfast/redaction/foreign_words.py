"""Words for a password, a key or a token in other languages than English. Data only.

Of more languages than `language` has, and read in a hook that loads none of them. A word
stands beside a letter of it that a text in another script has not; its first letter is
left out where it may be a capital.
"""

PASSWORDS: tuple[tuple[str, str], ...] = (
    ("ñ", "ontraseña"), ("Ñ", "ONTRASEÑA"), ("ö", "ösenord"), ("Ö", "ÖSENORD"),
    ("ł", "asło"), ("Ł", "ASŁO"), ("ь", "ароль"), ("Ь", "АРОЛЬ"), ("м", "аролем"),
    ("パ", "パスワード"), ("パ", "パスフレーズ"), ("密", "密码"), ("密", "密碼"), ("令", "口令"),
    ("밀", "비밀번호"), ("암", "암호"), ("번", "비번"), ("패", "패스워드"), ("ผ", "รหัสผ่าน"),
    ("พ", "พาสเวิร์ด"), ("ك", "كلمة المرور"), ("ك", "كلمة السر"), ("ş", "şifre"),
    ("Ş", "Şifre"), ("ς", "ωδικός"), ("ס", "סיסמה"), ("स", "पासवर्ड"), ("ậ", "ật khẩu"),
    ("Ậ", "ẬT KHẨU"), ("ó", "elszó"), ("暗", "暗証番号"), ("л", "арола"), ("з", "озинка"),
    ("ع", "رمز عبور"), ("গ", "গোপন নম্বর"), ("ড", "পাসওয়ার্ড"), ("ä", "alasana"),
    ("ž", "laptažodis"), ("ă", "arolă"),
)  # fmt: skip
# A key or a token is told by more than a digit in it.
KEYS: tuple[tuple[str, str], ...] = (
    ("钥", "密钥"), ("鑰", "密鑰"), ("钥", "私钥"), ("鑰", "私鑰"), ("鑰", "金鑰"),
    ("牌", "令牌"), ("権", "権杖"), ("キ", "APIキー"), ("キ", "アクセスキー"),
    ("キ", "シークレットキー"), ("鍵", "秘密鍵"), ("ー", "トークン"), ("к", "токен"),
    ("ю", "ключ"), ("é", "lé secrète"), ("é", "lé d'accès"), ("ü", "chlüssel"),
    ("토", "토큰"), ("키", "API 키"), ("키", "비밀 키"), ("โ", "โทเค็น"), ("โ", "โทเคน"),
    ("ค", "คีย์ API"), ("ó", "hóa bí mật"),
)  # fmt: skip
# What a key is called before or behind `API`: `clave de API: …`.
OF_API = frozenset((
    "anahtarı", "avain", "chave", "chiave", "clave", "clé", "cle", "khóa", "khoá", "klíč",
    "klucz", "kulcs", "kunci", "ключ", "nyckel", "nøgle", "nøkkel", "schlüssel", "sleutel",
))  # fmt: skip
# The same words as names of fields and columns, without signs and in lower case.
NAMES: dict[str, tuple[str, ...]] = {
    "password": (
        "passwort", "kennwort", "wachtwoord", "senha", "palavrapasse", "motdepasse", "heslo",
        "geslo", "katasandi", "passord", "kodeord", "adgangskode", "lozinka", "salasana",
        "contrasena", "contraseña", "lösenord", "hasło", "пароль", "パスワード", "密码",
        "密碼", "口令", "비밀번호", "암호", "รหัสผ่าน", "mậtkhẩu", "matkhau", "şifre",
        "jelszó", "كلمةالمرور",
    ),
    "api-key": ("apischlüssel", "cléapi", "claveapi", "chaveapi", "密钥", "apiキー", "api키"),
    "token": ("токен", "令牌", "トークン", "토큰"),
}  # fmt: skip
ENDS = {end: kind for kind, ends in NAMES.items() for end in ends}
# What is said between a word and its value: a verb, or what is glued to the word. No
# article and no preposition is among them, whatever else it means.
VERBS = (
    "is|was|are|to|as|es|est|ist|war|lautet|heißt|är|er|é|è|era|jest|je|bude|это|était"
    "|sera|será|fue|este|là|adalah|ialah|will be|should be|set to|changed to|now|है|هي|هو"
)
GLUED = "は|が|を|就是|是|为|為|改为|改成|设为|은|는|이|가|คือ|เป็น|هي"
