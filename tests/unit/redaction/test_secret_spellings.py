"""The many ways people and tools write one password down, and what only looks like it."""

from typing import Any

import pytest

from holdfast.redaction.redactor import Redactor

PASSWORD = "Xk9vQ2m" + "Tz7Lp4R"
TOKEN = "q8Zt3Kx9" + "LmN4vB7cR2wE6yU1" + "pS5dF0gH"

ALIGNED = [
    "password        = '{pw}'",
    "password            : {pw}",
    "db_password\t\t\t\t\t\t\t\t\t= {pw}",
    "DB_PASSWORD\t{pw}",
    "| password | {pw} |",
    "| DB_PASSWORD | `{pw}` | prod |",
    "ENV DB_PASSWORD {pw}",
    '#define PASSWORD "{pw}"',
    'password "{pw}"',
    'secretKeyBase: "{pw}"',
    'passWORD: "{pw}"',
    'password = "{pw} and more"',
]
SHIELDED = [
    "password=[private]{pw}",
    "password=[redacted:x:0000]{pw}",
    'password = "[private]{pw}"',
    "password={pw}[private]",
    "the password is [private]{pw}",
    "Authorization: Bearer [private]{token}",
    "postgres://app:[redacted:x:0000]{pw}@db:5432/app",
]
PRIVATE = [
    "a <PRIVATE>{pw}</PRIVATE> b",
    "a <Private>{pw}</private> b",
    "a < private >{pw}</ private > b",
    "a <private>{pw}",
    "a <private>b</private>\n<private>\n{pw}\n",
    "<private>{pw} [private] {pw}</private>",
]
PROSE = [
    "password for prod: {pw}",
    "the password for the staging db: {pw}",
    "the admin password on staging is {pw}",
    "Password (prod): {pw}",
    "Password is now: {pw}",
    "The password is now {pw}.",
    "password:\n{pw}\n",
    "Password:\n\n```\n{pw}\n```\n",
    "Password:\n```text\n{pw}\n```",
    "api key:\n{token}\n",
    "token for ci: {token}",
    "use {pw} as the password",
    "use `{pw}` as the admin password",
    "{pw} is the password",
    "{pw}\tis\tthe password",
    "{pw} is our new staging password.",
    "pass: {pw}",
    "pw: {pw}",
    "the pw is {pw}",
    "login with ada / {pw}",
    "log in with ada/{pw}",
    "Hasło: {pw}",
    "HASŁO: {pw}",
    "Senha: {pw}",
    "a senha é {pw}",
    "CONTRASEÑA: {pw}",
    "ПАРОЛЬ: {pw}",
    "Пароль от прода: {pw}",
    "PASSWORT: {pw}",
    "Passwort für prod: {pw}",
    "Kennwort: {pw}",
    "mot de passe : {pw}",
    "Mot de passe\u00a0: {pw}",
    "MOT DE PASSE: {pw}",
    "LÖSENORD: {pw}",
    "Wachtwoord: {pw}",
    "Şifre: {pw}",
    "jelszó: {pw}",
    "Κωδικός: {pw}",
    "סיסמה: {pw}",
    "पासवर्ड: {pw}",
    "Mật khẩu: {pw}",
    "暗証番号：{pw}",
    "密钥：{token}",
    "令牌: {token}",
    "APIキー：{token}",
    "токен: {token}",
    "clé API : {token}",
    "API-Schlüssel: {token}",
    "password {pw} does not work",
    "Password — {pw}",
    "password -> {pw}",
    "password → {pw}",
    "my password, {pw}",
    "(password) {pw}",
    "*Password* {pw}",
    "here is the password\n{pw}",
    "**Password**: `{pw}`",
    "`password`: `{pw}`",
]
SEPARATED = [
    f"{name}{sign}{{{value}}}"
    for name, value in (("password", "pw"), ("DB_PASSWORD", "pw"), ("api_key", "token"))
    for sign in (
        "：", " ： ", "：\u3000", "﹕", "︓", "꞉", "∶", "＝", "﹦", "\u00a0: ", ":\u00a0",
        "\u00a0=\u00a0", ":\u2003", ":\u202f", ":\u3000",
    )
] + [
    "the password is\u00a0{pw}",
    "the password\u00a0is\u00a0{pw}",
    "使用 client secret：{token}。",
    "ｐａｓｓｗｏｒｄ：{pw}",
]  # fmt: skip
ENCODED = [
    "/login?next=%2Fa%3Ftoken%3D{token}%26x%3D1",
    "password%3d{pw}",
    r"a?token\u003d{token}",
    "{&quot;password&quot;:&quot;{pw}&quot;}",
    "{&#34;apiKey&#34;: &#34;{token}&#34;}",
    '<string name="api_key">{token}</string>',
    '<property name="password">{pw}</property>',
    "<td>Password</td><td>{pw}</td>",
    "<key>password</key>\n<string>{pw}</string>",
]
COMMANDS = [
    "curl -uadmin:{pw} https://x",
    "curl -U a:{pw} https://x",
    "curl --proxy-user a:{pw} https://x",
    "http -a ada:{pw} https://x",
    "git clone https://{token}@github.com/a/b",
    "git clone https://{token}:x-oauth-basic@github.com/a/b",
    "echo '{pw}' | sudo -S apt update",
    "echo {token} | gh auth login --with-token",
    "echo 'ada:{pw}' | chpasswd",
    "echo 'ada:{pw}' | sudo chpasswd",
    "gh secret set DEPLOY --body {pw}",
    "gh secret set DEPLOY -b '{pw}'",
    "kubectl create secret generic db --from-literal=pw={pw}",
    "vault login {token}",
    "redis-cli AUTH {pw}",
    "redis-cli -a {pw} ping",
    "requirepass {pw}",
    "keytool -list -storepass {pw} -keystore a.jks",
    "ssh-keygen -t ed25519 -N '{pw}' -f key",
    "htpasswd -bc .htpasswd ada {pw}",
    "htpasswd -nbB ada {pw}",
    "https://b.s3.amazonaws.com/x?X-Amz-Signature={hex}",
    "curl -b 'session={token}' https://x",
    "twine upload -u __token__ -p {token} dist/*",
    "unrar x -p{pw} a.rar",
    "useradd -p {pw} ada",
    "usermod -p {pw} ada",
    "cqlsh -u ada -p {pw}",
    "ipmitool -H bmc -U ada -P {pw} power on",
    "bcp t out f -U sa -P {pw}",
    "security add-generic-password -a ada -s x -w {pw}",
]
CODE = [
    "requests.get(url, auth=('ada','{pw}'))",
    "requests.get(url, auth=HTTPBasicAuth('ada', '{pw}'))",
    "x = SecretStr('{pw}')",
    "const p = process.env.DB_PASSWORD || '{pw}';",
    "const p = process.env.DB_PASSWORD ?? '{pw}';",
    'p = os.getenv("DB_PASSWORD") or "{pw}"',
    'char password[] = "{pw}";',
    'char password[32] = "{pw}";',
    "PASS={pw}",
    "PW={pw}",
    "DB_PW={pw}",
    "db_pw: {pw}",
    'variable "db_password" { default = "{pw}" }',
    'variable "db_password" {\n  type    = string\n  default = "{pw}"\n}',
    "password: >-\n  {pw}\n",
    "password: |\n  {pw}\n",
    '{"key":"DB_PASSWORD","value":"{pw}"}',
    '{"Name":"DB_PASSWORD","Value":"{pw}"}',
    '{"header":"Authorization","value":"{pw}"}',
    '["curl","-u","a:{pw}"]',
    '["curl", "-u", "a:{pw}", "https://x"]',
    '["mysql","-p{pw}"]',
    '["tool", "--password", "{pw}"]',
]
EVERY = (
    ("aligned", ALIGNED),
    ("shielded", SHIELDED),
    ("private", PRIVATE),
    ("prose", PROSE),
    ("separated", SEPARATED),
    ("encoded", ENCODED),
    ("command", COMMANDS),
    ("code", CODE),
)


def _filled(form: str) -> tuple[str, list[str]]:
    """Return a spelling with secrets in it, and these; made here, not kept in a file."""
    made = {"{pw}": PASSWORD, "{token}": TOKEN, "{hex}": "9f3c" * 16}
    used = [secret for mark, secret in made.items() if mark in form]
    for mark, secret in made.items():
        form = form.replace(mark, secret)
    return form, used


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(x, id=f"{g} {n}: {x[:32]}")
        for g, all_of in EVERY
        for n, x in enumerate(all_of)
    ],
)
def test_a_password_goes_in_every_spelling(form: str) -> None:
    """Each was written to get a password past the rules."""
    text, secrets = _filled(form)
    redactor = Redactor(b"key")

    clean = redactor.text(text)

    assert secrets
    assert not any(secret in clean for secret in secrets)
    assert redactor.text(clean) == clean


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({"key": "DB_PASSWORD", "value": PASSWORD}, id="key and value"),
        pytest.param({"Name": "DB_PASSWORD", "Value": PASSWORD}, id="capitals"),
        pytest.param({"header": "Authorization", "value": PASSWORD}, id="header"),
        pytest.param(["curl", "-u", "a:" + PASSWORD, "https://x"], id="pair"),
        pytest.param(["mysql", "-p" + PASSWORD, "app"], id="joined"),
        pytest.param({"argv": ["tool", "--password", PASSWORD]}, id="option"),
        pytest.param(["redis-cli", "-h", "db", "-a", PASSWORD], id="apart"),
    ],
)
def test_a_password_goes_from_a_value_of_many_parts(tree: Any) -> None:
    """A tool's input is an object or the words of a command, not a line of text."""
    redactor = Redactor(b"key")

    clean = redactor.tree(tree)

    assert PASSWORD not in str(clean)
    assert redactor.tree(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        "| password | varchar(255) | not null |",
        "| token | string | the bearer token |",
        "| user | password | email |\n|---|---|---|",
        "password\tstring\trequired",
        "password:\n  type: string\n  minLength: 8",
        "password:\n  secretKeyRef:\n    name: db-1",
        "Password:\nLogin incorrect",
        "Password:\nada@web01:~$ ls",
        "token: >-\n  the one you were given",
        "the password for prod is in the vault",
        "the token for CI: see settings",
        "password for v2: 2024-01-01",
        "a key in the config is missing",
        "this is the password, and that as the token",
        "SHA256 is the key algorithm; utf8 is the password encoding",
        "Base64 is the token, RS256 is the secret",
        "pass: 12, fail: 3",
        "PASS=12 FAIL=0",
        "pw = await playwright.chromium.launch()",
        "const pw = require('playwright2');",
        "login with GitHub / GitLab, log in as root/admin",
        "senha obrigatória, a senha é obrigatória",
        "mot de passe oublié ? mot de passe requis",
        "senha incorreta; enhance the enhanced thing",
        "Kennwort vergessen",
        "curl -u $USER:$PASS https://x && docker run -u 1000:1000 web",
        "sort -u a:b; tar -N x; git push -u origin main",
        "sudo -S true; cat list | sudo -S tee /etc/hosts",
        'echo "$PASSWORD" | sudo -S true',
        "gh secret set DEPLOY < key.txt",
        "kubectl create configmap app --from-literal=mode=production1",
        "vault login -method=github",
        "requirepass is not set; AUTH failed; AUTH required2",
        "https://medium.com/@someone and https://ada@host/x",
        "auth=(user, password), auth=('ada', os.environ['PW'])",
        "SecretStr('password')",
        'variable "region" {\n  default = "eu-west-1"\n}',
        'variable "db_password" {\n  default = ""\n}',
        "session=requests.Session() and session=self.session_factory_for_everything",
        'password = "must be at least 8 characters"',
        'password = "Enter your password"',
        'parser.add_argument("--password", help="the password of the store")',
        "const p = process.env.DB_PASSWORD || 'changeme';",
        "password || 'is empty'",
        '["git", "-p", "log"] and ["mkdir", "-p", "a/b1"]',
        'char password[64] = "";',
        "password [private] and password=[redacted:x:0000], then more",
        "password：请输入您的密码；token：字符串，必填",
        "密钥长度：256；令牌数量: 1024；токен: строка; clé API : requise",
        "password, then the token; the password\nMust be 8 characters or more",
        "password — at least 8 characters; token → str",
        "`token`: the token to use, **Key**: one of `a1`, `b2`",
        "next=%2Flogin%3Ftoken%3Dnone and token%3D%24TOKEN and page%3D12345678",
        "{&quot;name&quot;:&quot;password&quot;} and &quot;token&quot;: &quot;&quot;",
        '<string name="password_hint">Enter1</string><b>password</b> is required',
        ".. _`RFC6749#Authorization`: https://tools.ietf.org/html/rfc6749",
        '<label for="password">Password</label>\n\ntrace_id=fade6bdae3a61a55967bc09602649b28',
        "unrar x -p- a.rar; useradd -p $HASH ada; twine upload --verbose",
    ],
)
def test_what_is_spelled_alike_and_no_secret_stays(text: str) -> None:
    """Each is an everyday line that a rule for the spellings above could take."""
    assert Redactor(b"key").text(text) is text


def test_the_words_of_a_command_that_are_no_secret_stay() -> None:
    """Most commands have options, and few have passwords."""
    call = ["docker", "run", "-p", "8080:80", "-u", "1000:1000", "web"]

    assert Redactor(b"key").tree(call) == call
