"""Secrets that no operator announces: prose, calls, markup, commands, files, addresses."""

import pytest

from holdfast.redaction.files import SecretFiles
from holdfast.redaction.redactor import Redactor

PASSWORD = "Walrus" + "77!tide"
KEY = "q8Zt3Kx9" + "LmN4vB7cR2wE6yU1" + "pS5dF0gH"

FOUND = [
    # prose, in several languages
    ("the password is ", PASSWORD, " and it works"),
    ("Password was changed to ", PASSWORD, "."),
    ("my passwd is '", PASSWORD, "'"),
    ("the token is ", KEY, ", keep it"),
    ("I set the token to ", KEY, " for now"),
    ("the api key is ", KEY, ""),
    ("use api key ", KEY, " here"),
    ("das Passwort ist ", PASSWORD, " und gut"),
    ("Passwort: ", PASSWORD, "\n"),
    ("la contraseña es ", PASSWORD, " ahora"),
    ("a senha é ", PASSWORD, " agora"),
    ("hasło to ", PASSWORD, " dziś"),
    ("ditt lösenord är ", PASSWORD, " nu"),
    ("كلمة المرور هي ", PASSWORD, " الآن"),
    ("le mot de passe est ", PASSWORD, " désormais"),
    ("пароль: ", PASSWORD, " там"),
    ("パスワードは「", PASSWORD, "」です"),
    ("密码是", PASSWORD, "。好"),
    ("비밀번호는 ", PASSWORD, " 입니다"),
    ("รหัสผ่านคือ ", PASSWORD, " ครับ"),
    ("user ada pass ", PASSWORD, " on staging"),
    # beside a name
    ("aws_secret_access_key ", KEY + "abcd1234", "\n"),
    ("machine db login ada password ", PASSWORD, "\n"),
    ("ENV REGISTRY_TOKEN ", KEY, "\n"),
    # commands
    ("mysql -u root -p", PASSWORD, " app"),
    ("mysqldump -h db -p'", PASSWORD, "' app"),
    ("sshpass -p ", PASSWORD, " ssh ada@host"),
    ("docker login -u ada -p ", PASSWORD, " registry"),
    ("redis-cli -h cache -a ", PASSWORD, " ping"),
    ("mongo --host db -u ada -p ", PASSWORD, "\n"),
    ("curl -u ada:", PASSWORD, " https://x"),
    ('curl -u "ada:', PASSWORD, '" https://x'),
    ("tool --password ", PASSWORD, " --retry"),
    ("tool --password='", PASSWORD, "' --retry"),
    ("echo ", PASSWORD, " | docker login --password-stdin"),
    ("openssl enc -k ", PASSWORD, " -in x"),
    ("openssl rsa -passin pass:", PASSWORD, " -in x"),
    ("unzip -P ", PASSWORD, " a.zip"),
    ("ldapsearch -D cn=a -w ", PASSWORD, " -b x"),
    ("echo -n '", PASSWORD, "' | docker secret create db_pass -"),
    ('printf %s "', PASSWORD, '" | podman secret create --label a=b db -'),
    ("docker secret create db_pass - <<< '", PASSWORD, "'"),
    ("echo ", PASSWORD, " | sudo cryptsetup open /dev/sdb1 data"),
    ('echo -n "', "correct horse 7 staple", '" | cryptsetup luksFormat /dev/sdb1 -'),
    ("cryptsetup luksOpen /dev/sdb1 data <<< ", PASSWORD, "\n"),
    ("x11vnc -passwd ", PASSWORD, " -forever"),
    ("lftp -u ada,", PASSWORD, " sftp://host"),
    ("snmpwalk -v3 -u ada -a SHA -A ", PASSWORD, " host"),
    ("snmpget -v3 -u ada -x AES -X ", PASSWORD, " host"),
    ("sqlplus ada/", PASSWORD, "@//db:1521/x"),
    ("export SSHPASS=", PASSWORD, "\n"),
    ("username ada password 7 ", "0822455D0A1648" + "7D16", "\n"),
    ("login: ada / ", PASSWORD, "\n"),
    ("here are the creds: admin:", PASSWORD, "\n"),
    # headers
    ("Authorization: Bearer ", KEY, "\n"),
    ("Authorization: Token ", KEY, "\n"),
    ("-H 'X-Api-Key: ", KEY, "'"),
    ("sent Bearer ", KEY, " twice"),
    ('proxy_set_header Authorization "Basic ', KEY + "==", '";'),
    # addresses and connection strings
    ("postgres://app:", "p/q,r:s" + "T9", "@db:5432/app"),
    ("https://me:", "a@b" + "C3d4", "@host/x.git"),
    ("mongodb://u:", PASSWORD, "@h1:27017,h2:27017/db"),
    ("app:", PASSWORD, "@tcp(db:3306)/app"),
    ("jdbc:oracle:thin:app/", PASSWORD, "@db:1521/x"),
    ("jdbc:mysql://db/app?user=a&password=", PASSWORD, "&ssl=1"),
    ("Server=db;User Id=sa;Pwd=", PASSWORD, ";Encrypt=yes"),
    ("Driver={ODBC};Server=db;Uid=sa;Pwd=", PASSWORD, ";"),
    # files
    ('network={\n  ssid="home"\n  psk="', PASSWORD, '"\n}'),
    ("[wifi-security]\nkey-mgmt=wpa-psk\npsk=", PASSWORD, "\n"),
    ("client\n<auth-user-pass>\nada\n", PASSWORD, "\n</auth-user-pass>\n"),
    ("<auth-user-pass>\r\nada\r\n", "correct horse", "\r\n</auth-user-pass>"),
    ("db.internal:5432:app:ada:", PASSWORD, "\n"),
    ("//registry.test/:_authToken=", KEY, "\n"),
    ("//registry.test/:_password=", KEY, "\n"),
    ("index-url = https://ada:", PASSWORD, "@pypi.test/simple"),
    ('{"auths": {"r": {"auth": "', KEY + "==", '"}}}'),
    ("<password>", PASSWORD, "</password>"),
    ('<property name="password" value="', PASSWORD, '"/>'),
    ('{"name": "API_TOKEN", "value": "', KEY, '"}'),
    # calls
    ('props.put("db.password", "', PASSWORD, '");'),
    ("define('DB_PASSWORD', '", PASSWORD, "');"),
    ('user.setPassword("', PASSWORD, '");'),
    ('smtp.login("ada@host", "', PASSWORD, '")'),
    ('cohere.Client("', KEY, '")  # cohere api key'),
    ("the api key is in Client('", KEY, "')"),
    ("Client(`", KEY, "`, mode) -- the token\n"),
    ('new NetworkCredential("ada", "', PASSWORD, '")'),
    ('new mysqli("localhost", "ada", "', PASSWORD, '", "app")'),
    ('DriverManager.getConnection(url, "ada", "', PASSWORD, '")'),
    ('smtp.PlainAuth("", "ada@host", "', PASSWORD, '", "mail")'),
    ("ftp_login($c, 'ada', '", PASSWORD, "')"),
    ("userPassword: {SSHA}", KEY, "\n"),
    ("CREATE USER a WITH PASSWORD '", PASSWORD, "';"),
    ("ALTER USER a IDENTIFIED BY '", PASSWORD, "';"),
    ('ConvertTo-SecureString "', PASSWORD, '" -AsPlainText'),
]


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [pytest.param(*case, id=f"{n} {case[0][:24]}") for n, case in enumerate(FOUND)],
)
def test_the_secret_goes_and_its_surroundings_stay(
    before: str, secret: str, after: str
) -> None:
    """Where people and tools put secrets when no `=` stands before them."""
    clean = Redactor(b"key").text(before + secret + after)

    assert secret not in clean
    assert clean.startswith(before + "[redacted:")
    assert clean.endswith("]" + after)


@pytest.mark.parametrize(
    "text", ["".join(case) for case in FOUND], ids=[case[0][:24] for case in FOUND]
)
def test_a_file_that_says_it_is_left_out_of_snapshots(text: str) -> None:
    """A snapshot reads files by the same rules."""
    assert SecretFiles().of(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "the password is required and the token is optional",
        "the token is refreshed, the key is cached",
        "password hashing, password reset, password policy",
        "mkdir -p build/out && cp -p a b",
        "ssh -p 2222 ada@host",
        "docker run -p 8080:80 web",
        "docker secret create db_pass ./file.txt",
        "cat secret.txt | docker secret create db -",
        "echo $PASS | cryptsetup open /dev/sdb1 data",
        "cryptsetup status data; echo finished | tee log",
        "wc -l <<< 'how many words are there'",
        "ssl_ciphers HIGH:!aNULL:!MD5:!PSK:!RC4:ECDHE-PSK:RSA-PSK-AES128;",
        "psk=None, psk: str, wpa_key_mgmt=WPA-PSK, psk=${WIFI_PSK}",
        "<auth-user-pass>\n</auth-user-pass>, auth-user-pass credentials.txt",
        "-passwd FILE  read the password from a file",
        "grep -A 5 password app.log | curl -X POST https://x",
        "creds: https://vault.test/Team7/Prod9, login: 10:42:17 as octoCat99",
        "login: octoCat99, login: ada / dashboard, --login ada_77",
        "the level is BYPASS=strict9 and COMPASS=north12",
        "scp a.tar ada/Build2024@host",
        'DriverManager.getConnection(url, "ada", password)',
        "userPassword: {SSHA}",
        "--seed 20261118, seed: 20261118, random_seed=88f7ac1b2",
        "mysql -u root -p app",
        'mysql -u root -p"$MYSQL_PASSWORD" app',
        "curl -u $USER:$PASS https://x",
        'users = ["name", "password", "email"]',
        'form.field("password", "hidden")',
        "<label>password</label><token></token>",
        '<input name="password" value="{{ password }}">',
        "el password es obligatorio",
        "das Passwort ist falsch, mot de passe oublié, パスワードは必須です",
        "http://localhost:8080/@scope/package and me@example.org",
        "bearer of bad news, Bearer tokens",
        "src/app.py:5432:12:error: no such name",
        "cache restored from key: linux-x64-f804a68745ce7318dacd9fc03814b81b",
        "3 issues identified by review",
        "${POSTGRES_PASSWORD:?must be set}",
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUQ" + "A1b2" * 20,
    ],
)
def test_what_only_talks_about_secrets_stays(text: str) -> None:
    """Each of these is an everyday line."""
    assert Redactor(b"key").text(text) is text


def test_a_key_in_the_form_of_putty_goes() -> None:
    """Its private lines have no header of their own."""
    body = "\n".join(["AAAAgQ" + KEY * 2 + "aa"] * 3)
    text = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n{body}\nPrivate-MAC: 1f"

    clean = Redactor(b"key").text(text)

    assert KEY not in clean
    assert clean.endswith("\nPrivate-MAC: 1f")
