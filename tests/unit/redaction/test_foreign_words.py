"""Passwords and keys in what people write, in the languages they write in.

Every value is made up here, and put together only when a test runs.
"""

import pytest

from holdfast.redaction.redactor import Redactor

STRONG = "Walrus" + "77!tide"
WEAK = "Copper" + "4821"
KEY = "q8Zt3Kx9" + "LmN4vB7cR2wE6yU1" + "pS5dF0gH"

PASSWORDS = {
    "en": ("the password is {}, ok", "my password: {}", "Password for prod: {}"),
    "de": (
        "Das Passwort lautet {}.",
        "Kennwort: {}",
        "KENNWORT: {}",
        "das Kennwort für den Server ist {}",
        '"kennwort": "{}"',
    ),
    "fr": (
        "le mot de passe est {}",
        "Mot de passe : {}",
        "mdp : {}",
        "le mot de passe du serveur de prod est {}",
    ),
    "es": (
        "la contraseña es {}",
        "contraseña de la base de datos: {}",
        "usuario ada, clave: {}",
    ),
    "pt": ("a senha é {}", "a senha do banco é {}", "Palavra-passe: {}"),
    "ru": (
        "пароль: {}",
        "пароль от базы — {}",
        "Пароль от сервера: {}",
        "с паролем {}",
    ),
    "vi": ("mật khẩu là {}", "mật khẩu của server là {}", "Mật khẩu: {}"),
    "th": (
        "รหัสผ่าน: {}",
        "รหัสผ่านคือ {}",
        "รหัสผ่านของฐานข้อมูลคือ {}",
        "พาสเวิร์ดคือ {}",
    ),
    "ko": ("비밀번호는 {} 입니다", "비번: {}", "패스워드는 {}이에요", "DB 암호는 {}"),
    "ja": ("パスワードは「{}」です", "パスワードは{}です", "DBのパスワード：{}"),
    "zh": ("密码：{}", "数据库密码是{}", "密码改成 {}", "root密码为{}", "密碼：{}"),
    "id": ("Kata sandi: {}", "kata sandinya adalah {}", "kata sandi server adalah {}"),
    "cs": ("heslo: {}", "heslo je {}", "Heslo k databázi je {}"),
    "it": ("la password è {}",),
    "no": ("passord: {}",),
    "da": ("adgangskode: {}",),
}
KEYS = (
    "Clé API : {}",
    "clé d'API : {}",
    "clave de API: {}",
    "chave da API: {}",
    "ключ API: {}",
    "секретный ключ: {}",
    "токен: {}",
    "khóa API: {}",
    "API-Schlüssel: {}",
    "API 密钥：{}",
    "访问令牌：{}",
    "APIキー：{}",
    "API 키: {}",
    "คีย์ API: {}",
    "kunci API: {}",
)


@pytest.mark.parametrize("value", [STRONG, WEAK], ids=["made by a machine", "made up"])
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(said, id=f"{code} {said}")
        for code, several in PASSWORDS.items()
        for said in several
    ],
)
def test_a_password_that_is_told_goes(said: str, value: str) -> None:
    before, _, after = said.partition("{}")

    clean = Redactor(b"key").text(f"{before}{value}{after}")

    assert clean.startswith(f"{before}[redacted:password:")
    assert clean.endswith(f"]{after}")


@pytest.mark.parametrize("said", KEYS)
def test_a_key_that_is_told_goes(said: str) -> None:
    before, _, after = said.partition("{}")

    clean = Redactor(b"key").text(f"{before}{KEY}{after}")

    assert clean.startswith(f"{before}[redacted:api-key:")
    assert clean.endswith(f"]{after}")


@pytest.mark.parametrize("name", ["Kennwort", "heslo", "contraseña", "пароль", "密码"])
def test_a_field_or_a_column_with_such_a_name(name: str) -> None:
    """Who writes in another language names fields in it, too."""
    redactor = Redactor(b"key")

    field = redactor.tree({"user": "ada", name: WEAK})
    column = redactor.text(f"id;user;{name}\n1;ada;{WEAK}\n2;bob;{STRONG}\n")

    assert field[name].startswith("[redacted:password:")
    assert column.count("[redacted:password:") == 2


@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort ist falsch, Kennwort vergessen?",
        "Kennwort: mindestens acht Zeichen",
        "das Passwort für den Server ist 2026-01-01 abgelaufen",
        "le mot de passe est obligatoire, mot de passe oublié ?",
        "Mot de passe : au moins huit caractères",
        "la contraseña es obligatoria; clave: valor",
        "la clave primaria es usuario_id",
        "a senha é obrigatória, esqueci minha senha",
        "пароль неверный; пароль: не менее восьми символов",
        "ключ: значение",
        "mật khẩu là bắt buộc, quên mật khẩu",
        "รหัสผ่านไม่ถูกต้อง, รหัสผ่านคือข้อมูลลับ",
        "비밀번호는 필수입니다. 비밀번호가 틀렸습니다",
        "パスワードは必須です。パスワードを忘れた場合",
        "密码是必填项，密码错误；数据库密码是从 Vault 读取的",
        "kata sandi wajib diisi; kata sandi: minimal delapan karakter",
        "heslo je povinné, heslo bylo změněno",
        "il faut une clé API : voir la documentation",
        "Schlüssel: Wert; API-Schlüssel: siehe Doku",
        "API 密钥：请参阅文档; APIキー：未設定",
    ],
)
def test_what_only_talks_about_passwords_stays(text: str) -> None:
    assert Redactor(b"key").text(text) is text
